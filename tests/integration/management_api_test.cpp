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

const std::string kSecret = "sk-test-0123456789abcdefghijklmnop";
const std::string kOtherSecret = "sk-test-zyxwvutsrqponmlk9876543210";
const std::string kProxyPassword = "user:proxy-pass-4711-never-told";

std::set<std::string> fieldsOf(const HttpReply& reply)
{
    std::set<std::string> fields;
    const json body = reply.json();
    if (!body.is_object() || !body.contains("error") || !body["error"].contains("details"))
        return fields;
    for (const json& detail : body["error"]["details"])
        fields.insert(detail.value("field", ""));
    return fields;
}

std::set<std::string> keysOf(const json& object)
{
    std::set<std::string> keys;
    for (const auto& [key, value] : object.items())
        keys.insert(key);
    return keys;
}

}  // namespace

/// Configuration through the management API, over real HTTP: shapes, refusals, and that no secret ever comes back.
class ManagementApiTest : public QObject {
    Q_OBJECT

    std::unique_ptr<RuntimeFixture> m_fixture;
    std::unique_ptr<HttpClient> m_client;
    int m_names = 0;

    HttpReply call(std::string_view method, std::string_view path, const json& body = {})
    {
        if (body.is_null())
            return m_client->request(method, path);
        return m_client->request(method, path, {{"Content-Type", "application/json"}}, body.dump());
    }

    std::string freshName(const std::string& stem) { return stem + "-" + std::to_string(++m_names); }

    json newConnection(json extra = {})
    {
        json body = {{"provider", "openai"}, {"name", freshName("Test")}, {"apiKey", kSecret}};
        body.update(extra.is_null() ? json::object() : extra);
        const HttpReply reply = call("POST", "/api/providers", body);
        return reply.status == 201 ? reply.json()["connection"] : json();
    }

private Q_SLOTS:
    void initTestCase()
    {
        RuntimeOptions options;
        options.offerSandbox = false;
        m_fixture = std::make_unique<RuntimeFixture>(options);
        QVERIFY2(m_fixture->start(), m_fixture->error().c_str());
        m_client = std::make_unique<HttpClient>(m_fixture->port());
        m_client->setDefaultHeaders({{"Authorization", "Bearer " + m_fixture->managementToken()}});
    }

    void cleanupTestCase()
    {
        m_client.reset();
        m_fixture.reset();
    }

    // ---- access

    void nothingWithoutTheToken_data()
    {
        QTest::addColumn<QByteArray>("method");
        QTest::addColumn<QByteArray>("path");
        const auto row = [](const char* method, const char* path) {
            QTest::addRow("%s %s", method, path) << QByteArray(method) << QByteArray(path);
        };
        row("GET", "/api/providers");
        row("POST", "/api/providers");
        row("GET", "/api/providers/x");
        row("POST", "/api/providers/validate");
        row("GET", "/api/provider-nodes");
        row("GET", "/api/combos");
        row("GET", "/api/models/alias");
        row("GET", "/api/keys");
        row("POST", "/api/keys");
        row("GET", "/api/settings");
        row("PATCH", "/api/settings");
        row("GET", "/api/resilience");
        row("PATCH", "/api/resilience");
        row("POST", "/api/resilience/reset");
        row("GET", "/api/resilience/cooldowns");
        row("POST", "/api/resilience/cooldowns");
        row("GET", "/api/resilience/model-cooldowns");
        row("DELETE", "/api/resilience/model-cooldowns");
        row("GET", "/api/rate-limits");
        row("GET", "/api/resilience/connections");
        row("DELETE", "/api/monitoring/health");
        row("GET", "/api/usage/request-logs");
        row("POST", "/api/settings/purge-request-history");
        row("GET", "/api/status");
        row("GET", "/api/catalogue");
        row("GET", "/metrics");
        row("POST", "/api/shutdown");
        row("GET", "/api/no/such/thing");
    }

