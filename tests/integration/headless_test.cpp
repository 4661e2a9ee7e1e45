#include "base/private_file.h"
#include "program/test_program.h"
#include "store/backup_shelf.h"
#include "support/http_client.h"
#include "support/temporary_data_dir.h"

#include <nlohmann/json.hpp>

#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QTcpServer>
#include <QTest>

#include <csignal>
#include <memory>

using nlohmann::json;
using omni::test::HttpClient;
using omni::test::TemporaryDataDir;

namespace {

constexpr int kPatienceMs = 30'000;

std::string chat(const std::string& model, bool stream = false)
{
    return R"({"model":")" + model + R"(","stream":)" + (stream ? "true" : "false") + R"(,"messages":[{"role":"user","content":"hi"}]})";
}

/// One run of the program. Killed with the test when it still runs.
class Program {
public:
    explicit Program(const QStringList& arguments, const QByteArray& input = {}, const QStringList& environment = {})
    {
        QStringList inherited = QProcess::systemEnvironment();
        inherited.removeIf([](const QString& one) {
            return one.startsWith(QLatin1String("QT_LOGGING_RULES=")) || one.startsWith(QLatin1String("DATA_DIR="));
        });
        m_process.setEnvironment(inherited + environment);
        m_process.start(QStringLiteral(OMNIROUTE_BINARY_DIR "/app/omniroute-headless"), arguments);
        m_process.write(input);
        m_process.closeWriteChannel();
    }
    ~Program()
    {
        if (m_process.state() != QProcess::NotRunning) {
            m_process.kill();
            m_process.waitForFinished();
        }
    }

    /// Its ready line; a discarded value when it ended or said nothing in time.
    json ready()
    {
        QElapsedTimer waited;
        waited.start();
        while (!m_process.canReadLine() && waited.elapsed() < kPatienceMs && m_process.state() != QProcess::NotRunning)
            m_process.waitForReadyRead(100);
        m_readyLine = m_process.readLine();
        return json::parse(m_readyLine.toStdString(), nullptr, false);
    }
    int port()
    {
        const json line = ready();
        if (!line.is_object())
            return 0;
        const std::string url = line.value("url", "");
        return std::stoi(url.substr(url.rfind(':') + 1));
    }
    void signal(int number) { ::kill(static_cast<pid_t>(m_process.processId()), number); }
    /// The exit code; -1 when it does not end in time, -2 when it crashed.
    int wait()
    {
        if (m_process.state() != QProcess::NotRunning && !m_process.waitForFinished(kPatienceMs))
            return -1;
        return m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -2;
    }
    bool running() { return m_process.state() == QProcess::Running && !m_process.waitForFinished(0); }
    qint64 pid() const { return m_process.processId(); }
    QString output() { return QString::fromUtf8(m_process.readAllStandardOutput()); }
    /// All that it has said so far.
    QString errors()
    {
        m_errors += m_process.readAllStandardError();
        return QString::fromUtf8(m_errors);
    }

private:
    QProcess m_process;
    QByteArray m_readyLine;
    QByteArray m_errors;
};

}  // namespace

/// The program without a window, as a process.
class HeadlessTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder = std::make_unique<TemporaryDataDir>(); }

    void tellsItsVersion();
    void tellsHowItIsUsed();
    void usageErrors_data();
    void usageErrors();
    void readyLine();
    void folderFromTheEnvironment();
    void signalsEndIt_data();
    void signalsEndIt();
    void aRunningStreamIsDrained();
    void aSecondSignalEndsItAtOnce();
    void twoProgramsOnOneFolder();
    void takenPort();
    void newerDatabaseIsRefused();
    void exportAndImport();
    void exportToAFile();
    void exportOfNothing();
    void importOfNonsense();
    void aRestoreIsTold_data();
    void aRestoreIsTold();
    void sandboxOnRequest();
    void logsHoldNoSecrets();
    void shutdownRoute();
    void killedAndStartedAgain();

private:
    QStringList with(const QStringList& more) const
    {
        return QStringList{QStringLiteral("--data-dir"), QString::fromStdString(m_folder->path())} + more;
    }
    QStringList serving() const { return with({QStringLiteral("--port"), QStringLiteral("0")}); }
    std::string token() const
    {
        const std::string text = omni::readFile(m_folder->file("management.token"), 4096).valueOr({});
        return text.substr(0, text.find('\n'));
    }

    std::unique_ptr<TemporaryDataDir> m_folder;
};

