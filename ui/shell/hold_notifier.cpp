#include "ui/shell/hold_notifier.h"

#include "ui/models/display_text.h"
#include "ui/theme/theme.h"

#include <QStringList>

#include <algorithm>
#include <utility>

namespace omni {

namespace {

constexpr int kGapMs = 30'000;
constexpr std::size_t kMostLines = 4;

/// Short holds end before anyone could read of them.
bool isNews(const HoldItem& hold)
{
    return hold.connection.empty() || !hold.until;
}

QString keyOf(const HoldItem& hold)
{
    return toQString(hold.provider.str() + "/" + hold.connection.str() + "/" + std::string(toString(hold.reason)));
}

/// While the one probe is under way nobody knows yet whether the provider works again.
bool probing(const HoldItem& hold, const EngineSnapshot& engine)
{
    const BreakerStatus* breaker = hold.kind == HoldKind::Breaker ? engine.breaker(hold.provider) : nullptr;
    return breaker && (breaker->state == BreakerState::HalfOpen || breaker->state == BreakerState::Open);
}

/// What was deleted or switched off does not serve again.
bool mayServe(const HoldItem& hold, const Configuration& configuration)
{
    if (!hold.connection.empty()) {
        const Connection* connection = configuration.connection(hold.connection);
        return connection && connection->enabled;
    }
    return std::any_of(configuration.connections.begin(), configuration.connections.end(),
                       [&hold](const Connection& connection) { return connection.enabled && connection.provider == hold.provider; });
}

}  // namespace

HoldNotifier::HoldNotifier(CoreLink& link, QObject* parent) : QObject(parent), m_link(link), m_gap(this)
{
    m_gap.setObjectName(QStringLiteral("gap"));
    m_gap.setSingleShot(true);
    m_gap.setInterval(kGapMs);
    connect(&m_gap, &QTimer::timeout, this, &HoldNotifier::tell);
    connect(&link, &CoreLink::engineChanged, this, &HoldNotifier::look);
}

void HoldNotifier::look()
{
    if (!m_link.ready())
        return;
    Known now;
    for (const HoldItem& hold : holdsOf(*m_link.configuration(), m_link.engine(), wallNow())) {
        if (isNews(hold))
            now.emplace(keyOf(hold), hold);
    }
    for (const auto& [key, hold] : m_known) {
        if (now.contains(key))
            continue;
        if (probing(hold, m_link.engine()))
            now.emplace(key, hold);
        else
            noteGone(key, hold, now);
    }
    for (const auto& [key, hold] : now) {
        if (m_primed && !m_known.contains(key))
            noteNew(key, hold);
    }
    m_known = std::move(now);
    m_primed = true;
    if (!m_gap.isActive())
        tell();
}

void HoldNotifier::noteNew(const QString& key, const HoldItem& hold)
{
    // It was back for a moment that nobody was told of: all is as it was told before.
    if (std::erase_if(m_pending, [&key](const Piece& piece) { return piece.key == key && piece.kind == Kind::Recovery; }) > 0)
        return;
    m_pending.push_back({hold.kind == HoldKind::Breaker ? Kind::Breaker : Kind::Hold, key,
                         tr("%1: %2", "who, state").arg(hold.title, hold.explanation)});
}

void HoldNotifier::noteGone(const QString& key, const HoldItem& hold, const Known& now)
{
    // It came and went while nothing was told: no news at all.
    if (std::erase_if(m_pending, [&key](const Piece& piece) { return piece.key == key && piece.kind != Kind::Recovery; }) > 0)
        return;
    // Out for another reason now, it does not serve either.
    const bool stillOut = std::any_of(now.begin(), now.end(), [&hold](const auto& other) {
        return other.second.provider == hold.provider && other.second.connection == hold.connection;
    });
    if (!stillOut && mayServe(hold, *m_link.configuration()))
        m_pending.push_back({Kind::Recovery, key, tr("%1 serves again.").arg(hold.title)});
}

bool HoldNotifier::wanted(Kind kind) const
{
    const AppearanceSettings& settings = m_link.configuration()->settings.appearance;
    switch (kind) {
    case Kind::Hold: return settings.notifyHolds;
    case Kind::Breaker: return settings.notifyBreakers;
    case Kind::Recovery: return settings.notifyRecovery;
    }
    return false;
}

QString HoldNotifier::titleOf(const std::vector<Piece>& news)
{
    const auto recovered = std::count_if(news.begin(), news.end(), [](const Piece& piece) { return piece.kind == Kind::Recovery; });
    if (recovered == 0)
        return tr("Out of service");
    return static_cast<std::size_t>(recovered) == news.size() ? tr("Back in service") : tr("Out of service, and back");
}

void HoldNotifier::tell()
{
    std::vector<Piece> news = std::exchange(m_pending, {});
    std::erase_if(news, [this](const Piece& piece) { return !wanted(piece.kind); });
    if (news.empty())
        return;
    QStringList lines;
    for (std::size_t i = 0; i < std::min(news.size(), kMostLines); ++i)
        lines << news[i].text;
    if (news.size() > kMostLines)
        lines << tr("and %1 more").arg(numberText(static_cast<std::int64_t>(news.size() - kMostLines)));
    Q_EMIT newsRaised(titleOf(news), lines.join(QLatin1Char('\n')));
    m_gap.start();
}

}  // namespace omni
