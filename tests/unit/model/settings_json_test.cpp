#include "model/settings.h"
#include "model/settings_fields.h"
#include "model/settings_origin.h"

#include "program/test_program.h"

#include <QProcessEnvironment>
#include <QTest>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <map>

using namespace omni;
using Json = nlohmann::json;

namespace {

Json nested(std::string_view path, Json value)
{
    const std::size_t dot = path.find('.');
    if (dot == std::string_view::npos)
        return Json{{std::string(path), std::move(value)}};
    return Json{{std::string(path.substr(0, dot)), nested(path.substr(dot + 1), std::move(value))}};
}

Json at(const Settings& settings, std::string_view path)
{
    std::string pointer = "/" + std::string(path);
    std::replace(pointer.begin(), pointer.end(), '.', '/');
    return toJson(settings).at(Json::json_pointer(pointer));
}

bool isDegradation(std::string_view field)
{
    return field.find("degradationThreshold") != std::string_view::npos;
}

/// Settings under which every single field may take its whole range.
Settings permissive()
{
    Settings settings;
    settings.proxy.requireApiKey = true;
    settings.resilience.oauthBreaker.failureThreshold = 1;
    settings.resilience.apiKeyBreaker.failureThreshold = 1;
    settings.resilience.modelLockout.baseCooldown = Millis(5'000);
    settings.resilience.providerCooldown.minRetryCooldown = Millis(0);
    return settings;
}

std::string kindOf(const SettingField& field)
{
    static const char* const kinds[] = {"number", "number", "number", "flag", "optional flag", "text", "list", "theme", "numbers",
                                        "scope", "rules"};
    return kinds[field.access.index()];
}

bool isList(std::string_view name)
{
    const auto& fields = settingFields();
    const auto found = std::find_if(fields.begin(), fields.end(), [name](const SettingField& field) { return field.name == name; });
    return found != fields.end() && kindOf(*found) == "numbers";
}

Json parse(const QByteArray& text)
{
    return Json::parse(text.toStdString(), nullptr, false);
}

}  // namespace

class SettingsJsonTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void defaultsAreTheDocumentedOnes();
    void ranges_data();
    void ranges();
    void headersRangesAreTheTablesRanges();
    void wrongTypes_data();
    void wrongTypes();
    void roundTrip();
    void everyMemberIsReached();
    void accepted_data();
    void accepted();
    void refused_data();
    void refused();
    void refusalChangesNothingAndTellsAll();
    void loweringTheFailureThresholdTakesDegradationDown();
    void stored_data();
    void stored();
    void oneSwitchStoodForAllNotifications();
    void storedExposureNeedsKeys();
};

void SettingsJsonTest::init()
{
    const QStringList names = QProcessEnvironment::systemEnvironment().keys();
    for (const QString& name : names) {
        if (name.startsWith(QLatin1String("OMNIROUTE_")) || name.startsWith(QLatin1String("PROVIDER_COOLDOWN_")) ||
            name == QLatin1String("PROBE_CAN_DISABLE"))
            qunsetenv(name.toUtf8().constData());
    }
}

void SettingsJsonTest::defaultsAreTheDocumentedOnes()
{
    const Settings settings = defaultSettings();
    QVERIFY(toJson(settings) == toJson(Settings()));
    QVERIFY(settings.resilience == ResilienceSettings());
    QVERIFY(toJson(settingsFromStored(Json())) == toJson(settings));
    QCOMPARE(at(settings, "proxy.port").get<int>(), 20128);
    QCOMPARE(at(settings, "resilience.connectionCooldown.oauth.baseCooldownMs").get<int>(), 5000);
    QCOMPARE(at(settings, "resilience.connectionCooldown.apikey.useUpstreamRetryHints").get<bool>(), true);
    QVERIFY(at(settings, "resilience.connectionCooldown.apikey.useUpstream429BreakerHints").is_null());
    QCOMPARE(at(settings, "resilience.providerBreaker.apikey.resetTimeoutMs").get<int>(), 30000);
    QVERIFY(!toJson(settings)["resilience"]["providerBreaker"].contains("local"));
}

