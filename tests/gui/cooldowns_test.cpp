#include "gui/held_fixture.h"
#include "gui/tray_fixture.h"
#include "program/measured.h"
#include "program/test_program.h"
#include "ui/cooldowns/held_delegate.h"
#include "ui/cooldowns/held_model.h"
#include "ui/cooldowns/hour_bar.h"
#include "ui/models/data_table.h"
#include "ui/shell/languages.h"
#include "ui/shell/rail.h"
#include "ui/widgets/field_error_label.h"
#include "ui/widgets/message_bar.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QMessageBox>
#include <QPaintEvent>
#include <QPushButton>
#include <QScopeGuard>
#include <QScrollBar>

#include <algorithm>

using namespace omni;
using namespace omni::test;

namespace {

/// Gathers what was painted of a widget.
struct PaintWatch : QObject {
    bool eventFilter(QObject*, QEvent* event) override
    {
        if (event->type() == QEvent::Paint)
            painted = painted.united(static_cast<QPaintEvent*>(event)->region().boundingRect());
        return false;
    }
    QRect painted;
};

/// A real core with its window and one connection to the sandbox, "work key".
struct Manager : WindowFixture {
    Manager() : WindowFixture(test::withoutSandbox()) {}

    bool begin()
    {
        if (!start())
            return false;
        work = core.addSandboxConnection("work key");
        return true;
    }
    bool open()
    {
        if (!begin())
            return false;
        show();
        return true;
    }
    void show()
    {
        page = window->openPage(QStringLiteral("cooldowns"));
        table = page->findChild<DataTable*>(QStringLiteral("cooldownTable"));
        model = static_cast<HeldModel*>(table->model());
    }
    QString cell(int row, int column) const { return model->index(row, column).data().toString(); }
    template <typename T>
    T* part(const char* name) const
    {
        return page->findChild<T*>(QLatin1String(name));
    }
    /// What is offered where the table has nothing to show.
    QPushButton* emptyAction() const { return part<QWidget>("nothingHeld")->findChild<QPushButton*>(QStringLiteral("emptyAction")); }
    void click(const char* name) const { QTest::mouseClick(part<QPushButton>(name), Qt::LeftButton); }
    /// All that the panel tells, as a person reads it.
    QString told() const
    {
        QStringList texts;
        for (const QLabel* label : part<QWidget>("evidence")->findChildren<QLabel*>()) {
            if (label->isVisible())
                texts << label->text();
        }
        return texts.join(QLatin1Char('\n')).remove(QChar(0x200B));
    }
    QString message() const { return window->messages().text(); }
    ConnectionHealth health(const ConnectionId& id)
    {
        return core.read<ConnectionHealth>([id](Control& control) {
            const EngineSnapshot snapshot = control.engineSnapshot();
            const ConnectionHealth* found = snapshot.health(id);
            return found ? *found : ConnectionHealth();
        });
    }
    std::size_t lockouts()
    {
        return core.read<std::size_t>([](Control& control) { return control.engineSnapshot().lockouts.size(); });
    }

    ConnectionId work;
    Page* page = nullptr;
    DataTable* table = nullptr;
    HeldModel* model = nullptr;
};

/// Spoken by the core, as if the engine had.
void say(const Manager& f, const std::shared_ptr<Configuration>& configuration, const EngineSnapshot& engine)
{
    f.core.runtime().ask([configuration, engine](Control& control) {
        Q_EMIT control.configurationChanged(configuration);
        Q_EMIT control.engineChanged(engine);
    });
}

}  // namespace

