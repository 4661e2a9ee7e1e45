#pragma once

#include "base/result.h"
#include "model/wire.h"
#include "sandbox/request_reader.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace omni::sandbox {

/// A model name taken apart: "sandbox/slow-stream?ms=50&chunks=8" is behaviour "slow-stream" with two parameters. The parameters are
/// numbers, but for `kind`.
class ModelName {
public:
    /// InvalidArgument when a parameter is unknown or no number, so that a typing mistake in a test is no silent success.
    static Result<ModelName> parse(std::string_view text);

    const std::string& behaviour() const { return m_behaviour; }
    std::optional<std::uint64_t> number(std::string_view name) const;
    /// The parameter or `fallback`, at most `limit`.
    std::uint64_t number(std::string_view name, std::uint64_t fallback, std::uint64_t limit = 1'000'000'000) const;
    std::string_view kind() const { return m_kind; }

private:
    std::string m_behaviour;
    std::string m_kind;
    std::vector<std::pair<std::string, std::uint64_t>> m_numbers;
};

/// A tool the client offers.
struct OfferedTool {
    std::string name;
    std::string arguments;  ///< JSON text that fits the tool's schema as far as required properties and their types go
};

/// What the sandbox needs to know of a request.
struct Prompt {
    Operation operation = Operation::ChatCompletions;
    std::string model;  ///< as it was asked for, parameters included
    ModelName name;
    bool stream = false;
    bool includeUsage = false;  ///< stream_options.include_usage
    bool hasToolResult = false;
    std::uint64_t inputTokens = 1;  ///< a quarter of the body's bytes
    std::uint64_t embeddings = 1;   ///< how many inputs an embeddings request has
    std::uint64_t dimensions = 8;
    bool base64 = false;
};

/// The operation a path asks for: /v1/chat/completions, /anything/messages, …
std::optional<Operation> operationOfPath(std::string_view path);

/// InvalidArgument when the body is no JSON object, names no model, or its model's parameters are wrong.
Result<Prompt> readPrompt(Operation operation, std::string_view body);
/// The text the user said last, of any dialect.
std::string lastUserText(Operation operation, std::string_view body);
/// The first tool the request offers.
std::optional<OfferedTool> offeredTool(std::string_view body);

}  // namespace omni::sandbox
