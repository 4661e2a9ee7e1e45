#include "raw_client.h"

#include "program/test_program.h"

#include <QTest>

#include <zlib.h>

using namespace omni;
using namespace omni::test;
using Json = nlohmann::json;

Q_DECLARE_METATYPE(std::string)

namespace {

constexpr std::string_view kChat = "/v1/chat/completions";

/// Empty when the data is no single whole gzip member.
std::string gunzip(std::string_view data)
{
    z_stream stream{};
    if (inflateInit2(&stream, 15 + 16) != Z_OK)
        return {};
    std::string out(1 << 20, '\0');
    std::string in(data);
    stream.next_in = reinterpret_cast<Bytef*>(in.data());
    stream.avail_in = static_cast<uInt>(in.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    const int result = inflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    const bool whole = result == Z_STREAM_END && stream.avail_in == 0;
    inflateEnd(&stream);
    return whole ? out : std::string();
}

}  // namespace

/// Error answers: statuses in both dialects and 429 with each kind of hint.
class SandboxStatusTest : public QObject {
    Q_OBJECT

private:
    SimulatedClock m_clock;  // 2026-09-21T14:13:20Z; nothing here waits
    SimulatedScheduler m_scheduler{m_clock};
    std::unique_ptr<Sandbox> m_sandbox;

    RawAnswer ask(std::string_view path, std::string_view model, std::string_view members = {}, std::string_view headers = {})
    {
        RawClient client(m_sandbox->port());
        client.post(path, model, members, headers);
        return client.waitAnswer();
    }

private Q_SLOTS:
    void init()
    {
        auto sandbox = Sandbox::start(m_scheduler, {});
        QVERIFY(sandbox.ok());
        m_sandbox = std::move(*sandbox);
    }
    void cleanup() { m_sandbox.reset(); }

    void statuses_data()
    {
        QTest::addColumn<std::string>("model");
        QTest::addColumn<int>("status");
        QTest::addColumn<std::string>("openAiType");
        QTest::addColumn<std::string>("anthropicType");
        const auto row = [](const char* model, int status, const char* openAi, const char* anthropic) {
            QTest::newRow(model) << std::string(model) << status << std::string(openAi) << std::string(anthropic);
        };
        row("400", 400, "invalid_request_error", "invalid_request_error");
        row("context-length", 400, "invalid_request_error", "invalid_request_error");
        row("401", 401, "authentication_error", "authentication_error");
        row("402", 402, "billing_error", "billing_error");
        row("403", 403, "permission_error", "permission_error");
        row("403-rejected", 403, "permission_error", "permission_error");
        row("banned", 401, "authentication_error", "authentication_error");
        row("404-model", 404, "invalid_request_error", "not_found_error");
        row("retired-model", 410, "invalid_request_error", "not_found_error");
        row("no-hint", 429, "rate_limit_error", "rate_limit_error");
        row("500", 500, "server_error", "api_error");
        row("501", 501, "server_error", "api_error");
        row("502", 502, "server_error", "api_error");
        row("503", 503, "server_error", "api_error");
        row("504", 504, "server_error", "timeout_error");
        row("529", 529, "overloaded_error", "overloaded_error");
        row("status?code=451", 451, "server_error", "api_error");
    }
    void statuses()
    {
        QFETCH(std::string, model);
        QFETCH(int, status);
        QFETCH(std::string, openAiType);
        QFETCH(std::string, anthropicType);
        for (const char* stream : {"", ",\"stream\":true"}) {
            const RawAnswer chat = ask(kChat, model, stream);
            QCOMPARE(chat.status, status);
            QVERIFY(chat.complete);
            QCOMPARE(chat.headers.at("content-type"), std::string("application/json"));
            QCOMPARE(chat.json()["error"]["type"].get<std::string>(), openAiType);
            QVERIFY(chat.json()["error"]["code"].is_string());
            const RawAnswer message = ask("/v1/messages", model, stream);
            QCOMPARE(message.status, status);
            QCOMPARE(message.json()["type"], "error");
            QCOMPARE(message.json()["error"]["type"].get<std::string>(), anthropicType);
        }
        for (const char* path : {"/v1/embeddings", "/v1/completions", "/v1/responses", "/v1/messages/count_tokens"})
            QCOMPARE(ask(path, model).status, status);
    }

