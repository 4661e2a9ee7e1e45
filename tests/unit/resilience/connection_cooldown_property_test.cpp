#include "program/test_program.h"
#include "unit/resilience/cooldown_fixture.h"

#include <QTest>

#include <algorithm>
#include <chrono>

using namespace omni;
using namespace std::chrono_literals;

class ConnectionCooldownPropertyTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void randomHistories_data()
    {
        QTest::addColumn<quint64>("seed");
        for (const quint64 seed : {31U, 32U, 33U})
            QTest::addRow("seed %d", int(seed)) << seed;
    }

    /// Whatever happens: terminal stays, a failure never shortens a hold, no hold outlives its length, and all end by themselves.
    void randomHistories()
    {
        QFETCH(quint64, seed);
        SimulatedRandom chance(seed);
        CooldownBench bench;
        MonoTime freeAt{};
        int holds = 0;
        int terminals = 0;
        for (int event = 0; event < 200'000; ++event) {
            const std::uint64_t what = chance.below(100);
            if (what < 50) {
                Judgement judgement;
                switch (chance.below(8)) {
                case 0: judgement = stated(Millis(chance.below(700'000))); break;
                case 1: judgement = keyRefused(); break;
                case 2:
                    judgement.requestRejected = true;
                    judgement.reason = FailureReason::RequestRejected;
                    break;
                case 3:
                    judgement = ladder(96s, 5, FailureReason::QuotaExhausted);
                    if (chance.below(2) == 0)
                        judgement.quotaReset = Millis(1 + chance.below(200'000));
                    break;
                case 4:
                    if (chance.below(50) == 0)
                        judgement = terminal(TerminalState::Banned);
                    break;
                default: judgement = ladder(Millis(3'000 * (1 << chance.below(6))), int(chance.below(6))); break;
                }
                const bool outdated = chance.below(3) == 0;
                bench.coolingDisabled = chance.below(10) == 0;
                const ConnectionHealth old = bench.health();
                const Millis before = bench.left();
                bench.apply(judgement, outdated);
                const ConnectionHealth& fresh = bench.connection.health();
                QVERIFY(!bench.last.permanent || (fresh.terminal == TerminalState::Banned && old.terminal == TerminalState::None));
                if (old.terminal != TerminalState::None)
                    QVERIFY(fresh == old);
                else if (fresh.terminal == TerminalState::None)
                    QVERIFY2(bench.left() >= before, "a failure shortened a hold");
                else
                    ++terminals;
                if (bench.left() > before) {
                    ++holds;
                    QVERIFY(bench.left() <= std::max({judgement.cooldown, Millis(20min)}));
                    if (judgement.quotaReset)
                        QVERIFY(bench.left() <= *judgement.quotaReset + 5s);
                    freeAt = bench.clock.mono() + bench.left();
                }
            } else if (what < 60) {
                bench.connection.recordSuccess(chance.below(2) == 0, bench.now());
            } else if (what < 95) {
                bench.clock.advance(Millis(chance.below(30'000)));
            } else if (what < 98) {
                bench.clock.jumpWall(Millis(static_cast<std::int64_t>(chance.below(600'000)) - 400'000));
            } else if (what == 98) {
                CooldownBench restarted;
                restarted.clock = bench.clock;
                restarted.connection.restore(bench.health(), restarted.now());
                // Deadlines are kept to the second.
                QVERIFY(restarted.left() <= bench.left() + 1s);
                bench.connection = restarted.connection;
                freeAt += 1s;
            } else if (bench.connection.health().terminal != TerminalState::None && chance.below(10) == 0) {
                bench.connection.clearAll();
            }
            if (bench.left() > Millis(0))
                QVERIFY2(bench.clock.mono() + bench.left() <= freeAt, "a hold outlives its length");
        }
        QVERIFY(holds > 1'000 && terminals > 10);
        bench.connection.clearAll();
        bench.apply(stated(1h));
        bench.clock.advance(1h);
        QVERIFY(!bench.health().coolingUntil);
    }
};

OMNI_TEST(ConnectionCooldownPropertyTest)
#include "connection_cooldown_property_test.moc"
