// omniroute-shots: pictures of every page, in light and dark, in each language, from a real run. See tests/shots.sh.
#include "composition/process.h"
#include "shots/story.h"
#include "ui/core_link.h"
#include "ui/models/display_text.h"
#include "ui/shell/app_icon.h"
#include "ui/shell/autostart.h"
#include "ui/shell/languages.h"
#include "ui/shell/main_window.h"
#include "ui/shell/page_list.h"
#include "ui/theme/theme.h"
#include "ui/widgets/message_bar.h"

#include <QApplication>
#include <QDialog>
#include <QDir>
#include <QEventLoop>
#include <QPushButton>
#include <QTableView>
#include <QTest>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace {

using namespace omni;

constexpr std::chrono::seconds kStory{100};

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

class Photographer {
public:
    Photographer(MainWindow& window, shots::Story& story, QString folder) : m_window(window), m_story(story), m_folder(std::move(folder)) {}

    void takeAll(const QString& suffix)
    {
        m_story.freshen();
        for (const char* id : {"overview", "connections", "combos", "requests", "settings"})
            take(QString::fromLatin1(id), {}, QString::fromLatin1(id) + suffix);
        for (const char* section : {"log", "appearance"})
            take(QStringLiteral("settings"), QString::fromLatin1(section), QStringLiteral("settings-") + QLatin1String(section) + suffix);
        takeWhy(suffix);
        takeUndo(suffix);
        takeDialog(suffix);
        takeCombos(suffix);
    }

private:
    void take(const QString& page, const QString& object, const QString& name)
    {
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
        if (page->objectName() != QLatin1String("requests"))
            return;
        // One that went to a second target tells the most.
        auto* table = page->findChild<QTableView*>(QStringLiteral("requestTable"));
        for (int row = 0; table && row < std::min(table->model()->rowCount(), 60); ++row) {
            QString text;
            for (int column = 0; column < table->model()->columnCount(); ++column)
                text += table->model()->index(row, column).data().toString() + QLatin1Char('|');
            if (text.contains(QLatin1String("code"))) {
                table->selectRow(row);
                return;
            }
        }
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
};

}  // namespace

int main(int argc, char** argv)
{
    prepareProcess();
    QApplication application(argc, argv);
    if (argc < 2) {
        std::fputs("usage: omniroute-shots OUTDIR [SECONDS [WIDTHxHEIGHT]]\n", stderr);
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
    fixture.addApiKey("laptop");

    ThemeManager theme(application);
    Languages languages(application);
    QApplication::setWindowIcon(appIcon());
    CoreLink link(fixture.runtime().control());
    Autostarts autostart;
    MainWindow window(link, desktopPages(link, &autostart, fixture.runtime().databasePath()), toQString(fixture.dataDir() + "/window.ini"));
    window.resize(size);
    window.bringUp();
    const auto applyAppearance = [&] {
        const AppearanceSettings& appearance = link.configuration()->settings.appearance;
        theme.apply(appearance.theme);
        languages.apply(toQString(appearance.language));
    };
    QObject::connect(&link, &CoreLink::configurationChanged, &window, applyAppearance);
    story.play(length);

    Photographer photographer(window, story, folder);
    for (const char* look : {"light", "dark"}) {
        for (const Languages::Language& language : Languages::available()) {
            fixture.patchSettings(R"({"appearance":{"theme":")" + std::string(look) + R"(","language":")" + language.code.toStdString() +
                                  R"("}})");
            photographer.takeAll(QLatin1Char('-') + QLatin1String(look) + QLatin1Char('-') + language.code);
        }
    }
    return 0;
}
