#include "ui/usage/usage_model.h"

#include "ui/models/display_text.h"
#include "ui/theme/theme.h"

#include <QFont>

#include <algorithm>

namespace omni {

namespace {

/// By how much a column orders two rows: below 0, 0, above 0.
int compared(double a, double b)
{
    return a < b ? -1 : a > b ? 1 : 0;
}

double rateOf(const UsageCounts& counts)
{
    return counts.requests == 0 ? 0.0 : static_cast<double>(counts.failed) / static_cast<double>(counts.requests);
}

int compared(const UsageRow& a, const UsageRow& b, int column)
{
    const UsageCounts& left = a.of.counts;
    const UsageCounts& right = b.of.counts;
    const auto whole = [](std::int64_t l, std::int64_t r) { return l < r ? -1 : l > r ? 1 : 0; };
    switch (column) {
    case UsageModel::Name: return a.of.day != b.of.day ? whole(a.of.day, b.of.day) : a.name.localeAwareCompare(b.name);
    case UsageModel::Provider: return a.provider.localeAwareCompare(b.provider);
    case UsageModel::Requests: return whole(left.requests, right.requests);
    case UsageModel::Errors: return whole(left.failed, right.failed);
    case UsageModel::ErrorRate: return compared(rateOf(left), rateOf(right));
    case UsageModel::TokensIn: return whole(left.tokensIn, right.tokensIn);
    case UsageModel::TokensCached: return whole(left.tokensCached, right.tokensCached);
    case UsageModel::TokensOut: return whole(left.tokensOut, right.tokensOut);
    case UsageModel::Cost: {
        // What has no price stands below what is free.
        const auto worth = [](const UsageRow& row) { return row.cost.pricedTokens == 0 ? -1.0 : row.cost.dollars; };
        return compared(worth(a), worth(b));
    }
    default: return 0;
    }
}

}  // namespace

void UsageModel::setRows(std::vector<UsageRow> rows, UsageGroup group)
{
    const auto same = [](const UsageRow& a, const UsageRow& b) {
        return a.name == b.name && a.provider == b.provider && a.of.counts == b.of.counts && a.cost == b.cost && a.of.day == b.of.day &&
               a.unpriced == b.unpriced;
    };
    // Read every few seconds, and most of the time nothing is new: then the selection stays as well.
    if (group == m_group && std::equal(rows.begin(), rows.end(), m_rows.begin(), m_rows.end(), same))
        return;
    beginResetModel();
    m_rows = std::move(rows);
    m_group = group;
    filterRows();
    endResetModel();
}

void UsageModel::setFilter(const QString& text)
{
    beginResetModel();
    m_words = text.simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    filterRows();
    endResetModel();
}

void UsageModel::filterRows()
{
    m_shown.clear();
    std::vector<UsageRow> counted;
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const UsageRow& row = m_rows[i];
        const bool wanted = std::all_of(m_words.begin(), m_words.end(), [&row](const QString& word) {
            return row.name.contains(word, Qt::CaseInsensitive) || row.provider.contains(word, Qt::CaseInsensitive);
        });
        if (!wanted)
            continue;
        m_shown.push_back(i);
        counted.push_back(row);
    }
    m_total = usageTotal(counted);
    arrange();
}

bool UsageModel::before(const UsageRow& a, const UsageRow& b) const
{
    if (const int order = compared(a, b, m_sortColumn); order != 0)
        return m_sortOrder == Qt::AscendingOrder ? order < 0 : order > 0;
    // Equals stand by name, so that what is read anew does not change places.
    return compared(a, b, Name) < 0;
}

void UsageModel::arrange()
{
    std::stable_sort(m_shown.begin(), m_shown.end(), [this](std::size_t a, std::size_t b) { return before(m_rows[a], m_rows[b]); });
}

