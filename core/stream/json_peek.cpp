#include "stream/json_peek.h"

#include "base/text.h"

#include <simdjson.h>

#include <array>
#include <cstring>

namespace omni {

namespace dom = simdjson::dom;

namespace {

std::string_view text(simdjson::simdjson_result<dom::element> value)
{
    std::string_view view;
    return value.get(view) == simdjson::SUCCESS ? view : std::string_view();
}

bool hasText(simdjson::simdjson_result<dom::element> value) { return !text(value).empty(); }

std::int64_t number(simdjson::simdjson_result<dom::element> value, std::int64_t fallback = -1)
{
    std::int64_t whole = 0;
    if (value.get(whole) == simdjson::SUCCESS)
        return whole;
    double real = 0;
    return value.get(real) == simdjson::SUCCESS ? static_cast<std::int64_t>(real) : fallback;
}

bool nonEmptyArray(simdjson::simdjson_result<dom::element> value)
{
    dom::array array;
    return value.get(array) == simdjson::SUCCESS && array.begin() != array.end();
}

bool isObject(simdjson::simdjson_result<dom::element> value) { return value.error() == simdjson::SUCCESS && value.value_unsafe().is_object(); }

bool isNull(simdjson::simdjson_result<dom::element> value) { return value.error() != simdjson::SUCCESS || value.value_unsafe().is_null(); }

void readUsage(simdjson::simdjson_result<dom::element> value, TokenUsage& usage)
{
    dom::object object;
    if (value.get(object) != simdjson::SUCCESS)
        return;
    std::int64_t input = number(object["prompt_tokens"]);
    const std::int64_t anthropicInput = number(object["input_tokens"]);
    std::int64_t cached = number(object["prompt_tokens_details"]["cached_tokens"]);
    if (cached < 0)
        cached = number(object["input_tokens_details"]["cached_tokens"]);
    if (input < 0 && anthropicInput >= 0) {
        input = anthropicInput;
        // Anthropic counts what its cache took or gave apart (spec 4-surfaces §5.0.2: prompt = input + read + creation).
        const std::int64_t read = number(object["cache_read_input_tokens"], 0);
        const std::int64_t creation = number(object["cache_creation_input_tokens"], 0);
        input += read + creation;
        if (cached < 0 && read > 0)
            cached = read;
    }
    std::int64_t output = number(object["completion_tokens"]);
    if (output < 0)
        output = number(object["output_tokens"]);
    // Cumulative values: the last one that is told wins (field-faults E02).
    if (input >= 0)
        usage.input = input;
    if (output >= 0)
        usage.output = output;
    if (cached >= 0)
        usage.cached = cached;
}

void readError(simdjson::simdjson_result<dom::element> value, dom::object root, AnswerError& error)
{
    dom::object object;
    int status = static_cast<int>(number(root["status_code"], number(root["status"], 0)));
    if (value.get(object) == simdjson::SUCCESS) {
        error.type = text(object["type"]);
        error.code = text(object["code"]);
        error.message = text(object["message"]);
        if (status == 0)
            status = static_cast<int>(number(object["code"], number(object["status"], 0)));
    } else {
        error.message = text(value);
        error.type = text(root["error_type"]);
        error.code = text(root["code"]);
    }
    if (error.message.empty())
        error.message = text(root["message"]);
    error.status = statusOfError(status, error.type, error.code, error.message);
}

void readFinish(std::string_view reason, AnswerFacts& facts)
{
    if (reason.empty())
        return;
    facts.finished = true;
    constexpr std::array<std::string_view, 8> fine = {"length", "tool_calls", "function_call", "content_filter",
                                                      "max_tokens", "tool_use", "refusal", "pause_turn"};
    for (const std::string_view name : fine)
        facts.emptyEndingIsFine = facts.emptyEndingIsFine || reason == name;
}

void readMessageParts(dom::object message, AnswerFacts& facts)
{
    for (const char* key : {"content", "reasoning_content", "reasoning", "refusal", "text"})
        facts.content = facts.content || hasText(message[key]) || nonEmptyArray(message[key]);
    for (const char* key : {"tool_calls", "reasoning_details", "images", "annotations"})
        facts.content = facts.content || nonEmptyArray(message[key]);
    facts.toolCalls = facts.toolCalls || nonEmptyArray(message["tool_calls"]) || isObject(message["function_call"]);
    facts.content = facts.content || facts.toolCalls || isObject(message["audio"]);
}

void readChoices(dom::array choices, AnswerFacts& facts)
{
    for (const dom::element element : choices) {
        dom::object choice;
        if (element.get(choice) != simdjson::SUCCESS)
            continue;
        dom::object part;
        if (choice["delta"].get(part) == simdjson::SUCCESS || choice["message"].get(part) == simdjson::SUCCESS)
            readMessageParts(part, facts);
        facts.content = facts.content || hasText(choice["text"]);
        readFinish(text(choice["finish_reason"]), facts);
    }
    // Role-only chunks open an answer; empty lists carry filters or usage.
    facts.preamble = !facts.content && !facts.finished;
}

/// Events of Anthropic messages and OpenAI Responses, told by their type.
void readTyped(dom::object root, AnswerFacts& facts)
{
    const std::string_view type = facts.type;
    if (type == "ping" || type == "keepalive" || type == "heartbeat") {
        facts.preamble = true;
    } else if (type == "message_start") {
        facts.preamble = true;
        readUsage(root["message"]["usage"], facts.usage);
    } else if (type == "content_block_start") {
        const std::string_view block = text(root["content_block"]["type"]);
        facts.toolCalls = block == "tool_use" || block == "server_tool_use";
        facts.content = !(block == "text" || block == "thinking") || hasText(root["content_block"]["text"]);
        facts.preamble = !facts.content;
    } else if (type == "content_block_delta") {
        const std::string_view delta = text(root["delta"]["type"]);
        facts.content = delta != "text_delta" || hasText(root["delta"]["text"]);
        facts.preamble = !facts.content;
    } else if (type == "content_block_stop") {
        facts.preamble = true;
    } else if (type == "message_delta") {
        readUsage(root["usage"], facts.usage);
        readFinish(text(root["delta"]["stop_reason"]), facts);
        facts.preamble = !facts.finished;
    } else if (type == "message_stop") {
        facts.finished = true;
    } else if (type == "response.created" || type == "response.in_progress" || type == "response.queued"
               || type == "response.content_part.added" || type == "response.reasoning_summary_part.added") {
        facts.preamble = true;
    } else if (type == "response.output_item.added") {
        const std::string_view item = text(root["item"]["type"]);
        facts.preamble = item == "message" || item == "reasoning";
        facts.content = !facts.preamble;
    } else if (type == "response.completed" || type == "response.incomplete") {
        facts.finished = true;
        facts.content = nonEmptyArray(root["response"]["output"]);
        facts.emptyEndingIsFine = type == "response.incomplete";
        readUsage(root["response"]["usage"], facts.usage);
    } else {
        facts.content = true;
    }
}

}  // namespace

struct JsonPeek::Private {
    dom::parser parser;
    std::string padded;
};

JsonPeek::JsonPeek() : d(std::make_unique<Private>()) {}
JsonPeek::~JsonPeek() = default;

AnswerFacts JsonPeek::look(std::string_view json)
{
    AnswerFacts facts;
    d->padded.reserve(json.size() + simdjson::SIMDJSON_PADDING);
    d->padded.assign(json);
    dom::object root;
    if (d->parser.parse(d->padded.data(), json.size(), false).get(root) != simdjson::SUCCESS)
        return facts;
    facts.valid = true;
    facts.type = text(root["type"]);
    const bool responsesFailed = facts.type == "response.failed";
    if (facts.type == "error" || responsesFailed || !isNull(root["error"])) {
        const bool answersToo = nonEmptyArray(root["choices"]) || nonEmptyArray(root["output"]) || nonEmptyArray(root["content"])
                                || isObject(root["delta"]) || nonEmptyArray(root["candidates"]);
        if (facts.type == "error" || responsesFailed || !answersToo) {
            facts.errorOnly = true;
            if (responsesFailed)
                readError(root["response"]["error"], root, facts.error);
            else
                readError(!isNull(root["error"]) ? root["error"] : root["message"], root, facts.error);
            return facts;
        }
    }
    readUsage(root["usage"], facts.usage);
    dom::array choices;
    if (root["choices"].get(choices) == simdjson::SUCCESS) {
        readChoices(choices, facts);
        return facts;
    }
    if (facts.type.find('.') != std::string_view::npos || facts.type.find('_') != std::string_view::npos || facts.type == "ping"
        || facts.type == "keepalive" || facts.type == "heartbeat") {
        readTyped(root, facts);
        return facts;
    }
    // Whole answers of Anthropic ("content"), Responses ("output"), embeddings ("data"), token counts, or a shape of the future.
    readFinish(text(root["stop_reason"]), facts);
    facts.content = root.begin() != root.end();
    return facts;
}

}  // namespace omni
