#include "gui/window_fixture.h"
#include "program/test_program.h"
#include "store/request_history.h"
#include "support/http_client.h"
#include "ui/settings/number_text.h"
#include "ui/settings/settings_page.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QMessageBox>
#include <QPushButton>
#include <QTcpServer>
#include <QToolButton>

using namespace omni;
using omni::test::HttpClient;
using omni::test::WindowFixture;

namespace {

struct SettingsFixture : WindowFixture {
    bool open() { return start() && window->openPage(QStringLiteral("settings")); }

    template <typename T>
    T* input(const char* field) const
    {
        return find<T>(QStringLiteral("setting.") + QLatin1String(field));
    }
    /// What stands beside the field; empty = no error.
    QString error(const char* field) const
    {
        QStringList lines;
        for (const QLabel* label : find<QWidget>(QStringLiteral("error.") + QLatin1String(field))->findChildren<QLabel*>())
            lines << label->text();
        return lines.join(QLatin1Char(' '));
    }
    QToolButton* reset(const char* field) const { return find<QToolButton>(QStringLiteral("reset.") + QLatin1String(field)); }
    /// As a user does: goes to its group, and all of the old text is replaced.
    void type(QLineEdit* edit, const QString& text) const
    {
        static const QString prefix = QStringLiteral("setting.");
        if (edit->objectName().startsWith(prefix))
            find<Page>(QStringLiteral("settings"))->showObject(edit->objectName().mid(prefix.size()));
        edit->setFocus();
        edit->selectAll();
        QTest::keyClicks(edit, text);
    }
    Settings settings()
    {
        return core.read<Settings>([](Control& control) { return control.configuration()->settings; });
    }
};

}  // namespace

class SettingsTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QLocale::setDefault(QLocale::c()); }

    void everyFieldIsReal();
    void rangesAreToldWhileTyping();
    void enterTakesEffectAtOnce();
    void escapeGivesTheTruthBack();
    void theDefaultComesBack();
    void togglesShowTheCoresAnswer();
    void oneFieldMayLimitAnother();
    void changesFromElsewhereAreShown();
    void theNetworkNeedsKeys();
    void aTakenPortOffersAnotherOne();
    void theCertificateFileIsLookedInto();
    void originsAreChecked();
    void clientKeysHaveTheirOwnPage();
    void theLogIsClearedAfterAQuestion();
    void autostartIsReadBack();
    void protectionIsToldInASentence();
    void settingsAreFound();
    void numbers_data();
    void numbers();
};

void SettingsTest::everyFieldIsReal()
{
    SettingsFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    const SettingsDocument document(f.settings());
    int rows = 0;
    for (const SettingRow* row : f.window->findChildren<SettingRow*>()) {
        if (row->field() == "autostart")
            continue;
        ++rows;
        QVERIFY2(!std::holds_alternative<std::monostate>(document.value(row->field())), std::string(row->field()).c_str());
    }
    QVERIFY(rows >= 35);
}

void SettingsTest::rangesAreToldWhileTyping()
{
    SettingsFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    auto* attempts = f.input<QLineEdit>("routing.maxAttempts");
    QCOMPARE(attempts->text(), QStringLiteral("16"));
    f.type(attempts, QStringLiteral("65"));
    QVERIFY2(f.error("routing.maxAttempts").contains(QLatin1String("1 to 64")), qPrintable(f.error("routing.maxAttempts")));
    QVERIFY(attempts->property("invalid").toBool());
    QVERIFY(attempts->accessibleDescription().contains(QLatin1String("1 to 64")));
    QTest::keyClick(attempts, Qt::Key_Return);
    QCOMPARE(f.settings().routing.maxAttempts, 16);
    f.type(attempts, QStringLiteral("6"));
    QVERIFY(f.error("routing.maxAttempts").isEmpty());
    QVERIFY(!attempts->property("invalid").toBool());
    f.type(attempts, QStringLiteral("six"));
    QVERIFY(!f.error("routing.maxAttempts").isEmpty());
}

