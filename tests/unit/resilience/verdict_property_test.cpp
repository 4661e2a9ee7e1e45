#include "program/test_program.h"
#include "resilience/provider_faults.h"
#include "unit/resilience/verdict_bench.h"

using namespace omni;

/// What holds for every verdict, over answers put together by chance from the words that the tables know.
class VerdictPropertyTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void invariants_data()
    {
        QTest::addColumn<quint64>("seed");
        for (quint64 seed = 1; seed <= 8; ++seed)
            QTest::addRow("seed %llu", static_cast<unsigned long long>(seed)) << seed;
    }

    void invariants()
    {
        QFETCH(quint64, seed);
        SimulatedRandom random(seed);
        FailureJudge judge(random);
        for (int i = 0; i < 2'000; ++i) {
            const VerdictCase given = anyCase(random);
            const Judgement judgement = given.judged(judge);
            check(given, judgement);
            if (QTest::currentTestFailed()) {
                qWarning("round %d: %s, HTTP %d, %s", i, given.provider.c_str(), given.status, given.body.c_str());
                return;
            }
        }
    }

private:
    template <typename T>
    static const T& pick(const std::vector<T>& from, Random& random)
    {
        return from[random.below(from.size())];
    }

    static VerdictCase anyCase(Random& random)
    {
        static const std::vector<int> statuses = {400, 401, 402, 403, 404, 408, 409, 410, 413, 418, 422, 429, 429, 429, 431,
                                                  432, 499, 500, 501, 502, 503, 504, 529};
        static const std::vector<std::string> providers = {"openai", "claude", "codex", "gemini", "antigravity", "agentrouter", "groq",
                                                           "opencode-go", "openrouter", "minimax", "nvidia", "acme", ""};
        static const std::vector<std::string> words = {
            "daily quota", "rate limit", "resets in 2h7m", "额度不足", "无权访问模型", "too many concurrent requests", "out of credits",
            "account_deactivated", "model", "not found", "does not support", "prompt is too long", "tokens per minute", "gpt-4o",
            "overloaded", "weekly limit reached", "24-hour quota", "invalid api key", "Request not allowed", "busy", "seat revoked",
            "endpoint is unavailable", "the endpoint has moved", "per day", "generativelanguage.googleapis.com", "_requests", "\n", "{",
            "\\u"};
        static const std::vector<std::pair<std::string, std::string>> headers = {
            {"retry-after", "120"}, {"retry-after", "-5"}, {"retry-after", "0"}, {"x-ratelimit-reset", epochSecondsIn(7'200)},
            {"x-should-retry", "true"}, {"x-model-quota-remaining", "a=0"}, {"x-omni-fallback-hint", "connection_cooldown"}};
        VerdictCase given;
        given.status = pick(statuses, random);
        given.provider = pick(providers, random);
        given.providerClass = pick<ProviderClass>({ProviderClass::ApiKey, ProviderClass::OAuth, ProviderClass::Local}, random);
        given.perModelQuota = random.below(2) == 1;
        given.coolingDisabled = random.below(4) == 0;
        given.afterCommit = random.below(6) == 0;
        given.insideOk = random.below(4) == 0;
        given.level = static_cast<int>(random.below(12));
        for (std::uint64_t n = random.below(7); n > 0; --n)
            given.body += pick(words, random) + ' ';
        if (random.below(2) == 1)
            given.body = json("{'error':{'message':'") + given.body + json("','type':'x'}}");
        if (random.below(3) == 0)
            given.headers.push_back(pick(headers, random));
        if (random.below(2) == 1) {
            given.settings.customBannedSignals = {"Seat Revoked"};
            given.settings.providerErrorRules = {
                {"acme", given.status, "busy", pick<RuleScope>({RuleScope::Model, RuleScope::Connection, RuleScope::Provider}, random),
                 FailureReason::QuotaExhausted, random.below(2) == 1 ? std::optional(Millis(60'000)) : std::nullopt}};
        }
        return given;
    }

    static void check(const VerdictCase& given, const Judgement& judgement)
    {
        using Scope = Judgement::Scope;
        QVERIFY(!judgement.rule.empty() && !judgement.message.empty());
        QVERIFY(judgement.message.find('\n') == std::string::npos);
        QVERIFY(judgement.cooldown >= Millis(0) && judgement.cooldown <= std::chrono::hours(24 * 365));
        QVERIFY2(judgement.tryNextTarget || judgement.scope == Scope::Request, "a fault of the request touches nothing else");
        QVERIFY2((judgement.terminal == TerminalState::Banned) >= judgement.permanent, "permanent means banned");
        QVERIFY2(judgement.terminal == TerminalState::None || judgement.scope == Scope::Connection, "only an account has an end");
        QVERIFY2(!judgement.ownEnd || judgement.terminal == TerminalState::None, "what comes back by itself has no end");
        QVERIFY2(!(judgement.ownEnd && judgement.keyRefused), "nor does its key");
        QVERIFY2(!judgement.modelLock || *judgement.modelLock >= Millis(0), "a lock is never shorter than nothing");
        QVERIFY2(!judgement.modelLockAuthoritative || (judgement.modelLock && judgement.hint), "exact only by what was stated");
        QVERIFY2(judgement.scope != Scope::Model || judgement.lockReason != FailureReason::Unknown, "a lock says why");
        QVERIFY2(judgement.reason != FailureReason::ConcurrencyLimited || (judgement.scope == Scope::Connection && !judgement.newLevel),
                 "a busy account keeps its level");
        QVERIFY2(!judgement.contextOverflow || (judgement.tryNextTarget && judgement.scope == Scope::Request), "a larger window is tried");
        QVERIFY2(!judgement.locksEgress || (given.status == 429 && !given.coolingDisabled), "egress locks are for 429");
        QVERIFY2(!judgement.restatedStatus || (!given.insideOk && !given.afterCommit && judgement.restatedRetryAfter > Millis(0)),
                 "only a real status is restated");
        QVERIFY2(!judgement.countsOnBreaker || isTripStatus(judgement.restatedStatus.value_or(given.status)), "guide §1");
        QVERIFY2(!judgement.newLevel || (*judgement.newLevel >= 0 && *judgement.newLevel <= 32), "a step of the ladder");
    }
};

OMNI_TEST(VerdictPropertyTest)
#include "verdict_property_test.moc"
