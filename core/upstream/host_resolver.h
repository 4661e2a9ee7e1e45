#pragma once

#include "base/clock.h"
#include "base/result.h"

#include <QObject>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace omni {

/// Names to addresses on Qt's resolver threads, remembered for 60 s. Giving up on a look-up never blocks.
class HostResolver {
public:
    explicit HostResolver(const Clock& clock);

    using Addresses = std::vector<std::string>;  ///< IPv6 in brackets, in the system's order
    using Callback = std::function<void(const Result<Addresses>&)>;

    /// True for IP literals and "localhost", which need no look-up.
    static bool isLiteral(std::string_view host);
    /// The remembered addresses, or nullptr.
    const Addresses* cached(const std::string& host) const;
    /// Calls back from the event loop, once, unless `owner` has expired by then. Look-ups of one name share one query.
    void resolve(const std::string& host, std::weak_ptr<void> owner, Callback callback);
    void forgetAll() { m_cache.clear(); }

private:
    struct Entry {
        Addresses addresses;
        MonoTime expires{};
    };
    struct Waiter {
        std::weak_ptr<void> owner;
        Callback callback;
    };

    const Clock& m_clock;
    std::unordered_map<std::string, Entry> m_cache;
    std::unordered_map<std::string, std::vector<Waiter>> m_waiting;
    QObject m_context;
};

}  // namespace omni
