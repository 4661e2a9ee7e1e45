#pragma once

#include "base/clock.h"
#include "resilience/error_body.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace omni {

/// The quotas of the Gemini API (spec 1-core §4.6).
enum class GeminiMetric : std::uint8_t { RequestsPerDay, RequestsPerMinute, TokensPerMinute };

/// "limit: 20, model: gemini-2.5-flash", as it stands in the text of a refusal.
struct StatedLimit {
    std::int64_t limit = 0;
    std::string_view model;
};
std::optional<StatedLimit> statedLimit(std::string_view text);

/// Which quota a violation is about; nullopt for one that is none of the three.
std::optional<GeminiMetric> metricOf(const QuotaViolation& violation);

/// What was used of each model on each connection, against the limits that refusals have stated: Google publishes none by account, and
/// changes them. Answers which quota a refusal was about that does not say so (spec 1-core §4.2 row 9). Keeps the 1,000 pairs used last,
/// about 0.2 MB; nothing is persisted. Not thread-safe.
class GeminiLimits {
public:
    static constexpr std::size_t kCapacity = 1'000;

    /// A request that was answered; `tokens` of its prompt, 0 = not known.
    void count(std::string_view connection, std::string_view model, std::int64_t tokens, WallTime now);
    /// Takes over the limits that a refusal states.
    void learn(std::string_view connection, std::string_view model, const ErrorBody& body, WallTime now);
    /// nullopt = not known.
    std::optional<std::int64_t> limit(std::string_view connection, std::string_view model, GeminiMetric metric) const;
    /// The quota whose known limit is used up by what was counted; the longest first.
    std::optional<GeminiMetric> spent(std::string_view connection, std::string_view model, WallTime now) const;
    void forgetConnection(std::string_view connection);
    std::size_t size() const { return m_usages.size(); }

private:
    /// A minute that slides: what lies in the minute before counts by the part of it that is less than a minute ago.
    struct Minute {
        WallTime start{};
        std::int64_t now = 0;
        std::int64_t before = 0;

        void add(std::int64_t amount, WallTime at);
        double used(WallTime at) const;
    };
    struct Usage {
        std::array<std::int64_t, 3> limits{};  ///< by metric, 0 = not known
        Minute requests;
        Minute tokens;
        std::int64_t today = 0;
        WallTime dayBegan{};
        WallTime dayEnds{};
        WallTime lastUsed{};
    };
    using Key = std::pair<std::string, std::string>;

    const Usage* find(std::string_view connection, std::string_view model) const;
    Usage& obtain(std::string_view connection, std::string_view model, WallTime now);

    std::map<Key, Usage> m_usages;
};

/// Until midnight in Mountain View, when a day's quota of Google's begins anew.
Millis untilGoogleReset(WallTime now);

}  // namespace omni
