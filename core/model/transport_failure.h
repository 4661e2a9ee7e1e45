#pragma once

#include <cstdint>
#include <string_view>

namespace omni {

/// How an attempt ended without an HTTP answer.
enum class TransportFailure : std::uint8_t {
    None, ResolveFailed, ConnectFailed, ConnectTimeout, TlsFailed, ProxyFailed, Reset, ClosedEarly, FirstByteTimeout, IdleTimeout,
    DeadlineExceeded, ReadinessTimeout, BadResponse, EmptyAnswer
};
std::string_view toString(TransportFailure failure);  ///< "none", "resolve_failed", …
/// None for anything else.
TransportFailure transportFailureFromString(std::string_view text);

}  // namespace omni
