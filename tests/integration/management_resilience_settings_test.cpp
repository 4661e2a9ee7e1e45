#include "program/test_program.h"
#include "support/http_client.h"
#include "support/runtime_fixture.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <set>

using namespace omni;
using namespace omni::test;
using nlohmann::json;

namespace {

std::set<std::string> keysOf(const json& object)
{
    std::set<std::string> keys;
    for (const auto& [key, value] : object.items())
        keys.insert(key);
    return keys;
}

/// What is said of the field.
std::string messageOf(const HttpReply& reply, const std::string& field)
{
    const json body = reply.json();
    if (!body.is_object() || !body["error"].is_object() || !body["error"].contains("details"))
        return {};
    for (const json& detail : body["error"]["details"])
        if (detail["field"] == field)
            return detail["message"];
    return {};
}

}  // namespace

/// The settings of the resilience engine through the management API, and what it refuses there and in requests that end holds.
class ManagementResilienceSettingsTest : public QObject {
    Q_OBJECT

    std::unique_ptr<RuntimeFixture> m_fixture;
    std::unique_ptr<HttpClient> m_client;

    HttpReply call(std::string_view method, std::string_view path, const json& body = {})
    {
        if (body.is_null())
            return m_client->request(method, path);
        return m_client->request(method, path, {{"Content-Type", "application/json"}}, body.dump());
    }

    void connectClient()
    {
        m_client = std::make_unique<HttpClient>(m_fixture->port());
        m_client->setDefaultHeaders({{"Authorization", "Bearer " + m_fixture->managementToken()}});
    }

private Q_SLOTS:
    void initTestCase()
    {
        m_fixture = std::make_unique<RuntimeFixture>();
        QVERIFY2(m_fixture->start(), m_fixture->error().c_str());
        connectClient();
    }

    void cleanupTestCase()
    {
        m_client.reset();
        m_fixture.reset();
    }

    void refused_data()
    {
        QTest::addColumn<QByteArray>("method");
        QTest::addColumn<QByteArray>("path");
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QByteArray>("field");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char* name, const char* method, const char* path, const char* body, const char* field, const char* says) {
            QTest::newRow(name) << QByteArray(method) << QByteArray(path) << QByteArray(body) << QByteArray(field) << QByteArray(says);
        };
        const auto unlock = [&row](const char* name, const char* body, const char* field, const char* says) {
            row(name, "DELETE", "/api/resilience/model-cooldowns", body, field, says);
        };
        unlock("unlock nothing", "{}", "body", "either");
        unlock("unlock without a body", "", "body", "either");
        unlock("unlock all: false", R"({"all":false})", "body", "either");
        unlock("unlock both ways", R"({"all":true,"provider":"sandbox","model":"m"})", "body", "either");
        unlock("unlock without a model", R"({"provider":"sandbox"})", "model", "name of a model");
        unlock("unlock without a provider", R"({"model":"m"})", "provider", "id of a provider");
        unlock("unlock a number", R"({"provider":"sandbox","model":5})", "model", "text");
        unlock("unlock an empty connection", R"({"provider":"sandbox","model":"m","connection":""})", "connection", "leave it out");
        unlock("unlock an empty connectionId", R"({"provider":"sandbox","model":"m","connectionId":""})", "connectionId", "leave it out");
        unlock("unlock two connections", R"({"provider":"sandbox","model":"m","connection":"a","connectionId":"b"})", "connectionId",
               "another");
        unlock("unlock an unknown field", R"({"all":true,"colour":1})", "colour", "Unknown");
        unlock("unlock a word for all", R"({"all":"yes"})", "all", "true or false");
        unlock("unlock broken JSON", R"({"all":)", "body", "Invalid JSON body");
        row("limit", "GET", "/api/resilience/model-cooldowns?limit=0", "", "limit", "from 1 to 1000");
        row("offset", "GET", "/api/resilience/model-cooldowns?offset=x", "", "offset", "from 0");
        row("unknown parameter", "GET", "/api/resilience/model-cooldowns?colour=red", "", "colour", "Unknown");
        row("rate limits by colour", "GET", "/api/rate-limits?colour=red", "", "colour", "Unknown");
        row("include", "GET", "/api/resilience?include=magic", "", "include", "breakers");

