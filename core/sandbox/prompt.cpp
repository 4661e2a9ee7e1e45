#include "sandbox/prompt.h"

#include "base/text.h"
#include "sandbox/json_scan.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace omni::sandbox {

namespace {

using Json = nlohmann::json;

constexpr std::array<std::string_view, 13> kNumbers = {"ms",      "chunks", "after", "bytes", "frame",   "seconds",    "n",
                                                       "percent", "status", "code",  "force", "headers", "retry-after"};

/// Above this size a body is only scanned, since checking every value would hold up the thread it shares with the proxy.
constexpr std::size_t kStrictLimit = 64 * 1024;

Error refused(std::string message)
{
    return Error{ErrorKind::InvalidArgument, std::move(message)};
}

bool endsWith(std::string_view text, std::string_view end)
{
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// Text of a message's content: a string, or the text parts of an array joined by line feeds.
std::string textOf(const Json& content)
{
    if (content.is_string())
        return content.get<std::string>();
    std::string text;
    if (!content.is_array())
        return text;
    for (const Json& part : content) {
        const auto found = part.is_object() ? part.find("text") : part.end();
        if (!part.is_object() || found == part.end() || !found->is_string())
            continue;
        if (!text.empty())
            text += '\n';
        text += found->get<std::string>();
    }
    return text;
}

std::string lastOf(std::string_view array)
{
    std::string text;
    JsonScan scan(array);
    for (std::string_view value; scan.nextElement(value);) {
        if (value.front() == '"') {
            text = jsonUnquoted(value);
            continue;
        }
        const Json element = Json::parse(value, nullptr, false);
        if (element.is_object() && element.value("role", Json()) == "user" && element.contains("content"))
            text = textOf(element["content"]);
    }
    return text;
}

/// A value that fits the schema as far as types and required properties go.
Json exampleOf(const Json& schema, int depth = 0)
{
    constexpr int kDeepest = 16;
    const Json type = schema.is_object() ? schema.value("type", Json()) : Json();
    if (schema.is_object() && schema.contains("enum") && schema["enum"].is_array() && !schema["enum"].empty())
        return schema["enum"].front();
    if (type == "number" || type == "integer")
        return 1;
    if (type == "boolean")
        return true;
    if (type == "array")
        return Json::array();
    if (type != "object" || depth == kDeepest)
        return "sandbox";
    Json object = Json::object();
    const Json properties = schema.value("properties", Json());
    for (const Json& name : schema.value("required", Json::array()))
        if (name.is_string())
            object[name.get<std::string>()] =
                exampleOf(properties.is_object() ? properties.value(name.get<std::string>(), Json()) : Json(), depth + 1);
    return object;
}

/// Name and schema, whichever of the dialects describes the tool.
std::optional<OfferedTool> toolOf(const Json& tool)
{
    const Json& function = tool.is_object() && tool.contains("function") ? tool["function"] : tool;
    if (!function.is_object() || !function.value("name", Json()).is_string())
        return std::nullopt;
    Json schema = function.value("parameters", function.value("input_schema", Json::object()));
    if (schema.is_object())
        schema["type"] = "object";
    return OfferedTool{function["name"].get<std::string>(), exampleOf(schema).dump(-1, ' ', true)};
}

void readEmbeddingInput(Prompt& prompt, std::string_view value)
{
    // A string or one array of token numbers is one input; an array of strings or of arrays is several.
    JsonScan scan(value);
    std::uint64_t count = 0;
    for (std::string_view element; scan.nextElement(element);)
        if (element.front() == '"' || element.front() == '[')
            ++count;
    prompt.embeddings = std::max<std::uint64_t>(count, 1);
}

}  // namespace

Result<ModelName> ModelName::parse(std::string_view text)
{
    ModelName name;
    constexpr std::string_view kPrefix = "sandbox/";
    if (text.substr(0, kPrefix.size()) == kPrefix)
        text.remove_prefix(kPrefix.size());
    const std::size_t mark = text.find('?');
    name.m_behaviour = text.substr(0, mark);
    std::string_view rest = mark == std::string_view::npos ? std::string_view() : text.substr(mark + 1);
    while (!rest.empty()) {
        const std::string_view pair = rest.substr(0, rest.find('&'));
        rest.remove_prefix(std::min(pair.size() + 1, rest.size()));
        const std::size_t equals = pair.find('=');
        const std::string_view key = pair.substr(0, equals);
        const std::string_view value = equals == std::string_view::npos ? std::string_view() : pair.substr(equals + 1);
        if (key == "kind") {
            name.m_kind = value;
            continue;
        }
        const auto number = parseUnsigned(value);
        if (std::find(kNumbers.begin(), kNumbers.end(), key) == kNumbers.end() || !number)
            return refused("The sandbox knows no parameter \"" + std::string(pair) +
                           "\"; a parameter is one of ms, chunks, after, bytes, "
                           "frame, seconds, n, percent, status, code, force, headers or retry-after with a whole number, or kind.");
        name.m_numbers.emplace_back(key, *number);
    }
    return name;
}

std::optional<std::uint64_t> ModelName::number(std::string_view name) const
{
    for (const auto& [key, value] : m_numbers)
        if (key == name)
            return value;
    return std::nullopt;
}

std::uint64_t ModelName::number(std::string_view name, std::uint64_t fallback, std::uint64_t limit) const
{
    return std::min(number(name).value_or(fallback), limit);
}

std::optional<Operation> operationOfPath(std::string_view path)
{
    // The longer paths come first: "/chat/completions" also ends in "/completions".
    for (const Operation operation : {Operation::ChatCompletions, Operation::CountTokens, Operation::Completions, Operation::Embeddings,
                                      Operation::Responses, Operation::Messages})
        if (endsWith(path, defaultPath(operation)))
            return operation;
    return std::nullopt;
}

Result<Prompt> readPrompt(Operation operation, std::string_view body)
{
    Prompt prompt;
    prompt.operation = operation;
    prompt.inputTokens = std::max<std::uint64_t>(1, (body.size() + 3) / 4);
    JsonScan scan(body);
    for (std::string_view key, value; scan.nextMember(key, value);) {
        if (key == "model") {
            prompt.model = jsonUnquoted(value);
        } else if (key == "stream") {
            prompt.stream = value == "true";
        } else if (key == "stream_options") {
            const Json options = Json::parse(value, nullptr, false);
            prompt.includeUsage = options.is_object() && options.value("include_usage", Json()) == true;
        } else if (operation == Operation::Embeddings && key == "input") {
            readEmbeddingInput(prompt, value);
        } else if (key == "encoding_format") {
            prompt.base64 = value == "\"base64\"";
        } else if (key == "dimensions") {
            prompt.dimensions = std::clamp<std::uint64_t>(parseUnsigned(value).value_or(8), 1, 4096);
        }
    }
    if (!scan.complete() || (body.size() <= kStrictLimit && !Json::accept(body)))
        return refused("The request's body is not a JSON object.");
    if (prompt.model.empty())
        return refused("The request names no model.");
    auto name = ModelName::parse(prompt.model);
    if (!name)
        return name.error();
    prompt.name = std::move(*name);
    if (operation == Operation::CountTokens || operation == Operation::Embeddings)
        prompt.stream = false;
    prompt.hasToolResult = body.find("\"tool_result\"") != std::string_view::npos ||
                           body.find("\"tool_call_id\"") != std::string_view::npos ||
                           body.find("\"function_call_output\"") != std::string_view::npos;
    return prompt;
}

std::string lastUserText(Operation operation, std::string_view body)
{
    const std::string_view wanted = operation == Operation::Completions                                       ? "prompt"
                                    : operation == Operation::Responses || operation == Operation::Embeddings ? "input"
                                                                                                              : "messages";
    std::string text;
    JsonScan scan(body);
    for (std::string_view key, value; scan.nextMember(key, value);)
        if (key == wanted)
            text = value.front() == '"' ? jsonUnquoted(value) : lastOf(value);
    return text;
}

std::optional<OfferedTool> offeredTool(std::string_view body)
{
    JsonScan scan(body);
    for (std::string_view key, value; scan.nextMember(key, value);) {
        if (key != "tools")
            continue;
        JsonScan tools(value);
        for (std::string_view tool; tools.nextElement(tool);)
            if (auto offered = toolOf(Json::parse(tool, nullptr, false)))
                return offered;
    }
    return std::nullopt;
}

}  // namespace omni::sandbox
