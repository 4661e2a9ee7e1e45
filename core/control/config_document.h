#pragma once

#include "base/result.h"
#include "model/configuration.h"

#include <nlohmann/json.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace omni {

/// A configuration as it is handed from one installation to another: JSON, versioned, without anything that belongs to one machine or
/// one run (references into its secret store, runtime state, logs).
struct ConfigurationDocument {
    std::vector<ProviderNode> nodes;
    std::vector<Connection> connections;  ///< without secret references
    std::vector<Combo> combos;
    std::vector<ModelAlias> aliases;
    std::vector<ApiKey> apiKeys;
    std::vector<ModelPrice> prices;
    std::optional<nlohmann::json> settings;
    std::optional<nlohmann::json> secrets;  ///< an envelope of secret_envelope.h
};

/// The secrets of one connection, in clear.
struct ConnectionSecrets {
    std::string key;
    std::string proxy;
};
using SecretsById = std::map<ConnectionId, ConnectionSecrets>;

std::string writeDocument(const Configuration& configuration, const std::optional<nlohmann::json>& secrets, WallTime at);
/// Checks the form of everything; InvalidArgument names each bad field ("connections[3].provider"). Unknown fields are left aside.
Result<ConfigurationDocument> readDocument(const std::string& text);

std::string writeSecrets(const SecretsById& secrets);
Result<SecretsById> readSecrets(const std::string& text);

}  // namespace omni
