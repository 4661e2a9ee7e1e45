#pragma once

#include "store/store.h"

#include <QFile>
#include <QObject>
#include <QTemporaryDir>
#include <QTest>

#include <sqlite3.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace omni::test {

/// SQLite without any of our code between: looks at what the store wrote, and spoils it.
class RawDatabase {
public:
    explicit RawDatabase(const std::string& path)
    {
        if (sqlite3_open_v2(path.c_str(), &m_handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr) != SQLITE_OK)
            qFatal("cannot open %s", path.c_str());
        sqlite3_busy_timeout(m_handle, 5'000);
    }
    ~RawDatabase() { sqlite3_close(m_handle); }
    RawDatabase(const RawDatabase&) = delete;
    RawDatabase& operator=(const RawDatabase&) = delete;

    /// First column of every row.
    std::vector<std::string> column(const std::string& sql)
    {
        std::vector<std::string> values;
        sqlite3_stmt* statement = nullptr;
        if (sqlite3_prepare_v2(m_handle, sql.c_str(), -1, &statement, nullptr) != SQLITE_OK)
            qFatal("%s: %s", sql.c_str(), sqlite3_errmsg(m_handle));
        while (sqlite3_step(statement) == SQLITE_ROW) {
            const unsigned char* text = sqlite3_column_text(statement, 0);
            values.emplace_back(text == nullptr ? "" : reinterpret_cast<const char*>(text));
        }
        sqlite3_finalize(statement);
        return values;
    }
    std::string text(const std::string& sql)
    {
        const std::vector<std::string> values = column(sql);
        return values.empty() ? std::string() : values.front();
    }
    std::int64_t number(const std::string& sql) { return std::strtoll(text(sql).c_str(), nullptr, 10); }
    void run(const std::string& sql)
    {
        char* message = nullptr;
        if (sqlite3_exec(m_handle, sql.c_str(), nullptr, nullptr, &message) != SQLITE_OK)
            qFatal("%s: %s", sql.c_str(), message);
    }

private:
    sqlite3* m_handle = nullptr;
};

/// A data folder, and stores opened on it one after the other.
class StoreFixture {
public:
    std::string folder() const { return m_dir.filePath(QStringLiteral("data")).toStdString(); }
    std::string database() const { return folder() + "/storage.sqlite"; }
    std::string file(const std::string& name) const { return folder() + "/" + name; }

    StoreOptions options() const
    {
        StoreOptions made;
        made.dataDir = folder();
        made.holderName = "omniroute-test";
        made.integrityCheckDelay = Millis(3'600'000);
        // Tests hand rows in faster than any disk takes them; those about the limit set their own.
        made.maxQueuedRows = 100'000;
        made.maxQueuedBytes = 256u << 20;
        return made;
    }

