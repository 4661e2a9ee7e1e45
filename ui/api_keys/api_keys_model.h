#pragma once

#include "model/configuration.h"

#include <QAbstractTableModel>

#include <vector>

namespace omni {

/// How a client key stands at one instant.
enum class KeyState { Active, Disabled, Expired, Revoked };
KeyState keyState(const ApiKey& key, WallTime now);
/// "active", "disabled", "expired", "revoked", translated.
QString keyStateText(KeyState state);

/// The clients' keys to this proxy.
class ApiKeysModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { State, Name, Key, Models, Connections, Rights, LastUsed, Expires, Created, ColumnCount };
    static constexpr int SortRole = Qt::UserRole + 1;

    using QAbstractTableModel::QAbstractTableModel;

    void setConfiguration(ConfigurationPtr configuration, WallTime now);
    const ApiKey* keyAt(int row) const;
    int rowOf(const ApiKeyId& id) const;  ///< -1 = not there
    /// "3 keys: 2 active, 1 revoked".
    QString summary() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString display(const ApiKey& key, int column) const;
    QVariant sortKey(const ApiKey& key, int column) const;
    QString toolTip(const ApiKey& key, int column) const;

    ConfigurationPtr m_configuration;
    std::vector<ApiKey> m_keys;
    WallTime m_now{};
};

}  // namespace omni
