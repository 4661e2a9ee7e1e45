#include "store/rescue.h"

#include "store/database_files.h"
#include "store/tables.h"

#include <QFile>

#include <sqlite3.h>

#include <algorithm>
#include <limits>
#include <memory>

namespace omni {

namespace {

constexpr const char* kNothing = "Nothing could be read from the damaged database";
constexpr qint64 kHeaderBytes = 100;
constexpr qint64 kPageBytes = 4096;

QString native(const std::string& path) { return QString::fromStdString(path); }

struct Salvage {
    std::int64_t rows = 0;
    std::int64_t refused = 0;  ///< read, but not fit to be stored: the bytes were damaged
    bool complete = true;
};

struct CloseDatabase {
    void operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
};
struct FinalizeStatement {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Handle = std::unique_ptr<sqlite3, CloseDatabase>;
using Prepared = std::unique_ptr<sqlite3_stmt, FinalizeStatement>;

// Rows go from one file to the other as SQLite holds them, without being taken apart: a log of a million rows is carried over in
// seconds. So this part speaks SQLite's own language, over connections of its own.

Handle openHandle(const std::string& path, int flags)
{
    sqlite3* handle = nullptr;
    const int code = sqlite3_open_v2(path.c_str(), &handle, flags, nullptr);
    Handle opened(handle);
    return code == SQLITE_OK ? std::move(opened) : nullptr;
}

Prepared prepare(sqlite3* handle, const std::string& sql)
{
    sqlite3_stmt* statement = nullptr;
    sqlite3_prepare_v2(handle, sql.c_str(), -1, &statement, nullptr);
    return Prepared(statement);
}

bool execute(sqlite3* handle, const char* sql) { return sqlite3_exec(handle, sql, nullptr, nullptr, nullptr) == SQLITE_OK; }

/// Generated columns are not among them, which is as it should be.
std::vector<std::string> columnsOf(sqlite3* handle, const std::string& table)
{
    std::vector<std::string> columns;
    const Prepared names = prepare(handle, "SELECT name FROM pragma_table_info('" + table + "')");
    while (names && sqlite3_step(names.get()) == SQLITE_ROW)
        columns.push_back('"' + std::string(reinterpret_cast<const char*>(sqlite3_column_text(names.get(), 0))) + '"');
    return columns;
}

/// Reads one table of the damaged file by its row numbers, from below over every gap, then from above down to what is known.
class TableSalvage {
public:
    TableSalvage(sqlite3* from, sqlite3* into, const std::string& table) : m_from(from), m_into(into)
    {
        const std::vector<std::string> known = columnsOf(into, table);
        std::string shared;
        std::string marks;
        for (const std::string& column : columnsOf(from, table)) {
            if (std::find(known.begin(), known.end(), column) == known.end())
                continue;
            shared += ", " + column;
            marks += m_columns == 0 ? "?" : ", ?";
            ++m_columns;
        }
        if (m_columns == 0)
            return;
        m_select = "SELECT rowid" + shared + " FROM " + table + " WHERE rowid ";
        m_insert = prepare(into, "INSERT OR IGNORE INTO " + table + " (" + shared.substr(2) + ") VALUES (" + marks + ")");
    }

    Salvage run()
    {
        // Not one column readable: the definition of the table is lost, or it never had one in that older form.
        if (!m_insert || !execute(m_into, "BEGIN IMMEDIATE")) {
            m_result.complete = false;
            return m_result;
        }
        upwards();
        if (!m_result.complete)
            downwards();
        if (!execute(m_into, "COMMIT")) {
            execute(m_into, "ROLLBACK");
            m_result = Salvage{0, 0, false};
        }
        return m_result;
    }

private:
    void upwards()
    {
        std::int64_t after = kLowest;
        std::int64_t stride = 1;
        for (;;) {
            const std::int64_t before = m_last = after;
            if (copy("> ? ORDER BY rowid", after))
                return;
            m_result.complete = false;
            // The damage begins after the last row read: leap ahead, further each time nothing comes.
            m_last = std::max<std::int64_t>(m_last, 0);
            stride = m_last > before ? 1 : stride * 2;
            if (stride > kHighest / 2 || m_last > kHighest - stride)
                return;
            after = m_last + stride;
        }
    }

    void downwards()
    {
        m_stopAtKnown = true;
        copy("< ? ORDER BY rowid DESC", kHighest);
    }

    /// True when the table was read to its end.
    bool copy(const char* range, std::int64_t bound)
    {
        const Prepared rows = prepare(m_from, m_select + range);
        if (!rows)
            return false;
        sqlite3_bind_int64(rows.get(), 1, bound);
        int code = SQLITE_ROW;
        while ((code = sqlite3_step(rows.get())) == SQLITE_ROW) {
            m_last = sqlite3_column_int64(rows.get(), 0);
            for (int column = 1; column <= m_columns; ++column)
                sqlite3_bind_value(m_insert.get(), column, sqlite3_column_value(rows.get(), column));
            const bool taken = sqlite3_step(m_insert.get()) == SQLITE_DONE;
            sqlite3_reset(m_insert.get());
            if (!taken)
                ++m_result.refused;
            else if (sqlite3_changes(m_into) > 0)
                ++m_result.rows;
            else if (m_stopAtKnown)
                return true;
        }
        return code == SQLITE_DONE;
    }