    void nothingWithoutTheToken()
    {
        QFETCH(QByteArray, method);
        QFETCH(QByteArray, path);
        HttpClient stranger(m_fixture->port());
        const HttpReply none = stranger.request(method.toStdString(), path.toStdString());
        QCOMPARE(none.status, 401);
        QVERIFY(none.json()["error"]["code"] == "AUTH_001");
    }

    /// Credentials that are there but wrong: 403 (spec 4-surfaces §3.1).
    void wrongCredentialsAreForbidden()
    {
        HttpClient stranger(m_fixture->port());
        QCOMPARE(stranger.get("/api/providers", {{"Authorization", "Bearer " + std::string(64, '0')}}).status, 403);
        QCOMPARE(stranger.get("/metrics", {{"x-api-key", "sk-unknown"}}).status, 403);
    }

    void anonymousHealthIsOneWord()
    {
        HttpClient stranger(m_fixture->port());
        const HttpReply reply = stranger.get("/api/monitoring/health");
        QCOMPARE(reply.status, 200);
        QCOMPARE(keysOf(reply.json()), std::set<std::string>{"status"});
        QVERIFY(reply.json()["status"] == "healthy");
        QCOMPARE(stranger.request("HEAD", "/api/monitoring/health").status, 200);
    }

    void keysManageOnlyWithTheScope()
    {
        const std::string plain = m_fixture->addApiKey(freshName("plain"));
        const std::string manager = m_fixture->addApiKey(freshName("manager"), {"manage"});
        HttpClient client(m_fixture->port());
        QCOMPARE(client.get("/api/providers", {{"Authorization", "Bearer " + plain}}).status, 403);
        QCOMPARE(client.get("/api/providers", {{"Authorization", "Bearer " + manager}}).status, 200);
        QCOMPARE(client.get("/api/providers", {{"x-api-key", manager}}).status, 200);
    }

    void aForeignPageIsRefusedEvenWithTheToken()
    {
        QCOMPARE(m_client->get("/api/providers", {{"Origin", "https://evil.example"}}).status, 403);
        m_client->close();
        QCOMPARE(m_client->get("/api/providers", {{"Host", "evil.example"}}).status, 403);
        m_client->close();
    }

    // ---- the frame

    void unknownPathsAndMethods()
    {
        QCOMPARE(call("GET", "/api/no/such/thing").status, 404);
        QCOMPARE(call("GET", "/api/providers/").status, 404);
        const HttpReply reply = call("DELETE", "/api/settings");
        QCOMPARE(reply.status, 405);
        QVERIFY(reply.json()["error"]["code"] == "method_not_allowed");
        for (const char* method : {"GET", "PATCH", "PUT"})
            QVERIFY(reply.header("allow").find(method) != std::string::npos);
    }

    void everyAnswerHasARequestIdAndIsNotCached()
    {
        const HttpReply fresh = call("GET", "/api/providers");
        QVERIFY(!fresh.header("x-request-id").empty());
        QCOMPARE(fresh.header("cache-control"), std::string("no-store"));
        QCOMPARE(fresh.header("content-type"), std::string("application/json"));
        QCOMPARE(m_client->get("/api/providers", {{"x-request-id", "mine-42"}}).header("x-request-id"), std::string("mine-42"));
        QVERIFY(m_client->get("/api/providers", {{"x-request-id", "<script>"}}).header("x-request-id") != "<script>");
    }

    void bodiesMustBeJsonObjects()
    {
        const HttpReply broken = m_client->request("POST", "/api/providers", {{"Content-Type", "application/json"}}, "{\"provider\":");
        QCOMPARE(broken.status, 400);
        QVERIFY(broken.json()["error"]["message"] == "Invalid request");
        QVERIFY(broken.json()["error"]["details"] == json::array({{{"field", "body"}, {"message", "Invalid JSON body"}}}));
        QCOMPARE(fieldsOf(call("POST", "/api/providers", json::array({1}))), std::set<std::string>{"body"});
        QCOMPARE(m_client->request("POST", "/api/providers", {{"Content-Type", "text/plain"}}, "{}").status, 415);
        QCOMPARE(m_client->request("POST", "/api/combos", {{"Content-Type", "application/json"}},
                                   "{\"name\":\"" + std::string(1024 * 1024, 'a') + "\"}").status, 413);
    }

