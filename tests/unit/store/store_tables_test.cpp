#include "store_fixture.h"

#include "model/settings.h"
#include "program/test_program.h"

#include <QTest>

#include <nlohmann/json.hpp>

#include <algorithm>

using namespace omni;
using namespace omni::test;

namespace {

Evidence makeEvidence()
{
    Evidence evidence;
    evidence.at = fromEpochMillis(1'790'000'111'222);
    evidence.request = RequestId("0123456789abcdef");
    evidence.status = 429;
    evidence.header = "Retry-After: 120";
    evidence.bodyFragment = "{\"error\":\"বেশি অনুরোধ — too many\"}";
    evidence.rule = "429 with a header";
    evidence.source = HintSource::Header;
    evidence.length = Millis(120'000);
    return evidence;
}

/// Both hold the same, as far as it is configuration.
void compare(const Connection& a, const Connection& b)
{
    QCOMPARE(a.id.str(), b.id.str());
    QCOMPARE(a.provider.str(), b.provider.str());
    QCOMPARE(a.name, b.name);
    QCOMPARE(a.priority, b.priority);
    QCOMPARE(a.enabled, b.enabled);
    QCOMPARE(a.secretRef, b.secretRef);
    QCOMPARE(a.keyHint, b.keyHint);
    QCOMPARE(a.baseUrl, b.baseUrl);
    QCOMPARE(a.proxyUrl, b.proxyUrl);
    QCOMPARE(a.proxySecretRef, b.proxySecretRef);
    QCOMPARE(a.defaultModel, b.defaultModel);
    QVERIFY(a.models == b.models);
    QCOMPARE(a.disableCooling, b.disableCooling);
    QVERIFY(a.passthroughModels == b.passthroughModels);
    QVERIFY(a.maxConcurrent == b.maxConcurrent);
    QCOMPARE(a.http2, b.http2);
    QCOMPARE(a.group, b.group);
    QVERIFY(a.createdAt == b.createdAt);
    QVERIFY(a.updatedAt == b.updatedAt);
}

}  // namespace

/// Every table and every field of it, through a store that was closed and opened again.
class StoreTablesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void connectionsRoundTrip();
    void nodesRoundTrip();
    void combosRoundTrip();
    void aliasesRoundTrip();
    void apiKeysRoundTrip();
    void settingsRoundTrip();
    void settingsAreTheDefaultsAtFirst();
    void damagedSettingsAreTheDefaults();
    void factsRoundTrip();
    void breakersRoundTrip();
    void unknownBreakerStatesReadAsClosed();
    void healthsRoundTrip();
    void healthDiesWithItsConnection();
    void newestRuntimeStateWins();
    void requestsRoundTrip();
    void aChangeReplacesAndKeepsTheRest();
    void aCommitIsAllOrNothing();
    void aTakenNameIsAConflict();
    void usesOfKeysAreWrittenOnceInFiveMinutes();
    void anOldEditorDoesNotTurnBackTheUse();

private:
    /// Commits, closes, opens and loads.
    Configuration reloaded(std::vector<ConfigChange> changes)
    {
        {
            const auto store = m_fixture->open();
            const Status committed = commit(*store, std::move(changes));
            if (!committed)
                qFatal("%s", describe(committed.error()).c_str());
        }
        return load();
    }
    Configuration load()
    {
        const auto store = m_fixture->open();
        Result<Configuration> configuration = store->loadConfiguration(nullptr);
        if (!configuration)
            qFatal("%s", describe(configuration.error()).c_str());
        return std::move(*configuration);
    }
    RuntimeState runtime()
    {
        const auto store = m_fixture->open();
        Result<RuntimeState> state = store->loadRuntimeState();
        if (!state)
            qFatal("%s", describe(state.error()).c_str());
        return std::move(*state);
    }

    std::unique_ptr<StoreFixture> m_fixture;

private Q_SLOTS:
    void init() { m_fixture = std::make_unique<StoreFixture>(); }
};

