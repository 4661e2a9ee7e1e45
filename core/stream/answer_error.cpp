#include "stream/answer_error.h"

#include "base/text.h"

#include <array>
#include <utility>

namespace omni {

namespace {

struct Marker {
    std::string_view text;
    int status;
};

/// Looked for in type and code, in this order: the narrower ones first.
constexpr std::array<Marker, 18> kNames = {{
    {"overloaded", 529},
    {"insufficient_quota", 429},
    {"rate_limit", 429},
    {"quota", 429},
    {"too_many_requests", 429},
    {"billing", 402},
    {"payment", 402},
    {"authentication", 401},
    {"invalid_api_key", 401},
    {"permission", 403},
    {"content_policy", 400},
    {"content_filter", 400},
    {"invalid_request", 400},
    {"context_length", 400},
    {"not_found", 404},
    {"timeout", 504},
    {"unavailable", 503},
    {"server_error", 500},
}};

constexpr std::array<Marker, 5> kWords = {{
    {"overloaded", 529},
    {"rate limit", 429},
    {"quota", 429},
    {"too many requests", 429},
    {"context length", 400},
}};

}  // namespace

int statusOfError(int explicitStatus, std::string_view type, std::string_view code, std::string_view message)
{
    if (explicitStatus >= 400 && explicitStatus <= 599)
        return explicitStatus;
    for (const std::string_view name : {code, type}) {
        const std::string lowered = toLower(name);
        for (const Marker& marker : kNames)
            if (lowered.find(marker.text) != std::string::npos)
                return marker.status;
    }
    const std::string lowered = toLower(message);
    for (const Marker& marker : kWords)
        if (lowered.find(marker.text) != std::string::npos)
            return marker.status;
    return 502;
}

}  // namespace omni
