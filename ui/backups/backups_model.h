#pragma once

#include "store/backup_shelf.h"

#include <QAbstractTableModel>

#include <vector>

namespace omni {

/// The backups of the database, newest first.
class BackupsModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Made, Kind, Size, Schema, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setBackups(std::vector<BackupFile> backups);
    const BackupFile* at(int row) const;
    int rowOf(const std::string& name) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<BackupFile> m_backups;
    int m_known = BackupShelf::knownSchema();
};

/// "29/11/26 23:00", by the locale.
QString backupTimeText(WallTime at);
QString backupKindText(BackupKind kind);

}  // namespace omni
