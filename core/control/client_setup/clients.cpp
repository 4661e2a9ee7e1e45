#include "control/client_setup/clients.h"

#include "base/text.h"
#include "control/client_setup/client_formats.h"

#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

#include <algorithm>
#include <unordered_set>

namespace omni::client_setup {

namespace {

/// The address as it is compared: "localhost" is 127.0.0.1, and a slash at the end says nothing.
std::string comparable(std::string url)
{
    while (!url.empty() && url.back() == '/')
        url.pop_back();
    url = toLower(url);
    for (const std::string name : {"//localhost", "//[::1]"}) {
        if (const std::size_t at = url.find(name); at != std::string::npos)
            url.replace(at, name.size(), "//127.0.0.1");
    }
    return url;
}

std::string_view prefixOf(const Provider& provider)
{
    return provider.alias.empty() ? provider.id.str() : provider.alias;
}

}  // namespace

Places Places::ofThisUser()
{
    Places places;
    places.home = QDir::homePath().toStdString();
    const QString config = qEnvironmentVariable("XDG_CONFIG_HOME");
    places.config = config.isEmpty() ? places.home + "/.config" : config.toStdString();
    return places;
}

const std::vector<Client>& clients()
{
    static const std::vector<Client> list = {
        {Tool::ClaudeCode, "claude-code", "Claude Code", Operation::Messages, ModelChoice::Optional, true, "claude", {}},
        {Tool::Codex, "codex", "Codex", Operation::Responses, ModelChoice::Needed, true, "codex", {}},
        {Tool::Cline, "cline", "Cline", Operation::ChatCompletions, ModelChoice::Needed, true, "cline", "saoudrizwan.claude-dev-"},
        {Tool::Continue, "continue", "Continue", Operation::ChatCompletions, ModelChoice::Needed, true, "cn", "continue.continue-"},
        {Tool::Aider, "aider", "aider", Operation::ChatCompletions, ModelChoice::Needed, true, "aider", {}},
        {Tool::OpenCode, "opencode", "opencode", Operation::ChatCompletions, ModelChoice::Needed, true, "opencode", {}},
        {Tool::GeminiCli, "gemini-cli", "Gemini CLI", std::nullopt, ModelChoice::None, true, "gemini", {}},
        {Tool::OpenAiSdk, "openai-sdk", "OpenAI SDK", Operation::ChatCompletions, ModelChoice::None, false, {}, {}},
        {Tool::AnthropicSdk, "anthropic-sdk", "Anthropic SDK", Operation::Messages, ModelChoice::None, false, {}, {}},
    };
    return list;
}

const Client* findClient(const std::string& id)
{
    const auto& list = clients();
    const auto found = std::find_if(list.begin(), list.end(), [&id](const Client& client) { return client.id == id; });
    return found == list.end() ? nullptr : &*found;
}

std::vector<FileEdit> editsFor(const Client& client, const Target& target, const Places& places, const std::string& folder)
{
    return formatOf(client, places, folder).edits(target);
}

Standing standingOf(const Client& client, const Target& target, const Places& places, const std::string& folder)
{
    const Format format = formatOf(client, places, folder);
    if (format.file.empty())
        return {};
    const Result<std::optional<std::string>> content = readClientFile(format.file);
    if (!content)
        return {Standing::Kind::Unreadable, content.error().message};
    if (!content->has_value())
        return {};
    const Result<std::optional<std::string>> url = format.address(**content);
    if (!url)
        return {Standing::Kind::Unreadable, format.file + ": " + url.error().message};
    if (!url->has_value() || (*url)->empty())
        return {};
    const std::string wanted = client.operation == Operation::Messages ? target.root : target.v1();
    if (comparable(**url) == comparable(wanted))
        return {Standing::Kind::Here, **url};
    return {Standing::Kind::Elsewhere, **url};
}

std::string installedAt(const Client& client, const Places& places)
{
    if (!client.executable.empty()) {
        const QString program = QStandardPaths::findExecutable(QString::fromStdString(client.executable));
        if (!program.isEmpty())
            return program.toStdString();
    }
    if (client.extension.empty())
        return {};
    for (const char* editor : {"/.vscode/extensions", "/.vscode-oss/extensions", "/.cursor/extensions", "/.vscode-server/extensions"}) {
        const QDir folder(QString::fromStdString(places.home + editor));
        const QStringList found = folder.entryList({QString::fromStdString(client.extension) + QLatin1Char('*')}, QDir::Dirs);
        if (!found.isEmpty())
            return folder.filePath(found.last()).toStdString();
    }
    return {};
}

std::vector<const Connection*> connectionsFor(const Configuration& configuration, Operation operation)
{
    std::vector<const Connection*> list;
    for (const Connection& connection : configuration.connections) {
        const Provider* provider = configuration.provider(connection.provider);
        if (connection.enabled && provider && provider->offers(operation))
            list.push_back(&connection);
    }
    // The sandbox only answers where nobody else does.
    std::stable_partition(list.begin(), list.end(), [&configuration](const Connection* connection) {
        return configuration.provider(connection->provider)->category != ProviderCategory::Sandbox;
    });
    return list;
}

std::vector<std::string> modelsFor(const Configuration& configuration, Operation operation)
{
    std::vector<std::string> names;
    std::unordered_set<std::string> seen;
    const auto add = [&](std::string name) {
        if (seen.insert(name).second)
            names.push_back(std::move(name));
    };
    for (const Combo& combo : configuration.combos) {
        const bool served = std::any_of(combo.targets.begin(), combo.targets.end(), [&](const ComboTarget& target) {
            const Provider* provider = configuration.provider(target.provider);
            return provider && provider->offers(operation);
        });
        if (served)
            add(combo.name);
    }
    for (const Connection* connection : connectionsFor(configuration, operation)) {
        const Provider& provider = *configuration.provider(connection->provider);
        std::vector<std::string> models = connection->models;
        if (models.empty()) {
            for (const ModelInfo& model : provider.models)
                models.push_back(model.id);
        }
        if (models.empty() && !connection->defaultModel.empty())
            models.push_back(connection->defaultModel);
        for (const std::string& model : models)
            add(std::string(prefixOf(provider)) + "/" + model);
    }
    return names;
}

}  // namespace omni::client_setup
