#include "sandbox/answers.h"

#include "sandbox/json_scan.h"

namespace omni::sandbox {

namespace {

std::string usageOf(const AnswerContext& context)
{
    const std::uint64_t input = context.prompt.inputTokens;
    const std::uint64_t output = context.outputTokens();
    return "{\"input_tokens\":" + std::to_string(input) + R"(,"input_tokens_details":{"cached_tokens":0},"output_tokens":)" +
           std::to_string(output) +
           ",\"output_tokens_details\":{\"reasoning_tokens\":" + std::to_string(context.plan.content.reasoning.size()) +
           "},\"total_tokens\":" + std::to_string(input + output) + "}";
}

/// The response object; `output` is the text inside its array, `usage` and `error` are JSON values.
std::string responseOf(const AnswerContext& context, std::string_view status, const std::string& output, const std::string& usage,
                       const std::string& error = "null")
{
    return "{\"id\":\"" + context.idWith("resp_") + R"(","object":"response","created_at":)" + std::to_string(context.createdAt) +
           ",\"status\":\"" + std::string(status) + "\",\"background\":false,\"error\":" + error +
           R"(,"incomplete_details":null,"instructions":null,"max_output_tokens":null,"metadata":{},"model":)" +
           jsonString(context.prompt.model) + ",\"output\":[" + output +
           R"(],"parallel_tool_calls":true,"previous_response_id":null,"reasoning":{"effort":null,"summary":null},"store":false,)"
           R"("temperature":1.0,"text":{"format":{"type":"text"}},"tool_choice":"auto","tools":[],"top_p":1.0,)"
           R"("truncation":"disabled","user":null,"usage":)" +
           usage + "}";
}

std::string messageItem(const AnswerContext& context, std::string_view status, const std::string& parts)
{
    return "{\"id\":\"" + context.idWith("msg_") + R"(","type":"message","status":")" + std::string(status) +
           R"(","role":"assistant","content":[)" + parts + "]}";
}

std::string textPart(const std::string& text)
{
    return R"({"type":"output_text","annotations":[],"logprobs":[],"text":")" + text + "\"}";
}

std::string summaryPart(const std::string& text)
{
    return R"({"type":"summary_text","text":")" + text + "\"}";
}

std::string reasoningItem(const AnswerContext& context, const std::string& summary)
{
    return "{\"id\":\"" + context.idWith("rs_") + R"(","type":"reasoning","summary":[)" + summary + "]}";
}

/// `arguments` is JSON-escaped.
std::string callItem(const AnswerContext& context, std::string_view status, const std::string& arguments)
{
    return "{\"id\":\"" + context.idWith("fc_") + R"(","type":"function_call","status":")" + std::string(status) + "\",\"call_id\":\"" +
           context.idWith("call_") + "\",\"name\":" + jsonString(context.plan.content.tool->name) + ",\"arguments\":\"" + arguments + "\"}";
}

class ResponsesEvents final : public EventSource {
public:
    explicit ResponsesEvents(const AnswerContext& answer) : EventSource(answer) {}

