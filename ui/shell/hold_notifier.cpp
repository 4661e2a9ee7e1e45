#include "ui/shell/hold_notifier.h"

#include "ui/models/display_text.h"
#include "ui/models/holds.h"
#include "ui/theme/theme.h"

namespace omni {

namespace {

constexpr int kGapMs = 30'000;

/// Short holds end before anyone could read of them.
bool isNews(const HoldItem& hold)
{
    return hold.connection.empty() || !hold.until;
}

}  // namespace

HoldNotifier::HoldNotifier(CoreLink& link, QObject* parent) : QObject(parent), m_link(link)
{
    m_gap.setSingleShot(true);
    m_gap.setInterval(kGapMs);
    connect(&m_gap, &QTimer::timeout, this, &HoldNotifier::tell);
    connect(&link, &CoreLink::engineChanged, this, &HoldNotifier::look);
}

void HoldNotifier::look()
{
    if (!m_link.ready())
        return;
    std::set<QString> now;
    for (const HoldItem& hold : holdsOf(*m_link.configuration(), m_link.engine(), wallNow())) {
        if (!isNews(hold))
            continue;
        const QString key = toQString(hold.provider.str() + "/" + hold.connection.str() + "/" + std::string(toString(hold.reason)));
        now.insert(key);
        if (m_primed && !m_known.contains(key))
            m_pending << tr("%1: %2", "who, state").arg(hold.title, hold.explanation);
    }
    m_known = std::move(now);
    m_primed = true;
    if (!m_gap.isActive())
        tell();
}

void HoldNotifier::tell()
{
    if (m_pending.isEmpty())
        return;
    const QStringList news = std::exchange(m_pending, {});
    if (!m_link.configuration()->settings.appearance.notifyHolds)
        return;
    Q_EMIT newsRaised(tr("Out of service"), news.mid(0, 4).join(QLatin1Char('\n')));
    m_gap.start();
}

}  // namespace omni
