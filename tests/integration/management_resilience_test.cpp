#include "program/test_program.h"
#include "support/http_client.h"
#include "support/runtime_fixture.h"

#include <nlohmann/json.hpp>

#include <QDateTime>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>

#include <algorithm>
#include <set>

using namespace omni;
using namespace omni::test;
using nlohmann::json;

namespace {

const std::string kLimited = "rate-limited?seconds=60";
const std::string kUpstreamKey = "sk-live-4711aabbccddeeff00112233445566";

std::set<std::string> keysOf(const json& object)
{
    std::set<std::string> keys;
    for (const auto& [key, value] : object.items())
        keys.insert(key);
    return keys;
}

/// null when there is none.
json rowOf(const json& rows, const char* field, const ConnectionId& id)
{
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const json& row) { return row[field] == id.str(); });
    return found == rows.end() ? json() : *found;
}

/// An upstream that refuses everything for a minute and tells the key it was called with, as careless gateways do.
class TellTale : public QTcpServer {
public:
    TellTale()
    {
        connect(this, &QTcpServer::newConnection, this, [this] {
            QTcpSocket* socket = nextPendingConnection();
            connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
            connect(socket, &QTcpSocket::readyRead, socket, [socket] {
                const QByteArray body = R"({"error":{"message":"Rate limit reached for key )" + QByteArray::fromStdString(kUpstreamKey)
                                        + R"(.","type":"rate_limit_error","code":"rate_limit_exceeded"}})";
                socket->readAll();
                socket->write("HTTP/1.1 429 Too Many Requests\r\nRetry-After: 60\r\nConnection: close\r\nContent-Type: application/json\r\n"
                              "Content-Length: "
                              + QByteArray::number(body.size()) + "\r\n\r\n" + body);
                socket->disconnectFromHost();
            });
        });
    }
};

}  // namespace

/// What the resilience engine holds, told by the management API of a running proxy, and how an operator ends it.
class ManagementResilienceTest : public QObject {
    Q_OBJECT

    std::unique_ptr<RuntimeFixture> m_fixture;
    std::unique_ptr<HttpClient> m_client;
    ConnectionId m_perModel;
    ConnectionId m_other;
    int m_names = 0;

    HttpReply call(std::string_view method, std::string_view path, const json& body = {})
    {
        if (body.is_null())
            return m_client->request(method, path);
        return m_client->request(method, path, {{"Content-Type", "application/json"}}, body.dump());
    }

    HttpReply chat(const std::string& model)
    {
        HttpClient client(m_fixture->port());
        const json body = {{"model", model}, {"messages", {{{"role", "user"}, {"content", "Hello"}}}}};
        return client.postJson("/v1/chat/completions", body.dump());
    }

    /// A sandbox connection whose quota is counted by model; empty when it could not be made.
    ConnectionId addPerModel(const std::string& name)
    {
        const ConnectionId id = m_fixture->addSandboxConnection(name);
        const HttpReply changed = call("PATCH", "/api/providers/" + id.str(), {{"passthroughModels", true}});
        return changed.status == 200 ? id : ConnectionId();
    }

    json modelCooldowns(const std::string& query = {}) { return call("GET", "/api/resilience/model-cooldowns" + query).json(); }
    json cooldowns(const std::string& query = {}) { return call("GET", "/api/resilience/cooldowns" + query).json(); }

    json monitored(const ConnectionId& id)
    {
        return rowOf(call("GET", "/api/resilience/connections").json()["connections"], "id", id);
    }

private Q_SLOTS:
    void initTestCase()
    {
        m_fixture = std::make_unique<RuntimeFixture>();
        QVERIFY2(m_fixture->start(), m_fixture->error().c_str());
        m_client = std::make_unique<HttpClient>(m_fixture->port());
        m_client->setDefaultHeaders({{"Authorization", "Bearer " + m_fixture->managementToken()}});
        m_perModel = addPerModel("PerModel");
        QVERIFY(!m_perModel.empty());
        m_other = addPerModel("Other");
        m_fixture->addCombo("locking", {{"PerModel", kLimited}});
        m_fixture->addCombo("locking-too", {{"Other", kLimited}});
        m_fixture->addCombo("failing", {{"PerModel", "503"}});
    }

