#include "control/model_refresher.h"
#include "program/test_program.h"
#include "support/fake_transport.h"

#include <QTest>

#include <map>

using namespace omni;
using omni::test::FakeTransport;

namespace {

ConnectionId id(int number) { return ConnectionId("c" + std::to_string(number)); }

}  // namespace

class ModelRefresherTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void fourAtATime();
    void sameConnectionWaitsOnce();
    void resultsAreGathered();
    void awaitedOnesGoFirstAndAreKeptAtOnce();
    void failures_data();
    void failures();
    void keepingFails();
    void endsWithWorkUnderWay();

private:
    SimulatedClock m_clock;
    std::unique_ptr<SimulatedScheduler> m_scheduler;
    std::unique_ptr<FakeTransport> m_transport;
    std::unique_ptr<ModelRefresher> m_refresher;
    std::vector<std::vector<ModelRefresher::Found>> m_kept;
    Status m_keepStatus;
    bool m_hasList = true;
};

void ModelRefresherTest::init()
{
    m_refresher.reset();
    m_kept.clear();
    m_keepStatus = {};
    m_hasList = true;
    m_transport = std::make_unique<FakeTransport>();
    m_scheduler = std::make_unique<SimulatedScheduler>(m_clock);
    m_refresher = std::make_unique<ModelRefresher>(
        *m_transport, *m_scheduler,
        ModelRefresher::Hooks{[this](const ConnectionId& of) -> Result<UpstreamSubject> {
                                  if (of.str() == "gone")
                                      return Error{ErrorKind::NotFound, "gone", {}};
                                  UpstreamSubject subject;
                                  subject.provider.name = "Acme";
                                  subject.provider.baseUrl = "https://acme.example/v1";
                                  subject.provider.modelsPath = m_hasList ? "/models" : "";
                                  subject.connection.id = of;
                                  return subject;
                              },
                              [this](std::vector<ModelRefresher::Found> found, std::function<void(Status)> done) {
                                  m_kept.push_back(std::move(found));
                                  done(m_keepStatus);
                              }});
}

void ModelRefresherTest::fourAtATime()
{
    for (int i = 0; i < 10; ++i)
        m_refresher->enqueue(id(i));
    m_scheduler->advance(Micros(0));
    QCOMPARE(m_transport->count(), std::size_t{4});
    for (std::size_t i = 0; i < 10; ++i) {
        m_transport->answer(i, i % 2 ? 500 : 200, R"({"data":[{"id":"m"}]})");
        m_scheduler->advance(Micros(0));
        QVERIFY(m_transport->open() <= 4);
    }
    QCOMPARE(m_transport->count(), std::size_t{10});
}

void ModelRefresherTest::sameConnectionWaitsOnce()
{
    for (int i = 0; i < 5; ++i)
        m_refresher->enqueue(id(0));
    m_scheduler->advance(Micros(0));
    QCOMPARE(m_transport->count(), std::size_t{1});
}

void ModelRefresherTest::resultsAreGathered()
{
    for (int i = 0; i < 8; ++i)
        m_refresher->enqueue(id(i));
    for (std::size_t i = 0; i < 8; ++i) {
        m_scheduler->advance(Micros(10));
        m_transport->answer(i, 200, R"({"data":[{"id":"m"}]})");
    }
    QVERIFY(m_kept.empty());
    m_scheduler->advance(Millis(500));
    QCOMPARE(m_kept.size(), std::size_t{1});
    QCOMPARE(m_kept.front().size(), std::size_t{8});
    QCOMPARE(m_kept.front().front().models, std::vector<std::string>{"m"});
}

void ModelRefresherTest::awaitedOnesGoFirstAndAreKeptAtOnce()
{
    for (int i = 0; i < 6; ++i)
        m_refresher->enqueue(id(i));
    std::vector<std::string> got;
    m_refresher->fetch(id(5), [&](const Result<std::vector<std::string>>& models) { got = models.valueOr({}); });
    m_scheduler->advance(Micros(0));
    QCOMPARE(m_transport->count(), std::size_t{4});
    m_transport->answer(0, 200, R"({"data":[{"id":"mine"}]})");
    m_scheduler->advance(Micros(0));
    QCOMPARE(got, std::vector<std::string>{"mine"});
    QCOMPARE(m_kept.size(), std::size_t{1});
    QCOMPARE(m_kept.front().front().id, id(5));
    QCOMPARE(m_transport->count(), std::size_t{5});  // c5 is not asked a second time
}

void ModelRefresherTest::failures_data()
{
    QTest::addColumn<QString>("what");
    QTest::addColumn<int>("kind");
    QTest::newRow("unknown connection") << "gone" << static_cast<int>(ErrorKind::NotFound);
    QTest::newRow("no list") << "no list" << static_cast<int>(ErrorKind::NotFound);
    QTest::newRow("401") << "401" << static_cast<int>(ErrorKind::Unauthorized);
    QTest::newRow("no JSON") << "page" << static_cast<int>(ErrorKind::Protocol);
    QTest::newRow("silence") << "silence" << static_cast<int>(ErrorKind::Timeout);
}

void ModelRefresherTest::failures()
{
    QFETCH(QString, what);
    QFETCH(int, kind);
    m_hasList = what != QLatin1String("no list");
    std::optional<Error> error;
    m_refresher->fetch(what == QLatin1String("gone") ? ConnectionId("gone") : id(1), [&](const Result<std::vector<std::string>>& models) {
        if (!models)
            error = models.error();
    });
    m_scheduler->advance(Micros(0));
    if (what == QLatin1String("401"))
        m_transport->answer(401, "{}");
    if (what == QLatin1String("page"))
        m_transport->answer(200, "<html>");
    if (what == QLatin1String("silence"))
        m_scheduler->advance(Millis(20'000));
    QVERIFY(error);
    QCOMPARE(static_cast<int>(error->kind), kind);
    QVERIFY(m_kept.empty());
}

void ModelRefresherTest::keepingFails()
{
    m_keepStatus = Error{ErrorKind::Storage, "disk full", {}};
    std::optional<Error> error;
    m_refresher->fetch(id(1), [&](const Result<std::vector<std::string>>& models) {
        if (!models)
            error = models.error();
    });
    m_scheduler->advance(Micros(0));
    m_transport->answer(200, R"({"data":[{"id":"m"}]})");
    m_scheduler->advance(Micros(0));
    QVERIFY(error);
    QVERIFY(error->kind == ErrorKind::Storage);
}

void ModelRefresherTest::endsWithWorkUnderWay()
{
    for (int i = 0; i < 6; ++i)
        m_refresher->enqueue(id(i));
    m_scheduler->advance(Micros(0));
    m_refresher.reset();
    for (std::size_t i = 0; i < 4; ++i)
        QVERIFY(m_transport->at(i).cancelled);
}

OMNI_TEST(ModelRefresherTest)
#include "model_refresher_test.moc"
