#include "store_fixture.h"

#include "program/test_program.h"

#include <QFileInfo>
#include <QTest>

#include <sys/resource.h>

#include <csignal>

using namespace omni;
using namespace omni::test;

namespace {

/// No file of this process can grow beyond its largest now, as on a full disk.
class FullDisk {
public:
    explicit FullDisk(rlim_t bytes)
    {
        std::signal(SIGXFSZ, SIG_IGN);
        ::getrlimit(RLIMIT_FSIZE, &m_before);
        rlimit limit = m_before;
        limit.rlim_cur = bytes;
        if (::setrlimit(RLIMIT_FSIZE, &limit) != 0)
            qFatal("cannot limit the size of files");
    }
    ~FullDisk() { ::setrlimit(RLIMIT_FSIZE, &m_before); }
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;

private:
    rlimit m_before = {};
};

}  // namespace

class StoreFailureTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void rowsOfAFullDiskAreWrittenWhenThereIsRoomAgain();
    void aChangeOnAFullDiskIsRefusedAndTheNextOneTaken();
    void memoryStaysBoundedWhileTheDiskIsFull();
    void closingOnAFullDiskEndsAndSaysSo();
    void anotherProgramsLockIsWaitedOut();
    void nothingIsCalledForAContextThatIsGone();
    void aClosedStoreRefuses();
    void callbacksRunInTheContextsThread();
    void aBackupNeverReplacesAFile();
    void everythingQueuedIsWrittenByClose();
    void manyThreadsMayUseIt();
};

