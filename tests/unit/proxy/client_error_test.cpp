#include "proxy/client_error.h"

#include "program/test_program.h"

#include <nlohmann/json.hpp>

#include <QTest>

using namespace omni;
using Json = nlohmann::json;

Q_DECLARE_METATYPE(omni::Dialect)

namespace {

Json parsed(std::string_view text) { return Json::parse(text, nullptr, false); }

ExcludedTarget excluded(const char* provider, const char* model, Exclusion reason, std::int64_t remainingMs)
{
    ExcludedTarget target;
    target.provider = ProviderId(provider);
    target.connection = ConnectionId(std::string("c-") + provider);
    target.connectionName = "Private name";
    target.model = model;
    target.reason = reason;
    target.remainingMs = remainingMs;
    return target;
}

ClientError coolingDown()
{
    ClientError error;
    error.status = 503;
    error.code = "all_targets_cooling_down";
    error.message = "All targets are cooling down.";
    error.retryAfter = Millis(61'200);
    error.excluded = {excluded("openai", "gpt-4o", Exclusion::ConnectionCooldown, 61'200),
                      excluded("groq", "llama", Exclusion::CircuitOpen, 0)};
    AttemptRecord attempt;
    attempt.provider = ProviderId("openai");
    attempt.connection = ConnectionId("c-openai");
    attempt.connectionName = "Private name";
    attempt.model = "gpt-4o";
    attempt.status = 429;
    attempt.reason = FailureReason::RateLimitExceeded;
    attempt.error = "Bearer sk-0123456789abcdef";
    error.attempts = {attempt};
    return error;
}

std::string value(const HeaderList& headers, std::string_view name)
{
    for (const auto& [key, text] : headers) {
        if (key == name)
            return text;
    }
    return {};
}

class Recorder final : public ResponseWriter {
public:
    void sendHead(int code, const HeaderList& list, std::int64_t bytes) override
    {
        status = code;
        headers = list;
        length = bytes;
    }
    void sendBody(std::string_view piece) override { body += piece; }
    void finish() override { finished = true; }
    void abort() override {}
    std::size_t bufferedBytes() const override { return 0; }
    bool headSent() const override { return status != 0; }

    int status = 0;
    HeaderList headers;
    std::int64_t length = -2;
    std::string body;
    bool finished = false;
};

/// "event: a\ndata: {…}\n\n…" as (event, data) pairs.
std::vector<std::pair<std::string, std::string>> events(std::string_view stream)
{
    std::vector<std::pair<std::string, std::string>> list;
    while (!stream.empty()) {
        const std::size_t end = stream.find("\n\n");
        if (end == std::string_view::npos)
            return {};
        std::string_view frame = stream.substr(0, end);
        stream.remove_prefix(end + 2);
        std::string event;
        if (frame.substr(0, 7) == "event: ") {
            const std::size_t line = frame.find('\n');
            event = std::string(frame.substr(7, line - 7));
            frame.remove_prefix(line + 1);
        }
        if (frame.substr(0, 6) != "data: ")
            return {};
        list.emplace_back(event, std::string(frame.substr(6)));
    }
    return list;
}

}  // namespace

class ClientErrorTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void dialects_data()
    {
        QTest::addColumn<QByteArray>("path");
        QTest::addColumn<Dialect>("dialect");
        const auto row = [](const char* path, Dialect dialect) { QTest::newRow(path) << QByteArray(path) << dialect; };
        row("/v1/chat/completions", Dialect::OpenAi);
        row("/v1/embeddings", Dialect::OpenAi);
        row("/v1/messages", Dialect::Anthropic);
        row("/v1/messages?beta=true", Dialect::Anthropic);
        row("/v1/messages/count_tokens", Dialect::Anthropic);
        row("/api/v1/messages", Dialect::Anthropic);
        row("/messages/count_tokens", Dialect::Anthropic);
        row("/v1/messagesx", Dialect::OpenAi);
        row("/v1/responses", Dialect::OpenAiResponses);
        row("/responses", Dialect::OpenAiResponses);
        row("/api/v1/responses/resp_1", Dialect::OpenAiResponses);
        row("/v1beta/models/gemini:generateContent", Dialect::Gemini);
        row("/api/v1beta/models", Dialect::Gemini);
        row("/elsewhere", Dialect::OpenAi);
    }

    void dialects()
    {
        QFETCH(QByteArray, path);
        QFETCH(Dialect, dialect);
        QVERIFY(dialectOfPath(path.toStdString()) == dialect);
    }

    void defaults_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("type");
        QTest::addColumn<QByteArray>("code");
        const auto row = [](int status, const char* type, const char* code) {
            QTest::addRow("%d", status) << status << QByteArray(type) << QByteArray(code);
        };
        row(400, "invalid_request_error", "bad_request");
        row(401, "authentication_error", "invalid_api_key");
        row(402, "billing_error", "payment_required");
        row(403, "permission_error", "insufficient_quota");
        row(404, "invalid_request_error", "model_not_found");
        row(406, "invalid_request_error", "model_not_supported");
        row(413, "invalid_request_error", "");
        row(429, "rate_limit_error", "rate_limit_exceeded");
        row(500, "server_error", "internal_server_error");
        row(502, "server_error", "bad_gateway");
        row(503, "server_error", "service_unavailable");
        row(504, "server_error", "gateway_timeout");
        row(529, "server_error", "internal_server_error");
    }

