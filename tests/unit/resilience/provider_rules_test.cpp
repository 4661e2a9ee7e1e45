#include "resilience/provider_rules.h"

#include "program/test_program.h"
#include "unit/resilience/verdict_bench.h"

using namespace omni;
using enum FailureReason;
using Scope = Judgement::Scope;

/// guide §7, spec 1-core §4.7, 2-around §10.
class ProviderRulesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void builtIn_data()
    {
        QTest::addColumn<QString>("provider");
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("header");
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QByteArray>("expected");  // reason, scope, cooldown
        const auto row = [](const char* name, const char* provider, int status, const char* header, const char* value, const char* text,
                            const char* expected) {
            QTest::newRow(name) << QString::fromUtf8(provider) << status << QByteArray(header) << QByteArray(value)
                                << QString::fromUtf8(text) << QByteArray(expected);
        };
        row("V100 minimax", "minimax", 429, "x-model-quota-remaining", "haiku=0,sonnet=42", "", "quota_exhausted model ladder");
        row("minimax with blanks", "minimax-passthrough", 429, "x-model-quota-remaining", "a=1, b= 0", "", "quota_exhausted model ladder");
        row("minimax with something left", "minimax", 429, "x-model-quota-remaining", "haiku=10,sonnet=42", "", "");
        row("minimax, another status", "minimax", 500, "x-model-quota-remaining", "haiku=0", "", "");
        row("V101 opencode countdown", "opencode-go", 429, "", "", "monthly usage limit reached. resets in 13 days",
            "quota_exhausted connection 1123200000");
        row("opencode countdown in hours", "opencode", 429, "", "", "monthly usage limit reached, reset in 5 hours",
            "quota_exhausted connection 18000000");
        row("opencode without countdown", "opencode-zen", 429, "", "", "monthly usage limit reached", "");
        row("opencode, countdown of 0", "opencode-zen", 429, "", "", "monthly usage limit reached, resets in 0 days", "");
        row("opencode, the second countdown", "opencode-cli", 429, "", "",
            "monthly usage limit reached: resets in may, resets in 30 seconds", "quota_exhausted connection 30000");
        row("opencode requests header", "opencode-cli", 429, "x-ratelimit-remaining-requests", "0", "",
            "quota_exhausted connection ladder");
        row("opencode tokens header", "opencode-go", 429, "x-ratelimit-remaining-tokens", " 0 ", "", "quota_exhausted connection ladder");
        row("opencode header not 0", "opencode-go", 429, "x-ratelimit-remaining-tokens", "00", "", "");
        row("opencode code", "opencode-go", 429, "", "", "plan_limit_reached", "quota_exhausted connection ladder");
        row("opencode plain", "opencode-go", 429, "", "", "slow down", "");
        row("cloudflare", "cloudflare-ai", 429, "", "", "used your daily free allocation", "quota_exhausted connection ladder");
        row("openrouter", "openrouter", 402, "", "", "", "quota_exhausted connection 120000");
        row("openrouter, another status", "openrouter", 429, "", "", "", "");
        row("agentrouter 429", "agentrouter", 429, "", "", "用户额度不足", "quota_exhausted connection ladder");
        row("agentrouter 403", "AGENTROUTER", 403, "", "", "额度不足", "quota_exhausted connection ladder");
        row("agentrouter model", "agentrouter", 403, "", "", "无权访问模型", "auth_error model 21600000");
        row("agentrouter model, another status", "agentrouter", 429, "", "", "无权访问模型", "");
        row("a 400 never reaches them", "agentrouter", 400, "", "", "额度不足", "");
        row("no provider", "", 429, "", "", "额度不足", "");
        row("another provider", "openai", 429, "x-ratelimit-remaining-requests", "0", "额度不足", "");
    }

    void builtIn()
    {
        QFETCH(QString, provider);
        QFETCH(int, status);
        QFETCH(QByteArray, header);
        QFETCH(QByteArray, value);
        QFETCH(QString, text);
        QFETCH(QByteArray, expected);
        const HeaderFields headers = {{header.toStdString(), value.toStdString()}};
        const std::optional<RuleMatch> match = builtInRule(provider.toStdString(), status, &headers, text.toStdString());
        QByteArray found;
        if (match)
            found = named(match->reason) + ' ' + named(match->scope) + ' ' +
                    (match->cooldown ? QByteArray::number(qlonglong(match->cooldown->count())) : QByteArray("ladder"));
        QCOMPARE(found, expected);
    }

    void allowLists()
    {
        QVERIFY(rulesSeeFullText("agentrouter", false) && rulesSettleScope("agentrouter", false));
        for (const char* other : {"openai", "opencode-zen", "minimax", "openrouter", ""}) {
            QVERIFY2(!rulesSeeFullText(other, false) && !rulesSettleScope(other, false), other);
            QVERIFY2(rulesSeeFullText(other, true) && rulesSettleScope(other, true), other);
        }
    }

    void egress_data()
    {
        QTest::addColumn<QByteArray>("environment");
        QTest::addColumn<QByteArray>("providers");
        QTest::newRow("unset") << QByteArray("-") << QByteArray("opencode opencode-go opencode-cli");
        QTest::newRow("empty") << QByteArray("  ") << QByteArray("opencode opencode-go opencode-cli");
        for (const char* off : {"none", "OFF", " false ", "0"})
            QTest::newRow(off) << QByteArray(off) << QByteArray();
        QTest::newRow("a list replaces") << QByteArray("Acme, ,zeta") << QByteArray("acme zeta");
    }

    void egress()
    {
        QFETCH(QByteArray, environment);
        QFETCH(QByteArray, providers);
        const std::string value = environment.toStdString();
        QByteArray joined;
        for (const std::string& name : egressBucketedProviders(value == "-" ? std::nullopt : std::optional<std::string_view>(value)))
            joined += (joined.isEmpty() ? "" : " ") + QByteArray::fromStdString(name);
        QCOMPARE(joined, providers);
    }

    void egressOfOneProvider()
    {
        QVERIFY(isEgressBucketed("opencode") && isEgressBucketed("opencode-go") && isEgressBucketed("OPENCODE-CLI"));
        QVERIFY2(isEgressBucketed("opencode-zen"), "the catalogue's name for opencode");
        QVERIFY(!isEgressBucketed("openai") && !isEgressBucketed(""));
    }

    void verdict_data()
    {
        QTest::addColumn<VerdictCase>("given");
        const auto row = [](const char* name, VerdictCase given) { QTest::newRow(name) << given; };

        row("V100 the scope only tells where it is not listed", {.status = 429,
                                                                 .provider = "minimax",
                                                                 .headers = {{"x-model-quota-remaining", "haiku=0,sonnet=42"}},
                                                                 .cooldown = 3'000,
                                                                 .newLevel = 1,
                                                                 .reason = QuotaExhausted,
                                                                 .scope = Scope::Connection});
        row("V101 opencode by the quota words", {.status = 429,
                                                 .body = "Monthly usage limit reached. Resets in 13 days",
                                                 .provider = "opencode-go",
                                                 .perModelQuota = true,
                                                 .cooldown = 1'123'200'000,
                                                 .reason = QuotaExhausted,
                                                 .scope = Scope::Connection});
        row("V101 without a countdown it is an hour", {.status = 429,
                                                       .body = "Monthly usage limit reached",
                                                       .provider = "opencode-go",
                                                       .perModelQuota = true,
                                                       .cooldown = 3'600'000,
                                                       .reason = QuotaExhausted,
                                                       .scope = Scope::Connection});
        row("row 21 opencode endpoint", {.status = 429,
                                         .body = "Endpoint is unavailable",
                                         .provider = "opencode-zen",
                                         .perModelQuota = true,
                                         .cooldown = 300'000,
                                         .newLevel = 0,
                                         .reason = ModelCapacity,
                                         .scope = Scope::Model,
                                         .ruleScope = RuleScope::Model,
                                         .lock = 300'000,
                                         .lockReason = ModelCapacity});
        row("row 27.1 opencode model", {.status = 400,
                                        .body = json("{'error':{'message':'Upstream request failed: Model is unavailable.'}}"),
                                        .provider = "opencode-zen",
                                        .perModelQuota = true,
                                        .cooldown = 3'600'000,
                                        .newLevel = 0,
                                        .reason = ModelCapacity,
                                        .scope = Scope::Model,
                                        .ruleScope = RuleScope::Model,
                                        .lock = 3'600'000,
                                        .lockReason = ModelCapacity});
        row("row 27.1 elsewhere the request is at fault",
            {.status = 400, .body = "Upstream request failed: model is unavailable.", .next = false, .reason = BadRequest});
        row("openrouter 402 locks the model", {.status = 402,
                                               .provider = "openrouter",
                                               .perModelQuota = true,
                                               .cooldown = 120'000,
                                               .reason = QuotaExhausted,
                                               .scope = Scope::Model,
                                               .lockReason = Credits});
        row("cloudflare until midnight, UTC", {.status = 429,
                                               .body = "you have used up your daily free allocation of 10,000 neurons",
                                               .provider = "cloudflare-ai",
                                               .cooldown = kUpToADay,
                                               .reason = QuotaExhausted,
                                               .daily = true});
        row("agentrouter with cooling off leaves it to the model", {.status = 429,
                                                                    .body = "用户额度不足",
                                                                    .provider = "agentrouter",
                                                                    .perModelQuota = true,
                                                                    .coolingDisabled = true,
                                                                    .cooldown = 3'000,
                                                                    .newLevel = 1,
                                                                    .reason = QuotaExhausted,
                                                                    .scope = Scope::Model,
                                                                    .ruleScope = RuleScope::Connection,
                                                                    .lock = kNoChange,
                                                                    .lockReason = QuotaExhausted});
    }

    void verdict()
    {
        QFETCH(VerdictCase, given);
        given.check();
    }
};

OMNI_TEST(ProviderRulesTest)
#include "provider_rules_test.moc"
