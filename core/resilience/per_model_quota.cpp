#include "resilience/per_model_quota.h"

#include "resilience/quota_family.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace omni {

bool hasPerModelQuota(const Provider& provider, const Connection& connection)
{
    static constexpr std::array<std::string_view, 5> known = {"antigravity", "agy", "codex", "gemini", "github"};
    if (connection.passthroughModels)
        return *connection.passthroughModels;
    if (provider.category == ProviderCategory::Sandbox)
        return false;  // it plays one account, so that every kind of hold can be seen with it
    if (std::find(known.begin(), known.end(), canonicalProviderId(provider.id.str())) != known.end() || provider.passthroughModels)
        return true;
    return provider.category == ProviderCategory::Compatible || provider.category == ProviderCategory::Local;
}

}  // namespace omni
