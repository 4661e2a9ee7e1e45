#include "model/wire.h"

#include "model/enum_text.h"

namespace omni {

namespace {

constexpr EnumNames<Operation, Operation::CountTokens> kOperations("chat", "completions", "embeddings", "responses", "messages",
                                                                  "count_tokens");
constexpr EnumNames<Dialect, Dialect::Gemini> kDialects("openai", "openai-responses", "anthropic", "gemini");
constexpr EnumNames<Operation, Operation::CountTokens> kPaths("/chat/completions", "/completions", "/embeddings", "/responses", "/messages",
                                                              "/messages/count_tokens");
static_assert(decltype(kOperations)::kCount == kOperationCount);

}  // namespace

Dialect dialectOf(Operation operation)
{
    switch (operation) {
    case Operation::ChatCompletions:
    case Operation::Completions:
    case Operation::Embeddings: return Dialect::OpenAi;
    case Operation::Responses: return Dialect::OpenAiResponses;
    case Operation::Messages:
    case Operation::CountTokens: return Dialect::Anthropic;
    }
    return Dialect::OpenAi;
}

std::string_view toString(Operation operation)
{
    return kOperations.nameOf(operation);
}

std::optional<Operation> operationFromString(std::string_view name)
{
    return kOperations.valueOf(name);
}

std::string_view toString(Dialect dialect)
{
    return kDialects.nameOf(dialect);
}

std::optional<Dialect> dialectFromString(std::string_view name)
{
    return kDialects.valueOf(name);
}

std::string_view defaultPath(Operation operation)
{
    return kPaths.nameOf(operation);
}

}  // namespace omni
