#include "program/test_program.h"
#include "unit/resilience/resilience_fixture.h"

#include <QTest>

using namespace omni;
using namespace std::chrono_literals;

namespace {

/// Another connection of the bench's provider.
Connection sibling(const EngineBench& bench, const char* id, const char* proxy = "")
{
    Connection other = bench.connection;
    other.id = ConnectionId(id);
    other.proxyUrl = proxy;
    return other;
}

ResilienceSettings withLockouts()
{
    ResilienceSettings settings;
    settings.modelLockout.enabled = true;
    return settings;
}

}  // namespace

/// What the engine makes of failures that are about a model, an address or a whole provider (guide §1, §3, §7).
class EngineLockoutsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aMissingModelIsLockedAlone()
    {
        EngineBench bench;
        const Verdict verdict = bench.fail(404, "model_not_found");
        QVERIFY(verdict.tryNextTarget);
        QVERIFY(verdict.modelLocked);
        QVERIFY(verdict.cooldown > 0ms);
        const Eligibility held = bench.engine.eligible(bench.target());
        QCOMPARE(named(held.reason), named(Exclusion::ModelLockout));
        QCOMPARE(held.remaining, verdict.cooldown);
        bench.model = "gpt-4o-mini";
        QVERIFY(bool(bench.engine.eligible(bench.target())));
        QVERIFY(!bench.health().coolingUntil);
        QCOMPARE(bench.observer.lockouts.size(), std::size_t(1));
        QVERIFY(bench.observer.lockouts[0].evidence.has_value());
        QCOMPARE(bench.observer.lockouts[0].evidence->status, 404);
    }

    void switchedOffOnlyEvidenceOfAModelLocks_data()
    {
        QTest::addColumn<bool>("enabled");
        QTest::addColumn<bool>("perModelQuota");
        QTest::addColumn<int>("status");
        QTest::addColumn<bool>("locks");
        QTest::newRow("off: 503 of an account with one quota") << false << false << 503 << false;
        QTest::newRow("off: 429 of an account with one quota") << false << false << 429 << false;
        QTest::newRow("off: 429 where quota is by model") << false << true << 429 << true;
        QTest::newRow("off: 503 where quota is by model") << false << true << 503 << true;
        QTest::newRow("on: 503") << true << false << 503 << true;
        QTest::newRow("on: 429") << true << false << 429 << true;
        QTest::newRow("on: 500 is not among the codes") << true << false << 500 << false;
        QTest::newRow("on: 400 is the request's fault") << true << false << 400 << false;
        QTest::newRow("on: 401 is the account's") << true << false << 401 << false;
    }

    void switchedOffOnlyEvidenceOfAModelLocks()
    {
        QFETCH(bool, enabled);
        QFETCH(bool, perModelQuota);
        QFETCH(int, status);
        QFETCH(bool, locks);
        EngineBench bench;
        if (enabled)
            bench.engine.applySettings(withLockouts());
        bench.perModelQuota = perModelQuota;
        bench.fail(status, "no");
        QCOMPARE(bench.engine.lockouts().size(), std::size_t(locks ? 1 : 0));
    }

    void theOperatorsLadder()
    {
        EngineBench bench;
        bench.engine.applySettings(withLockouts());
        bench.perModelQuota = true;
        for (const int seconds : {120, 240, 480, 960, 1800, 1800}) {
            QCOMPARE(bench.fail(429, "slow down").cooldown, Millis(seconds * 1000));
            bench.advance(Millis(seconds * 1000 + 1000));
        }
    }

    void aConcurrencyLimitLocksNoModel()
    {
        EngineBench bench;
        bench.engine.applySettings(withLockouts());
        bench.perModelQuota = true;
        QCOMPARE(bench.fail(429, "too many concurrent requests").cooldown, Millis(1'000));
        QVERIFY(bench.engine.lockouts().empty());
        QCOMPARE(named(bench.engine.eligible(bench.target()).reason), named(Exclusion::ConnectionCooldown));
    }

    void row136AnOpenBreakerNeedsNoLock()
    {
        EngineBench bench;
        bench.perModelQuota = true;
        bench.providerClass = ProviderClass::Local;
        const Permit early = bench.engine.acquire(bench.target());
        for (int i = 0; i < 2; ++i) {
            bench.model = "m" + std::to_string(i);
            bench.fail(503, "down");
            bench.advance(6s);
        }
        QCOMPARE(named(bench.breaker().state), named(BreakerState::Open));
        const std::size_t before = bench.engine.lockouts().size();
        bench.model = "late";
        bench.engine.recordFailure(bench.target(), early, bench.failure(503, "down"));
        QCOMPARE(bench.engine.lockouts().size(), before);
    }

    void successesDecayTheCountAndEndTheLock()
    {
        EngineBench bench;
        bench.engine.applySettings(withLockouts());
        bench.perModelQuota = true;
        for (int i = 0; i < 2; ++i) {
            const Verdict verdict = bench.fail(429, "slow down");
            bench.advance(verdict.cooldown + 1s);
        }
        const Permit permit = bench.engine.acquire(bench.target());
        bench.engine.recordSuccess(bench.target(), permit);
        bench.engine.recordSuccess(bench.target(), permit);
        QCOMPARE(bench.fail(429, "slow down").cooldown, Millis(120'000));
    }

    void theParallelFailuresOfOneMomentAreOneStep()
    {
        EngineBench bench;
        bench.engine.applySettings(withLockouts());
        bench.perModelQuota = true;
        std::vector<Permit> permits;
        for (int i = 0; i < 10; ++i)
            permits.push_back(bench.engine.acquire(bench.target()));
        for (const Permit& permit : permits)
            bench.engine.recordFailure(bench.target(), permit, bench.failure(429, "slow down"));
        QCOMPARE(bench.engine.lockouts().at(0).failureCount, 1);
        QCOMPARE(bench.engine.lockouts().at(0).remaining, Millis(120'000));
    }

    void anOperatorEndsLocks()
    {
        EngineBench bench;
        bench.fail(404, "model_not_found");
        QCOMPARE(bench.engine.clearLockouts(bench.provider, bench.connection.id, bench.model), 1);
        QVERIFY(bool(bench.engine.eligible(bench.target())));
        bench.fail(404, "model_not_found");
        const Engine::Cleared cleared = bench.engine.clearCooldowns({bench.connection.id});
        QCOMPARE(cleared.cleared, 1);
        QCOMPARE(cleared.lockoutsCleared, 1);
        bench.fail(404, "model_not_found");
        QCOMPARE(bench.engine.clearAllLockouts(), 1);
        bench.fail(404, "model_not_found");
        bench.engine.credentialChanged(bench.connection.id);
        QVERIFY(bench.engine.lockouts().empty());
        QCOMPARE(bench.observer.lockouts.back().remaining, 0ms);
    }

    void whatEndsByItselfIsTold()
    {
        EngineBench bench;
        const Verdict verdict = bench.fail(404, "model_not_found");
        QVERIFY(bench.engine.nextChange() <= bench.clock.wall() + verdict.cooldown + 1ms);
        bench.advance(verdict.cooldown + 1s);
        bench.observer.clear();
        bench.engine.refresh();
        QCOMPARE(bench.observer.lockouts.size(), std::size_t(1));
        QCOMPARE(bench.observer.lockouts[0].remaining, 0ms);
        QVERIFY(bench.engine.nextChange() == WallTime::max());
    }

    void whoSharesTheAddressIsCooledToo()
    {
        EngineBench bench;
        bench.provider = ProviderId("opencode-go");
        bench.connection.provider = bench.provider;
        const Connection neighbour = sibling(bench, "c2");
        const Connection elsewhere = sibling(bench, "c3", "http://127.0.0.1:3128");
        Connection steadfast = sibling(bench, "c4");
        steadfast.disableCooling = true;
        for (const Connection* other : std::initializer_list<const Connection*>{&neighbour, &elsewhere, &steadfast})
            bench.engine.recordSuccess(bench.targetOf(*other), bench.engine.acquire(bench.targetOf(*other)));
        bench.fail(429, "Rate limit exceeded");
        QCOMPARE(named(bench.engine.eligible(bench.target()).reason), named(Exclusion::ConnectionCooldown));
        QCOMPARE(named(bench.engine.eligible(bench.targetOf(neighbour)).reason), named(Exclusion::ConnectionCooldown));
        QVERIFY(bool(bench.engine.eligible(bench.targetOf(elsewhere))));
        QVERIFY(bool(bench.engine.eligible(bench.targetOf(steadfast))));
        QVERIFY(bench.engine.health(neighbour.id).lastError.find("Shares its address") != std::string::npos);
        QCOMPARE(bench.engine.health(neighbour.id).backoffLevel, 0);
    }

    void whoSharedTheAddressADayAgoIsNot()
    {
        EngineBench bench;
        bench.provider = ProviderId("opencode-go");
        const Connection neighbour = sibling(bench, "c2");
        bench.engine.recordSuccess(bench.targetOf(neighbour), bench.engine.acquire(bench.targetOf(neighbour)));
        bench.advance(24h + 1s);
        bench.fail(429, "Rate limit exceeded");
        QVERIFY(bool(bench.engine.eligible(bench.targetOf(neighbour))));
    }

    void aRuleOfTheOperatorHoldsAWholeProvider()
    {
        EngineBench bench;
        ResilienceSettings settings;
        settings.providerErrorRules = {
            {"openai", 503, "scheduled maintenance", RuleScope::Provider, FailureReason::ServerError, Millis(90'000)}};
        bench.engine.applySettings(settings);
        const Connection other = sibling(bench, "c2");
        bench.fail(503, "Scheduled Maintenance until noon");
        const Eligibility held = bench.engine.eligible(bench.targetOf(other));
        QCOMPARE(named(held.reason), named(Exclusion::ProviderCooldown));
        QCOMPARE(held.remaining, Millis(90'000));
        QCOMPARE(bench.engine.providerCooldowns().size(), std::size_t(1));
        bench.engine.resetBreakers(bench.provider);
        QVERIFY(bool(bench.engine.eligible(bench.targetOf(other))));
    }

    void theProviderCooldownIsAskedForCombosOnly()
    {
        EngineBench bench;
        ResilienceSettings settings;
        settings.providerCooldown.enabled = true;
        bench.engine.applySettings(settings);
        bench.connection.disableCooling = true;
        bench.fail(503, "down");
        EngineTarget combo = bench.target();
        QVERIFY(bool(bench.engine.eligible(combo)));
        combo.ofCombo = true;
        const Eligibility held = bench.engine.eligible(combo);
        QCOMPARE(named(held.reason), named(Exclusion::ProviderCooldown));
        QCOMPARE(held.remaining, Millis(5'000));
        QVERIFY(bench.observer.providerCooldownChanges > 0);
        bench.engine.recordSuccess(bench.target(), bench.engine.acquire(bench.target()));
        QVERIFY(bool(bench.engine.eligible(combo)));
    }

    void aBannedConnectionIsSwitchedOffWhereWanted_data()
    {
        QTest::addColumn<bool>("enabled");
        QTest::addColumn<bool>("subscriptionsOnly");
        QTest::addColumn<bool>("oauth");
        QTest::addColumn<bool>("wanted");
        QTest::newRow("off") << false << false << true << false;
        QTest::newRow("all, key") << true << false << false << true;
        QTest::newRow("all, subscription") << true << false << true << true;
        QTest::newRow("subscriptions, key") << true << true << false << false;
        QTest::newRow("subscriptions, subscription") << true << true << true << true;
    }

    void aBannedConnectionIsSwitchedOffWhereWanted()
    {
        QFETCH(bool, enabled);
        QFETCH(bool, subscriptionsOnly);
        QFETCH(bool, oauth);
        QFETCH(bool, wanted);
        EngineBench bench;
        ResilienceSettings settings;
        settings.autoDisableBanned.enabled = enabled;
        settings.autoDisableBanned.scope = subscriptionsOnly ? AutoDisableScope::Subscription : AutoDisableScope::All;
        bench.engine.applySettings(settings);
        bench.providerClass = oauth ? ProviderClass::OAuth : ProviderClass::ApiKey;
        bench.fail(403, "your account has been suspended");
        QCOMPARE(named(bench.health().terminal), named(TerminalState::Banned));
        bench.fail(403, "your account has been suspended");
        QCOMPARE(bench.observer.disabled.size(), std::size_t(wanted ? 1 : 0));
    }

    void theOperatorsBanWords()
    {
        EngineBench bench;
        ResilienceSettings settings;
        settings.customBannedSignals = {"seat revoked"};
        bench.engine.applySettings(settings);
        bench.fail(403, "Your SEAT REVOKED by the owner");
        QCOMPARE(named(bench.health().terminal), named(TerminalState::Banned));
    }

    void restatedStatusReachesTheClient()
    {
        EngineBench bench;
        bench.provider = ProviderId("agentrouter");
        const std::string body = json("{'error':{'message':'用户额度不足'}}");
        const Verdict verdict = bench.fail(403, body);
        QCOMPARE(verdict.status, 429);
        QCOMPARE(*verdict.retryAfter, Millis(60'000));
        Failure inside = bench.failure(403, body);
        inside.insideOk = true;
        QCOMPARE(bench.fail(inside).status, 403);
    }

    void testsDoNotMarkUnlessTheSettingSaysSo()
    {
        EngineBench bench;
        bench.engine.recordTest(bench.target(), bench.failure(403, "your account has been suspended"));
        QCOMPARE(named(bench.health().terminal), named(TerminalState::None));
        ResilienceSettings settings;
        settings.probeCanDisable = true;
        bench.engine.applySettings(settings);
        bench.engine.recordTest(bench.target(), bench.failure(403, "your account has been suspended"));
        QCOMPARE(named(bench.health().terminal), named(TerminalState::Banned));
    }

    void aTooLongPromptIsToldAsSuch()
    {
        EngineBench bench;
        const Verdict verdict = bench.fail(400, "prompt is too long");
        QVERIFY(verdict.tryNextTarget);
        QVERIFY(verdict.contextOverflow);
        QVERIFY(bool(bench.engine.eligible(bench.target())));
    }
};

OMNI_TEST(EngineLockoutsTest)
#include "engine_lockouts_test.moc"
