#pragma once

#include "base/ids.h"
#include "base/result.h"
#include "model/wire.h"

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace omni {

/// Decides the breaker and cooldown profile (spec 1-core §2).
enum class ProviderClass : std::uint8_t { OAuth, ApiKey, Local };
enum class ProviderCategory : std::uint8_t { Hosted, Local, Compatible, Sandbox };
enum class AuthHeader : std::uint8_t { None, Bearer, XApiKey, XGoogApiKey };

std::string_view toString(ProviderClass value);  ///< "oauth", "apikey", "local"
std::optional<ProviderClass> providerClassFromString(std::string_view text);
std::string_view toString(ProviderCategory value);  ///< "hosted", "local", "compatible", "sandbox"
std::optional<ProviderCategory> providerCategoryFromString(std::string_view text);
std::string_view toString(AuthHeader value);  ///< "none", "bearer", "x-api-key", "x-goog-api-key"
std::optional<AuthHeader> authHeaderFromString(std::string_view text);

struct ModelInfo {
    std::string id;    ///< as the upstream spells it
    std::string name;  ///< for people; empty = id
    int contextLength = 0;    ///< tokens, 0 = unknown
    int maxOutputTokens = 0;  ///< tokens, 0 = unknown
};

/// One entry of the catalogue (`resources/providers/*.json`, spec 4-surfaces §8) or a user-defined compatible endpoint.
struct Provider {
    ProviderId id;
    std::string alias;  ///< short prefix that clients may use in "alias/model"
    std::string name;
    std::string website;
    std::string note;
    ProviderCategory category = ProviderCategory::Hosted;
    AuthHeader auth = AuthHeader::Bearer;
    bool keyOptional = false;
    bool passthroughModels = false;  ///< accepts model ids it does not list; quotas are per model
    std::string baseUrl;             ///< without trailing slash; paths below hang on it
    /// Path below baseUrl for each operation offered; one that is absent is not offered.
    std::map<Operation, std::string> paths;
    std::string modelsPath;  ///< path below baseUrl, or an absolute URL; empty = no list
    std::vector<std::pair<std::string, std::string>> headers;  ///< fixed, such as anthropic-version
    std::vector<ModelInfo> models;

    bool offers(Operation operation) const { return paths.contains(operation); }
    /// The dialect of its main operation, for texts such as "speaks Anthropic".
    Dialect dialect() const;
};

/// A file of the catalogue: `{"providers":[{…}]}`. Its name appears in errors.
struct CatalogueDocument {
    std::string name;
    std::string json;
};

/// All built-in providers. Immutable, shared by threads.
class ProviderCatalogue {
public:
    /// Reads the JSON compiled into the program (":/providers"). An entry that breaks the format is an error naming file and field.
    /// The sandbox's address and models are known at run time only; without an address its entry is left out.
    static Result<std::shared_ptr<const ProviderCatalogue>> load(std::string sandboxBaseUrl = {},
                                                                   const std::vector<ModelInfo>& sandboxModels = {});
    static Result<std::shared_ptr<const ProviderCatalogue>> fromJson(const std::vector<std::string>& documents);
    static Result<std::shared_ptr<const ProviderCatalogue>> fromDocuments(const std::vector<CatalogueDocument>& documents);

    const std::vector<Provider>& all() const { return m_providers; }
    /// By id or alias, any case; nullptr when unknown.
    const Provider* find(std::string_view idOrAlias) const;

private:
    static Result<std::shared_ptr<const ProviderCatalogue>> fromProviders(std::vector<Provider> providers);

    std::vector<Provider> m_providers;
    std::map<std::string, std::size_t, std::less<>> m_byName;
};

/// Loopback v4/v6, localhost, *.local, RFC 1918, or a name in `localHostnames` (spec 0-decisions, "Local class").
bool isLocalBaseUrl(std::string_view url, const std::vector<std::string>& localHostnames = {});

/// The comma list in LOCAL_HOSTNAMES, lower case.
std::vector<std::string> localHostnamesFromEnvironment();

}  // namespace omni