void HeadlessTest::tellsItsVersion()
{
    Program program({QStringLiteral("--version")});
    QCOMPARE(program.wait(), 0);
    QCOMPARE(program.output(), QStringLiteral("omniroute-headless " OMNIROUTE_VERSION "\n"));
}

void HeadlessTest::tellsHowItIsUsed()
{
    Program program({QStringLiteral("--help")});
    QCOMPARE(program.wait(), 0);
    const QString text = program.output();
    for (const char* part :
         {"--data-dir", "--port", "--sandbox", "--export", "--import", "--version", "OMNIROUTE_EXPORT_PASSPHRASE", "Exit codes"})
        QVERIFY2(text.contains(QLatin1String(part)), part);
}

void HeadlessTest::usageErrors_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("unknown option") << QStringList{QStringLiteral("--nonsense")};
    QTest::newRow("argument too many") << QStringList{QStringLiteral("serve")};
    QTest::newRow("port in words") << QStringList{QStringLiteral("--port"), QStringLiteral("http")};
    QTest::newRow("port too high") << QStringList{QStringLiteral("--port"), QStringLiteral("65536")};
    QTest::newRow("negative port") << QStringList{QStringLiteral("--port=-1")};
    QTest::newRow("folder without name") << QStringList{QStringLiteral("--data-dir="), QStringLiteral("--port"), QStringLiteral("0")};
    QTest::newRow("option without value") << QStringList{QStringLiteral("--port")};
    QTest::newRow("both ways at once") << QStringList{QStringLiteral("--export"), QStringLiteral("-"), QStringLiteral("--import"),
                                                      QStringLiteral("-")};
}

void HeadlessTest::usageErrors()
{
    QFETCH(QStringList, arguments);
    Program program(arguments);
    QCOMPARE(program.wait(), 2);
    QVERIFY(program.output().isEmpty());
    QVERIFY(program.errors().contains(QLatin1String("--help")));
}

void HeadlessTest::readyLine()
{
    Program program(serving());
    const json line = program.ready();
    QVERIFY2(line.is_object(), qPrintable(program.errors()));
    QCOMPARE(line.size(), std::size_t{3});
    QCOMPARE(line["event"].get<std::string>(), std::string("ready"));
    QCOMPARE(line["managementTokenFile"].get<std::string>(), m_folder->file("management.token"));
    const std::string url = line["url"];
    QVERIFY2(url.rfind("http://127.0.0.1:", 0) == 0, url.c_str());
    HttpClient client(std::stoi(url.substr(url.rfind(':') + 1)));
    QCOMPARE(client.postJson("/v1/chat/completions", chat("sandbox/ok")).status, 200);
    program.signal(SIGTERM);
    QCOMPARE(program.wait(), 0);
    QVERIFY2(program.output().isEmpty(), "nothing but the ready line goes to standard output");
}

void HeadlessTest::folderFromTheEnvironment()
{
    Program program({QStringLiteral("--port"), QStringLiteral("0")}, {},
                    {QStringLiteral("DATA_DIR=") + QString::fromStdString(m_folder->path())});
    const json line = program.ready();
    QVERIFY2(line.is_object(), qPrintable(program.errors()));
    QCOMPARE(line["managementTokenFile"].get<std::string>(), m_folder->file("management.token"));
}

void HeadlessTest::signalsEndIt_data()
{
    QTest::addColumn<int>("number");
    QTest::newRow("SIGTERM") << SIGTERM;
    QTest::newRow("SIGINT") << SIGINT;
}

