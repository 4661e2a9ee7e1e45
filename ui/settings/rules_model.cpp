#include "ui/settings/rules_model.h"

#include "ui/models/display_text.h"
#include "ui/theme/theme.h"

#include <algorithm>
#include <utility>

namespace omni {

void RulesModel::setConfiguration(ConfigurationPtr configuration)
{
    m_configuration = std::move(configuration);
    if (m_configuration->settings.resilience.providerErrorRules == m_rules)
        return;
    beginResetModel();
    m_rules = m_configuration->settings.resilience.providerErrorRules;
    endResetModel();
}

int RulesModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rules.size());
}

int RulesModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

int RulesModel::placeOf(std::size_t row) const
{
    const auto end = m_rules.begin() + static_cast<std::ptrdiff_t>(row) + 1;
    return static_cast<int>(
        std::count_if(m_rules.begin(), end, [&](const ProviderErrorRule& rule) { return rule.provider == m_rules[row].provider; }));
}

QVariant RulesModel::text(const ProviderErrorRule& rule, std::size_t row, int column) const
{
    switch (column) {
    case ProviderColumn: return providerText(m_configuration.get(), ProviderId(rule.provider));
    case Order: return numberText(placeOf(row));
    case Status: return QString::number(rule.status);
    case Match: return toQString(rule.match);
    case Meaning: return reasonText(rule.reason);
    case Reach: return ruleScopeText(rule.scope);
    case Hold: return rule.cooldown ? lengthText(*rule.cooldown) : tr("as the ladder says");
    default: return {};
    }
}

QVariant RulesModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const auto row = static_cast<std::size_t>(index.row());
    const ProviderErrorRule& rule = m_rules[row];
    const int column = index.column();
    if (role == Qt::DisplayRole)
        return text(rule, row, column);
    if (role == Qt::ToolTipRole && column == Match)
        return toQString(rule.match).toHtmlEscaped();
    if (role == Qt::AccessibleTextRole && column == ProviderColumn)
        return tr("%1, HTTP %2, “%3”").arg(text(rule, row, ProviderColumn).toString(), QString::number(rule.status), toQString(rule.match));
    if (role == SortRole) {
        switch (column) {
        case Order: return placeOf(row);
        case Status: return rule.status;
        case Hold: return rule.cooldown ? static_cast<qlonglong>(rule.cooldown->count()) : qlonglong{-1};
        default: return text(rule, row, column);
        }
    }
    return {};
}

QVariant RulesModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::ToolTipRole && section == Order)
        return tr("The first rule of a provider that fits decides.");
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case ProviderColumn: return tr("Provider");
    case Order: return tr("Order");
    case Status: return tr("Status");
    case Match: return tr("Text in the answer");
    case Meaning: return tr("Means");
    case Reach: return tr("Holds");
    case Hold: return tr("For");
    default: return {};
    }
}

RulesFilter::RulesFilter(QObject* parent) : QSortFilterProxyModel(parent)
{
    setSortRole(RulesModel::SortRole);
    setSortLocaleAware(true);
    setSortCaseSensitivity(Qt::CaseInsensitive);
}

void RulesFilter::setText(const QString& text)
{
    m_words = text.simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    invalidateFilter();
}

bool RulesFilter::filterAcceptsRow(int row, const QModelIndex& parent) const
{
    QString all;
    for (int column = 0; column < sourceModel()->columnCount(parent); ++column)
        all += sourceModel()->index(row, column, parent).data().toString() + QLatin1Char(' ');
    return std::all_of(m_words.begin(), m_words.end(), [&all](const QString& word) { return all.contains(word, Qt::CaseInsensitive); });
}

}  // namespace omni
