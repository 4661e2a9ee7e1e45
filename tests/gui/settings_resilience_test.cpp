#include "gui/window_fixture.h"
#include "program/test_program.h"
#include "ui/settings/resilience_text.h"
#include "ui/settings/settings_page.h"

#include <QCheckBox>
#include <QComboBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QToolButton>

using namespace omni;
using omni::test::WindowFixture;

namespace {

struct ResilienceFixture : WindowFixture {
    bool open(const char* place) { return start() && window->openPage(QStringLiteral("settings"), QLatin1String(place)); }

    template <typename T>
    T* input(const char* field) const
    {
        return find<T>(QStringLiteral("setting.") + QLatin1String(field));
    }
    QString textOf(const QByteArray& name) const { return find<QLabel>(QString::fromUtf8(name))->text(); }
    QString error(const char* field) const
    {
        return find<QWidget>(QStringLiteral("error.") + QLatin1String(field))->findChild<QLabel*>()->text();
    }
    void type(const char* field, const QString& text) const
    {
        find<Page>(QStringLiteral("settings"))->showObject(QLatin1String(field));
        auto* edit = input<QLineEdit>(field);
        edit->setFocus();
        edit->selectAll();
        QTest::keyClicks(edit, text);
    }
    ResilienceSettings settings()
    {
        return core.read<Settings>([](Control& control) { return control.configuration()->settings; }).resilience;
    }
};

}  // namespace

/// Settings → Resilience and Settings → Model lockout (spec 4-surfaces §6.2, §6.3).
class SettingsResilienceTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QLocale::setDefault(QLocale::c()); }
    void cleanup()
    {
        qunsetenv("OMNIROUTE_CIRCUIT_BREAKER_API_KEY_THRESHOLD");
        qunsetenv("PROBE_CAN_DISABLE");
    }

    void lengths_data();
    void lengths();
    void ladders_data();
    void ladders();
    void whatWillHappenIsSaid();
    void theSentenceFollowsTheTyping();
    void longestIsAtLeastShortest_data();
    void longestIsAtLeastShortest();
    void whereAValueComesFrom();
    void theEnvironmentMayDecide();
    void codesAreChips();
    void banWordsAreChips();
    void lockoutIsResetAndTakenBack();
    void theTimeZoneIsChecked();
    void aPreviewIsRefusedLikeTheChange();
    void opensQuickly();
};

