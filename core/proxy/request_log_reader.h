#pragma once

#include "base/result.h"
#include "store/request_history.h"

#include <functional>
#include <memory>
#include <string>

class QObject;

namespace omni {

/// Reads the request log in a thread of its own, so that no query holds up a request. The thread and its database connection are made
/// at the first question. Answers come back in the caller's thread.
class RequestLogReader {
public:
    explicit RequestLogReader(std::string databasePath);
    /// Waits for the query that is running; those behind it are dropped.
    ~RequestLogReader();
    RequestLogReader(const RequestLogReader&) = delete;
    RequestLogReader& operator=(const RequestLogReader&) = delete;

    /// Whether the answer is still wanted when the turn of a question comes; from the reader's thread.
    using Wanted = std::function<bool()>;

    struct Listing {
        RequestHistory::Page page;
        std::int64_t total = -1;  ///< of the whole filter, when counted
    };
    /// `done` in `context`'s thread; not at all when `context` is gone by then or the answer is no longer wanted.
    void list(RequestFilter filter, RequestHistory::Cursor from, int limit, bool counted, Wanted wanted, QObject* context,
              std::function<void(Result<Listing>)> done);
    void request(RequestId id, Wanted wanted, QObject* context, std::function<void(Result<RequestRecord>)> done);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

}  // namespace omni
