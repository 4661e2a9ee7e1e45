#include "shots/shell_pictures.h"

#include "shots/pause.h"

#include <QAction>
#include <QLineEdit>
#include <QTableView>
#include <QTest>

namespace omni::shots {

void takePalette(MainWindow& window, const Save& save)
{
    window.openPage(QStringLiteral("connections"));
    waitFor(std::chrono::milliseconds(600));
    auto* line = window.findChild<QLineEdit*>(QStringLiteral("commandLine"));
    auto* action = window.findChild<QAction*>(QStringLiteral("commands"));
    action->trigger();
    waitFor(std::chrono::milliseconds(200));
    save(QStringLiteral("palette-all"));
    line->setText(QStringLiteral("co ma"));
    waitFor(std::chrono::milliseconds(200));
    save(QStringLiteral("palette-typed"));
    action->trigger();
}

void takeMinute(MainWindow& window, const Save& save)
{
    QWidget* page = window.openPage(QStringLiteral("overview"));
    // Bands fill once a second.
    waitFor(std::chrono::milliseconds(1'500));
    auto* bands = page->findChild<QTableView*>(QStringLiteral("breakerBands"));
    bands->setFocus();
    QTest::keyClick(bands, Qt::Key_Left);
    QTest::keyClick(bands, Qt::Key_Left);
    waitFor(std::chrono::milliseconds(900));
    save(QStringLiteral("overview-minute"));
    QTest::keyClick(bands, Qt::Key_Escape);
}

}  // namespace omni::shots
