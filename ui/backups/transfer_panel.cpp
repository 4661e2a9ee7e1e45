#include "ui/backups/transfer_panel.h"

#include "base/private_file.h"
#include "ui/backups/export_dialog.h"
#include "ui/backups/import_dialog.h"
#include "ui/core_link.h"
#include "ui/models/display_text.h"
#include "ui/widgets/quiet_label.h"

#include <QDate>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QMessageBox>
#include <QPushButton>
#include <QStandardPaths>
#include <QVBoxLayout>

#include <utility>

namespace omni {

namespace {

/// As the core's own limit; a file beyond it is not even read.
constexpr std::size_t kLargestDocument = 64u << 20;

QString documentsFolder()
{
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    return folder.isEmpty() ? QDir::homePath() : folder;
}

/// A file that was read and understood.
struct ReadFile {
    std::string text;
    ConfigurationDocument document;
};

Result<ReadFile> readConfiguration(const std::string& path)
{
    Result<std::string> text = readFile(path, kLargestDocument);
    if (!text)
        return text.error();
    Result<ConfigurationDocument> document = readDocument(*text);
    if (!document)
        return document.error();
    return ReadFile{*std::move(text), *std::move(document)};
}

/// What is wrong with a file, place by place where it is its content.
QString refusalText(const Error& error)
{
    constexpr int kLines = 5;
    QString text = coreText(error.message);
    const bool ofContent = error.details.size() > 1 || (!error.details.empty() && error.details.front().field.find('[') != std::string::npos);
    for (std::size_t i = 0; ofContent && i < error.details.size() && i < kLines; ++i)
        text += QStringLiteral("\n%1: %2").arg(toQString(error.details[i].field), coreText(error.details[i].message));
    return text;
}

}  // namespace

TransferPanel::TransferPanel(CoreLink& link, BackupDesk& desk, QWidget* parent)
    : QWidget(parent), m_link(link), m_desk(desk), m_export(new QPushButton(tr("Export…"), this)),
      m_import(new QPushButton(tr("Import…"), this))
{
    auto* intro = new QuietLabel(
        tr("The configuration as one file, for another computer or to keep: without keys, or with all of them encrypted under a passphrase."),
        this);
    intro->setWordWrap(true);
    m_export->setObjectName(QStringLiteral("exportConfiguration"));
    m_export->setAccessibleName(tr("Export the configuration"));
    m_import->setObjectName(QStringLiteral("importConfiguration"));
    m_import->setAccessibleName(tr("Import a configuration"));
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(m_export);
    buttons->addWidget(m_import);
    buttons->addStretch();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(10);
    layout->addWidget(intro);
    layout->addLayout(buttons);
    connect(m_export, &QPushButton::clicked, this, &TransferPanel::askExport);
    connect(m_import, &QPushButton::clicked, this, &TransferPanel::chooseSource);
}

void TransferPanel::askExport()
{
    if (m_dialog)
        return;
    auto* asked = new ExportDialog(this);
    asked->setAttribute(Qt::WA_DeleteOnClose);
    m_dialog = asked;
    connect(asked, &QDialog::accepted, this, [this, asked] {
        m_dialog = nullptr;
        chooseTarget(asked->passphrase());
    });
    asked->open();
}

void TransferPanel::chooseTarget(const std::string& passphrase)
{
    auto* files = new QFileDialog(this, tr("Export the configuration"), documentsFolder(), tr("Configuration (*.json)"));
    files->setObjectName(QStringLiteral("exportFileDialog"));
    files->setAttribute(Qt::WA_DeleteOnClose);
    files->setAcceptMode(QFileDialog::AcceptSave);
    files->setFileMode(QFileDialog::AnyFile);
    files->setDefaultSuffix(QStringLiteral("json"));
    files->selectFile(QStringLiteral("omniroute-%1.json").arg(QDate::currentDate().toString(Qt::ISODate)));
    m_dialog = files;
    connect(files, &QFileDialog::fileSelected, this, [this, passphrase](const QString& path) { exportTo(path, passphrase); });
    files->open();
}

void TransferPanel::exportTo(const QString& path, const std::string& passphrase)
{
    m_export->setEnabled(false);
    const auto told = [this, path](const Status& written) {
        m_export->setEnabled(true);
        Q_EMIT messageRaised(written ? tr("The configuration was exported to %1.").arg(QDir::toNativeSeparators(path))
                                     : errorText(written.error()));
    };
    m_link.ask<std::string>(
        this,
        [passphrase](Control& control, const Reply<std::string>& reply) { control.exportConfiguration(passphrase, reply); },
        [this, path, told](const Result<std::string>& document) {
            if (!document) {
                told(document.error());
                return;
            }
            m_desk.ask<Status>(
                [file = toUtf8(path), text = *document](const BackupShelf&) { return replaceFile(file, text); }, told);
        });
}

void TransferPanel::chooseSource()
{
    if (m_dialog)
        return;
    auto* files = new QFileDialog(this, tr("Import a configuration"), documentsFolder(), tr("Configuration (*.json);;All files (*)"));
    files->setObjectName(QStringLiteral("importFileDialog"));
    files->setAttribute(Qt::WA_DeleteOnClose);
    files->setAcceptMode(QFileDialog::AcceptOpen);
    files->setFileMode(QFileDialog::ExistingFile);
    m_dialog = files;
    connect(files, &QFileDialog::fileSelected, this, [this](const QString& path) { readFrom(path); });
    files->open();
}

void TransferPanel::readFrom(const QString& path)
{
    m_import->setEnabled(false);
    m_desk.ask<Result<ReadFile>>([file = toUtf8(path)](const BackupShelf&) { return readConfiguration(file); },
                                 [this, path](const Result<ReadFile>& read) {
                                     m_import->setEnabled(true);
                                     if (!read) {
                                         auto* told = new QMessageBox(QMessageBox::Warning, tr("Import a configuration"),
                                                                      tr("%1 cannot be imported.").arg(QFileInfo(path).fileName()),
                                                                      QMessageBox::NoButton, this);
                                         told->setObjectName(QStringLiteral("importRefused"));
                                         told->setAttribute(Qt::WA_DeleteOnClose);
                                         told->setInformativeText(refusalText(read.error()));
                                         told->addButton(tr("Close"), QMessageBox::RejectRole)->setObjectName(QStringLiteral("cancel"));
                                         m_dialog = told;
                                         told->open();
                                         return;
                                     }
                                     // The window's and not the page's: an imported language makes the pages anew, and what became of
                                     // the import is still to be told.
                                     auto* asked = new ImportDialog(m_link, m_desk, QFileInfo(path).fileName(), read->text, read->document,
                                                                    window());
                                     asked->setAttribute(Qt::WA_DeleteOnClose);
                                     m_dialog = asked;
                                     connect(asked, &ImportDialog::imported, this, &TransferPanel::imported);
                                     asked->open();
                                 });
}

}  // namespace omni
