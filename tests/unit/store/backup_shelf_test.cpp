#include "store_fixture.h"

#include "program/test_program.h"
#include "store/backup_shelf.h"
#include "store/facts.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QTest>

#include <sys/stat.h>

#include <algorithm>

using namespace omni;
using namespace omni::test;

namespace {

QString native(const std::string& path) { return QString::fromStdString(path); }

void write(const std::string& path, const QByteArray& content)
{
    QFile file(native(path));
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        qFatal("cannot write %s", path.c_str());
}

/// The model that the alias "a" stands for in a database, as SQLite itself reads it.
std::string aliasIn(const std::string& path) { return RawDatabase(path).text("SELECT model FROM model_aliases WHERE name = 'a'"); }

}  // namespace

class BackupShelfTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_fixture = std::make_unique<StoreFixture>(); }

    void aCopyIsMadeWhileTheStoreWrites();
    void kindsAreToldByTheirNames_data();
    void kindsAreToldByTheirNames();
    void whatIsNoDatabaseIsListedAsUnreadable();
    void onlyFilesOfTheFolderAreTouched_data();
    void onlyFilesOfTheFolderAreTouched();
    void removingTakesTheLogAlong();
    void aBackupTakesTheDatabasesPlaceAtTheNextStart();
    void whatWasReplacedCanComeBack();
    void secretsOnTheirWayOutAreForgotten();
    void aPreparedBackupCanBeForgotten();
    void unfitBackupsAreRefused_data();
    void unfitBackupsAreRefused();
    void copiesBeforeImportsAreKeptFiveTimes();

private:
    BackupShelf shelf() const { return BackupShelf(m_fixture->database()); }
    std::string backups() const { return m_fixture->folder() + "/backups"; }
    /// Opens the store, sets the alias, and closes it.
    void setAlias(const std::string& model, StoreOpening* opening = nullptr) const
    {
        const auto store = m_fixture->open(opening);
        QVERIFY(commit(*store, {PutAlias{{"a", model}}}).ok());
    }
    /// A backup that holds `model` for the alias.
    std::string backupWith(const std::string& model) const
    {
        setAlias(model);
        const Result<BackupFile> made = shelf().make(BackupKind::ByHand);
        return made ? made->name : std::string();
    }

    std::unique_ptr<StoreFixture> m_fixture;
};

void BackupShelfTest::aCopyIsMadeWhileTheStoreWrites()
{
    const auto store = m_fixture->open();
    QVERIFY(commit(*store, {PutAlias{{"a", "x"}}}).ok());
    const Result<BackupFile> made = shelf().make(BackupKind::ByHand);
    QVERIFY2(made.ok(), made ? "" : made.error().message.c_str());
    QVERIFY(made->kind == BackupKind::ByHand);
    QCOMPARE(made->schema, BackupShelf::knownSchema());
    QVERIFY(made->bytes > 0);
    QVERIFY(std::abs(epochMillis(made->at) - QDateTime::currentMSecsSinceEpoch()) < 60'000);
    QCOMPARE(aliasIn(backups() + "/" + made->name), std::string("x"));
    struct stat info = {};
    QCOMPARE(::stat((backups() + "/" + made->name).c_str(), &info), 0);
    QCOMPARE(info.st_mode & 0777U, 0600U);
    QCOMPARE(shelf().list().size(), std::size_t(1));
}

void BackupShelfTest::kindsAreToldByTheirNames_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("kind");
    QTest::addColumn<qint64>("at");
    const qint64 at = QDateTime(QDate(2026, 11, 29), QTime(23, 0, 45, 123), Qt::UTC).toMSecsSinceEpoch();
    const auto row = [](const char* name, BackupKind kind, qint64 time) { QTest::newRow(name) << QString::fromLatin1(name) << int(kind) << time; };
    row("before-0004-20261129-230045-123.sqlite", BackupKind::BeforeUpdate, at);
    row("manual-20261129-230045-123.sqlite", BackupKind::ByHand, at);
    row("import-20261129-230045-123.sqlite", BackupKind::BeforeImport, at);
    row("replaced-20261129-230045-123-2.sqlite", BackupKind::BeforeRestore, at);
    row("damaged-20261129-230045-123-1.sqlite", BackupKind::Rescue, at);
    row("mine.sqlite", BackupKind::ByHand, 0);
    row("before-2026.sqlite", BackupKind::ByHand, 0);
    row("import-mine.sqlite", BackupKind::ByHand, 0);
    row("replaced-disk.sqlite", BackupKind::ByHand, 0);
    row("damaged-20269929-230045-123.sqlite", BackupKind::ByHand, 0);
    row("before-christmas-20261129-230045-123.sqlite", BackupKind::ByHand, at);
    row("before-0004-20261129-230045-123 copy.sqlite", BackupKind::ByHand, 0);
    row("manual-20269929-230045-123.sqlite", BackupKind::ByHand, 0);
}

