#include "store/usage_history.h"

#include "store/database.h"

namespace omni {

namespace {

/// Columns that are not told apart are constants, so that every statement has the same shape.
std::string statementFor(const UsageParts& parts)
{
    std::string columns;
    std::string groups;
    const auto add = [&](bool wanted, const char* column, const char* otherwise) {
        columns += wanted ? column : otherwise;
        columns += ", ";
        if (wanted)
            groups += (groups.empty() ? "" : ", ") + std::string(column);
    };
    add(parts.day, "day", "0");
    add(true, "provider", "''");
    add(parts.connection, "connection_id", "''");
    add(true, "model", "''");
    add(parts.apiKey, "api_key_id", "''");
    // Names as of the newest day of each group: SQLite takes bare columns from the row that has the max().
    columns += parts.connection ? "account, " : "'', ";
    columns += parts.apiKey ? "api_key_name, " : "'', ";
    return "SELECT " + columns +
           "sum(requests), sum(failed), sum(uncounted), sum(tokens_in), sum(tokens_out), sum(tokens_cache_read), max(day) "
           "FROM usage_daily WHERE day >= ? AND day <= ? GROUP BY " +
           groups + " ORDER BY " + groups;
}

UsageCell cellFrom(const Statement& row)
{
    UsageCell cell;
    cell.day = static_cast<int>(row.number(0));
    cell.provider = ProviderId(row.text(1));
    cell.connection = ConnectionId(row.text(2));
    cell.model = row.text(3);
    cell.apiKey = ApiKeyId(row.text(4));
    cell.connectionName = row.text(5);
    cell.apiKeyName = row.text(6);
    cell.counts = {row.number(7), row.number(8), row.number(9), row.number(10), row.number(11), row.number(12)};
    return cell;
}

}  // namespace

struct UsageHistory::Private {
    std::unique_ptr<Database> database;
};

UsageHistory::UsageHistory(std::unique_ptr<Private> p) : d(std::move(p)) {}

UsageHistory::~UsageHistory() = default;

Result<std::unique_ptr<UsageHistory>> UsageHistory::open(const std::string& databasePath)
{
    Result<std::unique_ptr<Database>> database = Database::open(databasePath, Database::Access::ReadOnly);
    if (!database)
        return database.error();
    auto d = std::make_unique<Private>();
    d->database = std::move(*database);
    return std::unique_ptr<UsageHistory>(new UsageHistory(std::move(d)));
}

Result<std::vector<UsageCell>> UsageHistory::sums(const UsageRange& range, const UsageParts& parts)
{
    std::vector<UsageCell> cells;
    const Status read = each(range, parts, [&cells](const UsageCell& cell) {
        cells.push_back(cell);
        return true;
    });
    if (!read)
        return read.error();
    return cells;
}

Status UsageHistory::each(const UsageRange& range, const UsageParts& parts, const std::function<bool(const UsageCell&)>& take)
{
    const std::string sql = statementFor(parts);
    Statement rows(*d->database, sql.c_str());
    rows.bind(std::int64_t{range.firstDay}).bind(std::int64_t{range.lastDay});
    if (Status ran = rows.run(); !ran)
        return ran;
    while (rows.next()) {
        if (!take(cellFrom(rows)))
            break;
    }
    return rows.end();
}

}  // namespace omni
