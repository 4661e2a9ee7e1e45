#include "gui/tray_fixture.h"
#include "program/test_program.h"
#include "ui/models/connections_model.h"
#include "ui/models/data_table.h"
#include "ui/models/hold_actions.h"
#include "ui/models/request_text.h"
#include "ui/shell/tray_menu.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/why_dialog.h"

#include <QClipboard>
#include <QLabel>
#include <QLocale>
#include <QPlainTextEdit>
#include <QPushButton>

#include <algorithm>

using namespace omni;
using namespace omni::test;

namespace {

constexpr std::size_t kAll = 1'000;

/// A real core with its window and one connection to the sandbox, "work key".
struct Desk : WindowFixture {
    explicit Desk() : WindowFixture(quietStart()) {}

    static RuntimeOptions quietStart()
    {
        RuntimeOptions options;
        options.offerSandbox = false;
        return options;
    }
    bool open()
    {
        if (!start())
            return false;
        core.addSandboxConnection("work key");
        return true;
    }
    HoldList holds()
    {
        const auto configuration = core.read<ConfigurationPtr>([](Control& control) { return control.configuration(); });
        const auto snapshot = core.read<EngineSnapshot>([](Control& control) { return control.engineSnapshot(); });
        return listHolds(*configuration, snapshot, snapshot.at, kAll);
    }
    std::vector<QPushButton*> buttons(const char* name) const
    {
        std::vector<QPushButton*> shown;
        for (QPushButton* button : window->findChildren<QPushButton*>(QLatin1String(name))) {
            if (button->isVisible())
                shown.push_back(button);
        }
        return shown;
    }
    QPushButton* buttonFor(const char* name, const QString& title) const
    {
        for (QPushButton* button : buttons(name)) {
            if (button->accessibleName().contains(title))
                return button;
        }
        return nullptr;
    }
    WhyDialog* why() const { return window->findChild<WhyDialog*>(); }
};

}  // namespace

/// Holds that a real engine makes of real answers, as the windows show and end them.
class HoldsDeskTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QLocale::setDefault(QLocale::c()); }

    void realRequestsTellWhatWasLeftOut();
    void theSandboxMakesEveryKind_data();
    void theSandboxMakesEveryKind();
    void quotasOfModelsLockModels();
    void anOpenBreakerIsListedAndClosed();
    void aLockIsShownAndEndedAlone();
    void aProviderCooldownIsShownAndEnded();
    void everythingThatPassesIsEndedAtOnce();
    void theTrayEndsALock();
    void theConnectionsPageEndsLocks();
};

