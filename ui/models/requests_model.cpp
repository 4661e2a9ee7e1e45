#include "ui/models/requests_model.h"

#include "ui/models/history_reader.h"

#include <QString>

#include <algorithm>
#include <utility>

namespace omni {

namespace {

/// The writer batches for 250 ms: what finished this short a time before a read may be missing from it.
constexpr qint64 kWriteBehindMs = 2000;
/// At most this often is the top read anew when traffic is heavier than the live signals.
constexpr int kCatchUpMs = 2000;
/// A signal that brings this many may have left some out (Control::requestsFinished).
constexpr int kFullBatch = 200;

}  // namespace

RequestsModel::RequestsModel(const std::string& databasePath, QObject* parent)
    : QAbstractTableModel(parent),
      m_reader(std::make_unique<HistoryReader>(databasePath)),
      m_counter(std::make_unique<HistoryReader>(databasePath)),
      m_readWanted(new QTimer(this)),
      m_catchUp(new QTimer(this))
{
    m_clock.start();
    m_readWanted->setSingleShot(true);
    connect(m_readWanted, &QTimer::timeout, this, &RequestsModel::readWanted);
    m_catchUp->setSingleShot(true);
    m_catchUp->setInterval(kCatchUpMs);
    connect(m_catchUp, &QTimer::timeout, this, [this] {
        if (!m_paused)
            reload();
    });
}

RequestsModel::~RequestsModel() = default;

void RequestsModel::setConfiguration(ConfigurationPtr configuration)
{
    m_configuration = std::move(configuration);
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, Target), index(rowCount() - 1, Target));
}

void RequestsModel::setFilter(const RequestFilter& filter)
{
    m_filter = filter;
    reload();
}

void RequestsModel::names(QObject* context, std::function<void(Result<RequestHistory::Names>)> answer)
{
    m_counter->names(context, std::move(answer));
}

void RequestsModel::reload()
{
    m_reader->forgetPages();
    m_catchUp->stop();
    m_wanted.clear();
    m_loadingNext = false;
    m_loading = true;
    const qint64 asked = m_clock.elapsed();
    m_reader->page(m_filter, {}, kPageRows, this, [this, asked](Result<RequestHistory::Page> page) {
        m_loading = false;
        if (page)
            applyTop(std::move(*page), asked);
        else
            fail(page.error());
    });
    Q_EMIT statusChanged();
}

void RequestsModel::startOver()
{
    m_recent.clear();
    reload();
}

void RequestsModel::countAnew()
{
    m_counter->forgetPages();
    m_counter->count(m_filter, this, [this](Result<std::int64_t> count) {
        m_total = count.valueOr(-1);
        Q_EMIT statusChanged();
    });
}

void RequestsModel::fail(const Error& error)
{
    m_problem = QString::fromStdString(error.message);
    Q_EMIT statusChanged();
}

void RequestsModel::applyTop(RequestHistory::Page page, qint64 askedMs)
{
    std::unordered_set<RequestId> stored;
    for (const RequestRecord& record : page.records)
        stored.insert(record.id);

    beginResetModel();
    m_waiting.clear();
    m_live.clear();
    m_liveIds.clear();
    for (const LivePart& part : m_recent) {
        const bool wanted =
            part.arrivedMs >= askedMs - kWriteBehindMs && !stored.contains(part.record.id) && matches(m_filter, part.record);
        if (wanted && m_liveIds.insert(part.record.id).second)
            m_live.push_back(part);
    }
    m_pages.clear();
    m_wanted.clear();
    m_pages.push_back(makePage({}, 0, std::move(page.records)));
    m_historyRows = m_pages.back().rows;
    m_next = page.next;
    m_problem.clear();
    endResetModel();
    if (std::exchange(m_pending, 0) != 0)
        Q_EMIT pendingChanged(0);
    countAnew();
    Q_EMIT statusChanged();
}

