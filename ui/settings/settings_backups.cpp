#include "ui/settings/settings_page.h"

#include "ui/backups/backup_panel.h"
#include "ui/backups/transfer_panel.h"
#include "ui/widgets/card.h"

namespace omni {

void SettingsPage::buildBackups(const std::string& databasePath)
{
    auto* desk = new BackupDesk(databasePath, this);
    Section& backups = addSection(QStringLiteral("backups"));
    m_backups = new BackupPanel(*desk, backups.card);
    addExtra(backups, m_backups);
    Section& transfer = addSection(QStringLiteral("transfer"));
    auto* panel = new TransferPanel(m_link, *desk, transfer.card);
    addExtra(transfer, panel);
    connect(m_backups, &BackupPanel::messageRaised, this, &Page::messageRaised);
    connect(m_backups, &BackupPanel::restartRequested, this, &Page::restartRequested);
    connect(panel, &TransferPanel::messageRaised, this, &Page::messageRaised);
    connect(panel, &TransferPanel::imported, m_backups, &BackupPanel::refresh);
}

}  // namespace omni
