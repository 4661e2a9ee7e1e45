#pragma once

#include "model/configuration.h"
#include "model/hold.h"
#include "proxy/management_json.h"

namespace omni {

// How state is told by more than one resource. No secret, no raw answer of an upstream beyond the redacted evidence of a hold.

/// {state, failureCount, …, lastClose, evidence} (spec 4-surfaces §3.3).
Json breakerJson(const BreakerStatus& breaker);
/// Why something is held; null for none.
Json evidenceJson(const std::optional<Evidence>& evidence);
/// {model, scope, reason, failureCount, remainingMs, until, expiresAt, lockedAt, evidence}; `until` in epoch milliseconds (spec 4-surfaces
/// §3.4, §3.5). `scope` is the kind of key: "family", "not_found", "exact".
Json lockoutJson(const ModelLockout& lockout);
/// {provider, connectionId, failureCount, remainingMs, until, expiresAt}; without a connection the whole provider is meant.
Json providerCooldownJson(const ProviderCooldownStatus& cooling);
/// Whole milliseconds until the cooldown ends, 0 when there is none.
std::int64_t cooldownRemaining(const ConnectionHealth& health, WallTime now);
/// "unknown", "active", "unavailable", or a terminal state (spec 4-surfaces §1.1).
std::string testStatus(const ConnectionHealth& health, WallTime now);
/// "terminal:banned", "cooling_down", or "active" (spec 4-surfaces §3.5).
std::string holdStatus(const ConnectionHealth& health, WallTime now);
/// As the user set it and as it stands now; the key only as its mask.
Json connectionJson(const Connection& connection, const Configuration& configuration, const ConnectionHealth& health, WallTime now);
/// "oauth", "apikey", "local".
std::string authTypeOf(const Connection& connection, const Configuration& configuration);

/// By id, alias or the prefix of a user-defined endpoint; nullptr when unknown.
const Provider* findProvider(const Configuration& configuration, std::string_view name);

/// What "?provider=" lets through: everything for an empty name, nothing for an unknown one.
class ProviderFilter {
public:
    ProviderFilter(const Configuration& configuration, std::string_view name);
    bool passes(const ProviderId& provider) const { return m_all || provider == m_only; }

private:
    bool m_all;
    ProviderId m_only;
};

}  // namespace omni
