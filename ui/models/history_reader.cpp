#include "ui/models/history_reader.h"

#include <QThread>

namespace omni {

Result<RequestHistory*> HistoryReader::Worker::open()
{
    if (!history) {
        auto opened = RequestHistory::open(path);
        if (!opened)
            return opened.error();
        history = std::move(*opened);
    }
    return history.get();
}

HistoryReader::HistoryReader(std::string databasePath, QObject* parent)
    : QObject(parent), m_thread(new QThread(this)), m_worker(new Worker)
{
    m_worker->path = std::move(databasePath);
    m_worker->moveToThread(m_thread);
    // The database connection belongs to the thread that made it and has to end there.
    connect(m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    m_thread->setObjectName(QStringLiteral("history"));
    m_thread->start(QThread::LowPriority);
}

HistoryReader::~HistoryReader()
{
    m_ending->store(true);
    m_thread->quit();
    m_thread->wait();
}

template <typename T>
void HistoryReader::ask(bool forgettable, QObject* context, Answer<T> answer, std::function<Result<T>(RequestHistory&)> question)
{
    const int asked = m_generation->load();
    QPointer<QObject> guard(context);
    QPointer<HistoryReader> self(this);
    const auto stale = [generation = m_generation, ending = m_ending, asked, forgettable] {
        return ending->load() || (forgettable && generation->load() != asked);
    };
    Worker* worker = m_worker;
    QMetaObject::invokeMethod(
        worker,
        [worker, self, guard, stale, answer = std::move(answer), question = std::move(question)]() mutable {
            if (stale())
                return;
            auto opened = worker->open();
            auto result = std::make_shared<Result<T>>(opened ? question(**opened) : Result<T>(opened.error()));
            if (stale() || !self)
                return;
            QMetaObject::invokeMethod(
                self.data(),
                [guard, stale, result, answer = std::move(answer)] {
                    if (guard && !stale())
                        answer(std::move(*result));
                },
                Qt::QueuedConnection);
        },
        Qt::QueuedConnection);
}

void HistoryReader::page(
    const RequestFilter& filter, RequestHistory::Cursor from, int limit, QObject* context, Answer<RequestHistory::Page> answer)
{
    ask<RequestHistory::Page>(true, context, std::move(answer),
        [filter, from, limit](RequestHistory& history) { return history.page(filter, from, limit); });
}

void HistoryReader::count(const RequestFilter& filter, QObject* context, Answer<std::int64_t> answer)
{
    ask<std::int64_t>(true, context, std::move(answer), [filter](RequestHistory& history) { return history.count(filter); });
}

void HistoryReader::request(const RequestId& id, QObject* context, Answer<RequestRecord> answer)
{
    ask<RequestRecord>(false, context, std::move(answer), [id](RequestHistory& history) { return history.request(id); });
}

void HistoryReader::concerning(
    const ConnectionId& connection, WallTime from, int limit, QObject* context, Answer<std::vector<RequestRecord>> answer)
{
    ask<std::vector<RequestRecord>>(false, context, std::move(answer),
        [connection, from, limit](RequestHistory& history) { return history.concerning(connection, from, limit); });
}

void HistoryReader::during(WallTime from, WallTime to, int limit, QObject* context, Answer<std::vector<RequestRecord>> answer)
{
    ask<std::vector<RequestRecord>>(
        true, context, std::move(answer), [from, to, limit](RequestHistory& history) { return history.during(from, to, limit); });
}

void HistoryReader::names(QObject* context, Answer<RequestHistory::Names> answer)
{
    ask<RequestHistory::Names>(false, context, std::move(answer), [](RequestHistory& history) { return history.names(); });
}

void HistoryReader::forgetPages()
{
    m_generation->fetch_add(1);
}

}  // namespace omni
