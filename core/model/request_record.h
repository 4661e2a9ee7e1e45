#pragma once

#include "base/clock.h"
#include "base/ids.h"
#include "model/hold.h"
#include "model/wire.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace omni {

enum class Outcome : std::uint8_t {
    Answered,        ///< a complete answer of an upstream, or of ours (models, health)
    UpstreamFailed,  ///< no target could answer, or the last one's error was passed on
    Broken,          ///< the answer broke after it was committed
    ClientGone,      ///< nobody's failure
    Refused          ///< ours: bad request, no access, limits
};
std::string_view toString(Outcome outcome);  ///< "answered", "upstream_failed", "broken", "client_gone", "refused"
/// UpstreamFailed for anything else, so that a row of a later version never counts as a success.
Outcome outcomeFromString(std::string_view text);

/// One try at one target. Durations are microseconds since the attempt began, -1 = did not come to it.
struct AttemptRecord {
    ProviderId provider;
    ConnectionId connection;
    std::string connectionName;
    std::string model;
    std::int64_t startedUs = 0;  ///< since the request came in
    std::int64_t connectUs = -1;
    std::int64_t firstByteUs = -1;
    std::int64_t firstFrameUs = -1;
    std::int64_t totalUs = -1;
    int status = 0;          ///< 0 = no answer
    bool success = false;
    FailureReason reason = FailureReason::Unknown;
    std::string error;       ///< redacted, one line
    std::string decision;    ///< what followed: "next target", "passed on", "retried on a fresh connection"
};

/// A target left out before any try, and why.
struct ExcludedTarget {
    ProviderId provider;
    ConnectionId connection;
    std::string connectionName;
    std::string model;
    Exclusion reason = Exclusion::None;
    std::int64_t remainingMs = 0;  ///< until it may be used; 0 = unknown
};

/// One client request, as the log keeps it.
struct RequestRecord {
    RequestId id;
    WallTime startedAt{};
    std::string method;
    std::string path;
    std::optional<Operation> operation;
    std::string requestedModel;
    std::string model;  ///< that answered
    std::string combo;
    ProviderId provider;
    ConnectionId connection;
    std::string connectionName;
    ApiKeyId apiKey;
    std::string apiKeyName;
    std::string client;  ///< User-Agent, first 120 bytes
    bool stream = false;
    int status = 0;  ///< told to the client
    Outcome outcome = Outcome::Answered;
    std::string error;  ///< redacted, one line
    std::int64_t durationUs = 0;
    std::int64_t addedUs = -1;       ///< spent by us: total less the time waiting for upstreams
    std::int64_t firstFrameUs = -1;  ///< to the client
    std::int64_t requestBytes = 0;
    std::int64_t responseBytes = 0;
    std::int64_t tokensIn = -1;
    std::int64_t tokensOut = -1;
    std::int64_t tokensCached = -1;
    int attemptCount = -1;  ///< for lists, which leave `attempts` empty; -1 = look into `attempts`
    bool keepInLog = true;  ///< false = only counted in the usage figures, as the client's key wants it
    std::vector<AttemptRecord> attempts;
    std::vector<ExcludedTarget> excluded;
    std::vector<std::pair<std::string, std::string>> requestHeaders;  ///< redacted
    std::vector<std::pair<std::string, std::string>> responseHeaders; ///< redacted
};

/// What the history pages ask for. Empty fields do not filter.
struct RequestFilter {
    std::string text;  ///< substring of model, path, connection name, error or id
    std::optional<Outcome> outcome;
    bool failuresOnly = false;
    ProviderId provider;
    ConnectionId connection;
    std::string model;
    std::string client;  ///< the User-Agent as the log keeps it
    std::optional<WallTime> from;
    std::optional<WallTime> to;
};

}  // namespace omni
