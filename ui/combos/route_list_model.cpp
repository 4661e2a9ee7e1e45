#include "ui/combos/route_list_model.h"

#include "routing/target_check.h"
#include "ui/combos/route_outlooks.h"
#include "ui/combos/route_text.h"
#include "ui/models/display_text.h"
#include "ui/models/state_delegate.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace omni {

namespace {

/// What the user cares about first: broken, out, on a later target, serving.
int severity(RouteOutlook::Kind kind)
{
    switch (kind) {
    case RouteOutlook::Kind::Broken: return 0;
    case RouteOutlook::Kind::Nobody: return 1;
    case RouteOutlook::Kind::Later: return 2;
    case RouteOutlook::Kind::First: return 3;
    case RouteOutlook::Kind::Unknown: break;
    }
    return 4;
}

}  // namespace

RouteListModel::RouteListModel(Kind kind, RouteOutlooks& outlooks, QObject* parent)
    : QAbstractTableModel(parent), m_kind(kind), m_outlooks(outlooks)
{
    connect(&outlooks, &RouteOutlooks::changed, this, [this] {
        if (!m_rows.empty())
            Q_EMIT dataChanged(index(0, State), index(rowCount() - 1, GoesTo));
    });
}

std::vector<RouteListModel::Row> RouteListModel::rowsOf(const Configuration& configuration) const
{
    std::vector<Row> rows;
    if (m_kind == Kind::Aliases) {
        for (const ModelAlias& alias : configuration.aliases)
            rows.push_back({alias.name, alias.name, toQString(alias.model), {}, {}});
        return rows;
    }
    const TargetCheck check(configuration);
    for (const Combo& combo : configuration.combos) {
        Row row{combo.id.str(), combo.name, {}, {}, {}};
        QStringList models;
        QStringList lines;
        QStringList faults;
        for (const ComboTarget& target : combo.targets) {
            const QString number = numberText(lines.size() + 1);
            models << toQString(target.model);
            QString line = tr("%1. %2 at %3", "number, model, provider or connection")
                               .arg(number, toQString(target.model), comboTargetText(configuration, target));
            const QString fault = faultText(check.faultOf(target));
            if (!fault.isEmpty()) {
                line += QStringLiteral(": ") + fault;
                faults << number;
            }
            lines << line;
        }
        row.content = models.join(QStringLiteral(" → "));
        row.tip = lines.join(QLatin1Char('\n'));
        if (faults.size() == 1)
            row.problem = tr("Target %1 leads nowhere").arg(faults.first());
        else if (faults.size() > 1)
            row.problem = tr("Targets %1 lead nowhere").arg(faults.join(QStringLiteral(", ")));
        rows.push_back(std::move(row));
    }
    return rows;
}

void RouteListModel::setConfiguration(ConfigurationPtr configuration)
{
    m_configuration = std::move(configuration);
    if (!m_configuration)
        return;
    std::vector<Row> wanted = rowsOf(*m_configuration);
    std::unordered_map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < wanted.size(); ++i)
        places.emplace(wanted[i].id, i);
    for (int row = rowCount() - 1; row >= 0; --row) {
        if (places.contains(idAt(row)))
            continue;
        beginRemoveRows({}, row, row);
        m_rows.erase(m_rows.begin() + row);
        endRemoveRows();
    }
    std::unordered_set<std::string> present;
    for (int row = 0; row < rowCount(); ++row) {
        Row& known = m_rows[static_cast<std::size_t>(row)];
        present.insert(known.id);
        Row& fresh = wanted[places.at(known.id)];
        if (known == fresh)
            continue;
        known = std::move(fresh);
        Q_EMIT dataChanged(index(row, 0), index(row, ColumnCount - 1));
    }
    std::vector<Row> added;
    for (Row& row : wanted) {
        if (!row.id.empty() && !present.contains(row.id))
            added.push_back(std::move(row));
    }
    if (added.empty())
        return;
    beginInsertRows({}, rowCount(), rowCount() + static_cast<int>(added.size()) - 1);
    m_rows.insert(m_rows.end(), std::make_move_iterator(added.begin()), std::make_move_iterator(added.end()));
    endInsertRows();
}

const std::string& RouteListModel::idAt(int row) const
{
    static const std::string none;
    return row >= 0 && row < rowCount() ? m_rows[static_cast<std::size_t>(row)].id : none;
}

const std::string& RouteListModel::nameAt(int row) const
{
    static const std::string none;
    return row >= 0 && row < rowCount() ? m_rows[static_cast<std::size_t>(row)].name : none;
}

int RouteListModel::rowOf(const std::string& id) const
{
    const auto found = std::find_if(m_rows.begin(), m_rows.end(), [&](const Row& row) { return row.id == id; });
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

int RouteListModel::problemCount() const
{
    return static_cast<int>(std::count_if(m_rows.begin(), m_rows.end(), [](const Row& row) { return !row.problem.isEmpty(); }));
}

int RouteListModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int RouteListModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : m_kind == Kind::Combos ? ColumnCount : Problem;
}

QString RouteListModel::display(const Row& row, int column) const
{
    switch (column) {
    case Name: return toQString(row.name);
    case State: return outlookWord(m_outlooks.of(row.name));
    case GoesTo: return outlookText(m_outlooks.of(row.name), m_configuration.get());
    case Content: return row.content;
    case Problem: return row.problem;
    default: return {};
    }
}

QVariant RouteListModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole: return display(row, index.column());
    case Qt::ToolTipRole:
        return (index.column() == Content || index.column() == Problem) && !row.tip.isEmpty() ? row.tip : display(row, index.column());
    case SortRole:
        if (index.column() == State)
            return severity(m_outlooks.of(row.name).kind);
        return display(row, index.column());
    case StateDelegate::StateRole:
        if (index.column() == State && m_outlooks.of(row.name).kind != RouteOutlook::Kind::Unknown)
            return QVariant::fromValue(stateOf(m_outlooks.of(row.name)));
        if (index.column() == Problem && !row.problem.isEmpty())
            return QVariant::fromValue(StateKey{BreakerState::Degraded});
        return {};
    default: return {};
    }
}

QVariant RouteListModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Name: return m_kind == Kind::Combos ? tr("Combo") : tr("Alias");
    case State: return tr("State");
    case GoesTo: return tr("Goes to now");
    case Content: return m_kind == Kind::Combos ? tr("Models in order") : tr("Stands for");
    case Problem: return tr("Problem");
    default: return {};
    }
}

RouteListFilter::RouteListFilter(QObject* parent) : QSortFilterProxyModel(parent)
{
    setSortRole(RouteListModel::SortRole);
    setSortLocaleAware(true);
    setSortCaseSensitivity(Qt::CaseInsensitive);
    setDynamicSortFilter(true);
}

void RouteListFilter::setText(const QString& text)
{
    m_words = text.simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    invalidateFilter();
}

bool RouteListFilter::filterAcceptsRow(int row, const QModelIndex& parent) const
{
    QString all;
    for (int column = 0; column < sourceModel()->columnCount(); ++column)
        all += sourceModel()->index(row, column, parent).data().toString() + QLatin1Char('\n');
    return std::all_of(m_words.begin(), m_words.end(), [&all](const QString& word) { return all.contains(word, Qt::CaseInsensitive); });
}

}  // namespace omni