    void refusedFields_data()
    {
        QTest::addColumn<QByteArray>("method");
        QTest::addColumn<QByteArray>("path");
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QByteArray>("field");
        // "\/" for "/": moc takes "//" in a raw string for a comment.
        const auto row = [](const char* name, const char* method, const char* path, const char* body, const char* field) {
            QTest::newRow(name) << QByteArray(method) << QByteArray(path) << QByteArray(body) << QByteArray(field);
        };
        row("unknown field", "POST", "/api/providers", R"({"provider":"openai","name":"a","apiKey":"k","colour":1})", "colour");
        row("unknown provider", "POST", "/api/providers", R"({"provider":"nobody","name":"a"})", "provider");
        row("no provider", "POST", "/api/providers", R"({"name":"a"})", "provider");
        row("no key", "POST", "/api/providers", R"({"provider":"openai","name":"a"})", "apiKey");
        row("mask as key", "POST", "/api/providers", R"({"provider":"openai","name":"a","apiKey":"sk-…9f2c"})", "apiKey");
        row("name of the wrong type", "POST", "/api/providers", R"({"provider":"openai","name":5,"apiKey":"k"})", "name");
        row("priority 0", "POST", "/api/providers", R"({"provider":"openai","name":"a","apiKey":"k","priority":0})", "priority");
        row("priority 1.5", "POST", "/api/providers", R"({"provider":"openai","name":"a","apiKey":"k","priority":1.5})", "priority");
        row("huge priority", "POST", "/api/providers",
            R"({"provider":"openai","name":"a","apiKey":"k","priority":99999999999})", "priority");
        row("base URL", "POST", "/api/providers", R"({"provider":"openai","name":"a","apiKey":"k","baseUrl":"ftp:\/\/x"})", "baseUrl");
        row("proxy URL", "POST", "/api/providers",
            R"({"provider":"openai","name":"a","apiKey":"k","proxyUrl":"gopher:\/\/x"})", "proxyUrl");
        row("read only", "POST", "/api/providers", R"({"provider":"openai","name":"a","apiKey":"k","id":"x"})", "id");
        row("bag", "POST", "/api/providers", R"({"provider":"openai","name":"a","apiKey":"k","providerSpecificData":{"x":1}})",
            "providerSpecificData.x");
        row("bulk without ids", "PATCH", "/api/providers", R"({"isActive":true})", "ids");
        row("bulk without isActive", "PATCH", "/api/providers", R"({"ids":["a"]})", "isActive");
        row("bulk with no ids", "DELETE", "/api/providers", R"({"ids":[]})", "ids");
        row("limit 0", "GET", "/api/providers?limit=0", "", "limit");
        row("offset -1", "GET", "/api/providers?offset=-1", "", "offset");
        row("unknown parameter", "GET", "/api/providers?colour=red", "", "colour");
        row("node type", "POST", "/api/provider-nodes", R"({"type":"gemini","name":"a","prefix":"a","baseUrl":"http:\/\/h/v1"})", "type");
        row("node prefix", "POST", "/api/provider-nodes", R"({"name":"a","prefix":"a b","baseUrl":"http:\/\/h/v1"})", "prefix");
        row("node header", "POST", "/api/provider-nodes",
            R"({"name":"a","prefix":"pfx","baseUrl":"http:\/\/h/v1","headers":{"Authorization":"Bearer x"}})", "headers");
        row("combo name", "POST", "/api/combos", R"({"name":"a b","models":["openai/gpt-4o"]})", "name");
        row("combo without models", "POST", "/api/combos", R"({"name":"ab"})", "models");
        row("combo model without slash", "POST", "/api/combos", R"({"name":"ab","models":["openai/gpt-4o","gpt"]})", "models[1]");
        row("combo provider", "POST", "/api/combos", R"({"name":"ab","models":["nobody/x"]})", "models[0].provider");
        row("combo step field", "POST", "/api/combos", R"({"name":"ab","models":[{"provider":"openai","model":"x","weight":5}]})",
            "models[0].weight");
        row("combo in a combo", "POST", "/api/combos",
            R"({"name":"ab","models":[{"kind":"combo-ref","comboName":"x"}]})", "models[0].kind");
        row("strategy", "POST", "/api/combos", R"({"name":"ab","strategy":"magic","models":["openai/gpt-4o"]})", "strategy");
        row("alias without model", "POST", "/api/models/alias", R"({"name":"a"})", "model");
        row("alias with a blank", "POST", "/api/models/alias", R"({"name":"a b","model":"openai/x"})", "name");
        row("key scope", "POST", "/api/keys", R"({"name":"a","scopes":["root"]})", "scopes");
        row("key models", "POST", "/api/keys", R"({"name":"a","allowedModels":"all"})", "allowedModels");
        row("key end in the past", "POST", "/api/keys", R"({"name":"a","expiresAt":"2020-01-01T00:00:00Z"})", "expiresAt");
        row("key end", "POST", "/api/keys", R"({"name":"a","expiresAt":"soon"})", "expiresAt");
        row("unknown setting", "PATCH", "/api/settings", R"({"proxy":{"colour":1}})", "proxy.colour");
        row("setting out of range", "PATCH", "/api/settings", R"({"proxy":{"port":70000}})", "proxy.port");
        row("empty settings patch", "PATCH", "/api/settings", "{}", "body");
        row("empty resilience patch", "PATCH", "/api/resilience", "{}", "body");
        row("resilience out of range", "PATCH", "/api/resilience", R"({"providerBreaker":{"apikey":{"failureThreshold":0}}})",
            "providerBreaker.apikey.failureThreshold");
        row("unknown resilience section", "PATCH", "/api/resilience", R"({"magic":{}})", "magic");
        row("cooldowns of nobody", "POST", "/api/resilience/cooldowns", "{}", "body");
        row("cooldowns of an empty list", "POST", "/api/resilience/cooldowns", R"({"connectionIds":[]})", "body");
        row("cooldowns both ways", "POST", "/api/resilience/cooldowns", R"({"connectionIds":["a"],"all":true})", "body");
        row("window", "GET", "/api/resilience/connections?windowMs=86400001", "", "windowMs");
        row("log limit", "GET", "/api/usage/request-logs?limit=501", "", "limit");
        row("log cursor", "GET", "/api/usage/request-logs?cursor=abc", "", "cursor");
        row("log outcome", "GET", "/api/usage/request-logs?outcome=fine", "", "outcome");
        row("log time", "GET", "/api/usage/request-logs?from=yesterday", "", "from");
    }

