#include "control/control.h"
#include "program/test_program.h"
#include "store/request_history.h"
#include "support/control_fixture.h"

#include <QSignalSpy>
#include <QTcpServer>
#include <QTest>

#include <nlohmann/json.hpp>

using namespace omni;
using omni::test::ControlFixture;

/// What Control does beside the configuration: it asks upstreams, tells of the engine, of time, of requests and of the listener.
class ControlUpstreamTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_fixture = std::make_unique<ControlFixture>(); }
    void cleanup() { m_fixture.reset(); }

    void testOfASavedConnection();
    void testOfADraftTouchesNothingStored();
    void testTellsOfAFailureWithoutHolding();
    void testEndsADegradedBreaker();
    void testSendsNoKeyElsewhere();
    void testsRunSideBySide();
    void testsOfAGroupAreStopped();

    void modelsAreReadAfterSaving();
    void modelsOfAnotherAddressAreDropped();
    void modelsAreReadEverySixHours();
    void modelsOnRequest();

    void engineStateIsKeptAndTold();
    void engineIsToldOfAtMostTenTimesASecond();
    void endOfAHoldIsTold();
    void operatorClears();
    void unreadableKeysAreMarkedAtTheStart();

    void secondsAreTold();
    void sleepIsNoticed_data();
    void sleepIsNoticed();
    void finishedRequestsReachLogAndWindows();

    void listenerStartsAndStops();
    void takenPortIsExplained();
    void portOfTheCommandLine();
    void settingsMoveTheListener();
    void settingsThatCannotBeBoundAreRefused();
    void listenerReturnsWhenTheChangeCannotBeKept();
    void settingsAreChecked_data();
    void settingsAreChecked();
    void limitsReachTheListener();

private:
    Result<TestReport> test(const ConnectionDraft& draft, const std::function<void()>& answer);
    Result<Settings> patch(const std::string& text)
    {
        return m_fixture->wait<Settings>([&](Reply<Settings> reply) { m_fixture->control->patchSettings(text, std::move(reply)); });
    }

    std::unique_ptr<ControlFixture> m_fixture;
};

Result<TestReport> ControlUpstreamTest::test(const ConnectionDraft& draft, const std::function<void()>& answer)
{
    return m_fixture->wait<TestReport>([&](Reply<TestReport> reply) {
        m_fixture->control->testConnection(draft, std::move(reply));
        answer();
    });
}

void ControlUpstreamTest::testOfASavedConnection()
{
    ControlFixture& f = *m_fixture;
    const auto saved = f.save(ControlFixture::draft("Key"));
    ConnectionDraft draft;
    draft.connection = *saved;
    const auto report = test(draft, [&] {
        QCOMPARE(f.transport->last().header("authorization"), std::string("Bearer sk-test-0123456789abcdef"));
        f.transport->answer(200, R"({"data":[{"id":"gpt-new"}]})");
    });
    QVERIFY(report.ok() && report->ok);
    QTRY_COMPARE(f.find("Key")->models, std::vector<std::string>{"gpt-new"});
    QVERIFY(f.engine->health(saved->id).lastTestedAt);
}

void ControlUpstreamTest::testOfADraftTouchesNothingStored()
{
    ControlFixture& f = *m_fixture;
    const auto saved = f.save(ControlFixture::draft("Key"));
    ConnectionDraft changed;
    changed.connection = *saved;
    changed.secret = "sk-other-0123456789abcdef";
    auto report = test(changed, [&] {
        QCOMPARE(f.transport->last().header("authorization"), std::string("Bearer sk-other-0123456789abcdef"));
        f.transport->answer(200, R"({"data":[{"id":"gpt-new"}]})");
    });
    QVERIFY(report.ok() && report->ok);
    QVERIFY(f.settle());
    QVERIFY(f.find("Key")->models.empty());
    QVERIFY(!f.engine->health(saved->id).lastTestedAt);

    ConnectionDraft fresh = ControlFixture::draft("");  // a name is not needed for a test
    report = test(fresh, [&] { f.transport->answer(401, R"({"error":{"message":"no"}})"); });
    QVERIFY(report.ok() && !report->ok);
    QCOMPARE(report->status, 401);
    QCOMPARE(report->message, std::string("HTTP 401: no"));
    QCOMPARE(f.control->configuration()->connections.size(), std::size_t{1});

    fresh.secret.reset();
    const auto refused = f.wait<TestReport>([&](Reply<TestReport> reply) { f.control->testConnection(fresh, std::move(reply)); });
    QVERIFY(!refused.ok() && refused.error().kind == ErrorKind::InvalidArgument);
}

