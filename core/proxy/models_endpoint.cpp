#include "proxy/models_endpoint.h"

#include "proxy/client_error.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace omni {

using nlohmann::json;

namespace {

json openAiModel(const Router::ListedModel& model)
{
    json entry = {{"id", model.id}, {"object", "model"}, {"created", 0}, {"owned_by", model.ownedBy}};
    if (model.contextLength > 0)
        entry["context_length"] = model.contextLength;
    return entry;
}

json anthropicModel(const Router::ListedModel& model)
{
    return {{"type", "model"}, {"id", model.id}, {"display_name", model.id}, {"created_at", "1970-01-01T00:00:00Z"}};
}

/// "%2F" and its kin: ids hold slashes, and some clients escape them.
std::string percentDecoded(std::string_view text)
{
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto digit = [&text](std::size_t at) { return at < text.size() ? std::string_view("0123456789abcdef").find(static_cast<char>(text[at] | 0x20)) : std::string_view::npos; };
        if (text[i] == '%' && digit(i + 1) < 16 && digit(i + 2) < 16) {
            out += static_cast<char>(digit(i + 1) * 16 + digit(i + 2));
            i += 2;
        } else {
            out += text[i];
        }
    }
    return out;
}

}  // namespace

void answerModels(const Router& router, const ApiKey* apiKey, const HttpRequest& request, std::string_view modelId, ResponseWriter& writer,
                  const HeaderList& headers)
{
    const bool anthropic = !request.header("anthropic-version").empty();
    const auto models = router.models(apiKey);
    json answer;
    if (!modelId.empty()) {
        const std::string id = percentDecoded(modelId);
        const auto found = std::find_if(models.begin(), models.end(), [&id](const auto& model) { return model.id == id; });
        if (found == models.end()) {
            ClientError error;
            error.status = 404;
            error.code = "model_not_found";
            error.message = "No connection, combo or alias offers \"" + id + "\".";
            sendError(writer, error, anthropic ? Dialect::Anthropic : Dialect::OpenAi, headers);
            return;
        }
        answer = anthropic ? anthropicModel(*found) : openAiModel(*found);
    } else {
        json data = json::array();
        for (const auto& model : models)
            data.push_back(anthropic ? anthropicModel(model) : openAiModel(model));
        if (anthropic)
            answer = {{"has_more", false},
                      {"first_id", models.empty() ? json() : json(models.front().id)},
                      {"last_id", models.empty() ? json() : json(models.back().id)},
                      {"data", std::move(data)}};
        else
            answer = {{"object", "list"}, {"data", std::move(data)}};
    }
    const std::string body = answer.dump(-1, ' ', false, json::error_handler_t::replace);
    HeaderList all = headers;
    all.emplace_back("content-type", "application/json");
    writer.sendHead(200, all, static_cast<std::int64_t>(body.size()));
    writer.sendBody(body);
    writer.finish();
}

}  // namespace omni
