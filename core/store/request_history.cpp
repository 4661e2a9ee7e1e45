#include "store/request_history.h"

#include "store/database.h"
#include "store/json_text.h"
#include "store/request_detail.h"
#include "store/request_log_table.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <set>

namespace omni {

namespace {

constexpr const char* kColumns =
    "seq, id, status, outcome, provider, connection_id, account, model, requested_model, path, error_summary, method, request_type, "
    "combo_name, api_key_id, api_key_name, client, stream, duration, added, first_frame, request_bytes, response_bytes, tokens_in, "
    "tokens_out, tokens_cache_read, attempts";
constexpr int kDetailColumn = 27;
constexpr int kMaxPage = 10'000;
constexpr std::int64_t kMostLookedThrough = 100'000;
constexpr std::size_t kMostNames = 300;
constexpr std::int64_t kEnd = std::numeric_limits<std::int64_t>::max();

RequestRecord recordFrom(const Statement& row)
{
    RequestRecord record;
    record.startedAt = fromEpochMillis(row.number(0) >> kSequenceBits);
    record.id = RequestId(row.text(1));
    record.status = static_cast<int>(row.number(2));
    record.outcome = outcomeFromString(row.text(3));
    record.provider = ProviderId(row.text(4));
    record.connection = ConnectionId(row.text(5));
    record.connectionName = row.text(6);
    record.model = row.text(7);
    record.requestedModel = row.text(8);
    record.path = row.text(9);
    record.error = row.text(10);
    record.method = row.text(11);
    record.operation = operationFromString(row.text(12));
    record.combo = row.text(13);
    record.apiKey = ApiKeyId(row.text(14));
    record.apiKeyName = row.text(15);
    record.client = row.text(16);
    record.stream = row.flag(17);
    record.durationUs = row.number(18);
    record.addedUs = row.number(19);
    record.firstFrameUs = row.number(20);
    record.requestBytes = row.number(21);
    record.responseBytes = row.number(22);
    record.tokensIn = row.number(23);
    record.tokensOut = row.number(24);
    record.tokensCached = row.number(25);
    record.attemptCount = static_cast<int>(row.number(26));
    return record;
}

/// "%text%" with its own wildcards taken literally.
std::string likePattern(const std::string& text)
{
    std::string pattern = "%";
    for (const char c : text) {
        if (c == '%' || c == '_' || c == '\\')
            pattern += '\\';
        pattern += c;
    }
    return pattern + '%';
}

/// The first key after everything that started at `time` or before.
std::int64_t sequenceAfter(WallTime time)
{
    const std::int64_t millis = epochMillis(time);
    return millis == kEnd ? kEnd : firstSequenceAt(millis + 1);
}

/// Conditions and the values of their question marks, side by side.
class Where {
public:
    /// `below`: rows with smaller keys; the highest number = all.
    Where(const RequestFilter& filter, std::int64_t below)
    {
        if (filter.to)
            below = std::min(below, sequenceAfter(*filter.to));
        if (below < kEnd)
            add("seq < ?", below);
        if (filter.from)
            add("seq >= ?", firstSequenceAt(epochMillis(*filter.from)));
        // Said as the index says it, or SQLite cannot use it.
        m_failures = filter.failuresOnly || (filter.outcome && isFailure(*filter.outcome));
        if (m_failures)
            begin("failed = 1");
        if (filter.outcome)
            add("outcome = ?", std::string(toString(*filter.outcome)));
        if (!filter.provider.empty())
            add("provider = ?", filter.provider.str());
        if (!filter.connection.empty())
            add("connection_id = ?", filter.connection.str());
        if (!filter.model.empty())
            add("(model = ? OR requested_model = ?)", filter.model, 2);
        if (!filter.client.empty())
            add("client = ?", filter.client);
        if (!filter.text.empty())
            add("(model LIKE ? ESCAPE '\\' OR requested_model LIKE ? ESCAPE '\\' OR path LIKE ? ESCAPE '\\' OR account LIKE ? ESCAPE '\\' "
                "OR error_summary LIKE ? ESCAPE '\\' OR id LIKE ? ESCAPE '\\')",
                likePattern(filter.text), 6);
    }

    /// "FROM … WHERE …". The planner has no way to know how few failures there are, so it is told.
    std::string from() const
    {
        const std::string table = m_failures ? "FROM call_logs INDEXED BY call_logs_failures" : "FROM call_logs";
        return m_sql.empty() ? table : table + " WHERE " + m_sql;
    }

    void bind(Statement& statement) const
    {
        for (const auto& value : m_values)
            value(statement);
    }

private:
    void add(const char* condition, std::int64_t value)
    {
        begin(condition);
        m_values.push_back([value](Statement& statement) { statement.bind(value); });
    }
    void add(const char* condition, const std::string& value, int times = 1)
    {
        begin(condition);
        for (int i = 0; i < times; ++i)
            m_values.push_back([value](Statement& statement) { statement.bind(value); });
    }
    void begin(const char* condition)
    {
        if (!m_sql.empty())
            m_sql += " AND ";
        m_sql += condition;
    }

