#pragma once

#include "model/routing_config.h"
#include "proxy/http_message.h"
#include "routing/router.h"

#include <string>
#include <string_view>

namespace omni {

/// GET /v1/models and /v1/models/{id}: what the enabled connections, combos and aliases offer, in OpenAI's shape, or in Anthropic's when
/// the client sends anthropic-version.
void answerModels(const Router& router, const ApiKey* apiKey, const HttpRequest& request, std::string_view modelId, ResponseWriter& writer,
                  const HeaderList& headers);

}  // namespace omni
