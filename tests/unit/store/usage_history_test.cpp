#include "store_fixture.h"

#include "program/test_program.h"
#include "store/local_day.h"
#include "store/migrations.h"
#include "store/usage_history.h"

#include <QElapsedTimer>
#include <QTest>

#include <ctime>

using namespace omni;
using namespace omni::test;

namespace {

constexpr std::int64_t kDayMillis = 86'400'000;

/// The zone of this process for as long as it lives.
class Zone {
public:
    explicit Zone(const char* name) : m_before(qgetenv("TZ")), m_was(qEnvironmentVariableIsSet("TZ"))
    {
        qputenv("TZ", name);
        tzset();
    }
    ~Zone()
    {
        if (m_was)
            qputenv("TZ", m_before);
        else
            qunsetenv("TZ");
        tzset();
    }
    Zone(const Zone&) = delete;
    Zone& operator=(const Zone&) = delete;

private:
    QByteArray m_before;
    bool m_was;
};

std::vector<UsageCell> sums(const std::string& path, const UsageParts& parts = {}, const UsageRange& range = {})
{
    auto history = UsageHistory::open(path);
    if (!history)
        qFatal("%s", describe(history.error()).c_str());
    auto cells = (*history)->sums(range, parts);
    if (!cells)
        qFatal("%s", describe(cells.error()).c_str());
    return *cells;
}

UsageCounts total(const std::vector<UsageCell>& cells)
{
    UsageCounts all;
    for (const UsageCell& cell : cells)
        all += cell.counts;
    return all;
}

QString text(const UsageCell& cell)
{
    return QStringLiteral("%1 %2 %3(%4) %5 %6(%7): %8 %9 %10 %11 %12 %13")
        .arg(cell.day)
        .arg(QString::fromStdString(cell.provider.str()), QString::fromStdString(cell.connection.str()),
             QString::fromStdString(cell.connectionName), QString::fromStdString(cell.model), QString::fromStdString(cell.apiKey.str()),
             QString::fromStdString(cell.apiKeyName))
        .arg(cell.counts.requests)
        .arg(cell.counts.failed)
        .arg(cell.counts.uncounted)
        .arg(cell.counts.tokensIn)
        .arg(cell.counts.tokensOut)
        .arg(cell.counts.tokensCached);
}

QStringList texts(const std::vector<UsageCell>& cells)
{
    QStringList lines;
    for (const UsageCell& cell : cells)
        lines << text(cell);
    return lines;
}

constexpr UsageParts kEverything{true, true, true};

}  // namespace

/// The daily sums: written with the log rows, kept when those go, made of old rows by the schema's step, and read by every part.
class UsageHistoryTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void requestsAreSummed();
    void theyAreToldApartByWhatIsAskedFor();
    void prunedRowsStillCount();
    void aClearedLogStillCounts();
    void usageIsForgottenAlone();
    void whatIsNotLoggedStillCounts();
    void answersWithoutTokenCountsAreCountedApart();
    void theNewestNameIsTold();
    void daysAreLocal_data();
    void daysAreLocal();
    void rangesIncludeBothEnds();
    void oldRowsAreFilledIn_data();
    void oldRowsAreFilledIn();
    void aFailedBatchCountsOnce();
    void pricesAreKept();
    void aMillionRowsAreReadFast();
};

