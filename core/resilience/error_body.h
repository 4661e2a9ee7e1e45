#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace omni {

/// One quota that a Google error names as exceeded (google.rpc.QuotaFailure).
struct QuotaViolation {
    std::string id;     ///< "GenerateRequestsPerDayPerProjectPerModel-FreeTier"
    std::string model;  ///< empty when the quota is not one model's
    std::int64_t limit = 0;  ///< 0 = not stated
};

/// What an error body says in its known fields; empty where it says nothing. Known are the shapes of OpenAI, Anthropic and Google, and
/// those of the many servers that imitate them: the error as an object, as a text, or at the root, alone or first in a list.
struct ErrorBody {
    bool json = false;
    std::string code;
    std::string type;
    std::string message;
    std::string details;                  ///< reasons, quota names and further messages, one a line
    std::string errorText;                ///< when "error" is a mere text
    bool keyInvalid = false;              ///< Google's API_KEY_INVALID
    std::vector<QuotaViolation> violations;  ///< at most 16
    std::string retryDelay;               ///< of a RetryInfo detail
    std::optional<double> retryAfterMs;   ///< retry_after_ms, retryAfterMs
    std::optional<double> retryAfterSec;  ///< retry_after, reset_seconds, and retryAfter as a number
    std::string retryAt;                  ///< retryAfter, retry_after or reset_at as a text

    /// Code, type, message and details, for reading as prose.
    std::string prose() const;
};

/// Reads error bodies; keeps its buffers for the next. Not thread-safe.
class ErrorBodyReader {
public:
    ErrorBodyReader();
    ~ErrorBodyReader();

    /// A body that is no JSON, or cut off, gives an empty answer.
    ErrorBody read(std::string_view body);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

}  // namespace omni
