#pragma once

#include "model/configuration.h"

#include <QAbstractTableModel>

#include <vector>

namespace omni {

/// A combo's targets while it is edited, each with what is wrong with it.
class TargetsModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Number, Model, Where, Problem, ColumnCount };

    explicit TargetsModel(ConfigurationPtr configuration, QObject* parent);

    void setTargets(std::vector<ComboTarget> targets);
    const std::vector<ComboTarget>& targets() const { return m_targets; }
    void setConfiguration(ConfigurationPtr configuration);
    /// What the core says against a whole combo; those that name a target ("models[2].connectionId") stand beside it.
    void setErrors(const std::vector<FieldError>& errors);

    void append(ComboTarget target);
    /// These rows, ascending, to before what is now row `before`. Returns where the first of them stands then.
    int move(const std::vector<int>& rows, int before);
    void remove(const std::vector<int>& rows);
    void pin(const std::vector<int>& rows, const std::optional<ConnectionId>& connection);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

Q_SIGNALS:
    /// The targets or their order; not what is told beside them.
    void changed();

private:
    void check();
    void announceAll();

    ConfigurationPtr m_configuration;
    std::vector<ComboTarget> m_targets;
    std::vector<FieldError> m_errors;
    std::vector<QString> m_faults;   ///< leads nowhere, yet may be saved
    std::vector<QString> m_refused;  ///< may not be saved so
};

}  // namespace omni
