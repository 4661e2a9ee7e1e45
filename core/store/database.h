#pragma once

#include "base/clock.h"
#include "base/result.h"

#include <QSqlDatabase>
#include <QSqlQuery>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

class QSqlError;
struct sqlite3;
struct sqlite3_stmt;

namespace omni {

/// One connection to a SQLite file. Belongs to the thread that opened it, except for `interrupt`.
class Database {
public:
    enum class Access { ReadWrite, ReadOnly };

    /// Opens the file, which exists, without touching it: SQLite reads it with the first statement. Waits up to 5 s for other
    /// programs' locks.
    static Result<std::unique_ptr<Database>> open(const std::string& path, Access access);
    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    const std::string& path() const { return m_path; }

    /// Runs one statement to its end, rows and all.
    Status run(std::string_view sql);
    /// First column of the first row; 0 or empty when there is none.
    Result<std::int64_t> number(std::string_view sql);
    Result<std::string> text(std::string_view sql);

    /// SQLite's primary code of the last failure, 0 = none yet.
    int lastCode() const { return m_lastCode; }
    /// In SQLite's own words.
    const std::string& lastReason() const { return m_lastReason; }
    /// The last failure means that the file is damaged (SQLITE_CORRUPT, SQLITE_NOTADB).
    bool foundDamage() const;

    /// Ends the statement that is running, in whatever thread, with an error.
    void interrupt();

    QSqlQuery query() const { return QSqlQuery(m_database); }
    /// The error in our own words: what failed, in which file, and what to do. Remembers its code.
    Error failure(const QSqlError& error);
    Error failure(int code, std::string_view why);
    /// SQLite's own connection below Qt's; nullptr when Qt's driver has another SQLite inside than this program.
    sqlite3* handle() const { return m_handle; }

private:
    Database(std::string path, QSqlDatabase database);

    std::string m_path;
    QSqlDatabase m_database;
    sqlite3* m_handle = nullptr;
    int m_lastCode = 0;
    std::string m_lastReason;
};

/// A statement that is prepared once and run many times. Dies before its database.
class Statement {
public:
    /// `sql` is a literal: it is kept by address. Prepared when first used.
    Statement(Database& database, const char* sql);

    // Values for the question marks, in order.
    Statement& bind(std::string_view text);
    Statement& bind(std::int64_t number);
    Statement& bind(WallTime time) { return bind(epochMillis(time)); }
    Statement& bind(std::optional<WallTime> time);
    Statement& bindMaybe(std::optional<std::int64_t> number);
    Statement& bindReal(std::optional<double> number);
    /// UTF-8 handed to SQLite as it is, for `CAST(? AS TEXT)`: spares two conversions. Must live until `run` returns.
    Statement& bindBytes(std::string_view bytes);

    Status run();
    /// The next row of a SELECT; false at the end or at an error, which `end` tells.
    bool next();
    std::string text(int column) const;
    std::int64_t number(int column) const;
    bool flag(int column) const { return number(column) != 0; }
    std::optional<std::int64_t> maybeNumber(int column) const;
    std::optional<double> maybeReal(int column) const;
    WallTime time(int column) const { return fromEpochMillis(number(column)); }
    std::optional<WallTime> maybeTime(int column) const;
    /// Rows changed by the last run.
    std::int64_t changed() const { return m_query.numRowsAffected(); }
    /// Gives up the read lock, so that the write-ahead log can be checkpointed. Every SELECT ends with it.
    Status end();

private:
    void prepareOnce();
    void set(const QVariant& value);

    Database& m_database;
    const char* m_sql;
    QSqlQuery m_query;
    int m_bound = 0;
    bool m_prepared = false;
};

/// A statement without rows that is run very often: goes to SQLite directly. Qt builds a string and looks it up for each value it is
/// given, which takes longer than the rest of an insertion. Falls back to Qt where its driver has a SQLite of its own.
/// Texts are taken as UTF-8 and not copied: they must live until `run` returns. Dies before its database.
class DirectStatement {
public:
    enum class Way { Direct, ThroughQt };

    /// `sql` is a literal: it is kept by address. Every text in it is `CAST(? AS TEXT)`.
    DirectStatement(Database& database, const char* sql) : DirectStatement(database, sql, wayTo(database)) {}
    DirectStatement(Database& database, const char* sql, Way way);
    ~DirectStatement();
    DirectStatement(const DirectStatement&) = delete;
    DirectStatement& operator=(const DirectStatement&) = delete;

    DirectStatement& bind(std::string_view text);
    DirectStatement& bind(std::int64_t number);
    Status run();

private:
    static Way wayTo(const Database& database) { return database.handle() != nullptr ? Way::Direct : Way::ThroughQt; }
    bool prepared();

    Database& m_database;
    const char* m_sql;
    sqlite3_stmt* m_statement = nullptr;
    int m_bound = 0;
    std::optional<Statement> m_throughQt;
};

/// BEGIN IMMEDIATE … COMMIT, rolled back when it goes out of scope before. Never a deferred BEGIN: one that reads first
/// and then writes fails at once (SQLITE_BUSY_SNAPSHOT) when another connection committed in between.
class Transaction {
public:
    explicit Transaction(Database& database) : m_database(database) {}
    ~Transaction();
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;

    Status begin();
    Status commit();

private:
    Database& m_database;
    bool m_open = false;
};

}  // namespace omni
