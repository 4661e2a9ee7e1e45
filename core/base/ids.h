#pragma once

#include <compare>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace omni {

/// An identifier that cannot be mixed up with one of another kind.
template <typename Tag>
class StrongId {
public:
    StrongId() = default;
    explicit StrongId(std::string value) : m_value(std::move(value)) {}

    const std::string& str() const { return m_value; }
    bool empty() const { return m_value.empty(); }
    auto operator<=>(const StrongId&) const = default;

private:
    std::string m_value;
};

using ProviderId = StrongId<struct ProviderTag>;      ///< catalogue id, such as "openai", or a user-defined endpoint's id
using ConnectionId = StrongId<struct ConnectionTag>;  ///< uuid
using ComboId = StrongId<struct ComboTag>;            ///< uuid
using ApiKeyId = StrongId<struct ApiKeyTag>;          ///< uuid
using RequestId = StrongId<struct RequestTag>;        ///< 16 hex digits, unique within one installation

/// A random (version 4) uuid in lower case. Uses the operating system's generator.
std::string newUuid();

}  // namespace omni

template <typename Tag>
struct std::hash<omni::StrongId<Tag>> {
    std::size_t operator()(const omni::StrongId<Tag>& id) const noexcept { return std::hash<std::string>{}(id.str()); }
};
