#pragma once

#include "base/random.h"
#include "sandbox/plan.h"
#include "sandbox/sandbox.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace omni::sandbox {

/// What outlives one request: for models that behave differently the second time.
struct Memory {
    std::unordered_map<std::string, std::uint64_t> asked;  ///< by caller and model
    SimulatedRandom random{1};                             ///< the same run fails in the same places
};

/// What a behaviour may look at.
struct Situation {
    const Request& request;
    const Prompt& prompt;
    WallTime now;
    Memory& memory;
    const Sandbox::Counters& counters;
};

/// One row of the sandbox's catalogue: what it is called and how it changes a plan that would answer well.
struct Behaviour {
    SandboxModel model;
    void (*apply)(Plan& plan, const Situation& situation);
};

const std::vector<Behaviour>& workingBehaviours();  ///< answers that are right, some of them in unusual form
const std::vector<Behaviour>& statusBehaviours();   ///< honest error answers, but for 429
const std::vector<Behaviour>& limitBehaviours();    ///< 429 with every kind of hint
const std::vector<Behaviour>& brokenBehaviours();   ///< faults of the transport and errors inside a 200

/// The usual good answer, which most behaviours change in one respect.
void answerWell(Plan& plan, const Situation& situation);
/// nullptr for an unknown name.
const Behaviour* findBehaviour(std::string_view name);
/// The plan for one request.
Plan makePlan(const Behaviour& behaviour, const Situation& situation);
/// The plan of an error that is not asked for by name: an unknown model, a missing key, a body that cannot be read.
Plan errorPlan(int status, std::string message, std::string code = {});

/// "Wed, 21 Oct 2026 07:28:00 GMT".
std::string httpDate(WallTime time);

}  // namespace omni::sandbox
