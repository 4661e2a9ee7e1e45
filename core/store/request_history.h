#pragma once

#include "base/result.h"
#include "model/request_record.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace omni {

/// Reads the request log over a read-only connection of its own. Belongs to the thread that makes it; make one for each.
/// Pages by key, never by OFFSET, so that the millionth row costs what the first does. No read outlasts its call, so the
/// writer's log can always be checkpointed.
///
/// Of a filter: `text` minds no case of ASCII letters; `model` is the one asked for or the one that answered; `client` is the whole name; `from` and `to`
/// are both included; `failuresOnly` leaves out answered requests and those whose client left.
class RequestHistory {
public:
    static Result<std::unique_ptr<RequestHistory>> open(const std::string& databasePath);
    ~RequestHistory();

    /// A place in the log: rows older than it come next.
    struct Cursor {
        std::int64_t startedAtMs = INT64_MAX;
        std::int64_t rowId = INT64_MAX;
    };
    struct Page {
        std::vector<RequestRecord> records;  ///< newest first; attempts (but for attemptCount), exclusions and headers are left empty
        std::optional<Cursor> next;
    };
    Result<Page> page(const RequestFilter& filter, Cursor from, int limit);
    Result<std::int64_t> count(const RequestFilter& filter);
    /// Whole, with attempts, exclusions and headers. NotFound when it was pruned.
    Result<RequestRecord> request(const RequestId& id);
    /// Requests since `from` that tried the connection or left it out, newest first, at most `limit`, with attempts and exclusions.
    /// Looks at the newest 100,000 requests at most.
    Result<std::vector<RequestRecord>> concerning(const ConnectionId& connection, WallTime from, int limit);
    /// Whom the newest requests (100,000 at most) were for and from: what a filter can be set to. Each list without doubles and blanks, in
    /// alphabetical order and, of what clients may choose, of at most 300 names; of a connection the newest name counts.
    struct Names {
        std::vector<std::string> models;  ///< asked for or answering
        std::vector<std::string> clients;
        std::vector<std::pair<ConnectionId, std::string>> connections;  ///< by name
    };
    Result<Names> names();
    /// Requests that came in between `from` and `to`, both included, with attempts and exclusions, newest first, at most `limit`: where there
    /// are more, those that failed or needed more than one attempt come before the others.
    Result<std::vector<RequestRecord>> during(WallTime from, WallTime to, int limit);

private:
    struct Private;
    explicit RequestHistory(std::unique_ptr<Private> d);
    std::unique_ptr<Private> d;
};

}  // namespace omni