    static constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
    static constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();

    sqlite3* m_from;
    sqlite3* m_into;
    std::string m_select;
    Prepared m_insert;
    int m_columns = 0;
    std::int64_t m_last = 0;
    bool m_stopAtKnown = false;
    Salvage m_result;
};

/// Can its list of tables be read at all? SQLITE_OK, or why not.
int readable(sqlite3* handle) { return sqlite3_exec(handle, "SELECT count(*) FROM sqlite_schema", nullptr, nullptr, nullptr); }

/// A file whose first bytes were overwritten is "not a database", though all else may be well. A copy of it gets the header
/// of a sound database of the same make. Empty when that cannot be done.
std::string withSoundHeader(const std::string& damagedPath, Database& fresh)
{
    // The header must be in the file itself, not in its log.
    if (!fresh.run("PRAGMA wal_checkpoint(TRUNCATE)"))
        return {};
    QFile sound(native(fresh.path()));
    if (!sound.open(QIODevice::ReadOnly))
        return {};
    QByteArray header = sound.read(kHeaderBytes);
    const std::string copyPath = damagedPath + ".header";
    for (const char* part : {"", "-wal"}) {
        QFile::remove(native(copyPath + part));
        if (QFile::exists(native(damagedPath + part)) && !QFile::copy(native(damagedPath + part), native(copyPath + part)))
            return {};
    }
    QFile copy(native(copyPath));
    if (header.size() != kHeaderBytes || !copy.open(QIODevice::ReadWrite) || copy.size() < kPageBytes)
        return copyPath;
    const auto put = [&header](qsizetype at, quint32 value) {
        for (qsizetype byte = 0; byte < 4; ++byte)
            header[at + byte] = static_cast<char>(value >> (24 - 8 * byte));
    };
    put(28, static_cast<quint32>(copy.size() / kPageBytes));  // pages in the file
    put(32, 0);                                               // first free page: unknown
    put(36, 0);                                               // number of free pages
    copy.seek(0);
    copy.write(header);
    return copyPath;
}

void removeCopy(const std::string& path)
{
    for (const char* part : kDatabaseParts)
        QFile::remove(native(path + part));
}

std::string describeSalvage(std::string_view table, const Salvage& salvage)
{
    std::string text = std::string(table) + ": " + std::to_string(salvage.rows) + (salvage.rows == 1 ? " row" : " rows");
    if (!salvage.complete)
        text += ", the rest could not be read";
    if (salvage.refused > 0)
        text += ", " + std::to_string(salvage.refused) + " damaged";
    return text;
}

std::string salvageAll(sqlite3* damaged, const std::string& freshPath)
{
    const Handle fresh = openHandle(freshPath, SQLITE_OPEN_READWRITE);
    // References are kept: the state of a connection that was lost is of no use.
    if (!fresh || !execute(fresh.get(), "PRAGMA foreign_keys = ON"))
        return kNothing;
    std::string report;
    const auto salvage = [&](std::string_view table) {
        const std::string name(table);
        // An older form of the schema had no such table.
        if (columnsOf(fresh.get(), name).empty())
            return;
        const Salvage result = TableSalvage(damaged, fresh.get(), name).run();
        if (result.rows > 0 || result.refused > 0 || !result.complete)
            report += (report.empty() ? "" : "; ") + describeSalvage(table, result);
    };
    for (const std::string_view table : kSmallTables)
        salvage(table);
    salvage(kUsageTable);
    salvage(kLogTable);
    return "Carried over from the damaged database: " + (report.empty() ? std::string("it was empty") : report);
}

}  // namespace

std::string carryOver(const std::string& damagedPath, Database& fresh)
{
    const Handle damaged = openHandle(damagedPath, SQLITE_OPEN_READONLY);
    if (!damaged)
        return kNothing;
    const int code = readable(damaged.get());
    if (code == SQLITE_OK)
        return salvageAll(damaged.get(), fresh.path());
    if (code != SQLITE_NOTADB && code != SQLITE_CORRUPT)
        return kNothing;
    const std::string copyPath = withSoundHeader(damagedPath, fresh);
    if (copyPath.empty())
        return kNothing;
    std::string report = kNothing;
    if (const Handle copy = openHandle(copyPath, SQLITE_OPEN_READONLY); copy && readable(copy.get()) == SQLITE_OK)
        report = salvageAll(copy.get(), fresh.path());
    removeCopy(copyPath);
    return report;
}

}  // namespace omni
