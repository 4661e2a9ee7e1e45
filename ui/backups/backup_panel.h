#pragma once

#include "ui/backups/backup_desk.h"

#include <QWidget>

#include <functional>
#include <optional>
#include <string>
#include <vector>

class QLabel;
class QMessageBox;
class QPushButton;

namespace omni {

class BackupsModel;
class DataTable;

/// The backups of the database: one made now, one restored at the next start, one deleted, their folder shown.
class BackupPanel final : public QWidget {
    Q_OBJECT

public:
    explicit BackupPanel(BackupDesk& desk, QWidget* parent = nullptr);

    /// Looks at the folder anew.
    void refresh();

Q_SIGNALS:
    void messageRaised(const QString& text, std::function<void()> undo = {});
    /// The user wants the restored database now.
    void restartRequested();

private:
    void build();
    void take(const std::vector<BackupFile>& backups, std::optional<WallTime> prepared);
    void refreshButtons();
    const BackupFile* selected() const;
    void makeOne();
    void askRestore();
    void restore(const BackupFile& backup, bool now);
    void forget();
    void askDelete();
    void openFolder();
    QMessageBox* question(const QString& name, const QString& title, const QString& text);

    BackupDesk& m_desk;
    BackupsModel* m_model;
    DataTable* m_table;
    QLabel* m_none = nullptr;
    QWidget* m_waiting = nullptr;
    QLabel* m_waitingText = nullptr;
    QPushButton* m_make = nullptr;
    QPushButton* m_restore = nullptr;
    QPushButton* m_delete = nullptr;
    std::string m_wanted;  ///< to be selected once it is listed
    bool m_busy = false;
};

}  // namespace omni