void SettingsJsonTest::ranges_data()
{
    QTest::addColumn<QString>("field");
    QTest::addColumn<qint64>("value");
    QTest::addColumn<bool>("fits");
    for (const SettingRange& range : settingRanges()) {
        const std::string name(range.field);
        const QString field = QString::fromStdString(name);
        QTest::newRow((name + " below").c_str()) << field << qint64{range.minimum - 1} << false;
        QTest::newRow((name + " lowest").c_str()) << field << qint64{range.minimum} << true;
        QTest::newRow((name + " highest").c_str()) << field << qint64{range.maximum} << true;
        QTest::newRow((name + " above").c_str()) << field << qint64{range.maximum + 1} << false;
        QTest::newRow((name + " far above").c_str()) << field << qint64{std::numeric_limits<qint64>::max()} << false;
    }
}

void SettingsJsonTest::ranges()
{
    QFETCH(QString, field);
    QFETCH(qint64, value);
    QFETCH(bool, fits);
    const std::string name = field.toStdString();
    const bool list = isList(name);
    const Result<Settings> changed = patched(permissive(), nested(name, list ? Json::array({value}) : Json(value)));
    QCOMPARE(changed.ok(), fits);
    if (!fits) {
        QVERIFY(changed.error().kind == ErrorKind::InvalidArgument);
        QCOMPARE(changed.error().details.size(), std::size_t{1});
        QCOMPARE(changed.error().details[0].field, list ? name + "[0]" : name);
        QVERIFY(changed.error().details[0].message.find("from") != std::string::npos);
    } else if (!isDegradation(name)) {
        QCOMPARE((list ? at(*changed, name).at(0) : at(*changed, name)).get<qint64>(), value);
    }
}