/// The Cooldown Manager, used as a person does: over a real engine that holds for real answers.
class CooldownsTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QLocale::setDefault(QLocale::c()); }

    void aKeyIsBackInTwoClicks();
    void aFailureIsSeenAtOnce();
    void opensAtOnceHoweverMuchIsHeld();
    void terminalStatesAreSkippedAndTold();
    void aModelIsClearedAlone();
    void allOfAProviderIsAskedOnce();
    void anOpenBreakerIsClosed();
    void everythingOrOnlyTheFilteredIsShown();
    void theRulesTakeEffectAtOnce();
    void theRulesTellTheirRange();
    void onlyTheCellsThatCountArePainted();
    void whatIsOverGoesByItself();
    void meanwhileAndTimelineAreTold();
    void theKeyboardIsEnough();
    void theRailCounts();
    void theOverviewLeadsHere();
    void columnsFitTheWindow_data();
    void columnsFitTheWindow();
};

void CooldownsTest::aKeyIsBackInTwoClicks()
{
    Manager f;
    QVERIFY2(f.begin(), f.core.error().c_str());
    ask(f, "rate-limited?seconds=90");
    // First click: the page tells why, without another one.
    QTest::mouseClick(f.find<RailButton>(QStringLiteral("rail.cooldowns")), Qt::LeftButton);
    f.show();
    QTRY_COMPARE(f.model->rowCount(), 1);
    QTRY_VERIFY(f.part<QPushButton>("holdClear")->isVisible());
    QTRY_VERIFY2(f.told().contains(QStringLiteral("HTTP 429")), qPrintable(f.told()));
    const QString told = f.told();
    for (const char* part : {"Why is “Sandbox · work key” resting?", "set by request", "HTTP 429", "Retry-After: 90", "Rule that matched",
                             "HTTP 429: rate limit", "asked for in a header", "a 429 never trips it"})
        QVERIFY2(told.contains(QString::fromUtf8(part)), qPrintable(told));
    QVERIFY(f.part<QLabel>("holdCountdown")->text().endsWith(QLatin1String(" left")));
    f.click("holdCopy");
    QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("Retry-After: 90")));
    // The second brings it back.
    f.click("holdClear");
    QTRY_COMPARE(f.model->rowCount(), 0);
    QTRY_COMPARE(f.message(), QString::fromUtf8("Cleared: 1 · unchanged: 0 · skipped, terminal: 0 · model lockouts cleared: 0"));
    QVERIFY(!f.health(f.work).coolingUntil && f.health(f.work).backoffLevel == 0);
    QCOMPARE(ask(f, "ok"), 200);
    QVERIFY2(f.told().contains(QStringLiteral("is in service again")), qPrintable(f.told()));
}

