// omniroute-shots: pictures of every page, in light and dark, in each language, from a real run. See tests/shots.sh.
#include "composition/process.h"
#include "shots/shell_pictures.h"
#include "shots/story.h"
#include "ui/core_link.h"
#include "ui/models/display_text.h"
#include "ui/shell/app_icon.h"
#include "ui/shell/autostart.h"
#include "ui/shell/languages.h"
#include "ui/shell/main_window.h"
#include "ui/shell/page_list.h"
#include "ui/theme/theme.h"
#include "ui/welcome/welcome.h"
#include "ui/widgets/message_bar.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDir>
#include <QEventLoop>
#include <QFile>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QTableView>
#include <QTest>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace {

using namespace omni;

constexpr std::chrono::seconds kStory{100};

/// Nothing that happens in the story says any of this.
constexpr const char* kRules =
    "{\"providerErrorRules\":{\"groq\":[{\"status\":429,\"match\":\"weekly budget\",\"scope\":\"connection\",\"cooldownMs\":86400000},"
    "{\"status\":503,\"match\":\"model is being loaded\",\"scope\":\"model\",\"reason\":\"model_capacity\",\"cooldownMs\":90000}],"
    "\"openrouter\":[{\"status\":502,\"match\":\"maintenance until tomorrow\",\"scope\":\"provider\",\"reason\":\"server_error\","
    "\"cooldownMs\":3600000}]},\"customBannedSignals\":[\"key revoked by the shop\"]}";

void waitFor(std::chrono::milliseconds length)
{
    QEventLoop loop;
    QTimer::singleShot(length, &loop, &QEventLoop::quit);
    loop.exec();
}

class Autostarts final : public Autostart {
public:
    bool enabled() const override { return m_enabled; }
    Status setEnabled(bool enabled) override
    {
        m_enabled = enabled;
        return {};
    }

private:
    bool m_enabled = false;
};

/// A home with a client's settings in it, so that no picture shows the one of whoever takes it.
void furnishHome(const QString& home)
{
    QDir().mkpath(home + QStringLiteral("/.claude"));
    QFile settings(home + QStringLiteral("/.claude/settings.json"));
    if (settings.open(QIODevice::WriteOnly))
        settings.write("{\n  \"model\": \"opus\",\n  \"env\": {\n    \"DISABLE_TELEMETRY\": \"1\"\n  }\n}\n");
    qputenv("HOME", home.toLocal8Bit());
    qunsetenv("XDG_CONFIG_HOME");
}

class Photographer {
public:
    /// `only`: beginnings of the pictures' names; empty = all. `memory`: the window's state file.
    Photographer(MainWindow& window, shots::Story& story, QString folder, QStringList only, QString memory)
        : m_window(window), m_story(story), m_folder(std::move(folder)), m_only(std::move(only)), m_memory(std::move(memory))
    {
    }

    void takeAll(const QString& suffix)
    {
        m_story.freshen();
        for (const char* id : {"overview", "connections", "combos", "cooldowns", "lockouts", "requests", "usage", "api-keys", "settings"})
            take(QString::fromLatin1(id), {}, QString::fromLatin1(id) + suffix);
        for (const char* section : {"log", "appearance", "resilience", "providerBreaker", "bans", "errorRules", "ruleTester"})
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
            shots::takePalette(m_window, saveAs);
        if (wants("overview-minute"))
            shots::takeMinute(m_window, saveAs);
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
        if (wants("combos-") || wants("combo-editor") || wants("alias-editor") || wants("connections-bulk"))
            takeCombos(suffix);
    }

private:
    bool wanted(const QString& name) const
    {
        return m_only.isEmpty() || std::any_of(m_only.begin(), m_only.end(), [&name](const QString& start) { return name.startsWith(start); });
    }

