#include "model/settings.h"

#include "program/test_program.h"

#include <QProcessEnvironment>
#include <QTest>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

using namespace omni;
using Json = nlohmann::json;

namespace {

/// JSON written with single quotes: moc stumbles over raw strings.
Json json(QByteArray quoted)
{
    return Json::parse(quoted.replace('\'', '"').toStdString());
}

Json valueAt(const Settings& settings, std::string path)
{
    std::replace(path.begin(), path.end(), '.', '/');
    return toJson(settings).at(Json::json_pointer("/" + path));
}

/// "field: message" of each error.
std::map<std::string, std::string> errorsOf(const Result<Settings>& result)
{
    std::map<std::string, std::string> errors;
    if (!result) {
        for (const FieldError& error : result.error().details)
            errors.emplace(error.field, error.message);
    }
    return errors;
}

Json rule(int status = 429, const std::string& match = "busy")
{
    return {{"status", status}, {"match", match}, {"scope", "connection"}};
}

Json rules(int count)
{
    Json list = Json::array();
    for (int i = 0; i < count; ++i)
        list.push_back(rule(429, "busy " + std::to_string(i)));
    return list;
}

}  // namespace

/// The settings of locks, provider cooldown, reset clock and the operator's own rules.
class SettingsResilienceTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        const QStringList names = QProcessEnvironment::systemEnvironment().keys();
        for (const QString& name : names) {
            if (name.startsWith(QLatin1String("OMNIROUTE_")) || name.startsWith(QLatin1String("PROVIDER_COOLDOWN_")) ||
                name == QLatin1String("PROBE_CAN_DISABLE"))
                qunsetenv(name.toUtf8().constData());
        }
    }

    void defaults()
    {
        // guide §3 and "Opt-in global provider cooldown"; spec 1-core §3.2, §3.3.
        const Json all = toJson(defaultSettings());
        QVERIFY(all.at("modelLockout") == json("{'enabled':false,'errorCodes':[403,404,429,502,503,504],'baseCooldownMs':120000,"
                                               "'maxCooldownMs':1800000,'maxBackoffSteps':10,'useExponentialBackoff':true}"));
        QVERIFY(all.at("providerErrorRules") == Json::object());
        QVERIFY(all.at("customBannedSignals") == Json::array());
        QVERIFY(all.at("autoDisableBannedAccounts") == json("{'enabled':false,'scope':'all'}"));
        QVERIFY(all.at("resilience").at("providerCooldown") ==
                json("{'enabled':false,'minRetryCooldownMs':5000,'maxRetryCooldownMs':300000}"));
        QVERIFY(all.at("resilience").at("dailyReset") == json("{'timeZone':'','hour':0}"));
        QVERIFY(all.at("resilience").at("probeCanDisable") == false);
    }

    void stored_data()
    {
        QTest::addColumn<QByteArray>("document");
        QTest::addColumn<QByteArray>("field");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char* tag, const char* document, const char* field, const char* expected) {
            QTest::newRow(tag) << QByteArray(document) << QByteArray(field) << QByteArray(expected);
        };
        const char* longest = "resilience.providerCooldown.maxRetryCooldownMs";
        row("141 provider cooldown min 10 000, max 1 000",
            "{'resilience':{'providerCooldown':{'minRetryCooldownMs':10000,'maxRetryCooldownMs':1000}}}", longest, "10000");
        row("141 min beyond the default of max", "{'resilience':{'providerCooldown':{'minRetryCooldownMs':600000}}}", longest, "600000");
        row("142 lock base 600 000, max 5 000", "{'modelLockout':{'baseCooldownMs':600000,'maxCooldownMs':5000}}",
            "modelLockout.maxCooldownMs", "600000");
        const char* codes = "modelLockout.errorCodes";
        row("143 some codes are out of range", "{'modelLockout':{'errorCodes':[99,429,'503',700]}}", codes, "[429,503]");
        row("143 no codes", "{'modelLockout':{'errorCodes':[]}}", codes, "[403,404,429,502,503,504]");
        row("143 codes of another type", "{'modelLockout':{'errorCodes':429}}", codes, "[403,404,429,502,503,504]");
        row("143 none is left", "{'modelLockout':{'errorCodes':[1,'x',null]}}", codes, "[403,404,429,502,503,504]");
        row("codes are sorted, each once", "{'modelLockout':{'errorCodes':[503,429,503,100,599]}}", codes, "[100,429,503,599]");
        row("lock base too short", "{'modelLockout':{'baseCooldownMs':10}}", "modelLockout.baseCooldownMs", "5000");
        row("lock steps", "{'modelLockout':{'maxBackoffSteps':'21'}}", "modelLockout.maxBackoffSteps", "20");
        row("looser flag: 1", "{'modelLockout':{'enabled':1}}", "modelLockout.enabled", "true");
        row("looser flag: 0", "{'modelLockout':{'useExponentialBackoff':0}}", "modelLockout.useExponentialBackoff", "false");
        row("looser flag: text true", "{'modelLockout':{'enabled':'true'}}", "modelLockout.enabled", "true");
        row("looser flag: text 1", "{'modelLockout':{'enabled':'1'}}", "modelLockout.enabled", "true");
        row("looser flag: another text", "{'modelLockout':{'useExponentialBackoff':'perhaps'}}", "modelLockout.useExponentialBackoff",
            "true");
        row("other flags stay strict", "{'resilience':{'providerCooldown':{'enabled':1}}}", "resilience.providerCooldown.enabled", "false");
        row("hour", "{'resilience':{'dailyReset':{'hour':25}}}", "resilience.dailyReset.hour", "23");
        row("unknown zone", "{'resilience':{'dailyReset':{'timeZone':'Mars/Olympus'}}}", "resilience.dailyReset.timeZone", "''");
        row("zone", "{'resilience':{'dailyReset':{'timeZone':'Asia/Dhaka'}}}", "resilience.dailyReset.timeZone", "'Asia/Dhaka'");
        row("unknown scope", "{'autoDisableBannedAccounts':{'enabled':true,'scope':'some'}}", "autoDisableBannedAccounts.scope", "'all'");
        row("signals: what is of no use is left out", "{'customBannedSignals':['Key REVOKED',3,'',' ','key revoked']}",
            "customBannedSignals", "['key revoked']");
        row("signals of another type", "{'customBannedSignals':'x'}", "customBannedSignals", "[]");
        row("rules: what cannot be read is left out",
            "{'providerErrorRules':{'P':[{'status':429,'match':'a','scope':'model'},{'status':400,'match':'b','scope':'model'},"
            "{'status':429,'match':'','scope':'model'},7],'q':{},'':[]}}",
            "providerErrorRules", "{'p':[{'status':429,'match':'a','scope':'model','reason':'quota_exhausted'}]}");
        row("rules of another type", "{'providerErrorRules':[1]}", "providerErrorRules", "{}");
    }

    void stored()
    {
        QFETCH(QByteArray, document);
        QFETCH(QByteArray, field);
        QFETCH(QByteArray, expected);
        const Settings settings = settingsFromStored(json(document));
        QCOMPARE(valueAt(settings, field.toStdString()).dump(), json(expected).dump());
        QVERIFY(toJson(settingsFromStored(toJson(settings))) == toJson(settings));
    }

    void tooManyStoredRulesAreCut()
    {
        const Settings settings = settingsFromStored({{"providerErrorRules", {{"p", rules(60)}}}});
        QCOMPARE(settings.resilience.providerErrorRules.size(), std::size_t{50});
        QCOMPARE(settings.resilience.providerErrorRules[49].match, std::string("busy 49"));
    }

    void accepted_data()
    {
        QTest::addColumn<QByteArray>("patch");
        QTest::addColumn<QByteArray>("field");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char* tag, const char* patch, const char* field, const char* expected) {
            QTest::newRow(tag) << QByteArray(patch) << QByteArray(field) << QByteArray(expected);
        };
        row("codes sorted, each once", "{'modelLockout':{'errorCodes':[503,429.0,503]}}", "modelLockout.errorCodes", "[429,503]");
        row("base moved alone takes the top with it",
            "{'resilience':{'providerCooldown':{'minRetryCooldownMs':3600000}}}", "resilience.providerCooldown.maxRetryCooldownMs",
            "3600000");
        row("base and top alike", "{'modelLockout':{'baseCooldownMs':600000,'maxCooldownMs':600000}}", "modelLockout.maxCooldownMs",
            "600000");
        row("zone", "{'resilience':{'dailyReset':{'timeZone':'America/Los_Angeles','hour':23}}}", "resilience.dailyReset.timeZone",
            "'America/Los_Angeles'");
        row("the machine's zone", "{'resilience':{'dailyReset':{'timeZone':''}}}", "resilience.dailyReset.timeZone", "''");
        row("D12 signals in lower case, trimmed", "{'customBannedSignals':['  Key REVOKED ','key revoked']}", "customBannedSignals",
            "['key revoked']");
        row("no signals", "{'customBannedSignals':[]}", "customBannedSignals", "[]");
        row("scope is kept while it is off", "{'autoDisableBannedAccounts':{'enabled':false,'scope':'subscription'}}",
            "autoDisableBannedAccounts", "{'enabled':false,'scope':'subscription'}");
        row("a rule", "{'providerErrorRules':{' AgentRouter ':[{'status':403,'match':'额度不足','scope':'provider',"
                      "'reason':'rate_limit_exceeded','cooldownMs':0}]}}",
            "providerErrorRules", "{'agentrouter':[{'status':403,'match':'额度不足','scope':'provider','reason':'rate_limit_exceeded',"
                                  "'cooldownMs':0}]}");
        row("V102 a rule's reason is the quota unless told", "{'providerErrorRules':{'p':[{'status':429,'match':'Busy','scope':'model',"
                                                           "'reason':null,'cooldownMs':null}]}}",
            "providerErrorRules", "{'p':[{'status':429,'match':'Busy','scope':'model','reason':'quota_exhausted'}]}");
        row("longest cooldown of a rule",
            "{'providerErrorRules':{'p':[{'status':599,'match':'x','scope':'model','cooldownMs':2592000000}]}}",
            "providerErrorRules.p.0.cooldownMs", "2592000000");
    }

    void accepted()
    {
        QFETCH(QByteArray, patch);
        QFETCH(QByteArray, field);
        QFETCH(QByteArray, expected);
        const Result<Settings> changed = patched(Settings(), json(patch));
        QVERIFY2(changed.ok(), changed.ok() ? "" : describe(changed.error()).c_str());
        QCOMPARE(valueAt(*changed, field.toStdString()).dump(), json(expected).dump());
        QVERIFY(toJson(settingsFromStored(toJson(*changed))) == toJson(*changed));
    }

    void refused_data()
    {
        QTest::addColumn<QByteArray>("patch");
        QTest::addColumn<QByteArray>("field");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char* tag, const QByteArray& patch, const char* field, const char* says = "") {
            QTest::newRow(tag) << patch << QByteArray(field) << QByteArray(says);
        };
        const auto withRule = [](const char* wrong) {
            return QByteArray("{'providerErrorRules':{'agentrouter':[{'status':429,'match':'a','scope':'model'},"
                              "{'status':429,'match':'b','scope':'model'},") +
                   wrong + "]}}";
        };
        row("143 a code out of range", "{'modelLockout':{'errorCodes':[429,700]}}", "modelLockout.errorCodes[1]", "from 100 to 599");
        row("143 no code", "{'modelLockout':{'errorCodes':[]}}", "modelLockout.errorCodes", "at least one");
        row("code as text", "{'modelLockout':{'errorCodes':['429']}}", "modelLockout.errorCodes[0]", "from 100 to 599");
        row("142 top below base, both sent", "{'modelLockout':{'baseCooldownMs':600000,'maxCooldownMs':5000}}",
            "modelLockout.maxCooldownMs", "600000");
        row("142 top below the base there is", "{'modelLockout':{'maxCooldownMs':60000}}", "modelLockout.maxCooldownMs", "120000");
        row("141 max below min", "{'resilience':{'providerCooldown':{'maxRetryCooldownMs':1000}}}",
            "resilience.providerCooldown.maxRetryCooldownMs", "5000");
        row("strict flag", "{'modelLockout':{'enabled':1}}", "modelLockout.enabled", "true or false");
        row("not within resilience", "{'resilience':{'modelLockout':{'enabled':true}}}", "resilience.modelLockout");
        row("not at the top", "{'providerCooldown':{'enabled':true}}", "providerCooldown");
        row("hour", "{'resilience':{'dailyReset':{'hour':24}}}", "resilience.dailyReset.hour", "from 0 to 23");
        row("unknown zone", "{'resilience':{'dailyReset':{'timeZone':'Mars/Olympus'}}}", "resilience.dailyReset.timeZone", "Asia/Dhaka");
        row("zone as a path", "{'resilience':{'dailyReset':{'timeZone':'../../etc/passwd'}}}", "resilience.dailyReset.timeZone");
        row("blank signal would ban everything", "{'customBannedSignals':['ok','  ']}", "customBannedSignals", "1 to 200");
        row("signal too long", "{'customBannedSignals':['" + QByteArray(201, 'x') + "']}", "customBannedSignals", "1 to 200");
        row("unknown scope", "{'autoDisableBannedAccounts':{'scope':'some'}}", "autoDisableBannedAccounts.scope", "subscription");
        row("rules as a list", "{'providerErrorRules':[]}", "providerErrorRules", "object");
        row("a provider's rules as an object", "{'providerErrorRules':{'p':{}}}", "providerErrorRules.p", "list");
        row("rules of nobody", "{'providerErrorRules':{' ':[]}}", "providerErrorRules. ", "id of a provider");
        row("a provider twice", "{'providerErrorRules':{'P':[],'p':[]}}", "providerErrorRules.p", "second time");
        const char* third = "providerErrorRules.agentrouter[2]";
        row("rule of another type", withRule("7"), third, "object");
        row("rule without a status", withRule("{'match':'a','scope':'model'}"), "providerErrorRules.agentrouter[2].status",
            "from 100 to 599");
        row("rule with status 600", withRule("{'status':600,'match':'a','scope':'model'}"), "providerErrorRules.agentrouter[2].status",
            "from 100 to 599");
        row("V103 D35 a rule for 400 would never act", withRule("{'status':400,'match':'a','scope':'model'}"),
            "providerErrorRules.agentrouter[2].status", "never act");
        row("rule without a text", withRule("{'status':429,'scope':'model'}"), "providerErrorRules.agentrouter[2].match", "1 to 500");
        row("rule with an empty text", withRule("{'status':429,'match':'','scope':'model'}"), "providerErrorRules.agentrouter[2].match",
            "1 to 500");
        row("rule without a scope", withRule("{'status':429,'match':'a'}"), "providerErrorRules.agentrouter[2].scope", "connection");
        row("rule with an unknown scope", withRule("{'status':429,'match':'a','scope':'account'}"),
            "providerErrorRules.agentrouter[2].scope", "connection");
        row("rule with an unknown reason", withRule("{'status':429,'match':'a','scope':'model','reason':'transport'}"),
            "providerErrorRules.agentrouter[2].reason", "quota_exhausted");
        row("rule cooling for longer than 30 days", withRule("{'status':429,'match':'a','scope':'model','cooldownMs':2592000001}"),
            "providerErrorRules.agentrouter[2].cooldownMs", "2592000000");
        row("rule cooling for less than nothing", withRule("{'status':429,'match':'a','scope':'model','cooldownMs':-1}"),
            "providerErrorRules.agentrouter[2].cooldownMs", "from 0");
        row("rule with an unknown part", withRule("{'status':429,'match':'a','scope':'model','colour':1}"),
            "providerErrorRules.agentrouter[2].colour");
    }

    void refused()
    {
        QFETCH(QByteArray, patch);
        QFETCH(QByteArray, field);
        QFETCH(QByteArray, says);
        const Result<Settings> changed = patched(Settings(), json(patch));
        QVERIFY(!changed.ok());
        const auto errors = errorsOf(changed);
        QCOMPARE(errors.size(), std::size_t{1});
        QCOMPARE(QByteArray::fromStdString(errors.begin()->first), field);
        QVERIFY2(errors.begin()->second.find(says.toStdString()) != std::string::npos, errors.begin()->second.c_str());
        QVERIFY(!errors.begin()->second.empty());
    }

    void lengthsOfRulesCountCharacters()
    {
        const auto withMatch = [](const std::string& match) {
            return patched(Settings(), {{"providerErrorRules", {{"p", Json::array({rule(429, match)})}}}}).ok();
        };
        const auto repeated = [](const std::string& character, int times) {
            std::string text;
            for (int i = 0; i < times; ++i)
                text += character;
            return text;
        };
        QVERIFY(withMatch(repeated("额", 500)));
        QVERIFY(!withMatch(repeated("额", 501)));
        QVERIFY(withMatch(repeated("x", 500)));
        QVERIFY(!withMatch(repeated("x", 501)));
        QVERIFY(patched(Settings(), {{"customBannedSignals", Json::array({repeated("封", 200)})}}).ok());
        QVERIFY(!patched(Settings(), {{"customBannedSignals", Json::array({repeated("封", 201)})}}).ok());
    }

    void everyWrongPartOfTheRulesIsTold()
    {
        const auto errors = errorsOf(patched(Settings(), json("{'providerErrorRules':{'a':[{}],'b':[{'status':429,'match':'x','scope':1}]},"
                                                              "'modelLockout':{'errorCodes':[1,429,2]}}")));
        const std::vector<std::string> fields = {"modelLockout.errorCodes[0]",      "modelLockout.errorCodes[2]",
                                                 "providerErrorRules.a[0].match",   "providerErrorRules.a[0].scope",
                                                 "providerErrorRules.a[0].status",  "providerErrorRules.b[0].scope"};
        QCOMPARE(errors.size(), fields.size());
        for (const std::string& field : fields)
            QVERIFY2(errors.contains(field), field.c_str());
    }

    void rulesAreReplacedByProvider()
    {
        Settings settings = *patched(Settings(), {{"providerErrorRules", {{"a", rules(3)}, {"b", rules(1)}}}});
        const auto counts = [&settings] {
            std::map<std::string, int> byProvider;
            for (const ProviderErrorRule& one : settings.resilience.providerErrorRules)
                ++byProvider[one.provider];
            return byProvider;
        };
        using Counts = std::map<std::string, int>;
        QVERIFY(counts() == (Counts{{"a", 3}, {"b", 1}}));
        settings = *patched(settings, {{"providerErrorRules", {{"A", rules(2)}}}});
        QVERIFY(counts() == (Counts{{"a", 2}, {"b", 1}}));
        QCOMPARE(settings.resilience.providerErrorRules[1].match, std::string("busy 1"));
        settings = *patched(settings, {{"providerErrorRules", {{"a", nullptr}, {"c", rules(1)}}}});
        QVERIFY(counts() == (Counts{{"b", 1}, {"c", 1}}));
        settings = *patched(settings, {{"providerErrorRules", {{"b", Json::array()}}}});
        QVERIFY(counts() == (Counts{{"c", 1}}));
        for (const Json& nothing : {Json(nullptr), Json::object()})
            QVERIFY(patched(settings, {{"providerErrorRules", nothing}})->resilience.providerErrorRules.empty());
        QVERIFY(patched(settings, {{"proxy", {{"port", 8080}}}})->resilience.providerErrorRules.size() == 1);
    }

    void fiftyRulesOfAllProviders()
    {
        const Result<Settings> full = patched(Settings(), {{"providerErrorRules", {{"a", rules(30)}, {"b", rules(20)}}}});
        QVERIFY(full.ok());
        const auto errors = errorsOf(patched(*full, {{"providerErrorRules", {{"c", rules(1)}}}}));
        QCOMPARE(errors.size(), std::size_t{1});
        QVERIFY2(errors.at("providerErrorRules").find("at most 50") != std::string::npos, errors.at("providerErrorRules").c_str());
        QVERIFY(patched(*full, {{"providerErrorRules", {{"a", nullptr}, {"c", rules(30)}}}}).ok());
    }

    void breakerHintsAreThreeStates()
    {
        // Row 145.
        const char* field = "resilience.connectionCooldown.apikey.useUpstream429BreakerHints";
        const auto patch = [](const char* value) {
            return json(QByteArray("{'resilience':{'connectionCooldown':{'apikey':{'useUpstream429BreakerHints':") + value + "}}}}");
        };
        const Settings on = *patched(Settings(), patch("true"));
        QVERIFY(valueAt(on, field) == true);
        QVERIFY(valueAt(*patched(on, {{"proxy", {{"port", 8080}}}}), field) == true);
        QVERIFY(!patched(on, patch("null"))->resilience.apiKeyCooldown.useUpstream429BreakerHints);
    }
};

OMNI_TEST(SettingsResilienceTest)
#include "settings_resilience_test.moc"
