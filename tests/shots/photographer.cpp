#include "shots/photographer.h"

#include "shots/pause.h"
#include "shots/shell_pictures.h"
#include "ui/shell/main_window.h"
#include "ui/widgets/message_bar.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QTableView>
#include <QTest>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace omni::shots {

namespace {

void selectRow(QTableView* table, QLatin1String part)
{
    for (int row = 0; table && row < std::min(table->model()->rowCount(), 60); ++row) {
        QString text;
        for (int column = 0; column < table->model()->columnCount(); ++column)
            text += table->model()->index(row, column).data().toString() + QLatin1Char('|');
        if (text.contains(part)) {
            table->selectRow(row);
            return;
        }
    }
}

}  // namespace

Photographer::Photographer(MainWindow& window, Options options) : m_window(window), m_options(std::move(options)) {}

void Photographer::takeAll(Story& story, const QString& suffix)
{
    story.freshen();
    for (const char* id : {"overview", "connections", "combos", "cooldowns", "lockouts", "requests", "usage", "api-keys", "settings"})
        take(QString::fromLatin1(id), {}, QString::fromLatin1(id) + suffix);
    for (const char* section : {"log", "appearance", "resilience", "providerBreaker", "bans", "errorRules", "ruleTester", "backups"})
        take(QStringLiteral("settings"), QString::fromLatin1(section), QStringLiteral("settings-") + QLatin1String(section) + suffix);
    for (const char* client : {"claude-code", "codex", "gemini-cli"})
        take(QStringLiteral("clients"), QString::fromLatin1(client), QStringLiteral("clients-") + QLatin1String(client) + suffix);
    for (const char* topic : {"breaker", "errors"})
        take(QStringLiteral("help"), QString::fromLatin1(topic), QStringLiteral("help-") + QLatin1String(topic) + suffix);
    const auto wants = [this](const char* name) { return wanted(QString::fromLatin1(name)); };
    if (wants("usage-cost"))
        takeUsageAsCost(suffix);
    if (wants("welcome"))
        takeWelcome(suffix);
    const auto saveAs = [this, suffix](const QString& name) { save(m_window.grab(), name + suffix); };
    if (wants("palette"))
        takePalette(m_window, saveAs);
    if (wants("overview-minute"))
        takeMinute(m_window, saveAs);
    if (wants("why"))
        takeWhy(suffix);
    if (wants("connections-undo"))
        takeUndo(suffix);
    if (wants("connection-editor"))
        takeDialog(suffix);
    if (wants("rule-editor"))
        takeRule(suffix);
    if (wants("lockout"))
        takeLockout(suffix);
    if (wants("usage-prices"))
        takeButton(QStringLiteral("usage"), QStringLiteral("usagePrices"), QStringLiteral("usage-prices") + suffix);
    if (wants("key-editor"))
        takeButton(QStringLiteral("api-keys"), QStringLiteral("createClientKey"), QStringLiteral("key-editor") + suffix);
    if (wants("connections-import"))
        takeButton(QStringLiteral("connections"), QStringLiteral("importKeys"), QStringLiteral("connections-import") + suffix);
    if (wants("settings-export"))
        takeButton(QStringLiteral("settings"), QStringLiteral("exportConfiguration"), QStringLiteral("settings-export") + suffix);
    if (wants("combos-") || wants("combo-editor") || wants("alias-editor") || wants("connections-bulk"))
        takeCombos(suffix);
}

void Photographer::takeEmpty(const QString& suffix)
{
    waitFor(std::chrono::milliseconds(500));  // another language makes the pages anew
    for (const char* id : {"overview", "connections", "combos", "cooldowns", "lockouts", "requests", "usage", "api-keys"})
        take(QString::fromLatin1(id), {}, QString::fromLatin1(id) + suffix);
    take(QStringLiteral("settings"), QStringLiteral("errorRules"), QStringLiteral("settings-errorRules") + suffix);
    if (wanted(QStringLiteral("welcome")))
        takeWelcome(suffix);
}

bool Photographer::wanted(const QString& name) const
{
    const QStringList& only = m_options.only;
    return only.isEmpty() || std::any_of(only.begin(), only.end(), [&name](const QString& start) { return name.startsWith(start); });
}

