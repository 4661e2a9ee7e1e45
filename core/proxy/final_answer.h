#pragma once

#include "model/hold.h"
#include "model/request_record.h"
#include "model/transport_failure.h"
#include "proxy/client_error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace omni {

/// How one target failed, as far as the answer after the last of them needs it.
struct TargetFailure {
    std::string target;  ///< "provider/model (connection)"
    int status = 0;  ///< 0 = no HTTP answer
    TransportFailure transport = TransportFailure::None;
    std::string message;
    FailureReason reason = FailureReason::Unknown;
    std::optional<Millis> retryAfter;
};

/// The answer when no target could serve: its status, code and wait (spec 3-routing §10). Nothing was tried and something will come
/// back: 503 all_targets_cooling_down with the earliest return; nothing will: 404 no_executable_targets. Otherwise the status that
/// all failures share by kind, else 504 with a time-out among them, else 502.
/// `attemptsExhausted`: the limit of attempts ended the request with targets left.
ClientError finalAnswer(std::string_view model, const std::vector<TargetFailure>& failures, const std::vector<AttemptRecord>& attempts,
                        const std::vector<ExcludedTarget>& excluded, bool attemptsExhausted);

/// 504 for time-outs, else 502.
int statusOf(TransportFailure failure);

/// Rounded up, at least 1.
std::int64_t wholeSeconds(Millis wait);

/// "reset after 1m 15s": hours, minutes and seconds that are not 0, from the ceiling second (spec 1-core §9).
std::string resetText(Millis wait);

/// Printable ASCII; anything else becomes "?".
std::string headerSafe(std::string_view text);

}  // namespace omni
