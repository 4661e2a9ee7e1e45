#pragma once

#include "store/request_history.h"

#include <QObject>
#include <QPointer>

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <utility>

class QThread;

namespace omni {

/// The request log, read in a thread of its own so that no window ever waits for the disk. Questions are answered in their order, in
/// the asker's thread, or not at all when `context` is gone by then.
class HistoryReader final : public QObject {
    Q_OBJECT

public:
    template <typename T>
    using Answer = std::function<void(Result<T>)>;

    explicit HistoryReader(std::string databasePath, QObject* parent = nullptr);
    /// Waits for the question being read, at most; those behind it are dropped.
    ~HistoryReader() override;

    void page(const RequestFilter& filter, RequestHistory::Cursor from, int limit, QObject* context, Answer<RequestHistory::Page> answer);
    void count(const RequestFilter& filter, QObject* context, Answer<std::int64_t> answer);
    void request(const RequestId& id, QObject* context, Answer<RequestRecord> answer);
    void concerning(const ConnectionId& connection, WallTime from, int limit, QObject* context, Answer<std::vector<RequestRecord>> answer);
    void names(QObject* context, Answer<RequestHistory::Names> answer);
    /// Forgettable, as pages are.
    void during(WallTime from, WallTime to, int limit, QObject* context, Answer<std::vector<RequestRecord>> answer);
    /// Pages and counts asked for so far are no longer wanted: those not begun are skipped, and none is answered.
    void forgetPages();

private:
    /// Lives in the worker thread.
    struct Worker : QObject {
        std::string path;
        std::unique_ptr<RequestHistory> history;
        Result<RequestHistory*> open();
    };

    template <typename T>
    void ask(bool forgettable, QObject* context, Answer<T> answer, std::function<Result<T>(RequestHistory&)> question);

    QThread* m_thread = nullptr;
    Worker* m_worker = nullptr;
    std::shared_ptr<std::atomic<int>> m_generation = std::make_shared<std::atomic<int>>(0);
    std::shared_ptr<std::atomic<bool>> m_ending = std::make_shared<std::atomic<bool>>(false);
};

}  // namespace omni
