#include "routing/refused_plans.h"

#include <chrono>

namespace omni {

namespace {

// A plan tells of at most 64 connections, some 10 KB; names are the clients' to invent.
constexpr std::size_t kMostKept = 64;
constexpr std::size_t kLongestName = 256;

}  // namespace

std::string RefusedPlans::keyOf(const PlanRequest& request)
{
    std::string key;
    key.reserve(request.model.size() + 40);
    key += static_cast<char>(request.operation);
    if (request.apiKey)
        key += request.apiKey->id.str();
    key += '\n';
    key += request.model;
    return key;
}

std::optional<Plan> RefusedPlans::find(const PlanRequest& request, const Engine& engine) const
{
    const auto found = m_kept.empty() ? m_kept.end() : m_kept.find(keyOf(request));
    if (found == m_kept.end())
        return std::nullopt;
    const Kept& kept = found->second;
    const Engine::Standing now = engine.standing();
    if (kept.since.revision != now.revision)
        return std::nullopt;
    const Millis passed = std::chrono::floor<Millis>(now.at.mono - kept.since.at.mono);
    // A clock was set, or the machine slept: what is left of a hold goes by both clocks (spec 0-decisions, "clocks").
    if (std::chrono::abs((now.at.wall - kept.since.at.wall) - passed) > Millis(1))
        return std::nullopt;
    if (kept.soonest && passed >= *kept.soonest)
        return std::nullopt;
    Plan plan = kept.plan;
    for (ExcludedTarget& excluded : plan.excluded) {
        if (excluded.remainingMs > 0)
            excluded.remainingMs -= passed.count();
    }
    return plan;
}

void RefusedPlans::keep(const PlanRequest& request, const Plan& plan, std::optional<Millis> soonest, const Engine& engine)
{
    if (request.model.size() > kLongestName)
        return;
    if (m_kept.size() >= kMostKept)
        m_kept.clear();
    m_kept.insert_or_assign(keyOf(request), Kept{plan, soonest, engine.standing()});
}

}  // namespace omni
