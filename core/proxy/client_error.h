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
    std::string message;  ///< empty = the status' default; sanitised when rendered
    std::optional<Millis> retryAfter;  ///< becomes Retry-After in whole seconds, at least 1
    std::vector<ExcludedTarget> excluded;
    std::vector<AttemptRecord> attempts;
};

/// What is known of a stream that has begun, for dialects whose last event repeats it. Zero and empty = unknown.
struct StreamPosition {
    std::string responseId;  ///< of response.created
    std::int64_t createdAt = 0;  ///< seconds since 1970
    std::int64_t nextSequence = 0;
};

/// The dialect a path speaks; OpenAi for anything unknown.
Dialect dialectOfPath(std::string_view path);
/// The first line, at most 4,096 bytes, without control characters, file system paths, data URLs or anything that looks like a credential.
std::string sanitisedMessage(std::string_view text);
/// JSON body.
std::string renderError(const ClientError& error, Dialect dialect);
/// The same as one or more events for a stream that has begun, including what ends a stream in that dialect after an error.
std::string renderStreamError(const ClientError& error, Dialect dialect, const StreamPosition& position = {});
/// Retry-After and the x-omniroute-* headers. Values are visible Latin-1.
HeaderList errorHeaders(const ClientError& error);
/// Head and body at once. The head must not have been sent: see renderStreamError for what comes after that.
void sendError(ResponseWriter& writer, const ClientError& error, Dialect dialect, const HeaderList& extra = {});

}  // namespace omni