void UsageHistoryTest::requestsAreSummed()
{
    const StoreFixture fixture;
    const auto store = fixture.open();
    store->appendRequests(makeRequests(0, 1'000));
    QVERIFY(drained(*store, 1'000));
    const UsageCounts all = total(sums(store->databasePath()));
    QCOMPARE(all.requests, std::int64_t{1'000});
    QCOMPARE(all.failed, std::int64_t{100});
    QCOMPARE(all.uncounted, std::int64_t{0});
    QCOMPARE(all.tokensIn, std::int64_t{512'000});
    QCOMPARE(all.tokensOut, std::int64_t{204'000});
    QCOMPARE(all.tokensCached, std::int64_t{128'000});
}

void UsageHistoryTest::theyAreToldApartByWhatIsAskedFor()
{
    const Zone zone("UTC");
    const StoreFixture fixture;
    const auto store = fixture.open();
    store->appendRequests(makeRequests(0, 700, kBaseMillis / kDayMillis * kDayMillis));
    store->appendRequests(makeRequests(0, 70, kBaseMillis / kDayMillis * kDayMillis + kDayMillis));
    QVERIFY(drained(*store, 770));
    // Two providers with two models each.
    QCOMPARE(sums(store->databasePath()).size(), std::size_t{4});
    QCOMPARE(sums(store->databasePath(), {true, false, false}).size(), std::size_t{8});
    // Connection and provider repeat together every 10 requests, the model every 7.
    QCOMPARE(sums(store->databasePath(), {false, true, false}).size(), std::size_t{20});
    QCOMPARE(sums(store->databasePath(), kEverything).size(), std::size_t{40});
    for (const UsageParts& parts : {UsageParts{}, UsageParts{true, false, false}, UsageParts{false, true, false}, kEverything})
        QCOMPARE(total(sums(store->databasePath(), parts)).requests, std::int64_t{770});
}

void UsageHistoryTest::prunedRowsStillCount()
{
    const StoreFixture fixture;
    const auto store = fixture.open();
    store->appendRequests(makeRequests(0, 2'000, kBaseMillis - 4'000 * kDayMillis));
    QVERIFY(drained(*store, 2'000));
    const QStringList before = texts(sums(store->databasePath(), kEverything));
    QCOMPARE(prune(*store), std::int64_t{2'000});
    QCOMPARE(RawDatabase(fixture.database()).number("SELECT count(*) FROM call_logs"), std::int64_t{0});
    QCOMPARE(texts(sums(store->databasePath(), kEverything)), before);
}

void UsageHistoryTest::aClearedLogStillCounts()
{
    const StoreFixture fixture;
    const auto store = fixture.open();
    store->appendRequests(makeRequests(0, 500));
    QVERIFY(drained(*store, 500));
    // These may still wait for the disk when the log is cleared.
    store->appendRequests(makeRequests(500, 50));
    QVERIFY(waitFor([&](QObject* context, auto done) { store->clearRequests(context, std::move(done)); }).ok());
    QVERIFY(drained(*store, 550));
    QCOMPARE(RawDatabase(fixture.database()).number("SELECT count(*) FROM call_logs"), std::int64_t{0});
    QCOMPARE(total(sums(store->databasePath())).requests, std::int64_t{550});
}

void UsageHistoryTest::usageIsForgottenAlone()
{
    const StoreFixture fixture;
    const auto store = fixture.open();
    store->appendRequests(makeRequests(0, 500));
    QVERIFY(drained(*store, 500));
    QVERIFY(waitFor([&](QObject* context, auto done) { store->clearUsage(context, std::move(done)); }).ok());
    QVERIFY(sums(store->databasePath()).empty());
    QCOMPARE(RawDatabase(fixture.database()).number("SELECT count(*) FROM call_logs"), std::int64_t{500});
}

void UsageHistoryTest::whatIsNotLoggedStillCounts()
{
    const StoreFixture fixture;
    const auto store = fixture.open();
    std::vector<RequestRecord> records = makeRequests(0, 10);
    for (RequestRecord& record : records)
        record.keepInLog = record.id == records.front().id;
    store->appendRequests(std::move(records));
    QVERIFY(drained(*store, 10));
    QCOMPARE(RawDatabase(fixture.database()).number("SELECT count(*) FROM call_logs"), std::int64_t{1});
    QCOMPARE(total(sums(store->databasePath())).requests, std::int64_t{10});
}

void UsageHistoryTest::answersWithoutTokenCountsAreCountedApart()
{
    const StoreFixture fixture;
    const auto store = fixture.open();
    std::vector<RequestRecord> records = makeRequests(1, 4);
    for (RequestRecord& record : records)
        record.tokensIn = record.tokensOut = record.tokensCached = -1;
    records[1].outcome = Outcome::ClientGone;
    records[2].operation = Operation::CountTokens;
    records[3].tokensOut = 7;
    store->appendRequests(std::move(records));
    QVERIFY(drained(*store, 4));
    const UsageCounts all = total(sums(store->databasePath()));
    QCOMPARE(all.uncounted, std::int64_t{1});
    QCOMPARE(all.tokensIn, std::int64_t{0});
    QCOMPARE(all.tokensOut, std::int64_t{7});
}

void UsageHistoryTest::theNewestNameIsTold()
{
    const Zone zone("UTC");
    const StoreFixture fixture;
    const auto store = fixture.open();
    for (int day = 0; day < 3; ++day) {
        RequestRecord record = makeRequest(5, kBaseMillis + day * kDayMillis);
        record.apiKey = ApiKeyId("k");
        record.connectionName = "name " + std::to_string(day);
        record.apiKeyName = "key " + std::to_string(day);
        store->appendRequests({record});
    }
    QVERIFY(drained(*store, 3));
    const auto cells = sums(store->databasePath(), {false, true, true});
    QCOMPARE(cells.size(), std::size_t{1});
    QCOMPARE(cells[0].connectionName, std::string("name 2"));
    QCOMPARE(cells[0].apiKeyName, std::string("key 2"));
    QCOMPARE(cells[0].counts.requests, std::int64_t{3});
}

void UsageHistoryTest::daysAreLocal_data()
{
    QTest::addColumn<QByteArray>("zone");
    QTest::addColumn<qlonglong>("millis");
    QTest::addColumn<int>("day");
    // 2026-01-01 is day 20454.
    const qlonglong midnight = qlonglong{20'454} * kDayMillis;
    QTest::newRow("UTC, last millisecond") << QByteArray("UTC") << midnight - 1 << 20'453;
    QTest::newRow("UTC, midnight") << QByteArray("UTC") << midnight << 20'454;
    QTest::newRow("Dhaka is six hours ahead") << QByteArray("<+06>-6") << midnight - 6 * 3'600'000 << 20'454;
    QTest::newRow("Dhaka, a second before") << QByteArray("<+06>-6") << midnight - 6 * 3'600'000 - 1'000 << 20'453;
    QTest::newRow("five hours behind") << QByteArray("<-05>5") << midnight + 5 * 3'600'000 - 1 << 20'453;
    QTest::newRow("Nepal's quarter of an hour") << QByteArray("<+0545>-5:45") << midnight - (5 * 60 + 45) * 60'000 << 20'454;
    QTest::newRow("Nepal, a second before") << QByteArray("<+0545>-5:45") << midnight - (5 * 60 + 45) * 60'000 - 1'000 << 20'453;
    QTest::newRow("the epoch") << QByteArray("UTC") << qlonglong{0} << 0;
}

void UsageHistoryTest::daysAreLocal()
{
    QFETCH(const QByteArray, zone);
    QFETCH(const qlonglong, millis);
    QFETCH(const int, day);
    const Zone set(zone.constData());
    QCOMPARE(localDayOf(fromEpochMillis(millis)), day);
    LocalDays days;
    QCOMPARE(days.of(fromEpochMillis(millis)), day);
    QCOMPARE(days.of(fromEpochMillis(millis + kDayMillis)), day + 1);
    QCOMPARE(days.of(fromEpochMillis(millis)), day);
}

void UsageHistoryTest::rangesIncludeBothEnds()
{
    const Zone zone("UTC");
    const StoreFixture fixture;
    const auto store = fixture.open();
    const int first = localDayOf(fromEpochMillis(kBaseMillis));
    for (int day = 0; day < 5; ++day)
        store->appendRequests({makeRequest(0, kBaseMillis + day * kDayMillis)});
    QVERIFY(drained(*store, 5));
    QCOMPARE(total(sums(store->databasePath(), {}, {first + 1, first + 3})).requests, std::int64_t{3});
    QCOMPARE(total(sums(store->databasePath(), {}, {first + 4, first + 4})).requests, std::int64_t{1});
    QCOMPARE(total(sums(store->databasePath(), {}, {first + 5, first + 9})).requests, std::int64_t{0});
}

void UsageHistoryTest::oldRowsAreFilledIn_data()
{
    QTest::addColumn<QByteArray>("zone");
    QTest::newRow("UTC") << QByteArray("UTC");
    QTest::newRow("Dhaka") << QByteArray("<+06>-6");
    QTest::newRow("with a summer time") << QByteArray("CET-1CEST,M3.5.0,M10.5.0/3");
}

/// The step makes of the rows of an older version exactly what the writer would have made of them.
void UsageHistoryTest::oldRowsAreFilledIn()
{
    QFETCH(const QByteArray, zone);
    const Zone set(zone.constData());
    const StoreFixture fixture;
    std::vector<RequestRecord> records;
    for (int number = 0; number < 400; ++number) {
        // An hour apart, over a change to summer time (2026-03-29) and back.
        RequestRecord record = makeRequest(number, 1'774'000'000'000 + std::int64_t{number} * 13 * 3'600'000);
        record.apiKey = ApiKeyId(number % 3 == 0 ? "k1" : "");
        record.apiKeyName = number % 3 == 0 ? "key as of " + std::to_string(number) : "";
        if (number % 11 == 1)
            record.tokensIn = record.tokensOut = record.tokensCached = -1;
        if (number % 13 == 1)
            record.operation = Operation::CountTokens;
        if (number % 17 == 0) {
            record.outcome = Outcome::ClientGone;
            record.provider = {};
            record.connection = {};
            record.connectionName.clear();
            record.model.clear();
        }
        records.push_back(std::move(record));
    }
    {
        const auto store = fixture.open();
        store->appendRequests(records);
        QVERIFY(drained(*store, 400));
    }
    const QStringList written = texts(sums(fixture.database(), kEverything));
    {
        RawDatabase raw(fixture.database());
        raw.run("DROP TABLE usage_daily; DROP TABLE model_prices; PRAGMA user_version = 3; PRAGMA wal_checkpoint(TRUNCATE)");
    }
    StoreOpening opening;
    const auto store = fixture.open(&opening);
    QCOMPARE(opening.migratedFrom, 3);
    QCOMPARE(texts(sums(fixture.database(), kEverything)), written);
}

void UsageHistoryTest::aFailedBatchCountsOnce()
{
    const StoreFixture fixture;
    const auto store = fixture.open();
    {
        // Another program holds the database for longer than the writer waits.
        RawDatabase raw(fixture.database());
        raw.run("BEGIN IMMEDIATE");
        store->appendRequests(makeRequests(0, 100));
        QVERIFY(QTest::qWaitFor([&] { return store->statistics().failedWrites > 0; }, 20'000));
        raw.run("ROLLBACK");
    }
    QVERIFY(drained(*store, 100));
    QCOMPARE(total(sums(store->databasePath())).requests, std::int64_t{100});
}

void UsageHistoryTest::pricesAreKept()
{
    const StoreFixture fixture;
    const ModelPrice first{ProviderId("openai"), "gpt-5", 1.25, 10.0, 0.125};
    const ModelPrice second{ProviderId("anthropic"), "claude", 3.0, 15.0, std::nullopt};
    {
        const auto store = fixture.open();
        QVERIFY(commit(*store, {PutPrice{first}, PutPrice{second}, PutPrice{{ProviderId("x"), "y", 0.0, 0.0, 0.0}}}).ok());
        QVERIFY(
            commit(*store, {DeletePrice{{ProviderId("x"), "y"}}, PutPrice{{first.provider, first.model, 2.5, 20.0, std::nullopt}}}).ok());
        QVERIFY(commit(*store, {PutPrice{first}}).ok());
    }
    const auto store = fixture.open();
    const std::vector<ModelPrice> prices = store->loadConfiguration(nullptr)->prices;
    QCOMPARE(prices.size(), std::size_t{2});
    QVERIFY(prices[0] == second);
    QVERIFY(prices[1] == first);
}

void UsageHistoryTest::aMillionRowsAreReadFast()
{
    const bool large = qEnvironmentVariableIntValue("OMNIROUTE_LARGE") == 1;
    const int rows = large ? 1'000'000 : 20'000;
    const StoreFixture fixture;
    {
        const auto store = fixture.open();
        // 200 a day, so that a million reach over years.
        for (int number = 0; number < rows; number += 1'000) {
            std::vector<RequestRecord> records = makeRequests(number, 1'000);
            for (std::size_t i = 0; i < records.size(); ++i)
                records[i].startedAt = fromEpochMillis(kBaseMillis + (number + static_cast<int>(i)) * std::int64_t{432'000});
            store->appendRequests(std::move(records));
            QVERIFY(drained(*store, number + 1'000));
        }
    }
    const auto timed = [](const char* what, auto run) {
        QElapsedTimer timer;
        timer.start();
        run();
        const double milliseconds = static_cast<double>(timer.nsecsElapsed()) / 1e6;
        qInfo("%s: %.1f ms", what, milliseconds);
        return milliseconds;
    };
    std::vector<UsageCell> cells;
    QVERIFY(timed("all days by day", [&] { cells = sums(fixture.database(), {true, false, false}); }) < 2'000);
    QCOMPARE(total(cells).requests, std::int64_t{rows});
    const int day = cells.back().day;
    QVERIFY(timed("30 days by connection", [&] { cells = sums(fixture.database(), {false, true, false}, {day - 29, day}); }) < 500);
    {
        RawDatabase raw(fixture.database());
        raw.run("DROP TABLE usage_daily; DROP TABLE model_prices; PRAGMA user_version = 3; PRAGMA wal_checkpoint(TRUNCATE)");
    }
    timed("open with the schema's step", [&] { (void)fixture.open(); });
    QCOMPARE(total(sums(fixture.database())).requests, std::int64_t{rows});
}

OMNI_TEST(UsageHistoryTest)
#include "usage_history_test.moc"
