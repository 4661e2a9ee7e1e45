#include "resilience/status_restatement.h"

#include "program/test_program.h"
#include "unit/resilience/verdict_bench.h"

using namespace omni;
using enum FailureReason;
using Scope = Judgement::Scope;

/// guide §7, spec 2-around §9.
class StatusRestatementTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void restates_data()
    {
        QTest::addColumn<QString>("provider");
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("message");
        QTest::addColumn<QString>("body");
        QTest::addColumn<qint64>("hint");
        QTest::addColumn<int>("to");
        QTest::addColumn<qint64>("retryAfter");
        const auto row = [](const char* name, const char* provider, int status, const char* message, const char* body, qint64 hint, int to,
                            qint64 retryAfter) {
            QTest::newRow(name) << QString::fromUtf8(provider) << status << QString::fromUtf8(message) << QString::fromUtf8(body)
                                << hint << to << retryAfter;
        };
        row("V98a agentrouter 403", "agentrouter", 403, "", "额度不足", kNoChange, 429, 60'000);
        row("V98b with a hint", "agentrouter", 403, "", "用户额度不足", 5'000, 429, 5'000);
        row("agentrouter 400", "agentrouter", 400, "", "用户额度不足", kNoChange, 429, 60'000);
        row("a hint of 0 is none", "agentrouter", 403, "", "额度不足", 0, 429, 60'000);
        row("only in the message", "agentrouter", 403, "额度不足", "{}", kNoChange, 429, 60'000);
        row("provider in capitals", "AgentRouter", 403, "", "额度不足", kNoChange, 429, 60'000);
        row("V99a vetoed", "agentrouter", 403, "", "额度不足 无权访问模型", kNoChange, 0, 0);
        row("vetoed by the message", "agentrouter", 403, "无权访问", "额度不足", kNoChange, 0, 0);
        row("V99b another status", "agentrouter", 500, "", "额度不足", kNoChange, 0, 0);
        row("a 429 already", "agentrouter", 429, "", "额度不足", kNoChange, 0, 0);
        row("no status at all", "agentrouter", 0, "", "额度不足", kNoChange, 0, 0);
        row("V99c another provider", "openai", 403, "", "额度不足", kNoChange, 0, 0);
        row("another text", "agentrouter", 403, "", "forbidden", kNoChange, 0, 0);
        row("groq 413", "groq", 413, "Request too large: Tokens Per Minute (TPM)", "", kNoChange, 429, 60'000);
        row("groq 413 of another kind", "groq", 413, "body too large", "", kNoChange, 0, 0);
        row("groq's marker at agentrouter", "agentrouter", 413, "tokens per minute", "", kNoChange, 0, 0);
    }

    void restates()
    {
        QFETCH(QString, provider);
        QFETCH(int, status);
        QFETCH(QString, message);
        QFETCH(QString, body);
        QFETCH(qint64, hint);
        QFETCH(int, to);
        QFETCH(qint64, retryAfter);
        const std::optional<Restatement> restated =
            restateStatus(provider.toStdString(), status, message.toStdString(), body.toStdString(),
                          hint == kNoChange ? std::nullopt : std::optional(Millis(hint)));
        QCOMPARE(restated ? restated->status : 0, to);
        if (restated) {
            QCOMPARE(restated->fromStatus, status);
            QCOMPARE(qint64(restated->retryAfter.count()), retryAfter);
            QVERIFY(!restated->rule.empty());
        }
    }

    /// The verdict sees the corrected status; what it holds is not the minute that the client is told.
    void verdict_data()
    {
        QTest::addColumn<VerdictCase>("given");
        const auto row = [](const char* name, VerdictCase given) { QTest::newRow(name) << given; };
        const VerdictCase restated{.status = 403,
                                   .body = json("{'error':{'message':'用户额度不足'}}"),
                                   .provider = "agentrouter",
                                   .perModelQuota = true,
                                   .cooldown = 3'000,
                                   .newLevel = 1,
                                   .reason = QuotaExhausted,
                                   .scope = Scope::Connection,
                                   .ruleScope = RuleScope::Connection,
                                   .restated = 429};
        row("403 is a spent quota of the account", restated);
        VerdictCase other = restated;
        other.status = 400;
        row("400 no longer ends the request", other);
        other = restated;
        other.body = json("{'error':{'message':'\\u7528\\u6237\\u989d\\u5ea6\\u4e0d\\u8db3'}}");
        row("escaped in the JSON", other);
        other = restated;
        other.level = 2;
        other.cooldown = 12'000;
        other.newLevel = 3;
        row("climbs the ladder", other);
        other = restated;
        other.perModelQuota = false;
        row("never a state without end", other);
        other = restated;
        other.insideOk = true;
        other.restated = 0;
        row("an error inside a 200 keeps its status", other);
        row("once the answer had begun it keeps its status", {.status = 403,
                                                              .body = "额度不足",
                                                              .provider = "agentrouter",
                                                              .perModelQuota = true,
                                                              .afterCommit = true,
                                                              .cooldown = 3'000,
                                                              .newLevel = 1,
                                                              .reason = QuotaExhausted,
                                                              .ruleScope = RuleScope::Connection});
        row("groq: the limit of a minute, not a body too large", {.status = 413,
                                                                  .body = "Request too large for model x on tokens per minute (TPM)",
                                                                  .provider = "groq",
                                                                  .cooldown = 3'000,
                                                                  .newLevel = 1,
                                                                  .reason = RateLimitExceeded,
                                                                  .restated = 429});
        row("refused for good: 403 stays 403", {.status = 403,
                                                .body = "无权访问模型, 额度不足",
                                                .provider = "agentrouter",
                                                .perModelQuota = true,
                                                .cooldown = 21'600'000,
                                                .newLevel = 0,
                                                .reason = AuthError,
                                                .scope = Scope::Model,
                                                .ruleScope = RuleScope::Model});
    }

    void verdict()
    {
        QFETCH(VerdictCase, given);
        given.check();
    }

    void clientIsTold()
    {
        VerdictCase given{.status = 403, .body = "额度不足", .provider = "agentrouter", .perModelQuota = true};
        const Judgement without = given.judged();
        QVERIFY(without.restatedRetryAfter == Millis(60'000));
        QVERIFY(without.rule.find("HTTP 403 restated") != std::string::npos);
        QVERIFY2(without.message.rfind("HTTP 403", 0) == 0, "what the upstream really sent");
        given.headers = {{"retry-after", "5"}};
        QVERIFY(given.judged().restatedRetryAfter == Millis(5'000));
        given.status = 500;
        QVERIFY(!given.judged().restatedRetryAfter);
    }
};

OMNI_TEST(StatusRestatementTest)
#include "status_restatement_test.moc"
