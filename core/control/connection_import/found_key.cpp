#include "control/connection_import/found_key.h"

#include "base/text.h"
#include "control/client_key.h"
#include "model/url.h"

#include <algorithm>
#include <array>

namespace omni::connection_import {

namespace {

using Names = std::pair<std::string_view, std::string_view>;

/// As the providers' own documents and SDKs name them, and the tools that speak to many of them.
constexpr std::array kKeyVariables = {
    Names{"OPENAI_API_KEY", "openai"},
    Names{"ANTHROPIC_API_KEY", "anthropic"},
    Names{"GEMINI_API_KEY", "gemini"},
    Names{"GOOGLE_API_KEY", "gemini"},
    Names{"GOOGLE_GENERATIVE_AI_API_KEY", "gemini"},
    Names{"OPENROUTER_API_KEY", "openrouter"},
    Names{"GROQ_API_KEY", "groq"},
    Names{"MISTRAL_API_KEY", "mistral"},
    Names{"DEEPSEEK_API_KEY", "deepseek"},
    Names{"XAI_API_KEY", "xai"},
    Names{"PERPLEXITY_API_KEY", "perplexity"},
    Names{"PERPLEXITYAI_API_KEY", "perplexity"},
    Names{"PPLX_API_KEY", "perplexity"},
    Names{"COHERE_API_KEY", "cohere"},
    Names{"CO_API_KEY", "cohere"},
    Names{"DASHSCOPE_API_KEY", "dashscope"},
    Names{"MOONSHOT_API_KEY", "moonshot"},
    Names{"KIMI_API_KEY", "kimi-coding-apikey"},
    Names{"ZAI_API_KEY", "zai"},
    Names{"Z_AI_API_KEY", "zai"},
    Names{"MINIMAX_API_KEY", "minimax"},
    Names{"CEREBRAS_API_KEY", "cerebras"},
    Names{"TOGETHER_API_KEY", "together"},
    Names{"TOGETHERAI_API_KEY", "together"},
    Names{"FIREWORKS_API_KEY", "fireworks"},
    Names{"FIREWORKS_AI_API_KEY", "fireworks"},
    Names{"NVIDIA_API_KEY", "nvidia"},
    Names{"NVIDIA_NIM_API_KEY", "nvidia"},
    Names{"SILICONFLOW_API_KEY", "siliconflow"},
    Names{"NEBIUS_API_KEY", "nebius"},
    Names{"DEEPINFRA_API_KEY", "deepinfra"},
    Names{"DEEPINFRA_TOKEN", "deepinfra"},
    Names{"SAMBANOVA_API_KEY", "sambanova"},
    Names{"HF_TOKEN", "huggingface"},
    Names{"HUGGINGFACE_API_KEY", "huggingface"},
    Names{"HUGGING_FACE_HUB_TOKEN", "huggingface"},
    Names{"AI_GATEWAY_API_KEY", "vercel-ai-gateway"},
    Names{"BASETEN_API_KEY", "baseten"},
    Names{"NOVITA_API_KEY", "novita"},
    Names{"CHUTES_API_KEY", "chutes"},
    Names{"OLLAMA_API_KEY", "ollama-cloud"},
    Names{"OPENCODE_API_KEY", "opencode-zen"},
    Names{"ZENMUX_API_KEY", "zenmux"},
};

/// Where the SDKs of these are told another address; the first that is set counts. Other providers have none that is in common use.
constexpr std::array kAddressVariables = {
    Names{"OPENAI_BASE_URL", "openai"},
    Names{"OPENAI_API_BASE", "openai"},
    Names{"ANTHROPIC_BASE_URL", "anthropic"},
};

/// How other tools call a provider that the catalogue calls otherwise.
constexpr std::array kOtherNames = {
    Names{"google", "gemini"},
    Names{"togetherai", "together"},
    Names{"together-ai", "together"},
    Names{"fireworks-ai", "fireworks"},
    Names{"fireworksai", "fireworks"},
    Names{"x-ai", "xai"},
    Names{"grok", "xai"},
    Names{"moonshotai", "moonshot"},
    Names{"kimi-for-coding", "kimi-coding-apikey"},
    Names{"zai-coding-plan", "glm"},
    Names{"qwen", "dashscope"},
};

constexpr std::size_t kShortestKey = 16;
constexpr std::size_t kLongestKey = 1024;

template <typename Table>
std::string_view lookUp(const Table& table, std::string_view name)
{
    const auto found = std::find_if(table.begin(), table.end(), [name](const Names& one) { return one.first == name; });
    return found == table.end() ? std::string_view() : found->second;
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::string withoutSlash(std::string_view url)
{
    while (!url.empty() && url.back() == '/')
        url.remove_suffix(1);
    return std::string(url);
}

/// Anthropic's SDKs want the root, and hang "/v1/messages" on it themselves.
std::string addressFor(std::string_view provider, std::string_view url)
{
    std::string address = withoutSlash(trimmed(url));
    if (provider == "anthropic" && !address.empty() && !address.ends_with("/v1"))
        address += "/v1";
    return address;
}

/// What Claude Code, Google's and OpenAI's programs get when their user signs in: theirs, and not for others to use. A JWT is one of these
/// three's, while others (MiniMax) hand out keys of that form.
bool isSignInToken(std::string_view provider, std::string_view key)
{
    for (const std::string_view begin : {"sk-ant-oat", "sk-ant-ort", "sk-ant-sid", "ya29."}) {
        if (startsWithIgnoreCase(key, begin))
            return true;
    }
    return startsWithIgnoreCase(key, "eyJ") && (provider == "anthropic" || provider == "gemini" || provider == "openai");
}

void put(Findings& findings, FoundKey found)
{
    for (FoundKey& known : findings.keys) {
        if (known.provider != found.provider || known.baseUrl != found.baseUrl || known.key != found.key)
            continue;
        for (std::string& place : found.places) {
            if (std::find(known.places.begin(), known.places.end(), place) == known.places.end())
                known.places.push_back(std::move(place));
        }
        return;
    }
    findings.keys.push_back(std::move(found));
}

}  // namespace

void append(Findings& findings, Findings more)
{
    for (FoundKey& found : more.keys)
        put(findings, std::move(found));
    for (RefusedFile& refused : more.refused)
        findings.refused.push_back(std::move(refused));
}

std::vector<std::string> knownVariables()
{
    std::vector<std::string> names;
    for (const Names& one : kKeyVariables)
        names.emplace_back(one.first);
    for (const Names& one : kAddressVariables)
        names.emplace_back(one.first);
    return names;
}

std::string_view providerOfVariable(std::string_view name) { return lookUp(kKeyVariables, name); }

bool isPlausibleKey(std::string_view text)
{
    if (text.size() < kShortestKey || text.size() > kLongestKey)
        return false;
    // Placeholders ("<your key>", "sk-xxxxxxxx"), and references that another tool would look up ("$KEY", "{env:KEY}", "!command").
    const bool odd = std::any_of(text.begin(), text.end(), [](char c) {
        return static_cast<unsigned char>(c) <= ' ' || static_cast<unsigned char>(c) > '~' || std::string_view("$<>{}()\"'`\\!").find(c) != std::string_view::npos;
    });
    const std::string lower = toLower(text);
    if (odd || contains(lower, "your") || contains(lower, "xxxx") || contains(lower, "...") || contains(lower, "***") ||
        contains(lower, "placeholder"))
        return false;
    return !text.starts_with(kClientKeyBegin);
}

const Provider* KeyCollector::providerNamed(std::string_view name) const
{
    const std::string lower = toLower(trimmed(name));
    const std::string_view ours = lookUp(kOtherNames, lower);
    const Provider* provider = m_catalogue.find(ours.empty() ? std::string_view(lower) : ours);
    return provider && provider->category == ProviderCategory::Hosted ? provider : nullptr;
}

void KeyCollector::add(std::string_view providerName, std::string_view key, std::string_view baseUrl)
{
    const Provider* provider = providerNamed(providerName);
    const std::string_view plain = trimmed(key);
    if (!provider || !isPlausibleKey(plain))
        return;
    FoundKey found{provider->id, addressFor(provider->id.str(), baseUrl), std::string(plain), {m_place}};
    if (!found.baseUrl.empty()) {
        const Result<Url> url = parseUrl(found.baseUrl);
        if (!url || !url->userInfo.empty() || url->scheme != "https" || isLocalBaseUrl(found.baseUrl))
            return;
        for (const Provider& other : m_catalogue.all()) {
            if (!equalsIgnoreCase(withoutSlash(other.baseUrl), found.baseUrl))
                continue;
            found.provider = other.id;
            found.baseUrl.clear();
            break;
        }
    }
    // Asked of whom the key is sent to; a server of somebody's own may hand out whatever it likes.
    if (!isSignInToken(found.baseUrl.empty() ? found.provider.str() : std::string(), plain))
        put(m_findings, std::move(found));
}

void KeyCollector::addVariables(const std::vector<std::pair<std::string, std::string>>& variables)
{
    const auto valueOf = [&variables](std::string_view name) {
        // The last one counts, as for every reader.
        const auto found = std::find_if(variables.rbegin(), variables.rend(), [name](const auto& one) { return one.first == name; });
        return found == variables.rend() ? std::string_view() : std::string_view(found->second);
    };
    for (const Names& one : kKeyVariables) {
        const std::string_view key = valueOf(one.first);
        if (key.empty())
            continue;
        std::string_view address;
        for (const Names& variable : kAddressVariables) {
            if (variable.second == one.second && address.empty())
                address = valueOf(variable.first);
        }
        const std::string place = m_place;
        if (place.empty())
            m_place = one.first;  // the variable itself is the place
        add(one.second, key, address);
        m_place = place;
    }
}

void KeyCollector::refuse(std::string reason) { m_findings.refused.push_back({m_place, std::move(reason)}); }

}  // namespace omni::connection_import
