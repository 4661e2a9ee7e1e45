#include "composition/runtime.h"

#include "base/scheduler.h"
#include "program/test_program.h"
#include "sandbox/sandbox.h"
#include "store/request_history.h"
#include "support/http_client.h"
#include "support/runtime_fixture.h"

#include <nlohmann/json.hpp>

#include <QAbstractEventDispatcher>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QSignalSpy>
#include <QTcpServer>
#include <QThread>
#include <QTest>

#include <algorithm>

using namespace omni;
using omni::test::HttpClient;
using omni::test::RuntimeFixture;

namespace {

std::string chat(const std::string& model, bool stream = false)
{
    return R"({"model":")" + model + R"(","stream":)" + (stream ? "true" : "false") + R"(,"messages":[{"role":"user","content":"hi"}]})";
}

}  // namespace

/// The whole core as the programs make it.
class RuntimeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void coreThreadRunsThePlainLoop();
    void firstRequestWorks();
    void sandboxWorksAfterARestart();
    void removedSandboxStaysAway();
    void howBreakersStoodOutlivesARestart();
    void foldersAndFilesAreTheOwnersOnly();
    void folderInUse();
    void takenPort();
    void listenerWaitsWhenToldTo();
    void failsOverBetweenConnections();
    void ownUpstream();
    void requestsAreLogged();
    void testsTheSandboxForReal();
    void drainLetsAStreamEnd();
    void drainCutsWhatTakesTooLong();
    void endsWithRequestsUnderWay();
    void shutdownByTheManagementApi();
    void movesWhileServing();
};

void RuntimeTest::coreThreadRunsThePlainLoop()
{
    RuntimeFixture fixture;
    QVERIFY2(fixture.start(), fixture.error().c_str());
    const auto [name, here] = fixture.read<std::pair<QString, bool>>([](Control& control) {
        const QAbstractEventDispatcher* dispatcher = QAbstractEventDispatcher::instance(control.thread());
        return std::pair(QString::fromLatin1(dispatcher->metaObject()->className()), QThread::currentThread() == control.thread());
    });
    QVERIFY(here);
    QVERIFY(fixture.runtime().control().thread() != QThread::currentThread());
#ifdef Q_OS_LINUX
    QCOMPARE(name, QStringLiteral("QEventDispatcherUNIX"));
#endif
}

void RuntimeTest::firstRequestWorks()
{
    RuntimeFixture fixture;
    QVERIFY2(fixture.start(), fixture.error().c_str());
    HttpClient client(fixture.port());
    const auto reply = client.postJson("/v1/chat/completions", chat("sandbox/ok"));
    QCOMPARE(reply.status, 200);
    QVERIFY(!reply.json()["choices"][0]["message"]["content"].get<std::string>().empty());
    const auto configuration = fixture.read<ConfigurationPtr>([](Control& control) { return control.configuration(); });
    QCOMPARE(configuration->connections.size(), std::size_t{1});
    QCOMPARE(configuration->connections.front().name, std::string("Sandbox"));
}

void RuntimeTest::sandboxWorksAfterARestart()
{
    RuntimeFixture fixture;
    QVERIFY2(fixture.start(), fixture.error().c_str());
    fixture.stop();
    QVERIFY2(fixture.start(), fixture.error().c_str());
    HttpClient client(fixture.port());
    QCOMPARE(client.postJson("/v1/chat/completions", chat("sandbox/ok")).status, 200);
    const auto connections = fixture.read<std::size_t>([](Control& control) { return control.configuration()->connections.size(); });
    QCOMPARE(connections, std::size_t{1});
}

void RuntimeTest::removedSandboxStaysAway()
{
    omni::test::TemporaryDataDir folder;
    RuntimeOptions options;
    options.dataDir = folder.path();
    {
        RuntimeFixture fixture(options);
        QVERIFY2(fixture.start(), fixture.error().c_str());
        const auto id = fixture.read<ConnectionId>([](Control& control) { return control.configuration()->connections.front().id; });
        QVERIFY(
            fixture
                .ask<std::string>([id](Control& control, Reply<std::string> reply) { control.removeConnections({id}, std::move(reply)); })
                .ok());
        fixture.stop();
        QVERIFY2(fixture.start(), fixture.error().c_str());
        QVERIFY(fixture.read<bool>([](Control& control) { return control.configuration()->connections.empty(); }));
    }
    options.sandboxConnection = true;
    RuntimeFixture fixture(options);
    QVERIFY2(fixture.start(), fixture.error().c_str());
    QVERIFY(!fixture.read<bool>([](Control& control) { return control.configuration()->connections.empty(); }));
    fixture.stop();
    QVERIFY2(fixture.start(), fixture.error().c_str());
    QCOMPARE(fixture.read<std::size_t>([](Control& control) { return control.configuration()->connections.size(); }), std::size_t{1});
}

