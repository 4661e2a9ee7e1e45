#pragma once

#include "model/configuration.h"

#include <QWidget>

class QModelIndex;
class QSortFilterProxyModel;
class QStandardItem;
class QStandardItemModel;
class QTreeView;

namespace omni {

class SearchField;

/// All providers by group, found by typing; at the end of its group, the two kinds of endpoints a user can define.
class ProviderChooser final : public QWidget {
    Q_OBJECT

public:
    /// Stand for "make a new endpoint" in place of a provider's id.
    static const ProviderId kNewOpenAi;
    static const ProviderId kNewAnthropic;

    explicit ProviderChooser(const Configuration& configuration, QWidget* parent = nullptr);

    /// Empty = none chosen yet.
    ProviderId chosen() const;
    void choose(const ProviderId& id);
    SearchField* searchField() const { return m_search; }

Q_SIGNALS:
    void providerChosen(const omni::ProviderId& id);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QStandardItem* addGroup(const QString& title);
    void addProvider(QStandardItem* group, const Provider& provider, int connections);
    void filter(const QString& text);
    void selectFirst();

    QStandardItemModel* m_model;
    QSortFilterProxyModel* m_proxy;
    SearchField* m_search;
    QTreeView* m_view;
};

}  // namespace omni
