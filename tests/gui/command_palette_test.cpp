#include "gui/tray_fixture.h"
#include "program/test_program.h"
#include "ui/settings/settings_places.h"
#include "ui/shell/command_model.h"
#include "ui/shell/command_palette.h"
#include "ui/shell/languages.h"
#include "ui/shell/rail.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/search_field.h"

#include <QClipboard>
#include <QDialog>
#include <QFileDialog>
#include <QListView>
#include <QListWidget>
#include <QMessageBox>
#include <QPushButton>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QTableView>
#include <QTextBrowser>

using namespace omni;
using namespace omni::test;

namespace {

struct PaletteFixture : WindowFixture {
    QWidget* palette() const { return find<QWidget>(QStringLiteral("commandPalette")); }
    QLineEdit* line() const { return find<QLineEdit>(QStringLiteral("commandLine")); }
    QListView* list() const { return find<QListView>(QStringLiteral("commandList")); }

    void open() const
    {
        // A dialog that has just been closed gives the window back in its own time.
        if (QTest::qWaitFor([this] { return window->isActiveWindow(); }))
            QTest::keyClick(window.get(), Qt::Key_K, Qt::ControlModifier);
    }
    QString titleAt(int row) const { return list()->model()->index(row, 0).data().toString(); }
    QString current() const { return list()->currentIndex().data().toString(); }
    QStringList titles() const
    {
        QStringList all;
        for (int row = 0; row < list()->model()->rowCount(); ++row)
            all << titleAt(row);
        return all;
    }
    /// Opens it, types and runs what stands first; returns its title.
    QString run(const QString& typed) const
    {
        open();
        line()->setText(typed);  // QTest types ASCII only
        const QString first = current();
        QTest::keyClick(line(), Qt::Key_Return);
        return first;
    }
};

}  // namespace

class CommandPaletteTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void opensAndClosesByKeyboard();
    void keysWalkTheList();
    void everyPageIsOffered();
    void everyCardOfTheSettingsIsOffered();
    void actionsOfTheWindowRun();
    void appearanceIsChosen();
    void thingsAreMade();
    void thingsAreFound();
    void modelsAtRestAreFound();
    void helpIsOpened();
    void buttonsOfThePageArePressed();
    void usageIsExported();
    void recentOnesAreRemembered();
    void keysStandBesideTheirCommands();
    void speaksBengali();
    void mirrorsWithTheLanguage();
    void aClickBesideItCloses();
};

void CommandPaletteTest::opensAndClosesByKeyboard()
{
    PaletteFixture f;
    QVERIFY2(f.start(), f.core.error().c_str());
    for (const char* page : {"overview", "connections", "requests", "settings", "help"}) {
        Page* shown = f.window->openPage(QLatin1String(page));
        QTRY_VERIFY(shown->isVisible());
        // From within a line that is typed into, too.
        QWidget* before = shown->filterField() ? shown->filterField() : f.find<RailButton>(QStringLiteral("rail.") + QLatin1String(page));
        before->setFocus();
        f.open();
        QVERIFY2(f.palette()->isVisible(), page);
        QVERIFY(f.line()->hasFocus());
        QVERIFY(!f.palette()->accessibleName().isEmpty() && !f.line()->accessibleName().isEmpty());
        QVERIFY(!f.list()->accessibleName().isEmpty());
        QTest::keyClick(f.line(), Qt::Key_Escape);
        QVERIFY(!f.palette()->isVisible());
        QVERIFY2(before->hasFocus(), page);
    }
    f.open();
    QTest::keyClicks(f.line(), QStringLiteral("zzzqqq"));
    QVERIFY(!f.list()->isVisible());
    QVERIFY(f.find<QLabel>(QStringLiteral("commandNothing"))->text().contains(QStringLiteral("zzzqqq")));
    QTest::keyClick(f.line(), Qt::Key_Return);
    QVERIFY(f.palette()->isVisible());
    f.open();
    QVERIFY(!f.palette()->isVisible());
    // Opened again, it begins anew.
    f.open();
    QVERIFY(f.line()->text().isEmpty() && f.list()->isVisible());
    // A page's key ends it.
    QTest::keyClick(f.window.get(), Qt::Key_2, Qt::ControlModifier);
    QTRY_COMPARE(f.window->currentPage(), QStringLiteral("connections"));
    QTRY_VERIFY(!f.palette()->isVisible());
}