void HeadlessTest::signalsEndIt()
{
    QFETCH(int, number);
    Program program(serving());
    const int port = program.port();
    QVERIFY2(port > 0, qPrintable(program.errors()));
    // A connection that is kept open but idle is no reason to wait.
    HttpClient client(port);
    QCOMPARE(client.get("/health").status, 200);
    QElapsedTimer took;
    took.start();
    program.signal(number);
    QCOMPARE(program.wait(), 0);
    QVERIFY2(took.elapsed() < 5'000, qPrintable(QString::number(took.elapsed())));
}

void HeadlessTest::aRunningStreamIsDrained()
{
    Program program(serving());
    const int port = program.port();
    QVERIFY2(port > 0, qPrintable(program.errors()));
    HttpClient client(port);
    QVERIFY(client.connectNow());
    client.sendRequest("POST", "/v1/chat/completions", {{"Content-Type", "application/json"}},
                       chat("sandbox/slow-stream?ms=150&chunks=10", true));
    const auto head = client.readHead();
    QVERIFY(head && head->status == 200);
    QVERIFY(!client.readPiece().empty());
    program.signal(SIGTERM);
    QVERIFY(client.readRest().find("[DONE]") != std::string::npos);
    QVERIFY(client.bodyEnded());
    QCOMPARE(program.wait(), 0);
}

void HeadlessTest::aSecondSignalEndsItAtOnce()
{
    Program program(serving());
    const int port = program.port();
    QVERIFY2(port > 0, qPrintable(program.errors()));
    HttpClient client(port);
    QVERIFY(client.connectNow());
    client.sendRequest("POST", "/v1/chat/completions", {{"Content-Type", "application/json"}},
                       chat("sandbox/slow-stream?ms=200&chunks=500", true));
    QVERIFY(client.readHead());
    program.signal(SIGTERM);
    QVERIFY(!client.readPiece().empty());
    QTRY_VERIFY(program.running() && [&] {
        HttpClient late(port);
        return !late.connectNow(std::chrono::milliseconds(200));
    }());
    QElapsedTimer took;
    took.start();
    program.signal(SIGTERM);
    QCOMPARE(program.wait(), 128 + SIGTERM);
    QVERIFY2(took.elapsed() < 5'000, qPrintable(QString::number(took.elapsed())));
}

void HeadlessTest::twoProgramsOnOneFolder()
{
    Program first(serving());
    QVERIFY2(first.port() > 0, qPrintable(first.errors()));
    for (const QStringList& arguments :
         {serving(), with({QStringLiteral("--export"), QStringLiteral("-")}), with({QStringLiteral("--import"), QStringLiteral("-")})}) {
        Program second(arguments, "{}");
        QCOMPARE(second.wait(), 3);
        QVERIFY(second.output().isEmpty());
        const QString said = second.errors();
        QVERIFY2(said.contains(QLatin1String("omniroute-headless")) && said.contains(QString::number(first.pid())), qPrintable(said));
    }
    QVERIFY(first.running());
}

void HeadlessTest::takenPort()
{
    QTcpServer holder;
    QVERIFY(holder.listen(QHostAddress::LocalHost, 0));
    Program program(with({QStringLiteral("--port"), QString::number(holder.serverPort())}));
    QCOMPARE(program.wait(), 4);
    QVERIFY(program.output().isEmpty());
    const QString said = program.errors();
    QVERIFY2(said.contains(QString::number(holder.serverPort())), qPrintable(said));
    QVERIFY2(said.contains(QLatin1String("--port ")), qPrintable(said));
#ifdef Q_OS_LINUX
    QVERIFY2(said.contains(QStringLiteral("process %1").arg(QCoreApplication::applicationPid())), qPrintable(said));
#endif
}

void HeadlessTest::newerDatabaseIsRefused()
{
    // A database header with a schema version that no program of today knows.
    Program first(serving());
    QVERIFY(first.port() > 0);
    first.signal(SIGTERM);
    QCOMPARE(first.wait(), 0);
    std::string file = *omni::readFile(m_folder->file("storage.sqlite"), 100 * 1024 * 1024);
    file[60] = 0x7F;  // user_version, big-endian, at offset 60 of the SQLite header
    QVERIFY(omni::replaceFile(m_folder->file("storage.sqlite"), file).ok());
    Program second(serving());
    QCOMPARE(second.wait(), 5);
    QVERIFY2(!second.errors().isEmpty(), "it says why");
}

void HeadlessTest::exportAndImport()
{
    TemporaryDataDir other;
    const QStringList passphrase{QStringLiteral("OMNIROUTE_EXPORT_PASSPHRASE=correct horse")};
    {
        Program program(serving());
        const int port = program.port();
        QVERIFY2(port > 0, qPrintable(program.errors()));
        HttpClient client(port);
        client.setDefaultHeaders({{"Authorization", "Bearer " + token()}});
        const auto made = client.postJson("/api/providers", R"({"provider":"openai","name":"Work","apiKey":"sk-work-SeCrEtSeCrEt0001"})");
        QVERIFY2(made.status == 201, made.body.c_str());
        program.signal(SIGTERM);
        QCOMPARE(program.wait(), 0);
    }
    Program exporting(with({QStringLiteral("--export"), QStringLiteral("-")}), {}, passphrase);
    QCOMPARE(exporting.wait(), 0);
    const QString document = exporting.output();
    QVERIFY(!document.contains(QLatin1String("SeCrEt")));
    const json parsed = json::parse(document.toStdString(), nullptr, false);
    QCOMPARE(parsed["format"].get<std::string>(), std::string("omniroute-configuration"));
    QCOMPARE(parsed["connections"].size(), std::size_t{2});

    const QStringList into{QStringLiteral("--data-dir"), QString::fromStdString(other.path()), QStringLiteral("--import"),
                           QStringLiteral("-")};
    Program wrong(into, document.toUtf8(), {QStringLiteral("OMNIROUTE_EXPORT_PASSPHRASE=wrong")});
    QCOMPARE(wrong.wait(), 1);
    QVERIFY(wrong.errors().contains(QLatin1String("passphrase")));
    Program importing(into, document.toUtf8(), passphrase);
    QCOMPARE(importing.wait(), 0);
    QVERIFY(importing.output().isEmpty());
    QVERIFY(importing.errors().contains(QLatin1String("2 connections, 1 keys")));

    Program again({QStringLiteral("--data-dir"), QString::fromStdString(other.path()), QStringLiteral("--export"), QStringLiteral("-")}, {},
                  passphrase);
    QCOMPARE(again.wait(), 0);
    json second = json::parse(again.output().toStdString(), nullptr, false), first = parsed;
    for (json* one : {&first, &second}) {
        one->erase("exportedAt");
        one->erase("secrets");
    }
    QCOMPARE(QString::fromStdString(second.dump(1)), QString::fromStdString(first.dump(1)));
}

void HeadlessTest::exportToAFile()
{
    Program program(serving());
    QVERIFY(program.port() > 0);
    program.signal(SIGTERM);
    QCOMPARE(program.wait(), 0);
    const QString file = QString::fromStdString(m_folder->file("out.json"));
    Program exporting(with({QStringLiteral("--export"), file}));
    QCOMPARE(exporting.wait(), 0);
    QVERIFY(exporting.output().isEmpty());
    QVERIFY(json::accept(omni::readFile(file.toStdString(), 1024 * 1024).valueOr({})));
    QVERIFY(!(QFile::permissions(file) & (QFile::ReadGroup | QFile::ReadOther)));
    Program nowhere(with({QStringLiteral("--export"), QStringLiteral("/nonexistent/out.json")}));
    QCOMPARE(nowhere.wait(), 1);
    QVERIFY(nowhere.errors().contains(QLatin1String("/nonexistent")));
}

void HeadlessTest::exportOfNothing()
{
    Program program(
        {QStringLiteral("--data-dir"), QString::fromStdString(m_folder->file("none")), QStringLiteral("--export"), QStringLiteral("-")});
    QCOMPARE(program.wait(), 1);
    QVERIFY(program.output().isEmpty());
    QVERIFY(!QFile::exists(QString::fromStdString(m_folder->file("none"))));
}

void HeadlessTest::importOfNonsense()
{
    Program program(with({QStringLiteral("--import"), QStringLiteral("-")}), "nonsense");
    QCOMPARE(program.wait(), 1);
    QVERIFY(program.errors().contains(QLatin1String("not JSON")));
    Program missing(with({QStringLiteral("--import"), QString::fromStdString(m_folder->file("missing.json"))}));
    QCOMPARE(missing.wait(), 1);
    QVERIFY(missing.errors().contains(QLatin1String("missing.json")));
}

void HeadlessTest::aRestoreIsTold_data()
{
    QTest::addColumn<bool>("damaged");
    QTest::addColumn<QStringList>("told");
    QTest::newRow("with no database before it") << false << QStringList{QStringLiteral("The backup was restored.\n")};
    QTest::newRow("failed, on a damaged database") << true
                                                   << QStringList{QStringLiteral("The database was damaged. It was kept as "),
                                                                  QStringLiteral("The backup was not restored. The backup is damaged")};
}

void HeadlessTest::aRestoreIsTold()
{
    QFETCH(bool, damaged);
    QFETCH(QStringList, told);
    const auto runOnce = [this] {
        Program program(serving());
        const bool began = program.ready().is_object();
        program.signal(SIGTERM);
        return began && program.wait() == 0 ? program.errors() : QString();
    };
    const QString database = QString::fromStdString(m_folder->file("storage.sqlite"));
    (void)runOnce();
    const omni::BackupShelf shelf(m_folder->file("storage.sqlite"));
    const omni::Result<omni::BackupFile> backup = shelf.make(omni::BackupKind::ByHand);
    QVERIFY2(backup.ok(), backup ? "" : backup.error().message.c_str());
    QVERIFY(shelf.prepareRestore(backup->name).ok());
    if (damaged) {
        QVERIFY(QFile::resize(QString::fromStdString(m_folder->file("storage.restore.sqlite")), 5000));
        QFile file(database);
        QVERIFY(file.open(QIODevice::ReadWrite) && file.write(QByteArray(4096, 'x')) == 4096);
    } else {
        QVERIFY(QFile::remove(database));
    }
    const QString said = runOnce();
    for (const QString& part : told)
        QVERIFY2(said.contains(part), qPrintable(said));
}

void HeadlessTest::sandboxOnRequest()
{
    Program importing(
        with({QStringLiteral("--import"), QStringLiteral("-")}),
        R"({"format":"omniroute-configuration","version":1,"connections":[{"id":"a","provider":"ollama-local","name":"Mine"}]})");
    QCOMPARE(importing.wait(), 0);
    const auto connections = [&](const QStringList& arguments) {
        Program program(arguments);
        const int port = program.port();
        if (port == 0)
            return QStringLiteral("(did not start) ") + program.errors();
        HttpClient client(port);
        client.setDefaultHeaders({{"Authorization", "Bearer " + token()}});
        QStringList names;
        const json listed = client.get("/api/providers").json();
        for (const json& one : listed["connections"])
            names << QString::fromStdString(one["name"].get<std::string>());
        program.signal(SIGTERM);
        program.wait();
        names.sort();
        return names.join(QLatin1Char(','));
    };
    QCOMPARE(connections(serving()), QStringLiteral("Mine"));
    QCOMPARE(connections(serving() + QStringList{QStringLiteral("--sandbox")}), QStringLiteral("Mine,Sandbox"));
    QCOMPARE(connections(serving() + QStringList{QStringLiteral("--sandbox")}), QStringLiteral("Mine,Sandbox"));
}

void HeadlessTest::logsHoldNoSecrets()
{
    Program program(serving(), {}, {QStringLiteral("QT_LOGGING_RULES=omniroute.*=true")});
    const int port = program.port();
    QVERIFY2(port > 0, qPrintable(program.errors()));
    HttpClient client(port);
    client.setDefaultHeaders({{"Authorization", "Bearer " + token()}});
    const std::string draft =
        R"({"provider":"ollama-local","name":"Mine","apiKey":"sk-live-QzXcVbNm1234567890","baseUrl":"http://127.0.0.1:9/v1"})";
    QCOMPARE(client.postJson("/api/providers", draft).status, 201);
    client.postJson("/v1/chat/completions", chat("sandbox/401"));
    client.postJson("/v1/chat/completions", chat("ollama-local/x"));
    program.signal(SIGTERM);
    QCOMPARE(program.wait(), 0);
    const QString log = program.errors();
    QVERIFY(log.contains(QLatin1String("omniroute.control: serving on")));
    QVERIFY(!log.contains(QLatin1String("QzXcVbNm")));
    QVERIFY(!log.contains(QString::fromStdString(token())));
    QVERIFY(!omni::test::anyFileContains(m_folder->path(), "QzXcVbNm"));
}

void HeadlessTest::shutdownRoute()
{
    Program program(serving());
    const int port = program.port();
    QVERIFY2(port > 0, qPrintable(program.errors()));
    HttpClient client(port);
    const auto reply = client.request("POST", "/api/shutdown", {{"Authorization", "Bearer " + token()}});
    QVERIFY(reply.status >= 200 && reply.status < 300);
    QCOMPARE(program.wait(), 0);
}

void HeadlessTest::killedAndStartedAgain()
{
    {
        Program program(serving());
        const int port = program.port();
        QVERIFY2(port > 0, qPrintable(program.errors()));
        HttpClient client(port);
        client.setDefaultHeaders({{"Authorization", "Bearer " + token()}});
        QCOMPARE(client.postJson("/api/providers", R"({"provider":"ollama-local","name":"Kept"})").status, 201);
        program.signal(SIGKILL);
        QCOMPARE(program.wait(), -2);
    }
    Program program(serving());
    const int port = program.port();
    QVERIFY2(port > 0, qPrintable(program.errors()));
    HttpClient client(port);
    client.setDefaultHeaders({{"Authorization", "Bearer " + token()}});
    QVERIFY(client.get("/api/providers").body.find("\"Kept\"") != std::string::npos);
}

OMNI_TEST(HeadlessTest)
#include "headless_test.moc"
