#include "resilience/failure_trial.h"

#include "base/text.h"
#include "resilience/silent_observer.h"

#include <algorithm>
#include <utility>

namespace omni {

FailureTrial tryFailure(const FailureSample& sample, const ResilienceSettings& settings, WallTime now)
{
    SimulatedClock clock(now);
    SimulatedRandom random;
    SilentObserver observer;
    Engine engine(clock, random, observer);
    engine.applySettings(settings);

    Connection connection;
    connection.id = ConnectionId("trial");
    connection.provider = sample.provider;
    const EngineTarget target{sample.provider, sample.providerClass, connection, sample.model, sample.perModelQuota};
    Failure failure;
    failure.status = sample.status;
    failure.headers = &sample.headers;
    failure.body = sample.body;

    FailureTrial trial;
    trial.verdict = engine.recordFailure(target, engine.acquire(target), failure);
    const ConnectionHealth health = engine.health(connection.id);
    if (health.terminal != TerminalState::None)
        trial.holds.push_back({TrialHold::Kind::Terminal, Millis(0), {}, health.terminal});
    for (const ProviderCooldownStatus& held : engine.providerCooldowns()) {
        if (held.connection.empty())
            trial.holds.push_back({TrialHold::Kind::Provider, held.remaining, {}, TerminalState::None});
    }
    if (health.coolingUntil)
        trial.holds.push_back({TrialHold::Kind::Connection, *health.coolingUntil - now, {}, TerminalState::None});
    for (const ModelLockout& lockout : engine.lockouts())
        trial.holds.push_back({TrialHold::Kind::Model, lockout.remaining, lockout.model, TerminalState::None});
    return trial;
}

HeaderFields headerFieldsFromText(std::string_view text)
{
    HeaderFields fields;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        if (!line.empty() && line.back() == '\r')
            line.remove_suffix(1);
        text.remove_prefix(std::min(end + 1, text.size()));
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos || trimmed(line.substr(0, colon)).empty())
            continue;
        fields.emplace_back(toLower(trimmed(line.substr(0, colon))), std::string(trimmed(line.substr(colon + 1))));
    }
    return fields;
}

}  // namespace omni