RequestsModel::Page RequestsModel::makePage(RequestHistory::Cursor from, int firstRow, std::vector<RequestRecord> records) const
{
    Page page;
    page.from = from;
    page.firstRow = firstRow;
    std::erase_if(records, [&](const RequestRecord& record) {
        if (!m_liveIds.contains(record.id))
            return false;
        page.skipped.insert(record.id);
        return true;
    });
    page.rows = static_cast<int>(records.size());
    page.records = std::move(records);
    page.present = true;
    page.lastUse = ++m_useCounter;
    return page;
}

bool RequestsModel::canFetchMore(const QModelIndex& parent) const
{
    return !parent.isValid() && m_next.has_value() && !m_loading && !m_loadingNext;
}

void RequestsModel::fetchMore(const QModelIndex& parent)
{
    if (!canFetchMore(parent))
        return;
    m_loadingNext = true;
    const RequestHistory::Cursor from = *m_next;
    m_reader->page(m_filter, from, kPageRows, this, [this, from](Result<RequestHistory::Page> page) {
        m_loadingNext = false;
        if (page)
            applyNext(from, std::move(*page));
        else
            fail(page.error());
    });
}

void RequestsModel::applyNext(RequestHistory::Cursor from, RequestHistory::Page page)
{
    m_next = page.next;
    Page made = makePage(from, m_historyRows, std::move(page.records));
    if (made.rows == 0)
        return;
    const int first = rowCount();
    beginInsertRows({}, first, first + made.rows - 1);
    m_historyRows += made.rows;
    m_pages.push_back(std::move(made));
    endInsertRows();
    dropOldPages();
}

void RequestsModel::readWanted()
{
    const std::set<std::size_t> wanted = std::exchange(m_wanted, {});
    for (const std::size_t number : wanted) {
        if (number >= m_pages.size() || m_pages[number].present || m_pages[number].asked)
            continue;
        Page& page = m_pages[number];
        page.asked = true;
        const int rows = page.rows + static_cast<int>(page.skipped.size());
        m_reader->page(m_filter, page.from, rows, this, [this, number](Result<RequestHistory::Page> again) {
            if (again)
                applyAgain(number, std::move(*again));
            else
                fail(again.error());
        });
    }
}

void RequestsModel::applyAgain(std::size_t number, RequestHistory::Page again)
{
    if (number >= m_pages.size())
        return;
    Page& page = m_pages[number];
    std::erase_if(again.records, [&page](const RequestRecord& record) { return page.skipped.contains(record.id); });
    // Rows pruned meanwhile stay as blanks until the next reload: the rows below keep their places.
    again.records.resize(static_cast<std::size_t>(page.rows));
    page.records = std::move(again.records);
    page.present = true;
    page.asked = false;
    page.lastUse = ++m_useCounter;
    const int first = static_cast<int>(m_live.size()) + page.firstRow;
    Q_EMIT dataChanged(index(first, 0), index(first + page.rows - 1, ColumnCount - 1));
    dropOldPages();
}

void RequestsModel::dropOldPages()
{
    while (pagesInMemory() > kMaxPages) {
        auto oldest = m_pages.end();
        // The first page stays: the way back to the top is always smooth.
        for (auto page = m_pages.begin() + 1; page != m_pages.end(); ++page) {
            if (page->present && (oldest == m_pages.end() || page->lastUse < oldest->lastUse))
                oldest = page;
        }
        if (oldest == m_pages.end())
            return;
        oldest->present = false;
        oldest->records = {};
    }
}

int RequestsModel::pagesInMemory() const
{
    return static_cast<int>(std::count_if(m_pages.begin(), m_pages.end(), [](const Page& page) { return page.present; }));
}

void RequestsModel::setPaused(bool paused)
{
    if (m_paused == paused)
        return;
    m_paused = paused;
    if (paused || m_pending == 0)
        return;
    const bool lost = static_cast<std::size_t>(m_pending) > m_waiting.size();
    m_pending = 0;
    putOnTop(std::exchange(m_waiting, {}));
    Q_EMIT pendingChanged(0);
    if (lost)
        reload();
}

void RequestsModel::remember(const QList<RequestRecord>& records)
{
    const qint64 now = m_clock.elapsed();
    while (!m_recent.empty() && m_recent.back().arrivedMs < now - kWriteBehindMs)
        m_recent.pop_back();
    for (const RequestRecord& record : records)
        m_recent.push_front({record, now});
    if (m_recent.size() > kMaxRecent)
        m_recent.resize(kMaxRecent);
}

