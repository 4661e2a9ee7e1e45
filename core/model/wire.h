#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace omni {

/// In whose words a client or an upstream speaks: shapes of bodies, events and errors.
enum class Dialect : std::uint8_t { OpenAi, OpenAiResponses, Anthropic, Gemini };

/// What is asked of an upstream. Each belongs to one dialect and has one path.
enum class Operation : std::uint8_t { ChatCompletions, Completions, Embeddings, Responses, Messages, CountTokens };
inline constexpr std::size_t kOperationCount = 6;

Dialect dialectOf(Operation operation);
/// "chat", "completions", "embeddings", "responses", "messages", "count_tokens": as the catalogue names them.
std::string_view toString(Operation operation);
std::optional<Operation> operationFromString(std::string_view name);
/// "openai", "openai-responses", "anthropic", "gemini".
std::string_view toString(Dialect dialect);
std::optional<Dialect> dialectFromString(std::string_view name);
/// The path below a base URL that ends in /v1, such as "/chat/completions".
std::string_view defaultPath(Operation operation);

}  // namespace omni
