#include "store_fixture.h"

#include "program/test_program.h"

#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QSysInfo>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace omni;
using namespace omni::test;

namespace {

unsigned modeOf(const std::string& path)
{
    struct stat info = {};
    return ::stat(path.c_str(), &info) == 0 ? info.st_mode & 0777U : 0U;
}

void write(const std::string& path, const QByteArray& content)
{
    QFile file(QString::fromStdString(path));
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        qFatal("cannot write %s", path.c_str());
}

QByteArray contentOf(const std::string& path)
{
    QFile file(QString::fromStdString(path));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// As QLockFile writes it.
QByteArray lockOf(qint64 pid, const QString& host, const QByteArray& machine = QSysInfo::machineUniqueId())
{
    return QStringLiteral("%1\n%2\n%3\n%4\n%5\n")
        .arg(pid)
        .arg(QStringLiteral("omniroute-desktop"), host, QString::fromLatin1(machine), QString::fromLatin1(QSysInfo::bootUniqueId()))
        .toUtf8();
}

}  // namespace

/// What happens before a store is there: folder, lock, schema, modes.
class StoreOpeningTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_fixture = std::make_unique<StoreFixture>();
        m_oldMask = ::umask(0);
    }
    void cleanup() { ::umask(m_oldMask); }

    void aNewFolderIsPrivate();
    void openFilesAreTightened();
    void aSharedFolderOfOthersIsLeftAlone();
    void anOlderSchemaIsMigratedAfterACopy();
    void aNewerSchemaIsRefusedUntouched();
    void anotherProgramsDatabaseIsRefusedUntouched();
    void theLockNamesItsHolder();
    void theLockGoesWithTheStore();
    void aLockOfTheDeadIsTaken_data();
    void aLockOfTheDeadIsTaken();
    void aLockOfAnotherMachineIsRespected();
    void anUnusableFolderIsToldPlainly_data();
    void anUnusableFolderIsToldPlainly();
    void theHeaderMarksTheFileAsOurs();

private:
    std::unique_ptr<StoreFixture> m_fixture;
    mode_t m_oldMask = 0;
};

void StoreOpeningTest::aNewFolderIsPrivate()
{
    StoreOpening opening;
    const auto store = m_fixture->open(&opening);
    QVERIFY(opening.created);
    QCOMPARE(opening.migratedFrom, -1);
    QVERIFY(commit(*store, {PutAlias{{"a", "x"}}}).ok());
    QCOMPARE(modeOf(m_fixture->folder()), 0700U);
    const QDir folder(QString::fromStdString(m_fixture->folder()));
    const QStringList files = folder.entryList(QDir::Files | QDir::Hidden);
    QVERIFY(files.contains(QStringLiteral("storage.sqlite")));
    QVERIFY(files.contains(QStringLiteral("storage.sqlite-wal")));
    QVERIFY(files.contains(QStringLiteral("storage.sqlite-shm")));
    for (const QString& file : files)
        QVERIFY2(modeOf(folder.filePath(file).toStdString()) == 0600U, qPrintable(file));

    const std::string copy = m_fixture->file("copy.sqlite");
    QVERIFY(waitFor([&](QObject* context, auto done) { store->backup(copy, context, std::move(done)); }).ok());
    QCOMPARE(modeOf(copy), 0600U);
    RawDatabase raw(copy);
    QCOMPARE(raw.text("SELECT model FROM model_aliases"), std::string("x"));
}

void StoreOpeningTest::openFilesAreTightened()
{
    (void)m_fixture->open();
    QCOMPARE(::chmod(m_fixture->database().c_str(), 0644), 0);
    QCOMPARE(::chmod(m_fixture->folder().c_str(), 0755), 0);
    (void)m_fixture->open();
    QCOMPARE(modeOf(m_fixture->database()), 0600U);
    QCOMPARE(modeOf(m_fixture->folder()), 0700U);
}

void StoreOpeningTest::aSharedFolderOfOthersIsLeftAlone()
{
    QVERIFY(QDir().mkpath(QString::fromStdString(m_fixture->folder())));
    write(m_fixture->file("holiday.jpg"), "x");
    QCOMPARE(::chmod(m_fixture->folder().c_str(), 0755), 0);
    (void)m_fixture->open();
    QCOMPARE(modeOf(m_fixture->folder()), 0755U);
    QCOMPARE(modeOf(m_fixture->database()), 0600U);
}

