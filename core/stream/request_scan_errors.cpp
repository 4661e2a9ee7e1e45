#include "stream/request_scan_errors.h"

namespace omni {

Error notAnObject(const std::string& why)
{
    return {ErrorKind::InvalidArgument, "The request body is not a JSON object: " + why, {{"body", "Invalid JSON body"}}};
}

Error givenTwice(std::string_view member)
{
    return {ErrorKind::InvalidArgument, "The member \"" + std::string(member) + "\" is given twice.",
            {{std::string(member), "must be given once"}}};
}

Error notAString(std::string_view member)
{
    return {ErrorKind::InvalidArgument, "The member \"" + std::string(member) + "\" must be a string.",
            {{std::string(member), "must be a string"}}};
}

Error notABoolean(std::string_view member)
{
    return {ErrorKind::InvalidArgument, "The member \"" + std::string(member) + "\" must be true or false.",
            {{std::string(member), "must be a boolean"}}};
}

}  // namespace omni