    std::string failure(const ApiError& error) override
    {
        // Both forms are met in the field: a bare error before any content, a failed response after some.
        if (said() <= 1)
            return frameOf("error", "\"code\":" + codeOf(error) + ",\"message\":" + jsonString(error.message) + ",\"param\":null");
        return frameOf("response.failed",
                       "\"response\":" + responseOf(context(), "failed", {}, "null",
                                                    "{\"code\":" + codeOf(error) + ",\"message\":" + jsonString(error.message) + "}"));
    }

protected:
    void begin() override
    {
        const std::string response = "\"response\":" + responseOf(context(), "in_progress", {}, "null");
        event("response.created", response);
        event("response.in_progress", response);
    }
    void open(Section section) override
    {
        if (section == Section::Reasoning) {
            event("response.output_item.added", index() + ",\"item\":" + reasoningItem(context(), {}));
            event("response.reasoning_summary_part.added", itemAndPart("rs_", "summary_index") + ",\"part\":" + summaryPart({}));
        } else if (section == Section::Text) {
            event("response.output_item.added", index() + ",\"item\":" + messageItem(context(), "in_progress", {}));
            event("response.content_part.added", itemAndPart("msg_", "content_index") + ",\"part\":" + textPart({}));
        } else {
            event("response.output_item.added", index() + ",\"item\":" + callItem(context(), "in_progress", {}));
        }
    }
    void say(Section section, std::string_view piece) override
    {
        m_sofar.append(piece);
        const std::string delta = ",\"delta\":\"" + std::string(piece) + "\"";
        if (section == Section::Reasoning)
            event("response.reasoning_summary_text.delta", itemAndPart("rs_", "summary_index") + delta, true);
        else if (section == Section::Text)
            event("response.output_text.delta", itemAndPart("msg_", "content_index") + delta + ",\"logprobs\":[]", true);
        else
            event("response.function_call_arguments.delta", item("fc_") + delta, true);
    }
    void close(Section section) override
    {
        std::string done;
        if (section == Section::Reasoning) {
            const std::string part = summaryPart(m_sofar);
            event("response.reasoning_summary_text.done", itemAndPart("rs_", "summary_index") + ",\"text\":\"" + m_sofar + "\"");
            event("response.reasoning_summary_part.done", itemAndPart("rs_", "summary_index") + ",\"part\":" + part);
            done = reasoningItem(context(), part);
        } else if (section == Section::Text) {
            const std::string part = textPart(m_sofar);
            event("response.output_text.done", itemAndPart("msg_", "content_index") + ",\"text\":\"" + m_sofar + "\",\"logprobs\":[]");
            event("response.content_part.done", itemAndPart("msg_", "content_index") + ",\"part\":" + part);
            done = messageItem(context(), "completed", part);
        } else {
            event("response.function_call_arguments.done", item("fc_") + ",\"arguments\":\"" + m_sofar + "\"");
            done = callItem(context(), "completed", m_sofar);
        }
        event("response.output_item.done", index() + ",\"item\":" + done);
        m_output += (m_output.empty() ? "" : ",") + done;
        m_sofar.clear();
        ++m_item;
    }
    void end() override
    {
        // This dialect has one event for the finish and the end, so leaving out either leaves out both.
        if (context().plan.finishReason && context().plan.terminator)
            event("response.completed", "\"response\":" + responseOf(context(), "completed", m_output, usageOf(context())));
    }

private:
    static std::string codeOf(const ApiError& error)
    {
        if (!error.code.empty())
            return jsonString(error.code);
        return jsonString(error.status == 429 ? "rate_limit_exceeded" : error.status == 529 ? "server_is_overloaded" : "server_error");
    }
    std::string frameOf(std::string_view type, const std::string& members)
    {
        const std::string name(type);
        return "event: " + name + "\ndata: {\"type\":\"" + name + "\",\"sequence_number\":" + std::to_string(++m_sequence) + "," + members +
               "}\n\n";
    }
    void event(std::string_view type, const std::string& members, bool isContent = false) { emit(frameOf(type, members), isContent); }
    std::string index() const { return "\"output_index\":" + std::to_string(m_item); }
    std::string item(std::string_view prefix) const { return "\"item_id\":\"" + context().idWith(prefix) + "\"," + index(); }
    std::string itemAndPart(std::string_view prefix, std::string_view part) const
    {
        return item(prefix) + ",\"" + std::string(part) + "\":0";
    }

    std::uint64_t m_sequence = 0;
    int m_item = 0;
    std::string m_sofar;   ///< of the open item, JSON-escaped
    std::string m_output;  ///< the closed items
};

}  // namespace

std::unique_ptr<EventSource> makeResponsesEvents(const AnswerContext& context)
{
    return std::make_unique<ResponsesEvents>(context);
}

std::string makeResponsesBody(const AnswerContext& context)
{
    const Content& content = context.plan.content;
    std::string output;
    if (!content.reasoning.empty())
        output = reasoningItem(context, summaryPart(wholeReasoning(content))) + ",";
    output += content.tool ? callItem(context, "completed", jsonEscaped(content.tool->arguments))
                           : messageItem(context, "completed", textPart(wholeText(content)));
    return responseOf(context, context.plan.finishReason ? "completed" : "incomplete", output, usageOf(context));
}

}  // namespace omni::sandbox
