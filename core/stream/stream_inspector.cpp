#include "stream/stream_inspector.h"

#include "base/text.h"
#include "stream/sse_splitter.h"

#include <array>
#include <cstring>

namespace omni {

namespace {

bool contains(std::string_view text, std::string_view part)
{
    return memmem(text.data(), text.size(), part.data(), part.size()) != nullptr;
}

/// The first byte of the value of `key` (with its quotes) when it stands in the text, 0 otherwise.
char valueStart(std::string_view text, std::string_view key)
{
    const void* found = memmem(text.data(), text.size(), key.data(), key.size());
    if (!found)
        return '\0';
    auto at = static_cast<std::size_t>(static_cast<const char*>(found) - text.data()) + key.size();
    while (at < text.size() && (text[at] == ' ' || text[at] == ':'))
        ++at;
    return at < text.size() ? text[at] : '\0';
}

}  // namespace

StreamInspector::StreamInspector(Operation operation, JsonPeek& peek)
    : m_dialect(dialectOf(operation)), m_chat(operation == Operation::ChatCompletions), m_peek(peek)
{
}

bool StreamInspector::worthReading(std::string_view frame) const
{
    // A frame without any of these cannot end, fail or count: it is content, passed on unread.
    if (m_dialect == Dialect::OpenAi)
        return valueStart(frame, "\"finish_reason\"") == '"' || valueStart(frame, "\"usage\"") == '{' || contains(frame, "\"error\"")
               || contains(frame, "[DONE]") || (!m_toolCalls && contains(frame, "\"tool_calls\""));
    if (m_dialect == Dialect::Anthropic)
        return contains(frame, "message_") || contains(frame, "\"error\"") || (!m_toolCalls && contains(frame, "tool_use"));
    return contains(frame, "response.completed") || contains(frame, "response.failed") || contains(frame, "response.incomplete")
           || contains(frame, "\"error\"");
}

FrameMeaning StreamInspector::inspect(std::string_view frame)
{
    if (m_content && !worthReading(frame))
        return FrameMeaning::Content;
    const SseEvent event = parseSseFrame(frame, m_scratch);
    if (!event.hasData)
        return FrameMeaning::Noise;
    const std::string_view data = trimmed(event.data);
    if (data.empty() || event.name == "ping" || event.name == "keepalive" || event.name == "heartbeat")
        return FrameMeaning::Noise;
    if (data == "[DONE]") {
        m_terminal = true;
        return FrameMeaning::Terminal;
    }
    return read(data);
}

FrameMeaning StreamInspector::read(std::string_view data)
{
    const AnswerFacts facts = m_peek.look(data);
    if (!facts.valid) {
        // Objects glued together are passed on as they are (field-faults A11); anything else that begins like JSON is broken.
        if (data.front() == '{' && !contains(data, "}{") && !contains(data, "}\n{"))
            return FrameMeaning::Malformed;
        m_content = true;
        return FrameMeaning::Content;
    }
    if (facts.usage.input >= 0)
        m_usage.input = facts.usage.input;
    if (facts.usage.output >= 0)
        m_usage.output = facts.usage.output;
    if (facts.usage.cached >= 0)
        m_usage.cached = facts.usage.cached;
    if (facts.errorOnly) {
        m_error = facts.error;
        m_failed = true;
        return FrameMeaning::Error;
    }
    m_toolCalls = m_toolCalls || facts.toolCalls;
    m_content = m_content || facts.content;
    m_emptyEndingIsFine = m_emptyEndingIsFine || facts.emptyEndingIsFine;
    if (facts.type == "message_stop" || facts.type == "response.completed" || facts.type == "response.incomplete") {
        m_terminal = true;
        m_finish = true;
        return FrameMeaning::Terminal;
    }
    if (facts.finished) {
        m_finish = true;
        return FrameMeaning::Finish;
    }
    if (facts.content)
        return FrameMeaning::Content;
    return facts.preamble ? FrameMeaning::Preamble : FrameMeaning::Noise;
}

std::string StreamInspector::missingEnd() const
{
    if (m_terminal)
        return {};
    switch (m_dialect) {
    case Dialect::OpenAi: return "data: [DONE]\n\n";
    case Dialect::Anthropic: return "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n";
    case Dialect::OpenAiResponses:
    case Dialect::Gemini: return {};
    }
    return {};
}

std::string StreamInspector::missingFinish() const
{
    if (!m_chat || m_finish || !m_content)
        return {};
    return std::string("data: {\"id\":\"chatcmpl-omniroute-end\",\"object\":\"chat.completion.chunk\",\"created\":0,\"model\":\"\",\"choices\":"
                       "[{\"index\":0,\"delta\":{},\"finish_reason\":\"")
           + (m_toolCalls ? "tool_calls" : "stop") + "\"}]}\n\n";
}

}  // namespace omni
