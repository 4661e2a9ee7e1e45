#pragma once

#include "control/control.h"
#include "store/request_history.h"

#include <QAbstractTableModel>
#include <QElapsedTimer>
#include <QList>
#include <QTimer>

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

namespace omni {

class HistoryReader;

/// Whether a finished request belongs under a filter; the same rule as the store's own query.
bool matches(const RequestFilter& filter, const RequestRecord& record);

/// The request log, newest first: what finishes now on top of what the store keeps.
///
/// History comes in pages by key as the view asks for more. Only a bounded number of pages is kept; one that was dropped is read again
/// when the view comes back to it. Under heavy traffic not every request is told live: the top is then read anew from the store.
class RequestsModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Time, State, Status, Model, Target, Client, Duration, FirstToken, Tokens, Attempts, Failure, ColumnCount };
    static constexpr int kPageRows = 200;
    static constexpr int kMaxPages = 20;   ///< kept in memory
    static constexpr int kMaxLive = 1000;  ///< finished requests above the history before the top is read anew

    explicit RequestsModel(const std::string& databasePath, QObject* parent = nullptr);
    ~RequestsModel() override;

    void setConfiguration(ConfigurationPtr configuration);
    /// Starts over with the first page.
    void setFilter(const RequestFilter& filter);
    const RequestFilter& filter() const { return m_filter; }
    void reload();
    /// The log was emptied: nothing that came before is shown again.
    void startOver();
    /// What the log's newest requests can be filtered by.
    void names(QObject* context, std::function<void(Result<RequestHistory::Names>)> answer);
    /// While paused nothing is put on top; what comes is only counted. Going on shows it.
    void setPaused(bool paused);
    bool paused() const { return m_paused; }
    int pending() const { return m_pending; }
    /// Newest last, as Control tells them.
    void addFinished(const QList<RequestRecord>& records);
    /// The same while nobody looks: only kept for the next reload, in case the store has not written them by then.
    void remember(const QList<RequestRecord>& records);
    /// Reads the top anew in a moment, once the store has written what it holds back now.
    void catchUp();

    /// Null while the row's page is being read.
    const RequestRecord* recordAt(int row) const;
    int rowOf(const RequestId& id) const;  ///< among the rows in memory; -1 = not there
    /// All of one request, in `context`'s thread; from memory when it has just finished.
    void wholeRecord(const RequestId& id, QObject* context, std::function<void(Result<RequestRecord>)> answer);
    /// How many the store holds under the filter; -1 = not counted yet.
    std::int64_t total() const { return m_total; }
    bool loading() const { return m_loading; }
    /// Why the history cannot be read; empty = it can.
    QString problem() const { return m_problem; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    bool canFetchMore(const QModelIndex& parent) const override;
    void fetchMore(const QModelIndex& parent) override;

    /// Pages held in memory now, for tests of the bound.
    int pagesInMemory() const;

Q_SIGNALS:
    void pendingChanged(int count);
    /// Loading, total or problem differ.
    void statusChanged();

private:
    static constexpr std::size_t kMaxWaiting = 200;
    static constexpr std::size_t kMaxRecent = 800;

    struct LivePart {
        RequestRecord record;
        qint64 arrivedMs = 0;
    };
    struct Page {
        RequestHistory::Cursor from;
        int firstRow = 0;  ///< within the history part
        int rows = 0;
        std::set<RequestId> skipped;  ///< shown above as live ones
        std::vector<RequestRecord> records;
        bool present = false;
        bool asked = false;
        quint64 lastUse = 0;
    };

    void applyTop(RequestHistory::Page page, qint64 askedMs);
    void applyNext(RequestHistory::Cursor from, RequestHistory::Page page);
    void applyAgain(std::size_t number, RequestHistory::Page page);
    Page makePage(RequestHistory::Cursor from, int firstRow, std::vector<RequestRecord> records) const;
    void readWanted();
    void dropOldPages();
    void putOnTop(std::deque<LivePart> newestFirst);
    void fail(const Error& error);
    void countAnew();
    std::size_t pageOf(int historyRow) const;

    std::unique_ptr<HistoryReader> m_reader;
    std::unique_ptr<HistoryReader> m_counter;  ///< a count over a million rows must not hold up the pages
    ConfigurationPtr m_configuration;
    RequestFilter m_filter;
    std::deque<LivePart> m_live;  ///< newest first
    std::unordered_set<RequestId> m_liveIds;
    std::deque<LivePart> m_waiting;  ///< while paused, the newest kMaxWaiting
    /// Newest first, whatever the filter: what the store may not have written yet when its top is read anew.
    std::deque<LivePart> m_recent;
    // Views ask through const functions; which pages they touched decides what is read again and what is dropped.
    mutable std::vector<Page> m_pages;
    mutable std::set<std::size_t> m_wanted;
    mutable quint64 m_useCounter = 0;
    QTimer* m_readWanted = nullptr;
    std::optional<RequestHistory::Cursor> m_next;
    int m_historyRows = 0;
    std::int64_t m_total = -1;
    bool m_loading = false;
    bool m_loadingNext = false;
    bool m_paused = false;
    int m_pending = 0;
    QString m_problem;
    QElapsedTimer m_clock;
    QTimer* m_catchUp = nullptr;
};

}  // namespace omni
