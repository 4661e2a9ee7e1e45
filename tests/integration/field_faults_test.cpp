#include "program/test_program.h"
#include "support/sandboxed_proxy.h"

#include <nlohmann/json.hpp>

#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace omni;
using namespace omni::test;
using nlohmann::json;

namespace {

/// Answers by the model that is asked for, and keeps which were.
class ModelUpstream : public QTcpServer {
public:
    ModelUpstream()
    {
        listen(QHostAddress::LocalHost);
        connect(this, &QTcpServer::newConnection, this, [this] {
            while (QTcpSocket* socket = nextPendingConnection()) {
                connect(socket, &QTcpSocket::readyRead, socket, [this, socket] { read(*socket); });
                connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
            }
        });
    }

    std::string baseUrl() const { return "http://127.0.0.1:" + std::to_string(serverPort()) + "/v1"; }

    std::map<std::string, std::pair<int, std::string>> answers;
    std::vector<std::string> asked;

private:
    void read(QTcpSocket& socket)
    {
        const QByteArray got = socket.property("got").toByteArray() + socket.readAll();
        socket.setProperty("got", got);
        const qsizetype head = got.indexOf("\r\n\r\n");
        const qsizetype length = got.toLower().indexOf("content-length:");
        if (head < 0)
            return;
        if (length < 0 || length > head) {
            answer(socket, 404, "{}");  // the list of models: none, so the catalogue's stays
            return;
        }
        const qsizetype size = got.mid(length + 15, got.indexOf("\r\n", length) - length - 15).trimmed().toLongLong();
        if (got.size() < head + 4 + size)
            return;
        asked.push_back(json::parse(got.mid(head + 4).toStdString()).at("model").get<std::string>());
        const auto found = answers.find(asked.back());
        if (found == answers.end())
            answer(socket, 500, "{}");
        else
            answer(socket, found->second.first, found->second.second);
    }

    static void answer(QTcpSocket& socket, int status, const std::string& body)
    {
        socket.write(QByteArray::fromStdString("HTTP/1.1 " + std::to_string(status) + " x\r\nContent-Type: application/json\r\nContent-Length: "
                                               + std::to_string(body.size()) + "\r\nConnection: close\r\n\r\n" + body));
        socket.disconnectFromHost();
    }
};

}  // namespace

