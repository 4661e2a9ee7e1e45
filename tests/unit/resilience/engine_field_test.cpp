#include "program/test_program.h"
#include "unit/resilience/resilience_fixture.h"

#include <QTest>

#include <chrono>
#include <set>

using namespace omni;
using namespace std::chrono_literals;

namespace {

/// `count` accounts of the bench's provider.
std::vector<Connection> pool(const EngineBench& bench, int count)
{
    std::vector<Connection> all(static_cast<std::size_t>(count), bench.connection);
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i].id = ConnectionId("pool-" + std::to_string(i));
    return all;
}

Verdict failOn(EngineBench& bench, const Connection& connection, int status, std::string_view body = {})
{
    const Permit permit = bench.engine.acquire(bench.targetOf(connection));
    return bench.engine.recordFailure(bench.targetOf(connection), permit, bench.failure(status, body));
}

void openBreaker(EngineBench& bench)
{
    bench.connection.disableCooling = true;
    for (int i = 0; i < 12; ++i) {
        bench.advance(5s);
        bench.fail(503);
    }
}

using Hold = void (*)(EngineBench&);

}  // namespace

Q_DECLARE_METATYPE(Hold)

/// Faults met in the field, as the engine meets them.
class EngineFieldTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void overloadIsNoRateLimit()
    {
        // F26, as ruled: 529 cools like a 503, whosever account it is, and neither the provider's breaker nor its window gate hears of it.
        EngineBench bench;
        EngineBench other;
        ResilienceSettings settings;
        settings.providerCooldown.enabled = true;
        bench.engine.applySettings(settings);
        const std::string body = json("{'type':'error','error':{'type':'overloaded_error','message':'Overloaded'}}");
        const std::vector<Connection> accounts = pool(bench, 10);
        for (const Connection& account : accounts) {
            const Verdict verdict = failOn(bench, account, 529, body);
            const Verdict like = failOn(other, account, 503);
            QVERIFY(verdict.tryNextTarget && !verdict.countsOnBreaker && like.countsOnBreaker);
            QCOMPARE(named(verdict.reason), named(FailureReason::Overloaded));
            QCOMPARE(verdict.cooldown, Millis(3'000));
            QCOMPARE(verdict.cooldown, like.cooldown);
            QCOMPARE(bench.engine.health(account.id).backoffLevel, other.engine.health(account.id).backoffLevel);
            QVERIFY(bench.engine.providerCooldowns().empty());
            bench.advance(6s);
            other.advance(6s);
        }
        QCOMPARE(bench.breaker().failureCount, 0);
        for (const Connection& account : accounts) {
            EngineTarget target = bench.targetOf(account);
            target.ofCombo = true;
            QVERIFY2(bool(bench.engine.eligible(target)), "the pool is back");
            bench.engine.recordSuccess(target, bench.engine.acquire(target));
            QCOMPARE(failOn(bench, account, 429).cooldown, Millis(3'000));
        }
    }

    void holdsEndByThemselves_data()
    {
        QTest::addColumn<Hold>("hold");
        QTest::addColumn<QByteArray>("reason");
        QTest::addColumn<bool>("probe");
        const auto row = [](const char* name, Hold hold, Exclusion reason, bool probe = false) {
            QTest::newRow(name) << hold << named(reason) << probe;
        };
        row("H16: cooldown by the ladder", [](EngineBench& bench) { bench.fail(502); }, Exclusion::ConnectionCooldown);
        row("H16: cooldown that was asked for",
            [](EngineBench& bench) {
                bench.headers = {{"retry-after", "600"}};
                bench.fail(429);
            },
            Exclusion::ConnectionCooldown);
        row("H16: quota of the day", [](EngineBench& bench) { bench.fail(429, "You have exceeded your daily quota"); },
            Exclusion::ConnectionCooldown);
        row("H16: key refused", [](EngineBench& bench) { bench.fail(401); }, Exclusion::Expired);
        row("H16: model locked", [](EngineBench& bench) { bench.fail(404, "model_not_found"); }, Exclusion::ModelLockout);
        row("H16: breaker open", openBreaker, Exclusion::CircuitOpen, true);
        row("H16: breaker open again after a failed probe",
            [](EngineBench& bench) {
                openBreaker(bench);
                bench.advance(30s);
                bench.fail(503);
            },
            Exclusion::CircuitOpen, true);
        row("H16: provider held by a rule",
            [](EngineBench& bench) {
                ResilienceSettings settings;
                settings.providerErrorRules = {
                    {"openai", 503, "maintenance", RuleScope::Provider, FailureReason::ServerError, Millis(90'000)}};
                bench.engine.applySettings(settings);
                bench.fail(503, "maintenance");
                bench.connection.id = ConnectionId("another");
            },
            Exclusion::ProviderCooldown);
    }

    /// Whatever holds a target for a time: at the end it has told, the next request is the probe; nobody has to switch anything on.
    void holdsEndByThemselves()
    {
        QFETCH(Hold, hold);
        QFETCH(QByteArray, reason);
        QFETCH(bool, probe);
        EngineBench bench;
        hold(bench);
        const Eligibility held = bench.engine.eligible(bench.target());
        QCOMPARE(named(held.reason), reason);
        QVERIFY(held.remaining > 0ms && held.until == bench.clock.wall() + held.remaining);
        // A model's lock is over when its last millisecond is.
        QVERIFY2(bench.engine.nextChange() <= held.until + 1ms, "no countdown would be told of its end");
        bench.advance(held.remaining - 1ms);
        QVERIFY(!bench.engine.acquire(bench.target()).granted);
        bench.advance(2ms);
        const Permit permit = bench.engine.acquire(bench.target());
        QVERIFY(permit.granted);
        QCOMPARE(permit.probe, probe);
        bench.engine.recordSuccess(bench.target(), permit);
        QVERIFY(bench.engine.acquire(bench.target()).granted);
        QCOMPARE(named(bench.breaker().state), named(BreakerState::Closed));
        QCOMPARE(bench.health().backoffLevel, 0);
    }

    void accountsOfADayComeBackOneByOne()
    {
        // H17: twenty accounts whose quota of the day is used up in the same instant wait for the same midnight.
        EngineBench bench;
        ResilienceSettings settings;
        settings.dailyReset = {"UTC", 0};
        bench.engine.applySettings(settings);
        const Millis midnight = 24h - bench.clock.wall().time_since_epoch() % 24h;
        std::set<Millis> ends;
        for (const Connection& account : pool(bench, 20)) {
            failOn(bench, account, 429, "You have exceeded your daily quota");
            const Millis wait = bench.engine.eligible(bench.targetOf(account)).remaining;
            QVERIFY2(wait >= midnight && wait < midnight + 5s, "not before the reset, nor long after it");
            ends.insert(wait);
        }
        QVERIFY2(ends.size() >= 15, "they come back together");
    }

    void aProviderThatIsBackMeetsOneRequest()
    {
        // H17: twenty requests at the end of one breaker's hold: one goes, the others go elsewhere until it has told how it went.
        EngineBench bench;
        openBreaker(bench);
        bench.advance(30s);
        const std::vector<Connection> accounts = pool(bench, 20);
        std::vector<Permit> granted;
        for (const Connection& account : accounts) {
            if (const Permit permit = bench.engine.acquire(bench.targetOf(account)); permit.granted)
                granted.push_back(permit);
        }
        QCOMPARE(granted.size(), std::size_t(1));
        bench.engine.recordSuccess(bench.targetOf(accounts[0]), granted[0]);
        for (const Connection& account : accounts)
            QVERIFY(bench.engine.acquire(bench.targetOf(account)).granted);
    }

    void aConnectionThatIsNotBackYetIsAskedOnce()
    {
        // H17: twenty at the end of a cooldown all go, and are refused again: one step of the ladder, not twenty.
        EngineBench bench;
        bench.fail(429);
        bench.advance(3s);
        std::vector<Permit> herd;
        for (int i = 0; i < 20; ++i)
            herd.push_back(bench.engine.acquire(bench.target()));
        for (const Permit& permit : herd) {
            QVERIFY(permit.granted);
            bench.engine.recordFailure(bench.target(), permit, bench.failure(429));
        }
        QCOMPARE(bench.health().backoffLevel, 2);
        QCOMPARE(bench.engine.eligible(bench.target()).remaining, Millis(6'000));
    }

    void aQuotaThatIsBackEarlyIsTakenBackByHand()
    {
        // H07: held for 156 hours by the upstream's own word; the quota is back after one, and clearing or a test by the user says so.
        for (const bool byTest : {false, true}) {
            EngineBench bench;
            bench.headers = {{"retry-after", std::to_string(156 * 3600)}};
            bench.fail(429);
            bench.advance(1h);
            QVERIFY(bench.engine.eligible(bench.target()).reason == Exclusion::ConnectionCooldown);
            QCOMPARE(bench.engine.eligible(bench.target()).remaining, Millis(155h));
            if (byTest)
                bench.engine.recordTest(bench.target(), std::nullopt);
            else
                QCOMPARE(bench.engine.clearCooldowns({bench.connection.id}).cleared, 1);
            QVERIFY(bench.engine.acquire(bench.target()).granted);
            QCOMPARE(bench.health().backoffLevel, 0);
        }
    }

    void refusingCostsNoBookkeeping()
    {
        // H23: a thousand requests while the whole pool cools: nothing is written, told or prolonged.
        EngineBench bench;
        const std::vector<Connection> accounts = pool(bench, 10);
        bench.headers = {{"retry-after", "600"}};
        for (const Connection& account : accounts)
            failOn(bench, account, 429);
        bench.observer.clear();
        const WallTime end = bench.engine.nextChange();
        for (int i = 0; i < 1'000; ++i) {
            for (const Connection& account : accounts) {
                QVERIFY(!bench.engine.eligible(bench.targetOf(account)));
                QVERIFY(!bench.engine.acquire(bench.targetOf(account)).granted);
            }
            bench.advance(500ms);
        }
        QCOMPARE(bench.observer.calls(), std::size_t(0));
        QCOMPARE(bench.engine.nextChange(), end);
        QCOMPARE(bench.engine.healths().size(), accounts.size());
        for (const Connection& account : accounts)
            QCOMPARE(bench.engine.health(account.id).backoffLevel, 0);
    }
};

OMNI_TEST(EngineFieldTest)
#include "engine_field_test.moc"