    std::string m_sql;
    std::vector<std::function<void(Statement&)>> m_values;
    bool m_failures = false;
};

/// What `rows` answers with the detail as its last column.
Result<std::vector<RequestRecord>> wholeRecords(Statement& rows)
{
    if (const Status ran = rows.run(); !ran)
        return ran.error();
    std::vector<RequestRecord> found;
    while (rows.next()) {
        found.push_back(recordFrom(rows));
        readDetail(rows.text(kDetailColumn), found.back());
    }
    if (const Status ended = rows.end(); !ended)
        return ended.error();
    return found;
}

}  // namespace

struct RequestHistory::Private {
    std::unique_ptr<Database> database;
};

RequestHistory::RequestHistory(std::unique_ptr<Private> p) : d(std::move(p)) {}

RequestHistory::~RequestHistory() = default;

Result<std::unique_ptr<RequestHistory>> RequestHistory::open(const std::string& databasePath)
{
    Result<std::unique_ptr<Database>> database = Database::open(databasePath, Database::Access::ReadOnly);
    if (!database)
        return database.error();
    auto d = std::make_unique<Private>();
    d->database = std::move(*database);
    return std::unique_ptr<RequestHistory>(new RequestHistory(std::move(d)));
}

Result<RequestHistory::Page> RequestHistory::page(const RequestFilter& filter, Cursor from, int limit)
{
    limit = std::clamp(limit, 1, kMaxPage);
    const Where where(filter, std::min(from.rowId, sequenceAfter(fromEpochMillis(from.startedAtMs))));
    const std::string sql = std::string("SELECT ") + kColumns + ' ' + where.from() + " ORDER BY seq DESC LIMIT ?";
    Statement rows(*d->database, sql.c_str());
    where.bind(rows);
    // One more than asked for tells whether there is a next page.
    rows.bind(std::int64_t{limit} + 1);
    if (const Status ran = rows.run(); !ran)
        return ran.error();
    Page page;
    std::int64_t last = 0;
    while (rows.next()) {
        if (static_cast<int>(page.records.size()) == limit) {
            page.next = Cursor{epochMillis(page.records.back().startedAt), last};
            break;
        }
        last = rows.number(0);
        page.records.push_back(recordFrom(rows));
    }
    if (const Status ended = rows.end(); !ended)
        return ended.error();
    return page;
}

Result<std::int64_t> RequestHistory::count(const RequestFilter& filter)
{
    const Where where(filter, kEnd);
    const std::string sql = "SELECT count(*) " + where.from();
    Statement rows(*d->database, sql.c_str());
    where.bind(rows);
    if (const Status ran = rows.run(); !ran)
        return ran.error();
    const std::int64_t counted = rows.next() ? rows.number(0) : 0;
    if (const Status ended = rows.end(); !ended)
        return ended.error();
    return counted;
}

Result<RequestRecord> RequestHistory::request(const RequestId& id)
{
    const std::string sql = std::string("SELECT ") + kColumns + ", detail FROM call_logs WHERE id = ? ORDER BY seq DESC LIMIT 1";
    Statement rows(*d->database, sql.c_str());
    if (const Status ran = rows.bind(id.str()).run(); !ran)
        return ran.error();
    std::optional<RequestRecord> found;
    if (rows.next()) {
        found = recordFrom(rows);
        readDetail(rows.text(kDetailColumn), *found);
    }
    if (const Status ended = rows.end(); !ended)
        return ended.error();
    if (!found)
        return Error{ErrorKind::NotFound, "The request " + id.str() + " is not in the log; its limits may have deleted it"};
    return *found;
}

Result<std::vector<RequestRecord>> RequestHistory::concerning(const ConnectionId& connection, WallTime from, int limit)
{
    // The id is a uuid of ours: as text within the document it can stand for nothing else.
    const std::string sql = std::string("SELECT ") + kColumns +
                            ", detail FROM (SELECT * FROM call_logs WHERE seq >= ? ORDER BY seq DESC LIMIT ?) WHERE instr(detail, ?) > 0 "
                            "ORDER BY seq DESC LIMIT ?";
    Statement rows(*d->database, sql.c_str());
    rows.bind(firstSequenceAt(epochMillis(from))).bind(kMostLookedThrough);
    rows.bind("\"connectionId\":\"" + connection.str() + '"').bind(std::int64_t{std::clamp(limit, 1, kMaxPage)});
    return wholeRecords(rows);
}

Result<RequestHistory::Names> RequestHistory::names()
{
    Statement rows(*d->database, "SELECT requested_model, model, client, connection_id, account FROM call_logs ORDER BY seq DESC LIMIT ?");
    if (const Status ran = rows.bind(kMostLookedThrough).run(); !ran)
        return ran.error();
    std::set<std::string> models;
    std::set<std::string> clients;
    std::map<std::string, std::string> connections;
    // Clients choose what they call themselves and their models: of those the newest.
    const auto add = [](std::set<std::string>& names, std::string name) {
        if (names.size() < kMostNames)
            names.insert(std::move(name));
    };
    while (rows.next()) {
        add(models, rows.text(0));
        add(models, rows.text(1));
        add(clients, rows.text(2));
        connections.try_emplace(rows.text(3), rows.text(4));
    }
    if (const Status ended = rows.end(); !ended)
        return ended.error();
    models.erase(std::string());
    clients.erase(std::string());
    connections.erase(std::string());
    Names names;
    names.models.assign(models.begin(), models.end());
    names.clients.assign(clients.begin(), clients.end());
    for (const auto& [id, name] : connections)
        names.connections.emplace_back(ConnectionId(id), name);
    std::stable_sort(names.connections.begin(), names.connections.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    return names;
}

Result<std::vector<RequestRecord>> RequestHistory::during(WallTime from, WallTime to, int limit)
{
    const std::string sql = std::string("SELECT ") + kColumns +
                            ", detail FROM (SELECT seq AS chosen FROM call_logs WHERE seq >= ? AND seq < ? "
                            "ORDER BY (failed = 1 OR attempts > 1) DESC, seq DESC LIMIT ?) JOIN call_logs ON seq = chosen ORDER BY seq DESC";
    Statement rows(*d->database, sql.c_str());
    rows.bind(firstSequenceAt(epochMillis(from))).bind(sequenceAfter(to)).bind(std::int64_t{std::clamp(limit, 1, kMaxPage)});
    return wholeRecords(rows);
}

}  // namespace omni