    void refusedFields()
    {
        QFETCH(QByteArray, method);
        QFETCH(QByteArray, path);
        QFETCH(QByteArray, body);
        QFETCH(QByteArray, field);
        const HttpReply reply =
            m_client->request(method.toStdString(), path.toStdString(), {{"Content-Type", "application/json"}}, body.toStdString());
        QCOMPARE(reply.status, 400);
        QVERIFY(reply.json()["error"]["message"] == "Invalid request");
        QVERIFY2(fieldsOf(reply).contains(field.toStdString()), reply.body.c_str());
    }

    // ---- connections

    void connectionLife()
    {
        const json made = newConnection({{"priority", 3}, {"proxyUrl", "socks5h://127.0.0.1:9"}, {"proxyPassword", kProxyPassword}});
        QVERIFY(made.is_object());
        const std::string path = "/api/providers/" + made["id"].get<std::string>();
        QVERIFY(made["provider"] == "openai");
        QVERIFY(made["priority"] == 3);
        QVERIFY(made["isActive"] == true);
        QVERIFY(made["hasProxyPassword"] == true);
        QVERIFY(made["testStatus"] == "unknown");
        QVERIFY(made["authType"] == "apikey");
        QVERIFY(made["apiKey"] != kSecret);
        QVERIFY(made["apiKey"].get<std::string>().ends_with("mnop"));

        QVERIFY(call("GET", path).json()["connection"] == made);
        const HttpReply renamed = call("PATCH", path, {{"name", "Renamed"}, {"apiKey", ""}, {"maxConcurrent", 4}});
        QCOMPARE(renamed.status, 200);
        QVERIFY(renamed.json()["connection"]["name"] == "Renamed");
        QVERIFY(renamed.json()["connection"]["maxConcurrent"] == 4);
        QVERIFY(renamed.json()["connection"]["apiKey"] == made["apiKey"]);
        // What was read may be written back: the mask keeps the key, null clears a limit.
        const HttpReply back = call("PUT", path, {{"apiKey", made["apiKey"]}, {"maxConcurrent", nullptr}});
        QCOMPARE(back.status, 200);
        QVERIFY(back.json()["connection"]["maxConcurrent"].is_null());
        QVERIFY(back.json()["connection"]["apiKey"] == made["apiKey"]);
        const HttpReply other = call("PUT", path, {{"apiKey", kOtherSecret}});
        QVERIFY(other.json()["connection"]["apiKey"] != made["apiKey"]);
        QCOMPARE(call("PUT", path, json::object()).status, 400);
        QCOMPARE(fieldsOf(call("PUT", path, {{"provider", "anthropic"}})), std::set<std::string>{"provider"});

        const HttpReply copy = call("POST", path + "/duplicate");
        QCOMPARE(copy.status, 201);
        QVERIFY(copy.json()["connection"]["isActive"] == false);

        const HttpReply removed = call("DELETE", path);
        QCOMPARE(removed.status, 200);
        QCOMPARE(call("GET", path).status, 404);
        QCOMPARE(call("DELETE", path).status, 404);
        const HttpReply restored = call("POST", "/api/providers/undo-delete", {{"undoToken", removed.json()["undoToken"]}});
        QCOMPARE(restored.status, 200);
        QVERIFY(restored.json()["connections"][0]["id"] == made["id"]);
        QCOMPARE(call("GET", path).status, 200);
        QCOMPARE(call("POST", "/api/providers/undo-delete", {{"undoToken", removed.json()["undoToken"]}}).status, 404);
    }