void RequestsModel::catchUp()
{
    m_catchUp->start();
}

void RequestsModel::addFinished(const QList<RequestRecord>& records)
{
    std::deque<LivePart> fresh;
    const qint64 now = m_clock.elapsed();
    for (const RequestRecord& record : records) {
        if (matches(m_filter, record))
            fresh.push_front({record, now});
    }
    remember(records);
    if (!m_paused) {
        putOnTop(std::move(fresh));
        if ((records.size() >= kFullBatch || m_live.size() > kMaxLive) && !m_catchUp->isActive() && !m_loading)
            m_catchUp->start();
        return;
    }
    if (fresh.empty())
        return;
    m_pending += static_cast<int>(fresh.size());
    m_waiting.insert(m_waiting.begin(), std::make_move_iterator(fresh.begin()), std::make_move_iterator(fresh.end()));
    if (m_waiting.size() > kMaxWaiting)
        m_waiting.resize(kMaxWaiting);
    Q_EMIT pendingChanged(m_pending);
}

void RequestsModel::putOnTop(std::deque<LivePart> newestFirst)
{
    std::unordered_set<RequestId> incoming;
    for (const LivePart& part : newestFirst)
        incoming.insert(part.record.id);
    std::unordered_set<RequestId> known;
    for (const Page& page : m_pages) {
        for (const RequestRecord& record : page.records) {
            if (incoming.contains(record.id))
                known.insert(record.id);
        }
    }
    std::erase_if(newestFirst, [&](const LivePart& part) { return known.contains(part.record.id) || m_liveIds.contains(part.record.id); });
    if (newestFirst.empty())
        return;
    beginInsertRows({}, 0, static_cast<int>(newestFirst.size()) - 1);
    for (const LivePart& part : newestFirst)
        m_liveIds.insert(part.record.id);
    if (m_total >= 0)
        m_total += static_cast<std::int64_t>(newestFirst.size());
    m_live.insert(m_live.begin(), std::make_move_iterator(newestFirst.begin()), std::make_move_iterator(newestFirst.end()));
    endInsertRows();
    Q_EMIT statusChanged();
}

std::size_t RequestsModel::pageOf(int historyRow) const
{
    const auto after =
        std::upper_bound(m_pages.begin(), m_pages.end(), historyRow, [](int row, const Page& page) { return row < page.firstRow; });
    return static_cast<std::size_t>(after - m_pages.begin()) - 1;
}

const RequestRecord* RequestsModel::recordAt(int row) const
{
    if (row < 0 || row >= rowCount())
        return nullptr;
    const int live = static_cast<int>(m_live.size());
    if (row < live)
        return &m_live[static_cast<std::size_t>(row)].record;
    const std::size_t number = pageOf(row - live);
    Page& page = m_pages[number];
    if (!page.present) {
        if (!page.asked && m_wanted.insert(number).second)
            m_readWanted->start(0);
        return nullptr;
    }
    page.lastUse = ++m_useCounter;
    return &page.records[static_cast<std::size_t>(row - live - page.firstRow)];
}

int RequestsModel::rowOf(const RequestId& id) const
{
    for (std::size_t i = 0; i < m_live.size(); ++i) {
        if (m_live[i].record.id == id)
            return static_cast<int>(i);
    }
    for (const Page& page : m_pages) {
        for (std::size_t i = 0; i < page.records.size(); ++i) {
            if (page.records[i].id == id)
                return static_cast<int>(m_live.size() + static_cast<std::size_t>(page.firstRow) + i);
        }
    }
    return -1;
}

void RequestsModel::wholeRecord(const RequestId& id, QObject* context, std::function<void(Result<RequestRecord>)> answer)
{
    const auto live = std::find_if(m_live.begin(), m_live.end(), [&id](const LivePart& part) { return part.record.id == id; });
    if (live != m_live.end()) {
        answer(live->record);
        return;
    }
    m_reader->request(id, context, std::move(answer));
}

int RequestsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_live.size()) + m_historyRows;
}

int RequestsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

}  // namespace omni
