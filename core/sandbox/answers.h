#pragma once

#include "sandbox/plan.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>

namespace omni::sandbox {

/// One event of a stream.
struct Frame {
    std::string bytes;
    bool content = false;   ///< a piece of what the model says, as opposed to what stands around it
    bool preamble = false;  ///< belongs to what is sent before anything is known of the answer
};

/// What the answers of one request have in common. The referenced values outlive every source made from it.
struct AnswerContext {
    const Prompt& prompt;
    const Plan& plan;
    std::uint64_t number = 0;    ///< counts the sandbox's requests, part of every id
    std::int64_t createdAt = 0;  ///< epoch seconds

    std::uint64_t outputTokens() const;
    std::string idWith(std::string_view prefix) const;
};

/// The events of one answer in order, made one by one, so that a long stream needs no memory.
class EventSource {
public:
    explicit EventSource(const AnswerContext& context) : m_context(context) {}
    virtual ~EventSource() = default;

    /// False when there is no more.
    bool next(Frame& frame);
    /// The events by which the dialect tells of a failure in the middle of a stream.
    virtual std::string failure(const ApiError& error) = 0;

protected:
    enum class Section : std::uint8_t { Reasoning, Text, Tool };

    virtual void begin() = 0;
    virtual void open(Section section) = 0;
    /// `piece` is JSON-escaped.
    virtual void say(Section section, std::string_view piece) = 0;
    virtual void close(Section section) = 0;
    virtual void end() = 0;

    const AnswerContext& context() const { return m_context; }
    const Content& content() const { return m_context.plan.content; }
    void emit(std::string bytes, bool isContent = false);
    /// Pieces of any section said so far.
    std::size_t said() const { return m_said; }
    std::string_view toolId() const { return m_toolId; }
    void setToolId(std::string id) { m_toolId = std::move(id); }

private:
    enum class Step : std::uint8_t { Begin, Reasoning, Text, Tool, Done };
    std::size_t piecesOf(Section section) const;
    std::string pieceOf(Section section, std::size_t index) const;
    void produce();

    AnswerContext m_context;
    std::deque<Frame> m_pending;
    Step m_step = Step::Begin;
    std::size_t m_index = 0;
    std::size_t m_said = 0;
    std::string m_toolId;
};

/// The stream of a dialect.
std::unique_ptr<EventSource> makeEvents(const AnswerContext& context);
/// The body of a non-stream answer.
std::string makeBody(const AnswerContext& context);
/// The body of an error answer.
std::string makeErrorBody(Dialect dialect, const ApiError& error);
/// The error object alone, as OpenAI's dialects write it.
std::string openAiErrorObject(const ApiError& error);

// One pair for each dialect; used by the functions above.
std::unique_ptr<EventSource> makeChatEvents(const AnswerContext& context);
std::unique_ptr<EventSource> makeCompletionEvents(const AnswerContext& context);
std::unique_ptr<EventSource> makeResponsesEvents(const AnswerContext& context);
std::unique_ptr<EventSource> makeMessagesEvents(const AnswerContext& context);
std::string makeChatBody(const AnswerContext& context);
std::string makeCompletionBody(const AnswerContext& context);
std::string makeEmbeddingsBody(const AnswerContext& context);
std::string makeResponsesBody(const AnswerContext& context);
std::string makeMessagesBody(const AnswerContext& context);

/// All pieces of the text, JSON-escaped.
std::string wholeText(const Content& content);
std::string wholeReasoning(const Content& content);

}  // namespace omni::sandbox
