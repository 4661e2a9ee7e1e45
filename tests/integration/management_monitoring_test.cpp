#include "program/test_program.h"
#include "support/http_client.h"
#include "support/runtime_fixture.h"

#include <nlohmann/json.hpp>

#include <QDateTime>
#include <QSignalSpy>
#include <QTest>

#include <set>

using namespace omni;
using namespace omni::test;
using nlohmann::json;

/// What the management API tells of a running proxy: holds and how to end them, health, metrics, the request log.
class ManagementMonitoringTest : public QObject {
    Q_OBJECT

    std::unique_ptr<RuntimeFixture> m_fixture;
    std::unique_ptr<HttpClient> m_client;
    ConnectionId m_healthy;
    ConnectionId m_limited;

    HttpReply call(std::string_view method, std::string_view path, const json& body = {})
    {
        if (body.is_null())
            return m_client->request(method, path);
        return m_client->request(method, path, {{"Content-Type", "application/json"}}, body.dump());
    }

    /// Through the combo whose first connection is limited for a minute.
    HttpReply chat(const std::string& model)
    {
        HttpClient client(m_fixture->port());
        const json body = {{"model", model}, {"messages", {{{"role", "user"}, {"content", "Hello"}}}}};
        return client.postJson("/v1/chat/completions", body.dump(), {{"User-Agent", "monitoring-test"}});
    }

    json cooldowns(const std::string& query = {}) { return call("GET", "/api/resilience/cooldowns" + query).json()["connections"]; }

    json monitored(const ConnectionId& id, const std::string& query = {})
    {
        const json rows = call("GET", "/api/resilience/connections" + query).json()["connections"];
        for (const json& row : rows) {
            if (row["id"] == id.str())
                return row;
        }
        return {};
    }