void CommandPaletteTest::keysWalkTheList()
{
    PaletteFixture f;
    QVERIFY2(f.start(), f.core.error().c_str());
    f.open();
    const int rows = f.list()->model()->rowCount();
    QVERIFY(rows > 30);
    QCOMPARE(f.list()->currentIndex().row(), 0);
    const auto press = [&f](int key) { QTest::keyClick(f.line(), static_cast<Qt::Key>(key)); };
    press(Qt::Key_Down);
    QCOMPARE(f.list()->currentIndex().row(), 1);
    QCOMPARE(f.line()->accessibleDescription(), f.list()->currentIndex().data(Qt::AccessibleTextRole).toString());
    press(Qt::Key_Up);
    press(Qt::Key_Up);
    QCOMPARE(f.list()->currentIndex().row(), rows - 1);
    press(Qt::Key_Down);
    QCOMPARE(f.list()->currentIndex().row(), 0);
    press(Qt::Key_PageDown);
    const int page = f.list()->currentIndex().row();
    QVERIFY(page >= 2);
    press(Qt::Key_PageUp);
    QCOMPARE(f.list()->currentIndex().row(), 0);
    for (int i = 0; i < rows; ++i)
        press(Qt::Key_PageDown);
    QCOMPARE(f.list()->currentIndex().row(), rows - 1);
    // Letters that were hit are told to the painter.
    f.line()->setText(QStringLiteral("cooldown man"));
    QCOMPARE(f.current(), QStringLiteral("Cooldown Manager"));
    QCOMPARE(f.list()->currentIndex().data(CommandModel::TitleHitsRole).value<QList<int>>().size(), 11);
}

void CommandPaletteTest::everyPageIsOffered()
{
    PaletteFixture f;
    QVERIFY2(f.start(), f.core.error().c_str());
    QStringList ids;
    for (const RailButton* button : f.window->findChildren<RailButton*>())
        ids << button->objectName().mid(5);
    QVERIFY(ids.size() >= 11);
    for (const QString& id : ids) {
        const QString title = f.find<RailButton>(QStringLiteral("rail.") + id)->text();
        QCOMPARE(f.run(title), title);
        QTRY_COMPARE(f.window->currentPage(), id);
    }
}

void CommandPaletteTest::everyCardOfTheSettingsIsOffered()
{
    PaletteFixture f;
    QVERIFY2(f.start(), f.core.error().c_str());
    Page* settings = f.window->openPage(QStringLiteral("settings"));
    QStringList cards;
    for (const QWidget* card : settings->findChildren<QWidget*>()) {
        if (card->objectName().startsWith(QLatin1String("section.")))
            cards << card->objectName().mid(8);
    }
    std::vector<SettingsPlace> places = settingsPlaces();
    QCOMPARE(static_cast<std::size_t>(cards.size()), places.size());
    auto* index = settings->findChild<QListWidget*>(QStringLiteral("settingsIndex"));
    for (const SettingsPlace& place : places) {
        QVERIFY2(cards.contains(place.id), qPrintable(place.id));
        f.window->openPage(QStringLiteral("overview"));
        f.open();
        QTest::keyClicks(f.line(), place.title + QStringLiteral(" settings"));
        QCOMPARE(f.current(), place.title);
        QTest::keyClick(f.line(), Qt::Key_Return);
        QCOMPARE(f.window->currentPage(), QStringLiteral("settings"));
        QCOMPARE(index->currentItem()->text(), place.group);
        QVERIFY(settings->findChild<QWidget*>(QStringLiteral("section.") + place.id)->isVisible());
    }
}

void CommandPaletteTest::actionsOfTheWindowRun()
{
    PaletteFixture f;
    QVERIFY2(f.start(), f.core.error().c_str());
    QTRY_COMPARE(f.link->listener().phase, ListenerPhase::Serving);
    QCOMPARE(f.run(QStringLiteral("copy base")), QStringLiteral("Copy base URL"));
    QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("http://127.0.0.1:%1/v1").arg(f.core.port()));
    QVERIFY(f.window->messages().text().contains(QStringLiteral("/v1")));

    ask(f, "rate-limited?seconds=90");
    QTRY_VERIFY(f.find<RailButton>(QStringLiteral("rail.cooldowns"))->badge() == 1);
    QCOMPARE(f.run(QStringLiteral("clear all cooldowns")), QStringLiteral("Clear all cooldowns now"));
    QTRY_COMPARE(f.window->messages().text(), QStringLiteral("One hold was cleared."));
    QTRY_COMPARE(f.find<RailButton>(QStringLiteral("rail.cooldowns"))->badge(), 0);

    QCOMPARE(f.run(QStringLiteral("stop the proxy")), QStringLiteral("Stop the proxy"));
    QTRY_COMPARE(f.core.listener().phase, ListenerPhase::Stopped);
    QTRY_COMPARE(f.link->listener().phase, ListenerPhase::Stopped);
    QCOMPARE(f.run(QStringLiteral("start the proxy")), QStringLiteral("Start the proxy"));
    QTRY_COMPARE(f.core.listener().phase, ListenerPhase::Serving);

    QSignalSpy folder(f.window.get(), &MainWindow::dataFolderRequested);
    f.run(QStringLiteral("data folder"));
    QCOMPARE(folder.count(), 1);
    f.run(QStringLiteral("about"));
    auto* about = f.find<QMessageBox>(QStringLiteral("aboutBox"));
    QVERIFY(about);
    about->reject();
    QSignalSpy quit(f.window.get(), &MainWindow::quitRequested);
    f.run(QStringLiteral("quit"));
    QCOMPARE(quit.count(), 1);
}

