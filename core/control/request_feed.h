#pragma once

#include "base/scheduler.h"
#include "control/throttle.h"
#include "model/request_record.h"

#include <QList>

#include <functional>
#include <vector>

namespace omni {

/// Gathers finished requests: for the log in batches of 100 rows or 250 ms, for the windows the newest 200 at most four times a second.
/// What is not kept in the log goes on to be counted and is not shown. On the way of every request, so it moves and does no more; the copy
/// for the windows is made only while somebody looks.
class RequestFeed {
public:
    struct Sinks {
        std::function<void(std::vector<RequestRecord>)> log;
        std::function<bool()> watched;
        std::function<void(QList<RequestRecord>)> show;
    };
    RequestFeed(Scheduler& scheduler, Sinks sinks);
    /// What is gathered still goes to the log.
    ~RequestFeed();

    void add(RequestRecord record);
    /// The log is about to be emptied: what is gathered goes to it before that, so that its usage counts, and is not shown.
    void beforeClearing();

private:
    void flush();
    void show();

    Sinks m_sinks;
    std::vector<RequestRecord> m_batch;
    std::vector<RequestRecord> m_recent;  ///< a ring once it is full
    std::size_t m_oldest = 0;
    Timer m_flush;
    Throttle m_show;
};

}  // namespace omni