void ControlUpstreamTest::testTellsOfAFailureWithoutHolding()
{
    ControlFixture& f = *m_fixture;
    const auto saved = f.save(ControlFixture::draft("Key"));
    ConnectionDraft draft;
    draft.connection = *saved;
    const auto report = test(draft, [&] { f.transport->answer(429, R"({"error":{"message":"slow down"}})"); });
    QVERIFY(report.ok() && !report->ok);
    const ConnectionHealth health = f.engine->health(saved->id);
    QVERIFY(!health.coolingUntil);
    QVERIFY(health.lastError.find("slow down") != std::string::npos);
}

void ControlUpstreamTest::testEndsADegradedBreaker()
{
    ControlFixture& f = *m_fixture;
    const auto saved = f.save(ControlFixture::draft("Key"));
    const EngineTarget target{saved->provider, ProviderClass::ApiKey, *saved, "m"};
    Failure failure;
    failure.status = 502;
    for (int i = 0; i < 30 && f.engine->breaker(saved->provider).state == BreakerState::Closed; ++i) {
        f.clock.advance(Millis(60'000));
        Permit permit = f.engine->acquire(target);
        if (permit.granted)
            f.engine->recordFailure(target, permit, failure);
    }
    QVERIFY(f.engine->breaker(saved->provider).state == BreakerState::Degraded);
    ConnectionDraft draft;
    draft.connection = *saved;
    QVERIFY(test(draft, [&] { f.transport->answer(200, R"({"data":[{"id":"m"}]})"); })->ok);
    QVERIFY(f.engine->breaker(saved->provider).state == BreakerState::Closed);
}

void ControlUpstreamTest::testSendsNoKeyElsewhere()
{
    ControlFixture& f = *m_fixture;
    const auto saved = f.save(ControlFixture::draft("Key"));
    f.scheduler->advance(Millis(1));
    const std::size_t before = f.transport->count();
    ConnectionDraft draft;
    draft.connection = *saved;
    draft.connection.provider = ProviderId("anthropic");
    const auto report = f.wait<TestReport>([&](Reply<TestReport> reply) { f.control->testConnection(draft, std::move(reply)); });
    QVERIFY(!report.ok() && report.error().kind == ErrorKind::InvalidArgument);
    QCOMPARE(f.transport->count(), before);
}

void ControlUpstreamTest::testsRunSideBySide()
{
    ControlFixture& f = *m_fixture;
    std::vector<std::string> messages(2);
    f.control->testConnection(ControlFixture::draft("A"), [&](const Result<TestReport>& report) { messages[0] = report->message; });
    f.control->testConnection(ControlFixture::draft("B"), [&](const Result<TestReport>& report) { messages[1] = report->message; });
    QCOMPARE(f.transport->count(), std::size_t{2});
    f.transport->answer(1, 200, R"({"data":[]})");
    f.scheduler->advance(Millis(10'000));
    QCOMPARE(messages[1], std::string("0 models"));
    QCOMPARE(messages[0], std::string("No complete answer within 10 seconds."));
}

void ControlUpstreamTest::testsOfAGroupAreStopped()
{
    ControlFixture& f = *m_fixture;
    const TestGroup group = newTestGroup();
    std::vector<std::string> told(3);
    for (std::size_t i = 0; i < told.size(); ++i) {
        // The last one belongs to somebody else.
        f.control->testConnection(
            ControlFixture::draft("K" + std::to_string(i)),
            [&told, i](const Result<TestReport>& report) {
                told[i] = report ? report->message : std::string(toString(report.error().kind)) + ": " + report.error().message;
            },
            i < 2 ? group : newTestGroup());
    }
    f.transport->answer(0, 200, R"({"data":[]})");
    QCOMPARE(told[0], std::string("0 models"));
    QCOMPARE(f.control->cancelTests(group), 1);
    QVERIFY2(told[1].find("K1") != std::string::npos, told[1].c_str());
    QVERIFY(f.transport->at(1).cancelled);
    QVERIFY(!f.transport->at(2).over);
    QCOMPARE(f.control->cancelTests(group), 0);
    QCOMPARE(f.control->cancelTests({}), 0);
    f.transport->answer(2, 200, R"({"data":[]})");
    QCOMPARE(told[2], std::string("0 models"));
}

void ControlUpstreamTest::modelsAreReadAfterSaving()
{
    ControlFixture& f = *m_fixture;
    QVERIFY(f.save(ControlFixture::draft("Key")).ok());
    QCOMPARE(f.transport->count(), std::size_t{0});  // not before the change is made, and not in its turn
    f.scheduler->advance(Millis(1));
    QCOMPARE(f.transport->count(), std::size_t{1});
    QCOMPARE(f.transport->last().request.method, std::string("GET"));
    f.transport->answer(200, R"({"data":[{"id":"a"},{"id":"b"}]})");
    f.scheduler->advance(Millis(500));
    QTRY_COMPARE(f.find("Key")->models.size(), std::size_t{2});
    const WallTime updated = f.find("Key")->updatedAt;
    QVERIFY(updated < f.clock.wall());  // that is the user's last change

    f.restart();
    QCOMPARE(f.find("Key")->models.size(), std::size_t{2});
    // A change that leads to the same upstream asks nothing.
    ConnectionDraft draft;
    draft.connection = *f.find("Key");
    draft.connection.priority = 9;
    QVERIFY(f.save(draft).ok());
    f.scheduler->advance(Millis(1));
    QCOMPARE(f.transport->count(), std::size_t{0});
    QCOMPARE(f.find("Key")->models.size(), std::size_t{2});
}

void ControlUpstreamTest::modelsOfAnotherAddressAreDropped()
{
    ControlFixture& f = *m_fixture;
    QVERIFY(f.save(ControlFixture::draft("Key")).ok());
    f.scheduler->advance(Millis(1));
    ConnectionDraft draft;
    draft.connection = *f.find("Key");
    draft.connection.baseUrl = "https://eu.api.openai.com/v1";
    QVERIFY(f.save(draft).ok());
    f.transport->answer(0, 200, R"({"data":[{"id":"old"}]})");
    f.scheduler->advance(Millis(600));
    QVERIFY(f.settle());
    QVERIFY(f.find("Key")->models.empty());
    QCOMPARE(f.transport->last().request.url, std::string("https://eu.api.openai.com/v1/models"));
}

void ControlUpstreamTest::modelsAreReadEverySixHours()
{
    ControlFixture& f = *m_fixture;
    for (const char* name : {"On", "Off"})
        QVERIFY(f.save(ControlFixture::draft(name)).ok());
    QVERIFY(f.wait<int>([&](Reply<int> reply) { f.control->setConnectionsEnabled({f.idOf("Off")}, false, std::move(reply)); }).ok());
    f.restart();
    f.scheduler->advance(Millis(59'999));
    QCOMPARE(f.transport->count(), std::size_t{0});
    f.scheduler->advance(Millis(10));
    QCOMPARE(f.transport->count(), std::size_t{1});  // never read in the background yet: one minute after the start
    f.transport->answer(500, "");
    QVERIFY(f.settle());
    QVERIFY(f.engine->health(f.idOf("On")).lastError.empty());  // silent
    f.restart();
    f.scheduler->advance(Millis(3 * 3'600'000));
    QCOMPARE(f.transport->count(), std::size_t{0});
    f.scheduler->advance(Millis(3 * 3'600'000));
    QCOMPARE(f.transport->count(), std::size_t{1});
}

void ControlUpstreamTest::modelsOnRequest()
{
    ControlFixture& f = *m_fixture;
    QVERIFY(f.save(ControlFixture::draft("Key")).ok());
    f.scheduler->advance(Millis(1));
    f.transport->answer(500, "");
    const auto refresh = [&](int status, const std::string& body) {
        return f.wait<std::vector<std::string>>([&](Reply<std::vector<std::string>> reply) {
            f.control->refreshModels(f.idOf("Key"), std::move(reply));
            f.scheduler->advance(Millis(1));
            f.transport->answer(status, body);
            f.scheduler->advance(Millis(1));
        });
    };
    const auto models = refresh(200, R"({"data":[{"id":"z"}]})");
    QVERIFY2(models.ok(), models ? "" : describe(models.error()).c_str());
    QCOMPARE(*models, std::vector<std::string>{"z"});
    QCOMPARE(f.find("Key")->models, std::vector<std::string>{"z"});
    QVERIFY(refresh(403, "{}").error().kind == ErrorKind::Forbidden);
    QVERIFY(refresh(200, R"({"data":[]})").ok());
    QCOMPARE(f.find("Key")->models, std::vector<std::string>{"z"});  // an empty list says nothing
}

void ControlUpstreamTest::engineStateIsKeptAndTold()
{
    ControlFixture& f = *m_fixture;
    const auto saved = f.save(ControlFixture::draft("Key"));
    const ConnectionId id = saved->id;
    QSignalSpy told(f.control.get(), &Control::engineChanged);
    const EngineTarget target{saved->provider, ProviderClass::ApiKey, *saved, "m"};
    Failure failure;
    failure.status = 503;
    failure.body = "bad gateway";
    const Permit permit = f.engine->acquire(target);
    QVERIFY(permit.granted);
    f.engine->recordFailure(target, permit, failure);
    f.scheduler->advance(Millis(200));
    QVERIFY(told.count() >= 1);
    const auto snapshot = told.last().first().value<EngineSnapshot>();
    QVERIFY(snapshot.health(id) && snapshot.health(id)->coolingUntil);
    QVERIFY(snapshot.breaker(saved->provider) && snapshot.breaker(saved->provider)->failureCount == 1);
    QVERIFY(!snapshot.health(ConnectionId("nobody")) && !snapshot.breaker(ProviderId("nobody")));
    f.restart();
    QVERIFY(f.engine->health(id).coolingUntil);
    QCOMPARE(f.engine->breaker(ProviderId("openai")).failureCount, 1);

    QVERIFY(f.wait<std::string>([&](Reply<std::string> reply) { f.control->removeConnections({id}, std::move(reply)); }).ok());
    QVERIFY(!f.control->engineSnapshot().health(id));
}

void ControlUpstreamTest::engineIsToldOfAtMostTenTimesASecond()
{
    ControlFixture& f = *m_fixture;
    f.scheduler->advance(Millis(1'000));
    QSignalSpy told(f.control.get(), &Control::engineChanged);
    for (int i = 0; i < 1'000; ++i) {
        ConnectionHealth health;
        health.id = ConnectionId("c" + std::to_string(i % 7));
        f.control->connectionChanged(health);
        f.scheduler->advance(Millis(1));
    }
    QVERIFY2(told.count() >= 9 && told.count() <= 11, std::to_string(told.count()).c_str());
}

void ControlUpstreamTest::endOfAHoldIsTold()
{
    ControlFixture& f = *m_fixture;
    const auto saved = f.save(ControlFixture::draft("Key"));
    QSignalSpy told(f.control.get(), &Control::engineChanged);
    const EngineTarget target{saved->provider, ProviderClass::ApiKey, *saved, "m"};
    Failure failure;
    failure.status = 503;
    const Permit permit = f.engine->acquire(target);
    f.engine->recordFailure(target, permit, failure);
    f.scheduler->advance(Millis(150));
    const WallTime until = *f.engine->health(saved->id).coolingUntil;
    const qsizetype before = told.count();
    f.scheduler->advance(until - f.clock.wall() + Millis(150));
    QVERIFY(told.count() > before);
    const auto snapshot = told.last().first().value<EngineSnapshot>();
    QVERIFY(!snapshot.health(saved->id) || !snapshot.health(saved->id)->coolingUntil ||
            *snapshot.health(saved->id)->coolingUntil <= f.clock.wall());
}

void ControlUpstreamTest::operatorClears()
{
    ControlFixture& f = *m_fixture;
    const auto saved = f.save(ControlFixture::draft("Key"));
    const EngineTarget target{saved->provider, ProviderClass::ApiKey, *saved, "m"};
    Failure failure;
    failure.status = 503;
    const Permit permit = f.engine->acquire(target);
    f.engine->recordFailure(target, permit, failure);
    QVERIFY(!f.engine->eligible(target));
    QCOMPARE(f.control->clearAllCooldowns(ProviderId("anthropic")).cleared, 0);
    QCOMPARE(f.control->clearAllCooldowns().cleared, 1);
    QVERIFY(f.engine->eligible(target));
    QCOMPARE(f.control->clearCooldowns({saved->id}).cleared, 0);
    QCOMPARE(f.control->resetBreakers(), 0);  // one failure leaves it closed
}

void ControlUpstreamTest::unreadableKeysAreMarkedAtTheStart()
{
    ControlFixture& f = *m_fixture;
    QVERIFY(f.save(ControlFixture::draft("Readable")).ok());
    const auto lost = f.save(ControlFixture::draft("Lost"));
    f.secrets.values.erase(lost->secretRef);
    f.restart();
    QVERIFY(!f.engine->health(f.idOf("Readable")).secretUnreadable);
    QVERIFY(f.engine->health(f.idOf("Lost")).secretUnreadable);
    QVERIFY(f.control->secretOf(*f.find("Lost")).error().kind == ErrorKind::Secret);
    // Nothing is sent in its place.
    ConnectionDraft draft;
    draft.connection = *f.find("Lost");
    const auto report = f.wait<TestReport>([&](Reply<TestReport> reply) { f.control->testConnection(draft, std::move(reply)); });
    QVERIFY(!report.ok() && report.error().kind == ErrorKind::Secret);
    QCOMPARE(f.transport->count(), std::size_t{0});
    draft.secret = "sk-new-0123456789abcdef";
    QVERIFY(f.save(draft).ok());
    QVERIFY(!f.engine->health(f.idOf("Lost")).secretUnreadable);
}

void ControlUpstreamTest::secondsAreTold()
{
    ControlFixture& f = *m_fixture;
    QSignalSpy ticks(f.control.get(), &Control::trafficTicked);
    f.control->requestStarted();
    RequestRecord record;
    record.status = 200;
    f.control->requestFinished(record, false);
    f.scheduler->advance(Millis(1'000));
    QCOMPARE(ticks.count(), 1);
    QCOMPARE(ticks.first().first().value<TrafficSample>().requests, 1);
    f.scheduler->advance(Millis(59'000));
    QCOMPARE(ticks.count(), 60);
    QCOMPARE(f.transport->drops, 0);
}

void ControlUpstreamTest::sleepIsNoticed_data()
{
    QTest::addColumn<int>("sleptMs");
    QTest::addColumn<int>("wallJumpMs");
    QTest::addColumn<bool>("noticed");
    QTest::newRow("nothing") << 0 << 0 << false;
    QTest::newRow("a busy moment") << 4'000 << 0 << false;
    QTest::newRow("I04: a nap") << 60'000 << 0 << true;
    QTest::newRow("a wall clock set a little") << 0 << 4'000 << false;
    QTest::newRow("I05: a wall clock set ahead, or a clock that stops in sleep") << 0 << 60'000 << true;
    QTest::newRow("a wall clock set back") << 0 << -60'000 << true;
}

void ControlUpstreamTest::sleepIsNoticed()
{
    QFETCH(int, sleptMs);
    QFETCH(int, wallJumpMs);
    QFETCH(bool, noticed);
    ControlFixture& f = *m_fixture;
    f.scheduler->advance(Millis(10'500));
    QSignalSpy told(f.control.get(), &Control::engineChanged);
    f.clock.jumpWall(Millis(wallJumpMs));
    f.scheduler->sleepThrough(Millis(sleptMs));
    f.scheduler->advance(Millis(1'500));
    QCOMPARE(f.transport->drops, noticed ? 1 : 0);
    QCOMPARE(told.count() > 0, noticed);
    f.scheduler->advance(Millis(10'000));
    QCOMPARE(f.transport->drops, noticed ? 1 : 0);
}

void ControlUpstreamTest::finishedRequestsReachLogAndWindows()
{
    ControlFixture& f = *m_fixture;
    QSignalSpy finished(f.control.get(), &Control::requestsFinished);
    for (int i = 0; i < 3; ++i) {
        RequestRecord record;
        record.id = RequestId("00000000000000" + std::to_string(10 + i));
        record.startedAt = f.clock.wall();
        record.method = "POST";
        record.path = "/v1/chat/completions";
        record.status = 200;
        f.control->requestStarted();
        f.control->requestFinished(record, i != 1);  // the second belongs to a key that is not logged
    }
    f.scheduler->advance(Millis(300));
    QCOMPARE(finished.count(), 1);
    QCOMPARE(finished.first().first().value<QList<RequestRecord>>().size(), qsizetype{2});
    const std::string path = f.store->databasePath();
    f.stop();
    auto history = RequestHistory::open(path);
    QVERIFY(history.ok());
    const auto page = (*history)->page({}, {}, 10);
    QVERIFY(page.ok());
    QCOMPARE(page->records.size(), std::size_t{2});
    QCOMPARE(page->records.front().id.str(), std::string("0000000000000012"));
}

void ControlUpstreamTest::listenerStartsAndStops()
{
    ControlFixture& f = *m_fixture;
    QSignalSpy changed(f.control.get(), &Control::listenerChanged);
    f.control->startProxy();
    QCOMPARE(changed.count(), 2);
    QVERIFY(changed[0].first().value<ListenerState>().phase == ListenerPhase::Starting);
    const ListenerState serving = f.control->listenerState();
    QVERIFY(serving.phase == ListenerPhase::Serving);
    QCOMPARE(serving.baseUrl(), std::string("http://127.0.0.1:20128/v1"));
    f.control->startProxy();
    QCOMPARE(changed.count(), 2);
    QCOMPARE(f.listener->asked.size(), std::size_t{1});
    f.control->stopProxy();
    QCOMPARE(f.listener->closed, 1);
    QVERIFY(f.control->listenerState().phase == ListenerPhase::Stopped);
    f.control->stopProxy();
    QCOMPARE(f.listener->closed, 1);
    f.control->startProxy();
    QVERIFY(f.control->listenerState().phase == ListenerPhase::Serving);
}

void ControlUpstreamTest::takenPortIsExplained()
{
    ControlFixture& f = *m_fixture;
    QTcpServer holder;
    QVERIFY(holder.listen(QHostAddress::LocalHost, 0));
    f.port = holder.serverPort();
    f.restart();
    f.listener->taken = {holder.serverPort()};
    f.control->startProxy();
    const ListenerState state = f.control->listenerState();
    QVERIFY(state.phase == ListenerPhase::Failed);
    QVERIFY2(state.error.find("Port " + std::to_string(holder.serverPort()) + " is taken") == 0, state.error.c_str());
#ifdef Q_OS_LINUX
    QVERIFY2(state.error.find("(process " + std::to_string(QCoreApplication::applicationPid()) + ")") != std::string::npos,
             state.error.c_str());
#endif
    QVERIFY(state.suggestedPort > holder.serverPort());
    QVERIFY(state.error.find(std::to_string(state.suggestedPort)) != std::string::npos);
    // Taking the offer makes it serve there, and the setting stays.
    const auto settings = patch(R"({"proxy":{"port":)" + std::to_string(state.suggestedPort) + "}}");
    QVERIFY2(settings.ok(), settings ? "" : describe(settings.error()).c_str());
    QVERIFY(f.control->listenerState().phase == ListenerPhase::Serving);
    QCOMPARE(f.control->listenerState().port, state.suggestedPort);
}

void ControlUpstreamTest::portOfTheCommandLine()
{
    ControlFixture& f = *m_fixture;
    f.port = 0;
    f.restart();
    f.control->startProxy();
    QCOMPARE(f.listener->asked.back().port, 0);
    QCOMPARE(f.control->listenerState().port, 54'321);
    // Exposure changes, the port of this run stays.
    QVERIFY(patch(R"({"proxy":{"requireApiKey":true,"exposeToNetwork":true}})").ok());
    QCOMPARE(f.listener->asked.back().port, 54'321);
    QVERIFY(f.listener->asked.back().exposeToNetwork);
    QVERIFY(f.control->listenerState().exposed);
    // A port chosen by the user counts from now on.
    QVERIFY(patch(R"({"proxy":{"port":4711}})").ok());
    QCOMPARE(f.control->listenerState().port, 4711);
    f.control->stopProxy();
    f.control->startProxy();
    QCOMPARE(f.listener->asked.back().port, 4711);
}

void ControlUpstreamTest::settingsMoveTheListener()
{
    ControlFixture& f = *m_fixture;
    f.control->startProxy();
    const auto settings = patch(R"({"proxy":{"port":20200}})");
    QVERIFY(settings.ok());
    QCOMPARE(settings->proxy.port, 20200);
    QCOMPARE(f.control->listenerState().port, 20200);
    QCOMPARE(f.control->configuration()->settings.proxy.port, 20200);
    const std::size_t binds = f.listener->asked.size();
    QVERIFY(patch(R"({"routing":{"roundRobin":true}})").ok());
    QCOMPARE(f.listener->asked.size(), binds);
    f.control->stopProxy();
    QVERIFY(patch(R"({"proxy":{"port":20201}})").ok());
    QCOMPARE(f.listener->asked.size(), binds);  // stopped stays stopped
    f.restart();
    QCOMPARE(f.control->configuration()->settings.proxy.port, 20201);
}

void ControlUpstreamTest::settingsThatCannotBeBoundAreRefused()
{
    ControlFixture& f = *m_fixture;
    f.control->startProxy();
    const ListenerState before = f.control->listenerState();
    QSignalSpy changed(f.control.get(), &Control::listenerChanged);
    f.listener->taken = {20300};
    const auto settings = patch(R"({"proxy":{"port":20300},"routing":{"maxAttempts":3}})");
    QVERIFY(!settings.ok());
    QVERIFY(settings.error().kind == ErrorKind::Conflict);
    QCOMPARE(settings.error().details.front().field, std::string("proxy.port"));
    QVERIFY(f.control->listenerState() == before);
    QCOMPARE(changed.count(), 0);
    QCOMPARE(f.control->configuration()->settings.proxy.port, 20128);
    QCOMPARE(f.control->configuration()->settings.routing.maxAttempts, 16);
}

void ControlUpstreamTest::listenerReturnsWhenTheChangeCannotBeKept()
{
    ControlFixture& f = *m_fixture;
    f.control->startProxy();
    QVERIFY(f.store->close().ok());
    const auto settings = patch(R"({"proxy":{"port":20300}})");
    QVERIFY(!settings.ok());
    QCOMPARE(f.listener->asked.back().port, 20128);
    QCOMPARE(f.control->listenerState().port, 20128);
    QVERIFY(f.control->listenerState().phase == ListenerPhase::Serving);
}

void ControlUpstreamTest::settingsAreChecked_data()
{
    QTest::addColumn<QString>("patch");
    QTest::addColumn<QString>("field");
    QTest::newRow("no JSON") << "{"
                             << "body";
    QTest::newRow("unknown key") << R"({"proxy":{"prot":1}})"
                                 << "proxy.prot";
    QTest::newRow("out of range") << R"({"proxy":{"port":0}})"
                                  << "proxy.port";
    QTest::newRow("wrong type") << R"({"routing":{"maxAttempts":"3"}})"
                                << "routing.maxAttempts";
    QTest::newRow("open network without keys") << R"({"proxy":{"exposeToNetwork":true}})"
                                               << "proxy.exposeToNetwork";
}

void ControlUpstreamTest::settingsAreChecked()
{
    QFETCH(QString, patch);
    QFETCH(QString, field);
    const ConfigurationPtr before = m_fixture->control->configuration();
    const auto settings = this->patch(patch.toStdString());
    QVERIFY(!settings.ok());
    QVERIFY(settings.error().kind == ErrorKind::InvalidArgument);
    QCOMPARE(QString::fromStdString(settings.error().details.front().field), field);
    QCOMPARE(m_fixture->control->configuration(), before);
}

void ControlUpstreamTest::limitsReachTheListener()
{
    QVERIFY(patch(R"({"proxy":{"maxConnections":99}})").ok());
    QCOMPARE(m_fixture->listener->limits.maxConnections, 99);
}

OMNI_TEST(ControlUpstreamTest)
#include "control_upstream_test.moc"
