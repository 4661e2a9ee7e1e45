#include "program/test_program.h"
#include "store/request_history.h"
#include "store/usage_history.h"
#include "support/http_client.h"
#include "support/runtime_fixture.h"

#include <QTest>

#include <memory>

using namespace omni;
using namespace omni::test;

/// What a client key may use is held to on every way in: the plan, a combo, an alias, the list of models.
class ClientKeysTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        RuntimeOptions options;
        options.offerSandbox = false;
        m_core = std::make_unique<RuntimeFixture>(options);
        QVERIFY2(m_core->start(), m_core->error().c_str());
        m_first = m_core->addSandboxConnection("First");
        m_second = m_core->addSandboxConnection("Second", 2);
        m_key = m_core->addApiKey("laptop");
    }
    void cleanup() { m_core.reset(); }

    void models_data();
    void models();
    void aCombosTargetsAreHeldToo();
    void connections();
    void aKeyThatIsSentCountsWhereNoneIsNeeded();
    void aDeletedKeyOpensNothing();
    void whatIsKeptOutOfTheLogIsCounted();

private:
    void limit(std::vector<std::string> models, std::vector<ConnectionId> connections = {})
    {
        ApiKey key = stored();
        key.allowedModels = std::move(models);
        key.allowedConnections = std::move(connections);
        QVERIFY(m_core->ask<ApiKey>([key](Control& control, Reply<ApiKey> reply) { control.updateApiKey(key, std::move(reply)); }).ok());
    }
    ApiKey stored() const
    {
        return m_core->read<ConfigurationPtr>([](Control& control) { return control.configuration(); })->apiKeys.front();
    }
    HttpReply ask(const std::string& model) const
    {
        HttpClient client(m_core->port());
        client.setDefaultHeaders({{"Authorization", "Bearer " + m_key}});
        return client.postJson("/v1/chat/completions", "{\"model\":\"" + model + "\",\"messages\":[]}");
    }
    /// Who answered the last request, by the log.
    ConnectionId lastConnection() const
    {
        const auto history = RequestHistory::open(m_core->runtime().databasePath());
        ConnectionId id;
        (void)QTest::qWaitFor([&] {
            const auto page = (*history)->page({}, {}, 1);
            if (page->records.empty())
                return false;
            id = page->records.front().connection;
            return true;
        });
        return id;
    }

    std::unique_ptr<RuntimeFixture> m_core;
    ConnectionId m_first;
    ConnectionId m_second;
    std::string m_key;
};

void ClientKeysTest::models_data()
{
    QTest::addColumn<QByteArrayList>("patterns");
    QTest::addColumn<QByteArray>("model");
    QTest::addColumn<int>("status");
    const auto row = [](const char* name, const QByteArrayList& patterns, const char* model, int status) {
        QTest::newRow(name) << patterns << QByteArray(model) << status;
    };
    row("no limit", {}, "sandbox/ok", 200);
    row("by its whole name", {"sandbox/ok"}, "sandbox/ok", 200);
    row("by its bare name", {"ok"}, "sandbox/ok", 200);
    row("by a pattern", {"sandbox/o*"}, "sandbox/ok", 200);
    row("one of several", {"gpt-5", "sandbox/ok"}, "sandbox/ok", 200);
    row("another model", {"sandbox/503"}, "sandbox/ok", 403);
    row("another provider", {"openai/*"}, "sandbox/ok", 403);
    row("a part is not the whole", {"o"}, "sandbox/ok", 403);
}

void ClientKeysTest::models()
{
    QFETCH(const QByteArrayList, patterns);
    QFETCH(const QByteArray, model);
    QFETCH(const int, status);
    std::vector<std::string> allowed;
    for (const QByteArray& pattern : patterns)
        allowed.push_back(pattern.toStdString());
    limit(allowed);
    const HttpReply reply = ask(model.toStdString());
    QVERIFY2(reply.status == status, reply.body.c_str());
    // What may not be asked for is not listed either.
    HttpClient client(m_core->port());
    client.setDefaultHeaders({{"Authorization", "Bearer " + m_key}});
    QCOMPARE(client.get("/v1/models/" + model.toStdString()).status, status == 200 ? 200 : 404);
}

void ClientKeysTest::aCombosTargetsAreHeldToo()
{
    m_core->addCombo("mix", {{"First", "ok"}});
    limit({"sandbox/503"});
    QCOMPARE(ask("mix").status, 403);
    // By its own name a combo allows all it leads to.
    limit({"mix"});
    QCOMPARE(ask("mix").status, 200);
    QCOMPARE(ask("sandbox/ok").status, 403);
    // A step that is pinned to a connection the key may not use is left out.
    limit({"mix"}, {m_second});
    QCOMPARE(ask("mix").status, 403);
}

void ClientKeysTest::connections()
{
    QCOMPARE(ask("sandbox/ok").status, 200);
    QTRY_VERIFY(lastConnection() == m_first);
    limit({}, {m_second});
    QCOMPARE(ask("sandbox/ok").status, 200);
    QTRY_VERIFY(lastConnection() == m_second);
    // Also after a failure: the other connection does not step in.
    const HttpReply failed = ask("sandbox/503");
    QVERIFY2(failed.status >= 500, failed.body.c_str());
    const auto history = RequestHistory::open(m_core->runtime().databasePath());
    QTRY_COMPARE((*history)->page({}, {}, 10)->records.size(), std::size_t{3});
    const auto whole = (*history)->request((*history)->page({}, {}, 1)->records.front().id);
    QVERIFY(whole.ok());
    for (const AttemptRecord& attempt : whole->attempts)
        QVERIFY(attempt.connection == m_second);
}

void ClientKeysTest::aKeyThatIsSentCountsWhereNoneIsNeeded()
{
    limit({"gpt-5"});
    HttpClient anonymous(m_core->port());
    QCOMPARE(anonymous.postJson("/v1/chat/completions", "{\"model\":\"sandbox/ok\",\"messages\":[]}").status, 200);
    QCOMPARE(ask("sandbox/ok").status, 403);
}

void ClientKeysTest::aDeletedKeyOpensNothing()
{
    limit({"gpt-5"});
    m_core->patchSettings("{\"proxy\":{\"requireApiKey\":true}}");
    const ApiKeyId id = stored().id;
    QVERIFY(m_core->ask<int>([id](Control& control, Reply<int> reply) { control.removeApiKey(id, std::move(reply)); }).ok());
    QCOMPARE(ask("sandbox/ok").status, 401);
}

void ClientKeysTest::whatIsKeptOutOfTheLogIsCounted()
{
    ApiKey key = stored();
    key.noLog = true;
    QVERIFY(m_core->ask<ApiKey>([key](Control& control, Reply<ApiKey> reply) { control.updateApiKey(key, std::move(reply)); }).ok());
    QCOMPARE(ask("sandbox/ok").status, 200);
    const auto usage = UsageHistory::open(m_core->runtime().databasePath());
    std::vector<UsageCell> cells;
    QTRY_VERIFY(!(cells = *(*usage)->sums({}, {false, true, true})).empty());
    QCOMPARE(cells.size(), std::size_t{1});
    QCOMPARE(cells[0].counts.requests, std::int64_t{1});
    QCOMPARE(cells[0].apiKeyName, std::string("laptop"));
    QCOMPARE(cells[0].model, std::string("ok"));
    QVERIFY(cells[0].counts.tokensOut > 0);
    const auto history = RequestHistory::open(m_core->runtime().databasePath());
    QCOMPARE(*(*history)->count({}), std::int64_t{0});
}

OMNI_TEST(ClientKeysTest)
#include "client_keys_test.moc"
