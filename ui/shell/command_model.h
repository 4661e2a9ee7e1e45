#pragma once

#include "ui/shell/command_ranking.h"

#include <QAbstractListModel>

namespace omni {

/// The commands that fit what is typed, best first.
class CommandModel final : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role { DetailRole = Qt::UserRole + 1, KeysRole, TitleHitsRole, DetailHitsRole };

    using QAbstractListModel::QAbstractListModel;

    void setCommands(std::vector<Command> commands, QStringList recent);
    void setTyped(const QString& typed);
    const Command* commandAt(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

private:
    void rank();

    std::vector<Command> m_commands;
    QStringList m_recent;
    QString m_typed;
    std::vector<RankedCommand> m_shown;
};

}  // namespace omni
