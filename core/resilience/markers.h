#pragma once

#include "resilience/marker_scanner.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace omni {

/// What a wording in an error body tells (spec 1-core §4.3 B1–B19, §4.4, §4.6, §4.8, §5.1). A new wording is a row in markers.cpp.
enum class Marker : std::uint8_t {
    Ban,                 ///< B1
    RetiredModel,        ///< B2
    EndpointMoved,       ///< B3
    BillingSuspended,    ///< B4
    Credits,             ///< B5
    AccountWallet,       ///< the part of B5 about the balance of a whole account, also where others share the provider (§4.2 row 10)
    FreeTierOfModel,     ///< the part of B5 about one model's free tier (§8 step 17)
    Daily,               ///< B6
    DailyTokens,         ///< the part of B6 about tokens a day
    DailyUtc,            ///< a quota of the day that is known to begin anew at midnight, UTC (spec 2-around §10.1)
    Subscription,        ///< B7
    ClaudeSubscription,  ///< B7, for provider "claude" only
    Weekly,              ///< B8
    Session,             ///< B9
    RollingDay,          ///< §4.2 row 16
    Concurrency,         ///< B10
    ContextOverflow,     ///< B11
    TokenRate,           ///< the part of B11 about tokens a minute, which no larger window helps
    Malformed,           ///< B12
    Parameter,           ///< B13
    ContentFilter,       ///< spec 0-decisions, "400"
    ModelUnsupported,    ///< B14 and B16: the model is not there
    ModelIncapable,      ///< B14 and B16: the model cannot do what this request asks for
    ModelForbidden,      ///< B14 only: the model is there for others
    Credential,          ///< B15
    RateText,            ///< B17
    DegradedFunction,    ///< B19
    Quota,               ///< §5.1
    QuotaTerminal,       ///< §5.1, those no retry hint outweighs
    QuotaWords,          ///< §4.4 row 1
    TextNoCredentials,   ///< §4.8, as are the following
    TextNotAllowed,
    TextMalformed,
    TextRateLimit,
    TextQuota,
    TextCapacity,
    MissingModel,         ///< §2.2, a 404 about one model
    MissingResource,      ///< §8 step 2
    RequestTooLarge,      ///< §2.2, a 413 that may name the model
    RouteRefused,         ///< §4.2 row 19
    EndpointUnavailable,  ///< §4.7, opencode
    UpstreamModelDown,    ///< §4.7, opencode
    ForbiddenException,   ///< §4.2 row 22
    CloudflareBlock,      ///< §4.2 row 22
    ForeignResponse,      ///< §4.2 row 2
    UnsupportedModel,     ///< §8.1, a 401 about one model
    ProjectRefused,       ///< §8.1
    LocationRefused,      ///< §8.1
    Overloaded,           ///< §1.8
    LocalAbort,           ///< §1.8
    LocalExecution,       ///< §1.8
    ContentStall,         ///< §8 step 6
    HintStem,             ///< how every wording of §4.5, T1–T7, begins
    GoogleApi,            ///< §4.6, as are the following
    GooglePerDay,
    GoogleTokens,
    GoogleRequests
};

/// MarkerHits in the words of the table.
class MarkerSet {
public:
    bool has(Marker marker) const { return m_hits.has(static_cast<int>(marker)); }
    /// The wording in plain words, for evidence: "quota … exceed".
    std::string wording(Marker marker) const;

private:
    friend class MarkerTable;

    MarkerHits m_hits;
};

/// Whether a 400 says that no account of the provider serves the model (§4.3 B16). What is said about a credential is not taken for it.
bool isProviderModelUnsupported(int status, const MarkerSet& markers);

/// All wordings, compiled once. Immutable.
class MarkerTable {
public:
    MarkerTable();

    MarkerSet scan(std::string_view text) const;
    void scan(std::string_view text, MarkerSet& into) const { m_scanner.scan(text, into.m_hits); }

private:
    MarkerScanner m_scanner;
};

}  // namespace omni
