#include "ui/combos/considered_model.h"

#include "routing/target_check.h"
#include "ui/combos/route_text.h"
#include "ui/models/display_text.h"
#include "ui/models/state_delegate.h"
#include "ui/theme/theme.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace omni {

namespace {

/// Answers to the same question a moment apart may differ by this much.
constexpr std::int64_t kSameEndMs = 1'500;

}  // namespace

void ConsideredModel::setPreview(RoutePreview preview, ConfigurationPtr configuration, WallTime now)
{
    std::vector<Row> rows;
    rows.reserve(preview.considered.size());
    int place = 0;
    for (const ConsideredTarget& target : preview.considered) {
        Row row{target, target.usable() ? ++place : 0, std::nullopt};
        row.target.remaining = Millis(0);
        if (target.remaining > Millis(0))
            row.until = now + target.remaining;
        if (rows.size() < m_rows.size()) {
            const Row& old = m_rows[rows.size()];
            if (old.until && row.until && std::llabs((*old.until - *row.until).count()) < kSameEndMs)
                row.until = old.until;
        }
        rows.push_back(std::move(row));
    }
    const bool sameRows =
        rows.size() == m_rows.size() && std::equal(rows.begin(), rows.end(), m_rows.begin(), [](const Row& a, const Row& b) {
            return a.target.connection == b.target.connection && a.target.provider == b.target.provider &&
                   a.target.model == b.target.model && a.target.step == b.target.step;
        });
    const bool otherWords =
        configuration != m_configuration || preview.maxAttempts != m_preview.maxAttempts || preview.combo != m_preview.combo;
    m_preview = std::move(preview);
    m_preview.considered.clear();
    m_configuration = std::move(configuration);
    if (!sameRows) {
        beginResetModel();
        m_rows = std::move(rows);
        endResetModel();
        return;
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i] == m_rows[i] && !otherWords)
            continue;
        m_rows[i] = std::move(rows[i]);
        Q_EMIT dataChanged(index(static_cast<int>(i), 0), index(static_cast<int>(i), ColumnCount - 1));
    }
}

void ConsideredModel::clear()
{
    if (m_rows.empty())
        return;
    beginResetModel();
    m_rows.clear();
    m_preview = {};
    endResetModel();
}

const ConsideredTarget* ConsideredModel::targetAt(int row) const
{
    return row >= 0 && row < rowCount() ? &m_rows[static_cast<std::size_t>(row)].target : nullptr;
}

std::vector<int> ConsideredModel::countingRows() const
{
    std::vector<int> rows;
    for (int row = 0; row < rowCount(); ++row) {
        if (m_rows[static_cast<std::size_t>(row)].until)
            rows.push_back(row);
    }
    return rows;
}

bool ConsideredModel::anyEnded(WallTime now) const
{
    return std::any_of(m_rows.begin(), m_rows.end(), [now](const Row& row) { return row.until && *row.until <= now; });
}

int ConsideredModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ConsideredModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QStringList ConsideredModel::stateWords()
{
    return {tr("chosen"), tr("ready"), tr("not reached")};
}

QString ConsideredModel::stateText(const Row& row) const
{
    if (row.place == 0)
        return lookOf(row.target.reason, Colours()).word;
    return stateWords().at(row.place == 1 ? 0 : row.place <= m_preview.maxAttempts ? 1 : 2);
}

QString ConsideredModel::unavailableText(const Row& row) const
{
    // The combo may have been changed since; then the state has to be enough.
    if (m_configuration) {
        const TargetCheck check(*m_configuration);
        for (const Combo& combo : m_configuration->combos) {
            const auto step = static_cast<std::size_t>(std::max(row.target.step, 0));
            if (combo.name == m_preview.combo && step < combo.targets.size())
                return faultText(check.faultOf(combo.targets[step]));
        }
    }
    return {};
}

QString ConsideredModel::whyText(const Row& row) const
{
    if (row.place == 1)
        return tr("The request would go here.");
    if (row.place > m_preview.maxAttempts)
        return tr("A request is tried %1 times at most (Settings, Routing).").arg(numberText(m_preview.maxAttempts));
    if (row.place > 1)
        return tr("Would be tried next, as number %1.").arg(numberText(row.place));
    switch (row.target.reason) {
    case Exclusion::None: return {};
    case Exclusion::Disabled: return tr("The connection is switched off.");
    case Exclusion::SecretMissing: return tr("The connection has no key.");
    case Exclusion::SecretUnreadable: return tr("The connection’s key cannot be read.");
    case Exclusion::Banned: return tr("The provider has shut the account out.");
    case Exclusion::Expired: return tr("The provider refused the key.");
    case Exclusion::CreditsExhausted: return tr("The account is out of credit.");
    case Exclusion::CircuitOpen: return tr("The provider failed too often: its breaker is open.");
    case Exclusion::ConnectionCooldown: return tr("The connection rests after a failure.");
    case Exclusion::ModelLockout: return tr("This model rests on this connection.");
    case Exclusion::ProviderCooldown: return tr("The whole provider rests.");
    case Exclusion::DialectMismatch:
        return tr("The provider does not speak the client’s wire format (%1).").arg(operationText(m_preview.operation));
    case Exclusion::ModelNotOffered: return tr("The connection does not list this model.");
    case Exclusion::NotAllowed: return tr("The client’s key may not use it.");
    case Exclusion::Unavailable: return unavailableText(row);
    case Exclusion::AlreadyTried: return tr("The combo has named it before.");
    case Exclusion::ContextWindow: return {};
    }
    return {};
}

QVariant ConsideredModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole:
        switch (index.column()) {
        case Number: return row.target.step < 0 ? numberText(index.row() + 1) : numberText(row.target.step + 1);
        case State: return stateText(row);
        case Remaining: return row.until ? countdownText(*row.until - wallNow()) : QString();
        case Target: return targetText(m_configuration.get(), row.target.provider, row.target.connectionName);
        case Model: return toQString(row.target.model);
        case Why: return whyText(row);
        default: return {};
        }
    case Qt::TextAlignmentRole:
        return index.column() == Number ? QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter)) : QVariant();
    case StateDelegate::StateRole:
        if (index.column() != State)
            return {};
        return QVariant::fromValue(StateKey{row.place > m_preview.maxAttempts ? Exclusion::AlreadyTried : row.target.reason});
    default: return {};
    }
}

QVariant ConsideredModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole && section == Number)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Number: return tr("No.", "place in the list of targets");
    case State: return tr("State");
    case Remaining: return tr("Rests for");
    case Target: return tr("Connection");
    case Model: return tr("Model");
    case Why: return tr("Why");
    default: return {};
    }
}

}  // namespace omni
