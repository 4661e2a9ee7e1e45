#include "base/result.h"

namespace omni {

std::string_view toString(ErrorKind kind)
{
    switch (kind) {
    case ErrorKind::InvalidArgument: return "invalid_argument";
    case ErrorKind::NotFound: return "not_found";
    case ErrorKind::Conflict: return "conflict";
    case ErrorKind::Unauthorized: return "unauthorized";
    case ErrorKind::Forbidden: return "forbidden";
    case ErrorKind::LimitExceeded: return "limit_exceeded";
    case ErrorKind::Unavailable: return "unavailable";
    case ErrorKind::Timeout: return "timeout";
    case ErrorKind::Cancelled: return "cancelled";
    case ErrorKind::Network: return "network";
    case ErrorKind::Protocol: return "protocol";
    case ErrorKind::Storage: return "storage";
    case ErrorKind::Secret: return "secret";
    case ErrorKind::Internal: return "internal";
    }
    return "internal";
}

std::string describe(const Error& error)
{
    std::string text = error.message;
    for (const FieldError& detail : error.details) {
        text += text.empty() ? "" : "; ";
        text += detail.field + ": " + detail.message;
    }
    return text;
}

}  // namespace omni