        const auto patch = [&row](const char* name, const char* body, const char* field, const char* says) {
            row(name, "PATCH", "/api/resilience", body, field, says);
        };
        patch("empty patch", "{}", "body", "something to change");
        patch("empty section", R"({"connectionCooldown":{}})", "body", "nothing to change");
        patch("unknown section", R"({"magic":{}})", "magic", "not a setting");
        patch("unknown field", R"({"providerCooldown":{"colour":1}})", "providerCooldown.colour", "not a setting");
        patch("section of the wrong type", R"({"providerBreaker":5})", "providerBreaker", "object");
        patch("path in one key", R"({"providerBreaker.oauth.failureThreshold":5})", "providerBreaker.oauth.failureThreshold",
              "not a setting");
        patch("base cooldown", R"({"connectionCooldown":{"oauth":{"baseCooldownMs":86400001}}})",
              "connectionCooldown.oauth.baseCooldownMs", "from 0 to 86400000");
        patch("negative base", R"({"connectionCooldown":{"apikey":{"baseCooldownMs":-1}}})", "connectionCooldown.apikey.baseCooldownMs",
              "from 0 to 86400000");
        patch("backoff steps", R"({"connectionCooldown":{"apikey":{"maxBackoffSteps":33}}})", "connectionCooldown.apikey.maxBackoffSteps",
              "from 0 to 32");
        patch("hints", R"({"connectionCooldown":{"apikey":{"useUpstreamRetryHints":null}}})",
              "connectionCooldown.apikey.useUpstreamRetryHints", "true or false");
        patch("breaker hints", R"({"connectionCooldown":{"apikey":{"useUpstream429BreakerHints":"no"}}})",
              "connectionCooldown.apikey.useUpstream429BreakerHints", "null");
        patch("failure threshold", R"({"providerBreaker":{"oauth":{"failureThreshold":1001}}})",
              "providerBreaker.oauth.failureThreshold", "from 1 to 1000");
        patch("reset timeout", R"({"providerBreaker":{"apikey":{"resetTimeoutMs":999}}})", "providerBreaker.apikey.resetTimeoutMs",
              "from 1000 to 86400000");
        patch("degradation not below failure", R"({"providerBreaker":{"oauth":{"degradationThreshold":8,"failureThreshold":8}}})",
              "providerBreaker.oauth.degradationThreshold", "lower than the failure threshold of 8");
        patch("the local profile is not offered", R"({"providerBreaker":{"local":{"failureThreshold":3}}})", "providerBreaker.local",
              "not a setting");
        patch("stall switch", R"({"streamStallCooldown":{"enabled":1}})", "streamStallCooldown.enabled", "true or false");
        patch("shortest provider cooldown", R"({"providerCooldown":{"minRetryCooldownMs":3600001}})",
              "providerCooldown.minRetryCooldownMs", "from 0 to 3600000");
        patch("longest below shortest", R"({"providerCooldown":{"minRetryCooldownMs":5000,"maxRetryCooldownMs":4999}})",
              "providerCooldown.maxRetryCooldownMs", "at least the 5000 of providerCooldown.minRetryCooldownMs");
        patch("reset hour", R"({"dailyReset":{"hour":24}})", "dailyReset.hour", "from 0 to 23");
        patch("reset zone", R"({"dailyReset":{"timeZone":"Mars\/Olympus"}})", "dailyReset.timeZone", "time zone");
        patch("probes", R"({"probeCanDisable":"yes"})", "probeCanDisable", "true or false");
        patch("lockouts are elsewhere", R"({"modelLockout":{"enabled":true}})", "modelLockout", "/api/settings");
        patch("rules are elsewhere", R"({"providerErrorRules":{}})", "providerErrorRules", "/api/settings");
        patch("no queue yet", R"({"requestQueue":{"maxWaitMs":1}})", "requestQueue", "not a setting");