void StoreFailureTest::rowsOfAFullDiskAreWrittenWhenThereIsRoomAgain()
{
    const StoreFixture fixture;
    const auto store = fixture.open();
    {
        const FullDisk full(4'096);
        store->appendRequests(makeRequests(0, 300));
        BreakerStatus breaker;
        breaker.provider = ProviderId("openai");
        breaker.failureCount = 7;
        store->saveBreaker(breaker);
        QTRY_VERIFY(store->statistics().failedWrites >= 2);
        QVERIFY(!store->statistics().lastError.empty());
        QCOMPARE(store->statistics().writtenRows, std::int64_t{0});
    }
    QVERIFY(drained(*store, 300));
    QCOMPARE(store->statistics().droppedRows, std::int64_t{0});
    // What went wrong is over, and said so: only the count remembers it.
    QCOMPARE(store->statistics().lastError, std::string());
    QVERIFY(store->statistics().failedWrites >= 2);
    QCOMPARE(store->loadRuntimeState()->breakers.at(0).failureCount, 7);
    RawDatabase raw(fixture.database());
    QCOMPARE(raw.number("SELECT count(DISTINCT id) FROM call_logs"), std::int64_t{300});
}

void StoreFailureTest::aChangeOnAFullDiskIsRefusedAndTheNextOneTaken()
{
    const StoreFixture fixture;
    const auto store = fixture.open();
    {
        const FullDisk full(4'096);
        const Status refused = commit(*store, {PutConnection{makeConnection(0)}});
        QVERIFY(!refused.ok());
        QVERIFY(refused.error().kind == ErrorKind::Storage);
        QVERIFY2(refused.error().message.find(fixture.database()) != std::string::npos, refused.error().message.c_str());
    }
    QVERIFY(commit(*store, {PutConnection{makeConnection(1)}}).ok());
    QCOMPARE(store->loadConfiguration(nullptr)->connections.size(), std::size_t{1});
}

void StoreFailureTest::memoryStaysBoundedWhileTheDiskIsFull()
{
    const StoreFixture fixture;
    StoreOptions options = fixture.options();
    options.maxQueuedRows = 2'000;
    const auto store = StoreFixture::open(options);
    {
        const FullDisk full(4'096);
        for (int first = 0; first < 10'000; first += 500)
            store->appendRequests(makeRequests(first, 500));
        QTRY_VERIFY(store->statistics().failedWrites >= 1);
        QTRY_COMPARE(store->statistics().queuedRows, std::int64_t{2'000});
        QTRY_COMPARE(store->statistics().droppedRows, std::int64_t{8'000});  // a batch in the writer's hands comes back first
    }
    QVERIFY(drained(*store, 2'000));
    // The newest were kept.
    RawDatabase raw(fixture.database());
    QCOMPARE(raw.number("SELECT min(timestamp) FROM call_logs"), kBaseMillis + 8'000 * 1'000);
}

void StoreFailureTest::closingOnAFullDiskEndsAndSaysSo()
{
    const StoreFixture fixture;
    const auto store = fixture.open();
    const FullDisk full(4'096);
    store->appendRequests(makeRequests(0, 5'000));
    const Status closed = store->close();
    QVERIFY(!closed.ok());
    QVERIFY(closed.error().kind == ErrorKind::Storage);
    QCOMPARE(store->statistics().droppedRows, std::int64_t{5'000});
}

void StoreFailureTest::anotherProgramsLockIsWaitedOut()
{
    const StoreFixture fixture;
    const auto store = fixture.open();
    RawDatabase other(fixture.database());
    other.run("BEGIN IMMEDIATE");
    QObject context;
    std::optional<Status> answer;
    store->commit({PutAlias{{"a", "x"}}}, &context, [&answer](Status status) { answer = std::move(status); });
    store->appendRequests(makeRequests(0, 100));
    QVERIFY(!QTest::qWaitFor([&answer] { return answer.has_value(); }, 300));
    other.run("COMMIT");
    QTRY_VERIFY(answer.has_value());
    QVERIFY(answer->ok());
    QVERIFY(drained(*store, 100));
}

void StoreFailureTest::nothingIsCalledForAContextThatIsGone()
{
    const StoreFixture fixture;
    const auto store = fixture.open();
    int calls = 0;
    auto context = std::make_unique<QObject>();
    store->commit({PutAlias{{"a", "x"}}}, context.get(), [&calls](const Status&) { ++calls; });
    context.reset();
    // Orders are answered in their order.
    QVERIFY(commit(*store, {PutAlias{{"b", "x"}}}).ok());
    QCOMPARE(calls, 0);
    QCOMPARE(store->loadConfiguration(nullptr)->aliases.size(), std::size_t{2});
}

void StoreFailureTest::aClosedStoreRefuses()
{
    const StoreFixture fixture;
    const auto store = fixture.open();
    QVERIFY(store->close().ok());
    const Status refused = commit(*store, {PutAlias{{"a", "x"}}});
    QVERIFY(!refused.ok());
    QVERIFY(refused.error().kind == ErrorKind::Unavailable);
    QVERIFY(!store->loadConfiguration(nullptr).ok());
    QVERIFY(!waitFor([&](QObject* context, auto done) { store->backup(fixture.file("b"), context, std::move(done)); }).ok());
    QCOMPARE(prune(*store), std::int64_t{0});
    store->appendRequests(makeRequests(0, 3));
    QCOMPARE(store->statistics().droppedRows, std::int64_t{3});
}

void StoreFailureTest::callbacksRunInTheContextsThread()
{
    const StoreFixture fixture;
    const auto store = fixture.open();
    QThread thread;
    thread.start();
    auto* context = new QObject;
    context->moveToThread(&thread);
    std::atomic<QThread*> ran{nullptr};
    store->commit({PutAlias{{"a", "x"}}}, context, [&ran](const Status&) { ran = QThread::currentThread(); });
    QTRY_COMPARE(ran.load(), &thread);
    context->deleteLater();
    thread.quit();
    thread.wait();
}

void StoreFailureTest::aBackupNeverReplacesAFile()
{
    const StoreFixture fixture;
    const auto store = fixture.open();
    const std::string path = fixture.file("mine");
    QFile file(QString::fromStdString(path));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QVERIFY(file.write("precious") == 8);
    file.close();
    const Status refused = waitFor([&](QObject* context, auto done) { store->backup(path, context, std::move(done)); });
    QVERIFY(!refused.ok());
    QVERIFY(refused.error().kind == ErrorKind::Conflict);
    QCOMPARE(QFileInfo(file).size(), qint64{8});

    const std::string quoted = fixture.file("it's here.sqlite");
    QVERIFY(waitFor([&](QObject* context, auto done) { store->backup(quoted, context, std::move(done)); }).ok());
    RawDatabase raw(quoted);
    QCOMPARE(raw.number("PRAGMA user_version"), std::int64_t{4});
    QVERIFY(!waitFor([&](QObject* context, auto done) { store->backup(fixture.file("no/folder"), context, std::move(done)); }).ok());
}

void StoreFailureTest::everythingQueuedIsWrittenByClose()
{
    const StoreFixture fixture;
    const auto store = fixture.open();
    for (int number = 0; number < 9'999; ++number)
        store->appendRequests({makeRequest(number)});
    QVERIFY(store->close().ok());
    RawDatabase raw(fixture.database());
    QCOMPARE(raw.number("SELECT count(*) FROM call_logs"), std::int64_t{9'999});
}

void StoreFailureTest::manyThreadsMayUseIt()
{
    const StoreFixture fixture;
    const auto store = fixture.open();
    QObject context;
    std::atomic<int> answered{0};
    std::vector<std::unique_ptr<QThread>> threads;
    for (int thread = 0; thread < 4; ++thread) {
        threads.emplace_back(QThread::create([&, thread] {
            for (int number = 0; number < 50; ++number) {
                store->commit({PutConnection{makeConnection(thread * 1'000 + number)}}, &context,
                              [&answered](const Status& status) { answered += status.ok() ? 1 : 1'000'000; });
                store->appendRequests(makeRequests(thread * 1'000 + number, 1));
                BreakerStatus breaker;
                breaker.provider = ProviderId("p" + std::to_string(thread));
                breaker.failureCount = number;
                store->saveBreaker(breaker);
                (void)store->statistics();
            }
        }));
        threads.back()->start();
    }
    for (const auto& thread : threads)
        thread->wait();
    QTRY_COMPARE_WITH_TIMEOUT(answered.load(), 200, 30'000);
    QVERIFY(drained(*store, 200));
    QCOMPARE(store->loadConfiguration(nullptr)->connections.size(), std::size_t{200});
}

OMNI_TEST(StoreFailureTest)
#include "store_failure_test.moc"