void Photographer::take(const QString& page, const QString& object, const QString& name)
{
    if (!wanted(name))
        return;
    QWidget* shown = m_window.openPage(page, object);
    // Charts and history fill once a second.
    waitFor(std::chrono::milliseconds(1'600));
    if (page == QLatin1String("combos"))
        m_window.openPage(page, QStringLiteral("code"));
    selectFirstRow(shown);
    if (auto* make = object == QLatin1String("backups") ? shown->findChild<QPushButton*>(QStringLiteral("makeBackup")) : nullptr)
        make->click();
    waitFor(std::chrono::milliseconds(600));
    save(m_window.grab(), name);
}

void Photographer::selectFirstRow(QWidget* page) const
{
    // A request that went to a second target, and a key that was told how long to rest, tell the most.
    if (page->objectName() == QLatin1String("requests"))
        selectRow(page->findChild<QTableView*>(QStringLiteral("requestTable")), QLatin1String("code"));
    else if (page->objectName() == QLatin1String("cooldowns"))
        selectRow(page->findChild<QTableView*>(QStringLiteral("cooldownTable")), QLatin1String("|work key|"));
}

void Photographer::takeWelcome(const QString& suffix)
{
    // Skipped after the last pictures, so that no other one shows it.
    QSettings(m_options.memory, QSettings::IniFormat).remove(QStringLiteral("hints/welcomed"));
    QWidget* page = m_window.openPage(QStringLiteral("welcome"));
    for (int step = 1; step <= 3; ++step) {
        page->findChild<QPushButton*>(QStringLiteral("welcomeStep%1").arg(step))->click();
        waitFor(std::chrono::milliseconds(800));
        save(m_window.grab(), QStringLiteral("welcome-%1").arg(step) + suffix);
    }
    page->findChild<QPushButton*>(QStringLiteral("welcomeSkip"))->click();
}

void Photographer::takeWhy(const QString& suffix)
{
    QWidget* page = m_window.openPage(QStringLiteral("overview"));
    waitFor(std::chrono::milliseconds(1'000));
    for (QPushButton* why : page->findChildren<QPushButton*>(QStringLiteral("holdWhy"))) {
        if (!why->accessibleName().contains(QLatin1String("claude-opus")))
            continue;
        why->click();
        waitFor(std::chrono::milliseconds(300));
        if (auto* dialog = m_window.findChild<QDialog*>(QStringLiteral("whyDialog"))) {
            save(dialog->grab(), QStringLiteral("why") + suffix);
            dialog->reject();
        }
        return;
    }
}

void Photographer::takeUndo(const QString& suffix)
{
    QWidget* page = m_window.openPage(QStringLiteral("connections"));
    auto* table = page->findChild<QTableView*>(QStringLiteral("connectionTable"));
    if (!table)
        return;
    table->selectRow(5);
    QTest::keyClick(table, Qt::Key_Delete);
    waitFor(std::chrono::milliseconds(500));
    save(m_window.grab(), QStringLiteral("connections-undo") + suffix);
    if (auto* undo = m_window.messages().findChild<QPushButton*>(QStringLiteral("messageButton")))
        undo->click();
    waitFor(std::chrono::milliseconds(500));
    m_window.messages().dismiss();
}

void Photographer::takeUsageAsCost(const QString& suffix)
{
    QWidget* page = m_window.openPage(QStringLiteral("usage"));
    const auto choose = [page](const char* name, int index) {
        page->findChild<QComboBox*>(QLatin1String(name))->setCurrentIndex(index);
    };
    choose("usageRange", 2);
    choose("usageGroup", 0);
    choose("usageMeasure", 3);
    waitFor(std::chrono::milliseconds(800));
    save(m_window.grab(), QStringLiteral("usage-cost") + suffix);
    choose("usageRange", 1);
    choose("usageGroup", 3);
    choose("usageMeasure", 0);
}

void Photographer::takeButton(const QString& page, const QString& button, const QString& name)
{
    m_window.openPage(page)->findChild<QPushButton*>(button)->click();
    waitFor(std::chrono::milliseconds(500));
    for (auto* dialog : m_window.findChildren<QDialog*>()) {
        if (!dialog->isVisible())
            continue;
        if (auto* look = dialog->findChild<QPushButton*>(QStringLiteral("lookInFiles"))) {
            look->click();
            waitFor(std::chrono::milliseconds(400));
        }
        save(dialog->grab(), name);
        dialog->reject();
    }
    waitFor(std::chrono::milliseconds(200));
}

void Photographer::takeDialog(const QString& suffix)
{
    m_window.openPage(QStringLiteral("connections"), QStringLiteral("new"));
    waitFor(std::chrono::milliseconds(500));
    for (QWidget* top : QApplication::topLevelWidgets()) {
        auto* dialog = qobject_cast<QDialog*>(top);
        if (!dialog || !dialog->isVisible())
            continue;
        save(dialog->grab(), QStringLiteral("connection-editor") + suffix);
        dialog->reject();
    }
}

void Photographer::takeRule(const QString& suffix)
{
    QWidget* page = m_window.openPage(QStringLiteral("settings"), QStringLiteral("errorRules"));
    auto* table = page->findChild<QTableView*>(QStringLiteral("ruleTable"));
    waitFor(std::chrono::milliseconds(300));
    table->selectRow(0);
    QTest::keyClick(table, Qt::Key_Return);
    waitFor(std::chrono::milliseconds(300));
    auto* dialog = page->findChild<QDialog*>(QStringLiteral("ruleDialog"));
    if (!dialog)
        return;
    dialog->findChild<QPlainTextEdit*>(QStringLiteral("tryHeaders"))
        ->setPlainText(QStringLiteral("Content-Type: application/json\nRetry-After: 30"));
    dialog->findChild<QPlainTextEdit*>(QStringLiteral("tryBody"))
        ->setPlainText(QStringLiteral("{\"error\":{\"message\":\"Your weekly budget is used up\"}}"));
    waitFor(std::chrono::milliseconds(700));
    save(dialog->grab(), QStringLiteral("rule-editor") + suffix);
    dialog->reject();
}

void Photographer::takeLockout(const QString& suffix)
{
    QWidget* page = m_window.openPage(QStringLiteral("settings"), QStringLiteral("modelLockout"));
    auto* enabled = page->findChild<QCheckBox*>(QStringLiteral("setting.modelLockout.enabled"));
    enabled->click();
    take(QStringLiteral("settings"), QStringLiteral("modelLockout"), QStringLiteral("settings-modelLockout") + suffix);
    enabled->click();
    waitFor(std::chrono::milliseconds(300));
}

void Photographer::takeCombos(const QString& suffix)
{
    m_window.openPage(QStringLiteral("combos"), QStringLiteral("gpt-4o"));
    waitFor(std::chrono::milliseconds(1'500));
    save(m_window.grab(), QStringLiteral("combos-aliases") + suffix);
    QWidget* page = m_window.openPage(QStringLiteral("combos"), QStringLiteral("fallback"));
    const auto click = [&](const char* button, const QString& name) {
        page->findChild<QPushButton*>(QLatin1String(button))->click();
        waitFor(std::chrono::milliseconds(500));
        for (auto* dialog : page->findChildren<QDialog*>()) {
            if (!dialog->isVisible())
                continue;
            save(dialog->grab(), name + suffix);
            dialog->reject();
        }
        waitFor(std::chrono::milliseconds(100));
    };
    click("editCombo", QStringLiteral("combo-editor"));
    m_window.openPage(QStringLiteral("combos"), QStringLiteral("gpt-4o"));
    click("editCombo", QStringLiteral("alias-editor"));
    page = m_window.openPage(QStringLiteral("connections"));
    if (auto* table = page->findChild<QTableView*>(QStringLiteral("connectionTable")))
        table->selectAll();
    click("editConnection", QStringLiteral("connections-bulk"));
}

void Photographer::save(const QPixmap& picture, const QString& name) const
{
    const QString file = m_options.folder + QLatin1Char('/') + name + QStringLiteral(".png");
    if (!picture.save(file))
        std::fprintf(stderr, "cannot write %s\n", qPrintable(file));
}

}  // namespace omni::shots
