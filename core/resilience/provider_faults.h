#pragma once

#include "model/transport_failure.h"
#include "resilience/markers.h"

namespace omni {

/// 408, 500, 502, 503, 504 (guide §1): the only statuses a breaker counts.
bool isTripStatus(int status);

/// A transport failure that speaks about the provider. Not: the connection's own proxy, an answer without content, a stream that thought
/// too long, and our own deadline once the answer had begun.
bool isProviderTransportFault(TransportFailure failure, bool afterCommit);

/// No connection came about, or it broke: one fault of the network is met by many requests at once (spec 1-core §1.9).
bool isNetworkFault(TransportFailure failure);

/// What a breaker must not count though it looks like a failure (spec 1-core §1.8): the client or our own side gave up, a local program
/// could not run, or only the model's capacity is short.
bool isNobodysFault(int status, const MarkerSet& markers, bool overloadedType);

/// In words, for evidence and the log: "the connection was reset".
std::string_view describe(TransportFailure failure);

}  // namespace omni
