#include "sandbox/answers.h"

#include "sandbox/json_scan.h"

#include <array>
#include <bit>
#include <cstring>

namespace omni::sandbox {

namespace {

std::string usageOf(const AnswerContext& context, std::uint64_t output)
{
    const std::uint64_t input = context.prompt.inputTokens;
    return "{\"prompt_tokens\":" + std::to_string(input) + ",\"completion_tokens\":" + std::to_string(output) +
           ",\"total_tokens\":" + std::to_string(input + output) +
           ",\"prompt_tokens_details\":{\"cached_tokens\":0,\"audio_tokens\":0},\"completion_tokens_details\":{\"reasoning_tokens\":" +
           std::to_string(std::min<std::uint64_t>(context.plan.content.reasoning.size(), output)) +
           ",\"audio_tokens\":0,\"accepted_prediction_tokens\":0,\"rejected_prediction_tokens\":0}}";
}

/// Everything of a chunk or a body up to its choices.
std::string headOf(const AnswerContext& context, std::string_view prefix, std::string_view object)
{
    return "{\"id\":\"" + context.idWith(prefix) + "\",\"object\":\"" + std::string(object) +
           "\",\"created\":" + std::to_string(context.createdAt) + ",\"model\":" + jsonString(context.prompt.model) +
           ",\"system_fingerprint\":\"fp_sandbox\"";
}

std::string finishOf(const Content& content)
{
    return content.tool ? "tool_calls" : "stop";
}

/// Chat and legacy completions differ only in what stands inside a choice.
class OpenAiEvents : public EventSource {
public:
    OpenAiEvents(const AnswerContext& answer, std::string head) : EventSource(answer), m_head(std::move(head)) {}

    std::string failure(const ApiError& error) override { return "data: {\"error\":" + openAiErrorObject(error) + "}\n\n"; }

protected:
    void begin() override
    {
        if (context().plan.usage == UsageStyle::OwnChunks)
            emit("data: " + m_head +
                 R"(,"choices":[],"prompt_filter_results":[{"prompt_index":0,"content_filter_results":{}}]})"
                 "\n\n");
    }
    void close(Section) override {}
    void end() override
    {
        if (context().plan.finishReason)
            choice(finishChoice());
        const UsageStyle style = context().plan.usage;
        if (style == UsageStyle::OwnChunks)
            emit("data: " + m_head + ",\"choices\":[],\"usage\":" + usageOf(context(), 0) + "}\n\n");
        if (style == UsageStyle::OwnChunks || (style == UsageStyle::Normal && context().prompt.includeUsage))
            emit("data: " + m_head + ",\"choices\":[],\"usage\":" + usageOf(context(), context().outputTokens()) + "}\n\n");
        if (context().plan.terminator)
            emit("data: [DONE]\n\n");
    }
    virtual std::string finishChoice() const = 0;

    void choice(std::string inner, bool isContent = false)
    {
        std::string frame = "data: " + m_head + ",\"choices\":[" + std::move(inner) + "]";
        if (context().plan.usage == UsageStyle::EveryChunk) {
            // A provider that counts late: the first chunks say zero, the last one is right.
            const bool last = !isContent && said() > 0;
            frame += ",\"usage\":" + usageOf(context(), last ? context().outputTokens() : said() < 2 ? 0 : said());
        } else if (context().prompt.includeUsage) {
            frame += ",\"usage\":null";
        }
        emit(frame + "}\n\n", isContent);
    }

private:
    std::string m_head;
};

class ChatEvents final : public OpenAiEvents {
public:
    explicit ChatEvents(const AnswerContext& answer) : OpenAiEvents(answer, headOf(answer, "chatcmpl-", "chat.completion.chunk"))
    {
        setToolId(answer.idWith("call_"));
    }

protected:
    void begin() override
    {
        OpenAiEvents::begin();
        delta(R"("role":"assistant","content":"","refusal":null)");
    }
    void open(Section section) override
    {
        if (section == Section::Tool)
            delta("\"tool_calls\":[{\"index\":0,\"id\":\"" + std::string(toolId()) +
                  "\",\"type\":\"function\",\"function\":{\"name\":" + jsonString(content().tool->name) + ",\"arguments\":\"\"}}]");
    }
    void say(Section section, std::string_view piece) override
    {
        const std::string text(piece);
        if (section == Section::Text)
            delta("\"content\":\"" + text + "\"", true);
        else if (section == Section::Reasoning)
            delta("\"reasoning_content\":\"" + text + "\"", true);
        else
            delta("\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"" + text + "\"}}]", true);
    }
    std::string finishChoice() const override
    {
        return R"({"index":0,"delta":{},"logprobs":null,"finish_reason":")" + finishOf(content()) + "\"}";
    }

private:
    void delta(const std::string& members, bool isContent = false)
    {
        choice("{\"index\":0,\"delta\":{" + members + "},\"logprobs\":null,\"finish_reason\":null}", isContent);
    }
};

class CompletionEvents final : public OpenAiEvents {
public:
    explicit CompletionEvents(const AnswerContext& answer) : OpenAiEvents(answer, headOf(answer, "cmpl-", "text_completion")) {}

protected:
    void open(Section) override {}
    void say(Section, std::string_view piece) override
    {
        choice("{\"text\":\"" + std::string(piece) + R"(","index":0,"logprobs":null,"finish_reason":null})", true);
    }
    std::string finishChoice() const override { return R"({"text":"","index":0,"logprobs":null,"finish_reason":"stop"})"; }
};