/// Faults met in the field, as a client of the whole proxy meets them.
class FieldFaultsTest : public SandboxedProxy {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        const std::string failed = startAll();
        QVERIFY2(failed.empty(), failed.c_str());
    }

    void cleanup() { stopAll(); }

    void f19ARefusalOfOurOwnTellsTheSoonestEnd()
    {
        m_fixture->addCombo("pool", {{"a", "rate-limited?seconds=300"}, {"b", "rate-limited?seconds=120"}, {"c", "rate-limited?seconds=200"}});
        const auto soonest = [](const HttpReply& reply) {
            const int wait = reply.hasHeader("retry-after") ? std::stoi(reply.header("retry-after")) : 0;
            return wait > 60 && wait <= 120;
        };
        // While they are being tried the client is told the same as when nobody is asked any more.
        const HttpReply first = chat("pool");
        QCOMPARE(first.status, 429);
        QVERIFY2(soonest(first), first.header("retry-after").c_str());
        const HttpReply second = chat("pool");
        QCOMPARE(second.status, 503);
        QVERIFY2(soonest(second), second.header("retry-after").c_str());
        const json answer = second.json();
        QVERIFY2(answer.is_object(), second.body.c_str());
        QCOMPARE(answer["error"]["code"].get<std::string>(), std::string("all_targets_cooling_down"));
        QCOMPARE(answer["diagnostics"]["excluded"].size(), std::size_t(3));
        for (const json& excluded : answer["diagnostics"]["excluded"])
            QCOMPARE(excluded["reason"].get<std::string>(), std::string("connection_cooldown"));
    }

    void h23WhileAllAreOutNoUpstreamIsAsked()
    {
        m_fixture->addUpstream("own", m_upstream->baseUrl(), "sk-own");
        QCOMPARE(chat("own/401").status, 401);
        const std::uint64_t before = m_upstream->counters().requests;
        HttpClient client(m_fixture->port());
        for (int i = 0; i < 1'000; ++i) {
            const HttpReply reply = client.postJson("/v1/chat/completions", chatBody("own/401"));
            QCOMPARE(reply.status, 503);
            QVERIFY(reply.hasHeader("retry-after"));
        }
        QCOMPARE(m_upstream->counters().requests, before);
    }

    void windowsAreComparedWithTheOneThatWasTooSmall_data()
    {
        // Of four windows, 0 the smallest: what is tried is refused as too long (t), fails (f), answers (a) or must be left out (-).
        QTest::addColumn<QByteArray>("windows");
        QTest::addColumn<QByteArray>("play");
        QTest::newRow("a failure in between") << QByteArray("132") << QByteArray("tfa");
        QTest::newRow("a failure in between, and one that is smaller") << QByteArray("1302") << QByteArray("tf-a");
        QTest::newRow("a smaller one in between is left out") << QByteArray("203") << QByteArray("t-a");
        QTest::newRow("what failed before says nothing of windows") << QByteArray("312") << QByteArray("fta");
        QTest::newRow("two too small: the larger of both counts") << QByteArray("0213") << QByteArray("tt-a");
    }

    /// H20: the prompt is too long for one target, another fails for a reason of its own; "larger" is meant of the first.
    void windowsAreComparedWithTheOneThatWasTooSmall()
    {
        QFETCH(QByteArray, windows);
        QFETCH(QByteArray, play);
        const ConfigurationPtr configuration = m_fixture->read<ConfigurationPtr>([](Control& control) { return control.configuration(); });
        const Provider* openai = configuration->provider(ProviderId("openai"));
        QVERIFY(openai);
        std::map<int, std::string> byWindow;
        for (const ModelInfo& model : openai->models) {
            if (model.contextLength > 0)
                byWindow.emplace(model.contextLength, model.id);
        }
        QVERIFY(byWindow.size() >= 4);
        std::vector<std::string> models;
        for (const auto& [window, model] : byWindow)
            models.push_back(model);

        ModelUpstream upstream;
        Combo combo;
        combo.name = "windows";
        std::vector<std::string> expected;
        std::string answering;
        for (qsizetype i = 0; i < windows.size(); ++i) {
            const std::string& model = models[static_cast<std::size_t>(windows[i] - '0')];
            // A connection for each, so that none is out for what another one did.
            ConnectionDraft draft;
            draft.connection.provider = openai->id;
            draft.connection.name = "key " + std::to_string(i);
            draft.connection.baseUrl = upstream.baseUrl();
            draft.secret = "sk-test-0123456789abcdef";
            const auto saved = m_fixture->ask<Connection>([&](Control& control, Reply<Connection> reply) { control.saveConnection(draft, reply); });
            QVERIFY2(saved.ok(), saved.ok() ? "" : describe(saved.error()).c_str());
            combo.targets.push_back({std::to_string(i + 1), openai->id, model, saved->id, ""});
            if (play[i] != '-')
                expected.push_back(model);
            if (play[i] == 't')
                upstream.answers[model] = {400, json{{"error", {{"message", "prompt is too long: 250000 tokens > 200000 maximum"}}}}.dump()};
            else if (play[i] == 'f')
                upstream.answers[model] = {503, json{{"error", {{"message", "down"}}}}.dump()};
            else
                upstream.answers[model] = {200, json{{"object", "chat.completion"}, {"model", model},
                                                     {"choices", {{{"index", 0}, {"finish_reason", "stop"},
                                                                   {"message", {{"role", "assistant"}, {"content", "Here I am."}}}}}}}.dump()};
            if (play[i] == 'a')
                answering = model;
        }
        const auto saved = m_fixture->ask<Combo>([&](Control& control, Reply<Combo> reply) { control.saveCombo(combo, reply); });
        QVERIFY2(saved.ok(), saved.ok() ? "" : describe(saved.error()).c_str());

        const HttpReply reply = chat("windows");
        QVERIFY2(reply.status == 200, reply.body.c_str());
        QVERIFY2(reply.body.find("Here I am.") != std::string::npos, reply.body.c_str());
        QCOMPARE(reply.header("x-omniroute-model"), answering);
        QCOMPARE(reply.header("x-omniroute-fallback-attempts"), std::to_string(expected.size() - 1));
        QCOMPARE(upstream.asked, expected);
    }
};

OMNI_TEST(FieldFaultsTest)
#include "field_faults_test.moc"
