#pragma once

#include "base/clock.h"

#include <cstddef>
#include <iterator>
#include <list>
#include <unordered_map>
#include <utility>

namespace omni {

/// Remembers for a short while what was counted, so that one fault met by many requests at once counts once (spec 1-core §1.9). Constant
/// time for each call; at most `capacity` keys, the oldest leaves first.
template <typename Key>
class DedupWindow {
public:
    DedupWindow(Millis length, std::size_t capacity) : m_length(length), m_capacity(capacity) {}

    /// True when `key` was counted less than `length` ago; otherwise it counts now.
    bool repeated(const Key& key, MonoTime now)
    {
        while (!m_order.empty() && now - m_order.front().second >= m_length)
            drop(m_order.begin());
        if (m_byKey.contains(key))
            return true;
        if (m_order.size() >= m_capacity)
            drop(m_order.begin());
        m_order.emplace_back(key, now);
        m_byKey.emplace(key, std::prev(m_order.end()));
        return false;
    }

    void forget(const Key& key)
    {
        if (m_byKey.empty())
            return;
        if (const auto found = m_byKey.find(key); found != m_byKey.end())
            drop(found->second);
    }

    std::size_t size() const { return m_order.size(); }

private:
    using Order = std::list<std::pair<Key, MonoTime>>;

    void drop(typename Order::iterator at)
    {
        m_byKey.erase(at->first);
        m_order.erase(at);
    }

    Millis m_length;
    std::size_t m_capacity;
    Order m_order;  ///< oldest first
    std::unordered_map<Key, typename Order::iterator> m_byKey;
};

}  // namespace omni
