#include "store/database.h"

#include "base/private_file.h"
#include "program/test_program.h"

#include <QTemporaryDir>
#include <QThread>
#include <QTest>

#include <sqlite3.h>

using namespace omni;

/// The thin layer over Qt's SQL classes.
class DatabaseTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();

    void failuresSayWhatToDo_data();
    void failuresSayWhatToDo();
    void failuresHoldNoSecret();
    void statementsAreRunAgainAndAgain();
    void emptyTextIsNotNull();
    void directStatementsDoTheSame_data();
    void directStatementsDoTheSame();
    void aTransactionIsRolledBackWhenItIsLeft();
    void readOnlyMeansIt();
    void aLongStatementCanBeInterrupted();

private:
    std::unique_ptr<Database> open(Database::Access access = Database::Access::ReadWrite)
    {
        Result<std::unique_ptr<Database>> database = Database::open(m_path, access);
        if (!database)
            qFatal("%s", describe(database.error()).c_str());
        return std::move(*database);
    }

    std::unique_ptr<QTemporaryDir> m_dir;
    std::string m_path;
};

void DatabaseTest::init()
{
    m_dir = std::make_unique<QTemporaryDir>();
    m_path = m_dir->filePath(QStringLiteral("d.sqlite")).toStdString();
    QVERIFY(ensurePrivateFile(m_path).ok());
    QVERIFY(open()->run("CREATE TABLE t (a TEXT NOT NULL, b INTEGER)").ok());
}

void DatabaseTest::failuresSayWhatToDo_data()
{
    QTest::addColumn<int>("code");
    QTest::addColumn<int>("kind");
    QTest::addColumn<QByteArray>("part");
    const auto row = [](const char* name, int code, ErrorKind kind, const char* part) {
        QTest::newRow(name) << code << static_cast<int>(kind) << QByteArray(part);
    };
    row("disk full", SQLITE_FULL, ErrorKind::Storage, "The disk is full");
    row("read-only", SQLITE_READONLY, ErrorKind::Storage, "cannot be written");
    row("read-only, extended", SQLITE_READONLY_DBMOVED, ErrorKind::Storage, "cannot be written");
    row("cannot be opened", SQLITE_CANTOPEN, ErrorKind::Storage, "cannot be opened");
    row("write failed", SQLITE_IOERR_WRITE, ErrorKind::Storage, "The disk failed");
    row("in use", SQLITE_BUSY_SNAPSHOT, ErrorKind::Storage, "in use by another program");
    row("damaged", SQLITE_CORRUPT, ErrorKind::Storage, "damaged");
    row("no database", SQLITE_NOTADB, ErrorKind::Storage, "damaged");
    row("unique", SQLITE_CONSTRAINT_UNIQUE, ErrorKind::Conflict, "refused the values");
    row("interrupted", SQLITE_INTERRUPT, ErrorKind::Cancelled, "broken off");
    row("anything else", SQLITE_MISUSE, ErrorKind::Storage, "failed");
}

void DatabaseTest::failuresSayWhatToDo()
{
    QFETCH(const int, code);
    QFETCH(const int, kind);
    QFETCH(const QByteArray, part);
    const auto database = open();
    const Error error = database->failure(code, "its own words");
    QCOMPARE(static_cast<int>(error.kind), kind);
    QVERIFY2(error.message.find(part.toStdString()) != std::string::npos, error.message.c_str());
    QVERIFY(error.message.find("its own words") != std::string::npos);
    QCOMPARE(database->foundDamage(), part == "damaged");
}

void DatabaseTest::failuresHoldNoSecret()
{
    const auto database = open();
    const Error error = database->failure(SQLITE_ERROR, "near \"sk-0123456789abcdef0123456789\"");
    QVERIFY2(error.message.find("0123456789") == std::string::npos, error.message.c_str());
}

void DatabaseTest::statementsAreRunAgainAndAgain()
{
    const auto database = open();
    Statement insert(*database, "INSERT INTO t (a, b) VALUES (?, ?)");
    for (int i = 0; i < 3; ++i)
        QVERIFY(insert.bind("x").bindMaybe(i == 1 ? std::optional<std::int64_t>() : std::optional<std::int64_t>(i)).run().ok());
    Statement select(*database, "SELECT b FROM t WHERE a = ? ORDER BY rowid");
    for (int round = 0; round < 2; ++round) {
        QVERIFY(select.bind("x").run().ok());
        QVERIFY(select.next());
        QCOMPARE(select.number(0), std::int64_t{0});
        QVERIFY(select.next());
        QVERIFY(!select.maybeNumber(0).has_value());
        QVERIFY(select.end().ok());
    }
    Statement wrong(*database, "INSERT INTO nowhere VALUES (?)");
    QVERIFY(!wrong.bind("x").run().ok());
    Statement null(*database, "INSERT INTO t (b) VALUES (?)");
    const Status refused = null.bind(std::int64_t{1}).run();
    QVERIFY(!refused.ok());
    QVERIFY(refused.error().kind == ErrorKind::Conflict);
}

