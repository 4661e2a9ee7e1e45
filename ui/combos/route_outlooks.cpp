#include "ui/combos/route_outlooks.h"

#include "ui/core_link.h"
#include "ui/models/display_text.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace omni {

namespace {

constexpr std::size_t kAtATime = 16;
constexpr std::int64_t kSoonMs = 100;
constexpr std::int64_t kPauseMs = 1'000;
constexpr std::int64_t kLongestMs = 3'600'000;
/// Beyond the end of a hold, when it surely is over.
constexpr std::int64_t kMarginMs = 50;

}  // namespace

RouteOutlooks::RouteOutlooks(CoreLink& link, QObject* parent) : QObject(parent), m_link(link)
{
    m_soon.setSingleShot(true);
    connect(&m_soon, &QTimer::timeout, this, &RouteOutlooks::ask);
    connect(&link, &CoreLink::configurationChanged, this, &RouteOutlooks::poke);
    connect(&link, &CoreLink::engineChanged, this, &RouteOutlooks::poke);
}

void RouteOutlooks::setNames(std::vector<std::string> names)
{
    m_names = std::move(names);
    const std::unordered_set<std::string_view> kept(m_names.begin(), m_names.end());
    std::erase_if(m_outlooks, [&kept](const auto& entry) { return !kept.contains(entry.first); });
    poke();
}

void RouteOutlooks::setWatched(bool on)
{
    m_watched = on;
    if (on)
        ask();
    else
        m_soon.stop();
}

const RouteOutlook& RouteOutlooks::of(const std::string& name) const
{
    static const RouteOutlook unknown;
    const auto found = m_outlooks.find(name);
    return found == m_outlooks.end() ? unknown : found->second;
}

void RouteOutlooks::poke()
{
    m_stale = true;
    // While a round is out, the next waits for its end.
    if (m_watched && m_asked == 0)
        startSoon(kSoonMs);
}

void RouteOutlooks::startSoon(std::int64_t afterMs)
{
    if (m_sinceAsked.isValid())
        afterMs = std::max<std::int64_t>(afterMs, kPauseMs - m_sinceAsked.elapsed());
    if (!m_soon.isActive() || m_soon.remainingTime() > afterMs)
        m_soon.start(static_cast<int>(afterMs));
}

void RouteOutlooks::ask()
{
    m_stale = false;
    m_soon.stop();
    m_sinceAsked.start();
    ++m_round;
    m_asked = 0;
    for (std::size_t begin = 0; begin < m_names.size(); begin += kAtATime) {
        const std::size_t end = std::min(m_names.size(), begin + kAtATime);
        const std::vector<std::string> names(m_names.begin() + static_cast<std::ptrdiff_t>(begin),
                                             m_names.begin() + static_cast<std::ptrdiff_t>(end));
        ++m_asked;
        using Previews = std::vector<Result<RoutePreview>>;
        m_link.ask<Previews>(
            this,
            [names](Control& control, const Reply<Previews>& reply) {
                Previews previews;
                for (const std::string& name : names)
                    previews.push_back(control.previewRoute({name, {}, {}, true}));
                reply(std::move(previews));
            },
            [this, round = m_round, names](const Result<Previews>& previews) {
                if (previews)
                    take(round, names, *previews);
            });
    }
}

void RouteOutlooks::take(std::size_t round, const std::vector<std::string>& names, const std::vector<Result<RoutePreview>>& previews)
{
    if (round != m_round)
        return;
    const WallTime now = wallNow();
    bool different = false;
    for (std::size_t i = 0; i < names.size(); ++i) {
        RouteOutlook outlook = outlookOf(previews[i], now);
        RouteOutlook& known = m_outlooks[names[i]];
        if (known.sameAs(outlook)) {
            known.next = outlook.next;
            continue;
        }
        known = std::move(outlook);
        different = true;
    }
    if (different)
        Q_EMIT changed();
    if (--m_asked > 0 || !m_watched)
        return;
    // The core looks lazily: the end of a hold is announced by nobody.
    std::optional<WallTime> soonest;
    for (const auto& [name, outlook] : m_outlooks) {
        if (outlook.next && (!soonest || *outlook.next < *soonest))
            soonest = outlook.next;
    }
    if (m_stale)
        startSoon(kSoonMs);
    else if (soonest)
        startSoon(std::clamp<std::int64_t>((*soonest - now).count() + kMarginMs, kSoonMs, kLongestMs));
}

}  // namespace omni
