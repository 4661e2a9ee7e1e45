#include "store/migrations.h"

#include "base/private_file.h"
#include "program/test_program.h"

#include <QTemporaryDir>
#include <QTest>

using namespace omni;

/// The schema's steps, with steps of the test's own.
class MigrationsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void scriptsAreSplit_data();
    void scriptsAreSplit();
    void builtinStepsAreInOrder();
    void stepsRunOnceAndInOrder();
    void aFailingStepChangesNothing();
    void aStepThatBreaksReferencesChangesNothing();
    void aStepMayRebuildATableThatOthersReferTo();

private:
    std::unique_ptr<Database> open()
    {
        const std::string path = m_dir.filePath(QStringLiteral("m%1.sqlite").arg(m_count++)).toStdString();
        if (!ensurePrivateFile(path))
            qFatal("cannot make %s", path.c_str());
        return std::move(*Database::open(path, Database::Access::ReadWrite));
    }

    QTemporaryDir m_dir;
    int m_count = 0;
};

void MigrationsTest::scriptsAreSplit_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<QByteArrayList>("statements");
    QTest::newRow("nothing") << QByteArray() << QByteArrayList();
    QTest::newRow("blanks and comments") << QByteArray(" -- a; b\n/* c; d */ ;\n;") << QByteArrayList();
    QTest::newRow("two") << QByteArray("SELECT 1; SELECT 2") << QByteArrayList{"SELECT 1", " SELECT 2"};
    QTest::newRow("semicolon in a text") << QByteArray("SELECT ';--';X") << QByteArrayList{"SELECT ';--'", "X"};
    QTest::newRow("doubled quote") << QByteArray("SELECT 'a'';b';X") << QByteArrayList{"SELECT 'a'';b'", "X"};
    QTest::newRow("quoted name") << QByteArray("SELECT \"a;'b\";X") << QByteArrayList{"SELECT \"a;'b\"", "X"};
    QTest::newRow("quote in a comment") << QByteArray("A -- it's\n;B") << QByteArrayList{"A \n", "B"};
    QTest::newRow("open text") << QByteArray("SELECT 'a;") << QByteArrayList{"SELECT 'a;"};
}

void MigrationsTest::scriptsAreSplit()
{
    QFETCH(const QByteArray, script);
    QFETCH(const QByteArrayList, statements);
    QByteArrayList got;
    for (const std::string& statement : sqlStatements(script.toStdString()))
        got.push_back(QByteArray::fromStdString(statement));
    QCOMPARE(got, statements);
}

void MigrationsTest::builtinStepsAreInOrder()
{
    const Result<std::vector<Migration>> migrations = builtinMigrations();
    QVERIFY(migrations.ok());
    int version = 0;
    for (const Migration& migration : *migrations)
        QCOMPARE(migration.version, ++version);
    const auto database = open();
    QVERIFY(migrate(*database, *migrations, 0).ok());
    QCOMPARE(*database->number("PRAGMA user_version"), std::int64_t{version});
    QCOMPARE(*database->text("PRAGMA integrity_check"), std::string("ok"));
}

void MigrationsTest::stepsRunOnceAndInOrder()
{
    const std::vector<Migration> steps = {{1, "0001", "CREATE TABLE t (a); INSERT INTO t VALUES (1);"},
                                          {2, "0002", "ALTER TABLE t ADD COLUMN b DEFAULT 5; INSERT INTO t VALUES (2, 6);"}};
    const auto database = open();
    QVERIFY(migrate(*database, {steps[0]}, 0).ok());
    QCOMPARE(*database->number("PRAGMA user_version"), std::int64_t{1});
    QVERIFY(migrate(*database, steps, 1).ok());
    QCOMPARE(*database->number("PRAGMA user_version"), std::int64_t{2});
    QCOMPARE(*database->number("SELECT sum(a * 100 + b) FROM t"), std::int64_t{105 + 206});
}

void MigrationsTest::aFailingStepChangesNothing()
{
    const auto database = open();
    QVERIFY(migrate(*database, {{1, "0001", "CREATE TABLE t (a)"}}, 0).ok());
    const std::vector<Migration> steps = {{1, "0001", ""},
                                          {2, "0002", "CREATE TABLE u (a)"},
                                          {3, "0003_wrong", "DROP TABLE t; INSERT INTO nowhere VALUES (1)"}};
    const Status failed = migrate(*database, steps, 1);
    QVERIFY(!failed.ok());
    QVERIFY2(failed.error().message.find("0003_wrong") != std::string::npos, failed.error().message.c_str());
    QCOMPARE(*database->number("PRAGMA user_version"), std::int64_t{1});
    QCOMPARE(*database->text("SELECT group_concat(name) FROM sqlite_schema"), std::string("t"));
}

void MigrationsTest::aStepThatBreaksReferencesChangesNothing()
{
    const auto database = open();
    QVERIFY(migrate(*database, {{1, "0001", "CREATE TABLE p (id PRIMARY KEY); CREATE TABLE c (p REFERENCES p); "
                                            "INSERT INTO p VALUES (1); INSERT INTO c VALUES (1)"}}, 0).ok());
    QVERIFY(!migrate(*database, {{1, "0001", ""}, {2, "0002", "DELETE FROM p"}}, 1).ok());
    QCOMPARE(*database->number("SELECT count(*) FROM p"), std::int64_t{1});
}

void MigrationsTest::aStepMayRebuildATableThatOthersReferTo()
{
    const auto database = open();
    QVERIFY(database->run("PRAGMA foreign_keys = ON").ok());
    QVERIFY(migrate(*database, {{1, "0001", "CREATE TABLE p (id PRIMARY KEY); CREATE TABLE c (p REFERENCES p ON DELETE CASCADE); "
                                            "INSERT INTO p VALUES (1); INSERT INTO c VALUES (1)"}}, 0).ok());
    QVERIFY(migrate(*database, {{1, "0001", ""},
                                {2, "0002", "CREATE TABLE n (id PRIMARY KEY, name TEXT); INSERT INTO n SELECT id, 'x' FROM p; "
                                            "DROP TABLE p; ALTER TABLE n RENAME TO p"}}, 1).ok());
    QCOMPARE(*database->number("SELECT count(*) FROM c"), std::int64_t{1});
}

OMNI_TEST(MigrationsTest)
#include "migrations_test.moc"
