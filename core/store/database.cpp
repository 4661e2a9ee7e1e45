#include "store/database.h"

#include "base/text.h"

#include <QSqlDriver>
#include <QSqlError>
#include <QVariant>

#include <sqlite3.h>

#include <atomic>
#include <utility>

namespace omni {

namespace {

QString toQt(std::string_view text)
{
    // A null QString would be stored as NULL.
    return text.empty() ? QStringLiteral("") : QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString connectionName()
{
    static std::atomic<unsigned> counter{0};
    return QStringLiteral("omniroute-%1").arg(counter.fetch_add(1));
}

/// What to do about it.
std::string advice(int code, const std::string& path)
{
    switch (code) {
    case SQLITE_FULL: return "The disk is full, so " + path + " cannot grow. Free some space";
    case SQLITE_READONLY: return path + " cannot be written. Check its permissions and that the disk is not mounted read-only";
    case SQLITE_CANTOPEN: return path + " cannot be opened. Check the permissions of its folder and that the disk is there";
    case SQLITE_IOERR: return "The disk failed on reading or writing " + path + ". Check it, and the space that is left";
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return path + " is in use by another program. Close that program";
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB: return path + " is damaged. Start the program again: it saves what can be read";
    case SQLITE_CONSTRAINT: return "The database refused the values";
    case SQLITE_INTERRUPT: return "The work on " + path + " was broken off";
    default: return "The database " + path + " failed";
    }
}

ErrorKind kindOf(int code)
{
    switch (code) {
    case SQLITE_CONSTRAINT: return ErrorKind::Conflict;
    case SQLITE_INTERRUPT: return ErrorKind::Cancelled;
    default: return ErrorKind::Storage;
    }
}

}  // namespace

Database::Database(std::string path, QSqlDatabase database) : m_path(std::move(path)), m_database(std::move(database))
{
    // Only when Qt's driver uses the very library that this program does, as Linux distributions build it.
    const QVariant handle = m_database.driver()->handle();
    QSqlQuery version(m_database);
    const bool same = version.exec(QStringLiteral("SELECT sqlite_source_id()")) && version.next()
                      && version.value(0).toString() == QLatin1String(sqlite3_sourceid());
    if (same && handle.isValid() && qstrcmp(handle.typeName(), "sqlite3*") == 0)
        m_handle = *static_cast<sqlite3* const*>(handle.constData());
}

Database::~Database()
{
    const QString name = m_database.connectionName();
    m_database.close();
    m_database = QSqlDatabase();
    QSqlDatabase::removeDatabase(name);
}

Result<std::unique_ptr<Database>> Database::open(const std::string& path, Access access)
{
    if (!QSqlDatabase::isDriverAvailable(QStringLiteral("QSQLITE")))
        return Error{ErrorKind::Storage, "Qt's SQLite driver is missing. Install the package libqt6sql6-sqlite"};
    const QString name = connectionName();
    QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), name);
    database.setDatabaseName(toQt(path));
    database.setConnectOptions(access == Access::ReadOnly ? QStringLiteral("QSQLITE_OPEN_READONLY;QSQLITE_BUSY_TIMEOUT=5000")
                                                          : QStringLiteral("QSQLITE_BUSY_TIMEOUT=5000"));
    if (!database.open()) {
        const std::string why = database.lastError().databaseText().toStdString();
        database = QSqlDatabase();
        QSqlDatabase::removeDatabase(name);
        return Error{ErrorKind::Storage, advice(SQLITE_CANTOPEN, path) + " (" + why + ")"};
    }
    return std::unique_ptr<Database>(new Database(path, database));
}

Status Database::run(std::string_view sql)
{
    QSqlQuery statement(m_database);
    statement.setForwardOnly(true);
    if (!statement.exec(toQt(sql)))
        return failure(statement.lastError());
    // Some pragmas do their work while their rows are read.
    while (statement.isSelect() && statement.next()) {
    }
    if (statement.lastError().isValid())
        return failure(statement.lastError());
    return {};
}

Result<std::int64_t> Database::number(std::string_view sql)
{
    QSqlQuery statement(m_database);
    statement.setForwardOnly(true);
    if (!statement.exec(toQt(sql)))
        return failure(statement.lastError());
    const bool found = statement.next();
    if (statement.lastError().isValid())
        return failure(statement.lastError());
    return found ? std::int64_t{statement.value(0).toLongLong()} : 0;
}

Result<std::string> Database::text(std::string_view sql)
{
    QSqlQuery statement(m_database);
    statement.setForwardOnly(true);
    if (!statement.exec(toQt(sql)))
        return failure(statement.lastError());
    const bool found = statement.next();
    if (statement.lastError().isValid())
        return failure(statement.lastError());
    return found ? statement.value(0).toString().toStdString() : std::string();
}

bool Database::foundDamage() const { return m_lastCode == SQLITE_CORRUPT || m_lastCode == SQLITE_NOTADB; }

void Database::interrupt()
{
    if (m_handle != nullptr)
        sqlite3_interrupt(m_handle);
}

Error Database::failure(const QSqlError& error)
{
    // What SQLite says, or what Qt does when it never came to SQLite.
    const QString why = error.databaseText().isEmpty() ? error.driverText() : error.databaseText();
    return failure(error.nativeErrorCode().toInt(), why.toStdString());
}

