#include "sandbox/answers.h"

#include "sandbox/json_scan.h"

#include <algorithm>
#include <array>

namespace omni::sandbox {

namespace {

/// A call's arguments come in this many pieces.
constexpr std::size_t kToolPieces = 3;

struct StatusName {
    int status;
    std::string_view openAiType;
    std::string_view openAiCode;
    std::string_view anthropicType;
};

constexpr std::array<StatusName, 15> kNames = {{
    {400, "invalid_request_error", "bad_request", "invalid_request_error"},
    {401, "authentication_error", "invalid_api_key", "authentication_error"},
    {402, "billing_error", "payment_required", "billing_error"},
    {403, "permission_error", "permission_denied", "permission_error"},
    {404, "invalid_request_error", "model_not_found", "not_found_error"},
    {410, "invalid_request_error", "gone", "not_found_error"},
    {413, "invalid_request_error", "request_too_large", "request_too_large"},
    {429, "rate_limit_error", "rate_limit_exceeded", "rate_limit_error"},
    {500, "server_error", "internal_server_error", "api_error"},
    {501, "server_error", "not_implemented", "api_error"},
    {502, "server_error", "bad_gateway", "api_error"},
    {503, "server_error", "service_unavailable", "api_error"},
    {504, "server_error", "gateway_timeout", "timeout_error"},
    {529, "overloaded_error", "overloaded", "overloaded_error"},
    {0, "server_error", "error", "api_error"},
}};

const StatusName& namesOf(int status)
{
    const auto* found = std::find_if(kNames.begin(), kNames.end() - 1, [status](const StatusName& name) { return name.status == status; });
    return *found;
}

}  // namespace

std::uint64_t AnswerContext::outputTokens() const
{
    const Content& content = plan.content;
    return content.reasoning.size() + (content.tool ? kToolPieces : content.pieces);
}

std::string AnswerContext::idWith(std::string_view prefix) const
{
    return std::string(prefix) + "sandbox" + std::to_string(number);
}

void EventSource::emit(std::string bytes, bool isContent)
{
    m_pending.push_back({std::move(bytes), isContent, m_step == Step::Begin});
}

std::size_t EventSource::piecesOf(Section section) const
{
    switch (section) {
    case Section::Reasoning: return content().reasoning.size();
    case Section::Text: return content().tool ? 0 : content().pieces;
    case Section::Tool: return content().tool ? kToolPieces : 0;
    }
    return 0;
}

std::string EventSource::pieceOf(Section section, std::size_t index) const
{
    if (section == Section::Reasoning)
        return content().reasoning[index];
    if (section == Section::Text)
        return content().piece(index);
    const std::string& arguments = content().tool->arguments;
    const std::size_t length = arguments.size() / kToolPieces + 1;
    return jsonEscaped(std::string_view(arguments).substr(std::min(index * length, arguments.size()), length));
}

void EventSource::produce()
{
    if (m_step == Step::Begin) {
        if (context().plan.heartbeats)
            emit(": the sandbox is thinking\n\n");
        begin();
        m_step = Step::Reasoning;
        return;
    }
    const Section section = m_step == Step::Reasoning ? Section::Reasoning : m_step == Step::Text ? Section::Text : Section::Tool;
    const std::size_t pieces = piecesOf(section);
    if (m_index < pieces) {
        if (m_index == 0)
            open(section);
        const std::string piece = pieceOf(section, m_index++);
        ++m_said;
        say(section, piece);
        if (m_index == pieces)
            close(section);
        return;
    }
    m_index = 0;
    m_step = m_step == Step::Reasoning ? Step::Text : m_step == Step::Text ? Step::Tool : Step::Done;
    if (m_step == Step::Done)
        end();
}

bool EventSource::next(Frame& frame)
{
    while (m_pending.empty() && m_step != Step::Done)
        produce();
    if (m_pending.empty())
        return false;
    frame = std::move(m_pending.front());
    m_pending.pop_front();
    return true;
}

std::unique_ptr<EventSource> makeEvents(const AnswerContext& context)
{
    switch (context.prompt.operation) {
    case Operation::Completions: return makeCompletionEvents(context);
    case Operation::Responses: return makeResponsesEvents(context);
    case Operation::Messages: return makeMessagesEvents(context);
    case Operation::ChatCompletions:
    case Operation::Embeddings:
    case Operation::CountTokens: break;
    }
    return makeChatEvents(context);
}

std::string makeBody(const AnswerContext& context)
{
    switch (context.prompt.operation) {
    case Operation::ChatCompletions: return makeChatBody(context);
    case Operation::Completions: return makeCompletionBody(context);
    case Operation::Embeddings: return makeEmbeddingsBody(context);
    case Operation::Responses: return makeResponsesBody(context);
    case Operation::Messages: return makeMessagesBody(context);
    case Operation::CountTokens: return "{\"input_tokens\":" + std::to_string(context.prompt.inputTokens) + "}";
    }
    return "{}";
}

std::string openAiErrorObject(const ApiError& error)
{
    const StatusName& names = namesOf(error.status);
    return "{\"message\":" + jsonString(error.message) + ",\"type\":" + jsonString(error.type.empty() ? names.openAiType : error.type) +
           ",\"param\":null,\"code\":" + jsonString(error.code.empty() ? names.openAiCode : error.code) + "}";
}

std::string makeErrorBody(Dialect dialect, const ApiError& error)
{
    if (dialect != Dialect::Anthropic)
        return "{\"error\":" + openAiErrorObject(error) + "}";
    return "{\"type\":\"error\",\"error\":{\"type\":" + jsonString(error.type.empty() ? namesOf(error.status).anthropicType : error.type) +
           ",\"message\":" + jsonString(error.message) + "}}";
}

std::string wholeText(const Content& content)
{
    std::string text;
    for (std::size_t i = 0; i < content.pieces; ++i)
        text += content.piece(i);
    return text;
}

std::string wholeReasoning(const Content& content)
{
    std::string text;
    for (const std::string& piece : content.reasoning)
        text += piece;
    return text;
}

}  // namespace omni::sandbox
