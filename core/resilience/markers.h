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
    Daily,               ///< B6
    DailyTokens,         ///< the part of B6 about tokens a day
    Subscription,        ///< B7
    ClaudeSubscription,  ///< B7, for provider "claude" only
    Weekly,              ///< B8
    Session,             ///< B9
    Concurrency,         ///< B10
    ContextOverflow,     ///< B11
    Malformed,           ///< B12
    Parameter,           ///< B13
    ContentFilter,       ///< spec 0-decisions, "400"
    ModelAccess,         ///< B14
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
    MissingModel,        ///< §2.2, a 404 about one model
    MissingResource,     ///< §8 step 2
    RouteRefused,        ///< §4.2 row 19
    ForbiddenException,  ///< §4.2 row 22
    CloudflareBlock,     ///< §4.2 row 22
    ForeignResponse,     ///< §4.2 row 2
    UnsupportedModel,    ///< §8.1, a 401 about one model
    ProjectRefused,      ///< §8.1
    Overloaded,          ///< §1.8
    LocalAbort,          ///< §1.8
    LocalExecution,      ///< §1.8
    ContentStall,        ///< §8 step 6
    GoogleApi,           ///< §4.6, as are the following
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
