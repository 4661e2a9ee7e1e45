#include "program/test_program.h"
#include "support/sandboxed_proxy.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

using namespace omni;
using namespace omni::test;
using nlohmann::json;

/// What is held after a failure, as the next request of a client meets it: the whole proxy on loopback, the scripted upstream in the
/// test's own thread.
class HoldsTest : public SandboxedProxy {
    Q_OBJECT

    EngineSnapshot snapshot()
    {
        return m_fixture->read<EngineSnapshot>([](Control& control) { return control.engineSnapshot(); });
    }

    void addCombo(const std::string& name, const std::vector<std::pair<std::string, std::string>>& steps)
    {
        const auto saved = m_fixture->ask<Combo>([&](Control& control, Reply<Combo> reply) {
            Combo combo;
            combo.name = name;
            for (const auto& [prefix, model] : steps) {
                const auto& nodes = control.configuration()->nodes;
                const auto node = std::find_if(nodes.begin(), nodes.end(), [&wanted = prefix](const ProviderNode& one) { return one.prefix == wanted; });
                combo.targets.push_back({std::to_string(combo.targets.size() + 1), node == nodes.end() ? ProviderId(prefix) : node->id, model,
                                         std::nullopt, ""});
            }
            control.saveCombo(combo, reply);
        });
        QVERIFY2(saved.ok(), saved.ok() ? "" : describe(saved.error()).c_str());
    }

private Q_SLOTS:
    void init()
    {
        const std::string failed = startAll();
        QVERIFY2(failed.empty(), failed.c_str());
        m_fixture->addUpstream("own", m_upstream->baseUrl(), "sk-own");
        m_fixture->addUpstream("spare", m_upstream->baseUrl(), "sk-spare");
    }

    void cleanup() { stopAll(); }

    void theNextRequestIsToldWhy_data()
    {
        QTest::addColumn<QByteArray>("model");
        QTest::addColumn<QByteArray>("reason");
        QTest::addColumn<int>("status");
        QTest::addColumn<int>("least");  ///< of Retry-After, s; 0 = none
        QTest::addColumn<int>("most");
        QTest::newRow("connection cooldown") << QByteArray("sandbox/rate-limited?seconds=30") << QByteArray("connection_cooldown") << 503 << 25 << 31;
        QTest::newRow("lock of a missing model") << QByteArray("own/404-model") << QByteArray("model_lockout") << 503 << 1 << 3600;
        // A server on this machine is of the local class, which climbs its own ladder whatever it asks for.
        QTest::newRow("lock where quota is by model") << QByteArray("own/rate-limited?seconds=300") << QByteArray("model_lockout") << 503 << 1 << 3;
        QTest::newRow("credits gone") << QByteArray("sandbox/402") << QByteArray("credits_exhausted") << 404 << 0 << 0;
        QTest::newRow("key refused") << QByteArray("sandbox/401") << QByteArray("expired") << 503 << 290 << 301;
        QTest::newRow("too many at once") << QByteArray("sandbox/concurrency") << QByteArray("connection_cooldown") << 503 << 1 << 1;
    }

    void theNextRequestIsToldWhy()
    {
        QFETCH(QByteArray, model);
        QFETCH(QByteArray, reason);
        QFETCH(int, status);
        QFETCH(int, least);
        QFETCH(int, most);
        QVERIFY(chat(model.toStdString()).status >= 400);
        const HttpReply reply = chat(model.toStdString());
        QCOMPARE(reply.status, status);
        json answer = reply.json();
        QCOMPARE(answer["error"]["code"].get<std::string>(),
                 std::string(status == 503 ? "all_targets_cooling_down" : "no_executable_targets"));
        const json& excluded = answer["diagnostics"]["excluded"];
        QVERIFY2(excluded.is_array() && !excluded.empty(), reply.body.c_str());
        QCOMPARE(excluded[0]["reason"].get<std::string>(), reason.toStdString());
        if (least == 0) {
            QVERIFY(!reply.hasHeader("retry-after"));
            return;
        }
        const int wait = std::stoi(reply.header("retry-after"));
        QVERIFY2(wait >= least && wait <= most, reply.header("retry-after").c_str());
    }

    void otherModelsOfAConnectionStayInUse()
    {
        QCOMPARE(chat("own/404-model").status, 404);
        QCOMPARE(chat("own/ok").status, 200);
        QCOMPARE(snapshot().lockouts.size(), std::size_t(1));
    }

