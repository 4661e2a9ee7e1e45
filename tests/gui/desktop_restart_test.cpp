#include "composition/process.h"
#include "desktop/desktop_program.h"
#include "store/backup_shelf.h"
#include "support/temporary_data_dir.h"
#include "ui/shell/main_window.h"
#include "ui/widgets/message_bar.h"

#include <QAbstractItemModel>
#include <QApplication>
#include <QPointer>
#include <QPushButton>
#include <QTableView>
#include <QTest>
#include <QTimer>

using namespace omni;

namespace {

MainWindow* shownWindow()
{
    for (QWidget* top : QApplication::topLevelWidgets()) {
        auto* window = qobject_cast<MainWindow*>(top);
        if (window && window->isVisible())
            return window;
    }
    return nullptr;
}

/// Does what a person does, one thing a turn, each once what it needs is there.
class Person final : public QObject {
public:
    Person()
    {
        m_turn.setInterval(20);
        connect(&m_turn, &QTimer::timeout, this, &Person::step);
        m_turn.start();
        QTimer::singleShot(60'000, this, [] { QApplication::exit(99); });
    }

    bool sawRestored = false;
    int windows = 0;

private:
    void step()
    {
        MainWindow* window = shownWindow();
        if (!window)
            return;
        if (window != m_seen.data()) {
            m_seen = window;
            ++windows;
            if (windows == 1)
                window->openPage(QStringLiteral("settings"), QStringLiteral("backups"));
        }
        if (windows > 1) {
            sawRestored |= window->messages().text().contains(QStringLiteral("was restored"));
            if (sawRestored)
                Q_EMIT window->quitRequested();
            return;
        }
        auto* table = window->findChild<QTableView*>(QStringLiteral("backupTable"));
        if (!table)
            return;
        if (m_done == 0 && press(window, "makeBackup"))
            m_done = 1;
        else if (m_done == 1 && table->model()->rowCount() == 1 && press(window, "restoreBackup"))
            m_done = 2;
        else if (m_done == 2 && press(window, "restoreNow"))
            m_done = 3;
    }

    static bool press(const MainWindow* window, const char* name)
    {
        auto* button = window->findChild<QPushButton*>(QLatin1String(name));
        if (!button || !button->isEnabled() || !button->isVisible())
            return false;
        QTest::mouseClick(button, Qt::LeftButton);
        return true;
    }

    QTimer m_turn;
    QPointer<MainWindow> m_seen;
    int m_done = 0;
};

}  // namespace

/// The whole desktop program, which ends and begins anew within its process.
class DesktopRestartTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRestoredBackupIsThereAfterTheRestart();
};

void DesktopRestartTest::aRestoredBackupIsThereAfterTheRestart()
{
    const test::TemporaryDataDir folder;
    DesktopCommandLine line;
    line.dataDir = folder.path();
    line.port = 0;
    DesktopProgram program(*qApp, line);
    const Person person;
    QCOMPARE(program.run(), 0);
    QCOMPARE(person.windows, 2);
    QVERIFY(person.sawRestored);
    const BackupShelf shelf(folder.path() + "/storage.sqlite");
    QVERIFY(!shelf.prepared());
    QCOMPARE(shelf.list().size(), std::size_t(2));
    QVERIFY(shelf.list().front().kind == BackupKind::BeforeRestore);
}

int main(int argc, char** argv)
{
    prepareProcess();
    QApplication application(argc, argv);
    QApplication::setQuitOnLastWindowClosed(false);
    DesktopRestartTest test;
    return QTest::qExec(&test, argc, argv);
}

#include "desktop_restart_test.moc"
