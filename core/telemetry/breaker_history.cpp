#include "telemetry/breaker_history.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

namespace omni {

namespace {

using Json = nlohmann::json;

std::optional<WallTime> timeAt(const Json& list, std::size_t index)
{
    if (!list.is_array() || index >= list.size() || !list[index].is_number_integer())
        return std::nullopt;
    return fromEpochMillis(list[index].get<std::int64_t>());
}

/// ["OPEN", from, to, failures]
std::optional<BreakerSpan> spanOf(const std::string& provider, const Json& entry)
{
    const auto from = timeAt(entry, 1);
    const auto to = timeAt(entry, 2);
    if (!from || !to || entry.size() != 4 || !entry[0].is_string() || !entry[3].is_number_integer())
        return std::nullopt;
    const auto state = breakerStateFromString(entry[0].get_ref<const std::string&>());
    if (!state)
        return std::nullopt;
    return BreakerSpan{ProviderId(provider), *state, *from, *to, entry[3].get<int>()};
}

/// As much of the span as lies within the stretch that saw most of it.
void addSeen(BreakerHistory& history, const BreakerSpan& span)
{
    BreakerSpan seen = span;
    seen.to = seen.from;
    for (const WatchedTime& stretch : history.watched) {
        const WallTime from = std::max(span.from, stretch.from);
        const WallTime to = std::min(span.to, stretch.to);
        if (to - from > seen.to - seen.from) {
            seen.from = from;
            seen.to = to;
        }
    }
    if (seen.from < seen.to)
        history.spans.push_back(std::move(seen));
}

}  // namespace

const WatchedTime* BreakerHistory::watchedAt(WallTime at) const
{
    for (auto stretch = watched.rbegin(); stretch != watched.rend(); ++stretch) {
        if (at >= stretch->from)
            return stretch == watched.rbegin() || at < stretch->to ? &*stretch : nullptr;
    }
    return nullptr;
}

BreakerHistory BreakerHistory::after(WallTime since) const
{
    BreakerHistory kept;
    for (const WatchedTime& stretch : watched) {
        if (stretch.to > since)
            kept.watched.push_back({std::max(stretch.from, since), stretch.to});
    }
    for (const BreakerSpan& span : spans) {
        if (span.to <= since)
            continue;
        kept.spans.push_back(span);
        kept.spans.back().from = std::max(span.from, since);
    }
    return kept;
}

BreakerHistory BreakerHistory::before(WallTime until) const
{
    BreakerHistory kept;
    for (const WatchedTime& stretch : watched) {
        if (stretch.from < until)
            kept.watched.push_back({stretch.from, std::min(stretch.to, until)});
    }
    for (const BreakerSpan& span : spans) {
        if (span.from >= until)
            continue;
        kept.spans.push_back(span);
        kept.spans.back().to = std::min(span.to, until);
    }
    return kept;
}

std::string toJson(const BreakerHistory& history)
{
    Json watched = Json::array();
    for (const WatchedTime& stretch : history.watched)
        watched.push_back({epochMillis(stretch.from), epochMillis(stretch.to)});
    Json spans = Json::object();
    for (const BreakerSpan& span : history.spans) {
        spans[span.provider.str()].push_back(
            {std::string(toString(span.state)), epochMillis(span.from), epochMillis(span.to), span.failureCount});
    }
    return Json{{"watched", std::move(watched)}, {"spans", std::move(spans)}}.dump(-1, ' ', false, Json::error_handler_t::replace);
}

BreakerHistory breakerHistoryFromJson(const std::string& text)
{
    BreakerHistory history;
    const Json document = Json::parse(text, nullptr, false);
    if (!document.is_object() || !document.contains("watched") || !document.contains("spans"))
        return history;
    for (const Json& entry : document["watched"]) {
        const auto from = timeAt(entry, 0);
        const auto to = timeAt(entry, 1);
        if (!from || !to)
            continue;
        // A clock that was set back lets one run begin before the other has ended.
        const WallTime begin = history.watched.empty() ? *from : std::max(*from, history.watched.back().to);
        if (begin < *to)
            history.watched.push_back({begin, *to});
    }
    for (const auto& [provider, entries] : document["spans"].items()) {
        for (const Json& entry : entries) {
            if (const std::optional<BreakerSpan> span = spanOf(provider, entry))
                addSeen(history, *span);
        }
    }
    return history;
}

}  // namespace omni
