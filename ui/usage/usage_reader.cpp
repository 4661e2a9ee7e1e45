#include "ui/usage/usage_reader.h"

#include "ui/usage/usage_export.h"

#include <QThread>

#include <utility>

namespace omni {

Result<UsageHistory*> UsageReader::Worker::open()
{
    if (!history) {
        auto opened = UsageHistory::open(path);
        if (!opened)
            return opened.error();
        history = std::move(*opened);
    }
    return history.get();
}

UsageReader::UsageReader(std::string databasePath, QObject* parent) : QObject(parent), m_thread(new QThread(this)), m_worker(new Worker)
{
    m_worker->path = std::move(databasePath);
    m_worker->moveToThread(m_thread);
    // The database connection belongs to the thread that made it and has to end there.
    connect(m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    m_thread->setObjectName(QStringLiteral("usage"));
    m_thread->start(QThread::LowPriority);
}

UsageReader::~UsageReader()
{
    m_ending->store(true);
    m_thread->quit();
    m_thread->wait();
}

template <typename T>
void UsageReader::ask(QObject* context, Answer<T> answer, std::function<bool()> stale, std::function<Result<T>(UsageHistory&)> question)
{
    QPointer<QObject> guard(context);
    QPointer<UsageReader> self(this);
    Worker* worker = m_worker;
    QMetaObject::invokeMethod(
        worker,
        [worker, self, guard, stale = std::move(stale), answer = std::move(answer), question = std::move(question)]() mutable {
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

void UsageReader::read(const UsageRange& range, const UsageParts& parts, const UsageRange& chartRange, QObject* context,
                       Answer<UsageFigures> answer)
{
    const int number = m_asked->fetch_add(1) + 1;
    const auto stale = [asked = m_asked, ending = m_ending, number] { return ending->load() || asked->load() != number; };
    ask<UsageFigures>(context, std::move(answer), stale, [range, parts, chartRange](UsageHistory& history) -> Result<UsageFigures> {
        UsageFigures figures;
        Result<std::vector<UsageCell>> table = history.sums(range, parts);
        if (!table)
            return table.error();
        figures.table = std::move(*table);
        if (parts.day && chartRange == range) {
            figures.days = figures.table;
            return figures;
        }
        Result<std::vector<UsageCell>> days = history.sums(chartRange, {true, false, false});
        if (!days)
            return days.error();
        figures.days = std::move(*days);
        return figures;
    });
}

void UsageReader::exportTo(const QString& path, const UsageRange& range, ConfigurationPtr configuration, QObject* context,
                           Answer<std::int64_t> answer)
{
    ask<std::int64_t>(
        context, std::move(answer), [ending = m_ending] { return ending->load(); },
        [path, range, configuration = std::move(configuration)](UsageHistory& history) {
            return exportUsage(history, range, *configuration, path);
        });
}

}  // namespace omni
