#pragma once

#include "model/request_record.h"

#include <QAbstractTableModel>

#include <vector>

namespace omni {

/// Request and response headers of one request, redacted by the core.
class HeadersModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Side, Name, Value, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;
    void setRecord(const RequestRecord& record);
    void clear();

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Header {
        bool response = false;
        QString name;
        QString value;
    };
    std::vector<Header> m_headers;
};

}  // namespace omni