    void connectionsAreListedInPages()
    {
        for (int i = 0; i < 3; ++i)
            QVERIFY(newConnection({{"provider", "groq"}}).is_object());
        const json all = call("GET", "/api/providers?provider=groq").json();
        QVERIFY(all["total"] == 3);
        QCOMPARE(all["connections"].size(), std::size_t(3));
        const json page = call("GET", "/api/providers?provider=groq&limit=1&offset=1").json();
        QVERIFY(page["total"] == 3);
        QCOMPARE(page["connections"].size(), std::size_t(1));
        QVERIFY(page["connections"][0] == all["connections"][1]);
        QVERIFY(call("GET", "/api/providers?provider=nobody").json()["total"] == 0);
    }

    void manyConnectionsAtOnce()
    {
        const std::string first = newConnection()["id"];
        const std::string second = newConnection()["id"];
        const HttpReply off = call("PATCH", "/api/providers", {{"ids", {first, second, "ghost", first}}, {"isActive", false}});
        QCOMPARE(off.status, 200);
        QVERIFY(off.json()["updated"] == 2);
        QVERIFY(off.json()["notFound"] == json::array({"ghost"}));
        QVERIFY(call("GET", "/api/providers/" + first).json()["connection"]["isActive"] == false);
        const HttpReply gone = call("DELETE", "/api/providers", {{"ids", {first, second}}});
        QVERIFY(gone.json()["deleted"] == 2);
        QCOMPARE(call("GET", "/api/providers/" + second).status, 404);
        QVERIFY(call("DELETE", "/api/providers", {{"ids", {"ghost"}}}).json()["deleted"] == 0);
    }

    void anUnknownNodeIsNotFound()
    {
        const HttpReply reply = call("POST", "/api/providers", {{"provider", "openai-compatible-ghost"}, {"name", "x"}});
        QCOMPARE(reply.status, 404);
    }

