#pragma once

#include "model/wire.h"
#include "stream/answer_error.h"
#include "stream/json_peek.h"
#include "stream/usage.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace omni {

/// What a frame of a stream means to a proxy that must know when an answer has begun, and whether it has ended.
enum class FrameMeaning : std::uint8_t {
    Noise,     ///< comment, ping, usage alone: no part of the answer
    Preamble,  ///< opens the answer, carries nothing of it (role-only chunk, message_start, response.created)
    Content,
    Finish,    ///< a finish or stop reason
    Terminal,  ///< [DONE], message_stop, response.completed
    Error,     ///< an error in place of content
    Malformed  ///< begins like JSON and is none
};

/// Follows one answer's frames in the dialect of its operation.
///
/// Before anything meaningful every frame is read whole; afterwards only those whose bytes hint at an end, an error or usage.
class StreamInspector {
public:
    StreamInspector(Operation operation, JsonPeek& peek);

    FrameMeaning inspect(std::string_view frame);

    bool contentSeen() const { return m_content; }
    bool finishSeen() const { return m_finish; }
    bool terminalSeen() const { return m_terminal; }
    bool emptyEndingIsFine() const { return m_emptyEndingIsFine; }
    bool toolCallsSeen() const { return m_toolCalls; }
    bool errorSeen() const { return m_failed; }
    const AnswerError& error() const { return m_error; }
    const TokenUsage& usage() const { return m_usage; }

    /// Whether the answer is complete in its dialect's terms.
    bool complete() const { return m_terminal || m_finish; }
    /// What an upstream that stopped after its finish reason left out ("data: [DONE]", message_stop); empty when nothing is missing.
    std::string missingEnd() const;
    /// Bytes to send before a terminal frame that came without a finish reason (field-faults B05); empty when none is missing.
    std::string missingFinish() const;

private:
    FrameMeaning read(std::string_view data);
    bool worthReading(std::string_view frame) const;

    Dialect m_dialect;
    bool m_chat;
    JsonPeek& m_peek;
    std::string m_scratch;
    bool m_content = false;
    bool m_finish = false;
    bool m_terminal = false;
    bool m_emptyEndingIsFine = false;
    bool m_toolCalls = false;
    bool m_failed = false;
    AnswerError m_error;
    TokenUsage m_usage;
};

}  // namespace omni
