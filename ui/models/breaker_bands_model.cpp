#include "ui/models/breaker_bands_model.h"

#include "ui/models/display_text.h"
#include "ui/models/state_delegate.h"

#include <algorithm>
#include <map>
#include <set>

namespace omni {

namespace {

/// Where a provider stands in the question "which one should I look at?"; higher first.
int trouble(const BreakerStatus& status)
{
    switch (status.state) {
    case BreakerState::Open: return 4;
    case BreakerState::HalfOpen: return 3;
    case BreakerState::Degraded: return 2;
    case BreakerState::Closed: return status.failureCount > 0 ? 1 : 0;
    }
    return 0;
}

/// Of one provider; `spans` are its own, oldest first.
std::vector<BandSegment> bandOf(const std::vector<WatchedTime>& watched, const std::vector<const BreakerSpan*>& spans, Millis span, WallTime now)
{
    const WallTime left = now - span;
    const auto share = [&](WallTime at) {
        return std::clamp(static_cast<double>((at - left).count()) / static_cast<double>(span.count()), 0.0, 1.0);
    };
    std::vector<BandSegment> band;
    for (const WatchedTime& stretch : watched) {
        // The newest stretch goes on.
        const WallTime end = &stretch == &watched.back() ? now : std::min(stretch.to, now);
        WallTime reached = std::max(stretch.from, left);
        BreakerState state = BreakerState::Closed;
        const auto drawUntil = [&](WallTime until) {
            if (until <= reached)
                return;
            if (!band.empty() && band.back().state == state && band.back().to == share(reached))
                band.back().to = share(until);
            else
                band.push_back({share(reached), share(until), state});
            reached = until;
        };
        for (const BreakerSpan* part : spans) {
            if (part->from < stretch.from || part->from >= end)
                continue;
            drawUntil(part->from);
            state = part->state;
        }
        drawUntil(end);
    }
    return band;
}

}  // namespace

BreakerBandsModel::Row BreakerBandsModel::makeRow(const ProviderId& provider, const Configuration& configuration,
                                                  const SnapshotIndex& index) const
{
    Row row;
    row.provider = provider;
    row.name = providerText(&configuration, provider);
    if (const BreakerStatus* status = index.breaker(provider))
        row.status = *status;
    row.status.provider = provider;
    return row;
}

void BreakerBandsModel::update(const Configuration& configuration, const EngineSnapshot& engine, const BreakerHistory& history, Millis span,
                               WallTime now)
{
    std::set<ProviderId> shown;
    for (const Connection& connection : configuration.connections) {
        if (connection.enabled)
            shown.insert(connection.provider);
    }
    for (const BreakerStatus& breaker : engine.breakers) {
        if (breaker.state != BreakerState::Closed)
            shown.insert(breaker.provider);
    }
    std::map<ProviderId, std::vector<const BreakerSpan*>> byProvider;
    for (const BreakerSpan& part : history.spans)
        byProvider[part.provider].push_back(&part);
    for (auto& [provider, parts] : byProvider)
        std::stable_sort(parts.begin(), parts.end(), [](const auto* a, const auto* b) { return a->from < b->from; });

    const SnapshotIndex index(engine);
    std::vector<Row> rows;
    rows.reserve(shown.size());
    for (const ProviderId& provider : shown) {
        rows.push_back(makeRow(provider, configuration, index));
        rows.back().band = bandOf(history.watched, byProvider[provider], span, now);
    }
    std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
        const int order = a.name.localeAwareCompare(b.name);
        return order != 0 ? order < 0 : a.provider < b.provider;
    });

    const bool same = rows.size() == m_rows.size()
        && std::equal(rows.begin(), rows.end(), m_rows.begin(), [](const Row& a, const Row& b) { return a.provider == b.provider; });
    m_span = span;
    m_now = now;
    if (!same) {
        beginResetModel();
        m_rows = std::move(rows);
        endResetModel();
        return;
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        Row& old = m_rows[i];
        const int row = static_cast<int>(i);
        const bool nameDiffers = old.name != rows[i].name;
        const bool bandDiffers = old.band != rows[i].band;
        const bool stateDiffers = !(old.status == rows[i].status);
        old = std::move(rows[i]);
        if (nameDiffers)
            Q_EMIT dataChanged(this->index(row, Name), this->index(row, Name));
        if (bandDiffers)
            Q_EMIT dataChanged(this->index(row, Band), this->index(row, Band));
        if (stateDiffers || old.status.heldUntil)
            Q_EMIT dataChanged(this->index(row, State), this->index(row, State));
    }
}

