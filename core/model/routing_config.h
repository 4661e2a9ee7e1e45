#pragma once

#include "base/clock.h"
#include "base/ids.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace omni {

/// One step of a combo: a model at a provider, on any of its connections or on a pinned one.
struct ComboTarget {
    std::string id;        ///< stable within the combo
    ProviderId provider;
    std::string model;     ///< as the upstream spells it
    std::optional<ConnectionId> connection;
    std::string label;

    bool operator==(const ComboTarget&) const = default;
};

/// The orders of trying that routing knows. Combos with another one are told as unsupported.
inline constexpr std::array<std::string_view, 1> kComboStrategies{"priority"};

/// A named list of targets, asked for by its name in place of a model.
struct Combo {
    ComboId id;
    std::string name;  ///< 1…100 of letters, digits, - _ . (spec 4-surfaces §3.7)
    std::string strategy = "priority";
    std::vector<ComboTarget> targets;
    int sortOrder = 0;
    WallTime createdAt{};
    WallTime updatedAt{};
};

/// `name` in a request is read as `model` ("provider/model", a combo, or a bare name).
struct ModelAlias {
    std::string name;
    std::string model;

    bool operator==(const ModelAlias&) const = default;
};

/// A client's key to this proxy. Only the hash is kept.
struct ApiKey {
    ApiKeyId id;
    std::string name;
    std::string prefix;  ///< first characters, for recognition
    std::string hash;    ///< SHA-256, hex
    std::vector<std::string> allowedModels;         ///< patterns with *; empty = all
    std::vector<ConnectionId> allowedConnections;   ///< empty = all
    std::vector<std::string> scopes;                ///< "manage" gives the management API
    bool active = true;
    bool noLog = false;
    std::optional<WallTime> expiresAt;
    std::optional<WallTime> revokedAt;
    std::optional<WallTime> lastUsedAt;
    WallTime createdAt{};
};

/// A user-defined compatible endpoint (spec 4-surfaces §1.2). Its id begins "openai-compatible-" or "anthropic-compatible-".
struct ProviderNode {
    ProviderId id;
    std::string name;
    std::string prefix;   ///< what clients write before "/"
    std::string baseUrl;
    std::string chatPath;    ///< empty = the dialect's default
    std::string modelsPath;  ///< empty = "/models"
    std::vector<std::pair<std::string, std::string>> headers;
    WallTime createdAt{};
    WallTime updatedAt{};
};

}  // namespace omni