void StoreTablesTest::connectionsRoundTrip()
{
    Connection full = makeConnection(1);
    full.name = "Büro “A” — অফিস; DROP TABLE x; '";
    full.priority = 1'000'000;
    full.enabled = false;
    full.baseUrl = "http://10.0.0.7:8080/v1";
    full.proxyUrl = "socks5h://10.0.0.1:1080";
    full.proxySecretRef = "proxy/1";
    full.defaultModel = "gpt-5";
    full.models = {"a/b", "say \"hi\"", "মডেল"};
    full.disableCooling = true;
    full.passthroughModels = false;
    full.maxConcurrent = 4;
    full.http2 = true;
    full.group = "team";
    Connection bare;
    bare.id = ConnectionId("b");
    bare.provider = ProviderId("zai");
    const Configuration loaded = reloaded({PutConnection{full}, PutConnection{bare}});
    QCOMPARE(loaded.connections.size(), std::size_t{2});
    compare(loaded.connections[0], full);
    compare(loaded.connections[1], bare);
}

void StoreTablesTest::nodesRoundTrip()
{
    ProviderNode node;
    node.id = ProviderId("openai-compatible-lab");
    node.name = "Lab";
    node.prefix = "lab";
    node.baseUrl = "http://lab.local:9000/v1";
    node.chatPath = "/chat";
    node.modelsPath = "/list";
    node.headers = {{"X-Team", "b"}, {"X-Team", "a"}, {"X-Empty", ""}};
    node.createdAt = fromEpochMillis(5);
    node.updatedAt = fromEpochMillis(6);
    const Configuration loaded = reloaded({PutNode{node}});
    QCOMPARE(loaded.nodes.size(), std::size_t{1});
    const ProviderNode& got = loaded.nodes[0];
    QCOMPARE(got.id.str(), node.id.str());
    QCOMPARE(got.name, node.name);
    QCOMPARE(got.prefix, node.prefix);
    QCOMPARE(got.baseUrl, node.baseUrl);
    QCOMPARE(got.chatPath, node.chatPath);
    QCOMPARE(got.modelsPath, node.modelsPath);
    QVERIFY(got.headers == node.headers);
    QVERIFY(got.createdAt == node.createdAt);
    QVERIFY(got.updatedAt == node.updatedAt);
    QVERIFY(loaded.provider(node.id) != nullptr);
}

void StoreTablesTest::combosRoundTrip()
{
    Combo combo;
    combo.id = ComboId("c1");
    combo.name = "best";
    combo.strategy = "priority";
    combo.targets = {{"t1", ProviderId("openai"), "gpt-5", ConnectionId("x"), "first"},
                     {"t2", ProviderId("anthropic"), "claude-sonnet-4", std::nullopt, ""}};
    combo.sortOrder = 3;
    combo.createdAt = fromEpochMillis(7);
    combo.updatedAt = fromEpochMillis(8);
    Combo first;
    first.id = ComboId("c2");
    first.name = "zzz";
    first.sortOrder = 1;
    const Configuration loaded = reloaded({PutCombo{combo}, PutCombo{first}});
    QCOMPARE(loaded.combos.size(), std::size_t{2});
    QCOMPARE(loaded.combos[0].name, std::string("zzz"));
    const Combo& got = loaded.combos[1];
    QCOMPARE(got.id.str(), combo.id.str());
    QCOMPARE(got.name, combo.name);
    QCOMPARE(got.strategy, combo.strategy);
    QVERIFY(got.targets == combo.targets);
    QCOMPARE(got.sortOrder, 3);
    QVERIFY(got.createdAt == combo.createdAt);
    QVERIFY(got.updatedAt == combo.updatedAt);
}

void StoreTablesTest::aliasesRoundTrip()
{
    const Configuration loaded = reloaded({PutAlias{{"fast", "openai/gpt-5-mini"}}, PutAlias{{"dear", "openai/o4"}}});
    QVERIFY((loaded.aliases == std::vector<ModelAlias>{{"dear", "openai/o4"}, {"fast", "openai/gpt-5-mini"}}));
}

void StoreTablesTest::apiKeysRoundTrip()
{
    ApiKey key;
    key.id = ApiKeyId("k1");
    key.name = "laptop";
    key.prefix = "sk-12ab";
    key.hash = std::string(64, 'a');
    key.allowedModels = {"gpt-*"};
    key.allowedConnections = {ConnectionId("x"), ConnectionId("y")};
    key.scopes = {"manage"};
    key.active = false;
    key.noLog = true;
    key.expiresAt = fromEpochMillis(11);
    key.revokedAt = fromEpochMillis(12);
    key.lastUsedAt = fromEpochMillis(13);
    key.createdAt = fromEpochMillis(14);
    const Configuration loaded = reloaded({PutApiKey{key}});
    QCOMPARE(loaded.apiKeys.size(), std::size_t{1});
    const ApiKey& got = loaded.apiKeys[0];
    QCOMPARE(got.id.str(), key.id.str());
    QCOMPARE(got.name, key.name);
    QCOMPARE(got.prefix, key.prefix);
    QCOMPARE(got.hash, key.hash);
    QVERIFY(got.allowedModels == key.allowedModels);
    QVERIFY(got.allowedConnections == key.allowedConnections);
    QVERIFY(got.scopes == key.scopes);
    QCOMPARE(got.active, false);
    QCOMPARE(got.noLog, true);
    QVERIFY(got.expiresAt == key.expiresAt);
    QVERIFY(got.revokedAt == key.revokedAt);
    QVERIFY(got.lastUsedAt == key.lastUsedAt);
    QVERIFY(got.createdAt == key.createdAt);
}