void SettingsJsonTest::headersRangesAreTheTablesRanges()
{
    const auto rangeOf = [](std::string_view field) {
        for (const SettingRange& range : settingRanges()) {
            if (range.field == field)
                return std::pair(range.minimum, range.maximum);
        }
        return std::pair(std::int64_t{0}, std::int64_t{0});
    };
    using Range = std::pair<std::int64_t, std::int64_t>;
    QCOMPARE(rangeOf("proxy.port"), Range(1, 65'535));
    QCOMPARE(rangeOf("proxy.maxHeaderBytes"), Range(8'192, 1'048'576));
    QCOMPARE(rangeOf("proxy.maxBodyBytes"), Range(1'048'576, 1'073'741'824));
    QCOMPARE(rangeOf("proxy.maxConnections"), Range(16, 65'536));
    QCOMPARE(rangeOf("proxy.headerTimeoutMs"), Range(1'000, 600'000));
    QCOMPARE(rangeOf("proxy.bodyTimeoutMs"), Range(1'000, 3'600'000));
    QCOMPARE(rangeOf("proxy.idleTimeoutMs"), Range(1'000, 3'600'000));
    QCOMPARE(rangeOf("upstream.connectTimeoutMs"), Range(100, 600'000));
    QCOMPARE(rangeOf("upstream.attemptDeadlineMs"), Range(60'000, 86'400'000));
    QCOMPARE(rangeOf("log.maxAgeDays"), Range(1, 3'650));
    QCOMPARE(rangeOf("log.maxRows"), Range(1'000, 50'000'000));
    QCOMPARE(rangeOf("log.maxMegabytes"), Range(16, 1'000'000));
    QCOMPARE(rangeOf("routing.maxAttempts"), Range(1, 64));
    QCOMPARE(rangeOf("resilience.connectionCooldown.oauth.baseCooldownMs"), Range(0, 86'400'000));
    QCOMPARE(rangeOf("resilience.connectionCooldown.apikey.maxBackoffSteps"), Range(0, 32));
    QCOMPARE(rangeOf("resilience.providerBreaker.oauth.failureThreshold"), Range(1, 1'000));
    QCOMPARE(rangeOf("resilience.providerBreaker.apikey.resetTimeoutMs"), Range(1'000, 86'400'000));
    QCOMPARE(rangeOf("resilience.providerCooldown.minRetryCooldownMs"), Range(0, 3'600'000));
    QCOMPARE(rangeOf("resilience.providerCooldown.maxRetryCooldownMs"), Range(0, 86'400'000));
    QCOMPARE(rangeOf("resilience.dailyReset.hour"), Range(0, 23));
    QCOMPARE(rangeOf("modelLockout.errorCodes"), Range(100, 599));
    QCOMPARE(rangeOf("modelLockout.baseCooldownMs"), Range(5'000, 600'000));
    QCOMPARE(rangeOf("modelLockout.maxCooldownMs"), Range(5'000, 3'600'000));
    QCOMPARE(rangeOf("modelLockout.maxBackoffSteps"), Range(0, 20));
    QCOMPARE(settingRanges().size(), std::size_t{33});
}

void SettingsJsonTest::wrongTypes_data()
{
    QTest::addColumn<QString>("field");
    QTest::addColumn<QByteArray>("json");
    const std::map<std::string, std::vector<const char*>> wrong = {
        {"number", {"\"5000\"", "true", "null", "[]", "{}", "5000.5", "1e300", "18446744073709551615"}},
        {"flag", {"1", "\"true\"", "null", "[]", "{}"}},
        {"optional flag", {"1", "\"null\"", "[]", "{}"}},
        {"text", {"1", "true", "null", "[]", "{}"}},
        {"list", {"\"https://a.example\"", "null", "[1]", "{}", "[null]"}},
        {"theme", {"1", "\"blue\"", "null", "\"Dark\""}},
        {"numbers", {"429", "\"429\"", "null", "{}", "[]"}},
        {"scope", {"1", "\"none\"", "null", "\"All\""}},
        {"rules", {"1", "true", "\"x\"", "[]"}},
    };
    for (const SettingField& field : settingFields()) {
        for (const char* json : wrong.at(kindOf(field)))
            QTest::newRow((std::string(field.name) + " = " + json).c_str())
                << QString::fromStdString(std::string(field.name)) << QByteArray(json);
    }
}

void SettingsJsonTest::wrongTypes()
{
    QFETCH(QString, field);
    QFETCH(QByteArray, json);
    const Result<Settings> changed = patched(permissive(), nested(field.toStdString(), parse(json)));
    QVERIFY(!changed.ok());
    QCOMPARE(changed.error().details.size(), std::size_t{1});
    QCOMPARE(changed.error().details[0].field, field.toStdString());
    QVERIFY(!changed.error().details[0].message.empty());
}

void SettingsJsonTest::roundTrip()
{
    Json document = toJson(Settings());
    document["proxy"]["port"] = 1;
    document["proxy"]["requireApiKey"] = true;
    document["proxy"]["exposeToNetwork"] = true;
    document["proxy"]["allowedOrigins"] = {"https://a.example", "http://localhost:3000"};
    document["upstream"]["caBundle"] = "/etc/ssl/own.pem";
    document["resilience"]["connectionCooldown"]["oauth"]["useUpstream429BreakerHints"] = false;
    document["resilience"]["streamStallCooldown"]["enabled"] = true;
    document["appearance"] = {{"theme", "dark"}, {"language", "bn"}, {"notifyHolds", false}, {"notifyBreakers", true}, {"notifyRecovery", false}};
    const Result<Settings> changed = patched(Settings(), document);
    QVERIFY2(changed.ok(), changed.ok() ? "" : describe(changed.error()).c_str());
    QVERIFY(toJson(*changed) == document);
    QVERIFY(toJson(settingsFromStored(document)) == document);
    QVERIFY(toJson(*patched(*changed, toJson(Settings()))) == toJson(Settings()));
}

/// Each field, set alone, changes its own place of the document and no other: no two rows of the table share a member.
void SettingsJsonTest::everyMemberIsReached()
{
    const std::map<std::string, Json> other = {
        {"flag", nullptr},
        {"optional flag", true},
        {"text", nullptr},
        {"list", Json::array({"https://a.example"})},
        {"theme", "dark"},
        {"numbers", Json::array({403, 404, 429, 502, 503})},
        {"scope", "subscription"},
        {"rules", parse("{\"p\":[{\"status\":429,\"match\":\"m\",\"scope\":\"model\"}]}")}};
    const std::map<std::string_view, const char*> texts = {
        {"upstream.caBundle", "/a.pem"}, {"appearance.language", "bn"}, {"resilience.dailyReset.timeZone", "Asia/Dhaka"}};
    const Settings base = permissive();
    for (const SettingField& field : settingFields()) {
        Json value = kindOf(field) == "number" ? Json(field.minimum) : other.at(kindOf(field));
        if (kindOf(field) == "flag")
            value = !at(base, field.name).get<bool>();
        if (kindOf(field) == "text")
            value = texts.at(field.name);
        if (isDegradation(field.name))
            continue;
        const Result<Settings> changed = patched(base, nested(field.name, value));
        QVERIFY2(changed.ok(), std::string(field.name).c_str());
        const bool isThreshold = field.name.find("failureThreshold") != std::string_view::npos;
        if (isThreshold)
            continue;
        const Json difference = Json::diff(toJson(base), toJson(*changed));
        const bool same = at(base, field.name) == at(*changed, field.name);
        QCOMPARE(difference.size(), std::size_t{same ? 0U : 1U});
    }
}

void SettingsJsonTest::accepted_data()
{
    QTest::addColumn<QByteArray>("patch");
    QTest::addColumn<QString>("field");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char* tag, const char* patch, const char* field, const char* expected) {
        QTest::newRow(tag) << QByteArray(patch) << QString::fromUtf8(field) << QByteArray(expected);
    };
    row("whole number with point", R"({"proxy":{"port":8080.0}})", "proxy.port", "8080");
    row("null deletes the override", R"({"resilience":{"connectionCooldown":{"apikey":{"useUpstream429BreakerHints":null}}}})",
        "resilience.connectionCooldown.apikey.useUpstream429BreakerHints", "null");
    row("origins become small and single", R"({"proxy":{"allowedOrigins":["https://A.example","https://a.example","http://b:1"]}})",
        "proxy.allowedOrigins", R"(["https://a.example","http://b:1"])");
    row("origin of an extension", R"({"proxy":{"allowedOrigins":["chrome-extension://abcdef"]}})", "proxy.allowedOrigins",
        R"(["chrome-extension://abcdef"])");
    row("no origins", R"({"proxy":{"allowedOrigins":[]}})", "proxy.allowedOrigins", "[]");
    row("no bundle", R"({"upstream":{"caBundle":""}})", "upstream.caBundle", R"("")");
    row("language of the system", R"({"appearance":{"language":""}})", "appearance.language", R"("")");
    row("language with region", R"({"appearance":{"language":"pt_BR"}})", "appearance.language", R"("pt_BR")");
    row("exposure with keys", R"({"proxy":{"exposeToNetwork":true,"requireApiKey":true}})", "proxy.exposeToNetwork", "true");
    row("thresholds together", R"({"resilience":{"providerBreaker":{"oauth":{"degradationThreshold":19,"failureThreshold":20}}}})",
        "resilience.providerBreaker.oauth.degradationThreshold", "19");
    row("threshold of one", R"({"resilience":{"providerBreaker":{"oauth":{"degradationThreshold":5,"failureThreshold":1}}}})",
        "resilience.providerBreaker.oauth.degradationThreshold", "1");
}

void SettingsJsonTest::accepted()
{
    QFETCH(QByteArray, patch);
    QFETCH(QString, field);
    QFETCH(QByteArray, expected);
    const Result<Settings> changed = patched(Settings(), parse(patch));
    QVERIFY2(changed.ok(), changed.ok() ? "" : describe(changed.error()).c_str());
    QCOMPARE(at(*changed, field.toStdString()).dump(), expected.toStdString());
}

void SettingsJsonTest::refused_data()
{
    QTest::addColumn<QByteArray>("patch");
    QTest::addColumn<QString>("field");
    const auto row = [](const char* tag, const char* patch, const char* field) {
        QTest::newRow(tag) << QByteArray(patch) << QString::fromUtf8(field);
    };
    row("nothing", "{}", "");
    row("nothing within", R"({"proxy":{}})", "");
    row("no object", "[1]", "");
    row("no JSON", "{", "");
    row("unknown section", R"({"network":{"port":1}})", "network");
    row("unknown key", R"({"proxy":{"port":8080,"colour":1}})", "proxy.colour");
    row("unknown deep key", R"({"resilience":{"providerBreaker":{"local":{"failureThreshold":2}}}})", "resilience.providerBreaker.local");
    row("dotted key", R"({"proxy.port":8080})", "proxy.port");
    row("section of another type", R"({"proxy":8080})", "proxy");
    row("group of another type", R"({"resilience":{"providerBreaker":[]}})", "resilience.providerBreaker");
    row("port zero", R"({"proxy":{"port":0}})", "proxy.port");
    row("exposure without keys", R"({"proxy":{"exposeToNetwork":true}})", "proxy.exposeToNetwork");
    row("degradation as high", R"({"resilience":{"providerBreaker":{"apikey":{"degradationThreshold":12}}}})",
        "resilience.providerBreaker.apikey.degradationThreshold");
    row("degradation above, both sent", R"({"resilience":{"providerBreaker":{"oauth":{"degradationThreshold":9,"failureThreshold":9}}}})",
        "resilience.providerBreaker.oauth.degradationThreshold");
    row("any origin", R"({"proxy":{"allowedOrigins":["*"]}})", "proxy.allowedOrigins");
    row("null origin", R"({"proxy":{"allowedOrigins":["null"]}})", "proxy.allowedOrigins");
    row("origin with path", R"({"proxy":{"allowedOrigins":["https://a.example/"]}})", "proxy.allowedOrigins");
    row("origin with user", R"({"proxy":{"allowedOrigins":["https://u@a.example"]}})", "proxy.allowedOrigins");
    row("relative bundle", R"({"upstream":{"caBundle":"own.pem"}})", "upstream.caBundle");
    row("bundle with control", R"({"upstream":{"caBundle":"/own\n.pem"}})", "upstream.caBundle");
    row("language in words", R"({"appearance":{"language":"English"}})", "appearance.language");
    row("language as a path", R"({"appearance":{"language":"../"}})", "appearance.language");
}

void SettingsJsonTest::refused()
{
    QFETCH(QByteArray, patch);
    QFETCH(QString, field);
    const Result<Settings> changed = patched(Settings(), parse(patch));
    QVERIFY(!changed.ok());
    QVERIFY(changed.error().kind == ErrorKind::InvalidArgument);
    QVERIFY(!changed.error().message.empty());
    if (field.isEmpty()) {
        QVERIFY(changed.error().details.empty());
    } else {
        QCOMPARE(changed.error().details.size(), std::size_t{1});
        QCOMPARE(QString::fromStdString(changed.error().details[0].field), field);
    }
}

void SettingsJsonTest::refusalChangesNothingAndTellsAll()
{
    const Result<Settings> changed =
        patched(Settings(), parse(R"({"proxy":{"port":70000,"maxConnections":"x"},"log":{"maxRows":1},"x":1})"));
    QVERIFY(!changed.ok());
    QStringList fields;
    for (const FieldError& error : changed.error().details)
        fields << QString::fromStdString(error.field);
    fields.sort();
    QCOMPARE(fields, (QStringList{QStringLiteral("log.maxRows"), QStringLiteral("proxy.maxConnections"), QStringLiteral("proxy.port"),
                                  QStringLiteral("x")}));

    Settings exposed;
    exposed.proxy.exposeToNetwork = exposed.proxy.requireApiKey = true;
    const Result<Settings> open = patched(exposed, parse(R"({"proxy":{"requireApiKey":false}})"));
    QVERIFY(!open.ok());
    QCOMPARE(open.error().details[0].field, std::string("proxy.requireApiKey"));
}

void SettingsJsonTest::loweringTheFailureThresholdTakesDegradationDown()
{
    const Result<Settings> lower = patched(Settings(), parse(R"({"resilience":{"providerBreaker":{"apikey":{"failureThreshold":4}}}})"));
    QVERIFY(lower.ok());
    QCOMPARE(lower->resilience.apiKeyBreaker.degradationThreshold, 3);
    QCOMPARE(lower->resilience.oauthBreaker.degradationThreshold, 5);
    const Result<Settings> higher = patched(Settings(), parse(R"({"resilience":{"providerBreaker":{"apikey":{"failureThreshold":40}}}})"));
    QVERIFY(higher.ok());
    QCOMPARE(higher->resilience.apiKeyBreaker.degradationThreshold, 7);
}

void SettingsJsonTest::stored_data()
{
    QTest::addColumn<QString>("field");
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char* field, const char* json, const char* expected) {
        QTest::newRow((std::string(field) + " = " + json).c_str()) << QString::fromUtf8(field) << QByteArray(json) << QByteArray(expected);
    };
    const char* base = "resilience.connectionCooldown.apikey.baseCooldownMs";
    row(base, "-5", "0");
    row(base, "3.9", "3");
    row(base, "\"250\"", "250");
    row(base, "\" 250 \"", "250");
    row(base, "\"abc\"", "3000");
    row(base, "\"250ms\"", "3000");
    row(base, "\"\"", "3000");
    row(base, "\" \"", "3000");
    row(base, "90000000", "86400000");
    row(base, "1e300", "86400000");
    row(base, "null", "3000");
    row(base, "true", "3000");
    row(base, "[]", "3000");
    row("proxy.port", "0", "1");
    row("proxy.port", "99999", "65535");
    row("log.maxRows", "18446744073709551615", "50000000");
    row("proxy.requireApiKey", "1", "false");
    row("proxy.requireApiKey", "\"true\"", "false");
    row("proxy.requireApiKey", "true", "true");
    row("proxy.allowedOrigins", R"(["https://a.example",7,"*","https://b.example"])", R"(["https://a.example","https://b.example"])");
    row("proxy.allowedOrigins", "\"*\"", "[]");
    row("resilience.connectionCooldown.oauth.useUpstream429BreakerHints", "true", "true");
    row("resilience.connectionCooldown.oauth.useUpstream429BreakerHints", "\"x\"", "null");
    row("resilience.providerBreaker.apikey.failureThreshold", "5000", "1000");
    row("resilience.providerBreaker.apikey.degradationThreshold", "50", "11");
    row("resilience.providerBreaker.oauth.degradationThreshold", "0", "1");
    row("resilience.providerBreaker.oauth.resetTimeoutMs", "10", "1000");
    row("appearance.theme", "\"blue\"", "\"system\"");
    row("appearance.language", "\"not a code\"", "\"\"");
    row("upstream.caBundle", "\"relative.pem\"", "\"\"");
}

void SettingsJsonTest::stored()
{
    QFETCH(QString, field);
    QFETCH(QByteArray, json);
    QFETCH(QByteArray, expected);
    Json document = nested(field.toStdString(), parse(json));
    document["later"] = {{"unknown", 1}};
    const Settings settings = settingsFromStored(document);
    QCOMPARE(at(settings, field.toStdString()).dump(), expected.toStdString());
    for (const char* broken : {"[]", "3", R"({"proxy":[]})", R"({"proxy":{"port":{}}})", R"({"resilience":{"providerBreaker":1}})"})
        QVERIFY(toJson(settingsFromStored(parse(broken))) == toJson(Settings()));
}

void SettingsJsonTest::oneSwitchStoodForAllNotifications()
{
    const auto kinds = [](const char* json) {
        const AppearanceSettings read = settingsFromStored(parse(json)).appearance;
        return std::array{read.notifyHolds, read.notifyBreakers, read.notifyRecovery};
    };
    QVERIFY((kinds("{}") == std::array{true, true, true}));
    QVERIFY((kinds(R"({"appearance":{"notifyHolds":true}})") == std::array{true, true, true}));
    QVERIFY((kinds(R"({"appearance":{"notifyHolds":false}})") == std::array{false, false, false}));
    QVERIFY((kinds(R"({"appearance":{"notifyHolds":false,"notifyBreakers":true,"notifyRecovery":false}})") ==
             std::array{false, true, false}));
    // Set now, each is its own.
    const Result<Settings> changed = patched(Settings(), parse(R"({"appearance":{"notifyHolds":false}})"));
    QVERIFY(changed.ok() && changed->appearance.notifyBreakers && changed->appearance.notifyRecovery);
    QVERIFY(settingsFromStored(toJson(*changed)).appearance.notifyBreakers);
    const AppearanceSettings kept = settingsFromStored(toStoredJson(*changed)).appearance;
    QVERIFY(!kept.notifyHolds && kept.notifyBreakers && kept.notifyRecovery);
    for (const char* odd : {"[]", "7", R"({"appearance":[]})", R"({"appearance":{"notifyHolds":"no"}})"})
        QVERIFY(inPresentTerms(parse(odd)) == parse(odd));
}

void SettingsJsonTest::storedExposureNeedsKeys()
{
    QVERIFY(!settingsFromStored(parse(R"({"proxy":{"exposeToNetwork":true}})")).proxy.exposeToNetwork);
    QVERIFY(settingsFromStored(parse(R"({"proxy":{"exposeToNetwork":true,"requireApiKey":true}})")).proxy.exposeToNetwork);
}

OMNI_TEST(SettingsJsonTest)
#include "settings_json_test.moc"
