#pragma once

#include "base/clock.h"

#include <optional>
#include <string_view>

namespace omni {

/// What an answer's status was restated to.
struct Restatement {
    int status = 0;
    int fromStatus = 0;
    Millis retryAfter{0};   ///< for the client only: what holds inside comes from the verdict (guide §7)
    std::string_view rule;  ///< id of the rule
};

/// Some gateways tell of a spent quota with a status that clients take for final. Such an answer gets the status it should have had
/// before anything judges it (guide §7, spec 2-around §9): for a real error status only, never for an error that came inside a 200.
/// `message` and `body` are what the upstream said, in any case; `retryAfter` is what it asked for. The first rule of the provider that
/// fits decides.
std::optional<Restatement> restateStatus(std::string_view provider, int status, std::string_view message, std::string_view body,
                                         std::optional<Millis> retryAfter);

}  // namespace omni
