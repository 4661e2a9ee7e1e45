#pragma once

#include <string>
#include <string_view>

namespace omni {

/// An error that came inside an answer which began as a success.
struct AnswerError {
    int status = 502;  ///< what it would have been as an HTTP status
    std::string type;
    std::string code;
    std::string message;
};

/// The status that an error's own words stand for: an explicit number, its type or code, else what its text smells of (spec 4-surfaces §4.6).
int statusOfError(int explicitStatus, std::string_view type, std::string_view code, std::string_view message);

}  // namespace omni