    /// Fails the program when it does not open: the tests of failures call Store::open themselves.
    std::unique_ptr<Store> open(StoreOpening* opening = nullptr) const { return open(options(), opening); }
    static std::unique_ptr<Store> open(const StoreOptions& options, StoreOpening* opening = nullptr)
    {
        Result<std::unique_ptr<Store>> store = Store::open(options, opening);
        if (!store)
            qFatal("%s", describe(store.error()).c_str());
        return std::move(*store);
    }

private:
    QTemporaryDir m_dir;
};

/// The status that comes back from something asynchronous; Timeout when nothing does in 20 s.
inline Status waitFor(const std::function<void(QObject*, std::function<void(Status)>)>& ask)
{
    QObject context;
    std::optional<Status> answer;
    ask(&context, [&answer](Status status) { answer = std::move(status); });
    if (!QTest::qWaitFor([&answer] { return answer.has_value(); }, 20'000))
        return Error{ErrorKind::Timeout, "nothing came back"};
    return *answer;
}

inline Status commit(Store& store, std::vector<ConfigChange> changes)
{
    return waitFor([&](QObject* context, auto done) { store.commit(std::move(changes), context, std::move(done)); });
}

/// Rows deleted, -1 when nothing came back.
inline std::int64_t prune(Store& store)
{
    QObject context;
    std::int64_t removed = -1;
    store.prune(&context, [&removed](std::int64_t rows) { removed = rows; });
    (void)QTest::qWaitFor([&removed] { return removed >= 0; }, 60'000);
    return removed;
}

inline Connection makeConnection(int number)
{
    Connection connection;
    connection.id = ConnectionId("00000000-0000-4000-8000-" + std::to_string(100'000'000'000 + number));
    connection.provider = ProviderId(number % 2 == 0 ? "openai" : "anthropic");
    connection.name = "Key " + std::to_string(number);
    connection.priority = number + 1;
    connection.secretRef = "connection/" + connection.id.str();
    connection.keyHint = "sk-…9f2c";
    connection.models = {"gpt-5", "gpt-5-mini", "o4"};
    connection.createdAt = fromEpochMillis(1'790'000'000'000 + number);
    connection.updatedAt = fromEpochMillis(1'790'000'100'000 + number);
    return connection;
}

inline constexpr std::int64_t kBaseMillis = 1'790'000'000'000;

/// Row `number`, a second after the one before it. Every 10th failed, every 7th was asked of another model.
inline RequestRecord makeRequest(int number, std::int64_t baseMillis = kBaseMillis)
{
    char id[17];
    // Sorted by time, as RequestIds makes them.
    const std::uint64_t millis = static_cast<std::uint64_t>(baseMillis) + static_cast<std::uint64_t>(number) * 1'000;
    const std::uint64_t spread = static_cast<std::uint64_t>(number) * 0x9E3779B97F4A7C15ULL >> 46;
    (void)std::snprintf(id, sizeof id, "%016llx", static_cast<unsigned long long>(millis << 20 | spread));
    RequestRecord record;
    record.id = RequestId(id);
    record.startedAt = fromEpochMillis(baseMillis + std::int64_t{number} * 1'000);
    record.method = "POST";
    record.path = "/v1/chat/completions";
    record.operation = Operation::ChatCompletions;
    record.requestedModel = number % 7 == 0 ? "claude-sonnet-4" : "openai/gpt-5";
    record.model = number % 7 == 0 ? "claude-sonnet-4-20250514" : "gpt-5";
    record.provider = ProviderId(number % 2 == 0 ? "openai" : "anthropic");
    record.connection = makeConnection(number % 5).id;
    record.connectionName = "Key " + std::to_string(number % 5);
    record.client = "OpenAI/Python 1.51.0";
    record.stream = number % 3 == 0;
    record.status = number % 10 == 0 ? 502 : 200;
    record.outcome = number % 10 == 0 ? Outcome::UpstreamFailed : Outcome::Answered;
    record.error = number % 10 == 0 ? "the upstream answered 503, overloaded" : "";
    record.durationUs = 812'345 + number;
    record.addedUs = 131;
    record.firstFrameUs = 402'118;
    record.requestBytes = 2'048;
    record.responseBytes = 9'120;
    record.tokensIn = 512;
    record.tokensOut = 204;
    record.tokensCached = 128;
    AttemptRecord attempt;
    attempt.provider = record.provider;
    attempt.connection = record.connection;
    attempt.connectionName = record.connectionName;
    attempt.model = record.model;
    attempt.startedUs = 90;
    attempt.connectUs = 21'000;
    attempt.firstByteUs = 400'000;
    attempt.firstFrameUs = 402'000;
    attempt.totalUs = 812'000;
    attempt.status = record.status;
    attempt.success = record.status == 200;
    attempt.decision = "passed on";
    record.attempts = {attempt};
    record.requestHeaders = {{"host", "127.0.0.1:20128"}, {"user-agent", record.client}, {"content-type", "application/json"}};
    record.responseHeaders = {{"content-type", "text/event-stream"}, {"x-request-id", "req_0123456789abcdef"}};
    return record;
}

inline std::vector<RequestRecord> makeRequests(int first, int count, std::int64_t baseMillis = kBaseMillis)
{
    std::vector<RequestRecord> records;
    records.reserve(static_cast<std::size_t>(count));
    for (int number = first; number < first + count; ++number)
        records.push_back(makeRequest(number, baseMillis));
    return records;
}

/// Everything queued is on disk.
inline bool drained(const Store& store, std::int64_t writtenRows, int timeoutMs = 30'000)
{
    return QTest::qWaitFor([&] { return store.statistics().writtenRows >= writtenRows && store.statistics().queuedRows == 0; }, timeoutMs);
}

}  // namespace omni::test
