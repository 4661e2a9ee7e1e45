#include "resilience/retry_hints.h"

#include "program/test_program.h"
#include "resilience/classify_429.h"
#include "unit/resilience/resilience_fixture.h"

#include <QTest>

#include <chrono>

using namespace omni;

namespace {

constexpr qint64 kNone = -1;
const WallTime kNow = fromEpochMillis(1'700'000'000'000);  // 2023-11-14T22:13:20Z

qint64 count(std::optional<Millis> wait)
{
    return wait ? wait->count() : kNone;
}

}  // namespace

class RetryHintsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void retryAfter_data()
    {
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<qint64>("ms");
        const auto row = [](const char* name, const char* value, qint64 ms) { QTest::newRow(name) << QByteArray(value) << ms; };
        row("53a seconds", "60", 60'000);
        row("53b with s", "60s", 60'000);
        row("53c minutes", "5m", 300'000);
        row("53d hours", "2h", 7'200'000);
        row("53e garbage", "abc", kNone);
        row("H1 blanks around", "  120 ", 120'000);
        row("H2 http date", "Tue, 14 Nov 2023 22:14:20 GMT", 60'000);
        row("H2 rfc 850 date", "Tuesday, 14-Nov-23 22:14:20 GMT", 60'000);
        row("H2 asctime date", "Tue Nov 14 22:14:20 2023", 60'000);
        row("H2 iso date", "2023-11-14T22:14:20Z", 60'000);
        row("H2 iso date with offset", "2023-11-15T00:14:20+02:00", 60'000);
        row("117 past date is 0 (ruling)", "Tue, 14 Nov 2023 22:12:20 GMT", 0);
        row("F01 date", "Wed, 15 Nov 2023 22:13:20 GMT", 86'400'000);
        row("F02 negative", "-5", kNone);
        row("F04 nan", "nan", kNone);
        row("F04 inf", "inf", kNone);
        row("F04 exponent", "1e308", kNone);
        row("F04 forty digits", "1111111111222222222233333333334444444444", kNone);
        row("F04 more than 30 days", "2592001", kNone);
        row("F04 30 days", "2592000", 2'592'000'000);
        row("F04 date in a century", "Tue, 14 Nov 2123 22:14:20 GMT", kNone);
        row("F05 decimal", "1.5", 1'500);
        row("F05 rounded up", "0.0001", 1);
        row("zero", "0", 0);
        row("empty", "", kNone);
        row("month that is none", "Tue, 14 Nav 2023 22:14:20 GMT", kNone);
        row("day that is none", "Tue, 31 Feb 2023 22:14:20 GMT", kNone);
        row("hour that is none", "Tue, 14 Nov 2023 25:14:20 GMT", kNone);
    }

    void retryAfter()
    {
        QFETCH(QByteArray, value);
        QFETCH(qint64, ms);
        QCOMPARE(count(parseRetryAfter(value.toStdString(), kNow)), ms);
    }

    void resetHeader_data()
    {
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<qint64>("ms");
        const auto row = [](const char* name, const char* value, qint64 ms) { QTest::newRow(name) << QByteArray(value) << ms; };
        row("116a epoch ms", "1700000090000", 90'000);
        row("116b epoch s", "1700000090", 90'000);
        row("F07 seconds from now", "30", 30'000);
        row("F07 a year no one meant", "1790000000000000", kNone);
        row("F07 epoch s in 3 years", "1790000000", kNone);
        row("161 epoch ms with a fraction", "1700000090000.0", 90'000);
        row("leading integer", "60; window=60", 60'000);
        row("past", "1699999999", kNone);
        row("no number", "soon", kNone);
    }

    void resetHeader()
    {
        QFETCH(QByteArray, value);
        QFETCH(qint64, ms);
        QCOMPARE(count(parseResetHeader(value.toStdString(), kNow)), ms);
    }

    void prose_data()
    {
        QTest::addColumn<QString>("said");
        QTest::addColumn<qint64>("ms");
        const auto row = [](const char* name, const char* said, qint64 ms) { QTest::newRow(name) << QString::fromUtf8(said) << ms; };
        row("107 will reset after", "Your quota will reset after 2h30m14s", 9'014'000);
        row("108a pool", "The pool will reset after 45m", 2'700'000);
        row("108b reset after", "reset after 30s", 30'000);
        row("109a resets in", "Resets in 2h7m23s", 7'643'000);
        row("109b reset in", "Reset in 45m", 2'700'000);
        row("110a 2400 hours", "Resets in 2400h", 2'592'000'000);
        row("110b 999999 hours", "Resets in 999999h", 2'592'000'000);
        row("111 decimal seconds", "Please retry in 26.660853464s", 26'661);
        row("114 days", "Resets in 13 days", 1'123'200'000);
        row("114b one day", "resets in 1 day", 86'400'000);
        row("115 nothing", "No reset metadata", kNone);
        row("T1 capped at a day", "please retry in 90000s.", 86'400'000);
        row("T1 openai's words", "Rate limit reached. Please try again in 6m0s.", 360'000);
        row("T1 milliseconds", "Please try again in 20ms.", 20);
        row("T2 try again at", "Try again at 2023-11-14 22:14:20", 60'000);
        row("T2 zone-less is UTC", "wait until 2023-11-14T22:14", 40'000);
        row("T2 with zone", "available at 2023-11-14T23:14:20+01:00", 60'000);
        row("T2 retry after", "retry after 2023-11-14T22:14:20.500Z", 60'500);
        row("T2 resets at", "resets at 2023-11-14 22:14:20", 60'000);
        row("T7 month and day", "Resets at 11-15 22:13:20 UTC", 86'400'000);
        row("T7 next year", "resets at 11-14 22:13:00", 2'592'000'000);
        row("past is ignored", "resets at 2023-11-14 22:12:20", kNone);
        row("second wording counts", "retry soon; resets in 5m", 300'000);
        row("minutes as a word", "resets in 5 minutes", kNone);
        row("overflow", "resets in 99999999999999999999999999h", 2'592'000'000);
    }

    void prose()
    {
        QFETCH(QString, said);
        QFETCH(qint64, ms);
        const std::optional<ProseHint> hint = parseProse(said.toStdString(), kNow);
        QCOMPARE(hint ? hint->wait.count() : kNone, ms);
    }

    void durations_data()
    {
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<qint64>("ms");
        const auto row = [](const char* name, const char* value, qint64 ms) { QTest::newRow(name) << QByteArray(value) << ms; };
        row("112a", "33s", 33'000);
        row("112b", "1500ms", 1'500);
        row("112c", "2m", 120'000);
        row("112d", "1h", 3'600'000);
        row("112e bare", "45", 45'000);
        row("F08", "37.2s", 37'200);
        row("none", "soon", kNone);
        row("empty", "", kNone);
    }

    void durations()
    {
        QFETCH(QByteArray, value);
        QFETCH(qint64, ms);
        QCOMPARE(count(parseDuration(value.toStdString())), ms);
    }

    void wholeAnswer_data()
    {
        QTest::addColumn<QList<QByteArray>>("headers");
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<qint64>("ms");
        QTest::addColumn<QByteArray>("source");
        const auto row = [](const char* name, const QList<QByteArray>& headers, const std::string& body, qint64 ms, const char* source) {
            QTest::newRow(name) << headers << QByteArray::fromStdString(body) << ms << QByteArray(source);
        };
        row("header before body", {"retry-after", "120"}, "resets in 5m", 120'000, "header");
        row("X-RateLimit-Reset", {"x-ratelimit-reset", "1700000090"}, "", 90'000, "header");
        row("milliseconds", {"retry-after-ms", "250", "retry-after", "1"}, "", 250, "header");
        row("a bad header is no header", {"retry-after", "-5"}, "resets in 5m", 300'000, "body");
        row("0 only when nothing else", {"retry-after", "0"}, "", 0, "header");
        row("0 gives way", {"retry-after", "0"}, "resets in 5m", 300'000, "body");
        row("J1 RetryInfo", {}, json("{'error':{'details':[{'@type':'type.googleapis.com/google.rpc.RetryInfo','retryDelay':'37.2s'}]}}"),
            37'200, "google_rpc_retry_info");
        row("113 RetryInfo capped", {}, json("{'details':[{'@type':'x/RetryInfo','retryDelay':'90000s'}]}"), 86'400'000,
            "google_rpc_retry_info");
        row("J1 in a list", {}, json("[{'error':{'details':[{'@type':'x/RetryInfo','retryDelay':'33s'}]}}]"), 33'000,
            "google_rpc_retry_info");
        row("J2 timestamp", {}, json("{'error':{'retryAfter':'2023-11-14T22:14:20Z'}}"), 60'000, "body");
        row("J2 past timestamp", {}, json("{'retryAfter':'2023-11-14T22:12:20Z'}"), kNone, "");
        row("J3 snake", {}, json("{'error':{'retry_after_ms':1500}}"), 1'500, "body");
        row("J3 camel at the root", {}, json("{'retryAfterMs':1500}"), 1'500, "body");
        row("seconds", {}, json("{'error':{'retry_after':12}}"), 12'000, "body");
        row("F07 epoch s in a body", {}, json("{'error':{'retry_after':1700000090}}"), 90'000, "body");
        row("F07 epoch ms in a body", {}, json("{'error':{'retryAfter':1700000090000}}"), 90'000, "body");
        row("F07 a moment gone by in a body", {}, json("{'retryAfter':1699999990}"), kNone, "");
        row("F07 a moment no one meant in a body", {}, json("{'retryAfter':1790000000}"), kNone, "");
        row("161 epoch ms with a fraction, as text", {}, json("{'error':{'reset_at':'1700000090000.0'}}"), 90'000, "body");
        row("161 epoch ms with a fraction, as a number", {}, json("{'error':{'retry_after':1700000090000.0}}"), 90'000, "body");
        row("161 text that only begins with a number", {}, json("{'error':{'reset_at':'1700000090 or so'}}"), kNone, "");
        row("seconds beyond 30 days are cut", {}, json("{'retry_after':99999999}"), 2'592'000'000, "body");
        row("J3 absurd is cut", {}, json("{'retry_after_ms':1e300}"), 2'592'000'000, "body");
        row("J3 negative", {}, json("{'retry_after_ms':-4}"), kNone, "");
        row("cut-off JSON is prose", {}, json("{'error':{'message':'resets in 5m"), 300'000, "body");
        row("F22 the window that refused",
            {"anthropic-ratelimit-unified-5h-status", "rejected", "anthropic-ratelimit-unified-5h-reset", "1700003600",
             "anthropic-ratelimit-unified-7d-status", "allowed", "anthropic-ratelimit-unified-7d-reset", "1700500000"},
            "", 3'600'000, "header");
        row("the limit of which nothing is left",
            {"x-ratelimit-remaining-requests", "0", "x-ratelimit-reset-requests", "1m30s", "x-ratelimit-remaining-tokens", "900",
             "x-ratelimit-reset-tokens", "6m0s"},
            "", 90'000, "header");
        row("both are used up: the later end",
            {"x-ratelimit-remaining-requests", "0", "x-ratelimit-reset-requests", "12ms", "x-ratelimit-remaining-tokens", "0",
             "x-ratelimit-reset-tokens", "2s"},
            "", 2'000, "header");
        row("a limit with something left", {"x-ratelimit-remaining-requests", "3", "x-ratelimit-reset-requests", "1m30s"}, "", kNone, "");
        row("Anthropic's, as a date",
            {"anthropic-ratelimit-input-tokens-remaining", "0", "anthropic-ratelimit-input-tokens-reset", "2023-11-14T22:14:20Z",
             "anthropic-ratelimit-requests-remaining", "49", "anthropic-ratelimit-requests-reset", "2023-11-14T23:14:20Z"},
            "", 60'000, "header");
        row("Retry-After goes first", {"retry-after", "7", "x-ratelimit-remaining-requests", "0", "x-ratelimit-reset-requests", "1m30s"}, "",
            7'000, "header");
        row("a reset that is over", {"x-ratelimit-remaining-requests", "0", "x-ratelimit-reset-requests", "0s"}, "", kNone, "");
        row("nothing", {}, "no", kNone, "");
    }

    void wholeAnswer()
    {
        QFETCH(QList<QByteArray>, headers);
        QFETCH(QByteArray, body);
        QFETCH(qint64, ms);
        QFETCH(QByteArray, source);
        HeaderFields fields;
        for (qsizetype i = 0; i + 1 < headers.size(); i += 2)
            fields.emplace_back(headers[i].toStdString(), headers[i + 1].toStdString());
        ErrorBodyReader reader;
        const std::string raw = body.toStdString();
        const std::optional<RetryHint> hint = retryHint(&fields, reader.read(raw), parseProse(raw, kNow), kNow);
        QCOMPARE(hint ? hint->wait.count() : kNone, ms);
        if (hint)
            QCOMPARE(text(toString(hint->source)), source);
    }

    void classify_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("body");
        QTest::addColumn<QByteArray>("kind");
        const auto row = [](const char* name, int status, const std::string& body, const char* kind) {
            QTest::newRow(name) << status << QString::fromStdString(body) << QByteArray(kind);
        };
        row("43 other status", 503, "daily limit", "transient");
        row("44 empty", 429, "", "rate_limit");
        row("45 daily", 429, "Daily request limit reached", "quota_exhausted");
        row("46 terminal beats hint", 429, "out of credits. Please retry in 30s", "quota_exhausted");
        row("47 hint beats quota", 429, "You exceeded your current quota, please check. Please retry in 38.9s", "rate_limit");
        row("48 a day is no window", 429,
            json("{'error':{'message':'quota exceeded','details':[{'@type':'x/RetryInfo','retryDelay':'86399s'}]}}"), "quota_exhausted");
        row("49 bare error", 429, json("{'error':'usage limit reached'}"), "quota_exhausted");
        row("49b with dots", 429, json("{'error':'Usage limit reached. '}"), "quota_exhausted");
        row("50a another key", 429, json("{'detail':'usage limit reached'}"), "rate_limit");
        row("50b more words", 429, json("{'error':'Per-minute usage limit reached'}"), "rate_limit");
        row("51a chinese cap", 429, "已达到 5 小时的使用上限", "quota_exhausted");
        row("51b chinese throttle", 429, "请求过于频繁，请稍后重试。", "rate_limit");
        row("52 concurrency", 429, "too many concurrent requests", "rate_limit");
        row("F14 insufficient_quota", 429, json("{'error':{'code':'insufficient_quota'}}"), "quota_exhausted");
    }

    void classify()
    {
        QFETCH(int, status);
        QFETCH(QString, body);
        QFETCH(QByteArray, kind);
        const MarkerTable table;
        ErrorBodyReader reader;
        const std::string raw = body.toStdString();
        QCOMPARE(text(toString(classify429(status, table.scan(raw), reader.read(raw), parseProse(raw, kNow)))), kind);
    }
};

OMNI_TEST(RetryHintsTest)
#include "retry_hints_test.moc"
