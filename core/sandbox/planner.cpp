#include "sandbox/planner.h"

#include "base/text.h"
#include "sandbox/json_scan.h"

#include <cstddef>

namespace omni::sandbox {

namespace {

std::string modelList(bool anthropic)
{
    std::string list;
    for (const SandboxModel& model : Sandbox::models()) {
        list += list.empty() ? "" : ",";
        if (anthropic)
            list += "{\"type\":\"model\",\"id\":" + jsonString(model.id) + ",\"display_name\":" + jsonString("Sandbox: " + model.id) +
                    ",\"created_at\":\"2026-01-01T00:00:00Z\"}";
        else
            list +=
                "{\"id\":" + jsonString(model.id) +
                ",\"object\":\"model\",\"created\":1767225600,\"owned_by\":\"sandbox\",\"description\":" + jsonString(model.description) +
                "}";
    }
    if (!anthropic)
        return "{\"object\":\"list\",\"data\":[" + list + "]}";
    return "{\"data\":[" + list + "],\"has_more\":false,\"first_id\":" + jsonString(Sandbox::models().front().id) +
           ",\"last_id\":" + jsonString(Sandbox::models().back().id) + "}";
}

bool isModelList(std::string_view path)
{
    constexpr std::string_view kEnd = "/models";
    return path.size() >= kEnd.size() && path.substr(path.size() - kEnd.size()) == kEnd;
}

bool hasKey(const Request& request, const std::string& required)
{
    constexpr std::string_view kBearer = "Bearer ";
    std::string_view key = request.header("authorization");
    if (startsWithIgnoreCase(key, kBearer))
        key.remove_prefix(kBearer.size());
    else
        key = request.header(request.header("x-api-key").empty() ? "api-key" : "x-api-key");
    return required.empty() || equalsConstantTime(key, required);
}

Plan planPost(const Request& request, Operation operation, Prompt& prompt, Shared& shared)
{
    auto read = readPrompt(operation, request.body);
    if (!read)
        return errorPlan(400, read.error().message);
    prompt = std::move(*read);
    const std::string& name = prompt.name.behaviour();
    const Behaviour* behaviour = findBehaviour(name);
    if (!behaviour)
        return errorPlan(404, "The model `" + name + "` does not exist. GET /v1/models lists what the sandbox can do.", "model_not_found");
    return makePlan(*behaviour, {request, prompt, shared.scheduler.clock().wall(), shared.memory, shared.counters});
}

}  // namespace

void Shared::record(const Request& request)
{
    constexpr std::size_t kKept = 10'000;
    // Dropping many at once costs less than one with every request; between kKept and twice as many are held.
    if (seen.size() >= 2 * kKept)
        seen.erase(seen.begin(), seen.begin() + static_cast<std::ptrdiff_t>(kKept));
    seen.push_back({request.method, request.target, request.body, request.headers});
}

Planned planRequest(const Request& request, Shared& shared)
{
    Planned planned;
    const bool get = request.method == "GET";
    const auto operation = get ? std::nullopt : operationOfPath(request.path());
    if (operation)
        planned.dialect = dialectOf(*operation);
    else if (!request.header("anthropic-version").empty())
        planned.dialect = Dialect::Anthropic;
    if (!hasKey(request, shared.requiredKey))
        planned.plan = errorPlan(401, "The sandbox does not accept this API key.");
    else if (get && isModelList(request.path()))
        planned.plan.body = modelList(planned.dialect == Dialect::Anthropic);
    else if (!operation)
        planned.plan = errorPlan(404,
                                 "The sandbox serves POST /v1/chat/completions, /completions, /embeddings, /responses, /messages and "
                                 "/messages/count_tokens, and GET /v1/models.",
                                 "not_found");
    else if (request.method != "POST")
        planned.plan = errorPlan(405, "The sandbox wants POST here.", "method_not_allowed");
    else
        planned.plan = planPost(request, *operation, planned.prompt, shared);
    return planned;
}

}  // namespace omni::sandbox
