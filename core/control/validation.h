#pragma once

#include "base/result.h"
#include "model/configuration.h"

#include <vector>

namespace omni {

/// Pure checks, the same for the editor that checks while typing and for Control: any thread, no I/O. Empty = fine.
/// Fields are named as in the JSON API: "name", "provider", "priority", "baseUrl", "proxyUrl", "maxConcurrent", "apiKey".
std::vector<FieldError> validateConnection(const Connection& connection, bool hasSecret, const Configuration& configuration);
/// The fields that several connections can be given at once.
std::vector<FieldError> validateSharedFields(const Connection& connection);
std::vector<FieldError> validateCombo(const Combo& combo, const Configuration& configuration);
std::vector<FieldError> validateAlias(const ModelAlias& alias, const Configuration& configuration);
std::vector<FieldError> validateNode(const ProviderNode& node, const Configuration& configuration);
/// "input", "output" and "cached" are US dollars for a million tokens.
std::vector<FieldError> validatePrice(const ModelPrice& price);
std::vector<FieldError> validateApiKey(const ApiKey& key, const Configuration& configuration);

}  // namespace omni
