#include "routing/plan_builder.h"

#include <algorithm>

namespace omni {

namespace {

constexpr std::size_t kMostExcluded = 64;  // spec 3-routing §10.5

bool speaks(const Provider& provider, Dialect dialect)
{
    return std::any_of(provider.paths.begin(), provider.paths.end(),
                       [dialect](const auto& path) { return dialectOf(path.first) == dialect; });
}

bool isTimed(Exclusion reason)
{
    return reason == Exclusion::CircuitOpen || reason == Exclusion::ConnectionCooldown || reason == Exclusion::ProviderCooldown ||
           reason == Exclusion::ModelLockout;
}

}  // namespace

PlanBuilder::PlanBuilder(Plan& plan, const PlanRequest& request, Engine& engine, RoutingTable& table)
    : m_plan(plan), m_request(request), m_engine(engine), m_table(table), m_policy(request.apiKey),
      m_roundRobin(plan.configuration->settings.routing.roundRobin),
      // Some may be held by the time it is their turn; beyond twice the limit no attempt would ever come.
      m_mostTargets(2 * static_cast<std::size_t>(std::clamp(plan.configuration->settings.routing.maxAttempts, 1, 64)))
{
}

void PlanBuilder::noteIn(RoutePreview& preview, PreviewScope scope)
{
    m_preview = &preview;
    m_scope = scope;
    preview.maxAttempts = m_plan.configuration->settings.routing.maxAttempts;
}

void PlanBuilder::follow(std::string_view name)
{
    if (m_preview)
        m_preview->names.emplace_back(name);
}

void PlanBuilder::note(const ProviderId& provider, const ConnectionId& connection, std::string_view connectionName, std::string_view model,
                       Exclusion reason, Millis remaining)
{
    if (m_preview)
        m_preview->considered.push_back({m_step, provider, connection, std::string(connectionName), std::string(model), reason, remaining});
}

bool PlanBuilder::planned(const Candidate& candidate, std::string_view model) const
{
    return std::any_of(m_plan.targets.begin(), m_plan.targets.end(),
                       [&](const Target& target) { return target.connection == candidate.connection && target.model == model; });
}

void PlanBuilder::addAll(const CandidateList& list, std::string_view model, bool offeredOnly)
{
    const CandidateList* modelRoute = m_table.model(model);
    const Provider* provider = nullptr;
    bool modelAllowed = true;
    const auto visit = [&](const Candidate& candidate) {
        if (offeredOnly && !RoutingTable::offers(candidate, modelRoute))
            return false;
        if (candidate.provider != provider) {
            provider = candidate.provider;
            modelAllowed = m_allowAll || m_policy.allowsModel(*provider, model);
        }
        return consider(candidate, model, modelRoute, modelAllowed);
    };
    for (std::size_t begin = 0; begin < list.size() && !full();) {
        if (!m_roundRobin) {
            visit(*list[begin++]);
            continue;
        }
        const std::size_t end = RoutingTable::groupEnd(list, begin);
        const std::size_t start = m_table.resume(list, begin, end);
        bool first = true;
        for (std::size_t i = 0; i < end - begin && !full(); ++i) {
            const Candidate& candidate = *list[begin + (start - begin + i) % (end - begin)];
            if (visit(candidate) && first) {
                if (!m_preview)
                    m_table.used(candidate);
                first = false;
            }
        }
        begin = end;
    }
}

void PlanBuilder::addOne(const Candidate& candidate, std::string_view model)
{
    consider(candidate, model, m_table.model(model), m_allowAll || m_policy.allowsModel(*candidate.provider, model));
}

bool PlanBuilder::consider(const Candidate& candidate, std::string_view model, const CandidateList* modelRoute, bool modelAllowed)
{
    const Connection& connection = *candidate.connection;
    const Provider& provider = *candidate.provider;
    const auto leaveOut = [&](Exclusion reason, Millis remaining = Millis(0)) {
        exclude(provider.id, connection.id, connection.name, model, reason, remaining);
        return false;
    };
    ++m_seen;
    if (!modelAllowed || !m_policy.allowsConnection(connection.id)) {
        ++m_denied;
        return leaveOut(Exclusion::NotAllowed);
    }
    if (!connection.enabled)
        return leaveOut(Exclusion::Disabled);
    if (!RoutingTable::offers(candidate, modelRoute))
        return leaveOut(Exclusion::ModelNotOffered);
    if (!provider.offers(m_request.operation))
        return leaveOut(speaks(provider, dialectOf(m_request.operation)) ? Exclusion::ModelNotOffered : Exclusion::DialectMismatch);
    if (candidate.secretMissing)
        return leaveOut(Exclusion::SecretMissing);
    const bool ofCombo = !m_plan.combo.empty();
    const Eligibility eligibility =
        m_engine.eligible({provider.id, candidate.providerClass, connection, model, candidate.perModelQuota, ofCombo});
    if (!eligibility) {
        m_unsettled = m_unsettled || (isTimed(eligibility.reason) && eligibility.remaining <= Millis(0));
        return leaveOut(eligibility.reason, eligibility.remaining);
    }
    if (ofCombo && planned(candidate, model)) {
        note(provider.id, connection.id, connection.name, model, Exclusion::AlreadyTried);
        return false;
    }
    note(provider.id, connection.id, connection.name, model, Exclusion::None);
    m_plan.targets.push_back({&connection, &provider, candidate.providerClass, std::string(model), candidate.perModelQuota, ofCombo});
    return true;
}

void PlanBuilder::exclude(const ProviderId& provider, const ConnectionId& connection, std::string_view connectionName,
                          std::string_view model, Exclusion reason, Millis remaining)
{
    if (m_preview) {
        note(provider, connection, connectionName, model, reason, remaining);
        return;
    }
    const bool sooner = remaining > Millis(0) && (!m_soonest || remaining < *m_soonest);
    if (sooner)
        m_soonest = remaining;
    auto place = m_plan.excluded.end();
    if (m_plan.excluded.size() >= kMostExcluded) {
        // The one that comes back soonest must be told, since the client's Retry-After is made of it.
        if (!sooner)
            return;
        place = std::prev(m_plan.excluded.end());
    } else {
        place = m_plan.excluded.insert(place, ExcludedTarget());
    }
    *place = {provider, connection, std::string(connectionName), std::string(model), reason, remaining.count()};
}

}  // namespace omni