    void testingTellsWhatWasFound()
    {
        // Nothing listens on port 1: the test runs and finds that.
        const json made = newConnection({{"baseUrl", "http://127.0.0.1:1/v1"}});
        const HttpReply reply = call("POST", "/api/providers/" + made["id"].get<std::string>() + "/test");
        QCOMPARE(reply.status, 200);
        QVERIFY(reply.json()["success"] == false);
        QVERIFY(!reply.json()["message"].get<std::string>().empty());
        const HttpReply unsaved = call("POST", "/api/providers/validate",
                                       {{"provider", "openai"}, {"name", "x"}, {"apiKey", kSecret}, {"baseUrl", "http://127.0.0.1:1/v1"}});
        QCOMPARE(unsaved.status, 200);
        QVERIFY(unsaved.json()["valid"] == false);
        QCOMPARE(call("POST", "/api/providers/ghost/test").status, 404);
    }

    void aClientThatLeavesWhileATestRunsHarmsNothing()
    {
        HttpClient impatient(m_fixture->port());
        QVERIFY(impatient.connectNow());
        for (int i = 0; i < 20; ++i) {
            QVERIFY(impatient.connectNow());
            impatient.sendRequest("POST", "/api/providers/validate",
                                  {{"Authorization", "Bearer " + m_fixture->managementToken()}, {"Content-Type", "application/json"}},
                                  R"({"provider":"openai","name":"x","apiKey":"k","baseUrl":"http:\/\/127.0.0.1:1/v1"})");
            QVERIFY(impatient.waitForWritten());
            impatient.reset();
        }
        QCOMPARE(call("GET", "/api/providers").status, 200);
    }

    // ---- endpoints, combos, aliases, keys

    void nodeLife()
    {
        const HttpReply made = call("POST", "/api/provider-nodes", {{"type", "anthropic-compatible"},
                                                                    {"name", "My endpoint"},
                                                                    {"prefix", "mine"},
                                                                    {"baseUrl", "http://127.0.0.1:9/v1"},
                                                                    {"headers", {{"X-Team", "blue"}}}});
        QVERIFY2(made.status == 201, made.body.c_str());
        const json node = made.json()["node"];
        const std::string id = node["id"];
        QVERIFY(id.starts_with("anthropic-compatible-"));
        QVERIFY(node["type"] == "anthropic-compatible");
        QVERIFY(node["headers"]["X-Team"] == "blue");
        QVERIFY(call("GET", "/api/provider-nodes/" + id).json()["node"] == node);
        QCOMPARE(call("GET", "/api/provider-nodes").json()["nodes"].size(), std::size_t(1));
        QVERIFY(call("PATCH", "/api/provider-nodes/" + id, {{"name", "Other"}}).json()["node"]["name"] == "Other");
        QCOMPARE(fieldsOf(call("PATCH", "/api/provider-nodes/" + id, {{"type", "openai-compatible"}})), std::set<std::string>{"type"});

        const json user = newConnection({{"provider", "mine"}});
        QVERIFY(user["provider"] == id);
        QCOMPARE(call("DELETE", "/api/provider-nodes/" + id).status, 409);
        QCOMPARE(call("DELETE", "/api/providers/" + user["id"].get<std::string>()).status, 200);
        QCOMPARE(call("DELETE", "/api/provider-nodes/" + id).status, 200);
        QCOMPARE(call("GET", "/api/provider-nodes/" + id).status, 404);
    }

    void comboLife()
    {
        const std::string connection = newConnection()["id"];
        const HttpReply made =
            call("POST", "/api/combos",
                 {{"name", "fast"}, {"models", {"openai/gpt-4o", {{"provider", "openai"}, {"model", "o3"}, {"connection", connection}}}}});
        QVERIFY2(made.status == 201, made.body.c_str());
        const json combo = made.json();
        const std::string path = "/api/combos/" + combo["id"].get<std::string>();
        QVERIFY(combo["strategy"] == "priority");
        QVERIFY(combo["models"][0]["model"] == "gpt-4o");
        QVERIFY(combo["models"][1]["connectionId"] == connection);
        QVERIFY(call("GET", path).json() == combo);
        QCOMPARE(call("GET", "/api/combos").json()["combos"].size(), std::size_t(1));
        QCOMPARE(fieldsOf(call("POST", "/api/combos", {{"name", "FAST"}, {"models", {"openai/x"}}})), std::set<std::string>{"name"});
        // A step that was read may be written back as it is.
        const HttpReply changed = call("PUT", path, {{"name", "faster"}, {"models", combo["models"]}});
        QVERIFY2(changed.status == 200, changed.body.c_str());
        QVERIFY(changed.json()["models"] == combo["models"]);
        QCOMPARE(call("DELETE", path).status, 200);
        QCOMPARE(call("DELETE", path).status, 404);
    }

