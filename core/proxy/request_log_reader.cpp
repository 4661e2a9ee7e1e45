#include "proxy/request_log_reader.h"

#include "base/delivery.h"
#include "base/thread_call.h"

#include <QObject>
#include <QThread>

#include <atomic>
#include <utility>

namespace omni {

/// Lives in the reader's thread; the only one to touch the database.
class RequestLogReaderWorker final : public QObject {
public:
    explicit RequestLogReaderWorker(std::string path) : m_path(std::move(path)) {}

    std::atomic<bool> stopping{false};

    /// Opened when first asked; a failure is told and tried again with the next question.
    Result<RequestHistory*> history()
    {
        if (!m_history) {
            Result<std::unique_ptr<RequestHistory>> opened = RequestHistory::open(m_path);
            if (!opened)
                return opened.error();
            m_history = *std::move(opened);
        }
        return m_history.get();
    }

private:
    std::string m_path;
    std::unique_ptr<RequestHistory> m_history;
};

struct RequestLogReader::Private {
    using Worker = RequestLogReaderWorker;

    explicit Private(std::string path) : databasePath(std::move(path)) {}

    ~Private()
    {
        if (!worker)
            return;
        worker->stopping = true;
        // The database connection must be closed by the thread that opened it.
        worker->deleteLater();
        thread.quit();
        thread.wait();
    }

    /// Runs `query` over there and carries what it returns to `done`.
    template <typename T>
    void ask(Wanted wanted, QObject* context, std::function<Result<T>(RequestHistory&)> query, std::function<void(Result<T>)> done)
    {
        if (!worker) {
            worker = new Worker(databasePath);
            worker->moveToThread(&thread);
            thread.setObjectName(QStringLiteral("omniroute-log-reader"));
            thread.start(QThread::LowPriority);
        }
        const Delivery delivery(context);
        const auto run = [worker = worker, wanted = std::move(wanted), delivery, query = std::move(query), done = std::move(done)] {
            if (worker->stopping || !wanted())
                return;
            const Result<RequestHistory*> history = worker->history();
            auto result = std::make_shared<Result<T>>(history ? query(**history) : Result<T>(history.error()));
            delivery.run([done, result] { done(std::move(*result)); });
        };
        callIn(worker, run);
    }

    std::string databasePath;
    QThread thread;
    Worker* worker = nullptr;
};

RequestLogReader::RequestLogReader(std::string databasePath) : d(std::make_unique<Private>(std::move(databasePath))) {}
RequestLogReader::~RequestLogReader() = default;

void RequestLogReader::list(RequestFilter filter, RequestHistory::Cursor from, int limit, bool counted, Wanted wanted, QObject* context,
                            std::function<void(Result<Listing>)> done)
{
    const auto query = [filter = std::move(filter), from, limit, counted](RequestHistory& history) -> Result<Listing> {
        Result<RequestHistory::Page> page = history.page(filter, from, limit);
        if (!page)
            return page.error();
        Listing listing{*std::move(page), -1};
        if (counted) {
            const Result<std::int64_t> total = history.count(filter);
            if (!total)
                return total.error();
            listing.total = *total;
        }
        return listing;
    };
    d->ask<Listing>(std::move(wanted), context, query, std::move(done));
}

void RequestLogReader::request(RequestId id, Wanted wanted, QObject* context, std::function<void(Result<RequestRecord>)> done)
{
    d->ask<RequestRecord>(
        std::move(wanted), context, [id = std::move(id)](RequestHistory& history) { return history.request(id); }, std::move(done));
}

}  // namespace omni