void HoldsDeskTest::realRequestsTellWhatWasLeftOut()
{
    Desk f;
    QVERIFY2(f.open(), f.core.error().c_str());
    f.core.patchSettings(R"({"resilience":{"providerCooldown":{"enabled":true,"minRetryCooldownMs":60000,"maxRetryCooldownMs":60000}}})");
    f.core.addCombo("missing", {{"work key", "404-model"}, {"home key", "ok"}});
    f.core.addCombo("limited", {{"third key", "rate-limited?seconds=90"}, {"home key", "ok"}});
    f.core.addCombo("cooled", {{"fourth key", "prose-retry"}, {"home key", "ok"}});
    f.core.addCombo("long", {{"work key", "context-length"}, {"home key", "context-length"}});
    QList<RequestRecord> records;
    connect(f.link.get(), &CoreLink::requestsFinished, this, [&records](const QList<RequestRecord>& more) { records += more; });
    HttpClient client(f.core.port());
    const auto leftOut = [&](const char* combo) -> std::vector<ExcludedTarget> {
        records.clear();
        client.postJson("/v1/chat/completions", R"({"model":")" + std::string(combo) + R"(","messages":[{"role":"user","content":"x"}]})");
        if (!QTest::qWaitFor([&records] { return !records.isEmpty(); }))
            return {};
        return records.constLast().excluded;
    };
    QVERIFY(leftOut("missing").empty());
    const auto locked = leftOut("missing");
    QCOMPARE(locked.size(), std::size_t{1});
    QCOMPARE(leftOutReason(locked[0]), QStringLiteral("model resting"));
    QVERIFY(leftOutTime(locked[0]).startsWith(QStringLiteral("left out, for another ")));
    leftOut("limited");
    QCOMPARE(leftOutReason(leftOut("limited").at(0)), QStringLiteral("resting"));
    // Its own rest is over after 3.5 s, the provider cooldown goes on.
    leftOut("cooled");
    QTRY_COMPARE_WITH_TIMEOUT(leftOutReason(leftOut("cooled").at(0)), QStringLiteral("provider resting"), 10'000);
    const auto tooLong = leftOut("long");
    QCOMPARE(tooLong.size(), std::size_t{1});
    QCOMPARE(leftOutReason(tooLong[0]), QStringLiteral("prompt too long for this model"));
    QCOMPARE(leftOutTime(tooLong[0]), QStringLiteral("left out"));
}

void HoldsDeskTest::theSandboxMakesEveryKind_data()
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("reason");
    QTest::addColumn<QString>("explanation");
    const auto row = [](const char* model, HoldKind kind, Exclusion reason, const char* explanation) {
        QTest::newRow(model) << QString::fromLatin1(model) << static_cast<int>(kind) << static_cast<int>(reason)
                             << QString::fromUtf8(explanation);
    };
    const auto rests = [&row](const char* model, const char* explanation) {
        row(model, HoldKind::Connection, Exclusion::ConnectionCooldown, explanation);
    };
    rests("rate-limited?seconds=90", "HTTP 429, Retry-After: 90");
    rests("retry-after-date?seconds=90", "HTTP 429, Retry-After: ");
    rests("retry-after-ms-header?seconds=90", "HTTP 429, Retry-After-Ms: 90000");
    rests("reset-header-epoch?seconds=90", "HTTP 429, X-RateLimit-Reset: ");
    rests("reset-header-epoch-ms?seconds=90", "HTTP 429, X-RateLimit-Reset: ");
    rests("reset-header-duration", "HTTP 429, x-ratelimit-reset-requests: 1m30s");
    rests("reset-header-iso?seconds=90", "HTTP 429, anthropic-ratelimit-requests-reset: ");
    rests("retry-after-ms?seconds=90", "HTTP 429, rate limit");
    rests("prose-resets", "HTTP 429, rate limit");
    rests("daily-limit", "HTTP 429, quota used up");
    rests("403", "HTTP 403, key refused");
    rests("403-rejected", "HTTP 403, key refused");
    rests("401", "HTTP 401, key refused; tried again then");
    rests("502", "HTTP 502, server error");
    rests("529", "HTTP 529, overloaded");
    row("banned", HoldKind::Connection, Exclusion::Banned, "banned by the provider; needs another key");
    row("402", HoldKind::Connection, Exclusion::CreditsExhausted, "balance is empty; top up, then test");
    row("insufficient-quota", HoldKind::Connection, Exclusion::CreditsExhausted, "balance is empty; top up, then test");
    const auto locks = [&row](const char* model, const char* explanation) {
        row(model, HoldKind::Model, Exclusion::ModelLockout, explanation);
    };
    locks("404-model", "Sandbox: model resting, HTTP 404, not found");
    locks("retired-model", "Sandbox: model resting, HTTP 410, not found");
    locks("gemini-retry-info", "Sandbox: model resting, HTTP 429, rate limit");
    locks("daily-quota", "Sandbox: model resting, HTTP 429, quota used up");
}

void HoldsDeskTest::theSandboxMakesEveryKind()
{
    QFETCH(QString, model);
    QFETCH(int, kind);
    QFETCH(int, reason);
    QFETCH(QString, explanation);
    Desk f;
    QVERIFY2(f.open(), f.core.error().c_str());
    QVERIFY(ask(f, toUtf8(model)) >= 400);
    const HoldList list = f.holds();
    QCOMPARE(list.total, std::size_t{1});
    const HoldItem& hold = list.first.front();
    QCOMPARE(static_cast<int>(hold.kind), kind);
    QCOMPARE(static_cast<int>(hold.reason), reason);
    QVERIFY2(hold.explanation.startsWith(explanation), qPrintable(hold.explanation));
    QVERIFY2(hold.evidence.contains(QStringLiteral("Rule that matched: ")), qPrintable(hold.evidence));
    // What passes is ended by the user; what does not stays.
    const int ended = f.core.read<int>([hold](Control& control) { return endHold(control, hold); });
    QCOMPARE(ended, hold.clearable() ? 1 : 0);
    QCOMPARE(f.holds().total, hold.clearable() ? std::size_t{0} : std::size_t{1});
}