    void emptyForbidden()
    {
        const RawAnswer answer = ask(kChat, "403-empty");
        QCOMPARE(answer.status, 403);
        QCOMPARE(answer.headers.at("content-length"), std::string("0"));
    }

    void retryAfterOnAnyError()
    {
        QCOMPARE(ask(kChat, "503?retry-after=7").headers.at("retry-after"), std::string("7"));
        QCOMPARE(ask(kChat, "503").headers.count("retry-after"), std::size_t(0));
    }

    void redirect()
    {
        const RawAnswer answer = ask(kChat, "redirect");
        QCOMPARE(answer.status, 307);
        QCOMPARE(answer.headers.at("location"), std::string("/v1/models"));
    }

    void limitHeaders_data()
    {
        QTest::addColumn<std::string>("model");
        QTest::addColumn<std::string>("header");
        QTest::addColumn<std::string>("value");
        const auto row = [](const char* model, const char* header, const std::string& value) {
            QTest::newRow(model) << std::string(model) << std::string(header) << value;
        };
        row("rate-limited", "retry-after", "2");
        row("rate-limited?seconds=90", "retry-after", "90");
        row("retry-after-date", "retry-after", "Mon, 21 Sep 2026 14:13:50 GMT");
        row("retry-after-past-date", "retry-after", "Wed, 21 Oct 2015 07:28:00 GMT");
        row("retry-after-decimal", "retry-after", "1.5");
        row("retry-after-negative", "retry-after", "-5");
        row("retry-after-nan", "retry-after", "nan");
        row("retry-after-absurd", "retry-after", "1e308");
        row("retry-after-ms-header", "retry-after-ms", "2000");
        row("reset-header-epoch", "x-ratelimit-reset", "1790000030");
        row("reset-header-epoch-ms", "x-ratelimit-reset", "1790000030000");
        row("reset-header-delta", "x-ratelimit-reset", "30");
        row("reset-header-duration", "x-ratelimit-reset-requests", "1m30s");
        row("reset-header-iso", "anthropic-ratelimit-requests-reset", "2026-09-21T14:13:50.000Z");
    }
    void limitHeaders()
    {
        QFETCH(std::string, model);
        QFETCH(std::string, header);
        QFETCH(std::string, value);
        const RawAnswer answer = ask(kChat, model);
        QCOMPARE(answer.status, 429);
        QCOMPARE(QString::fromStdString(answer.headers.at(header)), QString::fromStdString(value));
        QCOMPARE(answer.json()["error"]["code"], "rate_limit_exceeded");
    }

    void limitBodies_data()
    {
        QTest::addColumn<std::string>("model");
        QTest::addColumn<std::string>("text");
        const auto row = [](const char* model, const char* text) { QTest::newRow(model) << std::string(model) << std::string(text); };
        row("gemini-retry-info", R"("retryDelay":"37.2s")");
        row("gemini-retry-info", "GenerateRequestsPerMinute");
        row("retry-after-ms", R"("retry_after_ms":2000)");
        row("prose-retry", "Please retry in 3.5s");
        row("prose-resets", "resets after 1h2m3s");
        row("insufficient-quota", R"("code":"insufficient_quota")");
        row("daily-quota", "PerDay");
        row("daily-quota", "daily quota");
        row("daily-quota", R"("retryDelay":"14400s")");
        row("daily-limit", "daily quota");
        row("daily-limit", "try again tomorrow");
        row("concurrency", "Too many concurrent requests");
    }
    void limitBodies()
    {
        QFETCH(std::string, model);
        QFETCH(std::string, text);
        const RawAnswer answer = ask(kChat, model);
        QCOMPARE(answer.status, 429);
        QVERIFY(answer.json().is_object());
        QVERIFY2(answer.body.find(text) != std::string::npos, answer.body.c_str());
        QCOMPARE(answer.headers.count("retry-after"), std::size_t(0));
    }