    void aliasLife()
    {
        const HttpReply made = call("POST", "/api/models/alias", {{"name", "team/best"}, {"model", "openai/gpt-4o"}});
        QVERIFY2(made.status == 201, made.body.c_str());
        QCOMPARE(call("POST", "/api/models/alias", {{"name", "team/best"}, {"model", "openai/x"}}).status, 409);
        QVERIFY(call("GET", "/api/models/alias/team%2Fbest").json()["model"] == "openai/gpt-4o");
        QVERIFY(call("PUT", "/api/models/alias/team%2Fbest", {{"model", "openai/o3"}}).json()["model"] == "openai/o3");
        const HttpReply renamed = call("PUT", "/api/models/alias/team%2Fbest", {{"name", "x"}, {"model", "openai/o3"}});
        QCOMPARE(fieldsOf(renamed), std::set<std::string>{"name"});
        QCOMPARE(call("PATCH", "/api/models/alias/ghost", {{"model", "openai/o3"}}).status, 404);
        QCOMPARE(call("GET", "/api/models/alias").json()["aliases"].size(), std::size_t(1));
        QCOMPARE(call("DELETE", "/api/models/alias/team%2Fbest").status, 200);
        QCOMPARE(call("DELETE", "/api/models/alias/team%2Fbest").status, 404);
    }

    void keyLife()
    {
        const HttpReply made = call("POST", "/api/keys", {{"name", "Laptop"}, {"allowedModels", {"openai/*"}}, {"noLog", true}});
        QVERIFY2(made.status == 201, made.body.c_str());
        const std::string whole = made.json()["key"];
        const std::string path = "/api/keys/" + made.json()["id"].get<std::string>();
        QVERIFY(whole.starts_with("sk-"));
        QVERIFY(whole.size() > 40);
        const HttpReply read = call("GET", path);
        QVERIFY(read.body.find(whole) == std::string::npos);
        QVERIFY(read.json()["noLog"] == true);
        QVERIFY(read.json()["allowedModels"] == json::array({"openai/*"}));
        const HttpReply list = call("GET", "/api/keys");
        QVERIFY(list.body.find(whole) == std::string::npos);
        QVERIFY(list.json()["allowKeyReveal"] == false);
        QVERIFY(call("PATCH", path, {{"isActive", false}, {"expiresAt", "2040-01-01T00:00:00Z"}}).json()["isActive"] == false);
        QVERIFY(call("PATCH", path, {{"expiresAt", nullptr}}).json()["expiresAt"].is_null());
        QCOMPARE(fieldsOf(call("PATCH", path, {{"key", "sk-mine"}})), std::set<std::string>{"key"});
        QCOMPARE(call("DELETE", path).status, 200);
        QCOMPARE(call("GET", path).status, 404);
    }

    // ---- settings

    void settingsAreTheWholeDocument()
    {
        const json before = call("GET", "/api/settings").json();
        for (const char* section : {"proxy", "upstream", "log", "routing", "resilience", "appearance"})
            QVERIFY2(before[section].is_object(), section);
        const HttpReply changed = call("PATCH", "/api/settings", {{"routing", {{"roundRobin", true}}}, {"log", {{"maxAgeDays", 7}}}});
        QCOMPARE(changed.status, 200);
        QVERIFY(changed.json()["routing"]["roundRobin"] == true);
        QVERIFY(changed.json()["log"]["maxAgeDays"] == 7);
        QVERIFY(changed.json()["upstream"] == before["upstream"]);
        QVERIFY(call("GET", "/api/settings").json() == changed.json());
        QCOMPARE(call("PUT", "/api/settings", {{"routing", {{"roundRobin", false}}}}).status, 200);
    }

