#include "resilience/model_lockouts.h"

#include "base/text.h"
#include "resilience/quota_family.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

namespace omni {

namespace {

constexpr Millis kSweepInterval(15'000);
constexpr Millis kClockSlack(1'000);
/// Of a ladder without a cap (spec 1-core §6.3).
constexpr Millis kUncappedLadder(120'000);
/// Nothing is locked longer; hints beyond it are no hints (spec 0-decisions, "Retry-After").
constexpr Millis kLongestLock(std::chrono::hours(24 * 30));
constexpr int kMostSteps = 20;
constexpr int kMostCounted = 1'000'000;

/// `provider` is canonical.
LockoutKeyView keyFor(std::string_view provider, std::string_view model, LockoutScope scope)
{
    switch (scope) {
    case LockoutScope::Family: return {provider, quotaFamilyOf(provider, model), scope};
    case LockoutScope::NotFound: return {provider, model, scope};
    case LockoutScope::Exact: break;
    }
    return {provider, trimmed(model), LockoutScope::Exact};
}

std::array<LockoutKeyView, 3> keysFor(const ProviderId& provider, std::string_view model)
{
    const std::string_view id = canonicalProviderId(provider.str());
    return {keyFor(id, model, LockoutScope::Family), keyFor(id, model, LockoutScope::NotFound), keyFor(id, model, LockoutScope::Exact)};
}

/// spec 1-core §6.3
Millis lengthOf(const ModelLockouts::FailureEvent& event, int count, const ModelLockoutSettings& settings, bool& ladder)
{
    std::optional<Millis> exact = event.exactLength;
    if (!exact && event.reason == FailureReason::QuotaExhausted)
        exact = event.untilDailyReset;
    const bool capped = settings.maxCooldown > Millis(0);
    ladder = !exact || *exact <= Millis(0);
    if (!ladder)
        return std::min(event.authoritative || !capped ? kLongestLock : settings.maxCooldown, std::min(*exact, kLongestLock));

    Millis base = event.fallbackBase > Millis(0) ? event.fallbackBase : settings.baseCooldown;
    if (base <= Millis(0))
        base = Millis(event.status == 429 ? 1'000 : 5'000);
    const int most = settings.useExponentialBackoff ? std::clamp(settings.maxBackoffSteps, 0, kMostSteps) : 0;
    const std::int64_t factor = std::int64_t(1) << std::min(count - 1, most);
    return std::min({std::min(base, kLongestLock) * factor, capped ? settings.maxCooldown : kUncappedLadder, kLongestLock});
}

/// The end that is shown: where the wall clock was set back since, the one that the lock really has.
WallTime shownEnd(const LockoutRecord& record, Millis left, const Instant& now)
{
    const WallTime planned = record.since.wall + record.length;
    return planned <= now.wall + left + kClockSlack ? planned : now.wall + left;
}

ModelLockout described(const LockoutRecord& record, const Instant& now, bool withEvidence = true)
{
    const LockoutKey& key = LockoutTable::keyOf(record);
    const Millis left = record.left(now);
    ModelLockout lockout;
    lockout.provider = ProviderId(key.provider);
    lockout.connection = LockoutTable::connectionOf(record);
    lockout.model = key.model;
    lockout.scope = key.scope;
    lockout.reason = record.reason;
    lockout.failureCount = record.lockCount;
    lockout.until = shownEnd(record, left, now);
    lockout.lockedAt = lockout.until - record.length;
    lockout.remaining = record.active(now) ? std::max(Millis(1), left) : Millis(0);
    if (withEvidence)
        lockout.evidence = record.evidence;
    return lockout;
}

}  // namespace

std::string lockoutKey(const ModelLockout& lockout)
{
    const std::string_view scope = lockout.scope == LockoutScope::Exact ? ":exact:" : ":";
    return lockout.provider.str() + ":" + lockout.connection.str() + std::string(scope) + lockout.model;
}

bool isTransientLockout(FailureReason reason)
{
    return reason != FailureReason::QuotaExhausted && reason != FailureReason::AuthError && reason != FailureReason::NotFound;
}

Millis lockLengthFromHint(Millis hint, const ModelLockoutSettings& settings)
{
    if (hint > settings.baseCooldown)
        return hint;
    return settings.useExponentialBackoff ? Millis(0) : settings.baseCooldown;
}

const LockoutRecord* ModelLockouts::longest(const ProviderId& provider, const ConnectionId& connection, std::string_view model,
                                            const Instant& now) const
{
    if (empty())
        return nullptr;
    const LockoutTable::OfConnection* mine = m_table.of(connection);
    if (!mine)
        return nullptr;
    const LockoutRecord* best = nullptr;
    for (const LockoutKeyView& key : keysFor(provider, model)) {
        const auto found = mine->find(key);
        if (found == mine->end() || !found->second.active(now))
            continue;
        if (!best || found->second.left(now) > best->left(now))
            best = &found->second;
    }
    return best;
}

std::optional<ModelLockouts::Active> ModelLockouts::find(const ProviderId& provider, const ConnectionId& connection,
                                                         std::string_view model, const Instant& now) const
{
    const LockoutRecord* record = longest(provider, connection, model, now);
    if (!record)
        return std::nullopt;
    const Millis left = record->left(now);
    return Active{record->reason, LockoutTable::keyOf(*record).scope, record->lockCount, shownEnd(*record, left, now),
                  std::max(Millis(1), left)};
}

std::optional<ModelLockout> ModelLockouts::describe(const ProviderId& provider, const ConnectionId& connection, std::string_view model,
                                                    const Instant& now) const
{
    const LockoutRecord* record = longest(provider, connection, model, now);
    return record ? std::optional<ModelLockout>(described(*record, now)) : std::nullopt;
}

void ModelLockouts::lock(LockoutRecord& record, const FailureEvent& event, Millis length, int count, const Instant& now)
{
    record.locked = true;
    record.reason = event.reason;
    record.since = now;
    record.length = length;
    record.lockCount = count;
    record.evidence = event.evidence;
    if (record.evidence)
        record.evidence->length = length;
}

std::optional<ModelLockout> ModelLockouts::recordFailure(const FailureEvent& event, const Instant& now)
{
    sweep(now);
    endOver(now);
    if (event.provider.empty() || event.connection.empty() || trimmed(event.model).empty() || event.model.size() > kLongestModelName)
        return std::nullopt;
    const LockoutScope scope = event.scope.value_or(lockoutScopeFor(event.status, event.reason));
    const LockoutKeyView key = keyFor(canonicalProviderId(event.provider.str()), event.model, scope);
    LockoutRecord* record = m_table.find(event.connection, key);
    if (!record) {
        makeRoom(now);
        record = &m_table.obtain(event.connection, key);
    }

    const int before = record->counting(now) ? record->count : 0;
    const bool oldNews = event.asOf && record->episode > *event.asOf && (before > 0 || record->locked);
    const int count = oldNews ? std::max(before, 1) : std::min(before + 1, kMostCounted);
    bool ladder = false;
    const Millis length = lengthOf(event, count, m_settings, ladder);
    const bool longer = !record->locked || record->left(now) <= length;
    const bool locks = longer && !(oldNews && ladder);
    if (locks) {
        lock(*record, event, length, count, now);
        if (ladder && record->evidence)
            record->evidence->source = HintSource::Ladder;
    } else if (record->locked) {
        record->lockCount = std::max(record->lockCount, count);
    }
    if (locks || !oldNews) {
        record->count = count;
        record->lastFailure = now;
        record->countedFor = std::max(Millis(0), event.escalationWindow) + length;
        record->episode = ++m_episode;
    }
    m_table.place(*record);
    return record->locked ? std::optional<ModelLockout>(described(*record, now)) : std::nullopt;
}

ModelLockouts::Decayed ModelLockouts::decayOnSuccess(const ProviderId& provider, const ConnectionId& connection, std::string_view model,
                                                     const Instant& now, std::optional<std::uint64_t> asOf)
{
    Decayed decayed;
    if (m_table.size() == 0 || !m_table.of(connection))
        return decayed;
    endOver(now);
    for (const LockoutKeyView& key : keysFor(provider, model)) {
        LockoutRecord* record = m_table.find(connection, key);
        if (!record)
            continue;
        const int count = std::max(record->counting(now) ? record->count : 0, record->locked ? record->lockCount : 0);
        if (asOf && record->episode > *asOf) {
            decayed.failureCount = std::max(decayed.failureCount, count);
            continue;
        }
        if (const int halved = count / 2; halved > 0) {
            record->count = halved;
            decayed.failureCount = std::max(decayed.failureCount, halved);
            if (record->locked) {
                record->lockCount = halved;
                decayed.changed.push_back(described(*record, now));
            }
            continue;
        }
        decayed.cleared = decayed.cleared || count > 0;
        if (record->locked)
            decayed.ended.push_back(described(*record, now));
        m_table.erase(*record);
    }
    return decayed;
}

std::vector<ModelLockout> ModelLockouts::drop(const std::vector<LockoutRecord*>& records, const Instant& now)
{
    std::vector<ModelLockout> ended;
    for (LockoutRecord* record : records) {
        if (record->locked)
            ended.push_back(described(*record, now));
        m_table.erase(*record);
    }
    return ended;
}

std::vector<ModelLockout> ModelLockouts::clear(const ProviderId& provider, const ConnectionId& connection, std::string_view model,
                                               const Instant& now)
{
    endOver(now);
    const std::array<LockoutKeyView, 3> keys = keysFor(provider, model);
    std::vector<LockoutKeyView> wanted(keys.begin(), keys.end());
    if (startsWithIgnoreCase(model, "exact:"))
        wanted.push_back(keyFor(keys[0].provider, model.substr(6), LockoutScope::Exact));

    std::vector<LockoutRecord*> records;
    if (connection.empty()) {
        const LockoutKeyEqual equal;
        for (LockoutRecord* record : m_table.records()) {
            if (std::any_of(wanted.begin(), wanted.end(), [&](const auto& key) { return equal(key, LockoutTable::keyOf(*record)); }))
                records.push_back(record);
        }
    } else {
        for (const LockoutKeyView& key : wanted) {
            if (LockoutRecord* record = m_table.find(connection, key))
                records.push_back(record);
        }
    }
    return drop(records, now);
}

std::vector<ModelLockout> ModelLockouts::clearConnection(const ConnectionId& connection, const Instant& now)
{
    endOver(now);
    return connection.empty() ? std::vector<ModelLockout>() : drop(m_table.records(connection), now);
}

std::vector<ModelLockout> ModelLockouts::clearAll(const Instant& now)
{
    endOver(now);
    return drop(m_table.records(), now);
}

void ModelLockouts::forgetConnection(const ConnectionId& connection)
{
    if (connection.empty())
        return;
    for (LockoutRecord* record : m_table.records(connection))
        m_table.erase(*record);
    std::erase_if(m_ended, [&](const ModelLockout& lockout) { return lockout.connection == connection; });
}

std::vector<ModelLockout> ModelLockouts::list(const Instant& now, const ConnectionId& onlyConnection) const
{
    std::vector<ModelLockout> all;
    const auto add = [&](const LockoutRecord& record) {
        if (record.active(now))
            all.push_back(described(record, now));
    };
    if (onlyConnection.empty()) {
        m_table.forEach(add);
    } else if (const LockoutTable::OfConnection* mine = m_table.of(onlyConnection)) {
        for (const auto& [key, record] : *mine)
            add(record);
    }
    std::sort(all.begin(), all.end(), [](const ModelLockout& a, const ModelLockout& b) {
        return std::tie(a.provider, a.connection, a.model, a.scope) < std::tie(b.provider, b.connection, b.model, b.scope);
    });
    return all;
}

void ModelLockouts::noteEnded(const LockoutRecord& record, const Instant& now)
{
    // Whoever never asks need not be remembered more than everything there can be.
    if (m_ended.size() < LockoutTable::kCapacity)
        m_ended.push_back(described(record, now, false));
}

void ModelLockouts::endOver(const Instant& now)
{
    while (LockoutRecord* record = m_table.anyOver(now)) {
        noteEnded(*record, now);
        record->locked = false;
        record->evidence.reset();
        if (record->counting(now))
            m_table.place(*record);
        else
            m_table.erase(*record);
    }
}

void ModelLockouts::makeRoom(const Instant& now)
{
    while (LockoutRecord* record = m_table.crowdedOut()) {
        if (record->locked)
            noteEnded(*record, now);
        m_table.erase(*record);
    }
}

std::vector<ModelLockout> ModelLockouts::takeExpired(const Instant& now)
{
    endOver(now);
    return std::exchange(m_ended, {});
}

void ModelLockouts::sweep(const Instant& now)
{
    if (now.mono - m_lastSweep < kSweepInterval)
        return;
    m_lastSweep = now.mono;
    endOver(now);
    while (LockoutRecord* record = m_table.anyForgettable(now))
        m_table.erase(*record);
}

}  // namespace omni
