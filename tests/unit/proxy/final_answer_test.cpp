#include "proxy/final_answer.h"
#include "proxy/header_filter.h"

#include "program/test_program.h"

#include <QTest>

using namespace omni;

namespace {

TargetFailure failed(int status, TransportFailure transport = TransportFailure::None, std::optional<Millis> retryAfter = {})
{
    return {"p/m (c)", status, transport, "told so", FailureReason::Unknown, retryAfter};
}

ExcludedTarget left(Exclusion reason, std::int64_t remainingMs)
{
    return {ProviderId("p"), ConnectionId("c"), "key", "m", reason, remainingMs};
}

}  // namespace

class FinalAnswerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothingTriedAndSomethingComesBack()
    {
        const ClientError error = finalAnswer("m", {}, {}, {left(Exclusion::CircuitOpen, 57'400), left(Exclusion::ConnectionCooldown, 1'200), left(Exclusion::Banned, 0)}, false);
        QCOMPARE(error.status, 503);
        QCOMPARE(error.code, std::string("all_targets_cooling_down"));
        QVERIFY(error.retryAfter == Millis(1'200));
        QCOMPARE(error.excluded.size(), std::size_t{3});
        QVERIFY2(error.message.find("circuit_open (58s)") != std::string::npos, error.message.c_str());
    }

    void nothingTriedAndNothingComesBack()
    {
        const ClientError error = finalAnswer("m", {}, {}, {left(Exclusion::Banned, 0)}, false);
        QCOMPARE(error.status, 404);
        QCOMPARE(error.code, std::string("no_executable_targets"));
        QVERIFY(!error.retryAfter);
        QCOMPARE(finalAnswer("m", {}, {}, {}, false).status, 404);
    }

    void resetTexts_data()
    {
        QTest::addColumn<qint64>("wait");
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("162 a minute and a quarter") << qint64(75'000) << QByteArray("reset after 1m 15s");
        QTest::newRow("over") << qint64(-5) << QByteArray("reset after 0s");
        QTest::newRow("a part of a second") << qint64(1) << QByteArray("reset after 1s");
        QTest::newRow("an hour") << qint64(3'600'000) << QByteArray("reset after 1h");
        QTest::newRow("an hour and a second") << qint64(3'600'001) << QByteArray("reset after 1h 1s");
        QTest::newRow("a week") << qint64(7 * 86'400'000) << QByteArray("reset after 168h");
    }

    void resetTexts()
    {
        QFETCH(qint64, wait);
        QFETCH(QByteArray, text);
        QCOMPARE(resetText(Millis(wait)), text.toStdString());
        if (wait > 0)
            QVERIFY(finalAnswer("m", {}, {}, {left(Exclusion::ModelLockout, wait)}, false).message.ends_with(text.toStdString()));
    }

    void row163TheScopeOfTheWait()
    {
        const auto render = [](std::vector<ExcludedTarget> excluded) {
            return renderError(finalAnswer("m", {}, {}, excluded, false), Dialect::OpenAi);
        };
        QVERIFY(render({left(Exclusion::ModelLockout, 5'000), left(Exclusion::ModelLockout, 9'000)}).find("\"scope\":\"model\"") != std::string::npos);
        QVERIFY(render({left(Exclusion::ModelLockout, 5'000), left(Exclusion::ConnectionCooldown, 9'000)}).find("\"scope\":\"connection\"") != std::string::npos);
        QVERIFY(render({left(Exclusion::Banned, 0)}).find("\"scope\"") == std::string::npos);
    }

    void status_data()
    {
        QTest::addColumn<QList<int>>("statuses");
        QTest::addColumn<int>("status");
        QTest::newRow("all rate limited") << QList<int>{429, 429} << 429;
        QTest::newRow("all of the provider: the last one's") << QList<int>{500, 503} << 503;
        QTest::newRow("all refused") << QList<int>{401, 403} << 403;
        QTest::newRow("client and model faults") << QList<int>{404, 400} << 400;
        QTest::newRow("mixed with a time-out") << QList<int>{429, 504} << 504;
        QTest::newRow("mixed without") << QList<int>{429, 503} << 502;
        QTest::newRow("overloaded") << QList<int>{529} << 529;
    }

    void status()
    {
        QFETCH(QList<int>, statuses);
        QFETCH(int, status);
        std::vector<TargetFailure> failures;
        for (const int code : statuses)
            failures.push_back(failed(code));
        QCOMPARE(finalAnswer("m", failures, {}, {}, false).status, status);
    }

    void transportFailures()
    {
        QCOMPARE(finalAnswer("m", {failed(0, TransportFailure::Reset)}, {}, {}, false).status, 502);
        QCOMPARE(finalAnswer("m", {failed(0, TransportFailure::FirstByteTimeout)}, {}, {}, false).status, 504);
    }

    void theEarliestWaitIsTold()
    {
        const ClientError error = finalAnswer("m", {failed(429, TransportFailure::None, Millis(9'000)), failed(429, TransportFailure::None, Millis(2'500))},
                                              {}, {left(Exclusion::ConnectionCooldown, 4'000)}, false);
        QVERIFY(error.retryAfter == Millis(2'500));
        QVERIFY(!finalAnswer("m", {failed(401, TransportFailure::None, Millis(9'000))}, {}, {}, false).retryAfter);
    }

    void manyFailuresAreSummedUp()
    {
        const ClientError error = finalAnswer("m", std::vector<TargetFailure>(8, failed(500)), {}, {}, true);
        QCOMPARE(error.code, std::string("max_attempts_exceeded"));
        QVERIFY2(error.message.ends_with("… (+3 more)"), error.message.c_str());
    }

    void wholeSecondsAreRoundedUp()
    {
        QCOMPARE(wholeSeconds(Millis(0)), 1);
        QCOMPARE(wholeSeconds(Millis(1)), 1);
        QCOMPARE(wholeSeconds(Millis(1'001)), 2);
        QCOMPARE(headerSafe("gpt-ক\r\nX: 1"), std::string("gpt-?????X: 1"));
    }

    void headersAreFilteredBothWays()
    {
        HeaderList toUpstream = {{"anthropic-version", "2023-06-01"}, {"authorization", "Bearer ours"}};
        addClientHeaders(toUpstream, {{"anthropic-version", "2024-10-22"}, {"authorization", "Bearer theirs"}, {"connection", "x"}, {"x-title", "t"}});
        QCOMPARE(toUpstream, (HeaderList{{"anthropic-version", "2024-10-22"}, {"authorization", "Bearer ours"}, {"x-title", "t"}}));
        QCOMPARE(clientHeadersOf({{"content-type", "a"}, {"set-cookie", "b"}, {"server", "c"}, {"x-ratelimit-remaining-requests", "4"}, {"transfer-encoding", "chunked"}}),
                 (HeaderList{{"content-type", "a"}, {"x-ratelimit-remaining-requests", "4"}}));
        const HeaderList logged = redactedHeaders({{"authorization", "Bearer sk-1234567890abcdef"}, {"user-agent", "x"}});
        QVERIFY(logged[0].second.find("1234567890ab") == std::string::npos);
        QCOMPARE(logged[1].second, std::string("x"));
    }
};

OMNI_TEST(FinalAnswerTest)
#include "final_answer_test.moc"
