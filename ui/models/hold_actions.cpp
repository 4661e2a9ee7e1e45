#include "ui/models/hold_actions.h"

#include "ui/models/standing.h"

#include <set>

namespace omni {

namespace {

std::size_t clearableNow(const Control& control)
{
    const EngineSnapshot snapshot = control.engineSnapshot();
    return listHolds(*control.configuration(), snapshot, snapshot.at, 0).clearable;
}

/// How many holds are gone after `end`. A hold counts as the user sees it: as an entry of the list.
template <typename End>
int countEnded(Control& control, const End& end)
{
    const std::size_t before = clearableNow(control);
    end();
    const std::size_t after = clearableNow(control);
    return before > after ? static_cast<int>(before - after) : 0;
}

}  // namespace

int endHold(Control& control, const HoldItem& hold)
{
    return countEnded(control, [&] {
        if (hold.kind == HoldKind::Model)
            control.clearLockouts(hold.provider, hold.connection, hold.model);
        else if (hold.connection.empty())
            control.resetBreakers(hold.provider);
        else
            control.clearCooldowns({hold.connection});
    });
}

int endAllHolds(Control& control)
{
    return countEnded(control, [&control] {
        control.clearAllLockouts();
        control.clearAllCooldowns();
        control.resetBreakers();
    });
}

EndedHolds endHoldsOf(Control& control, const std::vector<ConnectionId>& ids)
{
    EndedHolds result;
    result.ended = countEnded(control, [&] {
        const EngineSnapshot snapshot = control.engineSnapshot();
        const SnapshotIndex index(snapshot);
        std::set<ProviderId> providers;
        for (const ConnectionId& id : ids) {
            const Connection* connection = control.configuration()->connection(id);
            if (!connection)
                continue;
            const ProviderCooldownStatus* cooling = index.cooling(connection->provider, id);
            const Standing standing = standingOf(*connection, *control.configuration(), index.health(id),
                index.breaker(connection->provider), snapshot.at, cooling);
            const bool wholeProvider = standing.reason == Exclusion::CircuitOpen
                || (standing.reason == Exclusion::ProviderCooldown && cooling && cooling->connection.empty());
            if (wholeProvider)
                providers.insert(connection->provider);
        }
        result.needUser = control.clearCooldowns(ids).skippedTerminal;
        for (const ProviderId& provider : providers)
            control.resetBreakers(provider);
    });
    return result;
}

}  // namespace omni
