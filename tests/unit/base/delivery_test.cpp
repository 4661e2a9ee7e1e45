#include "base/delivery.h"

#include "program/test_program.h"

#include <QThread>
#include <QTest>

#include <atomic>
#include <thread>

using namespace omni;

class DeliveryTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void runsInTheContextsThreadAndNotAtOnce();
    void runsInOrder();
    void isDroppedWithItsContext();
    void withoutAContextNothingIsDelivered();
    void survivesAContextThatDiesWhileItIsPosted();
};

void DeliveryTest::runsInTheContextsThreadAndNotAtOnce()
{
    QObject context;
    QThread* ran = nullptr;
    const Delivery delivery(&context);
    std::thread([&] { delivery.run([&ran] { ran = QThread::currentThread(); }); }).join();
    QVERIFY(ran == nullptr);
    QTRY_COMPARE(ran, QThread::currentThread());
}

void DeliveryTest::runsInOrder()
{
    QObject context;
    std::vector<int> seen;
    std::thread([&] {
        for (int i = 0; i < 100; ++i)
            Delivery(&context).run([&seen, i] { seen.push_back(i); });
    }).join();
    QTRY_COMPARE(seen.size(), std::size_t{100});
    QVERIFY(std::is_sorted(seen.begin(), seen.end()));
}

void DeliveryTest::isDroppedWithItsContext()
{
    int ran = 0;
    auto context = std::make_unique<QObject>();
    const Delivery before(context.get());
    before.run([&ran] { ++ran; });
    const Delivery after(context.get());
    context.reset();
    after.run([&ran] { ++ran; });
    QObject other;
    bool done = false;
    Delivery(&other).run([&done] { done = true; });
    QTRY_VERIFY(done);
    QCOMPARE(ran, 0);
}

void DeliveryTest::withoutAContextNothingIsDelivered()
{
    Delivery().run([] { QFAIL("delivered"); });
    Delivery(nullptr).run([] { QFAIL("delivered"); });
    QObject context;
    Delivery(&context).run({});
    bool done = false;
    Delivery(&context).run([&done] { done = true; });
    QTRY_VERIFY(done);
}

void DeliveryTest::survivesAContextThatDiesWhileItIsPosted()
{
    std::atomic<int> ran{0};
    for (int round = 0; round < 200; ++round) {
        auto context = std::make_unique<QObject>();
        const Delivery delivery(context.get());
        std::thread sender([&] {
            for (int i = 0; i < 5; ++i)
                delivery.run([&ran] { ++ran; });
        });
        QCoreApplication::processEvents();
        context.reset();
        const int before = ran;
        sender.join();
        QCoreApplication::processEvents();
        QCOMPARE(ran.load(), before);
    }
}

OMNI_TEST(DeliveryTest)
#include "delivery_test.moc"
