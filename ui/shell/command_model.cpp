#include "ui/shell/command_model.h"

#include <utility>

namespace omni {

void CommandModel::setCommands(std::vector<Command> commands, QStringList recent)
{
    beginResetModel();
    m_commands = std::move(commands);
    m_recent = std::move(recent);
    m_typed.clear();
    rank();
    endResetModel();
}

void CommandModel::setTyped(const QString& typed)
{
    beginResetModel();
    m_typed = typed;
    rank();
    endResetModel();
}

void CommandModel::rank()
{
    m_shown = ranked(m_commands, m_typed, m_recent);
}

const Command* CommandModel::commandAt(int row) const
{
    return row >= 0 && row < rowCount() ? &m_commands[m_shown[static_cast<std::size_t>(row)].index] : nullptr;
}

int CommandModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

QVariant CommandModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const RankedCommand& place = m_shown[static_cast<std::size_t>(index.row())];
    const Command& command = m_commands[place.index];
    switch (role) {
    case Qt::DisplayRole: return command.title;
    case DetailRole: return command.detail;
    case KeysRole: return command.keys;
    case TitleHitsRole: return QVariant::fromValue(place.inTitle);
    case DetailHitsRole: return QVariant::fromValue(place.inDetail);
    case Qt::AccessibleTextRole: {
        QStringList parts{command.title};
        for (const QString& part : {command.detail, command.keys}) {
            if (!part.isEmpty())
                parts << part;
        }
        return parts.join(QStringLiteral(", "));
    }
    default: return {};
    }
}

}  // namespace omni