    void noHintHasNone()
    {
        const RawAnswer answer = ask(kChat, "no-hint");
        for (const auto& [name, value] : answer.headers)
            QVERIFY2(name.find("ratelimit") == std::string::npos && name.find("retry") == std::string::npos, name.c_str());
        QVERIFY(answer.body.find("retry in") == std::string::npos);
    }

    void compressedLimit()
    {
        const RawAnswer answer = ask(kChat, "gzip-429");
        QCOMPARE(answer.status, 429);
        QCOMPARE(answer.headers.at("content-encoding"), std::string("gzip"));
        QVERIFY(Json::parse(gunzip(answer.body))["error"]["message"].get<std::string>().find("3.5s") != std::string::npos);
    }

    void compressedAnswers()
    {
        QCOMPARE(ask(kChat, "gzip").headers.count("content-encoding"), std::size_t(0));
        const std::string_view accepts = "Accept-Encoding: deflate, gzip\r\n";
        const RawAnswer body = ask(kChat, "gzip", {}, accepts);
        QCOMPARE(body.headers.at("content-encoding"), std::string("gzip"));
        QCOMPARE(Json::parse(gunzip(body.body))["object"], "chat.completion");
        const RawAnswer stream = ask(kChat, "gzip", ",\"stream\":true", accepts);
        QCOMPARE(eventData(gunzip(stream.body)).back(), std::string("[DONE]"));
        QCOMPARE(ask(kChat, "gzip?force=1").headers.at("content-encoding"), std::string("gzip"));
    }

    void failFirstCountsByKeyAndModel()
    {
        const auto status = [this](const char* model, const char* key) {
            return ask(kChat, model, {}, "Authorization: Bearer " + std::string(key) + "\r\n").status;
        };
        QCOMPARE(status("fail-first?n=2", "a"), 503);
        QCOMPARE(status("fail-first?n=2", "b"), 503);
        QCOMPARE(status("fail-first?n=2", "a"), 503);
        QCOMPARE(status("fail-first?n=2", "a"), 200);
        QCOMPARE(status("fail-first?n=2", "b"), 503);
        QCOMPARE(status("fail-first?n=1&status=429", "a"), 429);
        QCOMPARE(status("fail-first?n=1&status=429", "a"), 200);
    }

    void flakyFailsItsShare()
    {
        int failed = 0;
        RawClient client(m_sandbox->port());
        for (int i = 0; i < 400; ++i) {
            client.forget();
            client.post(kChat, "flaky?percent=25&status=502");
            const int status = client.waitAnswer().status;
            QVERIFY(status == 200 || status == 502);
            failed += status == 502;
        }
        QVERIFY2(failed > 70 && failed < 130, std::to_string(failed).c_str());
    }

    void everyModelThatFailsBeforeCommitGivesNoAnswer()
    {
        for (const SandboxModel& model : Sandbox::models()) {
            if (!model.failsBeforeCommit)
                continue;
            for (const char* stream : {"", ",\"stream\":true"}) {
                RawClient client(m_sandbox->port());
                client.post(kChat, model.id, stream);
                if (model.id.find("silent") == 0)
                    QVERIFY2(client.silentFor(20) || client.answer().body.empty(), model.id.c_str());
                else
                    client.waitAnswer();
                const RawAnswer answer = client.answer();
                if (answer.status == 200) {
                    const std::string said = saidIn(eventData(answer.body));
                    QVERIFY2(said.empty() && answer.body.find("\"message\":{\"role\"") == std::string::npos, model.id.c_str());
                }
            }
        }
    }
};

OMNI_TEST(SandboxStatusTest)
#include "sandbox_status_test.moc"
