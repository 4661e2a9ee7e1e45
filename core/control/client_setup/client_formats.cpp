#include "control/client_setup/client_formats.h"

#include "control/client_setup/dotenv_edit.h"
#include "control/client_setup/json_edit.h"
#include "control/client_setup/toml_edit.h"
#include "control/client_setup/yaml_edit.h"

#include <QFileInfo>

namespace omni::client_setup {

namespace {

using Editor = std::function<Result<std::string>(std::string_view)>;

/// How this proxy is called in files where providers have names.
constexpr const char* kId = "omniroute";
constexpr const char* kName = "OmniRoute";

Editor jsonEditor(std::vector<JsonSetting> settings)
{
    return [settings = std::move(settings)](std::string_view text) { return withJsonSettings(text, settings); };
}

/// Claude Code asks for /v1/messages below the root. It has three sizes of models; one choice stands for all.
Format claudeCode(const Places& places)
{
    Format format;
    format.file = places.home + "/.claude/settings.json";
    format.address = [](std::string_view text) { return jsonText(text, {"env", "ANTHROPIC_BASE_URL"}); };
    format.edits = [file = format.file](const Target& target) {
        std::vector<JsonSetting> settings = {{{"env", "ANTHROPIC_BASE_URL"}, target.root}, {{"env", "ANTHROPIC_AUTH_TOKEN"}, target.key}};
        if (!target.model.empty()) {
            for (const char* size : {"OPUS", "SONNET", "HAIKU"})
                settings.push_back({{"env", std::string("ANTHROPIC_DEFAULT_") + size + "_MODEL"}, target.model});
        }
        return std::vector<FileEdit>{{file, jsonEditor(std::move(settings))}};
    };
    return format;
}

Format codex(const Places& places)
{
    Format format;
    format.file = places.home + "/.codex/config.toml";
    format.address = [](std::string_view text) -> Result<std::optional<std::string>> {
        const Result<std::optional<std::string>> provider = tomlText(text, {}, "model_provider");
        if (!provider || !provider->has_value())
            return provider;
        return tomlText(text, {"model_providers", **provider}, "base_url");
    };
    format.edits = [file = format.file](const Target& target) {
        const std::vector<std::string> table = {"model_providers", kId};
        std::vector<TomlSetting> settings = {{{}, "model_provider", tomlString(kId)}};
        if (!target.model.empty())
            settings.push_back({{}, "model", tomlString(target.model)});
        settings.push_back({table, "name", tomlString(kName)});
        settings.push_back({table, "base_url", tomlString(target.v1())});
        settings.push_back({table, "wire_api", tomlString("responses")});
        // A variable that is not set would keep Codex from starting, so the key goes along as a header.
        settings.push_back({table, "env_key", std::nullopt});
        settings.push_back(
            {table, "http_headers", target.keyNeeded ? std::optional("{ \"x-api-key\" = " + tomlString(target.key) + " }") : std::nullopt});
        return std::vector<FileEdit>{
            {file, [settings = std::move(settings)](std::string_view text) { return withTomlSettings(text, settings); }}};
    };
    return format;
}

/// Cline keeps settings and keys apart, and a provider and model for each of its two modes.
Format cline(const Places& places)
{
    Format format;
    const std::string folder = places.home + "/.cline/data";
    format.file = folder + "/globalState.json";
    format.address = [](std::string_view text) -> Result<std::optional<std::string>> {
        const Result<std::optional<std::string>> provider = jsonText(text, {"actModeApiProvider"});
        if (!provider)
            return provider;
        if (*provider != std::optional<std::string>("openai"))
            return std::optional<std::string>();
        return jsonText(text, {"openAiBaseUrl"});
    };
    format.edits = [folder, file = format.file](const Target& target) {
        std::vector<JsonSetting> settings = {
            {{"planModeApiProvider"}, "openai"}, {{"actModeApiProvider"}, "openai"}, {{"openAiBaseUrl"}, target.v1()}};
        if (!target.model.empty()) {
            settings.push_back({{"planModeOpenAiModelId"}, target.model});
            settings.push_back({{"actModeOpenAiModelId"}, target.model});
        }
        return std::vector<FileEdit>{{file, jsonEditor(std::move(settings))},
                                     {folder + "/secrets.json", jsonEditor({{{"openAiApiKey"}, target.key}})}};
    };
    return format;
}

Format continueDev(const Places& places)
{
    Format format;
    format.file = places.home + "/.continue/config.yaml";
    const std::pair<std::string, std::string> own = {"name", kName};
    format.address = [own](std::string_view text) { return yamlItemScalar(text, "models", own, "apiBase"); };
    format.edits = [file = format.file, own](const Target& target) {
        const YamlPairs item = {own, {"provider", "openai"}, {"model", target.model}, {"apiBase", target.v1()}, {"apiKey", target.key}};
        const Editor edit = [item](std::string_view text) -> Result<std::string> {
            std::string whole(text);
            // Continue wants these three in every file.
            for (const auto& [key, value] : YamlPairs{{"name", "Local config"}, {"version", "1.0.0"}, {"schema", "v1"}}) {
                const Result<std::optional<std::string>> present = yamlScalar(whole, key);
                if (!present)
                    return present.error();
                if (present->has_value())
                    continue;
                Result<std::string> added = withYamlScalars(whole, {{key, value}});
                if (!added)
                    return added.error();
                whole = *std::move(added);
            }
            return withYamlItem(whole, "models", item);
        };
        return std::vector<FileEdit>{{file, edit}};
    };
    return format;
}

Format aider(const Places& places)
{
    Format format;
    format.file = places.home + "/.aider.conf.yml";
    format.address = [](std::string_view text) { return yamlScalar(text, "openai-api-base"); };
    format.edits = [file = format.file](const Target& target) {
        YamlPairs pairs = {{"openai-api-base", target.v1()}, {"openai-api-key", target.key}};
        if (!target.model.empty())
            pairs.emplace_back("model", "openai/" + target.model);
        return std::vector<FileEdit>{{file, [pairs = std::move(pairs)](std::string_view text) { return withYamlScalars(text, pairs); }}};
    };
    return format;
}

Format openCode(const Places& places)
{
    Format format;
    const std::string base = places.config + "/opencode/opencode.json";
    format.file = QFileInfo::exists(QString::fromStdString(base + "c")) ? base + "c" : base;
    format.address = [](std::string_view text) { return jsonText(text, {"provider", kId, "options", "baseURL"}); };
    format.edits = [file = format.file](const Target& target) {
        std::vector<JsonSetting> settings = {{{"provider", kId, "npm"}, "@ai-sdk/openai-compatible"},
                                             {{"provider", kId, "name"}, kName},
                                             {{"provider", kId, "options", "baseURL"}, target.v1()},
                                             {{"provider", kId, "options", "apiKey"}, target.key}};
        if (!target.model.empty()) {
            settings.push_back({{"provider", kId, "models", target.model, "name"}, target.model});
            settings.push_back({{"model"}, std::string(kId) + "/" + target.model});
        }
        return std::vector<FileEdit>{{file, jsonEditor(std::move(settings))}};
    };
    return format;
}

Format sdk(const Client& client, const std::string& folder)
{
    Format format;
    if (folder.empty())
        return format;
    format.file = folder + "/.env";
    format.address = [name = client.tool == Tool::OpenAiSdk ? "OPENAI_BASE_URL" : "ANTHROPIC_BASE_URL"](std::string_view text) {
        return variableOf(text, name);
    };
    format.edits = [file = format.file, client](const Target& target) {
        const Editor edit = [variables = variablesFor(client, target)](std::string_view text) { return withVariables(text, variables); };
        return std::vector<FileEdit>{{file, edit}};
    };
    return format;
}

}  // namespace

Format formatOf(const Client& client, const Places& places, const std::string& folder)
{
    switch (client.tool) {
    case Tool::ClaudeCode: return claudeCode(places);
    case Tool::Codex: return codex(places);
    case Tool::Cline: return cline(places);
    case Tool::Continue: return continueDev(places);
    case Tool::Aider: return aider(places);
    case Tool::OpenCode: return openCode(places);
    case Tool::GeminiCli: return {};
    case Tool::OpenAiSdk:
    case Tool::AnthropicSdk: return sdk(client, folder);
    }
    return {};
}

std::vector<std::pair<std::string, std::string>> variablesFor(const Client& client, const Target& target)
{
    switch (client.tool) {
    case Tool::ClaudeCode: {
        std::vector<std::pair<std::string, std::string>> list = {{"ANTHROPIC_BASE_URL", target.root}, {"ANTHROPIC_AUTH_TOKEN", target.key}};
        if (!target.model.empty()) {
            for (const char* size : {"OPUS", "SONNET", "HAIKU"})
                list.emplace_back(std::string("ANTHROPIC_DEFAULT_") + size + "_MODEL", target.model);
        }
        return list;
    }
    case Tool::Aider: return {{"OPENAI_API_BASE", target.v1()}, {"OPENAI_API_KEY", target.key}};
    case Tool::OpenAiSdk: return {{"OPENAI_BASE_URL", target.v1()}, {"OPENAI_API_KEY", target.key}};
    case Tool::AnthropicSdk: return {{"ANTHROPIC_BASE_URL", target.root}, {"ANTHROPIC_API_KEY", target.key}};
    case Tool::Codex:
    case Tool::Cline:
    case Tool::Continue:
    case Tool::OpenCode:
    case Tool::GeminiCli: return {};
    }
    return {};
}

}  // namespace omni::client_setup
