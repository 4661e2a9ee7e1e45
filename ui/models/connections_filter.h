#pragma once

#include <QSortFilterProxyModel>
#include <QStringList>

namespace omni {

/// Text over all columns, and a state.
class ConnectionsFilter final : public QSortFilterProxyModel {
    Q_OBJECT

public:
    enum class Show { All, Serving, OutOfService, Disabled };

    explicit ConnectionsFilter(QObject* parent = nullptr);
    void setText(const QString& text);
    void setShow(Show show);
    bool filtering() const { return !m_words.isEmpty() || m_show != Show::All; }

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    QStringList m_words;
    Show m_show = Show::All;
};

}  // namespace omni
