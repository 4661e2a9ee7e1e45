#include "store_fixture.h"

#include "program/test_program.h"
#include "store/backup_shelf.h"
#include "store/database_files.h"

#include <QDir>
#include <QFileInfo>
#include <QTest>

using namespace omni;
using namespace omni::test;

namespace {

constexpr const char* kAside = "replaced-20261129-230045-123.sqlite";

QString native(const std::string& path) { return QString::fromStdString(path); }

bool write(const std::string& path, const QByteArray& content)
{
    QFile file(native(path));
    return file.open(QIODevice::WriteOnly) && file.write(content) == content.size();
}

bool move(const std::string& from, const std::string& to) { return QFile::rename(native(from), native(to)); }

/// The model that the alias "a" stands for in a database, as SQLite itself reads it.
std::string aliasIn(const std::string& path) { return RawDatabase(path).text("SELECT model FROM model_aliases WHERE name = 'a'"); }

}  // namespace

/// What a start makes of a backup that was laid ready, with everything in the way that can be.
class PreparedRestoreTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_fixture = std::make_unique<StoreFixture>(); }

    void whatTheDatabaseHadInItsLogIsKept();
    void aStartBrokenOffGoesOn_data();
    void aStartBrokenOffGoesOn();
    void aStartBrokenOffAfterTheLastStepIsDone();
    void aLogWithoutItsDatabaseIsNotMixedIn();
    void aMoveThatIsBlockedMidwayIsTakenBack();
    void aRestoreWhoseLastStepIsBlockedIsTakenBack();
    void aDatabaseThatCannotBeMovedStays();

    void whatSpoilsAfterwardsIsNotPutInPlace();
    void whatCannotBeReadNowWaits();
    void withoutADatabaseTheNewestComesBack_data();
    void withoutADatabaseTheNewestComesBack();
    void withoutADatabaseNoneIsBegun_data();
    void withoutADatabaseNoneIsBegun();

private:
    BackupShelf shelf() const { return BackupShelf(m_fixture->database()); }
    std::string database() const { return m_fixture->database(); }
    std::string backups() const { return m_fixture->folder() + "/backups"; }
    std::string aside() const { return backups() + "/" + kAside; }
    std::string prepared() const { return m_fixture->file("storage.restore.sqlite"); }
    std::string note() const { return database() + ".moving"; }

    void setAlias(const std::string& model) const
    {
        const auto store = m_fixture->open();
        QVERIFY(commit(*store, {PutAlias{{"a", model}}}).ok());
    }
    /// "then" is in a backup that is laid ready, "now" in the database.
    void layReady() const
    {
        setAlias("then");
        const Result<BackupFile> made = shelf().make(BackupKind::ByHand);
        QVERIFY(made.ok());
        setAlias("now");
        QVERIFY(shelf().prepareRestore(made->name).ok());
    }
    /// And as a process that was killed leaves it: its last change, to "in the log", stands in the log beside the file.
    void layReadyAndLeaveALog() const
    {
        layReady();
        QVERIFY(move(prepared(), m_fixture->file("later")));
        {
            const auto store = m_fixture->open();
            QVERIFY(commit(*store, {PutAlias{{"a", "in the log"}}}).ok());
            for (const char* part : {"", "-wal"})
                QVERIFY(QFile::copy(native(database() + part), native(m_fixture->file("kept") + part)));
        }
        QVERIFY(QFile::remove(native(database())));
        for (const char* part : {"", "-wal"})
            QVERIFY(move(m_fixture->file("kept") + part, database() + part));
        QVERIFY(QFileInfo(native(database() + "-wal")).size() > 0);
        QVERIFY(move(m_fixture->file("later"), prepared()));
    }
    /// SQLite can say nothing of the file then, good or bad: it would have to read its journal first.
    void makeUnreadable() const { QVERIFY(QDir().mkpath(native(prepared() + "-journal"))); }
    void makeReadable() const { QVERIFY(QDir().rmdir(native(prepared() + "-journal"))); }

    std::unique_ptr<StoreFixture> m_fixture;
};

void PreparedRestoreTest::whatTheDatabaseHadInItsLogIsKept()
{
    layReadyAndLeaveALog();
    StoreOpening opening;
    (void)m_fixture->open(&opening);
    QVERIFY(opening.restored);
    QCOMPARE(aliasIn(database()), std::string("then"));
    QCOMPARE(aliasIn(opening.replacedCopy), std::string("in the log"));
}

