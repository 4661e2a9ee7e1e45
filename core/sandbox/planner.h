#pragma once

#include "base/scheduler.h"
#include "sandbox/behaviours.h"
#include "sandbox/plan.h"
#include "sandbox/sandbox.h"

#include <string>
#include <vector>

namespace omni::sandbox {

/// What all connections of one sandbox share.
struct Shared {
    explicit Shared(Scheduler& timers) : scheduler(timers) {}

    void record(const Request& request);

    Scheduler& scheduler;
    std::string requiredKey;
    Sandbox::Counters counters;
    Memory memory;
    bool recording = false;
    std::vector<Sandbox::Seen> seen;
};

/// What a request turned out to ask for, and what will be done about it.
struct Planned {
    Prompt prompt;
    Plan plan;
    Dialect dialect = Dialect::OpenAi;  ///< in whose words errors are told
};

/// Checks path, key and body, finds the behaviour and lets it plan. Whatever is wrong becomes the plan of an error answer.
Planned planRequest(const Request& request, Shared& shared);

}  // namespace omni::sandbox
