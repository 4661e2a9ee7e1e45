#include "control/connection_import/key_readers.h"

#include "base/text.h"
#include "control/client_setup/yaml_read.h"
#include "control/connection_import/key_files.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>

namespace omni::connection_import {

namespace {

using nlohmann::json;

/// Comments are read over, as most of these tools do.
Result<json> objectIn(std::string_view text)
{
    json root = trimmed(text).empty() ? json::object() : json::parse(text, nullptr, false, true);
    if (!root.is_object())
        return Error{ErrorKind::InvalidArgument, "It is no JSON that could be read."};
    return root;
}

std::string textAt(const json& object, const char* name)
{
    const auto found = object.is_object() ? object.find(name) : object.end();
    return object.is_object() && found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

const json& objectAt(const json& object, const char* name)
{
    static const json none = json::object();
    const auto found = object.find(name);
    return found != object.end() && found->is_object() ? *found : none;
}

Status readObject(std::string_view text, const std::function<void(const json&)>& read)
{
    const Result<json> root = objectIn(text);
    if (!root)
        return root.error();
    read(*root);
    return {};
}

std::string valueOf(const client_setup::YamlPairs& pairs, std::string_view key)
{
    const auto found = std::find_if(pairs.begin(), pairs.end(), [key](const auto& one) { return one.first == key; });
    return found == pairs.end() ? std::string() : found->second;
}

/// "NAME=value", as aider takes variables in a list.
std::pair<std::string, std::string> splitAtEquals(const std::string& text)
{
    const std::size_t equals = text.find('=');
    return equals == std::string::npos ? std::pair<std::string, std::string>()
                                       : std::pair{std::string(trimmed(text.substr(0, equals))), text.substr(equals + 1)};
}

bool isName(std::string_view text)
{
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; });
}

/// The value of an assignment as the shell would take it: quotes gone, a comment or a further command behind it cut off.
std::string plainValue(std::string_view raw)
{
    raw = trimmed(raw);
    if (raw.empty())
        return {};
    if (raw.front() == '"' || raw.front() == '\'') {
        const std::size_t close = raw.find(raw.front(), 1);
        return close == std::string_view::npos ? std::string() : std::string(raw.substr(1, close - 1));
    }
    return std::string(raw.substr(0, std::min(raw.find_first_of(" \t;"), raw.size())));
}

}  // namespace

std::vector<std::pair<std::string, std::string>> assignmentsIn(std::string_view text)
{
    std::vector<std::pair<std::string, std::string>> list;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        line = trimmed(line);
        if (line.starts_with("export "))
            line = trimmed(line.substr(7));
        std::size_t split = line.find('=');
        if (line.starts_with("set ")) {
            // fish: set -gx NAME value
            line = trimmed(line.substr(4));
            while (line.starts_with("-"))
                line = trimmed(line.substr(std::min(line.find_first_of(" \t"), line.size())));
            split = line.find_first_of(" \t");
        }
        if (split == std::string_view::npos)
            continue;
        const std::string_view name = trimmed(line.substr(0, split));
        if (isName(name))
            list.emplace_back(std::string(name), plainValue(line.substr(split + 1)));
    }
    return list;
}

Status readAssignments(std::string_view text, KeyCollector& keys)
{
    keys.addVariables(assignmentsIn(text));
    return {};
}

Status readClaudeCode(std::string_view text, KeyCollector& keys)
{
    return readObject(text, [&keys](const json& root) {
        std::vector<std::pair<std::string, std::string>> variables;
        for (const auto& [name, value] : objectAt(root, "env").items()) {
            if (value.is_string())
                variables.emplace_back(name, value.get<std::string>());
        }
        keys.addVariables(variables);
    });
}

Status readCodex(std::string_view text, KeyCollector& keys)
{
    // Its "tokens" are those of a sign-in at ChatGPT.
    return readObject(text, [&keys](const json& root) { keys.add("openai", textAt(root, "OPENAI_API_KEY")); });
}

