#include "base/random.h"
#include "store/store.h"

#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QThread>
#include <QTest>

#include <sqlite3.h>

#include <cstdio>
#include <functional>
#include <memory>
#include <set>
#include <string>

using namespace omni;

namespace {

constexpr int kKills = 100;
/// Changes under way at once: the next is asked for before the last is acknowledged, as an import does.
constexpr int kInFlight = 4;

StoreOptions optionsFor(const std::string& folder)
{
    StoreOptions options;
    options.dataDir = folder;
    options.holderName = "store-kill-test";
    return options;
}

/// The child: changes configuration as fast as it can, beside a stream of log rows, and writes the number of each acknowledged change
/// on a line of its own. Each change is two rows of two tables, so that half a transaction would be seen.
class Committer {
public:
    Committer(Store& store, int first) : m_store(store), m_next(first) {}

    void start()
    {
        for (int i = 0; i < kInFlight; ++i)
            commitNext();
    }

private:
    void commitNext()
    {
        const int number = m_next++;
        Connection connection;
        connection.id = ConnectionId("connection-" + std::to_string(number));
        connection.provider = ProviderId("openai");
        connection.name = std::string(300, static_cast<char>('a' + number % 26));
        RequestRecord record;
        record.id = RequestId("request-" + std::to_string(number));
        record.startedAt = fromEpochMillis(1'790'000'000'000 + number);
        record.client = std::string(200, 'x');
        m_store.appendRequests(std::vector<RequestRecord>(20, record));
        m_store.commit({PutConnection{connection}, PutFact{"last/" + std::to_string(number), "true"}}, &m_context,
                       [this, number](const Status& status) {
                           if (!status)
                               qFatal("%s", describe(status.error()).c_str());
                           std::printf("%d\n", number);
                           std::fflush(stdout);
                           commitNext();
                       });
    }

    Store& m_store;
    QObject m_context;
    int m_next;
};

int runChild(const std::string& folder, int first)
{
    const Result<std::unique_ptr<Store>> store = Store::open(optionsFor(folder));
    if (!store)
        qFatal("%s", describe(store.error()).c_str());
    std::printf("open\n");
    std::fflush(stdout);
    Committer committer(**store, first);
    committer.start();
    return QCoreApplication::exec();
}

/// Rows of one column, read without any of our code between.
std::set<std::string> column(const std::string& path, const char* sql)
{
    std::set<std::string> values;
    sqlite3* database = nullptr;
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READWRITE, nullptr) != SQLITE_OK
        || sqlite3_prepare_v2(database, sql, -1, &statement, nullptr) != SQLITE_OK)
        qFatal("%s: %s", sql, sqlite3_errmsg(database));
    while (sqlite3_step(statement) == SQLITE_ROW)
        values.insert(reinterpret_cast<const char*>(sqlite3_column_text(statement, 0)));
    sqlite3_finalize(statement);
    sqlite3_close(database);
    return values;
}

}  // namespace

/// The data folder after `kill -9` in the middle of configuration writes, again and again: all that was acknowledged is there, whole.
class StoreKillTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everythingAcknowledgedSurvives();
};

void StoreKillTest::everythingAcknowledgedSurvives()
{
    const QTemporaryDir dir;
    const std::string folder = dir.filePath(QStringLiteral("data")).toStdString();
    const std::string database = folder + "/storage.sqlite";
    SimulatedRandom random(20'128);
    std::set<std::string> acknowledged;
    int highest = 0;
    for (int kill = 0; kill < kKills; ++kill) {
        QProcess child;
        child.setChildProcessModifier([] {});  // with one Qt forks; the thread sanitizer cannot follow its vfork
        child.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        child.start(QCoreApplication::applicationFilePath(),
                    {QStringLiteral("--committer"), QString::fromStdString(folder), QString::number(highest + 1)});
        QVERIFY(child.waitForStarted());
        // From its first moments, when it has just the lock, to well into its work: told by its work and not by the time, so that a slow
        // machine cuts it in the same places.
        QByteArray told;
        if (kill % 5 != 0) {
            const auto wanted = static_cast<qsizetype>(1 + random.below(60));
            while (told.count('\n') < wanted) {
                QVERIFY(child.waitForReadyRead(30'000));
                told += child.readAllStandardOutput();
            }
        }
        QThread::usleep(static_cast<unsigned long>(random.below(kill % 5 == 0 ? 30'000 : 3'000)));
        child.kill();
        QVERIFY(child.waitForFinished());
        QCOMPARE(child.exitStatus(), QProcess::CrashExit);
        told += child.readAllStandardOutput();
        told.truncate(told.lastIndexOf('\n') + 1);  // a number without its line end may be half a number
        for (const QByteArray& line : told.split('\n')) {
            bool isNumber = false;
            const int number = line.toInt(&isNumber);
            if (!isNumber)
                continue;
            acknowledged.insert(std::to_string(number));
            highest = std::max(highest, number);
        }
        // What was written and not acknowledged may be there too: numbers go on after it.
        if (QFile::exists(QString::fromStdString(database)))
            highest += kInFlight;
    }
    qInfo("%d kills, %zu acknowledged changes", kKills, acknowledged.size());
    QVERIFY2(acknowledged.size() > kKills, "the child had time to work");

    StoreOpening opening;
    Result<std::unique_ptr<Store>> store = Store::open(optionsFor(folder), &opening);
    QVERIFY2(store.ok(), store.ok() ? "" : store.error().message.c_str());
    QVERIFY(opening.rescueCopy.empty());
    const Result<Configuration> configuration = (*store)->loadConfiguration(nullptr);
    QVERIFY(configuration.ok());
    std::set<std::string> connections;
    for (const Connection& connection : configuration->connections) {
        QCOMPARE(connection.name.size(), std::size_t{300});
        connections.insert(connection.id.str().substr(std::string("connection-").size()));
    }
    for (const std::string& number : acknowledged)
        QVERIFY2(connections.contains(number), ("acknowledged and lost: " + number).c_str());
    QVERIFY((*store)->close().ok());

    // No half of a change, and nothing else damaged.
    QVERIFY(column(database, "SELECT substr(key, 6) FROM key_value WHERE namespace = 'facts'") == connections);
    QVERIFY(column(database, "PRAGMA quick_check") == std::set<std::string>{"ok"});
    QVERIFY(column(database, "PRAGMA integrity_check") == std::set<std::string>{"ok"});
}

int main(int argc, char** argv)
{
    QCoreApplication application(argc, argv);
    if (argc == 4 && std::string(argv[1]) == "--committer")
        return runChild(argv[2], std::atoi(argv[3]));
    StoreKillTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "store_kill_test.moc"