    void take(const QString& page, const QString& object, const QString& name)
    {
        if (!wanted(name))
            return;
        QWidget* shown = m_window.openPage(page, object);
        // Charts and history fill once a second.
        waitFor(std::chrono::milliseconds(1'600));
        if (page == QLatin1String("combos"))
            m_window.openPage(page, QStringLiteral("code"));
        selectFirstRow(shown);
        waitFor(std::chrono::milliseconds(600));
        save(m_window.grab(), name);
    }

    void selectFirstRow(QWidget* page) const
    {
        // A request that went to a second target, and a key that was told how long to rest, tell the most.
        if (page->objectName() == QLatin1String("requests"))
            selectRow(page->findChild<QTableView*>(QStringLiteral("requestTable")), QLatin1String("code"));
        else if (page->objectName() == QLatin1String("cooldowns"))
            selectRow(page->findChild<QTableView*>(QStringLiteral("cooldownTable")), QLatin1String("|work key|"));
    }

    static void selectRow(QTableView* table, QLatin1String part)
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

    void takeWelcome(const QString& suffix)
    {
        // Skipped after the last pictures, so that no other one shows it.
        QSettings(m_memory, QSettings::IniFormat).remove(QStringLiteral("hints/welcomed"));
        QWidget* page = m_window.openPage(QStringLiteral("welcome"));
        for (int step = 1; step <= 3; ++step) {
            page->findChild<QPushButton*>(QStringLiteral("welcomeStep%1").arg(step))->click();
            waitFor(std::chrono::milliseconds(800));
            save(m_window.grab(), QStringLiteral("welcome-%1").arg(step) + suffix);
        }
        page->findChild<QPushButton*>(QStringLiteral("welcomeSkip"))->click();
    }

    /// What is known about a locked model.
    void takeWhy(const QString& suffix)
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

    /// A connection is deleted, which says so and offers to take it back; then it is taken back.
    void takeUndo(const QString& suffix)
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

    /// All the usage page can tell of days that are long over.
    void takeUsageAsCost(const QString& suffix)
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

    /// What a button of a page opens.
    void takeButton(const QString& page, const QString& button, const QString& name)
    {
        m_window.openPage(page)->findChild<QPushButton*>(button)->click();
        waitFor(std::chrono::milliseconds(500));
        for (auto* dialog : m_window.findChildren<QDialog*>()) {
            if (!dialog->isVisible())
                continue;
            save(dialog->grab(), name);
            dialog->reject();
        }
        waitFor(std::chrono::milliseconds(200));
    }

    void takeDialog(const QString& suffix)
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

    /// A rule being changed, with an answer to try it on.
    void takeRule(const QString& suffix)
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

    /// Switched on, so that the sentences beneath have something to say; then off again.
    void takeLockout(const QString& suffix)
    {
        QWidget* page = m_window.openPage(QStringLiteral("settings"), QStringLiteral("modelLockout"));
        auto* enabled = page->findChild<QCheckBox*>(QStringLiteral("setting.modelLockout.enabled"));
        enabled->click();
        take(QStringLiteral("settings"), QStringLiteral("modelLockout"), QStringLiteral("settings-modelLockout") + suffix);
        enabled->click();
        waitFor(std::chrono::milliseconds(300));
    }

    /// The second list of the page, its two editors, and the editor of several connections.
    void takeCombos(const QString& suffix)
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

    void save(const QPixmap& picture, const QString& name) const
    {
        const QString file = m_folder + QLatin1Char('/') + name + QStringLiteral(".png");
        if (!picture.save(file))
            std::fprintf(stderr, "cannot write %s\n", qPrintable(file));
    }

    MainWindow& m_window;
    shots::Story& m_story;
    QString m_folder;
    QStringList m_only;
    QString m_memory;
};

}  // namespace

int main(int argc, char** argv)
{
    prepareProcess();
    QApplication application(argc, argv);
    if (argc < 2) {
        std::fputs("usage: omniroute-shots OUTDIR [SECONDS [WIDTHxHEIGHT [NAME,…]]]\n", stderr);
        return 2;
    }
    const QString folder = QString::fromLocal8Bit(argv[1]);
    const std::chrono::seconds length = argc > 2 ? std::chrono::seconds(std::atoi(argv[2])) : kStory;
    const QStringList sides = (argc > 3 ? QString::fromLatin1(argv[3]) : QStringLiteral("1280x800")).split(QLatin1Char('x'));
    const QSize size(sides.value(0).toInt(), sides.value(1).toInt());
    QDir().mkpath(folder);

    RuntimeOptions options;
    options.offerSandbox = false;
    test::RuntimeFixture fixture(options);
    if (!fixture.start()) {
        std::fprintf(stderr, "%s\n", fixture.error().c_str());
        return 1;
    }
    shots::ScriptedUpstream upstream;
    shots::Story story(fixture, upstream);
    story.setUp();
    fixture.patchSettings(kRules);
    story.addKeys();
    story.addPast();

    ThemeManager theme(application);
    Languages languages(application);
    QApplication::setWindowIcon(appIcon());
    CoreLink link(fixture.runtime().control());
    Autostarts autostart;
    furnishHome(toQString(fixture.dataDir() + "/home"));
    const QString memory = toQString(fixture.dataDir() + "/window.ini");
    std::vector<PageEntry> pages = desktopPages(link, &autostart, fixture.runtime().databasePath());
    pages.push_back(welcomePage(link, fixture.dataDir() + "/clients.json", memory));
    MainWindow window(link, std::move(pages), memory);
    window.resize(size);
    window.bringUp();
    const auto applyAppearance = [&] {
        const AppearanceSettings& appearance = link.configuration()->settings.appearance;
        theme.apply(appearance.theme);
        languages.apply(toQString(appearance.language));
    };
    QObject::connect(&link, &CoreLink::configurationChanged, &window, applyAppearance);
    story.play(length);

    const QStringList only = argc > 4 ? QString::fromLatin1(argv[4]).split(QLatin1Char(','), Qt::SkipEmptyParts) : QStringList();
    Photographer photographer(window, story, folder, only, memory);
    for (const char* look : {"light", "dark"}) {
        for (const Languages::Language& language : Languages::available()) {
            fixture.patchSettings(R"({"appearance":{"theme":")" + std::string(look) + R"(","language":")" + language.code.toStdString() +
                                  R"("}})");
            photographer.takeAll(QLatin1Char('-') + QLatin1String(look) + QLatin1Char('-') + language.code);
        }
    }
    return 0;
}