    void defaults()
    {
        QFETCH(int, status);
        QFETCH(QByteArray, type);
        QFETCH(QByteArray, code);
        ClientError error;
        error.status = status;
        const Json body = parsed(renderError(error, Dialect::OpenAi));
        QCOMPARE(QByteArray::fromStdString(body["error"]["type"].get<std::string>()), type);
        QCOMPARE(body["error"]["code"].is_null(), code.isEmpty());
        if (!code.isEmpty())
            QCOMPARE(QByteArray::fromStdString(body["error"]["code"].get<std::string>()), code);
        QVERIFY(body["error"]["message"].get<std::string>().size() > 5);
        QVERIFY(!body.contains("diagnostics"));
    }

    void ownTypeAndCodeWin()
    {
        ClientError error;
        error.status = 429;
        error.type = "lease_error";
        error.code = "LEASE_CAPACITY_UNAVAILABLE";
        const Json openAi = parsed(renderError(error, Dialect::OpenAi));
        QVERIFY(openAi["error"]["type"] == "lease_error");
        QVERIFY(openAi["error"]["code"] == "LEASE_CAPACITY_UNAVAILABLE");
        QVERIFY(parsed(renderError(error, Dialect::Anthropic))["error"]["type"] == "rate_limit_error");
    }

    void anthropicTypes_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("type");
        const auto row = [](int status, const char* type) { QTest::addRow("%d", status) << status << QByteArray(type); };
        row(400, "invalid_request_error");
        row(401, "authentication_error");
        row(403, "permission_error");
        row(404, "not_found_error");
        row(413, "request_too_large");
        row(415, "invalid_request_error");
        row(429, "rate_limit_error");
        row(500, "api_error");
        row(502, "api_error");
        row(503, "overloaded_error");
        row(529, "overloaded_error");
    }

    void anthropicTypes()
    {
        QFETCH(int, status);
        QFETCH(QByteArray, type);
        ClientError error;
        error.status = status;
        error.message = "Told";
        const Json body = parsed(renderError(error, Dialect::Anthropic));
        QVERIFY(body["type"] == "error");
        QCOMPARE(QByteArray::fromStdString(body["error"]["type"].get<std::string>()), type);
        QVERIFY(body["error"]["message"] == "Told");
    }

    void geminiBody()
    {
        ClientError error;
        error.status = 429;
        error.message = "Slow down";
        error.retryAfter = Millis(1'500);
        const Json body = parsed(renderError(error, Dialect::Gemini));
        QVERIFY(body["error"]["code"] == 429);
        QVERIFY(body["error"]["status"] == "RESOURCE_EXHAUSTED");
        QVERIFY(body["error"]["message"] == "Slow down");
        QVERIFY(body["error"]["details"].is_array());
        QVERIFY(body["error"]["details"][0]["retryDelay"] == "2s");
    }

    void diagnosticsHoldIdsReasonsAndCountsOnly()
    {
        for (const Dialect dialect : {Dialect::OpenAi, Dialect::OpenAiResponses, Dialect::Anthropic, Dialect::Gemini}) {
            const std::string text = renderError(coolingDown(), dialect);
            const Json diagnostics = parsed(text)["diagnostics"];
            QVERIFY(diagnostics["poolSize"] == 2);
            QVERIFY(diagnostics["attempted"] == 1);
            QVERIFY(diagnostics["terminalReason"] == "all_targets_cooling_down");
            QCOMPARE(diagnostics["excluded"].size(), std::size_t(2));
            QVERIFY(diagnostics["excluded"][0]["provider"] == "openai");
            QVERIFY(diagnostics["excluded"][0]["model"] == "gpt-4o");
            QVERIFY(diagnostics["excluded"][0]["connection"] == "c-openai");
            QVERIFY(diagnostics["excluded"][0]["reason"] == "connection_cooldown");
            QVERIFY(diagnostics["excluded"][0]["retry_after_seconds"] == 62);
            QVERIFY(!diagnostics["excluded"][1].contains("retry_after_seconds"));
            QVERIFY(diagnostics["attempts"][0]["status"] == 429);
            QVERIFY(diagnostics["recovery"]["action"] == "wait");
            QVERIFY(diagnostics["recovery"]["retry_after_seconds"] == 62);
            QVERIFY(text.find("Private name") == std::string::npos);
            QVERIFY(text.find("sk-0123") == std::string::npos);
        }
    }

    void diagnosticsAreBounded()
    {
        ClientError error = coolingDown();
        const std::string model = std::string(300, 'm') + "\r\nX: 1";
        error.excluded.assign(500, excluded(std::string(300, 'p').c_str(), model.c_str(), Exclusion::Disabled, 1));
        error.attempts.assign(100, error.attempts.front());
        const Json diagnostics = parsed(renderError(error, Dialect::OpenAi))["diagnostics"];
        QCOMPARE(diagnostics["excluded"].size(), std::size_t(64));
        QCOMPARE(diagnostics["attempts"].size(), std::size_t(64));
        QCOMPARE(diagnostics["excluded"][0]["provider"].get<std::string>().size(), std::size_t(64));
        QCOMPARE(diagnostics["excluded"][0]["model"].get<std::string>().size(), std::size_t(96));
        for (const auto& [name, text] : errorHeaders(error)) {
            QVERIFY(text.size() <= 900);
            QVERIFY(text.find_first_of("\r\n") == std::string::npos);
        }
    }

    void sanitising_data()
    {
        QTest::addColumn<QByteArray>("message");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char* name, const char* message, const char* expected) {
            QTest::newRow(name) << QByteArray(message) << QByteArray(expected);
        };
        row("plain", "No route to POST /v1/chat/completions", "No route to POST /v1/chat/completions");
        row("first line only", "first\nsecond", "first");
        row("leading line ends", "\r\n first\r\nsecond", "first");
        row("bearer", "got Bearer abc.def-123", "got Bearer [redacted]");
        row("key by its look", "key sk-0123456789abcdef is wrong", "key [redacted] is wrong");
        row("query key", "GET https://host/v1beta/models?key=secretvalue&alt=sse failed",
            "GET https://host/v1beta/models?key=[redacted]&alt=sse failed");
        row("query token", "GET /x?a=1&token=abc failed", "GET /x?a=1&token=[redacted] failed");
        row("monkey=business stays", "monkey=business", "monkey=business");
        row("path", "cannot read /home/me/secret/file.txt: denied", "cannot read <path> denied");
        row("windows path", "cannot read C:\\Users\\me\\f.txt", "cannot read <path>");
        row("url with a path stays", "https://host/home/x", "https://host/home/x");
        row("data URL", "image data:image/png;base64,AAAABBBB is too big", "image <data> is too big");
        row("control characters", "a\x01z", "a z");
        row("UTF-8 stays", "größer als 10 €", "größer als 10 €");
    }

    void sanitising()
    {
        QFETCH(QByteArray, message);
        QFETCH(QByteArray, expected);
        QCOMPARE(QByteArray::fromStdString(sanitisedMessage(message.toStdString())), expected);
    }

    void longMessagesAreCutBetweenCharacters()
    {
        std::string message;
        for (int i = 0; i < 5'000; ++i)
            message += "€";
        const std::string cut = sanitisedMessage(message);
        QVERIFY(cut.size() <= 4096);
        QCOMPARE(cut.size() % 3, std::size_t(0));
    }

    void aSecretAtTheCutIsStillRedacted()
    {
        const std::string message = std::string(4'080, 'a') + " sk-0123456789abcdef0123456789";
        QVERIFY(sanitisedMessage(message).find("sk-0") == std::string::npos);
    }

    void brokenUtf8IsAnswered()
    {
        ClientError error;
        error.message = "broken \xff\xfe";
        for (const Dialect dialect : {Dialect::OpenAi, Dialect::Anthropic, Dialect::Gemini})
            QVERIFY(parsed(renderError(error, dialect)).is_object());
    }

    void streamForms()
    {
        const ClientError error = coolingDown();
        const auto openAi = events(renderStreamError(error, Dialect::OpenAi));
        QCOMPARE(openAi.size(), std::size_t(2));
        QVERIFY(parsed(openAi[0].second) == parsed(renderError(error, Dialect::OpenAi)));
        QCOMPARE(openAi[1].second, std::string("[DONE]"));

        const auto anthropic = events(renderStreamError(error, Dialect::Anthropic));
        QCOMPARE(anthropic.size(), std::size_t(1));
        QCOMPARE(anthropic[0].first, std::string("error"));
        QVERIFY(parsed(anthropic[0].second) == parsed(renderError(error, Dialect::Anthropic)));

        const auto gemini = events(renderStreamError(error, Dialect::Gemini));
        QCOMPARE(gemini.size(), std::size_t(1));
        QVERIFY(parsed(gemini[0].second)["error"]["code"] == 503);
    }

    void responsesStreamEndsAsFailed()
    {
        StreamPosition position;
        position.responseId = "resp_42";
        position.createdAt = 1'790'000'000;
        position.nextSequence = 7;
        const auto known = events(renderStreamError(coolingDown(), Dialect::OpenAiResponses, position));
        QCOMPARE(known.size(), std::size_t(1));
        QCOMPARE(known[0].first, std::string("response.failed"));
        const Json event = parsed(known[0].second);
        QVERIFY(event["type"] == "response.failed");
        QVERIFY(event["sequence_number"] == 7);
        QVERIFY(event["response"]["id"] == "resp_42");
        QVERIFY(event["response"]["created_at"] == 1'790'000'000);
        QVERIFY(event["response"]["status"] == "failed");
        QVERIFY(event["response"]["error"]["code"] == "all_targets_cooling_down");
        QVERIFY(event["response"]["output"].is_array());

        const Json unknown = parsed(events(renderStreamError(coolingDown(), Dialect::OpenAiResponses))[0].second);
        QVERIFY(unknown["response"]["id"].get<std::string>().rfind("resp_", 0) == 0);
        QVERIFY(unknown["response"]["created_at"].get<std::int64_t>() > 1'600'000'000);
        QVERIFY(unknown["sequence_number"] == 1);
    }

    void retryAfter_data()
    {
        QTest::addColumn<qlonglong>("millis");
        QTest::addColumn<QByteArray>("seconds");
        QTest::newRow("0") << 0LL << QByteArray("1");
        QTest::newRow("negative") << -5'000LL << QByteArray("1");
        QTest::newRow("1") << 1LL << QByteArray("1");
        QTest::newRow("1000") << 1'000LL << QByteArray("1");
        QTest::newRow("1001") << 1'001LL << QByteArray("2");
        QTest::newRow("a day") << 86'400'000LL << QByteArray("86400");
    }

    void retryAfter()
    {
        QFETCH(qlonglong, millis);
        QFETCH(QByteArray, seconds);
        ClientError error;
        error.retryAfter = Millis(millis);
        QCOMPARE(value(errorHeaders(error), "Retry-After"), seconds.toStdString());
    }

    void noRetryAfterUnlessKnown()
    {
        QVERIFY(errorHeaders(ClientError{}).empty());
    }

    void comboHeaders()
    {
        const HeaderList headers = errorHeaders(coolingDown());
        QCOMPARE(value(headers, "x-omniroute-combo-pool-size"), std::string("2"));
        QCOMPARE(value(headers, "x-omniroute-combo-attempted"), std::string("1"));
        QCOMPARE(value(headers, "x-omniroute-combo-excluded"), std::string("openai/gpt-4o=connection_cooldown, groq/llama=circuit_open"));
        QCOMPARE(value(headers, "x-omniroute-combo-terminal-reason"), std::string("all_targets_cooling_down"));
        QCOMPARE(value(headers, "x-omniroute-recovery-action"), std::string("wait"));
        QVERIFY(!value(headers, "x-omniroute-recovery-next-step").empty());
    }

    void headerValuesAreLatin1()
    {
        ClientError error = coolingDown();
        error.excluded[0].model = "modèle-€-\xff";
        const std::string list = value(errorHeaders(error), "x-omniroute-combo-excluded");
        QVERIFY(list.find("mod\xe8le-?-?") != std::string::npos);
    }

    void sendsHeadAndBodyAtOnce()
    {
        Recorder writer;
        sendError(writer, coolingDown(), Dialect::Anthropic, {{"X-OmniRoute-Request-Id", "ab12"}});
        QCOMPARE(writer.status, 503);
        QVERIFY(writer.finished);
        QCOMPARE(writer.length, static_cast<std::int64_t>(writer.body.size()));
        QCOMPARE(value(writer.headers, "Content-Type"), std::string("application/json"));
        QCOMPARE(value(writer.headers, "Retry-After"), std::string("62"));
        QCOMPARE(value(writer.headers, "X-OmniRoute-Request-Id"), std::string("ab12"));
        QCOMPARE(writer.body, renderError(coolingDown(), Dialect::Anthropic));
    }
};

OMNI_TEST(ClientErrorTest)
#include "client_error_test.moc"
