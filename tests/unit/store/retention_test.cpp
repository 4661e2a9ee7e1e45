#include "store_fixture.h"

#include "base/clock.h"
#include "program/test_program.h"

#include <QFileInfo>
#include <QTest>

using namespace omni;
using namespace omni::test;

namespace {

constexpr std::int64_t kDay = 86'400'000;

}  // namespace

/// The limits of the request log, each alone.
class RetentionTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void oldRowsGo();
    void rowsBeyondTheNumberGo();
    void aFileBeyondTheSizeShrinks();
    void lowerLimitsTakeEffectAtOnce();
    void nothingGoesWithinTheLimits();
    void clearingEmptiesTheLogAndTheFile();
    void changesAreTakenWhileRowsAreDeleted();

private:
    static PutSettings limits(int days, std::int64_t rows, std::int64_t megabytes)
    {
        Settings settings;
        settings.log = {days, rows, megabytes};
        return {settings};
    }
    static std::int64_t today() { return epochMillis(SystemClock().wall()); }
    static void fill(Store& store, int rows, std::int64_t baseMillis)
    {
        const std::int64_t before = store.statistics().writtenRows;
        for (int first = 0; first < rows; first += 5'000) {
            const int count = std::min(5'000, rows - first);
            store.appendRequests(makeRequests(first, count, baseMillis));
            QVERIFY(drained(store, before + first + count));
        }
    }
    static std::int64_t rowsIn(const StoreFixture& fixture)
    {
        RawDatabase raw(fixture.database());
        return raw.number("SELECT count(*) FROM call_logs");
    }
};

void RetentionTest::oldRowsGo()
{
    const StoreFixture fixture;
    const auto store = fixture.open();
    QVERIFY(commit(*store, {limits(30, 1'000'000, 1'000)}).ok());
    fill(*store, 1'200, today() - 31 * kDay);
    fill(*store, 300, today() - 29 * kDay);
    QCOMPARE(prune(*store), std::int64_t{1'200});
    QCOMPARE(rowsIn(fixture), std::int64_t{300});
    QCOMPARE(prune(*store), std::int64_t{0});
}

void RetentionTest::rowsBeyondTheNumberGo()
{
    const StoreFixture fixture;
    const auto store = fixture.open();
    QVERIFY(commit(*store, {limits(3'650, 1'000, 1'000)}).ok());
    fill(*store, 2'300, today());
    QCOMPARE(prune(*store), std::int64_t{1'300});
    RawDatabase raw(fixture.database());
    QCOMPARE(raw.number("SELECT count(*) FROM call_logs"), std::int64_t{1'000});
    // The newest were kept.
    QCOMPARE(raw.number("SELECT min(timestamp) FROM call_logs") - raw.number("SELECT max(timestamp) FROM call_logs"),
             std::int64_t{-999'000});
    fill(*store, 10, today() + kDay);
    QCOMPARE(prune(*store), std::int64_t{10});
}

void RetentionTest::aFileBeyondTheSizeShrinks()
{
    const StoreFixture fixture;
    const auto store = fixture.open();
    QVERIFY(commit(*store, {limits(3'650, 1'000'000, 16)}).ok());
    fill(*store, 25'000, today());
    const qint64 before = QFileInfo(QString::fromStdString(fixture.database())).size();
    QVERIFY2(before > (20 << 20), qPrintable(QString::number(before)));
    const std::int64_t removed = prune(*store);
    QVERIFY(removed > 0 && removed < 25'000);
    QCOMPARE(rowsIn(fixture), 25'000 - removed);
    const qint64 after = QFileInfo(QString::fromStdString(fixture.database())).size();
    QVERIFY2(after <= (16 << 20), qPrintable(QString::number(after)));
    QVERIFY2(after > (14 << 20), "no more was deleted than was needed");
    RawDatabase raw(fixture.database());
    QCOMPARE(raw.number("PRAGMA freelist_count"), std::int64_t{0});
}

void RetentionTest::lowerLimitsTakeEffectAtOnce()
{
    const StoreFixture fixture;
    const auto store = fixture.open();
    fill(*store, 3'000, today());
    QVERIFY(commit(*store, {limits(3'650, 1'000, 1'000)}).ok());
    QTRY_COMPARE(rowsIn(fixture), std::int64_t{1'000});
}

void RetentionTest::nothingGoesWithinTheLimits()
{
    const StoreFixture fixture;
    const auto store = fixture.open();
    fill(*store, 2'000, today());
    QCOMPARE(prune(*store), std::int64_t{0});
    QCOMPARE(rowsIn(fixture), std::int64_t{2'000});
}

void RetentionTest::clearingEmptiesTheLogAndTheFile()
{
    const StoreFixture fixture;
    const auto store = fixture.open();
    QVERIFY(commit(*store, {PutAlias{{"a", "x"}}}).ok());
    fill(*store, 5'000, today());
    QVERIFY(waitFor([&](QObject* context, auto done) { store->clearRequests(context, std::move(done)); }).ok());
    QCOMPARE(rowsIn(fixture), std::int64_t{0});
    QTRY_VERIFY(QFileInfo(QString::fromStdString(fixture.database())).size() < (1 << 20));
    QCOMPARE(store->loadConfiguration(nullptr)->aliases.size(), std::size_t{1});
    fill(*store, 10, today());
    QCOMPARE(rowsIn(fixture), std::int64_t{10});
}

void RetentionTest::changesAreTakenWhileRowsAreDeleted()
{
    const StoreFixture fixture;
    const auto store = fixture.open();
    fill(*store, 20'000, today() - 400 * kDay);
    QObject context;
    std::int64_t removed = -1;
    store->prune(&context, [&removed](std::int64_t rows) { removed = rows; });
    // Answered while the deletion is under way, or this would come after it.
    QVERIFY(commit(*store, {PutAlias{{"a", "x"}}}).ok());
    QVERIFY2(removed == -1, "the change did not wait for the deletion");
    QTRY_COMPARE_WITH_TIMEOUT(removed, std::int64_t{20'000}, 60'000);
}

OMNI_TEST(RetentionTest)
#include "retention_test.moc"
