#include "store_fixture.h"

#include "program/test_program.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

using namespace omni;
using namespace omni::test;

namespace {

constexpr int kConnections = 400;
constexpr qint64 kPage = 4096;

void overwrite(const std::string& path, qint64 at, const QByteArray& bytes)
{
    QFile file(QString::fromStdString(path));
    if (!file.open(QIODevice::ReadWrite) || !file.seek(at) || file.write(bytes) != bytes.size())
        qFatal("cannot spoil %s", path.c_str());
}

void spoilPage(const std::string& path, std::int64_t page) { overwrite(path, (page - 1) * kPage, QByteArray(kPage, '\x5A')); }

}  // namespace

/// A damaged file: what can be read of it is in a new one, and the damaged one is kept.
class StoreRescueTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void aDamagedTableIsCarriedOverAroundTheDamage();
    void aLostTableDoesNotTakeTheOthersAlong();
    void aLostHeaderIsRestored();
    void garbageIsMovedAside();
    void aDamagedOlderSchemaIsCarriedOverAndMigrated();
    void damageInTheLogIsFoundInTheBackgroundAndRepairedAtTheNextStart();
    void damageMetWhileWritingIsTold();
    void onlyTheNewestCopiesAreKept();

private:
    StoreOpening reopen(Configuration* configuration = nullptr)
    {
        StoreOpening opening;
        const auto store = m_fixture->open(&opening);
        if (configuration != nullptr)
            *configuration = *store->loadConfiguration(nullptr);
        return opening;
    }
    std::vector<std::string> leaves(const std::string& table)
    {
        RawDatabase raw(m_fixture->database());
        return raw.column("SELECT pageno FROM dbstat WHERE name = '" + table + "' AND pagetype = 'leaf' ORDER BY path");
    }

    std::unique_ptr<StoreFixture> m_fixture;
};

void StoreRescueTest::init()
{
    m_fixture = std::make_unique<StoreFixture>();
    const auto store = m_fixture->open();
    std::vector<ConfigChange> changes;
    for (int number = 0; number < kConnections; ++number)
        changes.emplace_back(PutConnection{makeConnection(number)});
    changes.emplace_back(PutAlias{{"fast", "openai/gpt-5-mini"}});
    changes.emplace_back(PutFact{"setupComplete", "true"});
    QVERIFY(commit(*store, changes).ok());
    ConnectionHealth health;
    health.id = makeConnection(0).id;
    health.terminal = TerminalState::Banned;
    store->saveHealth(health);
    store->appendRequests(makeRequests(0, 500));
    QVERIFY(drained(*store, 500));
}

void StoreRescueTest::aDamagedTableIsCarriedOverAroundTheDamage()
{
    const std::vector<std::string> pages = leaves("provider_connections");
    QVERIFY(pages.size() > 10);
    spoilPage(m_fixture->database(), std::stoll(pages[pages.size() / 3]));
    spoilPage(m_fixture->database(), std::stoll(pages[2 * pages.size() / 3]));
    const int rowsOnAPage = kConnections / static_cast<int>(pages.size()) + 1;

    Configuration configuration;
    const StoreOpening opening = reopen(&configuration);
    QVERIFY(!opening.rescueCopy.empty());
    QVERIFY(QFile::exists(QString::fromStdString(opening.rescueCopy)));
    QVERIFY2(opening.rescueReport.find("provider_connections") != std::string::npos, opening.rescueReport.c_str());
    const int saved = static_cast<int>(configuration.connections.size());
    QVERIFY2(saved < kConnections, "some rows were on the spoilt pages");
    QVERIFY2(saved >= kConnections - 4 * rowsOnAPage, qPrintable(QStringLiteral("%1 of %2 saved").arg(saved).arg(kConnections)));
    QCOMPARE(configuration.aliases.size(), std::size_t{1});
    RawDatabase raw(m_fixture->database());
    QCOMPARE(raw.text("PRAGMA integrity_check"), std::string("ok"));
    QCOMPARE(raw.number("SELECT count(*) FROM call_logs"), std::int64_t{500});

    // And it is over.
    QVERIFY(reopen().rescueCopy.empty());
}

void StoreRescueTest::aLostTableDoesNotTakeTheOthersAlong()
{
    std::int64_t root = 0;
    {
        RawDatabase raw(m_fixture->database());
        root = raw.number("SELECT rootpage FROM sqlite_schema WHERE name = 'model_aliases'");
    }
    spoilPage(m_fixture->database(), root);
    Configuration configuration;
    const StoreOpening opening = reopen(&configuration);
    QVERIFY(!opening.rescueCopy.empty());
    QCOMPARE(static_cast<int>(configuration.connections.size()), kConnections);
    QVERIFY(configuration.aliases.empty());
    QVERIFY2(opening.rescueReport.find("model_aliases: 0 rows, the rest could not be read") != std::string::npos,
             opening.rescueReport.c_str());
    const auto store = m_fixture->open();
    QCOMPARE(store->fact("setupComplete"), std::string("true"));
    QVERIFY(store->loadRuntimeState()->healths.at(0).terminal == TerminalState::Banned);
}