void StoreTablesTest::settingsRoundTrip()
{
    Settings settings;
    settings.proxy.port = 20'200;
    settings.proxy.requireApiKey = true;
    settings.proxy.allowedOrigins = {"https://a.example"};
    settings.upstream.caBundle = "/etc/ssl/extra.pem";
    settings.log.maxAgeDays = 9;
    settings.routing.roundRobin = true;
    settings.resilience.modelLockout.maxCooldown = Millis(600'000);
    settings.resilience.modelLockout.errorCodes = {429, 503};
    settings.resilience.providerErrorRules = {
        {"agentrouter", 429, "额度不足", RuleScope::Connection, FailureReason::QuotaExhausted, Millis(60'000)}};
    settings.resilience.customBannedSignals = {"key revoked by the shop"};
    settings.resilience.autoDisableBanned = {true, AutoDisableScope::Subscription};
    settings.resilience.apiKeyCooldown.useUpstream429BreakerHints = false;
    settings.appearance.theme = Theme::Dark;
    settings.appearance.language = "bn";
    const Configuration loaded = reloaded({PutSettings{settings}});
    QCOMPARE(toJson(loaded.settings).dump(), toJson(settings).dump());
    RawDatabase raw(m_fixture->database());
    QCOMPARE(raw.number("SELECT count(*) FROM key_value WHERE namespace = 'settings'"), std::int64_t{10});
}

void StoreTablesTest::settingsAreTheDefaultsAtFirst()
{
    QCOMPARE(toJson(reloaded({}).settings).dump(), toJson(defaultSettings()).dump());
}

void StoreTablesTest::damagedSettingsAreTheDefaults()
{
    Settings settings;
    settings.log.maxAgeDays = 9;
    settings.resilience.customBannedSignals = {"key revoked by the shop"};
    settings.resilience.modelLockout.enabled = true;
    reloaded({PutSettings{settings}});
    {
        RawDatabase raw(m_fixture->database());
        raw.run("UPDATE key_value SET value = '\"text\"' WHERE namespace = 'settings' AND key = 'customBannedSignals'");
        raw.run("UPDATE key_value SET value = '{' WHERE namespace = 'settings' AND key = 'modelLockout'");
    }
    const Settings loaded = reloaded({}).settings;
    QVERIFY(loaded.resilience == ResilienceSettings());
    QCOMPARE(loaded.log.maxAgeDays, 9);
}

void StoreTablesTest::factsRoundTrip()
{
    const auto store = m_fixture->open();
    QCOMPARE(store->fact("setupComplete"), std::string());
    QVERIFY(commit(*store, {PutFact{"setupComplete", "true"}}).ok());
    QVERIFY(commit(*store, {PutFact{"setupComplete", "{\"at\":1}"}}).ok());
    QCOMPARE(store->fact("setupComplete"), std::string("{\"at\":1}"));
}

void StoreTablesTest::breakersRoundTrip()
{
    BreakerStatus open;
    open.provider = ProviderId("openai");
    open.state = BreakerState::Open;
    open.failureCount = 12;
    open.failureThreshold = 12;
    open.degradationThreshold = 7;
    open.lastFailureAt = fromEpochMillis(1'790'000'000'123);
    open.lastFailureKind = FailureKind::Transient;
    open.kindCounts = {{FailureKind::Transient, 11}, {FailureKind::QuotaExhausted, 1}};
    open.openCycleCount = 2;
    open.resetTimeout = Millis(30'000);
    open.heldUntil = fromEpochMillis(1'790'000'030'123);
    open.evidence = makeEvidence();
    BreakerStatus gone;
    gone.provider = ProviderId("groq");
    BreakerStatus bare;
    bare.provider = ProviderId("zai");
    {
        const auto store = m_fixture->open();
        // Not kept by design: these two are recomputed or begin anew.
        BreakerStatus live = open;
        live.retryAfter = Millis(29'000);
        live.history = {{BreakerState::Degraded, BreakerState::Open, fromEpochMillis(1), 12, "threshold"}};
        store->saveBreaker(live);
        store->saveBreaker(gone);
        store->saveBreaker(bare);
        store->removeBreaker(gone.provider);
    }
    QVERIFY((runtime().breakers == std::vector<BreakerStatus>{open, bare}));
    RawDatabase raw(m_fixture->database());
    QCOMPARE(raw.text("SELECT state FROM domain_circuit_breakers WHERE name = 'openai'"), std::string("OPEN"));
    QCOMPARE(raw.number("SELECT last_failure_time FROM domain_circuit_breakers WHERE name = 'openai'"), std::int64_t{1'790'000'000'123});
    QCOMPARE(raw.number("SELECT options ->> '$.kindFailureCounts.transient' FROM domain_circuit_breakers WHERE name = 'openai'"),
             std::int64_t{11});
}

void StoreTablesTest::unknownBreakerStatesReadAsClosed()
{
    (void)m_fixture->open();
    RawDatabase raw(m_fixture->database());
    raw.run("INSERT INTO domain_circuit_breakers (name, state, failure_count, options) VALUES ('a', 'MELTED', NULL, 'not json'), "
            "('b', 'OPEN', 3, '{\"lastFailureKind\":\"boredom\",\"kindFailureCounts\":{\"boredom\":2,\"transient\":\"x\"}}')");
    const std::vector<BreakerStatus> breakers = runtime().breakers;
    QCOMPARE(breakers.size(), std::size_t{2});
    QVERIFY(breakers[0].state == BreakerState::Closed);
    QCOMPARE(breakers[0].failureCount, 0);
    QVERIFY(breakers[1].state == BreakerState::Open);
    QVERIFY(!breakers[1].lastFailureKind);
    QVERIFY(breakers[1].kindCounts.empty());
    QCOMPARE(breakers[1].openCycleCount, 0);
}

void StoreTablesTest::healthsRoundTrip()
{
    ConnectionHealth full;
    full.id = makeConnection(0).id;
    full.terminal = TerminalState::CreditsExhausted;
    full.coolingUntil = fromEpochMillis(21);
    full.coolingSince = fromEpochMillis(20);
    full.backoffLevel = 5;
    full.reason = FailureReason::QuotaExhausted;
    full.errorCode = 429;
    full.lastError = "quota — শেষ";
    full.lastErrorAt = fromEpochMillis(19);
    full.lastUsedAt = fromEpochMillis(18);
    full.lastTestedAt = fromEpochMillis(17);
    full.evidence = makeEvidence();
    ConnectionHealth bare;
    bare.id = makeConnection(1).id;
    {
        const auto store = m_fixture->open();
        QVERIFY(commit(*store, {PutConnection{makeConnection(0)}, PutConnection{makeConnection(1)}}).ok());
        ConnectionHealth live = full;
        live.secretUnreadable = true;  // found out anew at each start
        store->saveHealth(live);
        store->saveHealth(bare);
    }
    QVERIFY((runtime().healths == std::vector<ConnectionHealth>{full, bare}));
}

void StoreTablesTest::healthDiesWithItsConnection()
{
    {
        const auto store = m_fixture->open();
        QVERIFY(commit(*store, {PutConnection{makeConnection(0)}}).ok());
        ConnectionHealth health;
        health.id = makeConnection(0).id;
        store->saveHealth(health);
        QVERIFY(QTest::qWaitFor([&] { return store->loadRuntimeState()->healths.size() == 1; }));
        QVERIFY(commit(*store, {DeleteConnection{health.id}}).ok());
        QVERIFY(store->loadRuntimeState()->healths.empty());
        // An answer that was still under way when the connection was deleted.
        store->saveHealth(health);
    }
    QVERIFY(runtime().healths.empty());
}

void StoreTablesTest::newestRuntimeStateWins()
{
    {
        const auto store = m_fixture->open();
        for (int count = 1; count <= 500; ++count) {
            BreakerStatus breaker;
            breaker.provider = ProviderId("openai");
            breaker.failureCount = count;
            store->saveBreaker(breaker);
        }
    }
    QCOMPARE(runtime().breakers.at(0).failureCount, 500);
}

void StoreTablesTest::requestsRoundTrip()
{
    {
        const auto store = m_fixture->open();
        store->appendRequests(makeRequests(0, 3));
    }
    RawDatabase raw(m_fixture->database());
    QCOMPARE(raw.number("SELECT count(*) FROM call_logs"), std::int64_t{3});
    QCOMPARE(raw.number("SELECT min(timestamp) FROM call_logs"), kBaseMillis);
    QCOMPARE(raw.text("SELECT detail ->> '$.attempts[0].decision' FROM call_logs LIMIT 1"), std::string("passed on"));
    QCOMPARE(raw.number("SELECT count(*) FROM call_logs WHERE failed = 1"), std::int64_t{1});
}

void StoreTablesTest::aChangeReplacesAndKeepsTheRest()
{
    (void)reloaded({PutConnection{makeConnection(0)}, PutConnection{makeConnection(2)}, PutAlias{{"a", "x"}}, PutAlias{{"b", "x"}}});
    Connection changed = makeConnection(2);
    changed.name = "renamed";
    const Configuration loaded =
        reloaded({PutConnection{changed}, DeleteConnection{makeConnection(0).id}, DeleteAlias{"a"}, PutAlias{{"b", "y"}}});
    QCOMPARE(loaded.connections.size(), std::size_t{1});
    QCOMPARE(loaded.connections[0].name, std::string("renamed"));
    QVERIFY((loaded.aliases == std::vector<ModelAlias>{{"b", "y"}}));
}

void StoreTablesTest::aCommitIsAllOrNothing()
{
    Combo combo;
    combo.id = ComboId("c1");
    combo.name = "best";
    (void)reloaded({PutCombo{combo}});
    {
        const auto store = m_fixture->open();
        Combo same = combo;
        same.id = ComboId("c2");
        QVERIFY(!commit(*store, {PutConnection{makeConnection(0)}, PutCombo{same}, PutAlias{{"a", "x"}}}).ok());
        // And the store goes on.
        QVERIFY(commit(*store, {PutAlias{{"later", "x"}}}).ok());
    }
    const Configuration loaded = load();
    QVERIFY(loaded.connections.empty());
    QCOMPARE(loaded.combos.size(), std::size_t{1});
    QCOMPARE(loaded.aliases.size(), std::size_t{1});
}

void StoreTablesTest::aTakenNameIsAConflict()
{
    Combo combo;
    combo.id = ComboId("c1");
    combo.name = "best";
    Combo same = combo;
    same.id = ComboId("c2");
    const auto store = m_fixture->open();
    QVERIFY(commit(*store, {PutCombo{combo}}).ok());
    const Status refused = commit(*store, {PutCombo{same}});
    QVERIFY(!refused.ok());
    QVERIFY(refused.error().kind == ErrorKind::Conflict);
}

void StoreTablesTest::usesOfKeysAreWrittenOnceInFiveMinutes()
{
    ApiKey key;
    key.id = ApiKeyId("k1");
    key.hash = "h";
    const auto used = [this] {
        RawDatabase raw(m_fixture->database());
        return raw.number("SELECT last_used_at FROM api_keys WHERE id = 'k1'");
    };
    {
        const auto store = m_fixture->open();
        QVERIFY(commit(*store, {PutApiKey{key}}).ok());
        store->touchApiKey(key.id, fromEpochMillis(100));
        QTRY_COMPARE(used(), std::int64_t{100});
        store->touchApiKey(key.id, fromEpochMillis(200));
        store->touchApiKey(key.id, fromEpochMillis(150));
        // Whatever is written after it would carry a second write of the key along.
        store->appendRequests(makeRequests(0, 200));
        QVERIFY(drained(*store, 200));
        QCOMPARE(used(), std::int64_t{100});
    }
    QCOMPARE(used(), std::int64_t{200});
}

void StoreTablesTest::anOldEditorDoesNotTurnBackTheUse()
{
    ApiKey key;
    key.id = ApiKeyId("k1");
    key.hash = "h";
    key.lastUsedAt = fromEpochMillis(500);
    (void)reloaded({PutApiKey{key}});
    key.name = "renamed";
    key.lastUsedAt = std::nullopt;
    const Configuration loaded = reloaded({PutApiKey{key}});
    QCOMPARE(loaded.apiKeys[0].name, std::string("renamed"));
    QVERIFY(loaded.apiKeys[0].lastUsedAt == fromEpochMillis(500));
}

OMNI_TEST(StoreTablesTest)
#include "store_tables_test.moc"
