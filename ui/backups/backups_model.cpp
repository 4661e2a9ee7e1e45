#include "ui/backups/backups_model.h"

#include "ui/models/display_text.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

#include <algorithm>
#include <utility>

namespace omni {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(omni::BackupsModel)
};

QString schemaText(int schema, int known)
{
    if (schema == 0)
        return Words::tr("not readable");
    if (schema == known)
        return Words::tr("%1, as now").arg(numberText(schema));
    return schema < known ? Words::tr("%1, older").arg(numberText(schema)) : Words::tr("%1, newer").arg(numberText(schema));
}

QString schemaHint(int schema, int known)
{
    if (schema == 0)
        return Words::tr("This file cannot be read as a database of OmniRoute.");
    if (schema > known)
        return Words::tr("A newer version of OmniRoute made it; this one cannot restore it.");
    return schema < known ? Words::tr("An earlier version of OmniRoute made it; it is brought up to date when it is restored.") : QString();
}

}  // namespace

QString backupTimeText(WallTime at)
{
    return QLocale().toString(QDateTime::fromMSecsSinceEpoch(epochMillis(at)), QLocale::ShortFormat);
}

QString backupKindText(BackupKind kind)
{
    switch (kind) {
    case BackupKind::BeforeUpdate: return Words::tr("before an update");
    case BackupKind::ByHand: return Words::tr("by hand");
    case BackupKind::BeforeImport: return Words::tr("before an import");
    case BackupKind::BeforeRestore: return Words::tr("before a restore");
    case BackupKind::Rescue: return Words::tr("damaged database");
    }
    return {};
}

void BackupsModel::setBackups(std::vector<BackupFile> backups)
{
    beginResetModel();
    m_backups = std::move(backups);
    endResetModel();
}

const BackupFile* BackupsModel::at(int row) const
{
    return row >= 0 && row < rowCount() ? &m_backups[static_cast<std::size_t>(row)] : nullptr;
}

int BackupsModel::rowOf(const std::string& name) const
{
    const auto found = std::find_if(m_backups.begin(), m_backups.end(), [&name](const BackupFile& one) { return one.name == name; });
    return found == m_backups.end() ? -1 : static_cast<int>(found - m_backups.begin());
}

int BackupsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_backups.size());
}

int BackupsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant BackupsModel::data(const QModelIndex& index, int role) const
{
    const BackupFile* backup = index.isValid() ? at(index.row()) : nullptr;
    if (!backup)
        return {};
    if (role == Qt::ToolTipRole) {
        if (index.column() == Schema)
            return schemaHint(backup->schema, m_known);
        return index.column() == Made ? exactTimeText(backup->at) + QLatin1Char('\n') + toQString(backup->name) : QString();
    }
    if (role == Qt::TextAlignmentRole && index.column() == Size)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case Made: return backupTimeText(backup->at);
    case Kind: return backupKindText(backup->kind);
    case Size: return QLocale().formattedDataSize(backup->bytes, 1, QLocale::DataSizeSIFormat);
    case Schema: return schemaText(backup->schema, m_known);
    default: return {};
    }
}

QVariant BackupsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole && section == Size)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Made: return tr("Made");
    case Kind: return tr("Why");
    case Size: return tr("Size");
    case Schema: return tr("Schema");
    default: return {};
    }
}

}  // namespace omni
