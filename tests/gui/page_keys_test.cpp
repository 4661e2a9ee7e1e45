#include "gui/tray_fixture.h"
#include "program/test_program.h"
#include "ui/models/data_table.h"
#include "ui/shell/rail.h"
#include "ui/widgets/message_bar.h"

#include <QAction>
#include <QDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabBar>
#include <QTableView>

using namespace omni;
using namespace omni::test;

namespace {

struct PageKeys {
    const char* id;
    int digit;           ///< Ctrl and this opens it; 0 = none
    const char* filter;  ///< where Ctrl+F goes; nullptr = nothing to filter
    const char* made;    ///< dialog that Ctrl+N opens; nullptr = nothing can be made there
    const char* table;   ///< its list; nullptr = none
};

const std::vector<PageKeys> kPages{
    {"overview", 1, nullptr, nullptr, "breakerBands"},
    {"connections", 2, "connectionFilter", "connectionDialog", "connectionTable"},
    {"combos", 3, "comboFilter", "comboDialog", "comboTable"},
    {"cooldowns", 4, "cooldownFilter", nullptr, "cooldownTable"},
    {"lockouts", 5, "lockoutFilter", nullptr, "lockoutTable"},
    {"requests", 6, "requestFilter", nullptr, "requestTable"},
    {"usage", 7, "usageFilter", nullptr, "usageTable"},
    {"clients", 8, "clientSearch", nullptr, nullptr},
    {"api-keys", 9, "keyFilter", "keyDialog", "keyTable"},
    {"settings", 0, "settingsFilter", nullptr, nullptr},
    {"help", 0, "helpSearch", nullptr, nullptr},
};

}  // namespace

/// The keys that work on every page, walked through page by page.
class PageKeysTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyPageObeysTheKeys_data();
    void everyPageObeysTheKeys();
    void theTableIsWhole();
    void deleteCanBeTakenBack_data();
    void deleteCanBeTakenBack();
    void deleteEndsWhatRests();
    void deletingAKeyAsks();
    void escapeEmptiesTheFilterThenTheMessage();
};

void PageKeysTest::everyPageObeysTheKeys_data()
{
    QTest::addColumn<int>("page");
    for (std::size_t i = 0; i < kPages.size(); ++i)
        QTest::newRow(kPages[i].id) << static_cast<int>(i);
}

void PageKeysTest::everyPageObeysTheKeys()
{
    QFETCH(int, page);
    const PageKeys& keys = kPages[static_cast<std::size_t>(page)];
    const QString id = QLatin1String(keys.id);
    WindowFixture f;
    QVERIFY2(f.start(), f.core.error().c_str());
    ask(f, "ok");
    ApiKey key;
    key.name = "laptop";
    QVERIFY(f.core.ask<CreatedApiKey>([key](Control& control, Reply<CreatedApiKey> reply) { control.createApiKey(key, std::move(reply)); }).ok());
    QTRY_VERIFY(!f.link->configuration()->apiKeys.empty());
    if (keys.digit > 0) {
        f.window->openPage(QStringLiteral("help"));
        QTest::keyClick(f.window.get(), static_cast<Qt::Key>(Qt::Key_0 + keys.digit), Qt::ControlModifier);
    } else {
        f.window->openPage(id);
    }
    QTRY_COMPARE(f.window->currentPage(), id);
    Page* shown = f.find<Page>(id);
    QTRY_VERIFY(shown && shown->isVisible());

    // From the rail and from the page's list: no widget may keep the keys to itself.
    QList<QWidget*> places{f.find<RailButton>(QStringLiteral("rail.") + id)};
    if (keys.table)
        places << shown->findChild<QWidget*>(QLatin1String(keys.table));
    if (keys.filter)
        places << shown->findChild<QWidget*>(QLatin1String(keys.filter));
    QCOMPARE(shown->filterField(), keys.filter ? places.last() : nullptr);
    QSignalSpy refreshed(f.window->findChild<QAction*>(QStringLiteral("refreshPage")), &QAction::triggered);
    for (QWidget* place : places) {
        QVERIFY(place);
        if (!place->isVisible())
            continue;  // an empty list gives way to a hint
        place->setFocus();
        refreshed.clear();
        QTest::keyClick(place, Qt::Key_F5);
        QCOMPARE(refreshed.count(), 1);
        QTest::keyClick(place, Qt::Key_F, Qt::ControlModifier);
        if (keys.filter)
            QCOMPARE(f.window->focusWidget(), places.last());
        place->setFocus();
        QTest::keyClick(place, Qt::Key_K, Qt::ControlModifier);
        auto* line = f.find<QLineEdit>(QStringLiteral("commandLine"));
        QVERIFY2(line->isVisible(), qPrintable(place->objectName()));
        QTest::keyClick(line, Qt::Key_Escape);
        QVERIFY(!line->isVisible() && place->hasFocus());
        QTest::keyClick(place, Qt::Key_N, Qt::ControlModifier);
        QDialog* made = nullptr;
        for (QDialog* dialog : f.window->findChildren<QDialog*>()) {
            if (dialog->isVisible())
                made = dialog;
        }
        QCOMPARE(made ? made->objectName() : QString(), keys.made ? QLatin1String(keys.made) : QString());
        if (made) {
            made->reject();
            QTRY_VERIFY(!f.window->findChild<QDialog*>(QLatin1String(keys.made)));
            // Without a window manager nobody gives the window its place back.
            f.window->bringUp();
            QTRY_VERIFY(f.window->isActiveWindow());
        }
        QCOMPARE(f.window->currentPage(), id);
    }
}

