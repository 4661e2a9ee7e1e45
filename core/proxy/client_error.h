#pragma once

#include "model/request_record.h"
#include "model/wire.h"
#include "proxy/http_message.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace omni {

/// An error of ours, told in the client's own dialect (spec 4-surfaces §4.6).
struct ClientError {
    int status = 500;
    std::string code;     ///< "all_targets_cooling_down"; empty = the status' default
    std::string type;     ///< empty = the status' default
    std::string message;
    std::optional<Millis> retryAfter;  ///< becomes Retry-After in whole seconds, at least 1
    std::vector<ExcludedTarget> excluded;
    std::vector<AttemptRecord> attempts;
};

/// The dialect a path speaks; OpenAi for anything unknown.
Dialect dialectOfPath(std::string_view path);
/// JSON body.
std::string renderError(const ClientError& error, Dialect dialect);
/// The same as one or more events for a stream that has begun, including what ends a stream in that dialect after an error.
std::string renderStreamError(const ClientError& error, Dialect dialect);
/// Retry-After and the x-omniroute-* headers.
HeaderList errorHeaders(const ClientError& error);
/// Head and body at once.
void sendError(ResponseWriter& writer, const ClientError& error, Dialect dialect, const HeaderList& extra = {});

}  // namespace omni