void RuntimeTest::howBreakersStoodOutlivesARestart()
{
    RuntimeFixture fixture;
    QVERIFY2(fixture.start(), fixture.error().c_str());
    fixture.patchSettings(R"({"resilience":{"providerBreaker":{"apikey":{"degradationThreshold":1,"failureThreshold":1}}}})");
    HttpClient client(fixture.port());
    QVERIFY(client.postJson("/v1/chat/completions", R"({"model":"sandbox/503","messages":[{"role":"user","content":"hi"}]})").status >= 500);
    const auto history = [&fixture] {
        return fixture.read<BreakerHistory>([](Control& control) { return control.metrics().breakerHistory(std::chrono::hours(24)); });
    };
    // A moment goes by, or there would be nothing to keep.
    QTRY_VERIFY([&] {
        const BreakerHistory now = history();
        return !now.spans.empty() && now.spans.back().state == BreakerState::Open && now.spans.back().from < now.spans.back().to;
    }());
    QCOMPARE(history().watched.size(), std::size_t{1});
    fixture.stop();
    QVERIFY2(fixture.start(), fixture.error().c_str());
    const BreakerHistory after = history();
    QCOMPARE(after.watched.size(), std::size_t{2});
    QVERIFY(after.watched[0].to <= after.watched[1].from);
    const auto open = std::find_if(after.spans.begin(), after.spans.end(), [&](const BreakerSpan& span) {
        return span.provider.str() == "sandbox" && span.state == BreakerState::Open && span.from < after.watched[0].to;
    });
    QVERIFY(open != after.spans.end());
    QCOMPARE(open->to, after.watched[0].to);
    // It is open still, and was so from the first moment: nothing opened in this run.
    QVERIFY(after.spans.back().state == BreakerState::Open);
    QCOMPARE(after.spans.back().from, after.watched[1].from);
    // And the run after that one knows of both.
    fixture.stop();
    QVERIFY2(fixture.start(), fixture.error().c_str());
    QCOMPARE(history().watched.size(), std::size_t{3});
}

void RuntimeTest::foldersAndFilesAreTheOwnersOnly()
{
    omni::test::TemporaryDataDir folder;
    RuntimeOptions options;
    options.dataDir = folder.path() + "/a/b";
    RuntimeFixture fixture(options);
    QVERIFY2(fixture.start(), fixture.error().c_str());
    const auto mode = [](const std::string& path) {
        return QFileInfo(QString::fromStdString(path)).permissions() &
               (QFile::ReadGroup | QFile::WriteGroup | QFile::ExeGroup | QFile::ReadOther | QFile::WriteOther | QFile::ExeOther);
    };
    QVERIFY(!mode(options.dataDir));
    for (const char* name : {"storage.sqlite", "secrets.key", "management.token"}) {
        QVERIFY2(QFileInfo::exists(QString::fromStdString(options.dataDir + "/" + name)), name);
        QVERIFY2(!mode(options.dataDir + "/" + name), name);
    }
    QVERIFY(!fixture.managementToken().empty());
}

void RuntimeTest::folderInUse()
{
    RuntimeFixture fixture;
    QVERIFY2(fixture.start(), fixture.error().c_str());
    RuntimeOptions options;
    options.dataDir = fixture.dataDir();
    const auto second = Runtime::start(options);
    QVERIFY(!second.ok());
    QVERIFY(second.error().kind == ErrorKind::Conflict);
    QVERIFY2(second.error().message.find("omniroute-headless") != std::string::npos, second.error().message.c_str());
    QVERIFY(second.error().message.find(std::to_string(QCoreApplication::applicationPid())) != std::string::npos);
    fixture.stop();
    options.port = 0;
    QVERIFY(Runtime::start(options).ok());
}

void RuntimeTest::takenPort()
{
    QTcpServer holder;
    QVERIFY(holder.listen(QHostAddress::LocalHost, 0));
    RuntimeOptions options;
    options.port = holder.serverPort();
    RuntimeFixture fixture(options);
    QVERIFY(!fixture.start());
    QVERIFY(fixture.listener().phase == ListenerPhase::Failed);
    QVERIFY(fixture.listener().suggestedPort > 0);
    holder.close();
    fixture.runtime().ask([](Control& control) { control.startProxy(); });
    QTRY_VERIFY(fixture.listener().phase == ListenerPhase::Serving);
    QCOMPARE(fixture.port(), static_cast<int>(*options.port));
}

