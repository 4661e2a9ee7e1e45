#include "resilience/gemini_limits.h"

#include "base/text.h"
#include "resilience/reset_clock.h"

#include <algorithm>
#include <chrono>

namespace omni {

namespace {

constexpr Millis kMinute = std::chrono::minutes(1);

/// "models/gemini-2.5-pro" is the same as "gemini-2.5-pro".
std::string_view bareModel(std::string_view model)
{
    static constexpr std::string_view prefix = "models/";
    if (model.substr(0, prefix.size()) == prefix)
        model.remove_prefix(prefix.size());
    return model;
}

std::size_t index(GeminiMetric metric)
{
    return static_cast<std::size_t>(metric);
}

}  // namespace

std::optional<StatedLimit> statedLimit(std::string_view text)
{
    static constexpr std::string_view first = "limit: ";
    static constexpr std::string_view second = ", model: ";
    for (std::size_t at = text.find(first); at != std::string_view::npos; at = text.find(first, at + 1)) {
        std::string_view rest = text.substr(at + first.size());
        const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
        const std::optional<std::uint64_t> limit = parseUnsigned(rest.substr(0, digits));
        if (!limit || *limit > 1'000'000'000'000 || rest.substr(digits, second.size()) != second)
            continue;
        rest.remove_prefix(digits + second.size());
        std::string_view model = rest.substr(0, rest.find_first_of(" \t\r\n,;\"\\"));
        while (!model.empty() && model.back() == '.')
            model.remove_suffix(1);
        if (!model.empty())
            return StatedLimit{static_cast<std::int64_t>(*limit), bareModel(model)};
    }
    return std::nullopt;
}

std::optional<GeminiMetric> metricOf(const QuotaViolation& violation)
{
    const std::string id = toLower(violation.id);
    const auto has = [&id](std::string_view word) { return id.find(word) != std::string::npos; };
    if (has("perday"))
        return has("token") ? std::nullopt : std::optional(GeminiMetric::RequestsPerDay);
    if (!has("perminute"))
        return std::nullopt;
    return has("token") ? GeminiMetric::TokensPerMinute : GeminiMetric::RequestsPerMinute;
}

void GeminiLimits::Minute::add(std::int64_t amount, WallTime at)
{
    if (at < start || at >= start + 2 * kMinute) {
        *this = {at, amount, 0};
        return;
    }
    if (at >= start + kMinute) {
        start += kMinute;
        before = std::exchange(now, 0);
    }
    now += amount;
}

double GeminiLimits::Minute::used(WallTime at) const
{
    const Millis since = at - start;
    if (since < Millis(0) || since >= 2 * kMinute)
        return 0;
    const double past = static_cast<double>((since % kMinute).count()) / static_cast<double>(kMinute.count());
    if (since >= kMinute)
        return static_cast<double>(now) * (1 - past);
    return static_cast<double>(before) * (1 - past) + static_cast<double>(now);
}

const GeminiLimits::Usage* GeminiLimits::find(std::string_view connection, std::string_view model) const
{
    const auto found = m_usages.find({std::string(connection), std::string(bareModel(model))});
    return found == m_usages.end() ? nullptr : &found->second;
}

GeminiLimits::Usage& GeminiLimits::obtain(std::string_view connection, std::string_view model, WallTime now)
{
    Key key(connection, bareModel(model));
    auto found = m_usages.find(key);
    if (found == m_usages.end()) {
        if (m_usages.size() >= kCapacity)
            m_usages.erase(std::min_element(m_usages.begin(), m_usages.end(),
                                            [](const auto& a, const auto& b) { return a.second.lastUsed < b.second.lastUsed; }));
        found = m_usages.try_emplace(std::move(key)).first;
    }
    found->second.lastUsed = now;
    return found->second;
}

void GeminiLimits::count(std::string_view connection, std::string_view model, std::int64_t tokens, WallTime now)
{
    Usage& usage = obtain(connection, model, now);
    usage.requests.add(1, now);
    usage.tokens.add(std::max<std::int64_t>(tokens, 0), now);
    if (now >= usage.dayEnds || now < usage.dayBegan) {
        usage.today = 0;
        usage.dayBegan = now;
        usage.dayEnds = now + untilGoogleReset(now);
    }
    ++usage.today;
}

void GeminiLimits::learn(std::string_view connection, std::string_view model, const ErrorBody& body, WallTime now)
{
    for (const QuotaViolation& violation : body.violations) {
        const std::optional<GeminiMetric> metric = metricOf(violation);
        if (metric && violation.limit > 0)
            obtain(connection, violation.model.empty() ? model : violation.model, now).limits[index(*metric)] = violation.limit;
    }
}

std::optional<std::int64_t> GeminiLimits::limit(std::string_view connection, std::string_view model, GeminiMetric metric) const
{
    const Usage* usage = find(connection, model);
    const std::int64_t known = usage ? usage->limits[index(metric)] : 0;
    return known > 0 ? std::optional(known) : std::nullopt;
}

std::optional<GeminiMetric> GeminiLimits::spent(std::string_view connection, std::string_view model, WallTime now) const
{
    const Usage* usage = find(connection, model);
    if (!usage)
        return std::nullopt;
    const bool sameDay = now >= usage->dayBegan && now < usage->dayEnds;
    const double today = sameDay ? static_cast<double>(usage->today) : 0;
    const std::array<double, 3> used = {today, usage->requests.used(now), usage->tokens.used(now)};
    for (const GeminiMetric metric : {GeminiMetric::RequestsPerDay, GeminiMetric::RequestsPerMinute, GeminiMetric::TokensPerMinute}) {
        const std::int64_t known = usage->limits[index(metric)];
        if (known > 0 && used[index(metric)] >= static_cast<double>(known))
            return metric;
    }
    return std::nullopt;
}

void GeminiLimits::forgetConnection(std::string_view connection)
{
    std::erase_if(m_usages, [connection](const auto& entry) { return entry.first.first == connection; });
}

Millis untilGoogleReset(WallTime now)
{
    return untilDailyReset({"America/Los_Angeles", 0}, now);
}

}  // namespace omni