/// A page that comes later must be walked, too.
void PageKeysTest::theTableIsWhole()
{
    WindowFixture f;
    QVERIFY2(f.start(), f.core.error().c_str());
    QCOMPARE(static_cast<std::size_t>(f.window->findChildren<RailButton*>().size()), kPages.size());
    for (const PageKeys& page : kPages)
        QVERIFY2(f.find<RailButton>(QStringLiteral("rail.") + QLatin1String(page.id)), page.id);
}

void PageKeysTest::deleteCanBeTakenBack_data()
{
    QTest::addColumn<QString>("page");
    QTest::addColumn<QString>("object");
    QTest::addColumn<QString>("table");
    QTest::newRow("connections") << QStringLiteral("connections") << QString() << QStringLiteral("connectionTable");
    QTest::newRow("combos") << QStringLiteral("combos") << QStringLiteral("chain") << QStringLiteral("comboTable");
    QTest::newRow("aliases") << QStringLiteral("combos") << QStringLiteral("nick") << QStringLiteral("aliasTable");
    QTest::newRow("error rules") << QStringLiteral("settings") << QStringLiteral("errorRules") << QStringLiteral("ruleTable");
}

void PageKeysTest::deleteCanBeTakenBack()
{
    QFETCH(QString, page);
    QFETCH(QString, object);
    QFETCH(QString, table);
    WindowFixture f;
    QVERIFY2(f.start(), f.core.error().c_str());
    Combo combo;
    combo.name = "chain";
    combo.targets = {{"t1", ProviderId("sandbox"), "ok", std::nullopt, {}}};
    QVERIFY(f.core.ask<Combo>([combo](Control& control, Reply<Combo> reply) { control.saveCombo(combo, std::move(reply)); }).ok());
    QVERIFY(f.core
                .ask<ModelAlias>([](Control& control, Reply<ModelAlias> reply) { control.saveAlias({"nick", "sandbox/ok"}, std::move(reply)); })
                .ok());
    f.core.patchSettings(
        R"({"providerErrorRules":{"groq":[{"status":429,"match":"weekly budget","scope":"connection","cooldownMs":60000}]}})");
    QTRY_COMPARE(f.link->configuration()->aliases.size(), std::size_t{1});
    QTRY_VERIFY(!f.link->configuration()->settings.resilience.providerErrorRules.empty());
    const auto count = [&f] {
        const Configuration& now = *f.link->configuration();
        return now.connections.size() + now.combos.size() + now.aliases.size() + now.settings.resilience.providerErrorRules.size();
    };
    const std::size_t before = count();
    Page* shown = f.window->openPage(page, object);
    auto* list = shown->findChild<QTableView*>(table);
    QTRY_VERIFY(list->isVisible() && list->model()->rowCount() > 0);
    list->selectRow(0);
    list->setFocus();
    QTest::keyClick(list, Qt::Key_Delete);
    QTRY_COMPARE(count(), before - 1);
    auto* undo = f.window->messages().findChild<QPushButton*>(QStringLiteral("messageButton"));
    QTRY_VERIFY(undo->isVisible());
    QTest::mouseClick(undo, Qt::LeftButton);
    QTRY_COMPARE(count(), before);
}

