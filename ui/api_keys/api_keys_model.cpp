#include "ui/api_keys/api_keys_model.h"

#include "ui/models/display_text.h"
#include "ui/models/state_delegate.h"
#include "ui/theme/theme.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

#include <algorithm>
#include <limits>

namespace omni {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(omni::ApiKeysModel)
};

QString dateText(WallTime time)
{
    return QLocale().toString(QDateTime::fromMSecsSinceEpoch(epochMillis(time)).date(), QLocale::ShortFormat);
}

/// Shapes and colours as for connections: in service, switched off, over by itself, over for good.
Exclusion lookFor(KeyState state)
{
    switch (state) {
    case KeyState::Active: return Exclusion::None;
    case KeyState::Disabled: return Exclusion::Disabled;
    case KeyState::Expired: return Exclusion::Expired;
    case KeyState::Revoked: return Exclusion::Banned;
    }
    return Exclusion::Disabled;
}

QString connectionName(const Configuration* configuration, const ConnectionId& id)
{
    const Connection* connection = configuration ? configuration->connection(id) : nullptr;
    return connection ? targetText(configuration, connection->provider, connection->name) : Words::tr("a connection that was deleted");
}

}  // namespace

KeyState keyState(const ApiKey& key, WallTime now)
{
    if (key.revokedAt)
        return KeyState::Revoked;
    if (key.expiresAt && *key.expiresAt <= now)
        return KeyState::Expired;
    return key.active ? KeyState::Active : KeyState::Disabled;
}

QString keyStateText(KeyState state)
{
    switch (state) {
    case KeyState::Active: return Words::tr("active");
    case KeyState::Disabled: return Words::tr("disabled");
    case KeyState::Expired: return Words::tr("expired");
    case KeyState::Revoked: return Words::tr("revoked");
    }
    return {};
}

void ApiKeysModel::setConfiguration(ConfigurationPtr configuration, WallTime now)
{
    const auto sameId = [](const ApiKey& a, const ApiKey& b) { return a.id == b.id; };
    const std::vector<ApiKey>& keys = configuration->apiKeys;
    const bool sameRows = std::equal(keys.begin(), keys.end(), m_keys.begin(), m_keys.end(), sameId);
    if (!sameRows)
        beginResetModel();
    m_configuration = std::move(configuration);
    m_keys = m_configuration->apiKeys;
    m_now = now;
    if (!sameRows)
        endResetModel();
    else if (!m_keys.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

const ApiKey* ApiKeysModel::keyAt(int row) const
{
    return row < 0 || row >= rowCount() ? nullptr : &m_keys[static_cast<std::size_t>(row)];
}

int ApiKeysModel::rowOf(const ApiKeyId& id) const
{
    for (int row = 0; row < rowCount(); ++row) {
        if (m_keys[static_cast<std::size_t>(row)].id == id)
            return row;
    }
    return -1;
}

QString ApiKeysModel::summary() const
{
    QStringList parts;
    for (const KeyState state : {KeyState::Active, KeyState::Disabled, KeyState::Expired, KeyState::Revoked}) {
        const auto count = std::count_if(m_keys.begin(), m_keys.end(), [&](const ApiKey& key) { return keyState(key, m_now) == state; });
        if (count > 0)
            parts << QStringLiteral("%1 %2").arg(numberText(count), keyStateText(state));
    }
    return parts.join(QStringLiteral(", "));
}

int ApiKeysModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_keys.size());
}

int ApiKeysModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString ApiKeysModel::display(const ApiKey& key, int column) const
{
    switch (column) {
    case State: return keyStateText(keyState(key, m_now));
    case Name: return toQString(key.name);
    case Key: return toQString(key.prefix) + QStringLiteral("…");
    case Models:
        if (key.allowedModels.empty())
            return tr("any", "models a key may use");
        return key.allowedModels.size() == 1 ? toQString(key.allowedModels.front())
                                             : tr("%1 patterns").arg(numberText(static_cast<std::int64_t>(key.allowedModels.size())));
    case Connections:
        if (key.allowedConnections.empty())
            return tr("any", "connections a key may use");
        return key.allowedConnections.size() == 1
                   ? connectionName(m_configuration.get(), key.allowedConnections.front())
                   : tr("%1 of them", "connections").arg(numberText(static_cast<std::int64_t>(key.allowedConnections.size())));
    case Rights: {
        QStringList rights{tr("requests", "what a key is good for")};
        if (!key.scopes.empty())
            rights << tr("management", "what a key is good for");
        if (key.noLog)
            rights << tr("not logged", "what a key is good for");
        return rights.join(QStringLiteral(", "));
    }
    case LastUsed: return key.lastUsedAt ? agoText(*key.lastUsedAt, m_now) : tr("not yet");
    case Expires: return key.expiresAt ? dateText(*key.expiresAt) : tr("never");
    case Created: return dateText(key.createdAt);
    default: return {};
    }
}

QVariant ApiKeysModel::sortKey(const ApiKey& key, int column) const
{
    const auto millis = [](const std::optional<WallTime>& time, qlonglong none) {
        return time ? static_cast<qlonglong>(epochMillis(*time)) : none;
    };
    switch (column) {
    case State: return static_cast<int>(keyState(key, m_now));
    case Models: return static_cast<int>(key.allowedModels.size());
    case Connections: return static_cast<int>(key.allowedConnections.size());
    case LastUsed: return millis(key.lastUsedAt, 0);
    case Expires: return millis(key.expiresAt, std::numeric_limits<qlonglong>::max());
    case Created: return millis(key.createdAt, 0);
    default: return display(key, column);
    }
}

QString ApiKeysModel::toolTip(const ApiKey& key, int column) const
{
    QStringList lines;
    switch (column) {
    case State:
        if (key.revokedAt)
            lines << tr("Revoked %1").arg(exactTimeText(*key.revokedAt));
        break;
    case Models:
        for (const std::string& pattern : key.allowedModels)
            lines << toQString(pattern);
        break;
    case Connections:
        for (const ConnectionId& id : key.allowedConnections)
            lines << connectionName(m_configuration.get(), id);
        break;
    case LastUsed:
        if (key.lastUsedAt)
            lines << exactTimeText(*key.lastUsedAt);
        break;
    case Expires:
        if (key.expiresAt)
            lines << exactTimeText(*key.expiresAt);
        break;
    case Created: lines << exactTimeText(key.createdAt); break;
    default: lines << display(key, column); break;
    }
    constexpr qsizetype kMostLines = 20;
    if (lines.size() > kMostLines)
        lines = lines.mid(0, kMostLines) << QStringLiteral("…");
    return lines.join(QLatin1Char('\n'));
}

QVariant ApiKeysModel::data(const QModelIndex& index, int role) const
{
    const ApiKey* key = index.isValid() ? keyAt(index.row()) : nullptr;
    if (!key)
        return {};
    switch (role) {
    case Qt::DisplayRole: return display(*key, index.column());
    case Qt::ToolTipRole: return toolTip(*key, index.column());
    case Qt::FontRole: return index.column() == Key ? QVariant(monospaceFont()) : QVariant();
    case SortRole: return sortKey(*key, index.column());
    case StateDelegate::StateRole:
        return index.column() == State ? QVariant::fromValue(StateKey{lookFor(keyState(*key, m_now))}) : QVariant();
    default: return {};
    }
}

QVariant ApiKeysModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case State: return tr("State");
    case Name: return tr("Name");
    case Key: return tr("Key");
    case Models: return tr("Models");
    case Connections: return tr("Connections");
    case Rights: return tr("Good for");
    case LastUsed: return tr("Last used");
    case Expires: return tr("Expires");
    case Created: return tr("Created");
    default: return {};
    }
}

}  // namespace omni