void CooldownsTest::aFailureIsSeenAtOnce()
{
    constexpr qint64 kMostMs = 250;
    Manager f;
    QVERIFY2(f.open(), f.core.error().c_str());
    qint64 longest = 0;
    for (int round = 0; round < 3; ++round) {
        ask(f, "rate-limited?seconds=90");
        QElapsedTimer since;
        since.start();
        QVERIFY(QTest::qWaitFor([&f] { return f.model->rowCount() == 1; }, 10'000));
        longest = std::max(longest, since.elapsed());
        f.click("holdClear");
        QTRY_COMPARE(f.model->rowCount(), 0);
    }
    qInfo("from a failure to its line: %lld ms at most, aim %lld ms", static_cast<long long>(longest), static_cast<long long>(kMostMs));
    if (kMeasured)
        QVERIFY2(longest <= 4 * kMostMs, qPrintable(QString::number(longest)));
}

void CooldownsTest::opensAtOnceHoweverMuchIsHeld()
{
    constexpr qint64 kMostMs = 150;
    constexpr int kConnections = 1'000;
    constexpr int kLocksEach = 10;
    Manager f;
    QVERIFY2(f.start(), f.core.error().c_str());
    std::vector<std::string> names;
    for (int i = 0; i < kConnections; ++i)
        names.push_back("key " + std::to_string(i));
    HeldFacts facts = HeldFacts::of(names);
    const WallTime now = wallNow();
    for (int i = 0; i < kConnections; ++i) {
        facts.rest(names[static_cast<std::size_t>(i)].c_str(), 600 + i, now);
        for (int j = 0; j < kLocksEach; ++j) {
            ModelLockout lockout;
            lockout.provider = ProviderId("groq");
            lockout.connection = ConnectionId(names[static_cast<std::size_t>(i)]);
            lockout.model = "model " + std::to_string(j);
            lockout.lockedAt = now;
            lockout.until = now + Millis(600'000 + j * 1000);
            lockout.failureCount = 1;
            lockout.reason = FailureReason::QuotaExhausted;
            facts.engine.lockouts.push_back(lockout);
        }
    }
    facts.engine.at = now;
    say(f, std::make_shared<Configuration>(facts.configuration), facts.engine);
    QTRY_COMPARE(f.link->engine().lockouts.size(), std::size_t{kConnections * kLocksEach});

    const auto opened = [&](const char* id) {
        f.window->openPage(QStringLiteral("settings"));
        QCoreApplication::processEvents();
        QElapsedTimer since;
        since.start();
        Page* page = f.window->openPage(QString::fromLatin1(id));
        page->repaint();
        return since.elapsed();
    };
    const qint64 first = opened("cooldowns");
    f.show();
    QCOMPARE(f.model->rowCount(), kConnections);
    const qint64 again = opened("cooldowns");
    f.model->foldAll(false);
    QCOMPARE(f.model->rowCount(), kConnections * (1 + kLocksEach));
    const qint64 unfolded = opened("cooldowns");
    const qint64 lockouts = opened("lockouts");
    const qint64 lockoutsAgain = opened("lockouts");

    // All ends at once: as many lines go.
    f.window->openPage(QStringLiteral("cooldowns"));
    QElapsedTimer since;
    since.start();
    say(f, std::make_shared<Configuration>(facts.configuration), EngineSnapshot{});
    QTRY_COMPARE(f.model->rowCount(), 0);
    const qint64 gone = since.elapsed();

    qInfo("1,000 connections, 10,000 lockouts: Cooldown Manager opens in %lld ms, again %lld ms, all unfolded %lld ms; Model Cooldowns "
          "%lld ms, again %lld ms; all gone %lld ms; aim %lld ms",
          static_cast<long long>(first), static_cast<long long>(again), static_cast<long long>(unfolded), static_cast<long long>(lockouts),
          static_cast<long long>(lockoutsAgain), static_cast<long long>(gone), static_cast<long long>(kMostMs));
    if (kMeasured)
        QVERIFY(std::max({first, again, unfolded, lockouts, lockoutsAgain}) <= 6 * kMostMs);
}

void CooldownsTest::terminalStatesAreSkippedAndTold()
{
    Manager f;
    QVERIFY2(f.open(), f.core.error().c_str());
    ask(f, "banned");
    const ConnectionId home = f.core.addSandboxConnection("home key", 2);
    ask(f, "rate-limited?seconds=90");
    QTRY_COMPARE(f.model->rowCount(), 2);
    const int banned = f.model->rowOf("c/" + f.work.str());
    QCOMPARE(f.cell(banned, HeldModel::State), QStringLiteral("banned"));
    QCOMPARE(f.cell(banned, HeldModel::Remaining), QStringLiteral("needs another key"));
    f.table->selectRow(banned);
    QVERIFY(!f.part<QPushButton>("clearSelected")->isEnabled());
    QVERIFY(!f.part<QPushButton>("clearSelected")->toolTip().isEmpty());
    QVERIFY(!f.part<QPushButton>("holdClear")->isVisible());
    QTRY_VERIFY2(f.told().contains(QStringLiteral("What ends it")), qPrintable(f.told()));

    f.table->selectAll();
    QVERIFY(f.part<QPushButton>("clearSelected")->isEnabled());
    f.click("clearSelected");
    QTRY_COMPARE(f.message(), QString::fromUtf8("Cleared: 1 · unchanged: 0 · skipped, terminal: 1 · model lockouts cleared: 0"));
    QTRY_COMPARE(f.model->rowCount(), 1);
    QVERIFY(f.health(f.work).terminal == TerminalState::Banned);
    QVERIFY(!f.health(home).coolingUntil);
    // What ends it is done where the connection is edited.
    f.table->selectRow(0);
    f.click("holdEdit");
    QTRY_COMPARE(f.window->currentPage(), QStringLiteral("connections"));
    QTRY_VERIFY(f.window->findChild<QDialog*>(QStringLiteral("connectionDialog")));
}

void CooldownsTest::aModelIsClearedAlone()
{
    Manager f;
    QVERIFY2(f.open(), f.core.error().c_str());
    ask(f, "404-model");
    ask(f, "retired-model");
    QTRY_COMPARE(f.model->rowCount(), 3);
    QCOMPARE(f.cell(0, HeldModel::State), QStringLiteral("serving"));
    QCOMPARE(f.cell(0, HeldModel::Reason), QStringLiteral("2 models resting"));
    QCOMPARE(f.cell(1, HeldModel::State), QStringLiteral("model"));
    for (int row = 1; row <= 2; ++row) {
        if (f.cell(row, HeldModel::Name) == QLatin1String("404-model"))
            f.table->selectRow(row);
    }
    QVERIFY2(f.told().contains(QStringLiteral("Why is “404-model on Sandbox · work key” resting?")), qPrintable(f.told()));
    f.click("holdClear");
    QTRY_COMPARE(f.model->rowCount(), 2);
    QCOMPARE(f.cell(1, HeldModel::Name), QStringLiteral("retired-model"));
    QTRY_COMPARE(f.message(), QString::fromUtf8("Cleared: 0 · unchanged: 0 · skipped, terminal: 0 · model lockouts cleared: 1"));
    // The connection's own line ends what is left of its models.
    f.table->selectRow(0);
    f.click("holdClear");
    QTRY_COMPARE(f.model->rowCount(), 0);
    QCOMPARE(f.lockouts(), std::size_t{0});
    QTRY_COMPARE(f.message(), QString::fromUtf8("Cleared: 1 · unchanged: 0 · skipped, terminal: 0 · model lockouts cleared: 1"));
}

void CooldownsTest::allOfAProviderIsAskedOnce()
{
    Manager f;
    QVERIFY2(f.open(), f.core.error().c_str());
    f.core.addSandboxConnection("home key", 2);
    const ConnectionId other = f.core.addUpstream("else", "http://127.0.0.1:9/v1", "sk-test-0000000000000000");
    f.core.patchSettings(R"({"resilience":{"connectionCooldown":{"apikey":{"baseCooldownMs":60000}}}})");
    ask(f, "rate-limited?seconds=90");
    ask(f, "rate-limited?seconds=90");
    HttpClient client(f.core.port());
    client.postJson("/v1/chat/completions", R"({"model":"else/any","messages":[{"role":"user","content":"hi"}]})");
    QTRY_VERIFY(f.model->rowOf("c/" + other.str()) >= 0);
    QTRY_VERIFY(f.model->rowCount() >= 3);
    auto* provider = f.part<QComboBox>("cooldownProvider");
    provider->setCurrentIndex(provider->findData(QStringLiteral("sandbox")));
    QCOMPARE(f.model->rowCount(), 2);
    auto* all = f.part<QPushButton>("clearAllCooldowns");
    QVERIFY2(all->text().contains(QStringLiteral("Sandbox")), qPrintable(all->text()));
    f.click("clearAllCooldowns");
    auto* question = f.part<QMessageBox>("clearAllQuestion");
    QVERIFY(question && question->isVisible());
    QVERIFY2(question->informativeText().contains(QStringLiteral("Rests that end: 2")), qPrintable(question->informativeText()));
    QTest::mouseClick(question->findChild<QPushButton*>(QStringLiteral("cancel")), Qt::LeftButton);
    QVERIFY(f.health(f.work).coolingUntil.has_value());

    QTRY_VERIFY(!f.part<QMessageBox>("clearAllQuestion"));
    f.click("clearAllCooldowns");
    QTest::mouseClick(f.part<QMessageBox>("clearAllQuestion")->findChild<QPushButton*>(QStringLiteral("clearAllNow")), Qt::LeftButton);
    QTRY_COMPARE(f.message(), QString::fromUtf8("Cleared: 2 · unchanged: 0 · skipped, terminal: 0 · model lockouts cleared: 0"));
    QTRY_COMPARE(f.model->rowCount(), 0);
    QVERIFY(f.health(other).coolingUntil.has_value());
    // Nothing of it is out; the way back to the others is offered.
    QTest::mouseClick(f.emptyAction(), Qt::LeftButton);
    QCOMPARE(provider->currentIndex(), 0);
    QVERIFY(f.model->rowOf("c/" + other.str()) >= 0);
}

void CooldownsTest::anOpenBreakerIsClosed()
{
    Manager f;
    QVERIFY2(f.open(), f.core.error().c_str());
    f.core.patchSettings(R"({"resilience":{"providerBreaker":{"apikey":{"degradationThreshold":1,"failureThreshold":1}}}})");
    ask(f, "503");
    QTRY_COMPARE(f.model->rowCount(), 2);
    QCOMPARE(f.cell(0, HeldModel::State), QStringLiteral("open"));
    QCOMPARE(f.cell(0, HeldModel::Name), QStringLiteral("work key"));
    f.table->selectRow(0);
    QTRY_VERIFY2(f.told().contains(QStringLiteral("HTTP 503")), qPrintable(f.told()));
    const QString told = f.told();
    for (const char* part : {"Why does nothing go to “Sandbox”?", "HTTP 503", "What happened", "open, after "})
        QVERIFY2(told.contains(QString::fromUtf8(part)), qPrintable(told));
    QVERIFY(!f.part<HourBar>("hourBar")->isVisible());
    f.table->selectAll();
    f.click("clearSelected");
    QTRY_COMPARE(f.model->rowCount(), 0);
    QTRY_COMPARE(f.message(), QString::fromUtf8("Cleared: 2 · unchanged: 0 · skipped, terminal: 0 · model lockouts cleared: 0"));
    QCOMPARE(ask(f, "ok"), 200);
}

void CooldownsTest::everythingOrOnlyTheFilteredIsShown()
{
    Manager f;
    QVERIFY2(f.open(), f.core.error().c_str());
    auto* action = f.emptyAction();
    QTRY_VERIFY(!f.part<DataTable>("cooldownTable")->isVisible());
    QVERIFY(!action->isVisible());
    ask(f, "rate-limited?seconds=90");
    QTRY_VERIFY(f.table->isVisible());
    auto* search = f.part<QLineEdit>("cooldownFilter");
    QTest::keyClicks(search, QStringLiteral("nobody"));
    QVERIFY(!f.table->isVisible());
    QTRY_VERIFY(action->isVisible());
    QTest::mouseClick(action, Qt::LeftButton);
    QVERIFY(search->text().isEmpty() && f.table->isVisible());
    auto* states = f.part<QComboBox>("cooldownStates");
    states->setCurrentIndex(2);
    QCOMPARE(f.model->rowCount(), 0);
    // Another page leads to one connection, whatever the filter.
    f.window->openPage(QStringLiteral("cooldowns"), QString::fromStdString(f.work.str()));
    QCOMPARE(f.model->rowCount(), 1);
    QVERIFY(f.table->selectionModel()->isRowSelected(0));
    f.table->copySelection();
    QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("work key")));
}

void CooldownsTest::theRulesTakeEffectAtOnce()
{
    Manager f;
    QVERIFY2(f.open(), f.core.error().c_str());
    const auto settings = [&f] {
        return f.core.read<Settings>([](Control& control) { return control.configuration()->settings; }).resilience;
    };
    auto* stall = f.part<QCheckBox>("ruleStall");
    QVERIFY(!stall->isChecked() && !settings().streamStallCooldown);
    QTest::mouseClick(stall, Qt::LeftButton, {}, QPoint(8, stall->height() / 2));
    QTRY_VERIFY(stall->isChecked());
    QVERIFY(settings().streamStallCooldown);
    QTRY_COMPARE(f.part<QLabel>("rulesSaved")->text(), QString::fromUtf8("✓ saved"));

    const auto type = [&f](const char* name, const char* text) {
        auto* edit = f.part<QLineEdit>(name);
        edit->setFocus();
        edit->selectAll();
        QTest::keyClicks(edit, QString::fromLatin1(text));
        QTest::keyClick(edit, Qt::Key_Return);
    };
    type("rule.resilience.connectionCooldown.apikey.baseCooldownMs", "7.5");
    QTRY_VERIFY(settings().apiKeyCooldown.baseCooldown == Millis(7'500));
    type("rule.resilience.connectionCooldown.apikey.maxBackoffSteps", "4");
    QTRY_COMPARE(settings().apiKeyCooldown.maxBackoffSteps, 4);
    type("rule.resilience.connectionCooldown.oauth.baseCooldownMs", "9");
    QTRY_VERIFY(settings().oauthCooldown.baseCooldown == Millis(9'000));
    type("rule.resilience.connectionCooldown.oauth.maxBackoffSteps", "2");
    QTRY_COMPARE(settings().oauthCooldown.maxBackoffSteps, 2);
    // The next failure rests as the rule says.
    ask(f, "no-hint");
    QTRY_COMPARE(f.model->rowCount(), 1);
    const ConnectionHealth health = f.health(f.work);
    QVERIFY(health.coolingUntil && health.evidence);
    QCOMPARE(health.evidence->length.count(), std::int64_t{7'500});
}

void CooldownsTest::theRulesTellTheirRange()
{
    Manager f;
    QVERIFY2(f.open(), f.core.error().c_str());
    const char* field = "rule.resilience.connectionCooldown.oauth.maxBackoffSteps";
    auto* edit = f.part<QLineEdit>(field);
    auto* error = f.part<FieldErrorLabel>("ruleError.resilience.connectionCooldown.oauth.maxBackoffSteps");
    const QString before = edit->text();
    edit->setFocus();
    edit->selectAll();
    QTest::keyClicks(edit, QStringLiteral("99"));
    QCOMPARE(error->error(), QStringLiteral("OAuth, highest backoff step: must be a number from 0 to 32."));
    QVERIFY(error->isVisible());
    // What is wrong is not sent, and what comes meanwhile does not take it away.
    QTest::keyClick(edit, Qt::Key_Return);
    f.core.patchSettings(R"({"resilience":{"streamStallCooldown":{"enabled":true}}})");
    QTRY_VERIFY(f.part<QCheckBox>("ruleStall")->isChecked());
    QCOMPARE(edit->text(), QStringLiteral("99"));
    QTest::keyClick(edit, Qt::Key_Escape);
    QCOMPARE(edit->text(), before);
    QVERIFY(error->error().isEmpty() && !error->isVisible());
}

void CooldownsTest::onlyTheCellsThatCountArePainted()
{
    Manager f;
    QVERIFY2(f.open(), f.core.error().c_str());
    ask(f, "rate-limited?seconds=90");
    QTRY_COMPARE(f.model->rowCount(), 1);
    f.part<QLineEdit>("cooldownFilter")->setFocus();
    auto* timer = f.part<QTimer>("refreshTimer");
    QVERIFY(timer->isActive());
    PaintWatch watch;
    f.table->viewport()->installEventFilter(&watch);
    // What the coming of the line still had to paint does not count: the ticks after it do.
    const auto onlyTheCell = [&] {
        const QRect painted = std::exchange(watch.painted, QRect());
        return !painted.isEmpty() && f.table->visualRect(f.model->index(0, HeldModel::Remaining)).contains(painted);
    };
    // Kept, since the macro asks once more when it was so.
    bool once = false;
    QTRY_VERIFY_WITH_TIMEOUT(once || (once = onlyTheCell()), 10'000);
    f.window->openPage(QStringLiteral("settings"));
    QVERIFY(!timer->isActive());
}

void CooldownsTest::whatIsOverGoesByItself()
{
    Manager f;
    QVERIFY2(f.open(), f.core.error().c_str());
    ask(f, "rate-limited?seconds=2");
    QTRY_COMPARE(f.model->rowCount(), 1);
    QTRY_COMPARE_WITH_TIMEOUT(f.model->rowCount(), 0, 10'000);
    QTRY_VERIFY(f.told().contains(QStringLiteral("“work key” is in service again")));
}

void CooldownsTest::meanwhileAndTimelineAreTold()
{
    Manager f;
    QVERIFY2(f.open(), f.core.error().c_str());
    ask(f, "ok");
    ask(f, "rate-limited?seconds=90");
    f.core.addSandboxConnection("home key", 2);
    QCOMPARE(ask(f, "ok"), 200);
    QCOMPARE(ask(f, "ok"), 200);
    QTRY_COMPARE(f.model->rowCount(), 1);
    QTRY_VERIFY2_WITH_TIMEOUT(f.told().contains(QStringLiteral("2 requests went to “Sandbox · home key”.")), qPrintable(f.told()), 20'000);
    QTRY_VERIFY2_WITH_TIMEOUT(f.told().contains(QStringLiteral("HTTP 429, rate limit for rate-limited?seconds=90")), qPrintable(f.told()),
                              20'000);
    QVERIFY(f.part<HourBar>("hourBar")->isVisible());
    QVERIFY2(f.part<HourBar>("hourBar")->summary().startsWith(QStringLiteral("in service ")),
             qPrintable(f.part<HourBar>("hourBar")->summary()));
    // The request that led to it opens.
    QTRY_VERIFY(f.part<QPushButton>("holdRequest")->isVisible());
    f.click("holdRequest");
    QTRY_COMPARE(f.window->currentPage(), QStringLiteral("requests"));
}

void CooldownsTest::theKeyboardIsEnough()
{
    Manager f;
    QVERIFY2(f.open(), f.core.error().c_str());
    ask(f, "404-model");
    QTRY_COMPARE(f.model->rowCount(), 2);
    f.table->setFocus();
    f.table->selectRow(1);
    QTest::keyClick(f.table, Qt::Key_Left);  // to the connection
    QCOMPARE(f.table->currentIndex().row(), 0);
    QTest::keyClick(f.table, Qt::Key_Left);
    QCOMPARE(f.model->rowCount(), 1);
    QTest::keyClick(f.table, Qt::Key_Right);
    QCOMPARE(f.model->rowCount(), 2);
    // A click on the mark does the same.
    const QRect state = f.table->visualRect(f.model->index(0, HeldModel::State));
    QTest::mouseClick(f.table->viewport(), Qt::LeftButton, {},
                      QPoint(state.left() + CellDelegate::kPadding / 2 + HeldDelegate::kFold / 2, state.center().y()));
    QCOMPARE(f.model->rowCount(), 1);
    QTest::keyClick(f.table, Qt::Key_Return);  // to what can be done
    QCOMPARE(f.window->focusWidget(), static_cast<QWidget*>(f.part<QPushButton>("holdClear")));
    f.table->setFocus();
    QTest::keyClick(f.table, Qt::Key_Delete);
    QTRY_COMPARE(f.model->rowCount(), 0);
    QCOMPARE(f.lockouts(), std::size_t{0});
}

void CooldownsTest::theRailCounts()
{
    Manager f;
    QVERIFY2(f.begin(), f.core.error().c_str());
    auto* entry = f.find<RailButton>(QStringLiteral("rail.cooldowns"));
    QCOMPARE(entry->badge(), 0);
    ask(f, "404-model");
    ask(f, "rate-limited?seconds=90");
    QTRY_COMPARE(entry->badge(), 1);
    QCOMPARE(f.find<RailButton>(QStringLiteral("rail.connections"))->badge(), 0);
}

void CooldownsTest::theOverviewLeadsHere()
{
    Manager f;
    QVERIFY2(f.begin(), f.core.error().c_str());
    ask(f, "rate-limited?seconds=90");
    Page* overview = f.window->openPage(QStringLiteral("overview"));
    auto* link = overview->findChild<QPushButton*>(QStringLiteral("openCooldowns"));
    QTRY_VERIFY(link && link->isVisible());
    QTest::mouseClick(link, Qt::LeftButton);
    QCOMPARE(f.window->currentPage(), QStringLiteral("cooldowns"));
}

void CooldownsTest::columnsFitTheWindow_data()
{
    QTest::addColumn<QString>("language");
    for (const Languages::Language& language : Languages::available())
        QTest::newRow(qPrintable(language.code)) << language.code;
}

/// At the size the window opens with, nothing has to be scrolled sideways and every state is told whole.
void CooldownsTest::columnsFitTheWindow()
{
    QFETCH(QString, language);
    Languages languages(*qApp);
    languages.apply(language);
    const auto back = qScopeGuard([&languages] { languages.apply(QStringLiteral("en")); });
    Manager f;
    QVERIFY2(f.open(), f.core.error().c_str());
    QCOMPARE(f.window->size(), QSize(1280, 800));
    HeldFacts facts = HeldFacts::ofEveryKind();
    const Millis later = wallNow() - kHeldNow;
    for (ConnectionHealth& health : facts.engine.healths) {
        for (auto* time : {&health.coolingSince, &health.coolingUntil}) {
            if (*time)
                **time += later;
        }
    }
    for (ModelLockout& lockout : facts.engine.lockouts) {
        lockout.lockedAt += later;
        lockout.until += later;
    }
    *facts.engine.breakers.front().heldUntil += later;
    // The engine itself may speak in between: then it is said once more.
    const bool shown = QTest::qWaitFor(
        [&] {
            if (f.model->rowCount() < 5)
                say(f, std::make_shared<Configuration>(facts.configuration), facts.engine);
            return f.table->isVisible() && f.model->rowCount() >= 5;
        },
        10'000);
    QVERIFY2(shown, qPrintable(QStringLiteral("%1 rows, %2 held connections").arg(f.model->rowCount()).arg(f.link->engine().healths.size())));
    QTRY_COMPARE(f.table->horizontalScrollBar()->maximum(), 0);
    QVERIFY(!f.table->isColumnHidden(HeldModel::Since));
    QVERIFY(f.table->columnViewportPosition(HeldModel::Since) + f.table->columnWidth(HeldModel::Since) <= f.table->viewport()->width());
    QFont bold = f.table->font();
    bold.setWeight(QFont::DemiBold);
    const QFontMetrics metrics(bold);
    for (int row = 0; row < f.model->rowCount(); ++row) {
        const QModelIndex index = f.model->index(row, HeldModel::State);
        const int indent = (index.data(HeldModel::IndentRole).toBool() ? 2 : 1) * HeldDelegate::kFold;
        const int needed = indent + metrics.ascent() + CellDelegate::kGap + metrics.horizontalAdvance(index.data().toString()) +
                           CellDelegate::kPadding;
        QVERIFY2(needed <= f.table->columnWidth(HeldModel::State), qPrintable(index.data().toString()));
    }
}

OMNI_TEST(CooldownsTest)
#include "cooldowns_test.moc"