void SettingsResilienceTest::lengths_data()
{
    QTest::addColumn<qint64>("millis");
    QTest::addColumn<QString>("text");
    const auto row = [](const char* text, qint64 millis) { QTest::newRow(text) << millis << QString::fromLatin1(text); };
    row("0 s", 0);
    row("500 ms", 500);
    row("12 s", 12'000);
    row("1 s 500 ms", 1'500);
    row("1 min 36 s", 96'000);
    row("1 h", 3'600'000);
    row("24 min", 1'440'000);
    row("2 d 1 s", 172'801'000);
}

void SettingsResilienceTest::lengths()
{
    QFETCH(qint64, millis);
    QTEST(lengthText(Millis(millis)), "text");
}

void SettingsResilienceTest::ladders_data()
{
    QTest::addColumn<QList<int>>("seconds");
    QTest::addColumn<QString>("text");
    QTest::newRow("none") << QList<int>{} << QString();
    QTest::newRow("always the same") << QList<int>{3} << QStringLiteral("3 s each time");
    QTest::newRow("two") << QList<int>{3, 6} << QStringLiteral("3 s, then 6 s each time");
    QTest::newRow("four") << QList<int>{3, 6, 12, 24} << QStringLiteral("3 s, 6 s, 12 s, then 24 s each time");
    QTest::newRow("many") << QList<int>{3, 6, 12, 24, 48} << QStringLiteral("3 s, 6 s, 12 s, … up to 48 s from failure 5 on");
}

void SettingsResilienceTest::ladders()
{
    QFETCH(QList<int>, seconds);
    std::vector<Millis> steps;
    for (const int one : seconds)
        steps.push_back(std::chrono::seconds(one));
    QTEST(ladderText(steps), "text");
}

void SettingsResilienceTest::whatWillHappenIsSaid()
{
    ResilienceFixture f;
    QVERIFY2(f.open("resilience"), f.core.error().c_str());
    QTRY_VERIFY2(f.textOf("preview.apiKeyRests").contains(QLatin1String("Third in a row: out for 12 s.")),
                 qPrintable(f.textOf("preview.apiKeyRests")));
    QVERIFY2(f.textOf("preview.apiKeyRests").contains(QLatin1String("From failure 6 in a row on: out for 1 min 36 s.")),
             qPrintable(f.textOf("preview.apiKeyRests")));
    QVERIFY2(f.textOf("preview.oauthBreaker").contains(QLatin1String("After 8 failures: open, nothing is sent for 1 min")),
             qPrintable(f.textOf("preview.oauthBreaker")));
    QVERIFY(f.textOf("preview.providerCooldown").startsWith(QLatin1String("Off:")));
    QVERIFY(f.textOf("preview.dailyReset").contains(QLatin1String("counts as back in")));
    QVERIFY(f.textOf("preview.lockouts").startsWith(QLatin1String("Off:")));
    f.input<QCheckBox>("modelLockout.enabled")->click();
    QTRY_VERIFY2(f.textOf("preview.lockouts").contains(QStringLiteral("2 min, 4 min, 8 min, … up to 30 min")),
                 qPrintable(f.textOf("preview.lockouts")));
    f.input<QCheckBox>("resilience.providerCooldown.enabled")->click();
    QTRY_VERIFY2(f.textOf("preview.providerCooldown").contains(QLatin1String("15 failures within 30 min: out for 10 min")),
                 qPrintable(f.textOf("preview.providerCooldown")));
}

void SettingsResilienceTest::theSentenceFollowsTheTyping()
{
    ResilienceFixture f;
    QVERIFY2(f.open("resilience"), f.core.error().c_str());
    const char* field = "resilience.connectionCooldown.apikey.baseCooldownMs";
    f.type(field, QStringLiteral("7"));
    QTRY_VERIFY2(f.textOf("preview.apiKeyRests").contains(QLatin1String("Third in a row: out for 28 s.")),
                 qPrintable(f.textOf("preview.apiKeyRests")));
    QVERIFY2(f.settings().apiKeyCooldown.baseCooldown == Millis(3'000), "typing alone changes nothing");
    QTest::keyClick(f.input<QLineEdit>(field), Qt::Key_Escape);
    QTRY_VERIFY(f.textOf("preview.apiKeyRests").contains(QLatin1String("Third in a row: out for 12 s.")));
    f.type(field, QStringLiteral("7"));
    QTest::keyClick(f.input<QLineEdit>(field), Qt::Key_Return);
    QTRY_VERIFY(f.settings().apiKeyCooldown.baseCooldown == Millis(7'000));
    QTRY_VERIFY(f.textOf("preview.apiKeyRests").contains(QLatin1String("out for 28 s.")));
}

void SettingsResilienceTest::longestIsAtLeastShortest_data()
{
    QTest::addColumn<QByteArray>("shortest");
    QTest::addColumn<QByteArray>("longest");
    QTest::newRow("model lockout") << QByteArray("modelLockout.baseCooldownMs") << QByteArray("modelLockout.maxCooldownMs");
    QTest::newRow("provider cooldown") << QByteArray("resilience.providerCooldown.minRetryCooldownMs")
                                       << QByteArray("resilience.providerCooldown.maxRetryCooldownMs");
}

void SettingsResilienceTest::longestIsAtLeastShortest()
{
    QFETCH(QByteArray, shortest);
    QFETCH(QByteArray, longest);
    ResilienceFixture f;
    QVERIFY2(f.open("resilience"), f.core.error().c_str());
    f.type(shortest.constData(), QStringLiteral("500"));
    QTest::keyClick(f.input<QLineEdit>(shortest.constData()), Qt::Key_Return);
    QTRY_VERIFY(f.textOf("range." + shortest).contains(QLatin1String("set here")));
    // Raised above the longest, it takes that up with it.
    auto* edit = f.input<QLineEdit>(longest.constData());
    QTRY_VERIFY(edit->text().remove(QLatin1Char(',')).toInt() >= 500);
    f.type(longest.constData(), QStringLiteral("499"));
    QVERIFY2(f.error(longest.constData()).contains(QLatin1String("500 s now")), qPrintable(f.error(longest.constData())));
    QTest::keyClick(edit, Qt::Key_Return);
    QTest::keyClick(edit, Qt::Key_Escape);
    f.type(longest.constData(), QStringLiteral("500"));
    QVERIFY(f.error(longest.constData()).isEmpty());
}

void SettingsResilienceTest::whereAValueComesFrom()
{
    qputenv("OMNIROUTE_CIRCUIT_BREAKER_API_KEY_THRESHOLD", "20");
    ResilienceFixture f;
    QVERIFY2(f.open("providerBreaker"), f.core.error().c_str());
    const char* line = "range.resilience.providerBreaker.apikey.failureThreshold";
    const char* field = "resilience.providerBreaker.apikey.failureThreshold";
    QCOMPARE(f.input<QLineEdit>(field)->text(), QStringLiteral("20"));
    QCOMPARE(f.textOf(line), QStringLiteral("1 to 1000 · from the environment"));
    QVERIFY(f.find<QLabel>(QLatin1String(line))->toolTip().contains(QLatin1String("OMNIROUTE_CIRCUIT_BREAKER_API_KEY_THRESHOLD")));
    QCOMPARE(f.textOf("range.resilience.providerBreaker.oauth.failureThreshold"), QStringLiteral("1 to 1000 · default: 8"));
    f.type(field, QStringLiteral("9"));
    QTest::keyClick(f.input<QLineEdit>(field), Qt::Key_Return);
    QTRY_COMPARE(f.textOf(line), QStringLiteral("1 to 1000 · default: 20 · set here"));
    QTest::mouseClick(f.find<QToolButton>(QStringLiteral("reset.") + QLatin1String(field)), Qt::LeftButton);
    QTRY_COMPARE(f.textOf(line), QStringLiteral("1 to 1000 · from the environment"));
}

void SettingsResilienceTest::theEnvironmentMayDecide()
{
    qputenv("PROBE_CAN_DISABLE", "yes");
    ResilienceFixture f;
    QVERIFY2(f.open("bans"), f.core.error().c_str());
    auto* box = f.input<QCheckBox>("resilience.probeCanDisable");
    QVERIFY(box->isChecked());
    QVERIFY2(!box->isEnabled(), "what would last until the next start only is not offered");
}

void SettingsResilienceTest::codesAreChips()
{
    ResilienceFixture f;
    QVERIFY2(f.open("modelLockout"), f.core.error().c_str());
    const char* field = "modelLockout.errorCodes";
    QVERIFY(f.find<QPushButton>(QStringLiteral("chip.503")));
    QVERIFY(!f.find<QPushButton>(QStringLiteral("suggest.503")));
    f.type(field, QStringLiteral("99"));
    QVERIFY2(f.error(field).isEmpty(), "a status half typed is no error yet");
    f.type(field, QStringLiteral("600"));
    QVERIFY(f.error(field).contains(QLatin1String("100 to 599")));
    QTest::keyClick(f.input<QLineEdit>(field), Qt::Key_Return);
    f.type(field, QStringLiteral("500"));
    QTest::keyClick(f.input<QLineEdit>(field), Qt::Key_Return);
    QTRY_COMPARE(f.settings().modelLockout.errorCodes, (std::vector<int>{403, 404, 429, 500, 502, 503, 504}));
    QTRY_VERIFY(f.find<QPushButton>(QStringLiteral("chip.500")));
    f.find<QPushButton>(QStringLiteral("chip.503"))->click();
    QTRY_COMPARE(f.settings().modelLockout.errorCodes, (std::vector<int>{403, 404, 429, 500, 502, 504}));
    QTRY_VERIFY(f.find<QPushButton>(QStringLiteral("suggest.503")));
    f.find<QPushButton>(QStringLiteral("suggest.503"))->click();
    QTRY_VERIFY(f.find<QPushButton>(QStringLiteral("chip.503")));
    // None at all is refused by the core, and said beside the field.
    f.core.patchSettings("{\"modelLockout\":{\"errorCodes\":[429]}}");
    QTRY_VERIFY(!f.find<QPushButton>(QStringLiteral("chip.503")));
    f.find<QPushButton>(QStringLiteral("chip.429"))->click();
    QTRY_VERIFY(!f.error(field).isEmpty());
    QCOMPARE(f.settings().modelLockout.errorCodes, std::vector<int>{429});
}

void SettingsResilienceTest::banWordsAreChips()
{
    ResilienceFixture f;
    QVERIFY2(f.open("bans"), f.core.error().c_str());
    const char* field = "customBannedSignals";
    f.type(field, QStringLiteral("Key revoked, by the shop"));
    QTest::mouseClick(f.find<QPushButton>(QStringLiteral("add.customBannedSignals")), Qt::LeftButton);
    QTRY_COMPARE(f.settings().customBannedSignals, std::vector<std::string>{"key revoked, by the shop"});
    QTRY_VERIFY(f.find<QPushButton>(QStringLiteral("chip.key revoked, by the shop")));
    f.find<QPushButton>(QStringLiteral("chip.key revoked, by the shop"))->click();
    QTRY_VERIFY(f.settings().customBannedSignals.empty());
}

void SettingsResilienceTest::lockoutIsResetAndTakenBack()
{
    ResilienceFixture f;
    QVERIFY2(f.open("modelLockout"), f.core.error().c_str());
    auto* reset = f.find<QPushButton>(QStringLiteral("resetLockout"));
    QVERIFY(!reset->isEnabled());
    f.core.patchSettings("{\"modelLockout\":{\"enabled\":true,\"maxBackoffSteps\":2,\"errorCodes\":[429]}}");
    QTRY_VERIFY(reset->isEnabled());
    reset->click();
    QTRY_VERIFY(f.settings().modelLockout == ModelLockoutSettings());
    QPushButton* undo = nullptr;
    QTRY_VERIFY((undo = f.find<QPushButton>(QStringLiteral("messageButton"))) && undo->isVisible());
    undo->click();
    QTRY_COMPARE(f.settings().modelLockout.maxBackoffSteps, 2);
    QVERIFY(f.settings().modelLockout.enabled);
    QCOMPARE(f.settings().modelLockout.errorCodes, std::vector<int>{429});
}

void SettingsResilienceTest::theTimeZoneIsChecked()
{
    ResilienceFixture f;
    QVERIFY2(f.open("dailyReset"), f.core.error().c_str());
    const char* field = "resilience.dailyReset.timeZone";
    f.type(field, QStringLiteral("Atlantis/Capital"));
    QVERIFY(!f.error(field).isEmpty());
    f.type(field, QStringLiteral("Asia/Dhaka"));
    QVERIFY(f.error(field).isEmpty());
    QTest::keyClick(f.input<QLineEdit>(field), Qt::Key_Return);
    QTRY_COMPARE(f.settings().dailyReset.timeZone, std::string("Asia/Dhaka"));
}

void SettingsResilienceTest::aPreviewIsRefusedLikeTheChange()
{
    ResilienceFixture f;
    QVERIFY2(f.start(), f.core.error().c_str());
    QObject context;
    std::string field;
    f.link->ask<ResiliencePreview>(
        &context,
        [](Control& control, const Reply<ResiliencePreview>& reply) {
            control.previewSettings("{\"modelLockout\":{\"baseCooldownMs\":1}}", reply);
        },
        [&field](const Result<ResiliencePreview>& result) {
            field = result || result.error().details.empty() ? "taken" : result.error().details.front().field;
        });
    QTRY_COMPARE(field, std::string("modelLockout.baseCooldownMs"));
}

void SettingsResilienceTest::opensQuickly()
{
    ResilienceFixture f;
    QVERIFY2(f.start(), f.core.error().c_str());
    QElapsedTimer timer;
    timer.start();
    QVERIFY(f.window->openPage(QStringLiteral("settings"), QStringLiteral("resilience")));
    QCoreApplication::processEvents();
    const qint64 took = timer.elapsed();
    qInfo("the settings opened in %lld ms", static_cast<long long>(took));
    QVERIFY2(took < 1'500, qPrintable(QString::number(took)));
}

OMNI_TEST(SettingsResilienceTest)
#include "settings_resilience_test.moc"