void UsageModel::sort(int column, Qt::SortOrder order)
{
    m_sortColumn = column;
    m_sortOrder = order;
    Q_EMIT layoutAboutToBeChanged();
    const QModelIndexList before = persistentIndexList();
    std::vector<std::size_t> old = m_shown;
    arrange();
    QModelIndexList after;
    for (const QModelIndex& index : before) {
        const auto row = static_cast<std::size_t>(index.row());
        if (row >= old.size()) {
            after << index;
            continue;
        }
        const auto place = std::find(m_shown.begin(), m_shown.end(), old[row]);
        after << this->index(static_cast<int>(place - m_shown.begin()), index.column());
    }
    changePersistentIndexList(before, after);
    Q_EMIT layoutChanged();
}

const UsageRow* UsageModel::rowAt(int row) const
{
    return row < 0 || row >= shownRows() ? nullptr : &m_rows[m_shown[static_cast<std::size_t>(row)]];
}

int UsageModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || m_shown.empty() ? 0 : shownRows() + 1;
}

int UsageModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString UsageModel::display(const UsageRow& row, int column, bool sum) const
{
    const UsageCounts& counts = row.of.counts;
    switch (column) {
    case Name: return sum ? tr("Total") : row.name;
    case Provider: return row.provider;
    case Requests: return numberText(counts.requests);
    case Errors: return numberText(counts.failed);
    case ErrorRate: return failureShareText(counts.failed, counts.requests);
    case TokensIn: return numberText(counts.tokensIn);
    case TokensCached: return numberText(counts.tokensCached);
    case TokensOut: return numberText(counts.tokensOut);
    case Cost: return costText(row.cost);
    default: return {};
    }
}

QString UsageModel::toolTip(const UsageRow& row, int column) const
{
    const bool tokens = column == TokensIn || column == TokensCached || column == TokensOut || column == Cost;
    QStringList lines;
    if (column == Cost && !row.unpriced.isEmpty()) {
        constexpr qsizetype kShown = 8;
        QString names = row.unpriced.mid(0, kShown).join(QStringLiteral(", "));
        if (row.unpriced.size() > kShown)
            names += QStringLiteral(", …");
        lines << tr("Without a price, and not in the sum: %1").arg(names);
    }
    if (tokens && row.of.counts.uncounted > 0)
        lines << (row.of.counts.uncounted == 1
                      ? tr("One answer came without token counts and is not in here.")
                      : tr("%1 answers came without token counts and are not in here.").arg(numberText(row.of.counts.uncounted)));
    if (column == Name || column == Provider)
        lines << display(row, column, false);
    return lines.join(QLatin1Char('\n'));
}

QVariant UsageModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const bool sum = index.row() == shownRows();
    const UsageRow& row = sum ? m_total : *rowAt(index.row());
    switch (role) {
    case Qt::DisplayRole: return display(row, index.column(), sum);
    case Qt::TextAlignmentRole: return static_cast<int>((index.column() <= Provider ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::FontRole: {
        if (!sum)
            return {};
        QFont bold;
        bold.setWeight(QFont::DemiBold);
        return bold;
    }
    case Qt::ToolTipRole: return toolTip(row, index.column());
    default: return {};
    }
}

QVariant UsageModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((section <= Provider ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Name:
        switch (m_group) {
        case UsageGroup::Day: return tr("Day");
        case UsageGroup::Provider: return tr("Provider");
        case UsageGroup::Connection: return tr("Connection");
        case UsageGroup::Model: return tr("Model");
        case UsageGroup::ApiKey: return tr("Client key");
        }
        return {};
    case Provider: return tr("Provider");
    case Requests: return tr("Requests");
    case Errors: return tr("Errors");
    case ErrorRate: return tr("Error rate");
    case TokensIn: return tr("Tokens in");
    case TokensCached: return tr("of them cached");
    case TokensOut: return tr("Tokens out");
    case Cost: return tr("Est. cost");
    default: return {};
    }
}

}  // namespace omni
