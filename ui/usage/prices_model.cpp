#include "ui/usage/prices_model.h"

#include "ui/models/display_text.h"

#include <QLocale>

#include <cmath>

namespace omni {

namespace {

constexpr int kMostPlaces = 6;

bool fitsIn(double value, int places)
{
    const double factor = std::pow(10.0, places);
    return std::abs(std::round(value * factor) / factor - value) < 1e-9;
}

}  // namespace

QString priceText(double dollars)
{
    int places = 2;
    while (places < kMostPlaces && !fitsIn(dollars, places))
        ++places;
    return QLocale().toCurrencyString(dollars, QStringLiteral("$"), places);
}

void PricesModel::setUsed(const std::vector<PricedModel>& used)
{
    m_used.insert(used.begin(), used.end());
    rebuild();
}

void PricesModel::setConfiguration(ConfigurationPtr configuration)
{
    m_configuration = std::move(configuration);
    // A price that is taken away leaves its model in the list, or it could not be given one again.
    for (const ModelPrice& price : m_configuration->prices)
        m_used.insert({price.provider, price.model});
    rebuild();
}

void PricesModel::rebuild()
{
    if (!m_configuration)
        return;
    std::vector<Row> rows;
    for (const PricedModel& model : m_used) {
        const ModelPrice* price = findPrice(m_configuration->prices, model.provider, model.model);
        rows.push_back({model, providerText(m_configuration.get(), model.provider), price ? std::optional(*price) : std::nullopt});
    }
    const bool same = rows.size() == m_rows.size();
    if (!same)
        beginResetModel();
    m_rows = std::move(rows);
    if (!same)
        endResetModel();
    else if (!m_rows.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

const PricedModel* PricesModel::modelAt(int row) const
{
    return row < 0 || row >= rowCount() ? nullptr : &m_rows[static_cast<std::size_t>(row)].model;
}

std::optional<ModelPrice> PricesModel::priceAt(int row) const
{
    return row < 0 || row >= rowCount() ? std::nullopt : m_rows[static_cast<std::size_t>(row)].price;
}

int PricesModel::rowOf(const PricedModel& model) const
{
    for (int row = 0; row < rowCount(); ++row) {
        if (m_rows[static_cast<std::size_t>(row)].model == model)
            return row;
    }
    return -1;
}

int PricesModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int PricesModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant PricesModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((index.column() <= Provider ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != SortRole)
        return {};
    const bool text = role == Qt::DisplayRole;
    const auto price = [&](std::optional<double> dollars, const QString& none) -> QVariant {
        if (text)
            return dollars ? priceText(*dollars) : none;
        return dollars.value_or(-1.0);
    };
    switch (index.column()) {
    case Model: return toQString(row.model.model);
    case Provider: return row.provider;
    case Input: return price(row.price ? std::optional(row.price->input) : std::nullopt, tr("no price"));
    case Cached:
        return price(row.price ? row.price->cached : std::nullopt, row.price ? tr("as input", "price of cached input") : tr("no price"));
    case Output: return price(row.price ? std::optional(row.price->output) : std::nullopt, tr("no price"));
    default: return {};
    }
}

QVariant PricesModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((section <= Provider ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Model: return tr("Model");
    case Provider: return tr("Provider");
    case Input: return tr("Input");
    case Cached: return tr("Cached input");
    case Output: return tr("Output");
    default: return {};
    }
}

}  // namespace omni
