#include "proxy/management_call.h"
#include "proxy/request_log_reader.h"

#include "base/text.h"

namespace omni {

namespace {

constexpr std::int64_t kDefaultPage = 50;
constexpr std::int64_t kMaxPage = 500;
constexpr std::size_t kMaxFilter = 300;

/// Milliseconds with their fraction; null for what did not happen.
Json millis(std::int64_t micros)
{
    return micros < 0 ? Json() : Json(static_cast<double>(micros) / 1000.0);
}

Json countOrNull(std::int64_t count)
{
    return count < 0 ? Json() : Json(count);
}

Json viewOf(const RequestRecord& record)
{
    const std::int64_t attempts =
        record.attemptCount >= 0 ? record.attemptCount : static_cast<std::int64_t>(record.attempts.size());
    return {{"id", record.id.str()},
            {"startedAt", timeJson(record.startedAt)},
            {"method", record.method},
            {"path", record.path},
            {"operation", record.operation ? Json(toString(*record.operation)) : Json()},
            {"requestedModel", textOrNull(record.requestedModel)},
            {"model", textOrNull(record.model)},
            {"combo", textOrNull(record.combo)},
            {"provider", textOrNull(record.provider.str())},
            {"connectionId", textOrNull(record.connection.str())},
            {"connectionName", textOrNull(record.connectionName)},
            {"apiKeyId", textOrNull(record.apiKey.str())},
            {"apiKeyName", textOrNull(record.apiKeyName)},
            {"client", textOrNull(record.client)},
            {"stream", record.stream},
            {"status", record.status},
            {"outcome", toString(record.outcome)},
            {"error", textOrNull(redactSecrets(record.error))},
            {"durationMs", millis(record.durationUs)},
            {"addedMs", millis(record.addedUs)},
            {"firstFrameMs", millis(record.firstFrameUs)},
            {"requestBytes", record.requestBytes},
            {"responseBytes", record.responseBytes},
            {"tokensIn", countOrNull(record.tokensIn)},
            {"tokensOut", countOrNull(record.tokensOut)},
            {"tokensCached", countOrNull(record.tokensCached)},
            {"attemptCount", attempts}};
}

Json headersJson(const std::vector<std::pair<std::string, std::string>>& headers)
{
    Json rows = Json::array();
    for (const auto& [name, value] : headers)
        rows.push_back({{"name", name}, {"value", value}});
    return rows;
}

Json detailOf(const RequestRecord& record)
{
    Json json = viewOf(record);
    Json attempts = Json::array();
    for (const AttemptRecord& attempt : record.attempts) {
        attempts.push_back({{"provider", attempt.provider.str()},
                            {"connectionId", textOrNull(attempt.connection.str())},
                            {"connectionName", textOrNull(attempt.connectionName)},
                            {"model", attempt.model},
                            {"startedMs", millis(attempt.startedUs)},
                            {"connectMs", millis(attempt.connectUs)},
                            {"firstByteMs", millis(attempt.firstByteUs)},
                            {"firstFrameMs", millis(attempt.firstFrameUs)},
                            {"totalMs", millis(attempt.totalUs)},
                            {"status", attempt.status != 0 ? Json(attempt.status) : Json()},
                            {"success", attempt.success},
                            {"reason", attempt.success ? Json() : Json(toString(attempt.reason))},
                            {"error", textOrNull(redactSecrets(attempt.error))},
                            {"decision", textOrNull(attempt.decision)}});
    }
    Json excluded = Json::array();
    for (const ExcludedTarget& target : record.excluded) {
        excluded.push_back({{"provider", target.provider.str()},
                            {"connectionId", textOrNull(target.connection.str())},
                            {"connectionName", textOrNull(target.connectionName)},
                            {"model", target.model},
                            {"reason", toString(target.reason)},
                            {"remainingMs", target.remainingMs > 0 ? Json(target.remainingMs) : Json()}});
    }
    json["attempts"] = std::move(attempts);
    json["excluded"] = std::move(excluded);
    json["requestHeaders"] = headersJson(record.requestHeaders);
    json["responseHeaders"] = headersJson(record.responseHeaders);
    return json;
}

std::string cursorText(const RequestHistory::Cursor& cursor)
{
    return std::to_string(cursor.startedAtMs) + "." + std::to_string(cursor.rowId);
}

std::optional<RequestHistory::Cursor> parseCursor(std::string_view text)
{
    const std::size_t dot = text.find('.');
    if (dot == std::string_view::npos)
        return std::nullopt;
    const std::optional<std::uint64_t> millisPart = parseUnsigned(text.substr(0, dot));
    const std::optional<std::uint64_t> rowPart = parseUnsigned(text.substr(dot + 1));
    constexpr auto most = static_cast<std::uint64_t>(INT64_MAX);
    if (!millisPart || !rowPart || *millisPart > most || *rowPart > most)
        return std::nullopt;
    return RequestHistory::Cursor{static_cast<std::int64_t>(*millisPart), static_cast<std::int64_t>(*rowPart)};
}

RequestFilter readFilter(QueryReader& query)
{
    RequestFilter filter;
    const auto text = [&query](std::string_view name) {
        std::string value = query.text(name);
        if (value.size() > kMaxFilter)
            query.fail(name, "Must be at most 300 characters.");
        return value;
    };
    filter.text = text("text");
    filter.failuresOnly = query.flag("failures");
    filter.provider = ProviderId(text("provider"));
    filter.connection = ConnectionId(query.has("connectionId") ? text("connectionId") : text("connection"));
    query.text("connection");
    filter.model = text("model");
    filter.from = query.time("from");
    filter.to = query.time("to");
    const std::string outcome = query.text("outcome");
    if (!outcome.empty()) {
        filter.outcome = outcomeFromString(outcome);
        if (toString(*filter.outcome) != outcome)
            query.fail("outcome", "Must be one of: answered, upstream_failed, broken, client_gone, refused.");
    }
    return filter;
}

/// Asked from the reader's thread: only the count of references is looked at.
RequestLogReader::Wanted whileWanted(const CallPtr& call)
{
    return [weak = std::weak_ptr<ManagementCall>(call)] { return !weak.expired(); };
}

void list(const ManagementContext& context, const CallPtr& call)
{
    std::vector<FieldError> errors;
    QueryReader query(call->request().query(), errors);
    RequestFilter filter = readFilter(query);
    const auto limit = static_cast<int>(query.number("limit", 1, kMaxPage, kDefaultPage));
    const bool counted = query.flag("count");
    RequestHistory::Cursor from;
    if (query.has("cursor")) {
        const std::optional<RequestHistory::Cursor> cursor = parseCursor(query.text("cursor"));
        if (cursor)
            from = *cursor;
        else
            query.fail("cursor", "Must be the nextCursor of the page before.");
    }
    query.finish();
    if (!errors.empty())
        return call->invalid(errors);

    context.log.list(std::move(filter), from, limit, counted, whileWanted(call), context.owner,
                     [weak = std::weak_ptr<ManagementCall>(call)](const Result<RequestLogReader::Listing>& listing) {
                         const CallPtr waiting = weak.lock();
                         if (!waiting)
                             return;
                         if (!listing)
                             return waiting->fail(listing.error());
                         Json rows = Json::array();
                         for (const RequestRecord& record : listing->page.records)
                             rows.push_back(viewOf(record));
                         Json answer = {{"logs", std::move(rows)},
                                        {"nextCursor", listing->page.next ? Json(cursorText(*listing->page.next)) : Json()}};
                         if (listing->total >= 0)
                             answer["total"] = listing->total;
                         waiting->answer(200, answer);
                     });
}

void read(const ManagementContext& context, const CallPtr& call)
{
    context.log.request(RequestId(call->parameter()), whileWanted(call), context.owner,
                        [weak = std::weak_ptr<ManagementCall>(call)](const Result<RequestRecord>& record) {
                            const CallPtr waiting = weak.lock();
                            if (!waiting)
                                return;
                            if (record)
                                waiting->answer(200, detailOf(*record));
                            else if (record.error().kind == ErrorKind::NotFound)
                                waiting->fail(404, "Request not found; it may have been pruned from the log.", "not_found");
                            else
                                waiting->fail(record.error());
                        });
}

}  // namespace

std::vector<ManagementRoute> requestLogRoutes()
{
    return {{"GET", "/api/usage/request-logs", &list}, {"GET", "/api/usage/request-logs/{}", &read}};
}

}  // namespace omni