Status readAider(std::string_view text, KeyCollector& keys)
{
    const Result<client_setup::YamlPairs> values = client_setup::yamlScalars(text);
    if (!values)
        return values.error();
    keys.add("openai", valueOf(*values, "openai-api-key"), valueOf(*values, "openai-api-base"));
    keys.add("anthropic", valueOf(*values, "anthropic-api-key"));
    const Result<std::vector<std::string>> named = client_setup::yamlTexts(text, "api-key");
    for (const std::string& one : named.valueOr({})) {
        const auto [provider, key] = splitAtEquals(one);
        keys.add(provider, key);
    }
    std::vector<std::pair<std::string, std::string>> variables;
    for (const std::string& one : client_setup::yamlTexts(text, "set-env").valueOr({}))
        variables.push_back(splitAtEquals(one));
    keys.addVariables(variables);
    return {};
}

Status readOpenCodeKeys(std::string_view text, KeyCollector& keys)
{
    return readObject(text, [&keys](const json& root) {
        for (const auto& [provider, entry] : root.items()) {
            if (textAt(entry, "type") == "api")
                keys.add(provider, textAt(entry, "key"));
        }
    });
}

Status readOpenCode(std::string_view text, KeyCollector& keys)
{
    return readObject(text, [&keys](const json& root) {
        for (const auto& [provider, entry] : objectAt(root, "provider").items()) {
            if (entry.is_object())
                keys.add(provider, textAt(objectAt(entry, "options"), "apiKey"), textAt(objectAt(entry, "options"), "baseURL"));
        }
    });
}

Status readContinueYaml(std::string_view text, KeyCollector& keys)
{
    const Result<std::vector<client_setup::YamlPairs>> models = client_setup::yamlItems(text, "models");
    if (!models)
        return models.error();
    for (const client_setup::YamlPairs& model : *models)
        keys.add(valueOf(model, "provider"), valueOf(model, "apiKey"), valueOf(model, "apiBase"));
    return {};
}

Status readContinueJson(std::string_view text, KeyCollector& keys)
{
    return readObject(text, [&keys](const json& root) {
        const auto models = root.find("models");
        if (models == root.end() || !models->is_array())
            return;
        for (const json& model : *models)
            keys.add(textAt(model, "provider"), textAt(model, "apiKey"), textAt(model, "apiBase"));
    });
}

Status readCline(std::string_view text, KeyCollector& keys)
{
    // That of an "OpenAI-compatible" server is left out: which server is said elsewhere.
    constexpr std::array<std::pair<const char*, const char*>, 20> names = {{
        {"apiKey", "anthropic"},
        {"openRouterApiKey", "openrouter"},
        {"openAiNativeApiKey", "openai"},
        {"geminiApiKey", "gemini"},
        {"deepSeekApiKey", "deepseek"},
        {"mistralApiKey", "mistral"},
        {"groqApiKey", "groq"},
        {"xaiApiKey", "xai"},
        {"cerebrasApiKey", "cerebras"},
        {"togetherApiKey", "together"},
        {"fireworksApiKey", "fireworks"},
        {"sambanovaApiKey", "sambanova"},
        {"nebiusApiKey", "nebius"},
        {"moonshotApiKey", "moonshot"},
        {"huggingFaceApiKey", "huggingface"},
        {"basetenApiKey", "baseten"},
        {"zaiApiKey", "zai"},
        {"minimaxApiKey", "minimax"},
        {"qwenApiKey", "dashscope"},
        {"vercelAiGatewayApiKey", "vercel-ai-gateway"},
    }};
    return readObject(text, [&keys, &names](const json& root) {
        for (const auto& one : names)
            keys.add(one.second, textAt(root, one.first));
    });
}

Status readGoose(std::string_view text, KeyCollector& keys)
{
    const Result<client_setup::YamlPairs> values = client_setup::yamlScalars(text);
    if (!values)
        return values.error();
    keys.addVariables(*values);
    return {};
}

Status readLlm(std::string_view text, KeyCollector& keys)
{
    return readObject(text, [&keys](const json& root) {
        for (const auto& [provider, key] : root.items()) {
            if (key.is_string())
                keys.add(provider, key.get<std::string>());
        }
    });
}

Status readCrush(std::string_view text, KeyCollector& keys)
{
    return readObject(text, [&keys](const json& root) {
        for (const auto& [provider, entry] : objectAt(root, "providers").items())
            keys.add(provider, textAt(entry, "api_key"), textAt(entry, "base_url"));
    });
}

}  // namespace omni::connection_import
