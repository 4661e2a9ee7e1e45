#pragma once

#include "base/clock.h"
#include "base/ids.h"
#include "model/provider.h"

#include <optional>
#include <string>
#include <vector>

namespace omni {

/// One credential (account, key or local server) of a provider: what the user configured. Never holds the secret itself.
struct Connection {
    ConnectionId id;
    ProviderId provider;
    std::string name;
    int priority = 1;  ///< lower first within its provider; 1…1,000,000
    bool enabled = true;
    std::string secretRef;  ///< key into the SecretStore; empty = no key
    std::string keyHint;    ///< masked key for display, "sk-…9f2c"
    std::string baseUrl;    ///< overrides the provider's; empty = the provider's
    std::string proxyUrl;   ///< http://, https:// or socks5h://; empty = direct
    std::string proxySecretRef;  ///< "user:password" for the proxy, in the SecretStore
    std::string defaultModel;
    std::vector<std::string> models;  ///< as last told by the upstream; empty = the catalogue's
    bool disableCooling = false;
    std::optional<bool> passthroughModels;  ///< overrides the provider's
    std::optional<int> maxConcurrent;
    bool http2 = false;
    std::string group;
    WallTime createdAt{};
    WallTime updatedAt{};
};

/// Why a connection stays out of routing until someone acts. Never overwritten by anything transient.
enum class TerminalState : std::uint8_t { None, Banned, Expired, CreditsExhausted };
std::string_view toString(TerminalState state);  ///< "", "banned", "expired", "credits_exhausted"
TerminalState terminalStateFromString(std::string_view text);  ///< None for anything else

}  // namespace omni