    void exposureNeedsKeys()
    {
        QCOMPARE(call("PATCH", "/api/settings", {{"proxy", {{"exposeToNetwork", true}}}}).status, 400);
        QVERIFY(call("GET", "/api/settings").json()["proxy"]["exposeToNetwork"] == false);
    }

    void resilienceIsAViewOfTheSettings()
    {
        const json before = call("GET", "/api/resilience").json();
        QVERIFY(before["providerBreaker"]["apikey"]["failureThreshold"] == 12);
        QVERIFY(before["connectionCooldown"]["apikey"]["baseCooldownMs"] == 3000);
        const HttpReply changed = call("PATCH", "/api/resilience", {{"connectionCooldown", {{"apikey", {{"baseCooldownMs", 4000}}}}}});
        QVERIFY2(changed.status == 200, changed.body.c_str());
        QVERIFY(changed.json()["ok"] == true);
        QVERIFY(changed.json()["connectionCooldown"]["apikey"]["baseCooldownMs"] == 4000);
        QVERIFY(changed.json()["providerBreaker"] == before["providerBreaker"]);
        QVERIFY(call("GET", "/api/settings").json()["resilience"]["connectionCooldown"]["apikey"]["baseCooldownMs"] == 4000);
        const json more = call("GET", "/api/resilience?include=breakers,cooldowns").json();
        QVERIFY(more["breakers"].is_array());
        QVERIFY(more["cooldowns"].is_array());
    }

    // ---- secrets

    void noAnswerHoldsASecret()
    {
        const json made = newConnection({{"proxyUrl", "http://127.0.0.1:9"}, {"proxyPassword", kProxyPassword}});
        const std::string id = made["id"];
        const std::string token = m_fixture->managementToken();
        std::vector<HttpReply> replies;
        for (const char* path : {"/api/providers", "/api/provider-nodes", "/api/combos", "/api/models/alias", "/api/keys", "/api/settings",
                                 "/api/resilience?include=breakers,cooldowns", "/api/resilience/cooldowns", "/api/resilience/connections",
                                 "/api/monitoring/health", "/api/usage/request-logs", "/api/status", "/api/catalogue", "/metrics"})
            replies.push_back(call("GET", path));
        replies.push_back(call("GET", "/api/providers/" + id));
        replies.push_back(call("PUT", "/api/providers/" + id, {{"apiKey", kOtherSecret}}));
        replies.push_back(call("PUT", "/api/providers/" + id, {{"apiKey", kOtherSecret}, {"priority", 0}}));
        replies.push_back(call("POST", "/api/providers/" + id + "/test"));
        for (const HttpReply& reply : replies) {
            QVERIFY(reply.status == 200 || reply.status == 400);
            for (const std::string& secret : {kSecret, kOtherSecret, kProxyPassword, token}) {
                QVERIFY2(reply.body.find(secret) == std::string::npos, reply.body.c_str());
                QVERIFY(reply.body.find(secret.substr(4, 16)) == std::string::npos);
            }
        }
    }

    void whatWasAcknowledgedOutlivesTheProgram()
    {
        const json made = newConnection();
        m_client->close();
        m_fixture->stop();
        QVERIFY2(m_fixture->start(), m_fixture->error().c_str());
        m_client = std::make_unique<HttpClient>(m_fixture->port());
        m_client->setDefaultHeaders({{"Authorization", "Bearer " + m_fixture->managementToken()}});
        const json again = call("GET", "/api/providers/" + made["id"].get<std::string>()).json()["connection"];
        QVERIFY(again["name"] == made["name"]);
        QVERIFY(again["apiKey"] == made["apiKey"]);
        QVERIFY(again["secretUnreadable"] == false);
        QVERIFY(call("GET", "/api/settings").json()["log"]["maxAgeDays"] == 7);
    }
};

OMNI_TEST(ManagementApiTest)
#include "management_api_test.moc"
