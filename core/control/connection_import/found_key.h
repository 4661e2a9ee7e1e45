#pragma once

#include "base/ids.h"
#include "model/provider.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace omni::connection_import {

/// A provider's key as it lay on this machine. Holds the secret in clear: never to be logged or kept.
struct FoundKey {
    ProviderId provider;
    std::string baseUrl;  ///< empty = the provider's own
    std::string key;
    std::vector<std::string> places;  ///< "OPENAI_API_KEY", "~/.codex/auth.json"; several when it was found more than once
};

/// A file that is there and could not be used.
struct RefusedFile {
    std::string place;
    std::string reason;  ///< a sentence; nothing of the file's content
};

struct Findings {
    std::vector<FoundKey> keys;
    std::vector<RefusedFile> refused;
};

/// Adds what was found elsewhere; a key that is there already gets the further places.
void append(Findings& findings, Findings more);

/// Gathers keys of providers that the catalogue knows. What is no key of the user's is left out without a word: placeholders, references to
/// somewhere else, tokens that another program got by signing in, keys of this proxy's own clients, and whatever is meant for a server on
/// this computer or at an address that cannot be read.
class KeyCollector {
public:
    explicit KeyCollector(const ProviderCatalogue& catalogue) : m_catalogue(catalogue) {}

    /// What is added from now on was found there.
    void at(std::string place) { m_place = std::move(place); }
    /// `provider` as any of the tools spells it ("google", "togetherai"). `baseUrl` is where the key is sent in place of the provider's own
    /// address; that of another provider makes it a key of that one.
    void add(std::string_view provider, std::string_view key, std::string_view baseUrl = {});
    /// Variables as a shell or a .env file sets them; addresses among them belong to the keys.
    void addVariables(const std::vector<std::pair<std::string, std::string>>& variables);
    void refuse(std::string reason);

    Findings take() { return std::move(m_findings); }

private:
    const Provider* providerNamed(std::string_view name) const;

    const ProviderCatalogue& m_catalogue;
    std::string m_place;
    Findings m_findings;
};

/// Names of all variables that hold a key, or an address for one.
std::vector<std::string> knownVariables();
/// Which provider's key the variable holds; empty = none's.
std::string_view providerOfVariable(std::string_view name);

/// Whether the text has the form of a key: no placeholder, no reference to one, no key of this proxy's own clients.
bool isPlausibleKey(std::string_view text);

}  // namespace omni::connection_import