void CommandPaletteTest::appearanceIsChosen()
{
    PaletteFixture f;
    QVERIFY2(f.start(), f.core.error().c_str());
    const auto appearance = [&f] { return f.link->configuration()->settings.appearance; };
    QCOMPARE(f.run(QStringLiteral("theme dark")), QStringLiteral("Theme: Dark"));
    QTRY_VERIFY(appearance().theme == Theme::Dark);
    QCOMPARE(f.run(QStringLiteral("theme light")), QStringLiteral("Theme: Light"));
    QTRY_VERIFY(appearance().theme == Theme::Light);
    QCOMPARE(f.run(QStringLiteral("theme system")), QStringLiteral("Theme: As the system"));
    QTRY_VERIFY(appearance().theme == Theme::System);
    f.run(QStringLiteral("language english"));
    QTRY_COMPARE(appearance().language, std::string("en"));
    f.run(QStringLiteral("language bn"));
    QTRY_COMPARE(appearance().language, std::string("bn"));
    f.run(QStringLiteral("language as the system"));
    QTRY_COMPARE(appearance().language, std::string());
    const auto stored = f.core.read<Settings>([](Control& control) { return control.configuration()->settings; });
    QVERIFY(stored.appearance.theme == Theme::System && stored.appearance.language.empty());
}

void CommandPaletteTest::thingsAreMade()
{
    PaletteFixture f;
    QVERIFY2(f.start(), f.core.error().c_str());
    const auto makes = [&f](const char* typed, const char* page) -> QString {
        f.run(QLatin1String(typed));
        if (f.window->currentPage() != QLatin1String(page))
            return QStringLiteral("page ") + f.window->currentPage();
        QDialog* shown = nullptr;
        const bool came = QTest::qWaitFor([&] {
            for (QDialog* dialog : f.window->findChildren<QDialog*>()) {
                if (dialog->isVisible())
                    shown = dialog;
            }
            return shown != nullptr;
        });
        if (!came)
            return QStringLiteral("no editor");
        const QString name = shown->objectName();
        shown->reject();
        return name;
    };
    QCOMPARE(makes("add a connection", "connections"), QStringLiteral("connectionDialog"));
    QCOMPARE(makes("add a combo", "combos"), QStringLiteral("comboDialog"));
    QCOMPARE(makes("add an alias", "combos"), QStringLiteral("aliasDialog"));
    QCOMPARE(makes("create a client key", "api-keys"), QStringLiteral("keyDialog"));
}

void CommandPaletteTest::thingsAreFound()
{
    PaletteFixture f;
    QVERIFY2(f.start(), f.core.error().c_str());
    f.core.addSandboxConnection("night shift");
    Combo combo;
    combo.name = "fallback-chain";
    combo.targets = {{"t1", ProviderId("sandbox"), "ok", std::nullopt, {}}};
    QVERIFY(f.core.ask<Combo>([combo](Control& control, Reply<Combo> reply) { control.saveCombo(combo, std::move(reply)); }).ok());
    QVERIFY(f.core
                .ask<ModelAlias>(
                    [](Control& control, Reply<ModelAlias> reply) { control.saveAlias({"nickname-x", "sandbox/ok"}, std::move(reply)); })
                .ok());
    QTRY_COMPARE(f.link->configuration()->aliases.size(), std::size_t{1});
    QTRY_VERIFY(!f.link->configuration()->combos.empty());

    const auto selected = [&f](const char* table) {
        const auto* view = f.find<QTableView>(QLatin1String(table));
        QStringList text;
        for (const QModelIndex& cell : view->selectionModel()->selectedIndexes())
            text << cell.data().toString();
        return text.join(QLatin1Char('|'));
    };
    QVERIFY(f.run(QStringLiteral("night shift")).contains(QStringLiteral("night shift")));
    QCOMPARE(f.window->currentPage(), QStringLiteral("connections"));
    QTRY_VERIFY2(selected("connectionTable").contains(QStringLiteral("night shift")), qPrintable(selected("connectionTable")));
    // By its provider, too.
    QVERIFY(f.run(QStringLiteral("sandbox shift")).contains(QStringLiteral("night shift")));
    QCOMPARE(f.run(QStringLiteral("fallback-chain")), QStringLiteral("fallback-chain"));
    QCOMPARE(f.window->currentPage(), QStringLiteral("combos"));
    QTRY_VERIFY(selected("comboTable").contains(QStringLiteral("fallback-chain")));
    QCOMPARE(f.run(QStringLiteral("nickname-x")), QStringLiteral("nickname-x"));
    QTRY_VERIFY(selected("aliasTable").contains(QStringLiteral("nickname-x")));
    // A client to set up.
    QVERIFY(f.run(QStringLiteral("set up codex")).startsWith(QStringLiteral("Set up Codex")));
    QCOMPARE(f.window->currentPage(), QStringLiteral("clients"));
}

