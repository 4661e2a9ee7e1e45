#include "model/provider.h"

#include "base/text.h"
#include "model/url.h"

#include <QDir>
#include <QFile>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <initializer_list>
#include <set>

/// Resources of a static library come in only when asked for, and only from outside a namespace.
static void initModelResources()
{
    Q_INIT_RESOURCE(model);
}

namespace omni {

namespace {

using Json = nlohmann::json;

/// Reads the entries of one file and notes every fault with file and field, so that one look mends all of them.
class EntryReader {
public:
    EntryReader(std::string_view file, std::vector<FieldError>& errors) : m_file(file), m_errors(errors) {}

    void readDocument(const std::string& text, std::vector<Provider>& providers)
    {
        const Json document = Json::parse(text, nullptr, false);
        if (document.is_discarded() || !document.is_object()) {
            fail("", "is no JSON object");
            return;
        }
        refuseUnknown(document, "", {"providers"});
        const auto list = document.find("providers");
        if (list == document.end() || !list->is_array()) {
            fail("providers", "must be a list");
            return;
        }
        for (std::size_t i = 0; i < list->size(); ++i)
            readProvider((*list)[i], "providers[" + std::to_string(i) + "]", providers);
    }

private:
    void fail(const std::string& field, std::string message)
    {
        m_errors.push_back({std::string(m_file) + (field.empty() ? "" : ": ") + field, std::move(message)});
    }

    void refuseUnknown(const Json& object, const std::string& at, std::initializer_list<std::string_view> known)
    {
        for (const auto& [key, value] : object.items()) {
            if (std::find(known.begin(), known.end(), key) == known.end())
                fail(at.empty() ? key : at + "." + key, "is not a field of the catalogue");
        }
    }

    std::string text(const Json& object, const std::string& at, const char* key, bool required)
    {
        const auto found = object.find(key);
        if (found == object.end()) {
            if (required)
                fail(at + "." + key, "is missing");
            return {};
        }
        if (!found->is_string()) {
            fail(at + "." + key, "must be a text");
            return {};
        }
        std::string value = found->get<std::string>();
        if (required && value.empty())
            fail(at + "." + key, "must not be empty");
        return value;
    }

    bool flag(const Json& object, const std::string& at, const char* key)
    {
        const auto found = object.find(key);
        if (found == object.end())
            return false;
        if (!found->is_boolean()) {
            fail(at + "." + key, "must be true or false");
            return false;
        }
        return found->get<bool>();
    }

    int count(const Json& object, const std::string& at, const char* key)
    {
        const auto found = object.find(key);
        if (found == object.end())
            return 0;
        if (!found->is_number_unsigned() || found->get<std::uint64_t>() > 1'000'000'000) {
            fail(at + "." + key, "must be a whole number from 0 to 1000000000");
            return 0;
        }
        return found->get<int>();
    }

    template <typename Enum>
    Enum choice(const Json& object, const std::string& at, const char* key, std::optional<Enum> (*parse)(std::string_view), Enum fallback)
    {
        const std::string name = text(object, at, key, true);
        const std::optional<Enum> value = parse(name);
        if (!value && !name.empty())
            fail(at + "." + key, "\"" + name + "\" is none of its values");
        return value.value_or(fallback);
    }