void PreparedRestoreTest::aStartBrokenOffGoesOn_data()
{
    QTest::addColumn<QStringList>("moved");
    QTest::addColumn<bool>("noted");
    QTest::newRow("before anything was moved") << QStringList{} << true;
    QTest::newRow("the file moved, its log not") << QStringList{QString()} << true;
    QTest::newRow("both moved") << QStringList{QString(), QStringLiteral("-wal")} << true;
    QTest::newRow("both moved, by a version that noted nothing") << QStringList{QString(), QStringLiteral("-wal")} << false;
}

void PreparedRestoreTest::aStartBrokenOffGoesOn()
{
    QFETCH(QStringList, moved);
    QFETCH(bool, noted);
    layReadyAndLeaveALog();
    for (const QString& part : moved)
        QVERIFY(move(database() + part.toStdString(), aside() + part.toStdString()));
    QVERIFY(!noted || write(note(), kAside));
    StoreOpening opening;
    (void)m_fixture->open(&opening);
    QVERIFY2(opening.restored, opening.restoreProblem.c_str());
    QVERIFY(!opening.created);
    QCOMPARE(aliasIn(database()), std::string("then"));
    QCOMPARE(aliasIn(noted ? opening.replacedCopy : aside()), std::string("in the log"));
    QVERIFY(!isThere(note()));
    QCOMPARE(RawDatabase(database()).text("PRAGMA integrity_check"), std::string("ok"));
}

void PreparedRestoreTest::aStartBrokenOffAfterTheLastStepIsDone()
{
    layReadyAndLeaveALog();
    for (const char* part : {"", "-wal"})
        QVERIFY(move(database() + part, aside() + part));
    QVERIFY(move(prepared(), database()));
    QVERIFY(write(note(), kAside));
    (void)m_fixture->open();
    QCOMPARE(aliasIn(database()), std::string("then"));
    QCOMPARE(aliasIn(aside()), std::string("in the log"));
    QVERIFY(!isThere(note()));
}

void PreparedRestoreTest::aLogWithoutItsDatabaseIsNotMixedIn()
{
    layReadyAndLeaveALog();
    QVERIFY(move(database(), m_fixture->file("kept")));
    QVERIFY(write(database() + "-journal", "x"));
    StoreOpening opening;
    (void)m_fixture->open(&opening);
    QVERIFY2(opening.restored, opening.restoreProblem.c_str());
    QVERIFY(opening.replacedCopy.empty());
    QCOMPARE(aliasIn(database()), std::string("then"));
    QCOMPARE(RawDatabase(database()).text("PRAGMA integrity_check"), std::string("ok"));
    QVERIFY(!isThere(database() + "-journal"));
    // Nothing of it is lost: with its file it is the database again.
    const QStringList logs = QDir(native(backups())).entryList({QStringLiteral("replaced-*-wal")});
    QCOMPARE(logs.size(), 1);
    QVERIFY(move(backups() + "/" + logs.first().toStdString(), m_fixture->file("kept-wal")));
    QCOMPARE(aliasIn(m_fixture->file("kept")), std::string("in the log"));
}

void PreparedRestoreTest::aMoveThatIsBlockedMidwayIsTakenBack()
{
    layReadyAndLeaveALog();
    // A folder cannot be moved into itself, which not even root may: the file and its log can be moved, and the third part cannot.
    QVERIFY(QDir().mkpath(native(database() + "-journal")));
    const std::string folder = m_fixture->file("link");
    QVERIFY(QFile::link(native(database() + "-journal"), native(folder)));
    const Result<std::string> moved = moveAside(database(), folder, "replaced-", 5);
    QVERIFY(!moved.ok());
    QVERIFY2(moved.error().message.find("storage.sqlite-journal cannot be moved to") != std::string::npos, moved.error().message.c_str());
    QVERIFY(QDir(native(folder)).isEmpty());
    QVERIFY(!isThere(note()));
    QVERIFY(QDir().rmdir(native(database() + "-journal")));
    QCOMPARE(aliasIn(database()), std::string("in the log"));
}

void PreparedRestoreTest::aRestoreWhoseLastStepIsBlockedIsTakenBack()
{
    layReadyAndLeaveALog();
    const Result<std::string> replaced = replaceDatabase(database(), m_fixture->file("gone"), backups(), "replaced-", 5);
    QVERIFY(!replaced.ok());
    QVERIFY(QFileInfo(native(database() + "-wal")).size() > 0);
    QCOMPARE(QDir(native(backups())).entryList({QStringLiteral("replaced-*")}).size(), 0);
    QVERIFY(!isThere(note()));
    QCOMPARE(aliasIn(database()), std::string("in the log"));
}