void SettingsTest::enterTakesEffectAtOnce()
{
    SettingsFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    auto* connect = f.input<QLineEdit>("upstream.connectTimeoutMs");
    QCOMPARE(connect->text(), QStringLiteral("10"));
    f.type(connect, QStringLiteral("2.5"));
    QTest::keyClick(connect, Qt::Key_Return);
    QTRY_COMPARE(f.settings().upstream.connectTimeout, Millis(2'500));
    QTRY_COMPARE(connect->text(), QStringLiteral("2.5"));
    // Leaving the field is as good as Enter.
    auto* rows = f.input<QLineEdit>("log.maxRows");
    f.type(rows, QStringLiteral("20,000"));
    f.input<QLineEdit>("log.maxAgeDays")->setFocus();
    QTRY_COMPARE(f.settings().log.maxRows, std::int64_t{20'000});
    auto* body = f.input<QLineEdit>("proxy.maxBodyBytes");
    f.type(body, QStringLiteral("32"));
    QTest::keyClick(body, Qt::Key_Return);
    QTRY_COMPARE(f.settings().proxy.maxBodyBytes, std::int64_t{32} * 1'048'576);
}

void SettingsTest::escapeGivesTheTruthBack()
{
    SettingsFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    auto* port = f.input<QLineEdit>("proxy.port");
    f.type(port, QStringLiteral("0"));
    QVERIFY(!f.error("proxy.port").isEmpty());
    QTest::keyClick(port, Qt::Key_Escape);
    QCOMPARE(port->text(), QStringLiteral("20128"));
    QVERIFY(f.error("proxy.port").isEmpty());
}

void SettingsTest::theDefaultComesBack()
{
    SettingsFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    auto* steps = f.input<QLineEdit>("resilience.connectionCooldown.apikey.maxBackoffSteps");
    auto* reset = f.reset("resilience.connectionCooldown.apikey.maxBackoffSteps");
    QVERIFY(reset->isHidden());
    f.type(steps, QStringLiteral("9"));
    QTest::keyClick(steps, Qt::Key_Return);
    QTRY_VERIFY(!reset->isHidden());
    QCOMPARE(f.settings().resilience.apiKeyCooldown.maxBackoffSteps, 9);
    QTest::mouseClick(reset, Qt::LeftButton);
    QTRY_COMPARE(f.settings().resilience.apiKeyCooldown.maxBackoffSteps, 5);
    QTRY_COMPARE(steps->text(), QStringLiteral("5"));
    QTRY_VERIFY(reset->isHidden());
}

void SettingsTest::togglesShowTheCoresAnswer()
{
    SettingsFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    auto* turns = f.input<QCheckBox>("routing.roundRobin");
    QVERIFY(!turns->isChecked());
    turns->click();
    QVERIFY2(!turns->isChecked(), "the box must wait for the core's answer");
    QTRY_VERIFY(turns->isChecked());
    QVERIFY(f.settings().routing.roundRobin);
}

void SettingsTest::oneFieldMayLimitAnother()
{
    SettingsFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    const char* field = "resilience.providerBreaker.apikey.degradationThreshold";
    auto* degraded = f.input<QLineEdit>(field);
    f.type(degraded, QStringLiteral("12"));
    QVERIFY2(f.error(field).contains(QLatin1String("12 now")), qPrintable(f.error(field)));
    QTest::keyClick(degraded, Qt::Key_Return);
    QCOMPARE(f.settings().resilience.apiKeyBreaker.degradationThreshold, 7);
    // The other one lowered alone takes it along, and the page shows what came of it.
    auto* open = f.input<QLineEdit>("resilience.providerBreaker.apikey.failureThreshold");
    f.type(open, QStringLiteral("5"));
    QTest::keyClick(open, Qt::Key_Return);
    QTRY_COMPARE(degraded->text(), QStringLiteral("4"));
    QVERIFY(f.error(field).isEmpty());
}

void SettingsTest::changesFromElsewhereAreShown()
{
    SettingsFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    auto* days = f.input<QLineEdit>("log.maxAgeDays");
    auto* attempts = f.input<QLineEdit>("routing.maxAttempts");
    // What the user is typing is not swept away by a change of something else.
    f.type(attempts, QStringLiteral("3"));
    f.core.patchSettings(R"({"log":{"maxAgeDays":7}})");
    QTRY_COMPARE(days->text(), QStringLiteral("7"));
    QCOMPARE(attempts->text(), QStringLiteral("3"));
}

void SettingsTest::theNetworkNeedsKeys()
{
    SettingsFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    auto* exposed = f.input<QCheckBox>("proxy.exposeToNetwork");
    auto* keys = f.input<QCheckBox>("proxy.requireApiKey");
    QVERIFY(!exposed->isEnabled());
    keys->click();
    QTRY_VERIFY(exposed->isEnabled());
    exposed->click();
    QTRY_VERIFY(exposed->isChecked());
    QVERIFY(f.settings().proxy.exposeToNetwork);
    QTRY_VERIFY2(!keys->isEnabled(), "the network may reach the proxy only with keys");
}

void SettingsTest::aTakenPortOffersAnotherOne()
{
    SettingsFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    QTcpServer other;
    QVERIFY(other.listen(QHostAddress::LocalHost));
    const int before = f.core.port();
    auto* port = f.input<QLineEdit>("proxy.port");
    auto* use = f.find<QPushButton>(QStringLiteral("useOtherPort"));
    QVERIFY(use->isHidden());
    f.type(port, QString::number(other.serverPort()));
    QTest::keyClick(port, Qt::Key_Return);
    QTRY_VERIFY(!use->isHidden());
    QVERIFY2(f.error("proxy.port").contains(QString::number(other.serverPort())), qPrintable(f.error("proxy.port")));
    // The old port goes on serving.
    QCOMPARE(f.core.listener().phase, ListenerPhase::Serving);
    QCOMPARE(f.core.port(), before);
    QCOMPARE(HttpClient(before).get("/health").status, 200);
    QTest::mouseClick(use, Qt::LeftButton);
    QTRY_VERIFY(f.core.port() != before);
    QTRY_COMPARE(port->text(), QString::number(f.core.port()));
    QTRY_VERIFY(use->isHidden());
    QVERIFY(f.error("proxy.port").isEmpty());
    QCOMPARE(HttpClient(f.core.port()).get("/health").status, 200);
}

void SettingsTest::theCertificateFileIsLookedInto()
{
    SettingsFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    auto* bundle = f.input<QLineEdit>("upstream.caBundle");
    f.type(bundle, QStringLiteral("certs.pem"));
    QVERIFY(f.error("upstream.caBundle").contains(QLatin1String("full path")));
    f.type(bundle, QStringLiteral("/no/such/file.pem"));
    QVERIFY(f.error("upstream.caBundle").contains(QLatin1String("cannot be read")));
    const QString path = QString::fromStdString(f.core.dataDir() + "/company.pem");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("hello\n");
    file.flush();
    f.type(bundle, path);
    QVERIFY(f.error("upstream.caBundle").contains(QLatin1String("no PEM certificate")));
    file.write("-----BEGIN CERTIFICATE-----\n");
    file.close();
    f.type(bundle, path);
    QVERIFY(f.error("upstream.caBundle").isEmpty());
    QTest::keyClick(bundle, Qt::Key_Return);
    QTRY_COMPARE(toQString(f.settings().upstream.caBundle), path);
}

void SettingsTest::originsAreChecked()
{
    SettingsFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    auto* origins = f.input<QLineEdit>("proxy.allowedOrigins");
    f.type(origins, QStringLiteral("https://a.example/path"));
    QVERIFY(f.error("proxy.allowedOrigins").contains(QLatin1String("https://a.example/path")));
    f.type(origins, QStringLiteral("https://a.example, http://b.example:3000"));
    QVERIFY(f.error("proxy.allowedOrigins").isEmpty());
    QTest::keyClick(origins, Qt::Key_Return);
    QTRY_COMPARE(f.settings().proxy.allowedOrigins, (std::vector<std::string>{"https://a.example", "http://b.example:3000"}));
}

void SettingsTest::clientKeysHaveTheirOwnPage()
{
    SettingsFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    QTest::mouseClick(f.find<QPushButton>(QStringLiteral("openApiKeys")), Qt::LeftButton);
    QTRY_VERIFY(f.find<Page>(QStringLiteral("api-keys")));
    QTRY_VERIFY(f.find<Page>(QStringLiteral("api-keys"))->isVisible());
}

void SettingsTest::theLogIsClearedAfterAQuestion()
{
    SettingsFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    HttpClient client(f.core.port());
    QCOMPARE(client.postJson("/v1/chat/completions", R"({"model":"sandbox/ok","messages":[{"role":"user","content":"hi"}]})").status, 200);
    const auto rows = [&f] {
        auto history = RequestHistory::open(f.core.runtime().databasePath());
        return history ? (*history)->count({}).valueOr(-1) : -1;
    };
    QTRY_COMPARE(rows(), std::int64_t{1});
    f.find<QPushButton>(QStringLiteral("clearLog"))->click();
    auto* question = f.window->findChild<QMessageBox*>(QStringLiteral("clearLogQuestion"));
    QVERIFY(question);
    QTest::mouseClick(question->findChild<QPushButton*>(QStringLiteral("cancel")), Qt::LeftButton);
    QTRY_VERIFY(!f.window->findChild<QMessageBox*>(QStringLiteral("clearLogQuestion")));
    QCOMPARE(rows(), std::int64_t{1});
    f.find<QPushButton>(QStringLiteral("clearLog"))->click();
    question = f.window->findChild<QMessageBox*>(QStringLiteral("clearLogQuestion"));
    QTest::mouseClick(question->findChild<QPushButton*>(QStringLiteral("clearLogNow")), Qt::LeftButton);
    QTRY_COMPARE(rows(), std::int64_t{0});
    QTRY_VERIFY(!f.find<QLabel>(QStringLiteral("logSize"))->text().isEmpty());
}

void SettingsTest::autostartIsReadBack()
{
    SettingsFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    auto* login = f.input<QCheckBox>("autostart");
    QVERIFY(!login->isChecked());
    login->click();
    QVERIFY(f.autostart.on && login->isChecked());
    // Switched off elsewhere: seen when the page is shown again.
    f.autostart.on = false;
    f.window->openPage(QStringLiteral("overview"));
    f.window->openPage(QStringLiteral("settings"));
    QVERIFY(!login->isChecked());
    f.autostart.refusal = "The disk is full.";
    login->click();
    QVERIFY(!login->isChecked());
    QVERIFY(f.error("autostart").contains(QLatin1String("The disk is full.")));
}

void SettingsTest::protectionIsToldInASentence()
{
    SettingsFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    const auto* text = f.find<QLabel>(QStringLiteral("secretStatus"));
    QTRY_VERIFY2(text->text().contains(QLatin1String("a file in the data folder")), qPrintable(text->text()));
}

void SettingsTest::settingsAreFound()
{
    SettingsFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    auto* filter = f.find<QLineEdit>(QStringLiteral("settingsFilter"));
    f.type(filter, QStringLiteral("certificates"));
    QVERIFY(f.input<QLineEdit>("upstream.caBundle")->isVisible());
    QVERIFY(!f.input<QLineEdit>("proxy.port")->isVisible());
    QVERIFY(!f.find<QWidget>(QStringLiteral("section.proxy"))->isVisible());
    f.type(filter, QStringLiteral("no such thing at all"));
    auto* all = f.find<Page>(QStringLiteral("settings"))->findChild<QPushButton*>(QStringLiteral("emptyAction"));
    QTRY_VERIFY(all->isVisible());
    QTest::mouseClick(all, Qt::LeftButton);
    // Without a search one group is shown at a time.
    QVERIFY(f.input<QLineEdit>("proxy.port")->isVisible());
    QVERIFY(!f.find<QPushButton>(QStringLiteral("clearLog"))->isVisible());
    f.window->openPage(QStringLiteral("settings"), QStringLiteral("log"));
    QVERIFY(f.find<QPushButton>(QStringLiteral("clearLog"))->isVisible());
    QVERIFY(!f.input<QLineEdit>("proxy.port")->isVisible());
    f.window->openPage(QStringLiteral("settings"), QStringLiteral("modelLockout.baseCooldownMs"));
    QVERIFY(f.input<QLineEdit>("modelLockout.baseCooldownMs")->isVisible());
}

void SettingsTest::numbers_data()
{
    QTest::addColumn<QString>("locale");
    QTest::addColumn<int>("unit");
    QTest::addColumn<QString>("typed");
    QTest::addColumn<qint64>("value");  // -1 = refused
    QTest::addColumn<QString>("shown");
    const auto row = [](const char* name, const char* locale, Unit unit, const char* typed, qint64 value, const char* shown) {
        QTest::newRow(name) << QString::fromLatin1(locale) << static_cast<int>(unit) << QString::fromUtf8(typed) << value
                            << QString::fromUtf8(shown);
    };
    row("plain", "en", Unit::None, "16", 16, "16");
    row("groups", "en", Unit::None, "500,000", 500'000, "500,000");
    row("blanks", "en", Unit::None, " 500 000 ", 500'000, "500,000");
    row("a port has no groups", "en", Unit::Port, "20128", 20'128, "20128");
    row("seconds", "en", Unit::Seconds, "1.5", 1'500, "1.5");
    row("minutes", "en", Unit::Minutes, "30", 1'800'000, "30");
    row("mebibytes", "en", Unit::Mebibytes, "64", 67'108'864, "64");
    row("comma as decimal point", "de", Unit::Seconds, "1,5", 1'500, "1,5");
    row("Bengali digits", "bn", Unit::None, "৫,০০,০০০", 500'000, "৫,০০,০০০");
    row("Bengali digits in an English window", "en", Unit::None, "৬৪", 64, "64");
    row("a port stays what it is", "bn", Unit::Port, "২০১২৮", 20'128, "20128");
    row("empty", "en", Unit::None, "", -1, "");
    row("words", "en", Unit::None, "ten", -1, "");
    row("half a count", "en", Unit::None, "1.5", -1, "");
    row("less than a millisecond", "en", Unit::Seconds, "0.0001", -1, "");
    row("infinite", "en", Unit::None, "inf", -1, "");
    row("too long", "en", Unit::None, "99999999999999999999", -1, "");
}

void SettingsTest::numbers()
{
    QFETCH(QString, locale);
    QFETCH(int, unit);
    QFETCH(QString, typed);
    QFETCH(qint64, value);
    QFETCH(QString, shown);
    QLocale::setDefault(QLocale(locale));
    const std::optional<std::int64_t> number = typedNumber(typed, static_cast<Unit>(unit));
    QCOMPARE(number.value_or(-1), value);
    if (number)
        QCOMPARE(shownNumber(*number, static_cast<Unit>(unit)), shown);
}

OMNI_TEST(SettingsTest)
#include "settings_test.moc"