void RuntimeTest::listenerWaitsWhenToldTo()
{
    RuntimeOptions options;
    options.startListener = false;
    RuntimeFixture fixture(options);
    QVERIFY2(fixture.start(), fixture.error().c_str());
    QVERIFY(fixture.listener().phase == ListenerPhase::Stopped);
    fixture.runtime().ask([](Control& control) { control.startProxy(); });
    QTRY_VERIFY(fixture.listener().phase == ListenerPhase::Serving);
    HttpClient client(fixture.port());
    QCOMPARE(client.get("/health").status, 200);
    fixture.runtime().ask([](Control& control) { control.stopProxy(); });
    QTRY_VERIFY(fixture.listener().phase == ListenerPhase::Stopped);
    HttpClient second(fixture.port());
    QVERIFY(!second.connectNow(std::chrono::milliseconds(500)));
}

void RuntimeTest::failsOverBetweenConnections()
{
    RuntimeFixture fixture;
    QVERIFY2(fixture.start(), fixture.error().c_str());
    fixture.addCombo("mix", {{"Broken", "503"}, {"Healthy", "ok"}});
    HttpClient client(fixture.port());
    const auto reply = client.postJson("/v1/chat/completions", chat("mix"));
    QCOMPARE(reply.status, 200);
    const auto healthy = fixture.read<std::string>([](Control& control) {
        for (const Connection& connection : control.configuration()->connections)
            if (connection.name == "Healthy")
                return connection.id.str();
        return std::string();
    });
    QCOMPARE(reply.header("x-omniroute-selected-connection-id"), healthy);
}

void RuntimeTest::ownUpstream()
{
    SystemClock clock;
    QtScheduler scheduler(clock);
    auto sandbox = Sandbox::start(scheduler, {0, "upstream-key-0123456789"});
    QVERIFY(sandbox.ok());
    (*sandbox)->recordRequests(true);
    RuntimeFixture fixture;
    QVERIFY2(fixture.start(), fixture.error().c_str());
    fixture.addUpstream("mine", (*sandbox)->baseUrl(), "upstream-key-0123456789");
    HttpClient client(fixture.port());
    QCOMPARE(client.postJson("/v1/chat/completions", chat("mine/ok")).status, 200);
    const auto& seen = (*sandbox)->seen();
    const bool sent = std::any_of(seen.begin(), seen.end(),
                                  [](const Sandbox::Seen& one) { return one.method == "POST" && one.path == "/v1/chat/completions"; });
    QVERIFY(sent);
    // The model list is read in the background, with the same key, and is then offered to clients.
    QTRY_VERIFY(client.get("/v1/models").body.find("\"mine/retry-after-absurd\"") != std::string::npos);
}

void RuntimeTest::requestsAreLogged()
{
    RuntimeFixture fixture;
    QVERIFY2(fixture.start(), fixture.error().c_str());
    QSignalSpy finished(&fixture.runtime().control(), &Control::requestsFinished);
    HttpClient client(fixture.port());
    QCOMPARE(client.postJson("/v1/chat/completions", chat("sandbox/ok")).status, 200);
    QTRY_COMPARE(finished.count(), 1);
    const auto shown = finished.first().first().value<QList<RequestRecord>>();
    QCOMPARE(shown.size(), qsizetype{1});
    QCOMPARE(shown.front().status, 200);
    const std::string path = fixture.runtime().databasePath();
    auto history = RequestHistory::open(path);
    QVERIFY(history.ok());
    QTRY_COMPARE((*history)->count({}).valueOr(-1), std::int64_t{1});
    QCOMPARE((*history)->page({}, {}, 1)->records.front().id.str(), shown.front().id.str());
}

void RuntimeTest::testsTheSandboxForReal()
{
    RuntimeFixture fixture;
    QVERIFY2(fixture.start(), fixture.error().c_str());
    const auto connection = fixture.read<Connection>([](Control& control) { return control.configuration()->connections.front(); });
    const auto test = [&](const ConnectionDraft& draft) {
        return fixture.ask<TestReport>(
            [draft](Control& control, Reply<TestReport> reply) { control.testConnection(draft, std::move(reply)); });
    };
    ConnectionDraft draft;
    draft.connection = connection;
    const auto report = test(draft);
    QVERIFY2(report.ok() && report->ok, report ? report->message.c_str() : describe(report.error()).c_str());
    QVERIFY(report->models.size() > 10);

    QTcpServer closed;
    QVERIFY(closed.listen(QHostAddress::LocalHost, 0));
    draft.connection.id = {};
    draft.connection.baseUrl = "http://127.0.0.1:" + std::to_string(closed.serverPort()) + "/v1";
    closed.close();
    const auto refused = test(draft);
    QVERIFY(refused.ok() && !refused->ok);
    QCOMPARE(refused->status, 0);
    QVERIFY(!refused->message.empty());
}

