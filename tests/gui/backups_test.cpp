#include "gui/window_fixture.h"
#include "program/test_program.h"
#include "store/backup_shelf.h"
#include "ui/backups/backups_model.h"
#include "ui/models/data_table.h"
#include "ui/widgets/field_error_label.h"
#include "ui/widgets/message_bar.h"

#include <QCheckBox>
#include <QCoreApplication>
#include <QDesktopServices>
#include <QDir>
#include <QEvent>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QMessageBox>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QUrl>

#include <algorithm>

using namespace omni;
using omni::test::WindowFixture;

namespace {

constexpr const char* kKey = "gsk_abcdefghijklmnop9f2c";
constexpr const char* kPassphrase = "correct horse battery";

struct SettingsFixture : WindowFixture {
    SettingsFixture() : WindowFixture(test::withoutSandbox()) {}

    bool open()
    {
        if (!start())
            return false;
        showCard("backups");
        return find<DataTable>(QStringLiteral("backupTable")) != nullptr;
    }
    void showCard(const char* card)
    {
        page = window->openPage(QStringLiteral("settings"), QLatin1String(card));
        QCoreApplication::processEvents();
    }
    void click(const char* name) const
    {
        auto* button = find<QPushButton>(QLatin1String(name));
        QVERIFY2(button && button->isEnabled() && button->isVisible(), name);
        QTest::mouseClick(button, Qt::LeftButton);
    }
    QAbstractItemModel* rows() const { return find<DataTable>(QStringLiteral("backupTable"))->model(); }
    QString cell(int row, BackupsModel::Column column) const { return rows()->index(row, column).data().toString(); }
    BackupShelf shelf() const { return BackupShelf(core.runtime().databasePath()); }
    QString message() const { return window->messages().text(); }
    Connection addConnection(const std::string& name)
    {
        ConnectionDraft draft;
        draft.connection.provider = ProviderId("groq");
        draft.connection.name = name;
        draft.secret = kKey;
        const auto saved = core.ask<Connection>([draft](Control& control, Reply<Connection> reply) { control.saveConnection(draft, reply); });
        return saved ? *saved : Connection();
    }
    std::vector<std::string> connectionNames()
    {
        return core.read<std::vector<std::string>>([](Control& control) {
            std::vector<std::string> names;
            for (const Connection& connection : control.configuration()->connections)
                names.push_back(connection.name);
            std::sort(names.begin(), names.end());
            return names;
        });
    }
    std::string secretOf(const std::string& name)
    {
        return core.read<std::string>([name](Control& control) {
            for (const Connection& connection : control.configuration()->connections) {
                if (connection.name == name)
                    return control.secretOf(connection).valueOr({});
            }
            return std::string();
        });
    }
    /// Down and up again on the same folder, with a new window.
    bool restart()
    {
        window.reset();
        link.reset();
        core.stop();
        return start();
    }
    /// Types a path into the file dialog and confirms, as a person does.
    void giveFile(const char* dialogName, const QString& path) const
    {
        auto* dialog = find<QFileDialog>(QLatin1String(dialogName));
        QVERIFY(dialog);
        auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
        QVERIFY(name);
        name->setText(path);
        QTest::keyClick(name, Qt::Key_Return);
    }
    void exportTo(const QString& path, const QString& passphrase)
    {
        showCard("transfer");
        click("exportConfiguration");
        if (!passphrase.isEmpty()) {
            QTest::mouseClick(find<QRadioButton>(QStringLiteral("exportWithKeys")), Qt::LeftButton, {}, QPoint(8, 8));
            QTest::keyClicks(find<QLineEdit>(QStringLiteral("exportPassphrase")), passphrase);
            QTest::keyClicks(find<QLineEdit>(QStringLiteral("exportPassphraseAgain")), passphrase);
        }
        click("exportNext");
        QTRY_VERIFY(find<QFileDialog>(QStringLiteral("exportFileDialog")));
        giveFile("exportFileDialog", path);
        QTRY_VERIFY(message().contains(QStringLiteral("was exported")));
    }
    void beginImport(const QString& path)
    {
        showCard("transfer");
        click("importConfiguration");
        QTRY_VERIFY(find<QFileDialog>(QStringLiteral("importFileDialog")));
        giveFile("importFileDialog", path);
    }