void CommandPaletteTest::modelsAtRestAreFound()
{
    PaletteFixture f;
    QVERIFY2(f.start(), f.core.error().c_str());
    ask(f, "404-model");
    QTRY_VERIFY(!f.link->engine().lockouts.empty());
    const QString model = toQString(f.link->engine().lockouts.front().model);
    f.open();
    QTest::keyClicks(f.line(), model + QStringLiteral(" model at rest"));
    QVERIFY2(f.current().contains(model), qPrintable(f.titles().join(QLatin1Char('|'))));
    QTest::keyClick(f.line(), Qt::Key_Return);
    QCOMPARE(f.window->currentPage(), QStringLiteral("lockouts"));
    QTRY_COMPARE(f.find<QTableView>(QStringLiteral("lockoutTable"))->selectionModel()->selectedRows().size(), 1);
    QCOMPARE(f.find<QLineEdit>(QStringLiteral("lockoutFilter"))->text(), model);
}

void CommandPaletteTest::helpIsOpened()
{
    PaletteFixture f;
    QVERIFY2(f.start(), f.core.error().c_str());
    f.open();
    QTest::keyClicks(f.line(), QStringLiteral("combos help"));
    const QString title = f.current();
    QTest::keyClick(f.line(), Qt::Key_Return);
    QCOMPARE(f.window->currentPage(), QStringLiteral("help"));
    QTRY_VERIFY2(f.find<QTextBrowser>(QStringLiteral("helpText"))->toPlainText().startsWith(title), qPrintable(title));
}

void CommandPaletteTest::buttonsOfThePageArePressed()
{
    PaletteFixture f;
    QVERIFY2(f.start(), f.core.error().c_str());
    f.core.addSandboxConnection("first");
    f.window->openPage(QStringLiteral("overview"));
    f.open();
    QVERIFY(!f.titles().contains(QStringLiteral("Test all")));
    QTest::keyClick(f.line(), Qt::Key_Escape);
    f.window->openPage(QStringLiteral("connections"));
    QCOMPARE(f.run(QStringLiteral("test all")), QStringLiteral("Test all"));
    QTRY_VERIFY2(f.window->messages().text().contains(QStringLiteral("test")), qPrintable(f.window->messages().text()));
}

void CommandPaletteTest::usageIsExported()
{
    PaletteFixture f;
    QVERIFY2(f.start(), f.core.error().c_str());
    f.run(QStringLiteral("export csv"));
    QCOMPARE(f.window->currentPage(), QStringLiteral("usage"));
    auto* dialog = f.find<QFileDialog>(QStringLiteral("usageFileDialog"));
    QVERIFY(dialog);
    dialog->reject();
}

void CommandPaletteTest::recentOnesAreRemembered()
{
    PaletteFixture f;
    QVERIFY2(f.start(), f.core.error().c_str());
    f.run(QStringLiteral("usage"));
    f.run(QStringLiteral("copy base"));
    f.open();
    QCOMPARE(f.titleAt(0), QStringLiteral("Copy base URL"));
    QCOMPARE(f.titleAt(1), QStringLiteral("Usage"));
    QTest::keyClick(f.line(), Qt::Key_Escape);
    // The next start knows them.
    f.window.reset();
    f.makeWindow();
    QVERIFY(QTest::qWaitForWindowActive(f.window.get()));
    QTRY_VERIFY(f.find<Page>(QStringLiteral("usage")));
    f.open();
    QCOMPARE(f.titleAt(0), QStringLiteral("Copy base URL"));
}

