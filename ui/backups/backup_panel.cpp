#include "ui/backups/backup_panel.h"

#include "ui/backups/backups_model.h"
#include "ui/models/data_table.h"
#include "ui/models/display_text.h"
#include "ui/widgets/quiet_label.h"

#include <QDesktopServices>
#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QUrl>
#include <QVBoxLayout>

#include <utility>

namespace omni {

namespace {

constexpr int kShownRows = 7;

/// What the folder holds, as one look at it found.
struct Shelf {
    std::vector<BackupFile> backups;
    std::optional<WallTime> prepared;
};

}  // namespace

BackupPanel::BackupPanel(BackupDesk& desk, QWidget* parent)
    : QWidget(parent), m_desk(desk), m_model(new BackupsModel(this)), m_table(new DataTable(this))
{
    build();
    refreshButtons();
}

void BackupPanel::build()
{
    auto* intro = new QuietLabel(
        tr("A backup is a copy of the database: connections, combos, client keys, settings, the request log and the usage figures. The keys "
           "of your providers are kept apart, encrypted, and are in no backup. One is made by itself before an update changes the database; "
           "of each kind that is made by itself the newest ones are kept."),
        this);
    intro->setWordWrap(true);

    m_waiting = new QWidget(this);
    m_waiting->setObjectName(QStringLiteral("restoreWaiting"));
    m_waitingText = new QLabel(m_waiting);
    m_waitingText->setObjectName(QStringLiteral("restoreWaitingText"));
    m_waitingText->setWordWrap(true);
    auto* restart = new QPushButton(tr("Restart now"), m_waiting);
    restart->setObjectName(QStringLiteral("restartNow"));
    restart->setProperty("primary", true);
    auto* leave = new QPushButton(tr("Do not restore it"), m_waiting);
    leave->setObjectName(QStringLiteral("forgetRestore"));
    auto* waiting = new QHBoxLayout(m_waiting);
    waiting->setContentsMargins(0, 4, 0, 4);
    waiting->setSpacing(8);
    waiting->addWidget(m_waitingText, 1);
    waiting->addWidget(leave);
    waiting->addWidget(restart);
    m_waiting->hide();

    m_table->setObjectName(QStringLiteral("backupTable"));
    m_table->setAccessibleName(tr("Backups"));
    m_table->setModel(m_model);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setColumnWidths({20, 22, 12, 16});
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->setFixedHeight(m_table->verticalHeader()->defaultSectionSize() * kShownRows + m_table->horizontalHeader()->sizeHint().height());
    m_table->setContextMenuPolicy(Qt::NoContextMenu);

    const auto button = [this](const QString& text, const char* name) {
        auto* made = new QPushButton(text, this);
        made->setObjectName(QLatin1String(name));
        return made;
    };
    m_make = button(tr("Make a backup now"), "makeBackup");
    m_restore = button(tr("Restore…"), "restoreBackup");
    m_delete = button(tr("Delete…"), "deleteBackup");
    m_delete->setProperty("danger", true);
    QPushButton* folder = button(tr("Open the folder"), "openBackupFolder");
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    for (QPushButton* one : {m_make, m_restore, m_delete})
        buttons->addWidget(one);
    buttons->addStretch();
    buttons->addWidget(folder);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(10);
    layout->addWidget(intro);
    layout->addWidget(m_waiting);
    layout->addWidget(m_table);
    m_none = new QuietLabel(tr("There is no backup yet."), this);
    m_none->setObjectName(QStringLiteral("noBackups"));
    layout->addWidget(m_none);
    m_table->hide();
    layout->addLayout(buttons);

    connect(m_make, &QPushButton::clicked, this, &BackupPanel::makeOne);
    connect(m_restore, &QPushButton::clicked, this, &BackupPanel::askRestore);
    connect(m_delete, &QPushButton::clicked, this, &BackupPanel::askDelete);
    connect(folder, &QPushButton::clicked, this, &BackupPanel::openFolder);
    connect(restart, &QPushButton::clicked, this, &BackupPanel::restartRequested);
    connect(leave, &QPushButton::clicked, this, &BackupPanel::forget);
    connect(m_table, &DataTable::activated, this, &BackupPanel::askRestore);
    connect(m_table, &DataTable::deletePressed, this, &BackupPanel::askDelete);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &BackupPanel::refreshButtons);
    connect(m_model, &QAbstractItemModel::modelReset, this, &BackupPanel::refreshButtons);
}

void BackupPanel::refresh()
{
    m_desk.ask<Shelf>([](const BackupShelf& shelf) { return Shelf{shelf.list(), shelf.prepared()}; },
                      [this](const Shelf& found) { take(found.backups, found.prepared); });
}

void BackupPanel::take(const std::vector<BackupFile>& backups, std::optional<WallTime> prepared)
{
    const BackupFile* before = selected();
    const std::string chosen = !m_wanted.empty() ? std::exchange(m_wanted, {}) : before ? before->name : std::string();
    m_model->setBackups(backups);
    m_table->setVisible(!backups.empty());
    m_none->setVisible(backups.empty());
    if (const int row = m_model->rowOf(chosen); row >= 0)
        m_table->selectRow(row);
    m_waiting->setVisible(prepared.has_value());
    if (prepared)
        m_waitingText->setText(tr("The backup of %1 is restored when OmniRoute starts the next time.").arg(backupTimeText(*prepared)));
}