    Page* page = nullptr;
};

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

/// Remembers what the desktop would have been asked to open.
class FolderWatch final : public QObject {
    Q_OBJECT

public:
    FolderWatch() { QDesktopServices::setUrlHandler(QStringLiteral("file"), this, "opened"); }
    ~FolderWatch() override { QDesktopServices::unsetUrlHandler(QStringLiteral("file")); }
    QUrl url;

public Q_SLOTS:
    void opened(const QUrl& which) { url = which; }
};

class BackupsTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QLocale::setDefault(QLocale::c()); }

    void oneIsMadeAndShown();
    void oneIsDeletedAfterAQuestion();
    void theFolderIsOpened();
    void oneIsRestoredAtTheNextStart();
    void laterCanBeTakenBack();
    void aDamagedOneIsRefusedInWords();
    void configurationGoesToAFileWithoutKeys();
    void configurationGoesOverWithItsKeys();
    void importWithoutThePassphraseLeavesTheKeysOut();
    void shortPassphrasesAreRefused();
    void filesThatCannotBeImported_data();
    void filesThatCannotBeImported();
};

void BackupsTest::oneIsMadeAndShown()
{
    SettingsFixture fixture;
    QVERIFY2(fixture.open(), fixture.core.error().c_str());
    QCOMPARE(fixture.rows()->rowCount(), 0);
    QVERIFY(fixture.find<QLabel>(QStringLiteral("noBackups"))->isVisible());
    QVERIFY(!fixture.find<QPushButton>(QStringLiteral("restoreBackup"))->isEnabled());
    fixture.click("makeBackup");
    QTRY_COMPARE(fixture.rows()->rowCount(), 1);
    QVERIFY(!fixture.find<QLabel>(QStringLiteral("noBackups"))->isVisible());
    QVERIFY(fixture.message().contains(QStringLiteral("was made")));
    QCOMPARE(fixture.cell(0, BackupsModel::Kind), QStringLiteral("by hand"));
    QVERIFY(fixture.cell(0, BackupsModel::Size).endsWith(QStringLiteral("kB")));
    QVERIFY(fixture.cell(0, BackupsModel::Schema).endsWith(QStringLiteral("as now")));
    // What was made is what is chosen.
    QVERIFY(fixture.find<QPushButton>(QStringLiteral("restoreBackup"))->isEnabled());
    QVERIFY(fixture.shelf().list().front().schema == BackupShelf::knownSchema());
}

void BackupsTest::oneIsDeletedAfterAQuestion()
{
    SettingsFixture fixture;
    QVERIFY2(fixture.open(), fixture.core.error().c_str());
    fixture.click("makeBackup");
    QTRY_COMPARE(fixture.rows()->rowCount(), 1);
    auto* table = fixture.find<DataTable>(QStringLiteral("backupTable"));
    table->setFocus();
    QTest::keyClick(table, Qt::Key_Delete);
    auto* question = fixture.find<QMessageBox>(QStringLiteral("deleteBackupQuestion"));
    QVERIFY(question);
    QTest::mouseClick(question->findChild<QPushButton*>(QStringLiteral("cancel")), Qt::LeftButton);
    QTRY_VERIFY(!fixture.find<QMessageBox>(QStringLiteral("deleteBackupQuestion")));
    QCOMPARE(fixture.shelf().list().size(), std::size_t(1));
    fixture.click("deleteBackup");
    fixture.click("deleteBackupNow");
    QTRY_COMPARE(fixture.rows()->rowCount(), 0);
    QVERIFY(fixture.shelf().list().empty());
}

