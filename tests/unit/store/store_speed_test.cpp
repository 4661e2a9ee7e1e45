#include "store_fixture.h"

#include "program/test_program.h"
#include "store/request_history.h"

#include <QElapsedTimer>
#include <QFileInfo>
#include <QTest>

using namespace omni;
using namespace omni::test;

/// Rows a second into the log, and the time to open and load. Short by default; OMNIROUTE_LARGE=1 makes it a million rows. The
/// figures are printed; the bounds asserted are far from them, since a test runs beside others.
class StoreSpeedTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void rowsAreWrittenFast();
    void aLargeStoreOpensFast();
    void aLargeHistoryIsReadFast();

private:
    static bool large() { return qEnvironmentVariableIntValue("OMNIROUTE_LARGE") == 1; }
    static int rows() { return large() ? 1'000'000 : 50'000; }

    StoreFixture m_fixture;
};

void StoreSpeedTest::rowsAreWrittenFast()
{
    constexpr int kChunk = 100;
    const auto store = m_fixture.open();
    std::vector<ConfigChange> connections;
    for (int number = 0; number < 1'000; ++number)
        connections.emplace_back(PutConnection{makeConnection(number)});
    QVERIFY(commit(*store, std::move(connections)).ok());

    // Prepared in parts, so that a million of them need not be in memory; only the writing is timed.
    qint64 nanoseconds = 0;
    for (int first = 0; first < rows(); first += 40'000) {
        const int count = std::min(40'000, rows() - first);
        std::vector<std::vector<RequestRecord>> chunks;
        for (int at = 0; at < count; at += kChunk)
            chunks.push_back(makeRequests(first + at, kChunk));
        QElapsedTimer timer;
        timer.start();
        for (std::vector<RequestRecord>& chunk : chunks) {
            // As a sender that outruns the disk would, but without dropping, which would flatter the figure.
            while (store->statistics().queuedRows > 10'000)
                QThread::usleep(200);
            store->appendRequests(std::move(chunk));
        }
        while (store->statistics().queuedRows > 0 || store->statistics().writtenRows < first + count)
            QThread::usleep(200);
        nanoseconds += timer.nsecsElapsed();
        if (first % 200'000 == 0)
            qInfo("rows %d to %d: %.0f rows/s", first, first + count, count * 1e9 / static_cast<double>(timer.nsecsElapsed()));
    }
    const double perSecond = rows() * 1e9 / static_cast<double>(nanoseconds);
    qInfo("%d rows: %.0f rows/s, %.1f bytes a row", rows(), perSecond,
          static_cast<double>(QFileInfo(QString::fromStdString(m_fixture.database())).size()) / rows());
    QCOMPARE(store->statistics().droppedRows, std::int64_t{0});
    QVERIFY(perSecond > 5'000);
}

void StoreSpeedTest::aLargeStoreOpensFast()
{
    double best = 1e9;
    for (int round = 0; round < 5; ++round) {
        QElapsedTimer timer;
        timer.start();
        const auto store = m_fixture.open();
        const Result<Configuration> configuration = store->loadConfiguration(nullptr);
        const Result<RuntimeState> state = store->loadRuntimeState();
        const double milliseconds = static_cast<double>(timer.nsecsElapsed()) / 1e6;
        QVERIFY(configuration.ok() && state.ok());
        QCOMPARE(configuration->connections.size(), std::size_t{1'000});
        qInfo("open and load, 1,000 connections and %d rows: %.1f ms", rows(), milliseconds);
        best = std::min(best, milliseconds);
    }
    QVERIFY2(best < 250, qPrintable(QString::number(best)));
}

void StoreSpeedTest::aLargeHistoryIsReadFast()
{
    const auto store = m_fixture.open();
    const auto history = std::move(*RequestHistory::open(store->databasePath()));
    const auto timed = [&](const char* what, auto ask) {
        QElapsedTimer timer;
        timer.start();
        const bool ok = ask();
        qInfo("%s: %.2f ms", what, static_cast<double>(timer.nsecsElapsed()) / 1e6);
        QVERIFY2(ok, what);
    };
    RequestHistory::Cursor middle;
    middle.startedAtMs = kBaseMillis + std::int64_t{rows()} / 2 * 1'000;
    RequestFilter failures;
    failures.failuresOnly = true;
    RequestFilter rare;
    rare.text = "zebra";
    timed("first page of 100", [&] { return history->page({}, {}, 100)->records.size() == 100; });
    timed("a page from the middle", [&] { return history->page({}, middle, 100)->records.size() == 100; });
    timed("a page of failures", [&] { return history->page(failures, {}, 100)->records.size() == 100; });
    timed("one request, whole", [&] { return history->request(makeRequest(rows() / 3).id).ok(); });
    timed("count", [&] { return *history->count({}) == rows(); });
    timed("text that is nowhere, the whole log", [&] { return history->page(rare, {}, 100)->records.empty(); });
}

OMNI_TEST(StoreSpeedTest)
#include "store_speed_test.moc"