void HoldsDeskTest::quotasOfModelsLockModels()
{
    Desk f;
    QVERIFY2(f.open(), f.core.error().c_str());
    const auto configuration = f.core.read<ConfigurationPtr>([](Control& control) { return control.configuration(); });
    ConnectionDraft draft{configuration->connections.front(), std::nullopt, std::nullopt};
    draft.connection.passthroughModels = true;
    QVERIFY(f.core.ask<Connection>([draft](Control& control, Reply<Connection> reply) { control.saveConnection(draft, reply); }).ok());
    for (const char* model : {"rate-limited?seconds=200", "402", "403", "503"})
        ask(f, model);
    const HoldList list = f.holds();
    QStringList explanations;
    for (const HoldItem& hold : list.first) {
        QVERIFY(hold.kind == HoldKind::Model);
        explanations << hold.explanation;
    }
    explanations.sort();
    QCOMPARE(explanations.size(), 4);
    QVERIFY2(explanations[0].contains(QStringLiteral("HTTP 402, out of credit")), qPrintable(explanations[0]));
    QVERIFY2(explanations[1].contains(QStringLiteral("HTTP 403, forbidden for this key")), qPrintable(explanations[1]));
    QVERIFY2(explanations[2].contains(QStringLiteral("HTTP 429, Retry-After: 200")), qPrintable(explanations[2]));
    QVERIFY2(explanations[3].contains(QStringLiteral("HTTP 503, server error")), qPrintable(explanations[3]));
    QCOMPARE(ask(f, "ok"), 200);  // the connection serves its other models
}

void HoldsDeskTest::anOpenBreakerIsListedAndClosed()
{
    Desk f;
    QVERIFY2(f.open(), f.core.error().c_str());
    f.core.patchSettings(R"({"resilience":{"providerBreaker":{"apikey":{"degradationThreshold":1,"failureThreshold":1}}}})");
    ask(f, "503");
    const HoldList list = f.holds();
    QCOMPARE(list.total, std::size_t{2});
    QVERIFY(list.first[0].kind == HoldKind::Breaker);
    QVERIFY2(list.first[0].explanation.startsWith(QStringLiteral("provider breaker, HTTP 503 ×")), qPrintable(list.first[0].explanation));
    QCOMPARE(f.core.read<int>([hold = list.first[0]](Control& control) { return endHold(control, hold); }), 1);
    QVERIFY(f.holds().first[0].kind == HoldKind::Connection);
}

void HoldsDeskTest::aLockIsShownAndEndedAlone()
{
    Desk f;
    QVERIFY2(f.open(), f.core.error().c_str());
    f.core.addSandboxConnection("home key");
    f.window->openPage(QStringLiteral("overview"));
    ask(f, "404-model");
    QTRY_COMPARE(f.buttons("holdAction").size(), std::size_t{2});
    QPushButton* why = f.buttonFor("holdWhy", QStringLiteral("404-model on work key"));
    QVERIFY(why);
    why->setFocus();
    QTest::keyClick(why, Qt::Key_Space);
    QTRY_VERIFY(f.why() && f.why()->isVisible());
    QCOMPARE(f.why()->findChild<QLabel*>(QStringLiteral("whyHeading"))->text(), QStringLiteral("404-model on work key: model resting"));
    const QString text = f.why()->findChild<QPlainTextEdit*>(QStringLiteral("whyText"))->toPlainText();
    for (const char* part :
         {"HTTP 404", "does not exist", "Rule that matched: HTTP 404: no such model here", "from our own ladder", "2:00"})
        QVERIFY2(text.contains(QLatin1String(part)), qPrintable(text));
    QTest::mouseClick(f.why()->findChild<QPushButton*>(QStringLiteral("whyCopy")), Qt::LeftButton);
    QVERIFY(QGuiApplication::clipboard()->text().contains(text));
    QTest::keyClick(f.why(), Qt::Key_Escape);
    QTRY_VERIFY(!f.why());

    QPushButton* clear = f.buttonFor("holdAction", QStringLiteral("404-model on work key"));
    QVERIFY(clear);
    QTest::mouseClick(clear, Qt::LeftButton);
    QTRY_COMPARE(f.buttons("holdAction").size(), std::size_t{1});
    QVERIFY(f.buttonFor("holdAction", QStringLiteral("404-model on home key")));
    QTRY_VERIFY(f.window->messages().text().contains(QStringLiteral("404-model on work key serves again")));
}

void HoldsDeskTest::aProviderCooldownIsShownAndEnded()
{
    Desk f;
    QVERIFY2(f.open(), f.core.error().c_str());
    f.core.patchSettings(R"({"resilience":{"providerCooldown":{"enabled":true,"minRetryCooldownMs":60000,"maxRetryCooldownMs":60000}}})");
    f.core.addCombo("mix", {{"work key", "rate-limited?seconds=2"}});
    ask(f, "rate-limited?seconds=2");
    HoldList list = f.holds();
    const auto cooling = std::find_if(list.first.begin(), list.first.end(),
                                      [](const HoldItem& hold) { return hold.kind == HoldKind::Provider; });
    QVERIFY(cooling != list.first.end());
    QVERIFY(cooling->reason == Exclusion::ProviderCooldown && cooling->clearable());
    QCOMPARE(cooling->title, QStringLiteral("Sandbox · work key"));
    QVERIFY(f.core.read<int>([hold = *cooling](Control& control) { return endHold(control, hold); }) > 0);
    QCOMPARE(f.holds().total, std::size_t{0});
}

