#pragma once

#include "model/configuration.h"

#include <QAbstractTableModel>

#include <optional>
#include <vector>

namespace omni {

/// Every model of every provider, found by any words of its name and its provider's. What was typed is offered as it stands too, where
/// a provider takes models it does not list.
class ModelChoice final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Model, Provider, ColumnCount };
    struct Choice {
        ProviderId provider;
        std::string model;
    };

    explicit ModelChoice(QObject* parent = nullptr);

    void setConfiguration(const Configuration& configuration);
    void setText(const QString& text);
    std::optional<Choice> choiceAt(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Source {
        ProviderId id;
        QString name;
        QStringList prefixes;  ///< lower case: id, alias
        bool connected = false;
        bool takesAny = false;
    };
    struct Entry {
        int source = 0;
        QString model;
        QString words;  ///< lower case
        bool typed = false;
    };
    void gather(const Configuration& configuration);
    void filter();
    void addTyped();

    std::vector<Source> m_sources;
    std::vector<Entry> m_entries;
    std::vector<Entry> m_typed;
    std::vector<const Entry*> m_shown;
    QString m_text;
};

}  // namespace omni