void RuntimeTest::drainLetsAStreamEnd()
{
    RuntimeFixture fixture;
    QVERIFY2(fixture.start(), fixture.error().c_str());
    HttpClient client(fixture.port());
    QVERIFY(client.connectNow());
    client.sendRequest("POST", "/v1/chat/completions", {{"Content-Type", "application/json"}},
                       chat("sandbox/slow-stream?ms=100&chunks=8", true));
    const auto head = client.readHead();
    QVERIFY(head && head->status == 200);
    QVERIFY(!client.readPiece().empty());
    QSignalSpy drained(&fixture.runtime(), &Runtime::drained);
    fixture.runtime().drain(Millis(10'000));
    const std::string rest = client.readRest();
    QVERIFY(rest.find("[DONE]") != std::string::npos);
    QVERIFY(client.bodyEnded());
    QTRY_COMPARE(drained.count(), 1);
    HttpClient late(fixture.port());
    QVERIFY(!late.connectNow(std::chrono::milliseconds(500)));
}

void RuntimeTest::drainCutsWhatTakesTooLong()
{
    RuntimeFixture fixture;
    QVERIFY2(fixture.start(), fixture.error().c_str());
    HttpClient client(fixture.port());
    QVERIFY(client.connectNow());
    client.sendRequest("POST", "/v1/chat/completions", {{"Content-Type", "application/json"}},
                       chat("sandbox/slow-stream?ms=500&chunks=100", true));
    QVERIFY(client.readHead());
    QSignalSpy drained(&fixture.runtime(), &Runtime::drained);
    QElapsedTimer took;
    took.start();
    fixture.runtime().drain(Millis(300));
    QTRY_COMPARE(drained.count(), 1);
    QVERIFY(took.elapsed() >= 250);
    client.readRest();
    QVERIFY(!client.bodyEnded());  // the client sees the break
}

void RuntimeTest::endsWithRequestsUnderWay()
{
    RuntimeFixture fixture;
    QVERIFY2(fixture.start(), fixture.error().c_str());
    std::vector<std::unique_ptr<HttpClient>> clients;
    for (const char* model :
         {"sandbox/silent", "sandbox/slow-stream?ms=200&chunks=100", "sandbox/stall", "sandbox/slow-first-token?ms=60000"}) {
        clients.push_back(std::make_unique<HttpClient>(fixture.port()));
        QVERIFY(clients.back()->connectNow());
        clients.back()->sendRequest("POST", "/v1/chat/completions", {{"Content-Type", "application/json"}}, chat(model, true));
        QVERIFY(clients.back()->waitForWritten());
    }
    QVERIFY(clients[1]->readHead());
    fixture.runtime().ask([](Control& control) {
        // Neither a test of a connection nor a change on its way may hold up the end.
        ConnectionDraft draft;
        draft.connection = control.configuration()->connections.front();
        control.testConnection(draft, [](const Result<TestReport>&) {});
        control.patchSettings(R"({"routing":{"maxAttempts":7}})", [](const Result<Settings>&) {});
    });
    QElapsedTimer took;
    took.start();
    fixture.stop();
    QVERIFY2(took.elapsed() < 5'000, std::to_string(took.elapsed()).c_str());
}

void RuntimeTest::shutdownByTheManagementApi()
{
    RuntimeFixture fixture;
    QVERIFY2(fixture.start(), fixture.error().c_str());
    QSignalSpy requested(&fixture.runtime(), &Runtime::shutdownRequested);
    HttpClient client(fixture.port());
    QCOMPARE(client.request("POST", "/api/shutdown").status, 401);
    const auto reply = client.request("POST", "/api/shutdown", {{"Authorization", "Bearer " + fixture.managementToken()}});
    QVERIFY2(reply.status >= 200 && reply.status < 300, std::to_string(reply.status).c_str());
    QTRY_COMPARE(requested.count(), 1);
}

void RuntimeTest::movesWhileServing()
{
    RuntimeFixture fixture;
    QVERIFY2(fixture.start(), fixture.error().c_str());
    HttpClient client(fixture.port());
    QVERIFY(client.connectNow());
    client.sendRequest("POST", "/v1/chat/completions", {{"Content-Type", "application/json"}},
                       chat("sandbox/slow-stream?ms=50&chunks=10", true));
    QVERIFY(client.readHead());
    int free = 0;
    {
        QTcpServer probe;
        QVERIFY(probe.listen(QHostAddress::LocalHost, 0));
        free = probe.serverPort();
    }
    const Settings settings = fixture.patchSettings(R"({"proxy":{"port":)" + std::to_string(free) + "}}");
    QCOMPARE(settings.proxy.port, free);
    QTRY_COMPARE(fixture.port(), free);
    HttpClient moved(free);
    QCOMPARE(moved.postJson("/v1/chat/completions", chat("sandbox/ok")).status, 200);
    QVERIFY(client.readRest().find("[DONE]") != std::string::npos);  // what ran on the old port goes on
}

OMNI_TEST(RuntimeTest)
#include "runtime_test.moc"
