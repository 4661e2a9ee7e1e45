#pragma once

#include "model/configuration.h"
#include "store/usage_history.h"

#include <QObject>
#include <QPointer>

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

class QThread;

namespace omni {

/// What the usage page shows: sums for its table, and by day for its chart.
struct UsageFigures {
    std::vector<UsageCell> table;
    std::vector<UsageCell> days;
};

/// The usage figures, read in a thread of its own so that no window waits for the disk. Answers come in the asker's thread, or not at
/// all when `context` is gone by then.
class UsageReader final : public QObject {
    Q_OBJECT

public:
    template <typename T>
    using Answer = std::function<void(Result<T>)>;

    explicit UsageReader(std::string databasePath, QObject* parent = nullptr);
    /// Waits for what is being read or written, at most.
    ~UsageReader() override;

    /// Only the newest question is answered.
    void read(const UsageRange& range, const UsageParts& parts, const UsageRange& chartRange, QObject* context,
              Answer<UsageFigures> answer);
    /// Lines written.
    void exportTo(const QString& path, const UsageRange& range, ConfigurationPtr configuration, QObject* context,
                  Answer<std::int64_t> answer);

private:
    /// Lives in the worker thread.
    struct Worker : QObject {
        std::string path;
        std::unique_ptr<UsageHistory> history;
        Result<UsageHistory*> open();
    };

    template <typename T>
    void ask(QObject* context, Answer<T> answer, std::function<bool()> stale, std::function<Result<T>(UsageHistory&)> question);

    QThread* m_thread = nullptr;
    Worker* m_worker = nullptr;
    std::shared_ptr<std::atomic<int>> m_asked = std::make_shared<std::atomic<int>>(0);
    std::shared_ptr<std::atomic<bool>> m_ending = std::make_shared<std::atomic<bool>>(false);
};

}  // namespace omni
