#include "model/settings_origin.h"

#include "program/test_program.h"

#include <QProcessEnvironment>
#include <QTest>

#include <nlohmann/json.hpp>

using namespace omni;
using Json = nlohmann::json;

namespace {

/// JSON written with single quotes: moc stumbles over raw strings.
Json json(QByteArray quoted)
{
    return Json::parse(quoted.replace('\'', '"').toStdString());
}

}  // namespace

/// What the environment changes of the defaults, and of what is stored (spec 1-core §1.1, §1.12, §3.2).
class SettingsEnvironmentTest : public QObject {
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

    void originsAreTold_data()
    {
        QTest::addColumn<QByteArray>("field");
        QTest::addColumn<QByteArray>("value");
        const auto row = [](const char* field, const char* value) { QTest::newRow(field) << QByteArray(field) << QByteArray(value); };
        row("resilience.providerBreaker.oauth.failureThreshold", "20");
        row("resilience.providerBreaker.oauth.degradationThreshold", "3");
        row("resilience.providerBreaker.oauth.resetTimeoutMs", "1234");
        row("resilience.providerBreaker.apikey.failureThreshold", "20");
        row("resilience.providerBreaker.apikey.degradationThreshold", "3");
        row("resilience.providerBreaker.apikey.resetTimeoutMs", "1234");
        row("resilience.providerCooldown.enabled", "true");
        row("resilience.providerCooldown.minRetryCooldownMs", "1234");
        row("resilience.providerCooldown.maxRetryCooldownMs", "123456");
        row("resilience.probeCanDisable", "true");
    }
    /// Every variable that is named for a field really moves its default, and no other field.
    void originsAreTold()
    {
        QFETCH(QByteArray, field);
        QFETCH(QByteArray, value);
        const std::string_view name(field.constData(), static_cast<std::size_t>(field.size()));
        QVERIFY(settingOrigin(name, defaultSettings()) == SettingOrigin::Default);
        const std::string variable(environmentVariable(name));
        QVERIFY(!variable.empty());
        qputenv(variable.c_str(), value);
        for (const SettingRange& range : settingRanges())
            QVERIFY2(settingOrigin(range.field, defaultSettings()) ==
                         (range.field == name ? SettingOrigin::Environment : SettingOrigin::Default),
                     std::string(range.field).c_str());
        QVERIFY(settingOrigin(name, defaultSettings()) == SettingOrigin::Environment);
        QCOMPARE(environmentWins(name), name == "resilience.probeCanDisable");
        QVERIFY(settingOrigin(name, Settings()) == (environmentWins(name) ? SettingOrigin::Environment : SettingOrigin::Stored));
        qunsetenv(variable.c_str());
    }

    void onlyChangesAreStored()
    {
        Settings settings = defaultSettings();
        settings.log.maxAgeDays = 9;
        const Json stored = toStoredJson(settings);
        QCOMPARE(stored["log"].dump(), std::string("{\"maxAgeDays\":9}"));
        QVERIFY(stored["proxy"].is_null() && stored["providerErrorRules"].is_null());
        // A variable set later has its say in what was never changed, and in nothing else.
        qputenv("OMNIROUTE_CIRCUIT_BREAKER_OAUTH_THRESHOLD", "30");
        const Settings loaded = settingsFromStored(stored);
        QCOMPARE(loaded.log.maxAgeDays, 9);
        QCOMPARE(loaded.resilience.oauthBreaker.failureThreshold, 30);
        qunsetenv("OMNIROUTE_CIRCUIT_BREAKER_OAUTH_THRESHOLD");
    }

