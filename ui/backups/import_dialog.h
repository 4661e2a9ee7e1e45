#pragma once

#include "control/config_document.h"
#include "control/control.h"
#include "ui/backups/backup_desk.h"

#include <QDialog>
#include <QPointer>

class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace omni {

class CoreLink;
class FieldErrorLabel;

/// Shows what an exported configuration holds and takes it in, after a backup when that is wanted; then tells what came of it.
class ImportDialog final : public QDialog {
    Q_OBJECT

public:
    /// `text` is the file's, `document` what it was read as. `link` must outlive the dialog; without `desk`, which may go before it, no backup can be made.
    ImportDialog(CoreLink& link, BackupDesk& desk, const QString& fileName, std::string text, const ConfigurationDocument& document,
                 QWidget* parent = nullptr);

    /// While it works there is nothing to give up: what was handed to the core is done, and its outcome is to be seen.
    void reject() override;

Q_SIGNALS:
    void imported();

private:
    void build(const QString& fileName, const ConfigurationDocument& document);
    void begin();
    void import();
    void tell(const Result<ImportReport>& result);
    void setBusy(bool busy);

    CoreLink& m_link;
    const QPointer<BackupDesk> m_desk;
    const std::string m_text;
    QLineEdit* m_passphrase = nullptr;
    FieldErrorLabel* m_passphraseError = nullptr;
    QCheckBox* m_backup = nullptr;
    QWidget* m_question = nullptr;
    QLabel* m_outcome = nullptr;
    QLabel* m_problem = nullptr;
    QPushButton* m_cancel = nullptr;
    QPushButton* m_import = nullptr;
    bool m_busy = false;
    bool m_backedUp = false;  ///< a further try needs no further backup
};

/// "3 connections, 2 combos": only what there is of it.
QString contentText(const ConfigurationDocument& document);

}  // namespace omni
