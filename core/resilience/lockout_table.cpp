#include "resilience/lockout_table.h"

#include "base/text.h"

#include <algorithm>
#include <utility>

namespace omni {

namespace {

/// An end is inclusive, so what ends at T is over one millisecond later.
constexpr Millis kOver(1);

}  // namespace

std::size_t LockoutKeyHash::operator()(const LockoutKeyView& key) const
{
    // The provider adds nothing: a connection has one.
    if (key.scope != LockoutScope::Exact)
        return std::hash<std::string_view>{}(key.model) + static_cast<std::size_t>(key.scope);
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char c : key.model)
        hash = (hash ^ static_cast<unsigned char>(c >= 'A' && c <= 'Z' ? c + 32 : c)) * 0x100000001b3U;
    return static_cast<std::size_t>(hash);
}

bool LockoutKeyEqual::operator()(const LockoutKeyView& a, const LockoutKeyView& b) const noexcept
{
    if (a.scope != b.scope || !equalsIgnoreCase(a.provider, b.provider))
        return false;
    return a.scope == LockoutScope::Exact ? equalsIgnoreCase(a.model, b.model) : a.model == b.model;
}

const LockoutTable::OfConnection* LockoutTable::of(const ConnectionId& connection) const
{
    const auto found = m_connections.find(connection);
    return found == m_connections.end() ? nullptr : &found->second;
}

LockoutRecord* LockoutTable::find(const ConnectionId& connection, const LockoutKeyView& key)
{
    const auto mine = m_connections.find(connection);
    if (mine == m_connections.end())
        return nullptr;
    const auto found = mine->second.find(key);
    return found == mine->second.end() ? nullptr : &found->second;
}

LockoutRecord& LockoutTable::obtain(const ConnectionId& connection, const LockoutKeyView& key)
{
    if (LockoutRecord* known = find(connection, key))
        return *known;
    const auto mine = m_connections.try_emplace(connection).first;
    const bool exact = key.scope == LockoutScope::Exact;
    LockoutKey owned{toLower(key.provider), exact ? toLower(key.model) : std::string(key.model), key.scope};
    const auto made = mine->second.try_emplace(std::move(owned)).first;
    LockoutRecord& record = made->second;
    record.m_key = &made->first;
    record.m_connection = &mine->first;
    record.m_number = ++m_numbers;
    m_order.emplace(record.m_placedLocked, record.m_placedEnd, record.m_number, &record);
    return record;
}

LockoutRecord* LockoutTable::crowdedOut() const
{
    return m_order.size() < kCapacity ? nullptr : std::get<LockoutRecord*>(*m_order.begin());
}

void LockoutTable::unplace(LockoutRecord& record)
{
    m_order.erase({record.m_placedLocked, record.m_placedEnd, record.m_number, &record});
    if (record.m_placedLocked)
        m_wallEnds.erase({record.m_placedWallEnd, record.m_number, &record});
}

void LockoutTable::place(LockoutRecord& record)
{
    unplace(record);
    record.m_placedLocked = record.locked;
    record.m_placedEnd = record.locked ? record.since.mono + record.length : record.lastFailure.mono + record.countedFor;
    m_order.emplace(record.m_placedLocked, record.m_placedEnd, record.m_number, &record);
    if (record.locked) {
        record.m_placedWallEnd = record.since.wall + record.length;
        m_wallEnds.emplace(record.m_placedWallEnd, record.m_number, &record);
    }
}

void LockoutTable::erase(LockoutRecord& record)
{
    unplace(record);
    const auto mine = m_connections.find(*record.m_connection);
    OfConnection& records = mine->second;
    records.erase(records.find(LockoutKeyView(*record.m_key)));
    if (records.empty())
        m_connections.erase(mine);
    else if (records.bucket_count() > 64 && records.bucket_count() > records.size() * 8)
        records.rehash(0);  // a connection that once had many must not keep the room of many
}

LockoutRecord* LockoutTable::anyOver(const Instant& now) const
{
    if (m_wallEnds.empty())
        return nullptr;
    if (std::get<WallTime>(*m_wallEnds.begin()) < now.wall)
        return std::get<LockoutRecord*>(*m_wallEnds.begin());
    const auto first = m_order.lower_bound({true, MonoTime::min(), 0, nullptr});
    return std::get<MonoTime>(*first) + kOver <= now.mono ? std::get<LockoutRecord*>(*first) : nullptr;
}

LockoutRecord* LockoutTable::anyForgettable(const Instant& now) const
{
    if (m_order.empty() || std::get<bool>(*m_order.begin()) || std::get<MonoTime>(*m_order.begin()) + kOver > now.mono)
        return nullptr;
    return std::get<LockoutRecord*>(*m_order.begin());
}

std::optional<Millis> LockoutTable::nextEnd(const Instant& now) const
{
    if (m_wallEnds.empty())
        return std::nullopt;
    const Millis byWall = std::get<WallTime>(*m_wallEnds.begin()) + kOver - now.wall;
    const auto first = m_order.lower_bound({true, MonoTime::min(), 0, nullptr});
    const Millis byMono = std::chrono::ceil<Millis>(std::get<MonoTime>(*first) + kOver - now.mono);
    return std::max(Millis(0), std::min(byWall, byMono));
}

std::vector<LockoutRecord*> LockoutTable::records(const ConnectionId& connection)
{
    std::vector<LockoutRecord*> all;
    const auto add = [&all](OfConnection& records) {
        for (auto& [key, record] : records)
            all.push_back(&record);
    };
    if (connection.empty()) {
        for (auto& [id, records] : m_connections)
            add(records);
    } else if (const auto mine = m_connections.find(connection); mine != m_connections.end()) {
        add(mine->second);
    }
    return all;
}

}  // namespace omni