void StoreOpeningTest::anOlderSchemaIsMigratedAfterACopy()
{
    {
        const auto store = m_fixture->open();
        QVERIFY(commit(*store, {PutConnection{makeConnection(0)}, PutAlias{{"a", "x"}}}).ok());
    }
    {
        // As schema 1 left it.
        RawDatabase raw(m_fixture->database());
        raw.run("DROP TABLE usage_daily; DROP TABLE model_prices; DROP TABLE call_logs; DROP TABLE connection_health; DROP TABLE "
                "domain_circuit_breakers; PRAGMA user_version = 1");
    }
    StoreOpening opening;
    {
        const auto store = m_fixture->open(&opening);
        QCOMPARE(store->loadConfiguration(nullptr)->connections.size(), std::size_t{1});
        store->appendRequests(makeRequests(0, 1));
        QVERIFY(drained(*store, 1));
    }
    QVERIFY(!opening.created);
    QCOMPARE(opening.migratedFrom, 1);
    QVERIFY(QFile::exists(QString::fromStdString(opening.migrationBackup)));
    QCOMPARE(modeOf(opening.migrationBackup), 0600U);
    RawDatabase backup(opening.migrationBackup);
    QCOMPARE(backup.number("PRAGMA user_version"), std::int64_t{1});
    QCOMPARE(backup.number("SELECT count(*) FROM provider_connections"), std::int64_t{1});
    QCOMPARE(backup.number("SELECT count(*) FROM sqlite_schema WHERE name = 'call_logs'"), std::int64_t{0});

    StoreOpening again;
    (void)m_fixture->open(&again);
    QCOMPARE(again.migratedFrom, -1);
    QVERIFY(again.migrationBackup.empty());
}

void StoreOpeningTest::aNewerSchemaIsRefusedUntouched()
{
    (void)m_fixture->open();
    {
        RawDatabase raw(m_fixture->database());
        raw.run("PRAGMA user_version = 9999; PRAGMA wal_checkpoint(TRUNCATE)");
    }
    const QByteArray before = contentOf(m_fixture->database());
    const auto store = Store::open(m_fixture->options());
    QVERIFY(!store.ok());
    QVERIFY(store.error().kind == ErrorKind::Storage);
    QVERIFY2(store.error().message.find("newer") != std::string::npos, store.error().message.c_str());
    QVERIFY(store.error().message.find("9999") != std::string::npos);
    QVERIFY(contentOf(m_fixture->database()) == before);
    QVERIFY(!QDir(QString::fromStdString(m_fixture->file("backups"))).exists());
}

void StoreOpeningTest::anotherProgramsDatabaseIsRefusedUntouched()
{
    QVERIFY(QDir().mkpath(QString::fromStdString(m_fixture->folder())));
    {
        RawDatabase raw(m_fixture->database());
        raw.run("CREATE TABLE provider_connections (id TEXT); INSERT INTO provider_connections VALUES ('theirs')");
    }
    const QByteArray before = contentOf(m_fixture->database());
    const auto store = Store::open(m_fixture->options());
    QVERIFY(!store.ok());
    QVERIFY2(store.error().message.find("another program") != std::string::npos, store.error().message.c_str());
    QVERIFY(contentOf(m_fixture->database()) == before);
}

void StoreOpeningTest::theLockNamesItsHolder()
{
    StoreOptions options = m_fixture->options();
    options.holderName = "omniroute-desktop";
    const auto holder = StoreFixture::open(options);
    options.holderName = "omniroute-headless";
    const auto second = Store::open(options);
    QVERIFY(!second.ok());
    QVERIFY(second.error().kind == ErrorKind::Conflict);
    const std::string& message = second.error().message;
    QVERIFY2(message.find("omniroute-desktop") != std::string::npos, message.c_str());
    QVERIFY2(message.find("process " + std::to_string(QCoreApplication::applicationPid())) != std::string::npos, message.c_str());
    QVERIFY2(message.find(m_fixture->folder()) != std::string::npos, message.c_str());
    // The refused one took nothing away from the holder.
    QVERIFY(commit(*holder, {PutAlias{{"a", "x"}}}).ok());
    QVERIFY(!Store::open(options).ok());
}

