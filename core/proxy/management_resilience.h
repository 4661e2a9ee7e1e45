#pragma once

#include "proxy/management_call.h"
#include "proxy/management_views.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace omni {

// What the resources of the resilience engine share.

/// Locked models that one answer tells of one connection at most, and of all of them where there is no other limit: a client that asks for
/// thousands of models there are not leaves as many locks. All are under /api/resilience/model-cooldowns, page by page.
constexpr std::size_t kMostLockoutsOfConnection = 100;
constexpr std::size_t kMostLockouts = 1000;

using LockoutsByConnection = std::unordered_map<ConnectionId, std::vector<ModelLockout>>;
LockoutsByConnection lockoutsByConnection(Engine& engine);
/// Empty for a connection without any.
const std::vector<ModelLockout>& lockoutsOf(const LockoutsByConnection& all, const ConnectionId& connection);

/// A lock among those of other connections: as `lockoutJson`, with its provider and its connection.
Json lockoutWithOwnerJson(const ModelLockout& lockout);
/// The first `kMostLockouts` of them.
Json lockoutRows(const std::vector<ModelLockout>& lockouts);
Json providerCooldownRows(Engine& engine, const ProviderFilter& filter);

/// {cleared, unchanged, skippedTerminal, lockoutsCleared}
Json clearedJson(const Engine::Cleared& cleared);

/// Configured, or known to the engine from before; nullopt for another, which has been answered then (404).
std::optional<ProviderId> providerNamed(const ManagementContext& context, const CallPtr& call, const std::string& name);

}  // namespace omni
