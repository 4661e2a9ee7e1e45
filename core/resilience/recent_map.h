#pragma once

#include <cstddef>
#include <iterator>
#include <list>
#include <unordered_map>
#include <utility>

namespace omni {

/// A map that knows which of its entries was touched longest ago, and holds at most `capacity` of them: that one leaves for a new one.
/// Constant time for each call.
template <typename Key, typename Value>
class RecentMap {
public:
    explicit RecentMap(std::size_t capacity) : m_capacity(capacity) {}

    const Value* find(const Key& key) const
    {
        const auto found = m_byKey.find(key);
        return found == m_byKey.end() ? nullptr : &found->second->second;
    }

    /// The entry of `key`, made when there is none; it is now the one touched last.
    Value& touch(const Key& key)
    {
        if (const auto found = m_byKey.find(key); found != m_byKey.end()) {
            m_order.splice(m_order.end(), m_order, found->second);
            return found->second->second;
        }
        if (m_order.size() >= m_capacity)
            drop(m_order.begin());
        m_order.emplace_back(key, Value());
        m_byKey.emplace(key, std::prev(m_order.end()));
        return m_order.back().second;
    }

    bool erase(const Key& key)
    {
        const auto found = m_byKey.find(key);
        if (found == m_byKey.end())
            return false;
        drop(found->second);
        return true;
    }

    /// Takes off those touched longest ago, as long as they meet the condition.
    template <typename Condition>
    void dropOldestWhile(const Condition& condition)
    {
        while (!m_order.empty() && condition(m_order.front().second))
            drop(m_order.begin());
    }

    /// Returns how many there were.
    template <typename Condition>
    std::size_t eraseIf(const Condition& condition)
    {
        const std::size_t before = m_order.size();
        for (auto at = m_order.begin(); at != m_order.end();) {
            const auto next = std::next(at);
            if (condition(at->second))
                drop(at);
            at = next;
        }
        return before - m_order.size();
    }

    void clear()
    {
        m_byKey.clear();
        m_order.clear();
    }

    bool empty() const { return m_order.empty(); }
    std::size_t size() const { return m_order.size(); }
    auto begin() const { return m_order.begin(); }
    auto end() const { return m_order.end(); }

private:
    using Order = std::list<std::pair<const Key, Value>>;

    void drop(typename Order::iterator at)
    {
        m_byKey.erase(at->first);
        m_order.erase(at);
    }

    std::size_t m_capacity;
    Order m_order;  ///< touched longest ago first
    std::unordered_map<Key, typename Order::iterator> m_byKey;
};

}  // namespace omni
