#pragma once

#include "stream/answer_error.h"
#include "stream/usage.h"

#include <memory>
#include <optional>
#include <string_view>

namespace omni {

/// What one JSON text of an answer says, as far as a proxy must know.
struct AnswerFacts {
    bool valid = false;      ///< a JSON object
    std::string_view type;   ///< top-level "type"
    bool errorOnly = false;  ///< has a non-null "error" (or is of type error) and nothing that would be an answer
    AnswerError error;
    bool content = false;      ///< carries something of the answer itself
    bool toolCalls = false;
    bool preamble = false;     ///< opens the answer without carrying any of it
    bool finished = false;     ///< has a finish or stop reason
    bool emptyEndingIsFine = false;  ///< that reason may end an answer without content
    TokenUsage usage;
};

/// Looks into chunks and bodies with simdjson; keeps its buffers between calls, so steady state allocates nothing. One thread.
class JsonPeek {
public:
    JsonPeek();
    ~JsonPeek();
    JsonPeek(const JsonPeek&) = delete;
    JsonPeek& operator=(const JsonPeek&) = delete;

    /// The views in the result last until the next call.
    AnswerFacts look(std::string_view json);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

}  // namespace omni