    void checkName(const std::string& value, const std::string& field)
    {
        const bool plain = std::all_of(value.begin(), value.end(),
                                       [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
        if (!plain)
            fail(field, "may hold small letters, digits and \"-\" only");
    }

    void readProvider(const Json& entry, std::string at, std::vector<Provider>& providers)
    {
        if (!entry.is_object()) {
            fail(at, "must be an object");
            return;
        }
        Provider provider;
        provider.id = ProviderId(text(entry, at, "id", true));
        if (!provider.id.empty())
            at += "(" + provider.id.str() + ")";
        refuseUnknown(entry, at,
                      {"id", "alias", "name", "website", "note", "category", "auth", "keyOptional", "passthroughModels", "baseUrl", "paths",
                       "modelsPath", "headers", "models"});
        checkName(provider.id.str(), at + ".id");
        provider.alias = text(entry, at, "alias", false);
        checkName(provider.alias, at + ".alias");
        provider.name = text(entry, at, "name", true);
        provider.website = text(entry, at, "website", false);
        provider.note = text(entry, at, "note", false);
        provider.category = choice(entry, at, "category", &providerCategoryFromString, ProviderCategory::Hosted);
        provider.auth = choice(entry, at, "auth", &authHeaderFromString, AuthHeader::Bearer);
        provider.keyOptional = flag(entry, at, "keyOptional");
        provider.passthroughModels = flag(entry, at, "passthroughModels");
        readBaseUrl(entry, at, provider);
        readPaths(entry, at, provider);
        readHeaders(entry, at, provider);
        readModels(entry, at, provider);
        providers.push_back(std::move(provider));
    }

    void readBaseUrl(const Json& entry, const std::string& at, Provider& provider)
    {
        const bool sandbox = provider.category == ProviderCategory::Sandbox;
        provider.baseUrl = text(entry, at, "baseUrl", !sandbox);
        if (provider.baseUrl.empty())
            return;
        const std::string field = at + ".baseUrl";
        if (sandbox) {
            fail(field, "is known at run time only");
            return;
        }
        const Result<Url> url = parseUrl(provider.baseUrl);
        if (!url)
            fail(field, url.error().message);
        else if (url->scheme != "https" && (url->scheme != "http" || provider.category == ProviderCategory::Hosted))
            fail(field, "must begin with https:// (http:// for a local one)");
        else if (!url->userInfo.empty() || url->query || url->fragment)
            fail(field, "must hold host and path only");
        else if (provider.baseUrl.back() == '/')
            fail(field, "must not end in \"/\"");
    }

    void checkPath(const std::string& path, const std::string& field)
    {
        if (path.size() < 2 || path.front() != '/' || path.back() == '/' || path.find_first_of(" ?#") != std::string::npos)
            fail(field, "must be a path below baseUrl, such as \"/chat/completions\"");
    }

    void readPaths(const Json& entry, const std::string& at, Provider& provider)
    {
        const auto paths = entry.find("paths");
        if (paths == entry.end() || !paths->is_object() || paths->empty()) {
            fail(at + ".paths", "must name at least one operation");
            return;
        }
        for (const auto& [key, value] : paths->items()) {
            const std::string field = at + ".paths." + key;
            const std::optional<Operation> operation = operationFromString(key);
            if (!operation) {
                fail(field, "is not an operation");
            } else if (!value.is_string()) {
                fail(field, "must be a text");
            } else {
                checkPath(value.get<std::string>(), field);
                provider.paths[*operation] = value.get<std::string>();
            }
        }
        provider.modelsPath = text(entry, at, "modelsPath", false);
        if (provider.modelsPath.find("://") != std::string::npos) {
            if (const Result<Url> url = parseUrl(provider.modelsPath); !url)
                fail(at + ".modelsPath", url.error().message);
        } else if (!provider.modelsPath.empty()) {
            checkPath(provider.modelsPath, at + ".modelsPath");
        }
    }

    void readHeaders(const Json& entry, const std::string& at, Provider& provider)
    {
        const auto headers = entry.find("headers");
        if (headers == entry.end())
            return;
        if (!headers->is_object()) {
            fail(at + ".headers", "must be an object");
            return;
        }
        for (const auto& [key, value] : headers->items()) {
            checkName(key, at + ".headers." + key);
            if (value.is_string())
                provider.headers.emplace_back(key, value.get<std::string>());
            else
                fail(at + ".headers." + key, "must be a text");
        }
    }

    void readModels(const Json& entry, const std::string& at, Provider& provider)
    {
        const auto models = entry.find("models");
        if (models == entry.end())
            return;
        if (!models->is_array()) {
            fail(at + ".models", "must be a list");
            return;
        }
        std::set<std::string> seen;
        for (std::size_t i = 0; i < models->size(); ++i) {
            const Json& model = (*models)[i];
            const std::string field = at + ".models[" + std::to_string(i) + "]";
            if (!model.is_object()) {
                fail(field, "must be an object");
                continue;
            }
            refuseUnknown(model, field, {"id", "name", "contextLength", "maxOutputTokens"});
            ModelInfo info;
            info.id = text(model, field, "id", true);
            info.name = text(model, field, "name", false);
            info.contextLength = count(model, field, "contextLength");
            info.maxOutputTokens = count(model, field, "maxOutputTokens");
            if (!seen.insert(info.id).second)
                fail(field + ".id", "\"" + info.id + "\" is listed twice");
            provider.models.push_back(std::move(info));
        }
    }

    std::string_view m_file;
    std::vector<FieldError>& m_errors;
};

Result<std::vector<Provider>> readDocuments(const std::vector<CatalogueDocument>& documents)
{
    std::vector<Provider> providers;
    std::vector<FieldError> errors;
    for (const CatalogueDocument& document : documents)
        EntryReader(document.name, errors).readDocument(document.json, providers);
    if (!errors.empty())
        return Error{ErrorKind::InvalidArgument, "The provider catalogue breaks its format", std::move(errors)};
    return providers;
}

}  // namespace

Result<std::shared_ptr<const ProviderCatalogue>> ProviderCatalogue::load(std::string sandboxBaseUrl,
                                                                                const std::vector<ModelInfo>& sandboxModels)
{
    initModelResources();
    const QDir folder(QStringLiteral(":/providers"));
    std::vector<CatalogueDocument> documents;
    const QStringList names = folder.entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Name);
    for (const QString& name : names) {
        QFile file(folder.filePath(name));
        if (!file.open(QIODevice::ReadOnly))
            return Error{ErrorKind::Internal, "The provider catalogue " + name.toStdString() + " cannot be read"};
        documents.push_back({name.toStdString(), file.readAll().toStdString()});
    }
    if (documents.empty())
        return Error{ErrorKind::Internal, "The provider catalogue is missing from the program"};
    Result<std::vector<Provider>> providers = readDocuments(documents);
    if (!providers)
        return providers.error();
    std::erase_if(*providers, [&](const Provider& provider) {
        return provider.category == ProviderCategory::Sandbox && sandboxBaseUrl.empty();
    });
    while (!sandboxBaseUrl.empty() && sandboxBaseUrl.back() == '/')
        sandboxBaseUrl.pop_back();
    for (Provider& provider : *providers) {
        if (provider.category != ProviderCategory::Sandbox)
            continue;
        provider.baseUrl = sandboxBaseUrl;
        provider.models = sandboxModels;
    }
    return fromProviders(std::move(*providers));
}

Result<std::shared_ptr<const ProviderCatalogue>> ProviderCatalogue::fromJson(const std::vector<std::string>& documents)
{
    std::vector<CatalogueDocument> named;
    named.reserve(documents.size());
    for (const std::string& document : documents)
        named.push_back({"document " + std::to_string(named.size() + 1), document});
    return fromDocuments(named);
}

Result<std::shared_ptr<const ProviderCatalogue>> ProviderCatalogue::fromDocuments(const std::vector<CatalogueDocument>& documents)
{
    Result<std::vector<Provider>> providers = readDocuments(documents);
    if (!providers)
        return providers.error();
    return fromProviders(std::move(*providers));
}

Result<std::shared_ptr<const ProviderCatalogue>> ProviderCatalogue::fromProviders(std::vector<Provider> providers)
{
    auto catalogue = std::make_shared<ProviderCatalogue>();
    std::vector<FieldError> errors;
    for (std::size_t i = 0; i < providers.size(); ++i) {
        const Provider& provider = providers[i];
        if (!catalogue->m_byName.emplace(provider.id.str(), i).second)
            errors.push_back({provider.id.str() + ".id", "is the id or alias of another provider"});
        if (!provider.alias.empty() && !catalogue->m_byName.emplace(provider.alias, i).second)
            errors.push_back({provider.id.str() + ".alias", "\"" + provider.alias + "\" is the id or alias of another provider"});
    }
    if (!errors.empty())
        return Error{ErrorKind::InvalidArgument, "The provider catalogue holds a name twice", std::move(errors)};
    catalogue->m_providers = std::move(providers);
    return std::shared_ptr<const ProviderCatalogue>(std::move(catalogue));
}

const Provider* ProviderCatalogue::find(std::string_view idOrAlias) const
{
    auto found = m_byName.find(idOrAlias);
    if (found == m_byName.end()) {
        const bool hasCapital = std::any_of(idOrAlias.begin(), idOrAlias.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
        if (hasCapital)
            found = m_byName.find(toLower(idOrAlias));
    }
    return found == m_byName.end() ? nullptr : &m_providers[found->second];
}

}  // namespace omni