Error Database::failure(int code, std::string_view why)
{
    // Codes are extended ones; the low byte is the primary one.
    m_lastCode = code & 0xFF;
    m_lastReason = redactSecrets(why);
    return Error{kindOf(m_lastCode), advice(m_lastCode, m_path) + " (" + m_lastReason + ")"};
}

Statement::Statement(Database& database, const char* sql) : m_database(database), m_sql(sql), m_query(database.query())
{
    m_query.setForwardOnly(true);
}

void Statement::prepareOnce()
{
    if (!m_prepared)
        m_prepared = m_query.prepare(toQt(m_sql));
}

void Statement::set(const QVariant& value)
{
    prepareOnce();
    m_query.bindValue(m_bound++, value);
}

Statement& Statement::bind(std::string_view text)
{
    set(toQt(text));
    return *this;
}

Statement& Statement::bind(std::int64_t number)
{
    set(static_cast<qlonglong>(number));
    return *this;
}

Statement& Statement::bind(std::optional<WallTime> time)
{
    return bindMaybe(time ? std::optional<std::int64_t>(epochMillis(*time)) : std::nullopt);
}

Statement& Statement::bindMaybe(std::optional<std::int64_t> number)
{
    set(number ? QVariant(static_cast<qlonglong>(*number)) : QVariant());
    return *this;
}

Statement& Statement::bindReal(std::optional<double> number)
{
    set(number ? QVariant(*number) : QVariant());
    return *this;
}

Statement& Statement::bindBytes(std::string_view bytes)
{
    // Not null for an empty text, which would be stored as NULL.
    const char* data = bytes.data() != nullptr ? bytes.data() : "";
    set(QByteArray::fromRawData(data, static_cast<qsizetype>(bytes.size())));
    return *this;
}

Status Statement::run()
{
    prepareOnce();
    m_bound = 0;
    if (!m_prepared || !m_query.exec())
        return m_database.failure(m_query.lastError());
    return {};
}

bool Statement::next() { return m_query.next(); }

std::string Statement::text(int column) const { return m_query.value(column).toString().toStdString(); }

std::int64_t Statement::number(int column) const { return m_query.value(column).toLongLong(); }

std::optional<std::int64_t> Statement::maybeNumber(int column) const
{
    const QVariant value = m_query.value(column);
    return value.isNull() ? std::nullopt : std::optional<std::int64_t>(value.toLongLong());
}

std::optional<double> Statement::maybeReal(int column) const
{
    const QVariant value = m_query.value(column);
    return value.isNull() ? std::nullopt : std::optional<double>(value.toDouble());
}

std::optional<WallTime> Statement::maybeTime(int column) const
{
    const std::optional<std::int64_t> millis = maybeNumber(column);
    return millis ? std::optional<WallTime>(fromEpochMillis(*millis)) : std::nullopt;
}

Status Statement::end()
{
    const bool failed = m_query.lastError().isValid();
    Status status = failed ? Status(m_database.failure(m_query.lastError())) : Status();
    m_query.finish();
    return status;
}

DirectStatement::DirectStatement(Database& database, const char* sql, Way way) : m_database(database), m_sql(sql)
{
    if (way == Way::ThroughQt)
        m_throughQt.emplace(database, sql);
}

DirectStatement::~DirectStatement() { sqlite3_finalize(m_statement); }

bool DirectStatement::prepared()
{
    return m_statement != nullptr
           || sqlite3_prepare_v3(m_database.handle(), m_sql, -1, SQLITE_PREPARE_PERSISTENT, &m_statement, nullptr) == SQLITE_OK;
}

DirectStatement& DirectStatement::bind(std::string_view text)
{
    if (m_throughQt)
        m_throughQt->bindBytes(text);
    else if (prepared())
        sqlite3_bind_text(m_statement, ++m_bound, text.data() != nullptr ? text.data() : "", static_cast<int>(text.size()), SQLITE_STATIC);
    return *this;
}

DirectStatement& DirectStatement::bind(std::int64_t number)
{
    if (m_throughQt)
        m_throughQt->bind(number);
    else if (prepared())
        sqlite3_bind_int64(m_statement, ++m_bound, number);
    return *this;
}

Status DirectStatement::run()
{
    if (m_throughQt)
        return m_throughQt->run();
    m_bound = 0;
    const bool done = prepared() && sqlite3_step(m_statement) == SQLITE_DONE;
    // Read before the reset, which may change them.
    Status status = done ? Status() : Status(m_database.failure(sqlite3_extended_errcode(m_database.handle()),
                                                                sqlite3_errmsg(m_database.handle())));
    sqlite3_reset(m_statement);
    return status;
}

Transaction::~Transaction()
{
    if (!m_open)
        return;
    // Some failures roll back by themselves; then this is refused, which is as good, and must not hide their code.
    m_database.query().exec(QStringLiteral("ROLLBACK"));
}

Status Transaction::begin()
{
    Status begun = m_database.run("BEGIN IMMEDIATE");
    m_open = begun.ok();
    return begun;
}

Status Transaction::commit()
{
    Status committed = m_database.run("COMMIT");
    if (committed)
        m_open = false;
    return committed;
}

}  // namespace omni
