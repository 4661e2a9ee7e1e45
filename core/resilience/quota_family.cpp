#include "resilience/quota_family.h"

#include "base/text.h"

#include <algorithm>
#include <array>

namespace omni {

namespace {

struct Alias {
    std::string_view alias;
    std::string_view id;
};

/// spec 4-surfaces §8. Providers are known by their own ids once the catalogue has resolved them; this is for whoever names one otherwise.
constexpr std::array<Alias, 17> kAliases = {{
    {"cx", "codex"},
    {"cc", "claude"},
    {"gh", "github"},
    {"kr", "kiro"},
    {"ag", "antigravity"},
    {"ds", "deepseek"},
    {"kmc", "kimi-coding-apikey"},
    {"kimi", "moonshot"},
    {"pplx", "perplexity"},
    {"vercel", "vercel-ai-gateway"},
    {"opencode", "opencode-zen"},
    {"alibaba", "dashscope"},
    {"ollama", "ollama-local"},
    {"lmstudio", "lm-studio"},
    {"llamacpp", "llama-cpp"},
    {"dmr", "docker-model-runner"},
    {"ooba", "oobabooga"},
}};

constexpr std::string_view kGeminiFamily = "family:gemini";
constexpr std::string_view kClaudeFamily = "family:claude";

bool containsIgnoreCase(std::string_view text, std::string_view lowerCase)
{
    const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + 32) : a) == b; };
    return std::search(text.begin(), text.end(), lowerCase.begin(), lowerCase.end(), same) != text.end();
}

std::string_view codexFamilyOf(std::string_view model)
{
    return containsIgnoreCase(model, "spark") || containsIgnoreCase(model, "bengalfox") ? "spark" : "codex";
}

/// Empty for a model that shares its quota with none.
std::string_view antigravityFamilyOf(std::string_view model)
{
    if (equalsIgnoreCase(model, kClaudeFamily))
        return kClaudeFamily;
    for (const std::string_view prefix : {std::string_view("antigravity/"), std::string_view("agy/")}) {
        if (startsWithIgnoreCase(model, prefix)) {
            model.remove_prefix(prefix.size());
            break;
        }
    }
    if (const std::size_t slash = model.find('/'); slash != std::string_view::npos)
        model.remove_prefix(slash + 1);
    if (containsIgnoreCase(model, "gemini"))
        return kGeminiFamily;
    if (startsWithIgnoreCase(model, "claude-") || startsWithIgnoreCase(model, "cloud-") || containsIgnoreCase(model, "/claude-") ||
        containsIgnoreCase(model, "/cloud-") || containsIgnoreCase(model, "anthropic"))
        return kClaudeFamily;
    return {};
}

}  // namespace

std::string_view canonicalProviderId(std::string_view provider)
{
    for (const Alias& known : kAliases) {
        if (known.alias.size() == provider.size() && equalsIgnoreCase(known.alias, provider))
            return known.id;
    }
    return provider;
}

std::string_view quotaFamilyOf(std::string_view provider, std::string_view model)
{
    provider = canonicalProviderId(provider);
    if (equalsIgnoreCase(provider, "codex"))
        return codexFamilyOf(model);
    if (equalsIgnoreCase(provider, "antigravity") || equalsIgnoreCase(provider, "agy")) {
        const std::string_view family = antigravityFamilyOf(trimmed(model));
        return family.empty() ? model : family;
    }
    return model;
}

LockoutScope lockoutScopeFor(int status, FailureReason reason)
{
    if (status == 404 || reason == FailureReason::NotFound)
        return LockoutScope::NotFound;
    if (status == 402 || status == 403 || status == 429)
        return LockoutScope::Family;
    return LockoutScope::Exact;
}

}  // namespace omni
