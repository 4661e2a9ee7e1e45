#include "store/store.h"

#include "base/delivery.h"
#include "store/data_folder.h"
#include "store/maintenance.h"
#include "store/write_queue.h"
#include "store/writer.h"

#include <future>
#include <mutex>
#include <type_traits>
#include <utility>

namespace omni {

namespace {

Error closedError() { return Error{ErrorKind::Unavailable, "The store is closed"}; }

}  // namespace

struct Store::Private {
    explicit Private(const StoreOptions& options) : queue(limitsOf(options)) {}

    static QueueLimits limitsOf(const StoreOptions& options)
    {
        QueueLimits limits;
        limits.maxRows = options.maxQueuedRows;
        limits.maxBytes = options.maxQueuedBytes;
        return limits;
    }

    /// Runs `order` in the writer's thread and waits for what it returns.
    template <typename Function>
    auto ask(Function order) -> std::invoke_result_t<Function>
    {
        using Answer = std::invoke_result_t<Function>;
        auto promise = std::make_shared<std::promise<Answer>>();
        std::future<Answer> answer = promise->get_future();
        if (!queue.post([promise, order] { promise->set_value(order()); }))
            return closedError();
        return answer.get();
    }

    std::unique_ptr<DataFolder> folder;
    std::string path;
    WriteQueue queue;
    std::unique_ptr<Writer> writer;
    std::unique_ptr<Maintenance> maintenance;
    std::mutex closing;
    bool closed = false;
    Status closeStatus;
};

Store::Store(std::unique_ptr<Private> p) : d(std::move(p)) {}

Store::~Store() { (void)close(); }

Result<std::unique_ptr<Store>> Store::open(const StoreOptions& options, StoreOpening* opening)
{
    auto d = std::make_unique<Private>(options);
    Result<std::unique_ptr<DataFolder>> folder = DataFolder::take(options.dataDir, options.holderName);
    if (!folder)
        return folder.error();
    d->folder = std::move(*folder);
    d->path = d->folder->databasePath();
    d->writer = std::make_unique<Writer>(d->queue, *d->folder);
    Result<StoreOpening> opened = d->writer->start();
    if (!opened)
        return opened.error();
    if (opening != nullptr)
        *opening = *opened;
    Private& part = *d;
    d->maintenance = std::make_unique<Maintenance>(d->path, options.integrityCheckDelay, [&part](std::string report) {
        part.queue.post([&part, report = std::move(report)] { part.writer->reportDamage(report); });
    });
    d->maintenance->start();
    return std::unique_ptr<Store>(new Store(std::move(d)));
}

Result<Configuration> Store::loadConfiguration(std::shared_ptr<const ProviderCatalogue> catalogue)
{
    return d->ask([this, catalogue] { return d->writer->loadConfiguration(catalogue); });
}

Result<RuntimeState> Store::loadRuntimeState()
{
    return d->ask([this] { return d->writer->loadRuntimeState(); });
}

std::string Store::fact(const std::string& key)
{
    return d->ask([this, key] { return d->writer->fact(key); }).valueOr({});
}

void Store::commit(std::vector<ConfigChange> changes, QObject* context, std::function<void(Status)> done)
{
    const Delivery delivery(context);
    const auto answer = [delivery, done = std::move(done)](Status status) {
        if (done)
            delivery.run([done, status] { done(status); });
    };
    if (!d->queue.post([this, answer, changes = std::move(changes)] { answer(d->writer->apply(changes)); }))
        answer(closedError());
}

void Store::saveBreaker(BreakerStatus breaker) { d->queue.save(std::move(breaker)); }

void Store::removeBreaker(ProviderId provider) { d->queue.remove(std::move(provider)); }

void Store::saveHealth(ConnectionHealth health) { d->queue.save(std::move(health)); }

void Store::appendRequests(std::vector<RequestRecord> records) { d->queue.append(std::move(records)); }

void Store::touchApiKey(ApiKeyId id, WallTime at) { d->queue.touch(std::move(id), at); }

void Store::prune(QObject* context, std::function<void(std::int64_t)> done)
{
    const Delivery delivery(context);
    const auto answer = [delivery, done = std::move(done)](std::int64_t removed) {
        if (done)
            delivery.run([done, removed] { done(removed); });
    };
    if (!d->queue.post([this, answer] { d->writer->prune(answer); }))
        answer(0);
}

void Store::clearRequests(QObject* context, std::function<void(Status)> done)
{
    const Delivery delivery(context);
    const auto answer = [delivery, done = std::move(done)](Status status) {
        if (done)
            delivery.run([done, status] { done(status); });
    };
    if (!d->queue.post([this, answer] { answer(d->writer->clearRequests()); }))
        answer(closedError());
}

void Store::clearUsage(QObject* context, std::function<void(Status)> done)
{
    const Delivery delivery(context);
    const auto answer = [delivery, done = std::move(done)](Status status) {
        if (done)
            delivery.run([done, status] { done(status); });
    };
    if (!d->queue.post([this, answer] { answer(d->writer->clearUsage()); }))
        answer(closedError());
}

void Store::backup(const std::string& path, QObject* context, std::function<void(Status)> done)
{
    const Delivery delivery(context);
    d->maintenance->backup(path, [delivery, done = std::move(done)](Status status) {
        if (done)
            delivery.run([done, status] { done(status); });
    });
}

StoreStatistics Store::statistics() const { return d->queue.statistics(); }

std::string Store::databasePath() const { return d->path; }

void Store::onDamage(std::function<void(std::string report)> callback)
{
    d->queue.post([this, callback = std::move(callback)] { d->writer->onDamage(callback); });
}

Status Store::close()
{
    const std::lock_guard lock(d->closing);
    if (d->closed)
        return d->closeStatus;
    d->closed = true;
    // First, since it posts to the writer and keeps its log from being emptied while it reads.
    if (d->maintenance)
        d->maintenance->stop();
    d->queue.stop();
    d->closeStatus = d->writer->finish();
    d->folder->release();
    return d->closeStatus;
}

}  // namespace omni
