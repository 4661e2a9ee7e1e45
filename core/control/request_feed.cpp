#include "control/request_feed.h"

#include <iterator>
#include <utility>

namespace omni {

namespace {

constexpr std::size_t kBatchRows = 100;
constexpr Millis kBatchTime{250};
constexpr std::size_t kShownRows = 200;
constexpr Millis kShowInterval{250};

}  // namespace

RequestFeed::RequestFeed(Scheduler& scheduler, Sinks sinks)
    : m_sinks(std::move(sinks)), m_flush(scheduler, [this] { flush(); }), m_show(scheduler, kShowInterval, [this] { show(); })
{
}

RequestFeed::~RequestFeed() { flush(); }

void RequestFeed::add(RequestRecord record)
{
    if (record.keepInLog && m_sinks.watched()) {
        if (m_recent.size() < kShownRows) {
            m_recent.push_back(record);
        } else {
            m_recent[m_oldest] = record;
            m_oldest = (m_oldest + 1) % kShownRows;
        }
        m_show.poke();
    }
    if (m_batch.empty()) {
        m_batch.reserve(kBatchRows);
        m_flush.start(kBatchTime);
    }
    m_batch.push_back(std::move(record));
    if (m_batch.size() >= kBatchRows)
        flush();
}

void RequestFeed::beforeClearing()
{
    flush();
    m_recent.clear();
    m_oldest = 0;
}

void RequestFeed::flush()
{
    m_flush.stop();
    if (!m_batch.empty())
        m_sinks.log(std::exchange(m_batch, {}));
}

void RequestFeed::show()
{
    if (m_recent.empty())
        return;
    QList<RequestRecord> records;
    records.reserve(static_cast<qsizetype>(m_recent.size()));
    for (std::size_t i = 0; i < m_recent.size(); ++i)
        records.push_back(std::move(m_recent[(m_oldest + i) % m_recent.size()]));
    m_recent.clear();
    m_oldest = 0;
    m_sinks.show(std::move(records));
}

}  // namespace omni