void DatabaseTest::emptyTextIsNotNull()
{
    const auto database = open();
    Statement insert(*database, "INSERT INTO t (a) VALUES (?)");
    QVERIFY(insert.bind("").run().ok());
    QVERIFY(insert.bind(std::string_view()).run().ok());
    Statement bytes(*database, "INSERT INTO t (a) VALUES (CAST(? AS TEXT))");
    QVERIFY(bytes.bindBytes(std::string_view()).run().ok());
    QCOMPARE(*database->number("SELECT count(*) FROM t WHERE a = '' AND typeof(a) = 'text'"), std::int64_t{3});
}

void DatabaseTest::directStatementsDoTheSame_data()
{
    QTest::addColumn<bool>("direct");
    QTest::newRow("directly") << true;
    QTest::newRow("through Qt") << false;
}

void DatabaseTest::directStatementsDoTheSame()
{
    QFETCH(const bool, direct);
    const auto database = open();
    QVERIFY2(database->handle() != nullptr, "Qt's driver and this program share one SQLite here");
    {
        DirectStatement insert(*database, "INSERT INTO t (a, b) VALUES (CAST(? AS TEXT), ?)",
                               direct ? DirectStatement::Way::Direct : DirectStatement::Way::ThroughQt);
        for (const std::string_view text : {std::string_view("বাংলা"), std::string_view(""), std::string_view()})
            QVERIFY(insert.bind(text).bind(std::int64_t{INT64_MAX}).run().ok());
    }
    QCOMPARE(*database->number("SELECT count(*) FROM t WHERE typeof(a) = 'text' AND b = 9223372036854775807"), std::int64_t{3});
    QCOMPARE(*database->text("SELECT a FROM t LIMIT 1"), std::string("বাংলা"));

    DirectStatement wrong(*database, "INSERT INTO nowhere VALUES (?)",
                          direct ? DirectStatement::Way::Direct : DirectStatement::Way::ThroughQt);
    QVERIFY(!wrong.bind("x").run().ok());
    DirectStatement refused(*database, "INSERT INTO t (a) VALUES (NULL)",
                            direct ? DirectStatement::Way::Direct : DirectStatement::Way::ThroughQt);
    for (int i = 0; i < 2; ++i) {
        const Status status = refused.run();
        QVERIFY(!status.ok());
        QCOMPARE(database->lastCode(), SQLITE_CONSTRAINT);
    }
}

void DatabaseTest::aTransactionIsRolledBackWhenItIsLeft()
{
    const auto database = open();
    {
        Transaction transaction(*database);
        QVERIFY(transaction.begin().ok());
        QVERIFY(database->run("INSERT INTO t (a) VALUES ('x')").ok());
        QVERIFY(!database->run("INSERT INTO t (a) VALUES (NULL)").ok());
    }
    QCOMPARE(database->lastCode(), SQLITE_CONSTRAINT);
    QCOMPARE(*database->number("SELECT count(*) FROM t"), std::int64_t{0});
    {
        Transaction transaction(*database);
        QVERIFY(transaction.begin().ok());
        QVERIFY(database->run("INSERT INTO t (a) VALUES ('x')").ok());
        QVERIFY(transaction.commit().ok());
    }
    QCOMPARE(*database->number("SELECT count(*) FROM t"), std::int64_t{1});
}

void DatabaseTest::readOnlyMeansIt()
{
    const auto database = open(Database::Access::ReadOnly);
    QCOMPARE(*database->number("SELECT count(*) FROM t"), std::int64_t{0});
    QVERIFY(!database->run("INSERT INTO t (a) VALUES ('x')").ok());
    QCOMPARE(database->lastCode(), SQLITE_READONLY);
    QVERIFY(!Database::open(m_path + ".absent", Database::Access::ReadOnly).ok());
}

void DatabaseTest::aLongStatementCanBeInterrupted()
{
    const auto database = open();
    std::atomic<bool> done{false};
    // Again and again, since the first may come before the statement has begun.
    std::unique_ptr<QThread> other(QThread::create([&] {
        while (!done) {
            database->interrupt();
            QThread::usleep(1'000);
        }
    }));
    other->start();
    const Status status =
        database->run("WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n");
    done = true;
    other->wait();
    QVERIFY(!status.ok());
    QVERIFY(status.error().kind == ErrorKind::Cancelled);
}

OMNI_TEST(DatabaseTest)
#include "database_test.moc"