    void cleanup()
    {
        if (QTest::currentTestFailed())
            qWarning("%s", cooldowns().dump().c_str());
        QCOMPARE(call("DELETE", "/api/resilience/model-cooldowns", {{"all", true}}).status, 200);
        QCOMPARE(call("POST", "/api/resilience/reset", {{"allCooldowns", true}}).status, 200);
    }

    void cleanupTestCase()
    {
        m_client.reset();
        m_fixture.reset();
    }

    // ---- model cooldowns

    void aLockedModelIsListedWithItsReason()
    {
        const qint64 before = QDateTime::currentMSecsSinceEpoch();
        QVERIFY(chat("locking").status >= 400);
        const json list = modelCooldowns();
        QVERIFY2(list["total"] == 1, list.dump().c_str());
        const json item = list["items"][0];
        QVERIFY(item["scope"] == "connection-model");
        QVERIFY(item["provider"] == "sandbox");
        QVERIFY(item["connectionId"] == m_perModel.str());
        QVERIFY(item["accountLabel"] == "PerModel");
        QVERIFY(item["model"] == kLimited);
        QVERIFY(item["modelFamily"].is_null());
        QVERIFY2(item["reason"] == "rate_limit_exceeded", item.dump().c_str());
        QVERIFY(item["failureCount"] == 1);
        QVERIFY(item["remainingMs"].get<qint64>() > 30'000 && item["remainingMs"].get<qint64>() <= 60'000);
        QVERIFY(item["until"].get<qint64>() > before + 59'000);
        const QDateTime end = QDateTime::fromString(QString::fromStdString(item["expiresAt"]), Qt::ISODateWithMs);
        QCOMPARE(end.toMSecsSinceEpoch(), item["until"].get<qint64>());
        QVERIFY(item["lockedAt"].is_string());
        QVERIFY(item["evidence"]["status"] == 429);
        QVERIFY(item["evidence"]["header"].get<std::string>().find("60") != std::string::npos);
        QVERIFY(!list.contains("slowStartStates"));
    }

    void aConnectionHeldByAModelOnlyIsListedAsActive()
    {
        QVERIFY(chat("locking").status >= 400);
        const json held = cooldowns()["connections"];
        QVERIFY2(held.size() == 1, held.dump().c_str());
        QVERIFY(held[0]["id"] == m_perModel.str());
        QVERIFY(held[0]["status"] == "active");
        QVERIFY(held[0]["remainingMs"] == 0);
        QVERIFY(held[0]["rateLimitedUntil"].is_null());
        const json lock = held[0]["lockouts"][0];
        QVERIFY(keysOf(lock) == (std::set<std::string>{"model", "scope", "reason", "failureCount", "remainingMs", "until", "expiresAt",
                                                       "lockedAt", "evidence"}));
        QVERIFY(lock["model"] == kLimited);
        QVERIFY(lock["scope"] == "family");
        QVERIFY(lock["evidence"]["status"] == 429);
        QVERIFY(cooldowns("?provider=sandbox")["connections"].size() == 1);
        QVERIFY(cooldowns("?provider=openai")["connections"].empty());
        QVERIFY(cooldowns("?provider=nobody")["connections"].empty());
        QVERIFY(cooldowns()["providerCooldowns"].empty());

        const json row = monitored(m_perModel);
        QVERIFY2(row["connectionStatus"] == "healthy", row.dump().c_str());
        QVERIFY(row["isCoolingDown"] == false);
        QCOMPARE(row["lockouts"].size(), std::size_t(1));
        QVERIFY(keysOf(row["lockouts"][0]) == (std::set<std::string>{"model", "reason", "remainingMs"}));
        QVERIFY(row["lockouts"][0]["model"] == kLimited);
        QVERIFY(monitored(m_other)["lockouts"].empty());
        QVERIFY(call("GET", "/api/resilience/connections").json()["meta"]["degraded"].empty());

        const json health = call("GET", "/api/monitoring/health").json();
        QCOMPARE(health["lockouts"].size(), std::size_t(1));
        QVERIFY(health["lockouts"][0]["connectionId"] == m_perModel.str());
        QVERIFY(health["lockouts"][0]["provider"] == "sandbox");
        QVERIFY(health["providerCooldowns"].empty());
    }

    void aLockIsEndedByWhoeverNamesIt_data()
    {
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<int>("cleared");
        // PM and OT stand for the connections.
        const auto row = [](const char* name, const char* body, int cleared) {
            QTest::newRow(name) << QByteArray(body) << cleared;
        };
        row("the guide's connection", R"({"provider":"sandbox","connection":"PM","model":"rate-limited?seconds=60"})", 1);
        row("the program's connectionId", R"({"provider":"sandbox","connectionId":"PM","model":"rate-limited?seconds=60"})", 1);
        row("both spellings alike",
            R"({"provider":"sandbox","connection":"PM","connectionId":"PM","model":"rate-limited?seconds=60"})", 1);
        row("no connection is every one", R"({"provider":"sandbox","model":"rate-limited?seconds=60"})", 2);
        row("null counts as absent", R"({"provider":"sandbox","connectionId":null,"model":"rate-limited?seconds=60"})", 2);
        row("model as clients spell it", R"({"provider":"sandbox","model":"sandbox\/rate-limited?seconds=60"})", 2);
        row("all", R"({"all":true})", 2);
        row("all with nulls", R"({"all":true,"provider":null})", 2);
        row("all false beside names", R"({"all":false,"provider":"sandbox","connection":"OT","model":"rate-limited?seconds=60"})", 1);
        row("another model", R"({"provider":"sandbox","model":"ok"})", 0);
        row("another provider", R"({"provider":"openai","model":"rate-limited?seconds=60"})", 0);
        row("an unknown provider", R"({"provider":"nobody","model":"rate-limited?seconds=60"})", 0);
        row("an unknown connection", R"({"provider":"sandbox","connection":"ghost","model":"rate-limited?seconds=60"})", 0);
    }

    void aLockIsEndedByWhoeverNamesIt()
    {
        QFETCH(QByteArray, body);
        QFETCH(int, cleared);
        QVERIFY(chat("locking").status >= 400);
        QVERIFY(chat("locking-too").status >= 400);
        QVERIFY(modelCooldowns()["total"] == 2);
        body.replace("PM", m_perModel.str().c_str()).replace("OT", m_other.str().c_str());
        const HttpReply reply =
            m_client->request("DELETE", "/api/resilience/model-cooldowns", {{"Content-Type", "application/json"}}, body.toStdString());
        QCOMPARE(reply.status, 200);
        QVERIFY2(reply.json() == json({{"ok", true}, {"cleared", cleared}}), reply.body.c_str());
        QVERIFY(modelCooldowns()["total"] == 2 - cleared);
    }

    void locksEndWithTheCooldownsOfTheirConnection()
    {
        QVERIFY(chat("locking").status >= 400);
        QVERIFY(chat("locking-too").status >= 400);
        const json one = call("POST", "/api/resilience/cooldowns", {{"connectionIds", {m_perModel.str()}}}).json();
        QVERIFY2(one == json({{"cleared", 1}, {"unchanged", 0}, {"skippedTerminal", 0}, {"lockoutsCleared", 1}}), one.dump().c_str());
        QVERIFY(modelCooldowns()["items"][0]["connectionId"] == m_other.str());
        QVERIFY(call("POST", "/api/resilience/cooldowns", {{"all", true}, {"provider", "sandbox"}}).json()["lockoutsCleared"] == 1);
        QVERIFY(modelCooldowns()["items"].empty());
    }

    void locksArePaged()
    {
        QVERIFY(chat("locking").status >= 400);
        QVERIFY(chat("locking-too").status >= 400);
        std::set<std::string> connections;
        for (const char* query : {"?limit=1", "?limit=1&offset=1"}) {
            const json page = modelCooldowns(query);
            QVERIFY(page["total"] == 2);
            QCOMPARE(page["items"].size(), std::size_t(1));
            connections.insert(page["items"][0]["connectionId"]);
        }
        QVERIFY(connections == (std::set<std::string>{m_perModel.str(), m_other.str()}));
        QVERIFY(modelCooldowns("?offset=2")["items"].empty());
    }

    void onlyManagersSeeAndEndLocks()
    {
        QVERIFY(chat("locking").status >= 400);
        const std::string plain = m_fixture->addApiKey("plain-" + std::to_string(++m_names));
        const std::string manager = m_fixture->addApiKey("manager-" + std::to_string(++m_names), {"manage"});
        const std::string all = R"({"all":true})";
        HttpClient stranger(m_fixture->port());
        QCOMPARE(stranger.get("/api/resilience/model-cooldowns").status, 401);
        QCOMPARE(stranger.request("DELETE", "/api/resilience/model-cooldowns", {{"Content-Type", "application/json"}}, all).status, 401);
        QCOMPARE(stranger.get("/api/resilience/model-cooldowns", {{"Authorization", "Bearer " + plain}}).status, 403);
        QCOMPARE(stranger.request("DELETE", "/api/resilience/model-cooldowns",
                                  {{"Authorization", "Bearer " + plain}, {"Content-Type", "application/json"}}, all).status, 403);
        QVERIFY(modelCooldowns()["total"] == 1);
        QCOMPARE(stranger.get("/api/resilience/model-cooldowns", {{"Authorization", "Bearer " + manager}}).status, 200);
        QVERIFY(stranger.request("DELETE", "/api/resilience/model-cooldowns",
                                 {{"Authorization", "Bearer " + manager}, {"Content-Type", "application/json"}}, all)
                    .json()["cleared"] == 1);
        QVERIFY(keysOf(stranger.get("/api/monitoring/health").json()) == (std::set<std::string>{"status"}));
    }

    // ---- what settings do

    /// `modelLockout.enabled` makes a lock of what is otherwise the connection's (spec 0-decisions).
    void theLockoutSwitchActsAtOnce()
    {
        const std::string name = "Switched";
        const ConnectionId id = m_fixture->addSandboxConnection(name);
        m_fixture->addCombo("switched", {{name, "503"}});
        QVERIFY(chat("switched").status >= 500);
        QVERIFY(modelCooldowns()["items"].empty());
        call("POST", "/api/resilience/reset", {{"allCooldowns", true}});
        QCOMPARE(call("PATCH", "/api/settings", {{"modelLockout", {{"enabled", true}}}}).status, 200);
        QVERIFY(chat("switched").status >= 500);
        const json items = modelCooldowns()["items"];
        QCOMPARE(call("PATCH", "/api/settings", {{"modelLockout", {{"enabled", false}}}}).status, 200);
        QVERIFY2(items.size() == 1, items.dump().c_str());
        QVERIFY(items[0]["connectionId"] == id.str());
        QVERIFY(items[0]["lockoutScope"] == "exact");
        QVERIFY(items[0]["model"] == "503");
    }

    void liveListsAreIncludedOnRequest()
    {
        const std::string name = "Included";
        const ConnectionId id = m_fixture->addSandboxConnection(name);
        m_fixture->addCombo("included", {{name, kLimited}});
        QVERIFY(chat("included").status >= 400);
        QVERIFY(chat("failing").status >= 500);
        const json both = call("GET", "/api/resilience?include=breakers,cooldowns").json();
        QVERIFY(!both["breakers"].empty());
        QVERIFY(both["breakers"][0]["provider"] == "sandbox");
        const json cooling = rowOf(both["cooldowns"], "connectionId", id);
        QVERIFY2(cooling.is_object(), both["cooldowns"].dump().c_str());
        QVERIFY(cooling["remainingMs"].get<qint64>() > 30'000);
        QVERIFY(cooling["name"] == name);
        QVERIFY(cooling["rateLimitedUntil"].is_string());
        const json one = call("GET", "/api/resilience?include=cooldowns").json();
        QVERIFY(one.contains("cooldowns") && !one.contains("breakers"));
    }

    // ---- provider cooldowns

    void theOptInProviderCooldownIsToldAndEnded()
    {
        const json on = {{"enabled", true}, {"minRetryCooldownMs", 60'000}};
        QCOMPARE(call("PATCH", "/api/resilience", {{"providerCooldown", on}}).status, 200);
        const std::string name = "Gated";
        const ConnectionId id = m_fixture->addSandboxConnection(name);
        m_fixture->addCombo("gated", {{name, "503"}});
        QVERIFY(chat("gated").status >= 500);
        const json cooling = cooldowns()["providerCooldowns"];
        QVERIFY2(cooling.size() == 1, cooling.dump().c_str());
        QVERIFY(keysOf(cooling[0])
                == (std::set<std::string>{"provider", "connectionId", "failureCount", "remainingMs", "until", "expiresAt"}));
        QVERIFY(cooling[0]["provider"] == "sandbox");
        QVERIFY(cooling[0]["connectionId"] == id.str());
        QVERIFY(cooling[0]["failureCount"] == 1);
        QVERIFY(cooling[0]["remainingMs"].get<qint64>() > 30'000);
        QVERIFY(cooldowns("?provider=openai")["providerCooldowns"].empty());
        QVERIFY(call("GET", "/api/monitoring/health").json()["providerCooldowns"].size() == 1);
        QVERIFY(call("GET", "/api/rate-limits").json()["providerCooldowns"].size() == 1);

        QVERIFY(call("POST", "/api/resilience/reset", {{"provider", "openai"}}).json()["providerCooldownsCleared"] == 0);
        const json reset = call("POST", "/api/resilience/reset").json();
        QVERIFY(reset["ok"] == true);
        QVERIFY2(reset["providerCooldownsCleared"] == 1, reset.dump().c_str());
        QVERIFY(cooldowns()["providerCooldowns"].empty());
        QCOMPARE(call("PATCH", "/api/resilience", {{"providerCooldown", {{"enabled", false}, {"minRetryCooldownMs", 5'000}}}}).status, 200);
    }

    void aProviderHeldByARuleIsToldAsAWhole()
    {
        const json rule = {{"status", 503}, {"match", "as it was asked to"}, {"scope", "provider"}, {"cooldownMs", 60'000}};
        QCOMPARE(call("PATCH", "/api/settings", {{"providerErrorRules", {{"sandbox", {rule}}}}}).status, 200);
        QVERIFY(chat("failing").status >= 400);
        const json cooling = cooldowns()["providerCooldowns"];
        QCOMPARE(call("PATCH", "/api/settings", {{"providerErrorRules", nullptr}}).status, 200);
        QVERIFY2(cooling.size() == 1, cooling.dump().c_str());
        QVERIFY(cooling[0]["connectionId"].is_null());
        QVERIFY(chat("sandbox/ok").status >= 400);
        QVERIFY(call("POST", "/api/resilience/reset", {{"provider", "sandbox"}}).json()["providerCooldownsCleared"] == 1);
        call("POST", "/api/resilience/reset", {{"allCooldowns", true}});
        QCOMPARE(chat("sandbox/ok").status, 200);
    }

    // ---- monitoring

    void theLastErrorIsToldByItsBucket_data()
    {
        QTest::addColumn<QByteArray>("model");
        QTest::addColumn<QByteArray>("bucket");
        QTest::addColumn<QByteArray>("status");
        const auto row = [](const char* model, const char* bucket, const char* status) {
            QTest::newRow(model) << QByteArray(model) << QByteArray(bucket) << QByteArray(status);
        };
        row("rate-limited?seconds=60", "rate_limit", "cooling_down");
        row("401", "auth", "");
        row("402", "rate_limit", "terminal:credits_exhausted");
        row("403", "auth", "cooling_down");
        row("503", "server", "cooling_down");
    }

    void theLastErrorIsToldByItsBucket()
    {
        QFETCH(QByteArray, model);
        QFETCH(QByteArray, bucket);
        QFETCH(QByteArray, status);
        const std::string name = "bucket-" + std::to_string(++m_names);
        const ConnectionId id = m_fixture->addSandboxConnection(name);
        m_fixture->addCombo(name, {{name, model.toStdString()}});
        QVERIFY(chat(name).status >= 400);
        const json row = monitored(id);
        QVERIFY2(row["errorCode"] == bucket.toStdString(), row.dump().c_str());
        if (status.isEmpty())
            return;
        const json held = rowOf(cooldowns()["connections"], "id", id);
        QVERIFY2(held.is_object() && held["status"] == status.toStdString(), held.dump().c_str());
    }

    void rateLimitsTellWhatUpstreamsAskedFor()
    {
        const std::string name = "RateLimited";
        const ConnectionId id = m_fixture->addSandboxConnection(name);
        m_fixture->addCombo("rate-limits", {{name, kLimited}});
        QVERIFY(chat("rate-limits").status >= 400);
        QVERIFY(chat("locking").status >= 400);
        const json whole = call("GET", "/api/rate-limits").json();
        QVERIFY(keysOf(whole)
                == (std::set<std::string>{"connections", "totalConnections", "lockouts", "lockoutCount", "providerCooldowns"}));
        const json row = rowOf(whole["connections"], "connectionId", id);
        QVERIFY(keysOf(row)
                == (std::set<std::string>{"connectionId", "provider", "name", "isActive", "status", "rateLimitedUntil",
                                          "cooldownRemainingMs"}));
        QVERIFY(row["status"] == "cooling_down");
        QVERIFY(row["cooldownRemainingMs"].get<qint64>() > 30'000);
        QCOMPARE(whole["lockouts"].size(), std::size_t(1));
        QVERIFY(whole["lockouts"][0]["connectionId"] == m_perModel.str());
        QCOMPARE(call("POST", "/api/rate-limits", {{"connectionId", id.str()}, {"enabled", true}}).status, 405);
    }

    void breakersAreToldWithStateFailuresAndWait()
    {
        m_fixture->addSandboxConnection("Counted");
        m_fixture->addCombo("counted", {{"Counted", "503"}});
        QVERIFY(chat("counted").status >= 500);
        const json health = call("GET", "/api/monitoring/health").json();
        const json breaker = health["providerBreakers"][0];
        QVERIFY(breaker["provider"] == "sandbox");
        QVERIFY(breaker["state"] == "CLOSED");
        QVERIFY2(breaker["failures"] == 1, breaker.dump().c_str());
        QVERIFY(breaker["retryAfterMs"] == 0);
        QVERIFY(breaker["lastFailureKind"] == "transient");
        QVERIFY(health["providerHealth"]["sandbox"]["failures"] == 1);
    }

    // ---- secrets

    void noHoldTellsAKey()
    {
        TellTale upstream;
        QVERIFY(upstream.listen(QHostAddress::LocalHost));
        const ConnectionId id =
            m_fixture->addUpstream("telltale", "http://127.0.0.1:" + std::to_string(upstream.serverPort()) + "/v1", kUpstreamKey);
        QVERIFY(chat("telltale/some-model").status >= 400);
        const json items = modelCooldowns()["items"];
        QVERIFY2(items.size() == 1 && items[0]["connectionId"] == id.str(), items.dump().c_str());
        QVERIFY(items[0]["evidence"]["body"].get<std::string>().find("Rate limit reached") != std::string::npos);
        const std::string token = m_fixture->managementToken();
        for (const char* path : {"/api/resilience", "/api/resilience?include=breakers,cooldowns", "/api/resilience/model-cooldowns",
                                 "/api/resilience/cooldowns", "/api/resilience/connections", "/api/monitoring/health", "/api/rate-limits",
                                 "/api/settings"}) {
            const HttpReply reply = call("GET", path);
            QCOMPARE(reply.status, 200);
            for (const std::string& secret : {kUpstreamKey, kUpstreamKey.substr(8, 16), token})
                QVERIFY2(reply.body.find(secret) == std::string::npos, reply.body.c_str());
        }
    }
};

OMNI_TEST(ManagementResilienceTest)
#include "management_resilience_test.moc"