void StoreRescueTest::aLostHeaderIsRestored()
{
    overwrite(m_fixture->database(), 0, QByteArray(100, '\0'));
    Configuration configuration;
    const StoreOpening opening = reopen(&configuration);
    QVERIFY(!opening.rescueCopy.empty());
    QCOMPARE(static_cast<int>(configuration.connections.size()), kConnections);
    QCOMPARE(configuration.aliases.size(), std::size_t{1});
    RawDatabase raw(m_fixture->database());
    QCOMPARE(raw.number("SELECT count(*) FROM call_logs"), std::int64_t{500});
    QCOMPARE(raw.text("PRAGMA integrity_check"), std::string("ok"));
    // The copy is as it was found, and nothing else was left behind.
    QFile copy(QString::fromStdString(opening.rescueCopy));
    QVERIFY(copy.open(QIODevice::ReadOnly));
    QVERIFY(copy.read(100) == QByteArray(100, '\0'));
    QCOMPARE(QDir(QString::fromStdString(m_fixture->file("backups"))).entryList(QDir::Files).size(), 1);
}

void StoreRescueTest::garbageIsMovedAside()
{
    QFile file(QString::fromStdString(m_fixture->database()));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QVERIFY(file.write(QByteArray(20'000, 'x')) > 0);
    file.close();
    Configuration configuration;
    const StoreOpening opening = reopen(&configuration);
    QVERIFY(!opening.rescueCopy.empty());
    QVERIFY2(opening.rescueReport.find("Nothing could be read") != std::string::npos, opening.rescueReport.c_str());
    QVERIFY(configuration.connections.empty());
}

void StoreRescueTest::aDamagedOlderSchemaIsCarriedOverAndMigrated()
{
    {
        RawDatabase raw(m_fixture->database());
        raw.run("DROP TABLE call_logs; DROP TABLE usage_daily; DROP TABLE model_prices; PRAGMA user_version = 2; PRAGMA "
                "wal_checkpoint(TRUNCATE)");
    }
    spoilPage(m_fixture->database(), std::stoll(leaves("provider_connections").at(5)));
    Configuration configuration;
    const StoreOpening opening = reopen(&configuration);
    QVERIFY(!opening.rescueCopy.empty());
    QVERIFY(configuration.connections.size() > kConnections / 2);
    RawDatabase raw(m_fixture->database());
    QCOMPARE(raw.number("PRAGMA user_version"), std::int64_t{4});
    QCOMPARE(raw.number("SELECT count(*) FROM call_logs"), std::int64_t{0});
}

void StoreRescueTest::damageInTheLogIsFoundInTheBackgroundAndRepairedAtTheNextStart()
{
    const std::vector<std::string> pages = leaves("call_logs");
    spoilPage(m_fixture->database(), std::stoll(pages[pages.size() / 2]));
    std::atomic<int> told{0};
    {
        StoreOptions options = m_fixture->options();
        options.integrityCheckDelay = Millis(0);
        StoreOpening opening;
        const auto store = StoreFixture::open(options, &opening);
        QVERIFY2(opening.rescueCopy.empty(), "the log is not looked at before the start");
        store->onDamage([&told](const std::string& report) { told += report.empty() ? 100 : 1; });
        QTRY_COMPARE(told.load(), 1);
        QVERIFY(commit(*store, {PutAlias{{"still", "works"}}}).ok());
    }
    QCOMPARE(told.load(), 1);
    Configuration configuration;
    const StoreOpening opening = reopen(&configuration);
    QVERIFY(!opening.rescueCopy.empty());
    QCOMPARE(static_cast<int>(configuration.connections.size()), kConnections);
    QCOMPARE(configuration.aliases.size(), std::size_t{2});
    RawDatabase raw(m_fixture->database());
    QCOMPARE(raw.text("PRAGMA integrity_check"), std::string("ok"));
    const std::int64_t rows = raw.number("SELECT count(*) FROM call_logs");
    QVERIFY2(rows > 400 && rows < 500, qPrintable(QString::number(rows)));
}

void StoreRescueTest::damageMetWhileWritingIsTold()
{
    // The rightmost page of the log, where new rows go.
    spoilPage(m_fixture->database(), std::stoll(leaves("call_logs").back()));
    std::atomic<int> told{0};
    {
        const auto store = m_fixture->open();
        store->onDamage([&told](const std::string&) { ++told; });
        store->appendRequests(makeRequests(1'000, 150));
        QTRY_COMPARE(told.load(), 1);
        QVERIFY(store->statistics().failedWrites > 0);
        QVERIFY(!store->close().ok());
    }
    QVERIFY(!reopen().rescueCopy.empty());
}

void StoreRescueTest::onlyTheNewestCopiesAreKept()
{
    QStringList copies;
    for (int round = 0; round < 5; ++round) {
        overwrite(m_fixture->database(), 0, QByteArray(100, '\0'));
        copies.push_back(QString::fromStdString(reopen().rescueCopy));
    }
    QCOMPARE(QDir(QString::fromStdString(m_fixture->file("backups"))).entryList({QStringLiteral("damaged-*.sqlite")}).size(), 3);
    QVERIFY(QFile::exists(copies.last()));
}

OMNI_TEST(StoreRescueTest)
#include "store_rescue_test.moc"
