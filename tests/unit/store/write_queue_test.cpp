#include "store_fixture.h"

#include "program/test_program.h"
#include "store/write_queue.h"

#include <QTest>

#include <thread>

using namespace omni;
using namespace omni::test;

namespace {

constexpr auto kNever = WriteQueue::Clock::time_point::max();

QueueLimits smallLimits()
{
    QueueLimits limits;
    limits.maxRows = 10;
    limits.batchRows = 4;
    limits.maxBatchRows = 6;
    limits.batchDelay = Millis(0);
    return limits;
}

/// What `next` hands out when it must not block.
WriteQueue::Work now(WriteQueue& queue) { return queue.next(true, kNever); }

WriteBatch batchOf(WriteQueue& queue)
{
    WriteQueue::Work work = now(queue);
    auto* batch = std::get_if<WriteBatch>(&work);
    return batch != nullptr ? std::move(*batch) : WriteBatch();
}

std::vector<std::string> idsOf(const WriteBatch& batch)
{
    std::vector<std::string> ids;
    for (const RequestPiece& piece : batch.requests) {
        for (const RequestRecord& record : piece.records)
            ids.push_back(record.id.str());
    }
    return ids;
}

std::vector<std::string> idsFrom(int first, int count)
{
    std::vector<std::string> ids;
    for (int number = first; number < first + count; ++number)
        ids.push_back(makeRequest(number).id.str());
    return ids;
}

BreakerStatus breakerWith(int failures)
{
    BreakerStatus breaker;
    breaker.provider = ProviderId("openai");
    breaker.failureCount = failures;
    return breaker;
}

}  // namespace

class WriteQueueTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ordersComeBeforeRowsAndInOrder();
    void aBatchWaitsForItsDelayOrItsSize();
    void aLargeAppendIsCutIntoTransactions();
    void theOldestRowsAreDroppedAndCounted();
    void memoryIsBoundedToo();
    void theNewestStateOfEachIdWins();
    void whatIsGivenBackKeepsItsPlace();
    void whatIsGivenBackYieldsToNewerState();
    void aPauseHoldsBatchesBackButNotOrders();
    void atTheEndEverythingIsHandedOut();
    void atTheEndAFailureIsFinal();
    void aWaitingWriterIsWoken();
};

void WriteQueueTest::ordersComeBeforeRowsAndInOrder()
{
    WriteQueue queue(smallLimits());
    queue.append(makeRequests(0, 6));
    std::string seen;
    queue.post([&seen] { seen += 'a'; });
    queue.post([&seen] { seen += 'b'; });
    for (int i = 0; i < 2; ++i) {
        WriteQueue::Work work = now(queue);
        auto* order = std::get_if<WriteQueue::Order>(&work);
        QVERIFY(order != nullptr);
        (*order)();
    }
    QCOMPARE(seen, std::string("ab"));
    QCOMPARE(batchOf(queue).rows, std::size_t{6});
}

void WriteQueueTest::aBatchWaitsForItsDelayOrItsSize()
{
    QueueLimits limits = smallLimits();
    limits.batchDelay = Millis(3'600'000);
    WriteQueue queue(limits);
    queue.append(makeRequests(0, 3));
    queue.save(breakerWith(1));
    QVERIFY(std::holds_alternative<WriteQueue::Idle>(now(queue)));
    queue.append(makeRequests(3, 1));
    const WriteBatch batch = batchOf(queue);
    QCOMPARE(batch.rows, std::size_t{4});
    QCOMPARE(batch.breakers.size(), std::size_t{1});
    QVERIFY(std::holds_alternative<WriteQueue::Idle>(now(queue)));
}

void WriteQueueTest::aLargeAppendIsCutIntoTransactions()
{
    QueueLimits limits = smallLimits();
    limits.maxRows = 100;
    WriteQueue queue(limits);
    queue.append(makeRequests(0, 15));
    QVERIFY(idsOf(batchOf(queue)) == idsFrom(0, 6));
    QVERIFY(idsOf(batchOf(queue)) == idsFrom(6, 6));
    QVERIFY(idsOf(batchOf(queue)) == idsFrom(12, 3));
    QCOMPARE(queue.statistics().queuedRows, std::int64_t{0});
}

void WriteQueueTest::theOldestRowsAreDroppedAndCounted()
{
    WriteQueue queue(smallLimits());
    for (int number = 0; number < 25; number += 5)
        queue.append(makeRequests(number, 5));
    queue.append(makeRequests(25, 3));
    QCOMPARE(queue.statistics().droppedRows, std::int64_t{18});
    QCOMPARE(queue.statistics().queuedRows, std::int64_t{10});
    std::vector<std::string> ids;
    for (WriteBatch batch = batchOf(queue); batch.rows > 0; batch = batchOf(queue)) {
        for (std::string& id : idsOf(batch))
            ids.push_back(std::move(id));
    }
    QVERIFY(ids == idsFrom(18, 10));
}

