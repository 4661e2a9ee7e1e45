// omniroute-bench-pages: the desktop program itself, told by its standard input which page to open, and telling on its standard output how
// long that took. Takes the arguments of omniroute-desktop. A line "overview" is answered by one line of JSON:
//   blockedMs  from the order until the page has painted itself once and the window is free again
//   filledMs   from the order until its table has a row; absent for a page that has none of its own
//   rows       in that table, residentMb of the program afterwards
#include "composition/process.h"
#include "desktop/desktop_program.h"
#include "ui/shell/main_window.h"
#include "ui/page.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QHash>
#include <QSocketNotifier>
#include <QTableView>
#include <QThread>

#include <nlohmann/json.hpp>

#include <cstdio>
#include <unistd.h>

namespace {

using namespace omni;

constexpr int kPatienceMs = 2'000;

/// Tells when a page, or anything on it, has painted itself.
class PaintWatcher final : public QObject {
public:
    explicit PaintWatcher(const QWidget& page) : m_page(page) { qApp->installEventFilter(this); }
    bool painted = false;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() == QEvent::Paint) {
            const auto* widget = qobject_cast<QWidget*>(watched);
            painted = painted || (widget && (widget == &m_page || m_page.isAncestorOf(widget)));
        }
        return QObject::eventFilter(watched, event);
    }

private:
    const QWidget& m_page;
};

double residentMb()
{
    QFile file(QStringLiteral("/proc/self/statm"));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    return file.readAll().split(' ').value(1).toDouble() * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

MainWindow* mainWindow()
{
    for (QWidget* widget : QApplication::topLevelWidgets()) {
        if (auto* window = qobject_cast<MainWindow*>(widget))
            return window;
    }
    return nullptr;
}

/// The table that the page is about; null for a page of cards or charts.
QTableView* mainTable(QWidget& page)
{
    static const QHash<QString, QString> tables{{QStringLiteral("connections"), QStringLiteral("connectionTable")},
                                                {QStringLiteral("cooldowns"), QStringLiteral("cooldownTable")},
                                                {QStringLiteral("lockouts"), QStringLiteral("lockoutTable")},
                                                {QStringLiteral("requests"), QStringLiteral("requestTable")},
                                                {QStringLiteral("usage"), QStringLiteral("usageTable")}};
    const QString name = tables.value(page.objectName());
    return name.isEmpty() ? nullptr : page.findChild<QTableView*>(name);
}

/// What there is to do, and a little rest, so that waiting takes nothing from whoever is measured beside it.
void turn()
{
    QApplication::processEvents();
    QThread::usleep(200);
}

nlohmann::json opened(MainWindow& window, const QString& id)
{
    QElapsedTimer clock;
    clock.start();
    const auto millis = [&clock] { return static_cast<double>(clock.nsecsElapsed()) / 1e6; };
    Page* page = window.openPage(id);
    if (!page)
        return {{"page", id.toStdString()}, {"error", "there is no such page"}};
    PaintWatcher watcher(*page);
    page->update();  // it may be the one that is shown already
    while (!watcher.painted && clock.elapsed() < kPatienceMs)
        turn();
    QApplication::processEvents();
    nlohmann::json told{{"page", id.toStdString()}, {"blockedMs", millis()}};
    if (QTableView* table = mainTable(*page)) {
        while (table->model()->rowCount() == 0 && clock.elapsed() < kPatienceMs)
            turn();
        told["filledMs"] = millis();
        told["rows"] = table->model()->rowCount();
    }
    told["residentMb"] = residentMb();
    return told;
}

}  // namespace

int main(int argc, char** argv)
{
    prepareProcess();
    installLogOutput();
    QApplication application(argc, argv);
    QApplication::setQuitOnLastWindowClosed(false);
    auto parsed = parseDesktopCommandLine(QApplication::arguments());
    if (const auto* what = std::get_if<DesktopPrint>(&parsed)) {
        std::fputs(what->text.toUtf8().constData(), stderr);
        return what->code;
    }
    DesktopProgram program(application, std::get<DesktopCommandLine>(std::move(parsed)));
    QFile input;
    if (!input.open(stdin, QIODevice::ReadOnly | QIODevice::Unbuffered))
        return 2;
    QSocketNotifier orders(STDIN_FILENO, QSocketNotifier::Read);
    QObject::connect(&orders, &QSocketNotifier::activated, &application, [&] {
        const QString id = QString::fromUtf8(input.readLine()).trimmed();
        MainWindow* window = mainWindow();
        if (id.isEmpty() || !window) {
            orders.setEnabled(false);
            return;
        }
        std::puts(opened(*window, id).dump().c_str());
        std::fflush(stdout);
    });
    return program.run();
}