    void environment_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<int>("oauthFailure");
        QTest::addColumn<int>("oauthDegradation");
        QTest::addColumn<qint64>("apiKeyReset");
        QTest::addColumn<int>("localFailure");
        QTest::addColumn<int>("localDegradation");
        const auto row = [](const char* tag, const char* name, const char* value, int oauthFailure, int oauthDegradation,
                            qint64 apiKeyReset, int localFailure, int localDegradation) {
            QTest::newRow(tag) << QByteArray(name) << QByteArray(value) << oauthFailure << oauthDegradation << apiKeyReset << localFailure
                               << localDegradation;
        };
        const char* oauth = "OMNIROUTE_CIRCUIT_BREAKER_OAUTH_THRESHOLD";
        row("threshold", oauth, "20", 20, 5, 30'000, 2, 2);
        row("threshold below degradation", oauth, "4", 4, 3, 30'000, 2, 2);
        row("zero is a number", oauth, "0", 0, 1, 30'000, 2, 2);
        row("fraction", oauth, "9.9", 9, 5, 30'000, 2, 2);
        row("empty", oauth, "", 8, 5, 30'000, 2, 2);
        row("negative", oauth, "-1", 8, 5, 30'000, 2, 2);
        row("words", oauth, "many", 8, 5, 30'000, 2, 2);
        row("infinite", oauth, "inf", 8, 5, 30'000, 2, 2);
        row("not a number", oauth, "nan", 8, 5, 30'000, 2, 2);
        row("trailing words", oauth, "9x", 8, 5, 30'000, 2, 2);
        row("degradation", "OMNIROUTE_PROVIDER_BREAKER_OAUTH_DEGRADATION_THRESHOLD", "2", 8, 2, 30'000, 2, 2);
        row("degradation too high", "OMNIROUTE_PROVIDER_BREAKER_OAUTH_DEGRADATION_THRESHOLD", "20", 8, 7, 30'000, 2, 2);
        row("reset", "OMNIROUTE_CIRCUIT_BREAKER_API_KEY_RESET_MS", "1234", 8, 5, 1'234, 2, 2);
        row("reset zero", "OMNIROUTE_CIRCUIT_BREAKER_API_KEY_RESET_MS", "0", 8, 5, 0, 2, 2);
        row("local derives 60 %", "OMNIROUTE_CIRCUIT_BREAKER_LOCAL_THRESHOLD", "10", 8, 5, 30'000, 10, 6);
        row("local of one", "OMNIROUTE_CIRCUIT_BREAKER_LOCAL_THRESHOLD", "1", 8, 5, 30'000, 1, 1);
        row("local of three", "OMNIROUTE_CIRCUIT_BREAKER_LOCAL_THRESHOLD", "3", 8, 5, 30'000, 3, 2);
        row("window gate is another thing", "OMNIROUTE_PROVIDER_BREAKER_OAUTH_FAILURE_THRESHOLD", "99", 8, 5, 30'000, 2, 2);
    }

    void environment()
    {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, value);
        QFETCH(int, oauthFailure);
        QFETCH(int, oauthDegradation);
        QFETCH(qint64, apiKeyReset);
        QFETCH(int, localFailure);
        QFETCH(int, localDegradation);
        qputenv(name.constData(), value);
        const ResilienceSettings settings = defaultSettings().resilience;
        QCOMPARE(settings.oauthBreaker.failureThreshold, oauthFailure);
        QCOMPARE(settings.oauthBreaker.degradationThreshold, oauthDegradation);
        QCOMPARE(settings.apiKeyBreaker.resetTimeout.count(), apiKeyReset);
        QCOMPARE(settings.localBreaker.failureThreshold, localFailure);
        QCOMPARE(settings.localBreaker.degradationThreshold, localDegradation);
    }

    void storedBeatsEnvironment()
    {
        qputenv("OMNIROUTE_CIRCUIT_BREAKER_API_KEY_THRESHOLD", "30");
        qputenv("OMNIROUTE_PROVIDER_BREAKER_API_KEY_MAX_BACKOFF_MULTIPLIER", "9");
        qputenv("OMNIROUTE_PROVIDER_BREAKER_API_KEY_BACKOFF_ESCALATION_COUNT", "1");
        const Settings settings =
            settingsFromStored(json("{'resilience':{'providerBreaker':{'apikey':{'failureThreshold':6,'degradationThreshold':2}}}}"));
        QCOMPARE(settings.resilience.apiKeyBreaker.failureThreshold, 6);
        QCOMPARE(settings.resilience.apiKeyBreaker.degradationThreshold, 2);
        QCOMPARE(settings.resilience.apiKeyBreaker.maxBackoffMultiplier, 9);
        QCOMPARE(settings.resilience.apiKeyBreaker.backoffEscalationCount, 1);
        QCOMPARE(settingsFromStored(Json()).resilience.apiKeyBreaker.failureThreshold, 30);
    }

    void providerCooldownEnvironment_data()
    {
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<bool>("enabled");
        QTest::newRow("144 TRUE") << QByteArray("TRUE") << true;
        QTest::newRow("144 yes") << QByteArray("yes") << false;
        QTest::newRow("144 unset") << QByteArray() << false;
        QTest::newRow("144 1") << QByteArray("1") << true;
        QTest::newRow("144 on") << QByteArray(" on ") << true;
        QTest::newRow("144 off") << QByteArray("off") << false;
    }

    void providerCooldownEnvironment()
    {
        QFETCH(QByteArray, value);
        QFETCH(bool, enabled);
        if (!value.isNull())
            qputenv("PROVIDER_COOLDOWN_ENABLED", value);
        QCOMPARE(defaultSettings().resilience.providerCooldown.enabled, enabled);
        const Json off = json("{'resilience':{'providerCooldown':{'enabled':false}}}");
        QVERIFY2(!settingsFromStored(off).resilience.providerCooldown.enabled, "what is stored wins");
    }

    void environmentNumbers()
    {
        qputenv("PROVIDER_COOLDOWN_MIN_MS", "400000");
        qputenv("PROVIDER_COOLDOWN_MAX_MS", "1000");
        qputenv("OMNIROUTE_PROVIDER_BREAKER_OAUTH_FAILURE_THRESHOLD", "3");
        qputenv("OMNIROUTE_PROVIDER_BREAKER_OAUTH_FAILURE_WINDOW_MS", "1001");
        qputenv("OMNIROUTE_PROVIDER_BREAKER_OAUTH_COOLDOWN_MS", "1002");
        qputenv("OMNIROUTE_PROVIDER_BREAKER_API_KEY_FAILURE_THRESHOLD", "4");
        qputenv("OMNIROUTE_PROVIDER_BREAKER_API_KEY_FAILURE_WINDOW_MS", "1003");
        qputenv("OMNIROUTE_PROVIDER_BREAKER_API_KEY_COOLDOWN_MS", "1004");
        qputenv("OMNIROUTE_PROVIDER_BREAKER_LOCAL_FAILURE_THRESHOLD", "5");
        qputenv("OMNIROUTE_PROVIDER_BREAKER_LOCAL_FAILURE_WINDOW_MS", "1005");
        qputenv("OMNIROUTE_PROVIDER_BREAKER_LOCAL_COOLDOWN_MS", "-1");
        const ResilienceSettings settings = defaultSettings().resilience;
        QCOMPARE(settings.providerCooldown.minRetryCooldown, Millis(400'000));
        QCOMPARE(settings.providerCooldown.maxRetryCooldown, Millis(400'000));
        QVERIFY(settings.providerCooldown.oauth == (ProviderCooldownWindow{3, Millis(1'001), Millis(1'002)}));
        QVERIFY(settings.providerCooldown.apiKey == (ProviderCooldownWindow{4, Millis(1'003), Millis(1'004)}));
        QVERIFY(settings.providerCooldown.local == (ProviderCooldownWindow{5, Millis(1'005), Millis(60'000)}));
        QVERIFY(settings.oauthBreaker == ResilienceSettings().oauthBreaker);
    }

    void probeFlag_data()
    {
        QTest::addColumn<QByteArray>("flag");
        QTest::addColumn<bool>("storedOff");
        QTest::addColumn<bool>("storedOn");
        QTest::newRow("true beats the setting") << QByteArray("true") << true << true;
        QTest::newRow("on beats the setting") << QByteArray("On") << true << true;
        QTest::newRow("false beats the setting") << QByteArray("false") << false << false;
        QTest::newRow("unset leaves the setting") << QByteArray() << false << true;
        QTest::newRow("another word leaves the setting") << QByteArray("maybe") << false << true;
    }

    void probeFlag()
    {
        QFETCH(QByteArray, flag);
        QFETCH(bool, storedOff);
        QFETCH(bool, storedOn);
        if (!flag.isNull())
            qputenv("PROBE_CAN_DISABLE", flag);
        QCOMPARE(settingsFromStored(json("{'resilience':{'probeCanDisable':false}}")).resilience.probeCanDisable, storedOff);
        QCOMPARE(settingsFromStored(json("{'resilience':{'probeCanDisable':true}}")).resilience.probeCanDisable, storedOn);
        QCOMPARE(defaultSettings().resilience.probeCanDisable, storedOff);
    }
};

OMNI_TEST(SettingsEnvironmentTest)
#include "settings_environment_test.moc"