void PreparedRestoreTest::aDatabaseThatCannotBeMovedStays()
{
    layReadyAndLeaveALog();
    // A file in the place of the folder.
    QVERIFY(move(backups(), m_fixture->file("elsewhere")));
    QVERIFY(write(backups(), "x"));
    StoreOpening opening;
    (void)m_fixture->open(&opening);
    QVERIFY(!opening.restored);
    QVERIFY(!opening.restoreProblem.empty());
    QCOMPARE(aliasIn(database()), std::string("in the log"));
    // It waits for a start where it can.
    QVERIFY(QFile::remove(native(backups())));
    QVERIFY(move(m_fixture->file("elsewhere"), backups()));
    (void)m_fixture->open(&opening);
    QVERIFY(opening.restored);
    QCOMPARE(aliasIn(database()), std::string("then"));
}

void PreparedRestoreTest::whatSpoilsAfterwardsIsNotPutInPlace()
{
    layReady();
    QVERIFY(QFile::resize(native(prepared()), 5000));
    StoreOpening opening;
    (void)m_fixture->open(&opening);
    QVERIFY(!opening.restored);
    QVERIFY(!opening.restoreProblem.empty());
    QVERIFY(opening.replacedCopy.empty());
    QCOMPARE(aliasIn(database()), std::string("now"));
    QVERIFY(!shelf().prepared());
}

void PreparedRestoreTest::whatCannotBeReadNowWaits()
{
    layReady();
    makeUnreadable();
    StoreOpening opening;
    (void)m_fixture->open(&opening);
    QVERIFY(!opening.restored);
    QVERIFY(!opening.restoreProblem.empty());
    QCOMPARE(aliasIn(database()), std::string("now"));
    QVERIFY(shelf().prepared());
    makeReadable();
    (void)m_fixture->open(&opening);
    QVERIFY2(opening.restored, opening.restoreProblem.c_str());
    QCOMPARE(aliasIn(database()), std::string("then"));
}

void PreparedRestoreTest::withoutADatabaseTheNewestComesBack_data()
{
    QTest::addColumn<bool>("damaged");
    QTest::addColumn<bool>("logBehind");
    QTest::newRow("damaged") << true << false;
    QTest::newRow("damaged, and another log lies there") << true << true;
    QTest::newRow("not readable now") << false << false;
}

void PreparedRestoreTest::withoutADatabaseTheNewestComesBack()
{
    QFETCH(bool, damaged);
    QFETCH(bool, logBehind);
    layReadyAndLeaveALog();
    if (damaged)
        QVERIFY(QFile::resize(native(prepared()), 5000));
    else
        makeUnreadable();
    for (const char* part : {"", "-wal"})
        QVERIFY(move(database() + part, aside() + part));
    QVERIFY(write(backups() + "/replaced-20261128-230045-123.sqlite", "older"));
    QVERIFY(write(backups() + "/replaced-the-disk.sqlite", "the user's own"));
    QVERIFY(!logBehind || write(database() + "-wal", "x"));
    StoreOpening opening;
    (void)m_fixture->open(&opening);
    QVERIFY(!opening.restored);
    QVERIFY(!opening.restoreProblem.empty());
    QVERIFY(!opening.created);
    QCOMPARE(aliasIn(database()), std::string("in the log"));
    QVERIFY(!isThere(aside()));
    QVERIFY(!isThere(note()));
    QCOMPARE(shelf().prepared().has_value(), !damaged);
}

void PreparedRestoreTest::withoutADatabaseNoneIsBegun_data()
{
    QTest::addColumn<bool>("damaged");
    QTest::newRow("damaged") << true;
    QTest::newRow("not readable now") << false;
}

void PreparedRestoreTest::withoutADatabaseNoneIsBegun()
{
    QFETCH(bool, damaged);
    layReady();
    if (damaged)
        QVERIFY(QFile::resize(native(prepared()), 5000));
    else
        makeUnreadable();
    QVERIFY(move(database(), m_fixture->file("kept")));
    // And not at the start after that either.
    for (int start = 0; start < 2; ++start) {
        const Result<std::unique_ptr<Store>> store = Store::open(m_fixture->options());
        QVERIFY(!store.ok());
        QVERIFY2(store.error().message.find("is missing") != std::string::npos, store.error().message.c_str());
        QVERIFY(!isThere(database()));
        QVERIFY(isThere(prepared()));
    }
    QVERIFY(move(m_fixture->file("kept"), database()));
    (void)m_fixture->open();
    QCOMPARE(aliasIn(database()), std::string("now"));
}

OMNI_TEST(PreparedRestoreTest)
#include "prepared_restore_test.moc"
