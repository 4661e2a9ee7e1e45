#include "ui/requests/headers_model.h"

#include "ui/models/display_text.h"

namespace omni {

void HeadersModel::setRecord(const RequestRecord& record)
{
    beginResetModel();
    m_headers.clear();
    for (const auto& [name, value] : record.requestHeaders)
        m_headers.push_back({false, toQString(name), toQString(value)});
    for (const auto& [name, value] : record.responseHeaders)
        m_headers.push_back({true, toQString(name), toQString(value)});
    endResetModel();
}

void HeadersModel::clear()
{
    beginResetModel();
    m_headers.clear();
    endResetModel();
}

int HeadersModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_headers.size());
}

int HeadersModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant HeadersModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    const Header& header = m_headers[static_cast<std::size_t>(index.row())];
    switch (index.column()) {
    case Side: return header.response ? tr("answer") : tr("request");
    case Name: return header.name;
    case Value: return header.value;
    default: return {};
    }
}

QVariant HeadersModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Side: return tr("Of");
    case Name: return tr("Header");
    case Value: return tr("Value");
    default: return {};
    }
}

}  // namespace omni
