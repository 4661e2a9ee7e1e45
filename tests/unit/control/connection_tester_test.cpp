#include "control/connection_tester.h"
#include "program/test_program.h"
#include "support/fake_transport.h"

#include <nlohmann/json.hpp>

#include <QTest>

using namespace omni;
using omni::test::FakeTransport;

namespace {

UpstreamSubject subject(const std::string& modelsPath = "/models", Operation operation = Operation::ChatCompletions)
{
    UpstreamSubject made;
    made.provider.id = ProviderId("acme");
    made.provider.name = "Acme";
    made.provider.auth = AuthHeader::Bearer;
    made.provider.baseUrl = "https://api.acme.example/v1";
    made.provider.modelsPath = modelsPath;
    made.provider.paths[operation] = std::string(defaultPath(operation));
    made.provider.models.push_back({"acme-1", "", 0, 0});
    made.connection.id = ConnectionId("c");
    made.connection.provider = made.provider.id;
    made.connection.name = "Key";
    made.secret = "sk-0123456789abcdef";
    return made;
}

}  // namespace

class ConnectionTesterTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void modelListSuffices();
    void refusalIsTold();
    void completionWhereThereIsNoList_data();
    void completionWhereThereIsNoList();
    void smallestBodies_data();
    void smallestBodies();
    void choosesTheModel_data();
    void choosesTheModel();
    void withoutAnyModel();
    void tenSecondsInAll();
    void transportFailures();
    void brokenAddress();
    void longListIsNotReadToTheEnd();

private:
    void run(UpstreamSubject of);

    SimulatedClock m_clock;
    std::unique_ptr<SimulatedScheduler> m_scheduler;
    std::unique_ptr<FakeTransport> m_transport;
    std::unique_ptr<ConnectionTester> m_tester;
    std::optional<ConnectionTester::Outcome> m_outcome;
};

void ConnectionTesterTest::init()
{
    m_tester.reset();
    m_outcome.reset();
    m_transport = std::make_unique<FakeTransport>();
    m_scheduler = std::make_unique<SimulatedScheduler>(m_clock);
}

void ConnectionTesterTest::run(UpstreamSubject of)
{
    m_tester = std::make_unique<ConnectionTester>(*m_transport, *m_scheduler, std::move(of), [this](ConnectionTester::Outcome outcome) {
        m_outcome.emplace(std::move(outcome));
        m_tester.reset();  // as Control does
    });
    m_tester->start();
}

void ConnectionTesterTest::modelListSuffices()
{
    run(subject());
    QCOMPARE(m_transport->count(), std::size_t{1});
    QCOMPARE(m_transport->last().request.method, std::string("GET"));
    QCOMPARE(m_transport->last().request.url, std::string("https://api.acme.example/v1/models"));
    QCOMPARE(m_transport->last().header("authorization"), std::string("Bearer sk-0123456789abcdef"));
    m_scheduler->advance(Millis(120));
    m_transport->answer(200, R"({"data":[{"id":"acme-1"},{"id":"acme-2"}]})");
    QVERIFY(m_outcome);
    QVERIFY(m_outcome->report.ok);
    QCOMPARE(m_outcome->report.status, 200);
    QCOMPARE(m_outcome->report.latency, Millis(120));
    QCOMPARE(m_outcome->report.models.size(), std::size_t{2});
    QCOMPARE(m_outcome->report.message, std::string("2 models"));
    QCOMPARE(m_transport->count(), std::size_t{1});
}

void ConnectionTesterTest::refusalIsTold()
{
    run(subject());
    m_transport->answer(401, R"({"error":{"message":"Incorrect API key provided: sk-0123456789abcdef"}})");
    QVERIFY(m_outcome);
    QVERIFY(!m_outcome->report.ok);
    QCOMPARE(m_outcome->report.status, 401);
    QCOMPARE(m_outcome->report.message, std::string("HTTP 401: Incorrect API key provided: [redacted]"));
    QVERIFY(m_outcome->failure);
    QCOMPARE(m_outcome->failure->status, 401);
    QCOMPARE(m_transport->count(), std::size_t{1});
}

void ConnectionTesterTest::completionWhereThereIsNoList_data()
{
    QTest::addColumn<int>("listStatus");
    QTest::addColumn<QString>("listBody");
    QTest::newRow("404") << 404 << "";
    QTest::newRow("405") << 405 << "";
    QTest::newRow("a page in place of a list") << 200 << "<html></html>";
    QTest::newRow("the provider has none") << 0 << "";
}

void ConnectionTesterTest::completionWhereThereIsNoList()
{
    QFETCH(int, listStatus);
    QFETCH(QString, listBody);
    run(subject(listStatus == 0 ? "" : "/models"));
    if (listStatus != 0)
        m_transport->answer(listStatus, listBody.toStdString());
    QVERIFY(!m_outcome);
    QCOMPARE(m_transport->last().request.method, std::string("POST"));
    QCOMPARE(m_transport->last().request.url, std::string("https://api.acme.example/v1/chat/completions"));
    QCOMPARE(m_transport->last().header("content-type"), std::string("application/json"));
    m_transport->answer(200, R"({"id":"x","choices":[]})");
    QVERIFY(m_outcome && m_outcome->report.ok);
    QCOMPARE(m_outcome->report.message, std::string("Answered by acme-1"));
    QVERIFY(m_outcome->report.models.empty());
    QCOMPARE(m_outcome->model, std::string("acme-1"));
}

