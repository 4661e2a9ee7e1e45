#pragma once

#include "base/clock.h"
#include "model/provider.h"
#include "model/settings.h"
#include "resilience/engine.h"
#include "resilience/retry_hints.h"

#include <cstdint>
#include <string>
#include <vector>

namespace omni {

/// An answer that someone wants judged although no request met it.
struct FailureSample {
    ProviderId provider;
    ProviderClass providerClass = ProviderClass::ApiKey;
    bool perModelQuota = false;
    std::string model;     ///< empty = not known
    int status = 429;      ///< 100…599
    HeaderFields headers;  ///< names in lower case
    std::string body;
};

/// What a failure would keep out of routing.
struct TrialHold {
    enum class Kind : std::uint8_t { Connection, Model, Provider, Terminal };

    Kind kind = Kind::Connection;
    Millis length{0};                              ///< 0 for Terminal: until someone acts
    std::string model;                             ///< for Model: the scoped name
    TerminalState terminal = TerminalState::None;  ///< for Terminal

    bool operator==(const TrialHold&) const = default;
};

struct FailureTrial {
    Verdict verdict;
    std::vector<TrialHold> holds;  ///< none = the failure is noted, and nothing is held
};

/// What an engine with these settings would make of the answer if it were the first failure of a connection in good order. The policies
/// themselves are run, on a state of their own: nothing of the running engine is read or changed. About 1 ms, most of it for setting up.
FailureTrial tryFailure(const FailureSample& sample, const ResilienceSettings& settings, WallTime now);

/// "Retry-After: 60" line by line into fields with names in lower case; lines without a colon are left out.
HeaderFields headerFieldsFromText(std::string_view text);

}  // namespace omni