    /// The log is written behind by up to 250 ms; waits until `count` rows match.
    json logs(const std::string& query, std::size_t count)
    {
        json page;
        const bool there = QTest::qWaitFor([&] {
            page = call("GET", "/api/usage/request-logs?" + query).json();
            return page.contains("logs") && page["logs"].size() >= count;
        }, 5'000);
        return there ? page : json();
    }

private Q_SLOTS:
    void initTestCase()
    {
        m_fixture = std::make_unique<RuntimeFixture>();
        QVERIFY2(m_fixture->start(), m_fixture->error().c_str());
        m_client = std::make_unique<HttpClient>(m_fixture->port());
        m_client->setDefaultHeaders({{"Authorization", "Bearer " + m_fixture->managementToken()}});
        m_limited = m_fixture->addSandboxConnection("Limited", 1);
        m_healthy = m_fixture->addSandboxConnection("Healthy", 2);
        m_fixture->addCombo("mix", {{"Limited", "rate-limited?seconds=60"}, {"Healthy", "ok"}});
    }

    void cleanupTestCase()
    {
        m_client.reset();
        m_fixture.reset();
    }

    void aHoldIsShownWithItsEvidenceAndCanBeEnded()
    {
        QCOMPARE(chat("mix").status, 200);
        const json held = cooldowns();
        QCOMPARE(held.size(), std::size_t(1));
        QVERIFY(held[0]["id"] == m_limited.str());
        QVERIFY(held[0]["status"] == "cooling_down");
        QVERIFY(held[0]["remainingMs"].get<std::int64_t>() > 30'000);
        QVERIFY(held[0]["evidence"]["status"] == 429);
        QVERIFY2(held[0]["evidence"]["header"].get<std::string>().find("60") != std::string::npos, held[0].dump().c_str());
        QVERIFY(cooldowns("?provider=sandbox").size() == 1);
        QVERIFY(cooldowns("?provider=openai").empty());

        const json row = monitored(m_limited);
        QVERIFY(row["connectionStatus"] == "cooling_down");
        QVERIFY(row["isCoolingDown"] == true);
        QVERIFY(row["errorCode"] == "rate_limit");
        QVERIFY(row["testStatus"] == "unavailable");
        QVERIFY(monitored(m_healthy)["connectionStatus"] == "healthy");
        QVERIFY(call("GET", "/api/resilience/connections").json()["meta"]["coolingDownCount"] == 1);

        const json both = call("POST", "/api/resilience/cooldowns",
                               {{"connectionIds", {m_limited.str(), m_healthy.str(), m_limited.str(), "ghost"}}}).json();
        QVERIFY2(both["cleared"] == 1, both.dump().c_str());
        QVERIFY2(both["unchanged"] == 2, both.dump().c_str());
        QVERIFY(both["skippedTerminal"] == 0);
        QVERIFY(both["lockoutsCleared"] == 0);
        QVERIFY(cooldowns().empty());
    }

    void everyCooldownCanBeEndedAtOnce()
    {
        QCOMPARE(chat("mix").status, 200);
        QCOMPARE(cooldowns().size(), std::size_t(1));
        QVERIFY(call("POST", "/api/resilience/cooldowns", {{"all", true}, {"provider", "openai"}}).json()["cleared"] == 0);
        QCOMPARE(cooldowns().size(), std::size_t(1));
        QVERIFY(call("POST", "/api/resilience/cooldowns", {{"all", true}}).json()["cleared"] == 1);
        QVERIFY(cooldowns().empty());
        QCOMPARE(call("POST", "/api/resilience/cooldowns", {{"all", true}, {"provider", "nobody"}}).status, 404);
    }

    void resetCanAlsoEndCooldowns()
    {
        QCOMPARE(chat("mix").status, 200);
        QVERIFY(call("POST", "/api/resilience/reset").json()["ok"] == true);
        QCOMPARE(cooldowns().size(), std::size_t(1));
        const HttpReply reset = call("POST", "/api/resilience/reset", {{"connectionId", m_limited.str()}});
        QCOMPARE(reset.status, 200);
        QVERIFY(reset.json()["cleared"] == 1);
        QVERIFY(cooldowns().empty());
        QCOMPARE(chat("mix").status, 200);
        QVERIFY(call("POST", "/api/resilience/reset", {{"allCooldowns", true}}).json()["cleared"] == 1);
        QCOMPARE(call("POST", "/api/resilience/reset", {{"connectionId", "ghost"}}).status, 404);
        QCOMPARE(call("POST", "/api/resilience/reset", {{"provider", "nobody"}}).status, 404);
        QCOMPARE(call("POST", "/api/resilience/reset", {{"provider", "openai"}, {"connectionId", m_limited.str()}}).status, 400);
    }

    void anOpenBreakerIsToldAndReset()
    {
        // Takes effect at once: the same failure on three connections opens the provider's breaker.
        const json thresholds = {{"degradationThreshold", 1}, {"failureThreshold", 3}};
        QCOMPARE(call("PATCH", "/api/resilience", {{"providerBreaker", {{"apikey", thresholds}}}}).status, 200);
        QVERIFY(chat("sandbox/503").status >= 500);
        const json breakers = call("GET", "/api/monitoring/health").json()["providerBreakers"];
        QCOMPARE(breakers.size(), std::size_t(1));
        QVERIFY2(breakers[0]["state"] == "OPEN", breakers.dump().c_str());
        QVERIFY(breakers[0]["provider"] == "sandbox");
        QVERIFY(breakers[0]["retryAfterMs"].get<std::int64_t>() > 0);
        QVERIFY(!breakers[0]["history"].empty());
        QVERIFY(breakers[0]["evidence"]["status"] == 503);
        HttpClient stranger(m_fixture->port());
        QVERIFY(stranger.get("/api/monitoring/health").json()["status"] == "degraded");
        const json view = call("GET", "/api/resilience/connections?provider=sandbox").json();
        QVERIFY(view["connections"][0]["connectionStatus"] == "circuit_open");
        QVERIFY(view["meta"]["unhealthyBreakerCount"] == 1);
        QVERIFY(call("GET", "/api/resilience?include=breakers").json()["breakers"][0]["state"] == "OPEN");

        const HttpReply reset = call("DELETE", "/api/monitoring/health");
        QCOMPARE(reset.status, 200);
        QVERIFY(reset.json()["success"] == true);
        QVERIFY(reset.json()["resetCount"].get<int>() >= 1);
        QVERIFY(stranger.get("/api/monitoring/health").json()["status"] == "healthy");
        call("POST", "/api/resilience/reset", {{"allCooldowns", true}});
    }

    void healthTellsTheWhole()
    {
        const HttpReply reply = call("GET", "/api/monitoring/health");
        QCOMPARE(reply.status, 200);
        const json body = reply.json();
        for (const char* key :
             {"status", "system", "listener", "providerBreakers", "providerHealth", "providerSummary", "connections", "lockouts",
              "providerCooldowns", "store"})
            QVERIFY2(body.contains(key), key);
        QVERIFY(body["listener"]["port"] == m_fixture->port());
        QVERIFY(body["connections"]["total"].get<int>() >= 2);
        QVERIFY(body["system"]["memoryUsage"]["rss"].get<std::int64_t>() > 1'000'000);
    }

    void statusTellsVersionListenerStoreAndSecrets()
    {
        const json body = call("GET", "/api/status").json();
        QVERIFY(!body["version"].get<std::string>().empty());
        QVERIFY(body["listener"]["phase"] == "serving");
        QVERIFY(body["listener"]["baseUrl"] == m_fixture->url() + "/v1");
        QVERIFY(body["store"]["failedWrites"] == 0);
        QVERIFY(body["secrets"]["protection"].is_string());
        QVERIFY(body["secrets"]["locked"] == false);
    }

    void theCatalogueHasEveryProvider()
    {
        const json providers = call("GET", "/api/catalogue").json()["providers"];
        std::set<std::string> ids;
        for (const json& provider : providers)
            ids.insert(provider["id"]);
        QVERIFY(ids.size() > 20);
        for (const char* id : {"openai", "anthropic", "sandbox"})
            QVERIFY2(ids.contains(id), id);
    }

    void metricsAreForPrometheus()
    {
        const HttpReply reply = call("GET", "/metrics");
        QCOMPARE(reply.status, 200);
        QVERIFY(reply.header("content-type").starts_with("text/plain; version=0.0.4"));
        QVERIFY(reply.body.find("# TYPE ") != std::string::npos);
        QVERIFY(reply.body.ends_with("\n"));
    }

    void theLogIsListedFilteredAndPaged()
    {
        const std::string since = "from=" + std::to_string(QDateTime::currentMSecsSinceEpoch());
        for (int i = 0; i < 5; ++i)
            QCOMPARE(chat("sandbox/ok").status, 200);
        QVERIFY(chat("sandbox/500").status >= 500);
        call("POST", "/api/resilience/reset", {{"allCooldowns", true}});  // the 500 reached every connection
        const json all = logs(since + "&text=sandbox&count=true", 6);
        QVERIFY(all.is_object());
        QVERIFY(all["total"] == 6);
        const json failed = logs(since + "&failures=true", 1);
        QCOMPARE(failed["logs"].size(), std::size_t(1));
        QVERIFY(failed["logs"][0]["requestedModel"] == "sandbox/500");
        QVERIFY(failed["logs"][0]["outcome"] != "answered");

        std::set<std::string> ids;
        std::string cursor;
        int pages = 0;
        for (; pages < 10; ++pages) {
            const json page = call("GET", "/api/usage/request-logs?limit=4&" + since + cursor).json();
            for (const json& row : page["logs"])
                ids.insert(row["id"]);
            if (page["nextCursor"].is_null())
                break;
            cursor = "&cursor=" + page["nextCursor"].get<std::string>();
        }
        QCOMPARE(ids.size(), std::size_t(6));
        QVERIFY(pages >= 1);
        QVERIFY(call("GET", "/api/usage/request-logs?from=2040-01-01T00:00:00Z").json()["logs"].empty());
        QVERIFY(call("GET", "/api/usage/request-logs?outcome=client_gone").json()["logs"].empty());

        QCOMPARE(call("POST", "/api/settings/purge-request-history").status, 200);
        QVERIFY(call("GET", "/api/usage/request-logs").json()["logs"].empty());
    }

    void oneRequestIsToldWithItsAttempts()
    {
        call("POST", "/api/resilience/cooldowns", {{"all", true}});
        QCOMPARE(chat("mix").status, 200);
        const json page = logs("text=mix&limit=1", 1);
        QVERIFY(page.is_object());
        const HttpReply reply = call("GET", "/api/usage/request-logs/" + page["logs"][0]["id"].get<std::string>());
        QCOMPARE(reply.status, 200);
        const json record = reply.json();
        QVERIFY2(record["attempts"].size() == 2, record.dump().c_str());
        QVERIFY(record["attempts"][0]["status"] == 429);
        QVERIFY(record["attempts"][0]["success"] == false);
        QVERIFY(record["attempts"][1]["success"] == true);
        QVERIFY(record["client"] == "monitoring-test");
        QVERIFY(record["durationMs"].get<double>() > 0);
        QVERIFY(reply.body.find("sandbox-") == std::string::npos || reply.body.find("Bearer sandbox-") == std::string::npos);
        QCOMPARE(call("GET", "/api/usage/request-logs/0000000000000000").status, 404);
    }

    void manyReadersAreServedWhileOthersLeave()
    {
        const std::string token = m_fixture->managementToken();
        for (int i = 0; i < 30; ++i) {
            HttpClient impatient(m_fixture->port());
            QVERIFY(impatient.connectNow());
            impatient.sendRequest("GET", "/api/usage/request-logs?count=true", {{"Authorization", "Bearer " + token}});
            QVERIFY(impatient.waitForWritten());
            if (i % 2 == 0)
                impatient.reset();
            else
                QCOMPARE(impatient.readReply().status, 200);
        }
    }

    void shutdownIsAskedFor()
    {
        QSignalSpy asked(&m_fixture->runtime(), &Runtime::shutdownRequested);
        const HttpReply reply = call("POST", "/api/shutdown");
        QCOMPARE(reply.status, 202);
        QTRY_COMPARE(asked.size(), 1);
    }
};

OMNI_TEST(ManagementMonitoringTest)
#include "management_monitoring_test.moc"