    void fiftyFailuresAtOnceAreOneStep()
    {
        // One connection, fifty requests let go before the first is refused: one mark, one step on the ladder (guide §2).
        std::vector<std::unique_ptr<HttpClient>> clients;
        for (int i = 0; i < 50; ++i) {
            clients.push_back(std::make_unique<HttpClient>(m_fixture->port()));
            QVERIFY(clients.back()->connectNow());
            clients.back()->sendRequest("POST", "/v1/chat/completions", {{"Content-Type", "application/json"}}, chatBody("sandbox/no-hint"));
        }
        int refused = 0;
        for (const auto& client : clients)
            refused += client->readReply().status == 429 ? 1 : 0;
        QVERIFY(refused > 0);
        const EngineSnapshot state = snapshot();
        QCOMPARE(state.healths.size(), std::size_t(1));
        QCOMPARE(state.healths[0].backoffLevel, 1);
        QVERIFY(*state.healths[0].coolingUntil - *state.healths[0].coolingSince <= Millis(3'000));
        for (const BreakerStatus& breaker : state.breakers)
            QCOMPARE(breaker.failureCount, 0);
    }

    void aTooLongPromptGoesToAnotherModel()
    {
        addCombo("windows", {{"own", "context-length"}, {"spare", "ok"}});
        const HttpReply reply = chat("windows");
        QCOMPARE(reply.status, 200);
        QCOMPARE(reply.header("x-omniroute-fallback-attempts"), std::string("1"));
        QVERIFY(snapshot().healths.empty() || !snapshot().healths[0].coolingUntil);
        // Where there is none, the upstream's own words go to the client.
        const HttpReply alone = chat("own/context-length");
        QCOMPARE(alone.status, 400);
        QVERIFY2(alone.body.find("context") != std::string::npos, alone.body.c_str());
    }

    void theProviderCooldownHoldsForCombos()
    {
        m_fixture->patchSettings("{\"resilience\":{\"providerCooldown\":{\"enabled\":true}}}");
        addCombo("pair", {{"own", "503"}, {"spare", "ok"}});
        QCOMPARE(chat("pair").status, 200);
        const std::size_t before = m_upstream->seen().size();
        m_upstream->recordRequests(true);
        const HttpReply second = chat("pair");
        QCOMPARE(second.status, 200);
        QVERIFY(!second.hasHeader("x-omniroute-fallback-attempts"));
        QVERIFY(m_upstream->seen().size() > before);
    }

    void aClearedHoldIsGoneForTheNextRequest()
    {
        QCOMPARE(chat("own/404-model").status, 404);
        QCOMPARE(chat("own/404-model").status, 503);
        const Engine::Cleared cleared = m_fixture->read<Engine::Cleared>([](Control& control) { return control.clearAllCooldowns(); });
        QCOMPARE(cleared.lockoutsCleared, 1);
        QCOMPARE(chat("own/404-model").status, 404);
    }

    void clearingAllAlsoFreesAProviderThatARuleHolds()
    {
        m_fixture->patchSettings("{\"providerErrorRules\":{\"sandbox\":[{\"status\":503,\"match\":\"as it was asked to\",\"scope\":\"provider\",\"cooldownMs\":60000}]}}");
        chat("sandbox/503");
        QCOMPARE(snapshot().providerCooldowns.size(), std::size_t(1));
        QCOMPARE(chat("sandbox/ok").status, 503);
        m_fixture->read<Engine::Cleared>([](Control& control) { return control.clearAllCooldowns(); });
        QVERIFY(snapshot().providerCooldowns.empty());
        QCOMPARE(chat("sandbox/ok").status, 200);
    }

    void aBannedConnectionIsSwitchedOffWhereWanted()
    {
        m_fixture->patchSettings("{\"customBannedSignals\":[\"As it was asked to\"],\"autoDisableBannedAccounts\":{\"enabled\":true,\"scope\":\"all\"}}");
        chat("sandbox/503");
        QCOMPARE(std::string(toString(snapshot().healths.at(0).terminal)), std::string("banned"));
        QTRY_VERIFY(m_fixture->read<bool>([](Control& control) {
            const auto& all = control.configuration()->connections;
            return std::any_of(all.begin(), all.end(), [](const Connection& one) { return one.provider == ProviderId("sandbox") && !one.enabled; });
        }));
    }
};

OMNI_TEST(HoldsTest)
#include "holds_test.moc"