        const auto setting = [&row](const char* name, const char* body, const char* field, const char* says) {
            row(name, "PATCH", "/api/settings", body, field, says);
        };
        setting("lockout base", R"({"modelLockout":{"baseCooldownMs":4999}})", "modelLockout.baseCooldownMs", "from 5000 to 600000");
        setting("lockout end", R"({"modelLockout":{"baseCooldownMs":60000,"maxCooldownMs":30000}})", "modelLockout.maxCooldownMs",
                "at least the 60000");
        setting("lockout steps", R"({"modelLockout":{"maxBackoffSteps":21}})", "modelLockout.maxBackoffSteps", "from 0 to 20");
        setting("lockout codes", R"({"modelLockout":{"errorCodes":[429,600]}})", "modelLockout.errorCodes[1]", "from 100 to 599");
        setting("rule status", R"({"providerErrorRules":{"openai":[{"status":400,"match":"x","scope":"model"}]}})",
                "providerErrorRules.openai[0].status", "400");
        setting("rule scope", R"({"providerErrorRules":{"openai":[{"status":429,"match":"x","scope":"world"}]}})",
                "providerErrorRules.openai[0].scope", "connection");
        setting("ban word", R"({"customBannedSignals":[""]})", "customBannedSignals", "1 to 200");
        setting("ban scope", R"({"autoDisableBannedAccounts":{"scope":"some"}})", "autoDisableBannedAccounts.scope", "subscription");
        setting("empty section of settings", R"({"modelLockout":{}})", "body", "nothing to change");
        row("PUT is checked alike", "PUT", "/api/settings", R"({"modelLockout":{"maxBackoffSteps":-1}})", "modelLockout.maxBackoffSteps",
            "from 0 to 20");
    }

    void refused()
    {
        QFETCH(QByteArray, method);
        QFETCH(QByteArray, path);
        QFETCH(QByteArray, body);
        QFETCH(QByteArray, field);
        QFETCH(QByteArray, says);
        const json before = call("GET", "/api/settings").json();
        const HttpReply reply =
            m_client->request(method.toStdString(), path.toStdString(), {{"Content-Type", "application/json"}}, body.toStdString());
        QCOMPARE(reply.status, 400);
        QVERIFY(reply.json()["error"]["message"] == "Invalid request");
        QVERIFY2(messageOf(reply, field.toStdString()).find(says.toStdString()) != std::string::npos, reply.body.c_str());
        QVERIFY2(reply.body.find("resilience.") == std::string::npos, reply.body.c_str());
        QVERIFY(call("GET", "/api/settings").json() == before);
    }

    void theSectionsAreTheOnesWithAMechanism()
    {
        const json whole = call("GET", "/api/resilience").json();
        QVERIFY2(keysOf(whole)
                     == (std::set<std::string>{"connectionCooldown", "providerBreaker", "streamStallCooldown", "providerCooldown",
                                               "dailyReset", "probeCanDisable"}),
                 whole.dump().c_str());
        for (const char* section : {"connectionCooldown", "providerBreaker"})
            QVERIFY(keysOf(whole[section]) == (std::set<std::string>{"oauth", "apikey"}));
        QVERIFY(whole["providerCooldown"]["enabled"] == false);
        QVERIFY(whole["streamStallCooldown"]["enabled"] == false);
    }

    void aPatchChangesWhatItNames_data()
    {
        QTest::addColumn<QByteArray>("patch");
        QTest::newRow("base of oauth") << QByteArray(R"({"connectionCooldown":{"oauth":{"baseCooldownMs":6000}}})");
        QTest::newRow("steps of both") << QByteArray(
            R"({"connectionCooldown":{"oauth":{"maxBackoffSteps":4},"apikey":{"maxBackoffSteps":3}}})");
        QTest::newRow("breaker hints on") << QByteArray(R"({"connectionCooldown":{"apikey":{"useUpstream429BreakerHints":true}}})");
        QTest::newRow("breaker hints as the provider has them")
            << QByteArray(R"({"connectionCooldown":{"apikey":{"useUpstream429BreakerHints":null}}})");
        QTest::newRow("breaker") << QByteArray(
            R"({"providerBreaker":{"oauth":{"degradationThreshold":4,"failureThreshold":9,"resetTimeoutMs":61000}}})");
        QTest::newRow("stall") << QByteArray(R"({"streamStallCooldown":{"enabled":true}})");
        QTest::newRow("provider cooldown") << QByteArray(R"({"providerCooldown":{"minRetryCooldownMs":0,"maxRetryCooldownMs":60000}})");
        QTest::newRow("daily reset") << QByteArray(R"({"dailyReset":{"timeZone":"Asia\/Dhaka","hour":6}})");
        QTest::newRow("probes and stall") << QByteArray(R"({"probeCanDisable":true,"streamStallCooldown":{"enabled":false}})");
    }

    void aPatchChangesWhatItNames()
    {
        QFETCH(QByteArray, patch);
        const json before = call("GET", "/api/resilience").json();
        const json named = json::parse(patch.toStdString());
        const HttpReply reply = call("PATCH", "/api/resilience", named);
        QCOMPARE(reply.status, 200);
        json answer = reply.json();
        QVERIFY(answer["ok"] == true);
        answer.erase("ok");
        json expected = before;
        const json leaves = named.flatten();
        for (const auto& [path, value] : leaves.items())
            expected[json::json_pointer(path)] = value;
        QVERIFY2(answer == expected, answer.dump().c_str());
        QVERIFY(call("GET", "/api/resilience").json() == expected);
        QVERIFY(call("GET", "/api/settings").json()["resilience"] == expected);
        QCOMPARE(call("PATCH", "/api/resilience", before).status, 200);
        QVERIFY(call("GET", "/api/resilience").json() == before);
    }

    void whatIsKeptBesideTheSectionGoesThroughSettings()
    {
        const json before = call("GET", "/api/settings").json();
        QVERIFY(before["modelLockout"]["enabled"] == false);
        QVERIFY(before["modelLockout"]["errorCodes"] == json::array({403, 404, 429, 502, 503, 504}));
        const json patch = {
            {"modelLockout", {{"enabled", true}, {"errorCodes", {503, 429, 503}}, {"maxBackoffSteps", 4}}},
            {"providerErrorRules", {{"openai", {{{"status", 429}, {"match", "weekly"}, {"scope", "model"}, {"cooldownMs", 60'000}}}}}},
            {"customBannedSignals", {"Account Closed"}},
            {"autoDisableBannedAccounts", {{"enabled", true}, {"scope", "subscription"}}}};
        const HttpReply changed = call("PATCH", "/api/settings", patch);
        QVERIFY2(changed.status == 200, changed.body.c_str());
        const json now = changed.json();
        QVERIFY(now["modelLockout"]["enabled"] == true);
        QVERIFY(now["modelLockout"]["errorCodes"] == json::array({429, 503}));
        QVERIFY(now["modelLockout"]["baseCooldownMs"] == before["modelLockout"]["baseCooldownMs"]);
        QVERIFY(now["providerErrorRules"]["openai"][0]["reason"] == "quota_exhausted");
        QVERIFY(now["providerErrorRules"]["openai"][0]["cooldownMs"] == 60'000);
        QVERIFY(now["customBannedSignals"] == json::array({"account closed"}));
        QVERIFY(now["autoDisableBannedAccounts"]["scope"] == "subscription");
        QVERIFY(now["resilience"] == before["resilience"]);
        QVERIFY(call("PUT", "/api/settings", {{"modelLockout", {{"enabled", false}}}}).json()["modelLockout"]["maxBackoffSteps"] == 4);

        m_client->close();
        m_fixture->stop();
        QVERIFY2(m_fixture->start(), m_fixture->error().c_str());
        connectClient();
        json restarted = call("GET", "/api/settings").json();
        QVERIFY(restarted["modelLockout"]["enabled"] == false);
        QVERIFY(restarted["modelLockout"]["errorCodes"] == now["modelLockout"]["errorCodes"]);
        for (const char* section : {"providerErrorRules", "customBannedSignals", "autoDisableBannedAccounts"})
            QVERIFY2(restarted[section] == now[section], section);

        json back;
        for (const char* section : {"modelLockout", "customBannedSignals", "autoDisableBannedAccounts"})
            back[section] = before[section];
        back["providerErrorRules"] = nullptr;
        QCOMPARE(call("PATCH", "/api/settings", back).status, 200);
        QVERIFY(call("GET", "/api/settings").json() == before);
    }
};

OMNI_TEST(ManagementResilienceSettingsTest)
#include "management_resilience_settings_test.moc"
