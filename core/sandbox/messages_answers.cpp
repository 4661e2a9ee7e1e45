#include "sandbox/answers.h"

#include "sandbox/json_scan.h"

namespace omni::sandbox {

namespace {

/// Anthropic's clients hand a thinking block back with its signature; this one can be told from a real one.
constexpr std::string_view kSignature = "c2FuZGJveC1zaWduYXR1cmU=";

std::string usageOf(const AnswerContext& context, std::uint64_t output)
{
    return "{\"input_tokens\":" + std::to_string(context.prompt.inputTokens) +
           ",\"cache_creation_input_tokens\":0,\"cache_read_input_tokens\":0,\"output_tokens\":" + std::to_string(output) +
           ",\"service_tier\":\"standard\"}";
}

std::string stopReason(const Content& content)
{
    return content.tool ? "tool_use" : "end_turn";
}

class MessagesEvents final : public EventSource {
public:
    explicit MessagesEvents(const AnswerContext& answer) : EventSource(answer) { setToolId(answer.idWith("toolu_")); }

    std::string failure(const ApiError& error) override
    {
        return "event: error\ndata: " + makeErrorBody(Dialect::Anthropic, error) + "\n\n";
    }

protected:
    void begin() override
    {
        event("message_start", "\"message\":{\"id\":\"" + context().idWith("msg_") + R"(","type":"message","role":"assistant","model":)" +
                                   jsonString(context().prompt.model) +
                                   R"(,"content":[],"stop_reason":null,"stop_sequence":null,"usage":)" + usageOf(context(), 1) + "}");
        event("ping", {});
    }
    void open(Section section) override
    {
        const std::string block = section == Section::Text ? R"({"type":"text","text":""})"
                                  : section == Section::Reasoning
                                      ? R"({"type":"thinking","thinking":"","signature":""})"
                                      : "{\"type\":\"tool_use\",\"id\":\"" + std::string(toolId()) +
                                            "\",\"name\":" + jsonString(content().tool->name) + ",\"input\":{}}";
        event("content_block_start", indexMember() + ",\"content_block\":" + block);
    }
    void say(Section section, std::string_view piece) override
    {
        const std::string_view form = section == Section::Text        ? R"("type":"text_delta","text":")"
                                      : section == Section::Reasoning ? R"("type":"thinking_delta","thinking":")"
                                                                      : R"("type":"input_json_delta","partial_json":")";
        delta(std::string(form).append(piece).append("\""), true);
        if (context().plan.usage == UsageStyle::EveryChunk)
            usage(said() < 2 ? 0 : said());
    }
    void close(Section section) override
    {
        if (section == Section::Reasoning)
            delta(R"("type":"signature_delta","signature":")" + std::string(kSignature) + "\"");
        event("content_block_stop", indexMember());
        ++m_block;
    }
    void end() override
    {
        if (context().plan.usage == UsageStyle::OwnChunks)
            usage(0);
        if (context().plan.finishReason)
            event("message_delta", R"("delta":{"stop_reason":")" + stopReason(content()) + R"(","stop_sequence":null},"usage":)" +
                                       usageOf(context(), context().outputTokens()));
        if (context().plan.terminator)
            event("message_stop", {});
    }

private:
    void event(std::string_view type, const std::string& members, bool isContent = false)
    {
        const std::string name(type);
        emit("event: " + name + "\ndata: {\"type\":\"" + name + "\"" + (members.empty() ? "" : ",") + members + "}\n\n", isContent);
    }
    void delta(const std::string& members, bool isContent = false)
    {
        event("content_block_delta", indexMember() + ",\"delta\":{" + members + "}", isContent);
    }
    void usage(std::uint64_t output)
    {
        event("message_delta", R"("delta":{"stop_reason":null,"stop_sequence":null},"usage":)" + usageOf(context(), output));
    }
    std::string indexMember() const { return "\"index\":" + std::to_string(m_block); }

    int m_block = 0;
};

}  // namespace

std::unique_ptr<EventSource> makeMessagesEvents(const AnswerContext& context)
{
    return std::make_unique<MessagesEvents>(context);
}

std::string makeMessagesBody(const AnswerContext& context)
{
    const Content& content = context.plan.content;
    std::string blocks;
    if (!content.reasoning.empty())
        blocks = R"({"type":"thinking","thinking":")" + wholeReasoning(content) + R"(","signature":")" + std::string(kSignature) + "\"},";
    if (content.tool)
        blocks += "{\"type\":\"tool_use\",\"id\":\"" + context.idWith("toolu_") + "\",\"name\":" + jsonString(content.tool->name) +
                  ",\"input\":" + content.tool->arguments + "}";
    else
        blocks += R"({"type":"text","text":")" + wholeText(content) + "\"}";
    return "{\"id\":\"" + context.idWith("msg_") + R"(","type":"message","role":"assistant","model":)" + jsonString(context.prompt.model) +
           ",\"content\":[" + blocks + "],\"stop_reason\":" + (context.plan.finishReason ? "\"" + stopReason(content) + "\"" : "null") +
           ",\"stop_sequence\":null,\"usage\":" + usageOf(context, context.outputTokens()) + "}";
}

}  // namespace omni::sandbox
