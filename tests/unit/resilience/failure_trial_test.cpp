#include "resilience/failure_trial.h"

#include "program/test_program.h"
#include "unit/resilience/resilience_fixture.h"

#include <QTest>

using namespace omni;
using namespace std::chrono_literals;

namespace {

const WallTime kNow = fromEpochMillis(1'790'000'000'000);

FailureSample sample(int status, std::string body = {}, std::string provider = "groq")
{
    FailureSample made;
    made.provider = ProviderId(std::move(provider));
    made.model = "llama-3";
    made.status = status;
    made.body = std::move(body);
    return made;
}

ResilienceSettings withRules(std::vector<ProviderErrorRule> rules)
{
    ResilienceSettings settings;
    settings.providerErrorRules = std::move(rules);
    return settings;
}

QByteArray told(const std::vector<TrialHold>& holds)
{
    QByteArray text;
    for (const TrialHold& hold : holds) {
        switch (hold.kind) {
        case TrialHold::Kind::Connection: text += "connection "; break;
        case TrialHold::Kind::Model: text += "model " + QByteArray::fromStdString(hold.model) + ' '; break;
        case TrialHold::Kind::Provider: text += "provider "; break;
        case TrialHold::Kind::Terminal: text += named(hold.terminal) + ' '; break;
        }
        text += QByteArray::number(qint64(hold.length.count() / 1000)) + ';';
    }
    return text;
}

}  // namespace

/// Answers judged before they come (spec 2-around §10.2).
class FailureTrialTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void scopes_data()
    {
        QTest::addColumn<QByteArray>("scope");
        QTest::addColumn<QByteArray>("holds");
        QTest::newRow("connection") << QByteArray("connection") << QByteArray("connection 90;");
        QTest::newRow("model") << QByteArray("model") << QByteArray("model llama-3 90;");
        QTest::newRow("provider") << QByteArray("provider") << QByteArray("provider 90;connection 90;");
    }
    void scopes()
    {
        QFETCH(QByteArray, scope);
        const RuleScope reach = *ruleScopeFromString(scope.toStdString());
        const ResilienceSettings settings = withRules({{"groq", 503, "Blue Moon", reach, FailureReason::ModelCapacity, Millis(90'000)}});
        const FailureTrial trial = tryFailure(sample(503, "it is a blue moon today"), settings, kNow);
        QTEST(told(trial.holds), "holds");
        QVERIFY(trial.verdict.ownRule == std::size_t{0});
        QCOMPARE(named(trial.verdict.reason), named(FailureReason::ModelCapacity));
        QVERIFY(trial.verdict.tryNextTarget);
    }

    void theFirstRuleThatFitsDecides()
    {
        const ResilienceSettings settings =
            withRules({{"openai", 429, "moon", RuleScope::Connection, FailureReason::QuotaExhausted, 10s},
                       {"groq", 503, "moon", RuleScope::Connection, FailureReason::QuotaExhausted, 20s},
                       {"groq", 429, "moon", RuleScope::Connection, FailureReason::RateLimitExceeded, 30s},
                       {"groq", 429, "blue moon", RuleScope::Connection, FailureReason::QuotaExhausted, 40s}});
        const FailureTrial trial = tryFailure(sample(429, "blue moon"), settings, kNow);
        QVERIFY(trial.verdict.ownRule == std::size_t{2});
        QCOMPARE(told(trial.holds), QByteArray("connection 30;"));
    }

    void withoutARuleThePoliciesDecide_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QByteArray>("holds");
        QTest::newRow("rate limit") << 429 << QByteArray() << QByteArray("connection 3;");
        QTest::newRow("server error") << 500 << QByteArray("oops") << QByteArray("connection 3;");
        QTest::newRow("bad request") << 400 << QByteArray("no such parameter") << QByteArray();
        QTest::newRow("no money") << 402 << QByteArray("pay first") << named(TerminalState::CreditsExhausted) + " 0;";
        QTest::newRow("key refused") << 401 << QByteArray("bad key") << QByteArray("connection 300;");
    }
    void withoutARuleThePoliciesDecide()
    {
        QFETCH(int, status);
        QFETCH(QByteArray, body);
        const FailureTrial trial = tryFailure(sample(status, body.toStdString()), ResilienceSettings(), kNow);
        QTEST(told(trial.holds), "holds");
        QVERIFY(!trial.verdict.ownRule);
        QVERIFY(!trial.verdict.rule.empty());
    }

    void hintsComeFromTheHeaders()
    {
        FailureSample asked = sample(429);
        asked.headers = headerFieldsFromText("HTTP/1.1 429 Too Many Requests\r\nRetry-After:  75 \r\n\r\nnonsense\n: x\n");
        QCOMPARE(asked.headers.size(), std::size_t{1});
        const FailureTrial trial = tryFailure(asked, ResilienceSettings(), kNow);
        QCOMPARE(told(trial.holds), QByteArray("connection 75;"));
        QCOMPARE(named(trial.verdict.hintSource), named(HintSource::Header));
    }

    void aRestatedStatusIsTold()
    {
        const FailureTrial trial = tryFailure(sample(413, "Limit 6000 tokens per minute"), ResilienceSettings(), kNow);
        QCOMPARE(trial.verdict.status, 429);
    }
};

OMNI_TEST(FailureTrialTest)
#include "failure_trial_test.moc"
