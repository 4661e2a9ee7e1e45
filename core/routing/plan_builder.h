#pragma once

#include "resilience/engine.h"
#include "routing/key_policy.h"
#include "routing/route_preview.h"
#include "routing/router.h"
#include "routing/routing_table.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace omni {

/// Fills one plan: asks of each candidate whether it may serve now, and keeps the order. Lives for one `plan` call.
class PlanBuilder {
public:
    PlanBuilder(Plan& plan, const PlanRequest& request, Engine& engine, RoutingTable& table);

    /// Notes every candidate in `preview` and moves nothing on.
    void noteIn(RoutePreview& preview, PreviewScope scope);
    /// A name that was asked for, or that an alias leads to.
    void follow(std::string_view name);
    /// What follows comes from this target of the combo.
    void beginStep(std::size_t step) { m_step = static_cast<int>(step); }

    /// The name the client may use whatever it stands for (an allowed combo or alias).
    void allowWhatever() { m_allowAll = true; }

    /// All of `list` with that model, in order; with `offeredOnly` without a word on those that do not list it.
    void addAll(const CandidateList& list, std::string_view model, bool offeredOnly = false);
    /// A pinned connection.
    void addOne(const Candidate& candidate, std::string_view model);
    void exclude(const ProviderId& provider, const ConnectionId& connection, std::string_view connectionName, std::string_view model,
                 Exclusion reason, Millis remaining = Millis(0));

    bool full() const
    {
        return m_preview ? m_preview->considered.size() > m_scope.most || (m_scope.untilChosen && !m_plan.targets.empty())
                         : m_plan.targets.size() >= m_mostTargets;
    }
    /// Something was found, and all of it is denied to the key.
    bool allDenied() const { return m_plan.targets.empty() && m_denied > 0 && m_denied == m_seen; }
    /// When the first of those left out may be back: unset = none of them by time alone.
    std::optional<Millis> soonest() const { return m_soonest; }
    /// One is held, and nobody can say until when (a probe is late): the answer is good for this moment only.
    bool unsettled() const { return m_unsettled; }

private:
    /// True when it became a target.
    bool consider(const Candidate& candidate, std::string_view model, const CandidateList* modelRoute, bool modelAllowed);
    bool planned(const Candidate& candidate, std::string_view model) const;
    void note(const ProviderId& provider, const ConnectionId& connection, std::string_view connectionName, std::string_view model,
              Exclusion reason, Millis remaining = Millis(0));

    Plan& m_plan;
    const PlanRequest& m_request;
    Engine& m_engine;
    RoutingTable& m_table;
    KeyPolicy m_policy;
    bool m_allowAll = false;
    bool m_roundRobin;
    std::size_t m_mostTargets;
    RoutePreview* m_preview = nullptr;
    PreviewScope m_scope;
    int m_step = -1;
    std::size_t m_seen = 0;
    std::size_t m_denied = 0;
    std::optional<Millis> m_soonest;
    bool m_unsettled = false;
};

}  // namespace omni