void BackupShelfTest::kindsAreToldByTheirNames()
{
    QFETCH(QString, name);
    QFETCH(int, kind);
    QFETCH(qint64, at);
    QVERIFY(QDir().mkpath(native(backups())));
    write(backups() + "/" + name.toStdString(), "x");
    write(backups() + "/notes.txt", "x");
    const std::vector<BackupFile> list = shelf().list();
    QCOMPARE(list.size(), std::size_t(1));
    QCOMPARE(int(list.front().kind), kind);
    if (at != 0)
        QCOMPARE(epochMillis(list.front().at), std::int64_t(at));
    else
        QVERIFY(std::abs(epochMillis(list.front().at) - QDateTime::currentMSecsSinceEpoch()) < 60'000);
}

void BackupShelfTest::whatIsNoDatabaseIsListedAsUnreadable()
{
    QVERIFY(QDir().mkpath(native(backups())));
    write(backups() + "/empty.sqlite", "");
    write(backups() + "/text.sqlite", QByteArray(200, 'x'));
    RawDatabase(backups() + "/other.sqlite").run("CREATE TABLE t (x)");
    const std::vector<BackupFile> list = shelf().list();
    QCOMPARE(list.size(), std::size_t(3));
    for (const BackupFile& backup : list)
        QCOMPARE(backup.schema, 0);
}

void BackupShelfTest::onlyFilesOfTheFolderAreTouched_data()
{
    QTest::addColumn<QString>("name");
    for (const char* name : {"", ".", "..", "../storage.sqlite", "gone.sqlite", "sub/x.sqlite", "..\\storage.sqlite", "notes.txt"})
        QTest::newRow(*name == 0 ? "nothing" : name) << QString::fromLatin1(name);
}

void BackupShelfTest::onlyFilesOfTheFolderAreTouched()
{
    QFETCH(QString, name);
    setAlias("x");
    QVERIFY(QDir().mkpath(native(backups() + "/sub")));
    write(backups() + "/sub/x.sqlite", "x");
    write(backups() + "/notes.txt", "x");
    const Status removed = shelf().remove(name.toStdString());
    QVERIFY(!removed.ok());
    QVERIFY(removed.error().kind == ErrorKind::NotFound);
    QVERIFY(!shelf().prepareRestore(name.toStdString()).ok());
    QVERIFY(!shelf().prepared());
    QCOMPARE(aliasIn(m_fixture->database()), std::string("x"));
    QVERIFY(QFile::exists(native(backups() + "/sub/x.sqlite")));
    QVERIFY(QFile::exists(native(backups() + "/notes.txt")));
}

void BackupShelfTest::removingTakesTheLogAlong()
{
    QVERIFY(QDir().mkpath(native(backups())));
    for (const char* part : {"", "-wal", "-journal", "-shm"})
        write(backups() + "/damaged-20261129-230045-123.sqlite" + part, "xx");
    QCOMPARE(shelf().list().front().bytes, std::int64_t(6));
    QVERIFY(shelf().remove("damaged-20261129-230045-123.sqlite").ok());
    QVERIFY(QDir(native(backups())).isEmpty());
}

void BackupShelfTest::aBackupTakesTheDatabasesPlaceAtTheNextStart()
{
    const std::string name = backupWith("then");
    setAlias("now");
    const Status ready = shelf().prepareRestore(name);
    QVERIFY2(ready.ok(), ready ? "" : ready.error().message.c_str());
    // Nothing has happened to the database yet; which backup waits is known.
    QCOMPARE(aliasIn(m_fixture->database()), std::string("now"));
    QVERIFY(shelf().prepared() && *shelf().prepared() == shelf().list().front().at);

    StoreOpening opening;
    {
        const auto store = m_fixture->open(&opening);
        QVERIFY(opening.restored);
        QVERIFY2(opening.restoreProblem.empty(), opening.restoreProblem.c_str());
        QVERIFY(!opening.created);
        const Result<Configuration> loaded = store->loadConfiguration(nullptr);
        QVERIFY(loaded.ok());
        QCOMPARE(loaded->aliases.front().model, std::string("then"));
        QVERIFY(commit(*store, {PutAlias{{"b", "later"}}}).ok());
    }
    QCOMPARE(aliasIn(opening.replacedCopy), std::string("now"));
    QVERIFY(!shelf().prepared());
    // The backup itself is where it was, and there is nothing left of the way.
    QCOMPARE(aliasIn(backups() + "/" + name), std::string("then"));
    const QStringList left = QDir(native(m_fixture->folder())).entryList({QStringLiteral("storage.*")}, QDir::Files);
    QCOMPARE(left, QStringList{QStringLiteral("storage.sqlite")});
    // Once, and not again with the start after.
    (void)m_fixture->open(&opening);
    QVERIFY(!opening.restored);
    QCOMPARE(RawDatabase(m_fixture->database()).number("SELECT count(*) FROM model_aliases"), std::int64_t(2));
}

void BackupShelfTest::whatWasReplacedCanComeBack()
{
    const std::string name = backupWith("then");
    setAlias("now");
    QVERIFY(shelf().prepareRestore(name).ok());
    (void)m_fixture->open();
    const std::vector<BackupFile> list = shelf().list();
    const auto replaced = std::find_if(list.begin(), list.end(), [](const BackupFile& one) { return one.kind == BackupKind::BeforeRestore; });
    QVERIFY(replaced != list.end());
    QVERIFY(shelf().prepareRestore(replaced->name).ok());
    (void)m_fixture->open();
    QCOMPARE(aliasIn(m_fixture->database()), std::string("now"));
}

void BackupShelfTest::secretsOnTheirWayOutAreForgotten()
{
    const std::string fact = kDiscardedSecretsFact;
    std::string name;
    {
        const auto store = m_fixture->open();
        QVERIFY(commit(*store, {PutFact{fact, R"(["connection/1"])"}, PutFact{"setupComplete", "true"}}).ok());
        const Result<BackupFile> made = shelf().make(BackupKind::ByHand);
        QVERIFY(made.ok());
        name = made->name;
        // The deletion was undone: what is gone back to later needs that secret.
        QVERIFY(commit(*store, {PutFact{fact, "[]"}}).ok());
    }
    QVERIFY(shelf().prepareRestore(name).ok());
    StoreOpening opening;
    const auto store = m_fixture->open(&opening);
    QVERIFY(opening.restored);
    QCOMPARE(store->fact(fact), std::string("[]"));
    QCOMPARE(store->fact("setupComplete"), std::string("true"));
    // The backup itself is as it was.
    QCOMPARE(RawDatabase(backups() + "/" + name).text("SELECT value FROM key_value WHERE key = '" + fact + "'"), std::string(R"(["connection/1"])"));
}

void BackupShelfTest::aPreparedBackupCanBeForgotten()
{
    const std::string name = backupWith("then");
    setAlias("now");
    QVERIFY(shelf().prepareRestore(name).ok());
    QVERIFY(shelf().forgetPrepared().ok());
    QVERIFY(!shelf().prepared());
    QVERIFY(shelf().forgetPrepared().ok());
    StoreOpening opening;
    (void)m_fixture->open(&opening);
    QVERIFY(!opening.restored);
    QCOMPARE(aliasIn(m_fixture->database()), std::string("now"));
}

void BackupShelfTest::unfitBackupsAreRefused_data()
{
    QTest::addColumn<QString>("spoil");
    QTest::addColumn<QString>("words");
    QTest::newRow("newer") << "newer" << "newer version";
    QTest::newRow("damaged inside") << "damaged" << "damaged";
    QTest::newRow("cut off") << "cut" << "damaged";
    QTest::newRow("another program's") << "foreign" << "no backup of OmniRoute";
    QTest::newRow("text") << "text" << "damaged, or is no database";
    QTest::newRow("empty") << "empty" << "no backup of OmniRoute";
}

void BackupShelfTest::unfitBackupsAreRefused()
{
    QFETCH(QString, spoil);
    QFETCH(QString, words);
    const std::string name = backupWith("then");
    setAlias("now");
    const std::string path = backups() + "/" + name;
    if (spoil == QLatin1String("newer")) {
        RawDatabase(path).run("PRAGMA user_version = 99");
    } else if (spoil == QLatin1String("damaged")) {
        QFile file(native(path));
        QVERIFY(file.open(QIODevice::ReadWrite) && file.seek(4096 + 100));
        file.write(QByteArray(int(file.size()) - 4096 - 100, '\x5a'));
    } else if (spoil == QLatin1String("cut")) {
        QVERIFY(QFile::resize(native(path), QFileInfo(native(path)).size() / 2));
    } else if (spoil == QLatin1String("foreign")) {
        QVERIFY(QFile::remove(native(path)));
        RawDatabase(path).run("CREATE TABLE t (x)");
    } else {
        write(path, spoil == QLatin1String("text") ? QByteArray(5000, 'x') : QByteArray());
    }
    const Status refused = shelf().prepareRestore(name);
    QVERIFY(!refused.ok());
    QVERIFY2(QString::fromStdString(refused.error().message).contains(words), refused.error().message.c_str());
    QVERIFY(!shelf().prepared());
    StoreOpening opening;
    (void)m_fixture->open(&opening);
    QVERIFY(!opening.restored);
    QCOMPARE(aliasIn(m_fixture->database()), std::string("now"));
}

void BackupShelfTest::copiesBeforeImportsAreKeptFiveTimes()
{
    setAlias("x");
    QVERIFY(QDir().mkpath(native(backups())));
    // A name of the user's own only begins like those.
    write(backups() + "/import-0.sqlite", "x");
    for (int i = 0; i < 7; ++i)
        QVERIFY(shelf().make(BackupKind::BeforeImport).ok());
    QVERIFY(shelf().make(BackupKind::ByHand).ok());
    const std::vector<BackupFile> list = shelf().list();
    QCOMPARE(std::count_if(list.begin(), list.end(), [](const BackupFile& one) { return one.kind == BackupKind::BeforeImport; }), 5);
    QCOMPARE(std::count_if(list.begin(), list.end(), [](const BackupFile& one) { return one.kind == BackupKind::ByHand; }), 2);
    QVERIFY(QFile::exists(native(backups() + "/import-0.sqlite")));
}

OMNI_TEST(BackupShelfTest)
#include "backup_shelf_test.moc"