void PageKeysTest::deleteEndsWhatRests()
{
    WindowFixture f;
    QVERIFY2(f.start(), f.core.error().c_str());
    ask(f, "rate-limited?seconds=90");
    Page* page = f.window->openPage(QStringLiteral("cooldowns"));
    auto* held = page->findChild<QTableView*>(QStringLiteral("cooldownTable"));
    QTRY_COMPARE(held->model()->rowCount(), 1);
    held->selectRow(0);
    held->setFocus();
    QTest::keyClick(held, Qt::Key_Delete);
    QTRY_COMPARE(held->model()->rowCount(), 0);

    ask(f, "404-model");
    page = f.window->openPage(QStringLiteral("lockouts"));
    auto* locked = page->findChild<QTableView*>(QStringLiteral("lockoutTable"));
    QTRY_COMPARE(locked->model()->rowCount(), 1);
    locked->selectRow(0);
    locked->setFocus();
    QTest::keyClick(locked, Qt::Key_Delete);
    QTRY_COMPARE(locked->model()->rowCount(), 0);
    QTRY_VERIFY(f.core.read<EngineSnapshot>([](Control& control) { return control.engineSnapshot(); }).lockouts.empty());
}

/// Its text is gone for good, so this cannot be taken back.
void PageKeysTest::deletingAKeyAsks()
{
    WindowFixture f;
    QVERIFY2(f.start(), f.core.error().c_str());
    ApiKey key;
    key.name = "laptop";
    QVERIFY(f.core.ask<CreatedApiKey>([key](Control& control, Reply<CreatedApiKey> reply) { control.createApiKey(key, std::move(reply)); }).ok());
    Page* page = f.window->openPage(QStringLiteral("api-keys"));
    auto* table = page->findChild<QTableView*>(QStringLiteral("keyTable"));
    QTRY_COMPARE(table->model()->rowCount(), 1);
    table->selectRow(0);
    table->setFocus();
    QTest::keyClick(table, Qt::Key_Delete);
    QMessageBox* question = nullptr;
    QTRY_VERIFY((question = f.window->findChild<QMessageBox*>()) && question->isVisible());
    QTest::keyClick(question, Qt::Key_Escape);
    QTRY_VERIFY(!f.window->findChild<QMessageBox*>() || !f.window->findChild<QMessageBox*>()->isVisible());
    QCOMPARE(f.link->configuration()->apiKeys.size(), std::size_t{1});
}

void PageKeysTest::escapeEmptiesTheFilterThenTheMessage()
{
    for (const PageKeys& keys : kPages) {
        if (!keys.filter)
            continue;
        WindowFixture f;
        QVERIFY2(f.start(), f.core.error().c_str());
        Page* page = f.window->openPage(QLatin1String(keys.id));
        auto* filter = page->findChild<QLineEdit*>(QLatin1String(keys.filter));
        QVERIFY2(filter, keys.id);
        filter->setFocus();
        QTest::keyClicks(filter, QStringLiteral("xyz"));
        f.window->messages().showMessage(QStringLiteral("Something happened."));
        QTest::keyClick(filter, Qt::Key_Escape);
        QVERIFY2(filter->text().isEmpty(), keys.id);
        QVERIFY2(f.window->messages().isVisible(), keys.id);
        QTest::keyClick(filter, Qt::Key_Escape);
        QVERIFY2(!f.window->messages().isVisible(), keys.id);
    }
}

OMNI_TEST(PageKeysTest)
#include "page_keys_test.moc"
