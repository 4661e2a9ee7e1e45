#pragma once

#include "model/hold.h"

#include <string_view>

namespace omni {

/// The id under which the models of a provider are locked: an alias stands for its provider ("cx" is "codex"; spec 1-core §2, "canonical
/// id"), in any case. A view of `provider` itself or of static text; allocates nothing.
std::string_view canonicalProviderId(std::string_view provider);

/// Name of the quota that `model` shares with others of its provider (spec 1-core §2.3): "codex" or "spark" for codex, "family:gemini" or
/// "family:claude" for antigravity and agy, elsewhere the model as it was given. The name of a family stands for itself. A view of `model`
/// or of static text; allocates nothing.
std::string_view quotaFamilyOf(std::string_view provider, std::string_view model);

/// Which key a failure locks (guide §3, spec 1-core §6.1): 402, 403 and 429 are about a quota or an entitlement and lock its family, 404
/// and whatever else says that the model is missing lock the model, everything else exactly this model, for a broken answer is no
/// evidence about a quota.
LockoutScope lockoutScopeFor(int status, FailureReason reason);

}  // namespace omni
