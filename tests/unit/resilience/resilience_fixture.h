#pragma once

#include "resilience/engine.h"

#include <QByteArray>
#include <QString>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace omni {

/// Keeps everything an engine tells.
class RecordingObserver final : public EngineObserver {
public:
    void breakerChanged(const BreakerStatus& breaker) override { breakers.push_back(breaker); }
    void breakerRemoved(const ProviderId& provider) override { removed.push_back(provider); }
    void connectionChanged(const ConnectionHealth& health) override { healths.push_back(health); }
    void lockoutChanged(const ModelLockout& lockout) override { lockouts.push_back(lockout); }
    void providerCooldownsChanged() override { ++providerCooldownChanges; }
    void disableWanted(const ConnectionId& id) override { disabled.push_back(id); }
    std::size_t calls() const { return breakers.size() + removed.size() + healths.size() + lockouts.size() + disabled.size(); }
    void clear()
    {
        breakers.clear();
        removed.clear();
        healths.clear();
        lockouts.clear();
        disabled.clear();
        providerCooldownChanges = 0;
    }

    std::vector<BreakerStatus> breakers;
    std::vector<ProviderId> removed;
    std::vector<ConnectionHealth> healths;
    std::vector<ModelLockout> lockouts;
    std::vector<ConnectionId> disabled;
    int providerCooldownChanges = 0;
};

/// An engine under simulated time with one connection "c1" of provider "openai" at hand.
struct EngineBench {
    EngineBench() : engine(clock, random, observer)
    {
        connection.id = ConnectionId("c1");
        connection.provider = provider;
    }

    EngineTarget target() const { return {provider, providerClass, connection, model, perModelQuota}; }
    EngineTarget targetOf(const Connection& other) const { return {provider, providerClass, other, model, perModelQuota}; }
    void advance(Millis by) { clock.advance(by); }

    Failure failure(int status, std::string_view text = {})
    {
        Failure made;
        made.status = status;
        made.headers = &headers;
        made.body = text;
        made.request = RequestId("00112233445566aa");
        return made;
    }
    Failure transport(TransportFailure kind, bool afterCommit = false)
    {
        Failure made = failure(0);
        made.transport = kind;
        made.afterCommit = afterCommit;
        return made;
    }
    /// Acquires, fails, and answers with the verdict.
    Verdict fail(int status, std::string_view text = {}) { return fail(failure(status, text)); }
    Verdict fail(const Failure& made)
    {
        const Permit permit = engine.acquire(target());
        return engine.recordFailure(target(), permit, made);
    }
    ConnectionHealth health() { return engine.health(connection.id); }
    BreakerStatus breaker() { return engine.breaker(provider); }

    SimulatedClock clock;
    SimulatedRandom random{7};
    RecordingObserver observer;
    Engine engine;
    ProviderId provider{"openai"};
    ProviderClass providerClass = ProviderClass::ApiKey;
    Connection connection;
    std::string model = "gpt-4o";
    bool perModelQuota = false;
    std::vector<std::pair<std::string, std::string>> headers;
};

/// JSON written with single quotes: moc stumbles over raw strings.
inline std::string json(std::string_view quoted)
{
    std::string text(quoted);
    std::replace(text.begin(), text.end(), '\'', '"');
    return text;
}

/// For comparisons that tell both sides when they fail.
inline QByteArray text(std::string_view value)
{
    return QByteArray(value.data(), static_cast<qsizetype>(value.size()));
}
/// The name of an enumeration's value.
template <typename Enum>
QByteArray named(Enum value)
{
    return text(toString(value));
}

}  // namespace omni