const BackupFile* BackupPanel::selected() const
{
    const QModelIndexList rows = m_table->selectedRowsInOrder();
    return rows.isEmpty() ? nullptr : m_model->at(rows.first().row());
}

void BackupPanel::refreshButtons()
{
    const BackupFile* backup = selected();
    m_make->setEnabled(!m_busy);
    m_make->setText(m_busy ? tr("Working…") : tr("Make a backup now"));
    m_restore->setEnabled(backup && !m_busy);
    m_delete->setEnabled(backup && !m_busy);
}

void BackupPanel::makeOne()
{
    m_busy = true;
    refreshButtons();
    m_desk.ask<Result<BackupFile>>([](const BackupShelf& shelf) { return shelf.make(BackupKind::ByHand); },
                                   [this](const Result<BackupFile>& made) {
                                       m_busy = false;
                                       refreshButtons();
                                       if (made)
                                           m_wanted = made->name;
                                       Q_EMIT messageRaised(made ? tr("The backup was made: %1").arg(toQString(made->name))
                                                                 : errorText(made.error()));
                                       refresh();
                                   });
}

QMessageBox* BackupPanel::question(const QString& name, const QString& title, const QString& text)
{
    auto* made = new QMessageBox(this);
    made->setObjectName(name);
    made->setAttribute(Qt::WA_DeleteOnClose);
    made->setIcon(QMessageBox::Warning);
    made->setWindowTitle(title);
    made->setText(title);
    made->setInformativeText(text);
    QPushButton* cancel = made->addButton(tr("Cancel"), QMessageBox::RejectRole);
    cancel->setObjectName(QStringLiteral("cancel"));
    made->setDefaultButton(cancel);
    made->setEscapeButton(cancel);
    return made;
}

void BackupPanel::askRestore()
{
    const BackupFile* backup = m_busy ? nullptr : selected();
    if (!backup)
        return;
    QMessageBox* asked = question(
        QStringLiteral("restoreQuestion"), tr("Restore the backup of %1?").arg(backupTimeText(backup->at)),
        tr("It takes the place of everything in the present database: connections, combos, client keys, settings, the request log and the "
           "usage figures. What is there now is kept as a backup too, so that you can go back.\n\n"
           "A provider's key that was deleted since does not come back; its connection asks for it again.\n\n"
           "OmniRoute has to restart for it. Requests that are running get five seconds to end."));
    QPushButton* now = asked->addButton(tr("Restore and restart"), QMessageBox::DestructiveRole);
    now->setObjectName(QStringLiteral("restoreNow"));
    QPushButton* later = asked->addButton(tr("At the next start"), QMessageBox::DestructiveRole);
    later->setObjectName(QStringLiteral("restoreLater"));
    connect(now, &QPushButton::clicked, this, [this, chosen = *backup] { restore(chosen, true); });
    connect(later, &QPushButton::clicked, this, [this, chosen = *backup] { restore(chosen, false); });
    asked->open();
}

void BackupPanel::restore(const BackupFile& backup, bool now)
{
    m_busy = true;
    refreshButtons();
    m_desk.ask<Status>([name = backup.name](const BackupShelf& shelf) { return shelf.prepareRestore(name); },
                       [this, now](const Status& ready) {
                           m_busy = false;
                           refreshButtons();
                           refresh();
                           if (!ready)
                               Q_EMIT messageRaised(errorText(ready.error()));
                           else if (now)
                               Q_EMIT restartRequested();
                           else
                               Q_EMIT messageRaised(tr("The backup was checked and is restored at the next start."),
                                                    [self = QPointer<BackupPanel>(this)] {
                                                        if (self)
                                                            self->forget();
                                                    });
                       });
}

void BackupPanel::forget()
{
    m_desk.ask<Status>([](const BackupShelf& shelf) { return shelf.forgetPrepared(); },
                       [this](const Status& forgotten) {
                           Q_EMIT messageRaised(forgotten ? tr("Nothing is restored at the next start.") : errorText(forgotten.error()));
                           refresh();
                       });
}

void BackupPanel::askDelete()
{
    const BackupFile* backup = m_busy ? nullptr : selected();
    if (!backup)
        return;
    QMessageBox* asked = question(QStringLiteral("deleteBackupQuestion"), tr("Delete the backup of %1?").arg(backupTimeText(backup->at)),
                                  tr("The file %1 is deleted, and this cannot be undone.").arg(toQString(backup->name)));
    QPushButton* remove = asked->addButton(tr("Delete it"), QMessageBox::DestructiveRole);
    remove->setObjectName(QStringLiteral("deleteBackupNow"));
    connect(remove, &QPushButton::clicked, this, [this, name = backup->name] {
        m_desk.ask<Status>([name](const BackupShelf& shelf) { return shelf.remove(name); },
                           [this](const Status& removed) {
                               Q_EMIT messageRaised(removed ? tr("The backup was deleted.") : errorText(removed.error()));
                               refresh();
                           });
    });
    asked->open();
}

void BackupPanel::openFolder()
{
    // Before the first backup there is none yet; where it will be is what was asked for.
    const QDir folder(toQString(m_desk.shelf().folder()));
    QDesktopServices::openUrl(QUrl::fromLocalFile(folder.exists() ? folder.path() : QFileInfo(folder.path()).path()));
}

}  // namespace omni