/// A few numbers that depend on the input's position only; a unit vector is not promised by every provider either.
float component(std::uint64_t input, std::uint64_t index)
{
    return static_cast<float>((input * 31 + index * 17) % 200) / 100.0F - 1.0F;
}

std::string base64(std::string_view bytes)
{
    static constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t group = 0;
        for (std::size_t k = 0; k < 3; ++k)
            group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
        for (std::size_t k = 0; k < 4; ++k)
            out += i + k > bytes.size() ? '=' : kDigits[(group >> (18 - 6 * k)) & 63U];
    }
    return out;
}

}  // namespace

std::unique_ptr<EventSource> makeChatEvents(const AnswerContext& context)
{
    return std::make_unique<ChatEvents>(context);
}

std::unique_ptr<EventSource> makeCompletionEvents(const AnswerContext& context)
{
    return std::make_unique<CompletionEvents>(context);
}

std::string makeChatBody(const AnswerContext& context)
{
    const Content& content = context.plan.content;
    std::string message = R"({"role":"assistant","content":)";
    message += content.tool ? "null" : "\"" + wholeText(content) + "\"";
    if (!content.reasoning.empty())
        message += ",\"reasoning_content\":\"" + wholeReasoning(content) + "\"";
    if (content.tool)
        message += ",\"tool_calls\":[{\"id\":\"" + context.idWith("call_") + R"(","type":"function","function":{"name":)" +
                   jsonString(content.tool->name) + ",\"arguments\":" + jsonString(content.tool->arguments) + "}}]";
    message += ",\"refusal\":null}";
    return headOf(context, "chatcmpl-", "chat.completion") + R"(,"choices":[{"index":0,"message":)" + message +
           R"(,"logprobs":null,"finish_reason":)" + (context.plan.finishReason ? "\"" + finishOf(content) + "\"" : "null") +
           "}],\"usage\":" + usageOf(context, context.outputTokens()) + "}";
}

std::string makeCompletionBody(const AnswerContext& context)
{
    return headOf(context, "cmpl-", "text_completion") + ",\"choices\":[{\"text\":\"" + wholeText(context.plan.content) +
           R"(","index":0,"logprobs":null,"finish_reason":)" + (context.plan.finishReason ? "\"stop\"" : "null") +
           "}],\"usage\":" + usageOf(context, context.outputTokens()) + "}";
}

std::string makeEmbeddingsBody(const AnswerContext& context)
{
    const Prompt& prompt = context.prompt;
    std::string body = R"({"object":"list","data":[)";
    for (std::uint64_t input = 0; input < prompt.embeddings; ++input) {
        body += input ? "," : "";
        body += R"({"object":"embedding","index":)" + std::to_string(input) + ",\"embedding\":";
        if (prompt.base64) {
            std::string bytes;
            for (std::uint64_t i = 0; i < prompt.dimensions; ++i) {
                // Little-endian single precision, as the dialect has it.
                const auto bits = std::bit_cast<std::uint32_t>(component(input, i));
                for (unsigned shift = 0; shift < 32; shift += 8)
                    bytes += static_cast<char>((bits >> shift) & 0xFFU);
            }
            body += "\"" + base64(bytes) + "\"";
        } else {
            body += "[";
            for (std::uint64_t i = 0; i < prompt.dimensions; ++i)
                body += (i ? "," : "") + std::to_string(component(input, i));
            body += "]";
        }
        body += "}";
    }
    const std::string tokens = std::to_string(prompt.inputTokens);
    return body + "],\"model\":" + jsonString(prompt.model) + ",\"usage\":{\"prompt_tokens\":" + tokens + ",\"total_tokens\":" + tokens +
           "}}";
}

}  // namespace omni::sandbox
