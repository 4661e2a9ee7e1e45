#include "ui/cooldowns/clear_holds.h"

#include "ui/models/display_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <set>

namespace omni {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(omni::ClearHolds)
};

template <typename T>
void addOnce(std::vector<T>& list, const T& item)
{
    if (std::find(list.begin(), list.end(), item) == list.end())
        list.push_back(item);
}

std::set<ProviderId> heldProviders(const EngineSnapshot& snapshot)
{
    std::set<ProviderId> held;
    for (const BreakerStatus& breaker : snapshot.breakers) {
        if (breaker.state == BreakerState::Open)
            held.insert(breaker.provider);
    }
    for (const ProviderCooldownStatus& cooling : snapshot.providerCooldowns) {
        if (cooling.connection.empty())
            held.insert(cooling.provider);
    }
    return held;
}

}  // namespace

void HeldSelection::add(const HeldRow& row)
{
    switch (row.kind) {
    case HeldRow::Kind::Provider: addOnce(providers, row.provider); break;
    case HeldRow::Kind::Connection: addOnce(connections, row.connection); break;
    case HeldRow::Kind::Model: locks.push_back({row.provider, row.connection, row.model}); break;
    }
}

Engine::Cleared clearHeld(Control& control, HeldSelection selection)
{
    const std::set<ProviderId> held = heldProviders(control.engineSnapshot());
    Engine::Cleared result = control.clearCooldowns(selection.connections);
    const std::set<ConnectionId> whole(selection.connections.begin(), selection.connections.end());
    std::set<std::string> done;
    for (const HeldSelection::Lock& lock : selection.locks) {
        // Scopes of one model end together.
        if (whole.contains(lock.connection) || !done.insert(lock.connection.str() + '\n' + lock.model).second)
            continue;
        const int ended = control.clearLockouts(lock.provider, lock.connection, lock.model);
        result.lockoutsCleared += ended;
        result.unchanged += ended == 0 ? 1 : 0;
    }
    for (const ProviderId& provider : selection.providers) {
        control.resetBreakers(provider);
        ++(held.contains(provider) ? result.cleared : result.unchanged);
    }
    return result;
}

Engine::Cleared clearAllHeld(Control& control, const ProviderId& onlyProvider)
{
    const EngineSnapshot snapshot = control.engineSnapshot();
    HeldSelection all;
    for (const HeldGroup& group : gatherHeld(*control.configuration(), snapshot, snapshot.at)) {
        if (onlyProvider.empty() || group.head.provider == onlyProvider)
            all.add(group.head);
    }
    return clearHeld(control, std::move(all));
}

QString clearedText(const Engine::Cleared& cleared)
{
    return Words::tr("Cleared: %1 · unchanged: %2 · skipped, terminal: %3 · model lockouts cleared: %4")
        .arg(numberText(cleared.cleared), numberText(cleared.unchanged), numberText(cleared.skippedTerminal),
             numberText(cleared.lockoutsCleared));
}

}  // namespace omni