void ConnectionTesterTest::smallestBodies_data()
{
    QTest::addColumn<int>("operation");
    QTest::addColumn<QString>("body");
    const auto row = [](Operation operation, const char* body) {
        QTest::newRow(std::string(toString(operation)).c_str()) << static_cast<int>(operation) << QString::fromUtf8(body);
    };
    row(Operation::ChatCompletions, R"({"model":"acme-1","messages":[{"role":"user","content":"ping"}],"max_tokens":1})");
    row(Operation::Messages, R"({"model":"acme-1","messages":[{"role":"user","content":"ping"}],"max_tokens":1})");
    row(Operation::Responses, R"({"model":"acme-1","input":"ping","max_output_tokens":16})");
    row(Operation::Completions, R"({"model":"acme-1","prompt":"ping","max_tokens":1})");
    row(Operation::Embeddings, R"({"model":"acme-1","input":"ping"})");
}

void ConnectionTesterTest::smallestBodies()
{
    QFETCH(int, operation);
    QFETCH(QString, body);
    run(subject("", static_cast<Operation>(operation)));
    QCOMPARE(nlohmann::json::parse(m_transport->last().body()), nlohmann::json::parse(body.toStdString()));
    if (static_cast<Operation>(operation) == Operation::Messages)
        QVERIFY(!m_transport->last().header("anthropic-version").empty());
}

void ConnectionTesterTest::choosesTheModel_data()
{
    QTest::addColumn<QString>("defaultModel");
    QTest::addColumn<QString>("listed");
    QTest::addColumn<QString>("used");
    QTest::newRow("the default one first") << "mine"
                                           << "theirs"
                                           << "mine";
    QTest::newRow("then a listed one") << ""
                                       << "theirs"
                                       << "theirs";
    QTest::newRow("then the catalogue's") << ""
                                          << ""
                                          << "acme-1";
}

void ConnectionTesterTest::choosesTheModel()
{
    QFETCH(QString, defaultModel);
    QFETCH(QString, listed);
    QFETCH(QString, used);
    UpstreamSubject of = subject("");
    of.connection.defaultModel = defaultModel.toStdString();
    if (!listed.isEmpty())
        of.connection.models.push_back(listed.toStdString());
    run(std::move(of));
    QCOMPARE(nlohmann::json::parse(m_transport->last().body()).at("model").get<std::string>(), used.toStdString());
}

void ConnectionTesterTest::withoutAnyModel()
{
    UpstreamSubject of = subject("");
    of.provider.models.clear();
    run(std::move(of));
    QVERIFY(m_outcome && !m_outcome->report.ok);
    QVERIFY(!m_outcome->asked);
    QVERIFY(m_outcome->report.message.find("default model") != std::string::npos);
    QCOMPARE(m_transport->count(), std::size_t{0});
}

void ConnectionTesterTest::tenSecondsInAll()
{
    run(subject());
    m_scheduler->advance(Millis(6'000));
    m_transport->answer(404, "");
    m_scheduler->advance(Millis(3'999));
    QVERIFY(!m_outcome);
    m_scheduler->advance(Millis(1));
    QVERIFY(m_outcome && !m_outcome->report.ok);
    QCOMPARE(m_outcome->report.message, std::string("No complete answer within 10 seconds."));
    QVERIFY(m_outcome->failure->failure == TransportFailure::DeadlineExceeded);
    QVERIFY(m_transport->last().cancelled);
}

void ConnectionTesterTest::transportFailures()
{
    run(subject());
    m_transport->fail(0, TransportFailure::ResolveFailed, "api.acme.example could not be resolved");
    QVERIFY(m_outcome && !m_outcome->report.ok);
    QCOMPARE(m_outcome->report.status, 0);
    QCOMPARE(m_outcome->report.message, std::string("api.acme.example could not be resolved"));
    QVERIFY(m_outcome->failure->failure == TransportFailure::ResolveFailed);
}

void ConnectionTesterTest::brokenAddress()
{
    UpstreamSubject of = subject();
    of.connection.baseUrl = "nonsense";
    run(std::move(of));
    QVERIFY(m_outcome && !m_outcome->report.ok && !m_outcome->asked);
    QVERIFY(!m_outcome->report.message.empty());
}

void ConnectionTesterTest::longListIsNotReadToTheEnd()
{
    run(subject());
    m_transport->at(0).handler->transportHead(200, {});
    const std::string piece(1024 * 1024, 'x');
    for (int i = 0; i < 9; ++i)
        m_transport->at(0).handler->transportData(piece);
    m_scheduler->advance(Micros(1));
    QVERIFY(m_transport->at(0).cancelled);
    QCOMPARE(m_transport->count(), std::size_t{2});  // what is no list says nothing: the completion decides
}

OMNI_TEST(ConnectionTesterTest)
#include "connection_tester_test.moc"