void BreakerBandsModel::showPast(std::optional<PastStates> states)
{
    if (states == m_past)
        return;
    m_past = std::move(states);
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, State), index(rowCount() - 1, State));
}

std::vector<ProviderId> BreakerBandsModel::providers() const
{
    std::vector<ProviderId> all;
    for (const Row& row : m_rows)
        all.push_back(row.provider);
    return all;
}

ProviderId BreakerBandsModel::providerAt(int row) const
{
    return row >= 0 && row < rowCount() ? m_rows[static_cast<std::size_t>(row)].provider : ProviderId();
}

int BreakerBandsModel::rowOf(const ProviderId& provider) const
{
    const auto found = std::find_if(m_rows.begin(), m_rows.end(), [&](const Row& row) { return row.provider == provider; });
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

const BreakerStatus* BreakerBandsModel::statusAt(int row) const
{
    return row >= 0 && row < rowCount() ? &m_rows[static_cast<std::size_t>(row)].status : nullptr;
}

ProviderId BreakerBandsModel::mostTroubled() const
{
    const auto worst = std::max_element(m_rows.begin(), m_rows.end(), [](const Row& a, const Row& b) {
        return std::pair(trouble(a.status), a.status.failureCount) < std::pair(trouble(b.status), b.status.failureCount);
    });
    return worst == m_rows.end() || trouble(worst->status) == 0 ? ProviderId() : worst->provider;
}

int BreakerBandsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int BreakerBandsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString BreakerBandsModel::stateText(const Row& row) const
{
    const QString word = lookOf(row.status.state, Colours()).word;
    if (row.status.state == BreakerState::Open && row.status.heldUntil)
        return tr("%1, %2", "open, 0:21").arg(word, countdownText(*row.status.heldUntil - m_now));
    if (row.status.state == BreakerState::Degraded)
        return tr("%1 %2/%3", "degraded 7/12").arg(word, numberText(row.status.failureCount), numberText(row.status.failureThreshold));
    return word;
}

QString BreakerBandsModel::bandText(const Row& row) const
{
    QStringList parts;
    for (const BandSegment& segment : row.band) {
        const auto length = static_cast<std::int64_t>((segment.to - segment.from) * static_cast<double>(m_span.count()));
        parts << tr("%1 for %2", "closed for 3:20").arg(lookOf(segment.state, Colours()).word, countdownText(Millis(length)));
    }
    return parts.join(QStringLiteral(", "));
}

QVariant BreakerBandsModel::pastData(const Row& row, int role) const
{
    const auto found = m_past->find(row.provider);
    const std::optional<BreakerState> state = found == m_past->end() ? std::nullopt : found->second;
    if (role == Qt::DisplayRole)
        return state ? lookOf(*state, Colours()).word : tr("not known");
    if (role == StateDelegate::StateRole && state)
        return QVariant::fromValue(StateKey{*state});
    if (role == CellDelegate::QuietRole)
        return !state;
    return {};
}

QVariant BreakerBandsModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    switch (index.column()) {
    case Name:
        if (role == Qt::DisplayRole || role == Qt::ToolTipRole)
            return row.name;
        break;
    case Band:
        if (role == BreakerBandDelegate::BandRole)
            return QVariant::fromValue(BandSegments{row.band});
        if (role == Qt::AccessibleTextRole || role == Qt::ToolTipRole)
            return bandText(row);
        break;
    case State:
        if (m_past)
            return pastData(row, role);
        if (role == Qt::DisplayRole)
            return stateText(row);
        if (role == StateDelegate::StateRole)
            return QVariant::fromValue(StateKey{row.status.state});
        if (role == Qt::ToolTipRole && row.status.evidence)
            return evidenceText(*row.status.evidence);
        break;
    default: break;
    }
    return {};
}

QVariant BreakerBandsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Name: return tr("Provider");
    case Band: return tr("States over time");
    case State: return tr("State now");
    default: return {};
    }
}

}  // namespace omni