void BackupsTest::theFolderIsOpened()
{
    FolderWatch watch;
    SettingsFixture fixture;
    QVERIFY2(fixture.open(), fixture.core.error().c_str());
    // Before there is one, where it will be.
    fixture.click("openBackupFolder");
    QCOMPARE(watch.url.toLocalFile(), toQString(fixture.core.dataDir()));
    fixture.click("makeBackup");
    QTRY_COMPARE(fixture.rows()->rowCount(), 1);
    fixture.click("openBackupFolder");
    QCOMPARE(watch.url.toLocalFile(), toQString(fixture.core.dataDir() + "/backups"));
}

void BackupsTest::oneIsRestoredAtTheNextStart()
{
    SettingsFixture fixture;
    QVERIFY2(fixture.open(), fixture.core.error().c_str());
    fixture.addConnection("then");
    fixture.click("makeBackup");
    QTRY_COMPARE(fixture.rows()->rowCount(), 1);
    fixture.addConnection("now");
    QSignalSpy restarts(fixture.window.get(), &MainWindow::restartRequested);
    fixture.click("restoreBackup");
    fixture.click("restoreNow");
    QTRY_COMPARE(restarts.count(), 1);
    // Up to the restart everything is as it was.
    QCOMPARE(fixture.connectionNames(), (std::vector<std::string>{"now", "then"}));
    QVERIFY(fixture.restart());
    QVERIFY(fixture.core.runtime().opening().restored);
    QCOMPARE(fixture.connectionNames(), std::vector<std::string>{"then"});
    QCOMPARE(fixture.secretOf("then"), std::string(kKey));

    // And back again.
    fixture.showCard("backups");
    QTRY_COMPARE(fixture.rows()->rowCount(), 2);
    int replaced = -1;
    for (int row = 0; row < 2; ++row) {
        if (fixture.cell(row, BackupsModel::Kind) == QStringLiteral("before a restore"))
            replaced = row;
    }
    QVERIFY(replaced >= 0);
    fixture.find<DataTable>(QStringLiteral("backupTable"))->selectRow(replaced);
    fixture.click("restoreBackup");
    fixture.click("restoreLater");
    QTRY_VERIFY(fixture.find<QWidget>(QStringLiteral("restoreWaiting"))->isVisible());
    QVERIFY(fixture.restart());
    QCOMPARE(fixture.connectionNames(), (std::vector<std::string>{"now", "then"}));
    QCOMPARE(fixture.secretOf("now"), std::string(kKey));
}

void BackupsTest::laterCanBeTakenBack()
{
    SettingsFixture fixture;
    QVERIFY2(fixture.open(), fixture.core.error().c_str());
    fixture.click("makeBackup");
    QTRY_COMPARE(fixture.rows()->rowCount(), 1);
    fixture.addConnection("now");
    QVERIFY(!fixture.find<QWidget>(QStringLiteral("restoreWaiting"))->isVisible());
    fixture.click("restoreBackup");
    fixture.click("restoreLater");
    QTRY_VERIFY(fixture.find<QWidget>(QStringLiteral("restoreWaiting"))->isVisible());
    QVERIFY(fixture.find<QLabel>(QStringLiteral("restoreWaitingText"))->text().contains(fixture.cell(0, BackupsModel::Made)));
    fixture.click("forgetRestore");
    QTRY_VERIFY(!fixture.find<QWidget>(QStringLiteral("restoreWaiting"))->isVisible());
    QVERIFY(fixture.restart());
    QVERIFY(!fixture.core.runtime().opening().restored);
    QCOMPARE(fixture.connectionNames(), std::vector<std::string>{"now"});
}