void CommandPaletteTest::keysStandBesideTheirCommands()
{
    PaletteFixture f;
    QVERIFY2(f.start(), f.core.error().c_str());
    f.window->openPage(QStringLiteral("connections"));
    f.open();
    const auto keysOf = [&f](const QString& typed) {
        f.line()->setText(typed);
        return f.list()->currentIndex().data(CommandModel::KeysRole).toString();
    };
    const auto native = [](const QKeySequence& keys) { return keys.toString(QKeySequence::NativeText); };
    QCOMPARE(keysOf(QStringLiteral("overview")), native(Qt::CTRL | Qt::Key_1));
    QCOMPARE(keysOf(QStringLiteral("quit")), native(Qt::CTRL | Qt::Key_Q));
    QCOMPARE(keysOf(QStringLiteral("refresh this")), native(Qt::Key_F5));
    QCOMPARE(keysOf(QStringLiteral("find on this")), native(QKeySequence::Find));
    QCOMPARE(keysOf(QStringLiteral("add a connection")), native(QKeySequence::New));
    QCOMPARE(keysOf(QStringLiteral("add a combo")), QString());
    // The palette does not offer itself.
    f.line()->clear();
    QVERIFY(!f.titles().join(QLatin1Char('|')).contains(QStringLiteral("Find a command")));
}

void CommandPaletteTest::speaksBengali()
{
    Languages languages(*qApp);
    languages.apply(QStringLiteral("bn"));
    const auto back = qScopeGuard([&languages] { languages.apply(QStringLiteral("en")); });
    PaletteFixture f;
    QVERIFY2(f.start(), f.core.error().c_str());
    const QString settings = f.find<RailButton>(QStringLiteral("rail.settings"))->text();
    QCOMPARE(settings, QStringLiteral("সেটিংস"));
    QCOMPARE(f.run(settings), settings);
    QCOMPARE(f.window->currentPage(), QStringLiteral("settings"));
    // Who knows the English word finds the page by it.
    QCOMPARE(f.run(QStringLiteral("combos")), f.find<RailButton>(QStringLiteral("rail.combos"))->text());
    QCOMPARE(f.window->currentPage(), QStringLiteral("combos"));
}

void CommandPaletteTest::mirrorsWithTheLanguage()
{
    PaletteFixture f;
    QVERIFY2(f.start(), f.core.error().c_str());
    const auto keysAtTheLeft = [&f] {
        f.open();
        f.line()->setText(QStringLiteral("overview"));
        QCoreApplication::processEvents();
        const QImage row = f.list()->viewport()->grab(f.list()->visualRect(f.list()->currentIndex())).toImage();
        // The keys' box is the only thing at its end of the line: more is painted at the title's.
        const QColor ground = row.pixelColor(row.width() / 2, 2);
        const auto painted = [&](int from, int to) {
            int pixels = 0;
            for (int x = from; x < to; ++x) {
                for (int y = 0; y < row.height(); ++y)
                    pixels += row.pixelColor(x, y) != ground ? 1 : 0;
            }
            return pixels;
        };
        QTest::keyClick(f.line(), Qt::Key_Escape);
        const int third = row.width() / 3;
        return std::pair(painted(0, third), painted(row.width() - third, row.width()));
    };
    const auto [left, right] = keysAtTheLeft();
    f.window->setLayoutDirection(Qt::RightToLeft);
    const auto [mirroredLeft, mirroredRight] = keysAtTheLeft();
    QVERIFY2(left != right, "the two ends of the line must be told apart");
    QCOMPARE(mirroredLeft > mirroredRight, left < right);
}

void CommandPaletteTest::aClickBesideItCloses()
{
    PaletteFixture f;
    QVERIFY2(f.start(), f.core.error().c_str());
    f.open();
    auto* first = f.list();
    QTest::mouseClick(first->viewport(), Qt::LeftButton, {}, first->visualRect(first->model()->index(1, 0)).center());
    QVERIFY(!f.palette()->isVisible());
    QTRY_COMPARE(f.window->currentPage(), QStringLiteral("connections"));
    f.open();
    QTest::mouseClick(f.palette(), Qt::LeftButton, {}, QPoint(5, 5));
    QVERIFY(!f.palette()->isVisible());
    // Smaller, it still lies within the window.
    f.window->resize(f.window->minimumSize());
    f.open();
    QVERIFY(f.window->rect().contains(f.palette()->geometry()));
    QVERIFY(f.window->rect().contains(QRect(f.list()->mapTo(f.window.get(), QPoint()), f.list()->size())));
}

OMNI_TEST(CommandPaletteTest)
#include "command_palette_test.moc"