void HoldsDeskTest::everythingThatPassesIsEndedAtOnce()
{
    Desk f;
    QVERIFY2(f.open(), f.core.error().c_str());
    f.core.addCombo("broke", {{"old key", "402"}});
    ask(f, "404-model");
    f.core.read<int>([](Control& control) { return control.clearAllLockouts(); });
    HttpClient client(f.core.port());
    client.postJson("/v1/chat/completions", R"({"model":"broke","messages":[{"role":"user","content":"x"}]})");
    ask(f, "404-model");
    ask(f, "rate-limited?seconds=90");
    f.window->openPage(QStringLiteral("overview"));
    QTRY_COMPARE(f.buttons("holdAction").size(), std::size_t{3});
    QTRY_COMPARE(f.buttons("clearAll").size(), std::size_t{1});
    QTest::mouseClick(f.buttons("clearAll").front(), Qt::LeftButton);
    QTRY_COMPARE(f.buttons("holdAction").size(), std::size_t{1});
    QVERIFY(f.buttons("holdAction").front()->accessibleName().startsWith(QStringLiteral("Edit: Sandbox · old key")));
    QTRY_VERIFY(f.window->messages().text().contains(QStringLiteral("2 holds were cleared")));
    // What only the user ends says so.
    QTest::mouseClick(f.buttons("holdWhy").front(), Qt::LeftButton);
    QTRY_VERIFY(f.why() && f.why()->isVisible());
    QVERIFY(f.why()->findChild<QPlainTextEdit*>(QStringLiteral("whyText"))->toPlainText().contains(QStringLiteral("Only you can end it")));
}

void HoldsDeskTest::theTrayEndsALock()
{
    Desk f;
    QVERIFY2(f.open(), f.core.error().c_str());
    TrayMenu menu(*f.link, nullptr);
    QMenu* out = actionNamed(menu.menu(), "tray.outOfService")->menu();
    ask(f, "404-model");
    QTRY_VERIFY(out->menuAction()->isEnabled());
    QMenu* hold = out->actions().constFirst()->menu();
    QVERIFY2(hold->title().startsWith(QStringLiteral("404-model on work key: model resting until ")), qPrintable(hold->title()));
    QVERIFY(hold->actions().constFirst()->text().contains(QStringLiteral("not found")));
    actionNamed(*hold, "tray.clear")->trigger();
    QTRY_VERIFY(!out->menuAction()->isEnabled());
    QCOMPARE(f.holds().total, std::size_t{0});
}

void HoldsDeskTest::theConnectionsPageEndsLocks()
{
    Desk f;
    QVERIFY2(f.open(), f.core.error().c_str());
    Page* page = f.window->openPage(QStringLiteral("connections"));
    auto* table = page->findChild<DataTable*>(QStringLiteral("connectionTable"));
    auto* why = page->findChild<QPushButton*>(QStringLiteral("whyConnection"));
    QTRY_COMPARE(table->model()->rowCount(), 1);
    table->selectRow(0);
    QVERIFY(!why->isEnabled());
    ask(f, "404-model");
    ask(f, "retired-model");
    QTRY_COMPARE(table->model()->index(0, ConnectionsModel::State).data().toString(), QStringLiteral("2 models resting"));
    QTRY_VERIFY(why->isEnabled());
    QTest::mouseClick(why, Qt::LeftButton);
    QTRY_VERIFY(f.why() && f.why()->isVisible());
    const QString text = f.why()->findChild<QPlainTextEdit*>(QStringLiteral("whyText"))->toPlainText();
    QVERIFY(text.contains(QStringLiteral("404-model on work key")) && text.contains(QStringLiteral("retired-model on work key")));
    QTest::mouseClick(f.why()->findChild<QPushButton*>(QStringLiteral("whyAction")), Qt::LeftButton);
    QTRY_COMPARE(table->model()->index(0, ConnectionsModel::State).data().toString(), QStringLiteral("serving"));
    QTRY_VERIFY(f.window->messages().text().contains(QStringLiteral("2 holds were cleared")));
    QTRY_VERIFY(!why->isEnabled());
}

OMNI_TEST(HoldsDeskTest)
#include "holds_desk_test.moc"
