#include "base/logging.h"
#include "control/control_p.h"
#include "control/port_holder.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace omni {

namespace {

bool bindsElsewhere(const ProxySettings& a, const ProxySettings& b) { return a.port != b.port || a.exposeToNetwork != b.exposeToNetwork; }

}  // namespace

const ListenerState& Control::listenerState() const { return d->listenerState; }

void Control::Private::setListenerState(ListenerState state)
{
    if (state == listenerState)
        return;
    listenerState = std::move(state);
    Q_EMIT q.listenerChanged(listenerState);
}

ProxySettings Control::Private::effectiveProxy(const Settings& settings) const
{
    ProxySettings proxy = settings.proxy;
    if (portOverride)
        proxy.port = *portOverride;
    return proxy;
}

ListenerState Control::Private::failedState(const ProxySettings& proxy, const Error& taken) const
{
    ListenerState state;
    state.phase = ListenerPhase::Failed;
    state.port = proxy.port;
    state.exposed = proxy.exposeToNetwork;
    state.error = taken.message;
    if (taken.kind != ErrorKind::Conflict)
        return state;
    const std::string port = std::to_string(proxy.port);
    const std::optional<PortHolder> holder = findPortHolder(proxy.port);
    state.error = "Port " + port + " is taken";
    state.error += holder ? " by " + holder->name + " (process " + std::to_string(holder->pid) + ")." : " by another program.";
    state.suggestedPort = nextFreePort(proxy.port, proxy.exposeToNetwork);
    if (state.suggestedPort > 0)
        state.error += " Port " + std::to_string(state.suggestedPort) + " is free.";
    return state;
}

void Control::startProxy()
{
    if (!d->listener || d->listenerState.phase == ListenerPhase::Serving)
        return;
    const ProxySettings proxy = d->effectiveProxy(d->current->settings);
    ListenerState state;
    state.phase = ListenerPhase::Starting;
    state.port = proxy.port;
    state.exposed = proxy.exposeToNetwork;
    d->setListenerState(state);
    const Result<int> port = d->listener->listen(proxy);
    if (port) {
        state.phase = ListenerPhase::Serving;
        state.port = *port;
        qCInfo(lcControl, "serving on %s", state.baseUrl().c_str());
    } else {
        state = d->failedState(proxy, port.error());
    }
    d->setListenerState(std::move(state));
}

void Control::stopProxy()
{
    if (!d->listener || d->listenerState.phase == ListenerPhase::Stopped)
        return;
    d->listener->closeListener();
    ListenerState state = d->listenerState;
    state.phase = ListenerPhase::Stopped;
    state.error.clear();
    state.suggestedPort = 0;
    d->setListenerState(std::move(state));
}

Status Control::Private::relisten(const ProxySettings& proxy)
{
    const Result<int> port = listener->listen(proxy);
    if (!port) {
        const ListenerState failed = failedState(proxy, port.error());
        Error error{port.error().kind, failed.error, {{"proxy.port", failed.error}}};
        return error;
    }
    ListenerState state;
    state.phase = ListenerPhase::Serving;
    state.port = *port;
    state.exposed = proxy.exposeToNetwork;
    setListenerState(std::move(state));
    return {};
}

Status Control::Private::prepareListener(const Settings& now, const Settings& next, PlannedChange& plan)
{
    const bool portChosen = next.proxy.port != now.proxy.port;
    const bool wanted = listener && (listenerState.phase == ListenerPhase::Serving || listenerState.phase == ListenerPhase::Failed);
    if (!wanted || !bindsElsewhere(now.proxy, next.proxy)) {
        plan.applied = [this, portChosen, proxy = next.proxy] {
            if (portChosen)
                portOverride.reset();
            if (listener)
                listener->applyLimits(proxy);
        };
        return {};
    }
    const bool wasServing = listenerState.phase == ListenerPhase::Serving;
    ProxySettings before = effectiveProxy(now);
    ProxySettings after = portChosen ? next.proxy : effectiveProxy(next);
    if (wasServing) {
        // Port 0 of the command line stands for the one it got; a change of exposure keeps that.
        before.port = listenerState.port;
        if (!portChosen)
            after.port = listenerState.port;
    }
    const ListenerState stateBefore = listenerState;
    if (const Status status = relisten(after); !status)
        return status;
    plan.applied = [this, portChosen, after] {
        if (portChosen)
            portOverride.reset();
        listener->applyLimits(after);
        qCInfo(lcControl, "serving on %s", listenerState.baseUrl().c_str());
    };
    plan.withdrawn = [this, before, stateBefore, wasServing] {
        if (wasServing) {
            if (const Status status = relisten(before); !status)
                setListenerState(failedState(before, status.error()));
            return;
        }
        listener->closeListener();
        setListenerState(stateBefore);
    };
    return {};
}

void Control::patchSettings(const std::string& patch, Reply<Settings> reply)
{
    const auto build = [this, patch](const Configuration& now, Settings& result) -> Result<PlannedChange> {
        const nlohmann::json document = nlohmann::json::parse(patch, nullptr, false);
        if (document.is_discarded())
            return invalid("Invalid request", {{"body", "Invalid JSON body"}});
        Result<Settings> next = patched(now.settings, document);
        if (!next)
            return next.error();
        result = *std::move(next);
        PlannedChange plan(now);
        plan.next.settings = result;
        plan.rows.emplace_back(PutSettings{result});
        if (const Status status = d->prepareListener(now.settings, result, plan); !status)
            return status.error();
        return plan;
    };
    d->changeFor<Settings>(std::move(reply), build);
}

}  // namespace omni
