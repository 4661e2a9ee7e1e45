#pragma once

#include "model/hold.h"
#include "resilience/instant.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace omni {

/// What is locked on a connection. Providers are the same in any case, and so are models under the exact key (spec 1-core §6.1); under the
/// other keys a model is told apart by its spelling, for one that is missing says nothing about another spelling.
struct LockoutKeyView {
    std::string_view provider;  ///< canonical
    std::string_view model;     ///< without blanks around it for the exact key
    LockoutScope scope;
};

struct LockoutKey {
    std::string provider;
    std::string model;  ///< lower case for the exact key
    LockoutScope scope;

    operator LockoutKeyView() const { return {provider, model, scope}; }
};

/// Not noexcept, so that the map keeps each hash beside its key and need not make it again while it looks through a bucket.
struct LockoutKeyHash {
    using is_transparent = void;
    std::size_t operator()(const LockoutKeyView& key) const;
};

struct LockoutKeyEqual {
    using is_transparent = void;
    bool operator()(const LockoutKeyView& a, const LockoutKeyView& b) const noexcept;
};

/// A lock, if there is one, and the failures counted towards the next.
struct LockoutRecord {
    bool locked = false;
    FailureReason reason = FailureReason::Unknown;
    Instant since;
    Millis length{0};
    int lockCount = 0;  ///< shown with the lock
    std::optional<Evidence> evidence;

    int count = 0;  ///< failures, each within the window of the one before
    Instant lastFailure;
    Millis countedFor{0};       ///< from `lastFailure` on
    std::uint64_t episode = 0;  ///< of the last failure

    /// Both ends are inclusive (spec 1-core §10.5 rows 126, 131).
    bool active(const Instant& now) const { return locked && elapsed(since, now) <= length; }
    bool counting(const Instant& now) const { return count > 0 && elapsed(lastFailure, now) <= countedFor; }
    Millis left(const Instant& now) const { return length - elapsed(since, now); }

private:
    friend class LockoutTable;
    const LockoutKey* m_key = nullptr;
    const ConnectionId* m_connection = nullptr;
    std::uint64_t m_number = 0;
    bool m_placedLocked = false;
    MonoTime m_placedEnd{};
    WallTime m_placedWallEnd{};
};

/// All records by connection and key, and in the order of their ends. Looking something up allocates nothing. Not thread-safe.
class LockoutTable {
public:
    /// The most records there may be: at about 1 KB each with its evidence, 20 MB.
    static constexpr std::size_t kCapacity = 20'000;

    LockoutTable() = default;
    LockoutTable(const LockoutTable&) = delete;
    LockoutTable& operator=(const LockoutTable&) = delete;

    using OfConnection = std::unordered_map<LockoutKey, LockoutRecord, LockoutKeyHash, LockoutKeyEqual>;

    std::size_t size() const { return m_order.size(); }
    /// Locks, those included that are over and not yet taken.
    std::size_t lockCount() const { return m_wallEnds.size(); }

    /// nullptr for a connection without records.
    const OfConnection* of(const ConnectionId& connection) const;
    LockoutRecord* find(const ConnectionId& connection, const LockoutKeyView& key);
    /// The record, made when there is none; ask `crowdedOut` before.
    LockoutRecord& obtain(const ConnectionId& connection, const LockoutKeyView& key);
    /// The record that must leave before another can be made: one without a lock if there is any, then the one whose lock ends first.
    /// nullptr while there is room.
    LockoutRecord* crowdedOut() const;
    /// To be called when the lock or the failures of `record` have changed.
    void place(LockoutRecord& record);
    void erase(LockoutRecord& record);

    /// A record whose lock is over; nullptr when there is none.
    LockoutRecord* anyOver(const Instant& now) const;
    /// A record without a lock whose failures count no longer; nullptr when there is none.
    LockoutRecord* anyForgettable(const Instant& now) const;
    /// Until the first lock is over; nullopt without locks.
    std::optional<Millis> nextEnd(const Instant& now) const;

    /// Every record of `connection`, of all connections for an empty one. They may be erased.
    std::vector<LockoutRecord*> records(const ConnectionId& connection = {});
    template <typename Visit>
    void forEach(const Visit& visit) const
    {
        for (const auto& [connection, records] : m_connections) {
            for (const auto& [key, record] : records)
                visit(record);
        }
    }

    static const LockoutKey& keyOf(const LockoutRecord& record) { return *record.m_key; }
    static const ConnectionId& connectionOf(const LockoutRecord& record) { return *record.m_connection; }

private:
    void unplace(LockoutRecord& record);

    std::unordered_map<ConnectionId, OfConnection> m_connections;
    /// Unlocked ones by the end of their failures, then locked ones by the end of their lock. The number makes each place unique.
    std::set<std::tuple<bool, MonoTime, std::uint64_t, LockoutRecord*>> m_order;
    std::set<std::tuple<WallTime, std::uint64_t, LockoutRecord*>> m_wallEnds;  ///< locked ones only
    std::uint64_t m_numbers = 0;
};

}  // namespace omni
