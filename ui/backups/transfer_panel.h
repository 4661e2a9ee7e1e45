#pragma once

#include "ui/backups/backup_desk.h"

#include <QPointer>
#include <QWidget>

#include <functional>
#include <string>

class QDialog;
class QPushButton;

namespace omni {

class CoreLink;

/// The configuration as a file: written for another computer, read from one.
class TransferPanel final : public QWidget {
    Q_OBJECT

public:
    /// Both must outlive the panel.
    TransferPanel(CoreLink& link, BackupDesk& desk, QWidget* parent = nullptr);

Q_SIGNALS:
    void messageRaised(const QString& text, std::function<void()> undo = {});
    /// Something was imported, and perhaps a backup made before.
    void imported();

private:
    void askExport();
    void chooseTarget(const std::string& passphrase);
    void exportTo(const QString& path, const std::string& passphrase);
    void chooseSource();
    void readFrom(const QString& path);

    CoreLink& m_link;
    BackupDesk& m_desk;
    QPushButton* m_export;
    QPushButton* m_import;
    QPointer<QDialog> m_dialog;
};

}  // namespace omni