void WriteQueueTest::memoryIsBoundedToo()
{
    QueueLimits limits;
    limits.maxBytes = 100'000;
    WriteQueue queue(limits);
    for (int number = 0; number < 50; ++number) {
        RequestRecord record = makeRequest(number);
        record.error = std::string(10'000, 'x');
        queue.append({record});
    }
    const StoreStatistics statistics = queue.statistics();
    QVERIFY(statistics.queuedRows >= 5 && statistics.queuedRows < 10);
    QCOMPARE(statistics.queuedRows + statistics.droppedRows, std::int64_t{50});
    // The account is exact: after all of it is taken and given back, the same fits.
    WriteBatch batch = std::get<WriteBatch>(queue.next(false, kNever));
    const auto rows = static_cast<std::int64_t>(batch.rows);
    queue.giveBack(std::move(batch), Millis(0));
    QCOMPARE(queue.statistics().queuedRows, rows);
    QCOMPARE(queue.statistics().droppedRows, 50 - rows);
}

void WriteQueueTest::theNewestStateOfEachIdWins()
{
    WriteQueue queue(smallLimits());
    queue.save(breakerWith(1));
    queue.remove(ProviderId("openai"));
    queue.save(breakerWith(2));
    BreakerStatus other = breakerWith(9);
    other.provider = ProviderId("groq");
    queue.save(other);
    queue.remove(other.provider);
    const WriteBatch batch = batchOf(queue);
    QCOMPARE(batch.breakers.size(), std::size_t{2});
    QCOMPARE(batch.breakers.at(ProviderId("openai"))->failureCount, 2);
    QVERIFY(!batch.breakers.at(ProviderId("groq")).has_value());
}

void WriteQueueTest::whatIsGivenBackKeepsItsPlace()
{
    WriteQueue queue(smallLimits());
    queue.append(makeRequests(0, 4));
    WriteBatch batch = batchOf(queue);
    queue.append(makeRequests(4, 2));
    queue.giveBack(std::move(batch), Millis(0));
    QVERIFY(idsOf(batchOf(queue)) == idsFrom(0, 6));

    // When there is no room for both, the oldest goes.
    queue.append(makeRequests(0, 6));
    batch = batchOf(queue);
    queue.append(makeRequests(6, 8));
    queue.giveBack(std::move(batch), Millis(0));
    QCOMPARE(queue.statistics().droppedRows, std::int64_t{4});
    QVERIFY(idsOf(batchOf(queue)).front() == makeRequest(4).id.str());
}

void WriteQueueTest::whatIsGivenBackYieldsToNewerState()
{
    WriteQueue queue(smallLimits());
    queue.save(breakerWith(1));
    ConnectionHealth health;
    health.id = ConnectionId("a");
    health.backoffLevel = 1;
    queue.save(health);
    WriteBatch batch = batchOf(queue);
    queue.save(breakerWith(2));
    queue.giveBack(std::move(batch), Millis(0));
    batch = batchOf(queue);
    QCOMPARE(batch.breakers.at(ProviderId("openai"))->failureCount, 2);
    QCOMPARE(batch.healths.at(health.id).backoffLevel, 1);
}

void WriteQueueTest::aPauseHoldsBatchesBackButNotOrders()
{
    WriteQueue queue(smallLimits());
    queue.append(makeRequests(0, 6));
    queue.giveBack(batchOf(queue), Millis(3'600'000));
    QVERIFY(std::holds_alternative<WriteQueue::Idle>(now(queue)));
    queue.post([] {});
    QVERIFY(std::holds_alternative<WriteQueue::Order>(now(queue)));
}

void WriteQueueTest::atTheEndEverythingIsHandedOut()
{
    QueueLimits limits = smallLimits();
    limits.batchDelay = Millis(3'600'000);
    WriteQueue queue(limits);
    queue.append(makeRequests(0, 1));
    queue.touch(ApiKeyId("k"), fromEpochMillis(1));
    queue.giveBack(std::get<WriteBatch>(queue.next(false, kNever)), Millis(3'600'000));
    queue.post([] {});
    queue.stop();
    QVERIFY(!queue.post([] {}));
    QVERIFY(std::holds_alternative<WriteQueue::Order>(now(queue)));
    const WriteBatch batch = batchOf(queue);
    QCOMPARE(batch.rows, std::size_t{1});
    QCOMPARE(batch.touches.size(), std::size_t{1});
    QVERIFY(std::holds_alternative<WriteQueue::Finished>(now(queue)));
    queue.append(makeRequests(1, 2));
    QVERIFY(std::holds_alternative<WriteQueue::Finished>(now(queue)));
    QCOMPARE(queue.statistics().droppedRows, std::int64_t{2});
    QVERIFY(!queue.gaveUp());
}

void WriteQueueTest::atTheEndAFailureIsFinal()
{
    WriteQueue queue(smallLimits());
    queue.append(makeRequests(0, 10));
    queue.stop();
    queue.giveBack(batchOf(queue), Millis(1));
    QVERIFY(std::holds_alternative<WriteQueue::Finished>(now(queue)));
    QCOMPARE(queue.statistics().droppedRows, std::int64_t{10});
    QVERIFY(queue.gaveUp());
}

void WriteQueueTest::aWaitingWriterIsWoken()
{
    WriteQueue queue(smallLimits());
    std::vector<std::string> seen;
    std::thread writer([&queue, &seen] {
        for (;;) {
            WriteQueue::Work work = queue.next(false, WriteQueue::Clock::now() + std::chrono::hours(1));
            if (std::holds_alternative<WriteQueue::Finished>(work))
                return;
            if (auto* order = std::get_if<WriteQueue::Order>(&work))
                (*order)();
            if (auto* batch = std::get_if<WriteBatch>(&work)) {
                for (std::string& id : idsOf(*batch))
                    seen.push_back(std::move(id));
            }
        }
    });
    std::atomic<int> ran{0};
    for (int round = 0; round < 100; ++round) {
        queue.post([&ran] { ++ran; });
        queue.save(breakerWith(round));
    }
    queue.append(makeRequests(0, 1));
    queue.stop();
    writer.join();
    QCOMPARE(ran.load(), 100);
    QVERIFY(seen == idsFrom(0, 1));
}

OMNI_TEST(WriteQueueTest)
#include "write_queue_test.moc"
