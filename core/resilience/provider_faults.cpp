#include "resilience/provider_faults.h"

namespace omni {

bool isTripStatus(int status)
{
    return status == 408 || status == 500 || status == 502 || status == 503 || status == 504;
}

bool isProviderTransportFault(TransportFailure failure, bool afterCommit)
{
    switch (failure) {
    case TransportFailure::ResolveFailed:
    case TransportFailure::ConnectFailed:
    case TransportFailure::ConnectTimeout:
    case TransportFailure::TlsFailed:
    case TransportFailure::Reset:
    case TransportFailure::ClosedEarly:
    case TransportFailure::FirstByteTimeout:
    case TransportFailure::IdleTimeout:
    case TransportFailure::BadResponse: return true;
    case TransportFailure::DeadlineExceeded: return !afterCommit;
    case TransportFailure::None:
    case TransportFailure::ProxyFailed:
    case TransportFailure::ReadinessTimeout:
    case TransportFailure::EmptyAnswer: return false;
    }
    return false;
}

bool isNetworkFault(TransportFailure failure)
{
    switch (failure) {
    case TransportFailure::ResolveFailed:
    case TransportFailure::ConnectFailed:
    case TransportFailure::ConnectTimeout:
    case TransportFailure::TlsFailed:
    case TransportFailure::Reset:
    case TransportFailure::ClosedEarly: return true;
    case TransportFailure::None:
    case TransportFailure::ProxyFailed:
    case TransportFailure::FirstByteTimeout:
    case TransportFailure::IdleTimeout:
    case TransportFailure::DeadlineExceeded:
    case TransportFailure::ReadinessTimeout:
    case TransportFailure::BadResponse:
    case TransportFailure::EmptyAnswer: return false;
    }
    return false;
}

bool isNobodysFault(int status, const MarkerSet& markers, bool overloadedType)
{
    // An answer with a status of its own was no abort and ran on no local program, whatever its text quotes.
    const bool withoutStatus = status == 0 || status == 499;
    if (status == 499 || (withoutStatus && (markers.has(Marker::LocalAbort) || markers.has(Marker::LocalExecution))))
        return true;
    return status == 529 || overloadedType || markers.has(Marker::Overloaded);
}

std::string_view describe(TransportFailure failure)
{
    switch (failure) {
    case TransportFailure::None: return "no failure of the transport";
    case TransportFailure::ResolveFailed: return "the host name could not be resolved";
    case TransportFailure::ConnectFailed: return "the connection was refused or the host cannot be reached";
    case TransportFailure::ConnectTimeout: return "connecting took too long";
    case TransportFailure::TlsFailed: return "the TLS handshake failed";
    case TransportFailure::ProxyFailed: return "the connection's own proxy failed";
    case TransportFailure::Reset: return "the connection was reset";
    case TransportFailure::ClosedEarly: return "the connection was closed before the answer was complete";
    case TransportFailure::FirstByteTimeout: return "no answer came in time";
    case TransportFailure::IdleTimeout: return "the answer stopped coming";
    case TransportFailure::DeadlineExceeded: return "the attempt reached its deadline";
    case TransportFailure::ReadinessTimeout: return "the stream brought no content in time";
    case TransportFailure::BadResponse: return "the answer was no valid HTTP";
    case TransportFailure::EmptyAnswer: return "the answer had no content";
    }
    return "the transport failed";
}

}  // namespace omni
