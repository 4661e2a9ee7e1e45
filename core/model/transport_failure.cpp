#include "model/transport_failure.h"

#include "model/enum_text.h"

namespace omni {

namespace {

constexpr EnumNames<TransportFailure, TransportFailure::EmptyAnswer> kFailures(
    "none", "resolve_failed", "connect_failed", "connect_timeout", "tls_failed", "proxy_failed", "reset", "closed_early",
    "first_byte_timeout", "idle_timeout", "deadline_exceeded", "readiness_timeout", "bad_response", "empty_answer");

}  // namespace

std::string_view toString(TransportFailure failure)
{
    return kFailures.nameOf(failure);
}

TransportFailure transportFailureFromString(std::string_view text)
{
    return kFailures.valueOf(text).value_or(TransportFailure::None);
}

}  // namespace omni
