#pragma once

#include "model/connection.h"
#include "model/provider.h"

namespace omni {

/// Whether a provider counts quota by model, so that a refusal may be about one model and not the account (spec 1-core §2.2).
bool hasPerModelQuota(const Provider& provider, const Connection& connection);

}  // namespace omni