void StoreOpeningTest::theLockGoesWithTheStore()
{
    auto store = m_fixture->open();
    QVERIFY(store->close().ok());
    QVERIFY(store->close().ok());
    (void)m_fixture->open();
    QVERIFY(!QFile::exists(QString::fromStdString(m_fixture->file("omniroute.lock"))));
    QVERIFY(!QFile::exists(QString::fromStdString(m_fixture->file("omniroute.holder"))));
}

void StoreOpeningTest::aLockOfTheDeadIsTaken_data()
{
    QTest::addColumn<QString>("how");
    QTest::addColumn<bool>("clearing");  // whoever was about to take the lock of the dead was killed as well
    for (const bool clearing : {false, true}) {
        const char* const also = clearing ? ", and so is who was clearing up" : "";
        QTest::addRow("the process is gone%s", also) << "gone" << clearing;
        QTest::addRow("dead, but its parent has not looked%s", also) << "zombie" << clearing;
        QTest::addRow("killed before it wrote its name%s", also) << "empty" << clearing;
        QTest::addRow("its number belongs to another program now%s", also) << "reused" << clearing;
    }
}

void StoreOpeningTest::aLockOfTheDeadIsTaken()
{
    QFETCH(const QString, how);
    QFETCH(const bool, clearing);
    (void)m_fixture->open();
    pid_t pid = ::fork();
    if (pid == 0)
        ::_exit(0);
    QVERIFY(pid > 0);
    if (how == QLatin1String("gone")) {
        ::waitpid(pid, nullptr, 0);
    } else if (how == QLatin1String("zombie")) {
        siginfo_t info = {};
        QCOMPARE(::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT), 0);
    }
    // Process 1 lives, and is not the program that the lock names.
    const qint64 named = how == QLatin1String("reused") ? 1 : pid;
    write(m_fixture->file("omniroute.lock"), how == QLatin1String("empty") ? QByteArray() : lockOf(named, QSysInfo::machineHostName()));
    if (clearing)
        write(m_fixture->file("omniroute.lock.rmlock"), QByteArray());
    const auto store = Store::open(m_fixture->options());
    QVERIFY2(store.ok(), store.ok() ? "" : store.error().message.c_str());
    if (how != QLatin1String("gone"))
        ::waitpid(pid, nullptr, 0);
}

void StoreOpeningTest::aLockOfAnotherMachineIsRespected()
{
    (void)m_fixture->open();
    write(m_fixture->file("omniroute.lock"), lockOf(4242, QStringLiteral("elsewhere"), "another machine"));
    const auto store = Store::open(m_fixture->options());
    QVERIFY(!store.ok());
    QVERIFY(store.error().kind == ErrorKind::Conflict);
    QVERIFY2(store.error().message.find("4242 on elsewhere") != std::string::npos, store.error().message.c_str());
}

void StoreOpeningTest::anUnusableFolderIsToldPlainly_data()
{
    QTest::addColumn<QString>("folder");
    QTest::newRow("a file in its place") << "file";
    QTest::newRow("below a file") << "file/data";
    QTest::newRow("a folder in place of the database") << "taken";
    QTest::newRow("a file system that takes nothing") << "/proc";
}

void StoreOpeningTest::anUnusableFolderIsToldPlainly()
{
    QFETCH(const QString, folder);
    QTemporaryDir dir;
    write(dir.filePath(QStringLiteral("file")).toStdString(), "x");
    QVERIFY(QDir(dir.path()).mkpath(QStringLiteral("taken/storage.sqlite")));
    StoreOptions options = m_fixture->options();
    options.dataDir = (folder.startsWith(QLatin1Char('/')) ? folder : dir.filePath(folder)).toStdString();
    const auto store = Store::open(options);
    QVERIFY(!store.ok());
    QVERIFY(store.error().kind == ErrorKind::Storage);
    QVERIFY2(store.error().message.find(options.dataDir) != std::string::npos, store.error().message.c_str());
}

void StoreOpeningTest::theHeaderMarksTheFileAsOurs()
{
    (void)m_fixture->open();
    RawDatabase raw(m_fixture->database());
    QCOMPARE(raw.number("PRAGMA application_id"), std::int64_t{0x4F6D6E52});
    QCOMPARE(raw.number("PRAGMA auto_vacuum"), std::int64_t{2});
    QCOMPARE(raw.text("PRAGMA journal_mode"), std::string("wal"));
}

OMNI_TEST(StoreOpeningTest)
#include "store_opening_test.moc"