void BackupsTest::aDamagedOneIsRefusedInWords()
{
    SettingsFixture fixture;
    QVERIFY2(fixture.open(), fixture.core.error().c_str());
    fixture.click("makeBackup");
    QTRY_COMPARE(fixture.rows()->rowCount(), 1);
    const QString file = toQString(fixture.shelf().folder() + "/" + fixture.shelf().list().front().name);
    QVERIFY(QFile::resize(file, QFileInfo(file).size() / 2));
    QSignalSpy restarts(fixture.window.get(), &MainWindow::restartRequested);
    fixture.click("restoreBackup");
    fixture.click("restoreNow");
    QTRY_VERIFY(fixture.message().contains(QStringLiteral("damaged")));
    QCOMPARE(restarts.count(), 0);
    QVERIFY(!fixture.shelf().prepared());
}

void BackupsTest::configurationGoesToAFileWithoutKeys()
{
    SettingsFixture fixture;
    QVERIFY2(fixture.open(), fixture.core.error().c_str());
    fixture.addConnection("mine");
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("out.json"));
    fixture.exportTo(path, {});
    const QByteArray text = contentOf(path);
    QVERIFY(text.contains("\"mine\""));
    QVERIFY(!text.contains(kKey));
    QVERIFY(!text.contains("secretRef"));
    QVERIFY(!(QFileInfo(path).permissions() & (QFile::ReadGroup | QFile::ReadOther)));
}

void BackupsTest::configurationGoesOverWithItsKeys()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("out.json"));
    {
        SettingsFixture here;
        QVERIFY2(here.open(), here.core.error().c_str());
        here.addConnection("mine");
        here.exportTo(path, QLatin1String(kPassphrase));
        QVERIFY(!contentOf(path).contains(kKey));
    }
    SettingsFixture there;
    QVERIFY2(there.open(), there.core.error().c_str());
    there.addConnection("theirs");
    there.beginImport(path);
    QTRY_VERIFY(there.find<QDialog>(QStringLiteral("importDialog")));
    QVERIFY(there.find<QLabel>(QStringLiteral("importContent"))->text().contains(QStringLiteral("connections: 1")));
    auto* passphrase = there.find<QLineEdit>(QStringLiteral("importPassphrase"));
    QTest::keyClicks(passphrase, QStringLiteral("not this one"));
    there.click("importNow");
    auto* error = there.find<FieldErrorLabel>(QStringLiteral("importPassphraseError"));
    QTRY_VERIFY(error->error().contains(QStringLiteral("passphrase does not fit")));
    QCOMPARE(there.connectionNames(), std::vector<std::string>{"theirs"});
    // What is wrong goes with the typing.
    passphrase->selectAll();
    QTest::keyClicks(passphrase, QLatin1String(kPassphrase));
    QVERIFY(error->error().isEmpty());
    there.click("importNow");
    QTRY_VERIFY(there.find<QLabel>(QStringLiteral("importOutcome"))->text().contains(QStringLiteral("keys of providers: 1")));
    QCOMPARE(there.connectionNames(), (std::vector<std::string>{"mine", "theirs"}));
    QCOMPARE(there.secretOf("mine"), std::string(kKey));
    // A backup from before, as was left ticked; the second try needed no further one.
    QTRY_COMPARE(there.rows()->rowCount(), 1);
    QCOMPARE(there.cell(0, BackupsModel::Kind), QStringLiteral("before an import"));
    // Another language, imported perhaps, makes the pages anew; what came of the import is still told.
    QEvent language(QEvent::LanguageChange);
    QCoreApplication::sendEvent(there.window.get(), &language);
    QCoreApplication::sendPostedEvents();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QVERIFY(there.find<QDialog>(QStringLiteral("importDialog"))->isVisible());
    there.click("importCancel");
    QTRY_VERIFY(!there.find<QDialog>(QStringLiteral("importDialog")));
}

