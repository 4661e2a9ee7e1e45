#include "ui/cooldowns/held_model.h"

#include "ui/models/display_text.h"
#include "ui/theme/theme.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace omni {

namespace {

/// A connection with more models at rest shows how many, until it is unfolded.
constexpr int kShownAtOnce = 6;

/// What the user cares about first: a whole provider out, a connection out for now, models of one, one that waits for the user.
int rankOf(const HeldRow& row)
{
    if (row.kind == HeldRow::Kind::Provider)
        return 0;
    if (row.lasting())
        return 3;
    return row.state == Exclusion::None ? 2 : 1;
}

template <typename T>
int compare(const T& a, const T& b)
{
    return a < b ? -1 : b < a ? 1 : 0;
}

int compare(const QString& a, const QString& b)
{
    return QString::compare(a, b, Qt::CaseInsensitive);
}

int compareEnds(const HeldRow& a, const HeldRow& b)
{
    return compare(a.until.value_or(WallTime::max()), b.until.value_or(WallTime::max()));
}

int compareBy(int column, const HeldRow& a, const HeldRow& b)
{
    switch (column) {
    case HeldModel::State: return compare(rankOf(a), rankOf(b));
    case HeldModel::Provider: return compare(a.providerName, b.providerName);
    case HeldModel::Name: return compare(a.name, b.name);
    case HeldModel::Reason: return compare(heldReasonText(a), heldReasonText(b));
    case HeldModel::Level: return compare(a.level, b.level);
    case HeldModel::LastError: return compare(a.status, b.status);
    case HeldModel::Since: return compare(a.since.value_or(WallTime()), b.since.value_or(WallTime()));
    case HeldModel::Access: return compare(a.access, b.access);
    default: return compareEnds(a, b);
    }
}

bool matches(const HeldRow& row, const QStringList& words)
{
    if (words.isEmpty())
        return true;
    const QString text = QStringList{row.providerName,
                                     row.name,
                                     toQString(row.provider.str()),
                                     toQString(row.model),
                                     heldReasonText(row),
                                     lookOf(row.state, Colours()).word,
                                     toQString(row.lastError)}
                             .join(QLatin1Char('\n'));
    return std::all_of(words.begin(), words.end(), [&text](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

}  // namespace

void HeldModel::setFacts(const Configuration& configuration, const EngineSnapshot& snapshot, WallTime now)
{
    std::vector<HeldGroup> groups = gatherHeld(configuration, snapshot, now);
    if (groups == m_groups)
        return;
    m_groups = std::move(groups);
    m_soonest.reset();
    const auto offer = [this](const HeldRow& row) {
        if (row.until && (!m_soonest || *row.until < *m_soonest))
            m_soonest = row.until;
    };
    for (const HeldGroup& group : m_groups) {
        offer(group.head);
        for (const HeldRow& lock : group.locks)
            offer(lock);
    }
    arrange();
}

void HeldModel::setText(const QString& text)
{
    m_words = text.simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    arrange();
}

void HeldModel::setProvider(const ProviderId& provider)
{
    if (std::exchange(m_provider, provider) != provider)
        arrange();
}

void HeldModel::setShow(Show show)
{
    if (std::exchange(m_show, show) != show)
        arrange();
}

bool HeldModel::foldedNow(const HeldRow& head) const
{
    const auto wanted = m_folded.find(head.key);
    return wanted == m_folded.end() ? head.lockCount > kShownAtOnce : wanted->second;
}

void HeldModel::setFolded(const std::string& key, bool folded)
{
    m_folded[key] = folded;
    arrange();
}

void HeldModel::foldAll(bool folded)
{
    for (const HeldGroup& group : m_groups) {
        if (!group.locks.empty())
            m_folded[group.head.key] = folded;
    }
    arrange();
}

int HeldModel::reveal(const std::string& key)
{
    if (const int row = rowOf(key); row >= 0)
        return row;
    for (const HeldGroup& group : m_groups) {
        const bool inside = std::any_of(group.locks.begin(), group.locks.end(), [&key](const HeldRow& lock) { return lock.key == key; });
        if (!inside)
            continue;
        setFolded(group.head.key, false);
        return rowOf(key);
    }
    return -1;
}

bool HeldModel::comesBefore(const HeldRow& a, const HeldRow& b) const
{
    int order = compareBy(m_column, a, b);
    if (m_order == Qt::DescendingOrder)
        order = -order;
    if (order == 0)
        order = compareEnds(a, b);
    if (order == 0)
        order = compare(a.providerName, b.providerName);
    if (order == 0)
        order = compare(a.name, b.name);
    return order != 0 ? order < 0 : a.key < b.key;
}

void HeldModel::arrange()
{
    struct Shown {
        const HeldGroup* group;
        std::vector<const HeldRow*> locks;
    };
    std::vector<Shown> shown;
    std::size_t count = 0;
    for (const HeldGroup& group : m_groups) {
        const bool lasting = group.head.lasting();
        if ((!m_provider.empty() && group.head.provider != m_provider) || (m_show == Show::Passing && lasting) ||
            (m_show == Show::Lasting && !lasting))
            continue;
        const bool whole = matches(group.head, m_words);
        const bool folded = foldedNow(group.head) && (whole || m_words.isEmpty());
        Shown one{&group, {}};
        if (!folded) {
            for (const HeldRow& lock : group.locks) {
                if (whole || matches(lock, m_words))
                    one.locks.push_back(&lock);
            }
        }
        if (!whole && one.locks.empty())
            continue;
        count += 1 + one.locks.size();
        shown.push_back(std::move(one));
    }
    const auto before = [this](const HeldRow* a, const HeldRow* b) { return comesBefore(*a, *b); };
    std::sort(shown.begin(), shown.end(), [this](const Shown& a, const Shown& b) { return comesBefore(a.group->head, b.group->head); });

    std::vector<HeldRow> wanted;
    wanted.reserve(count);
    for (Shown& one : shown) {
        wanted.push_back(one.group->head);
        wanted.back().folded = wanted.back().lockCount > 0 && one.locks.empty();
        std::sort(one.locks.begin(), one.locks.end(), before);
        for (const HeldRow* lock : one.locks)
            wanted.push_back(*lock);
    }
    showRows(std::move(wanted));
}

void HeldModel::sort(int column, Qt::SortOrder order)
{
    m_column = column;
    m_order = order;
    arrange();
}

std::vector<std::pair<QString, ProviderId>> HeldModel::providers() const
{
    std::map<QString, ProviderId> found;
    for (const HeldGroup& group : m_groups)
        found.emplace(group.head.providerName, group.head.provider);
    return {found.begin(), found.end()};
}

}  // namespace omni
