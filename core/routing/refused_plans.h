#pragma once

#include "routing/router.h"

#include <optional>
#include <string>
#include <unordered_map>

namespace omni {

/// Plans without a target, kept until the engine holds something else or the first hold ends: while everything is out, a client that asks
/// again and again costs one look-up, not a scan of all connections (field-faults H23). Good for one configuration.
class RefusedPlans {
public:
    void clear() { m_kept.clear(); }
    /// With what is left of each hold by now.
    std::optional<Plan> find(const PlanRequest& request, const Engine& engine) const;
    /// `soonest` is what is left of the shortest hold; unset = none ends by time alone.
    void keep(const PlanRequest& request, const Plan& plan, std::optional<Millis> soonest, const Engine& engine);

private:
    struct Kept {
        Plan plan;
        std::optional<Millis> soonest;
        Engine::Standing since;
    };
    static std::string keyOf(const PlanRequest& request);

    std::unordered_map<std::string, Kept> m_kept;
};

}  // namespace omni