void BackupsTest::importWithoutThePassphraseLeavesTheKeysOut()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("out.json"));
    {
        SettingsFixture here;
        QVERIFY2(here.open(), here.core.error().c_str());
        here.addConnection("mine");
        here.exportTo(path, QLatin1String(kPassphrase));
    }
    SettingsFixture there;
    QVERIFY2(there.open(), there.core.error().c_str());
    there.beginImport(path);
    QTRY_VERIFY(there.find<QDialog>(QStringLiteral("importDialog")));
    auto* backup = there.find<QCheckBox>(QStringLiteral("importBackup"));
    QVERIFY(backup->isChecked());
    backup->setFocus();
    QTest::keyClick(backup, Qt::Key_Space);
    there.click("importNow");
    QTRY_VERIFY(there.find<QLabel>(QStringLiteral("importOutcome"))->text().contains(QStringLiteral("under a passphrase")));
    QCOMPARE(there.connectionNames(), std::vector<std::string>{"mine"});
    QVERIFY(there.secretOf("mine").empty());
    QVERIFY(there.shelf().list().empty());
}

void BackupsTest::shortPassphrasesAreRefused()
{
    SettingsFixture fixture;
    QVERIFY2(fixture.open(), fixture.core.error().c_str());
    fixture.showCard("transfer");
    fixture.click("exportConfiguration");
    auto* next = fixture.find<QPushButton>(QStringLiteral("exportNext"));
    QVERIFY(next->isEnabled());
    QTest::mouseClick(fixture.find<QRadioButton>(QStringLiteral("exportWithKeys")), Qt::LeftButton, {}, QPoint(8, 8));
    QVERIFY(!next->isEnabled());
    QTest::keyClicks(fixture.find<QLineEdit>(QStringLiteral("exportPassphrase")), QStringLiteral("short"));
    QVERIFY(!fixture.find<FieldErrorLabel>(QStringLiteral("exportPassphraseError"))->error().isEmpty());
    QTest::keyClicks(fixture.find<QLineEdit>(QStringLiteral("exportPassphrase")), QStringLiteral(" no longer"));
    QVERIFY(fixture.find<FieldErrorLabel>(QStringLiteral("exportPassphraseError"))->error().isEmpty());
    QTest::keyClicks(fixture.find<QLineEdit>(QStringLiteral("exportPassphraseAgain")), QStringLiteral("short"));
    QVERIFY(!fixture.find<FieldErrorLabel>(QStringLiteral("exportPassphraseAgainError"))->error().isEmpty());
    QVERIFY(!next->isEnabled());
    QTest::keyClicks(fixture.find<QLineEdit>(QStringLiteral("exportPassphraseAgain")), QStringLiteral(" no longer"));
    QVERIFY(next->isEnabled());
}

void BackupsTest::filesThatCannotBeImported_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("words");
    QTest::newRow("text") << QByteArray("hello") << "is not JSON";
    QTest::newRow("empty") << QByteArray() << "is not JSON";
    QTest::newRow("another program's") << QByteArray("{\"a\": 1}") << "no exported configuration";
    QTest::newRow("newer") << QByteArray("{\"format\": \"omniroute-configuration\", \"version\": 99}") << "newer version";
    QTest::newRow("damaged") << QByteArray("{\"format\": \"omniroute-configuration\", \"version\": 1, \"connections\": [{\"id\": 3}]}")
                             << "connections[0]";
}

void BackupsTest::filesThatCannotBeImported()
{
    QFETCH(QByteArray, content);
    QFETCH(QString, words);
    SettingsFixture fixture;
    QVERIFY2(fixture.open(), fixture.core.error().c_str());
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("in.json"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
    file.close();
    fixture.beginImport(path);
    QTRY_VERIFY(fixture.find<QMessageBox>(QStringLiteral("importRefused")));
    const QString told = fixture.find<QMessageBox>(QStringLiteral("importRefused"))->informativeText();
    QVERIFY2(told.contains(words), qPrintable(told));
    QVERIFY(fixture.connectionNames().empty());
}

OMNI_TEST(BackupsTest)
#include "backups_test.moc"
