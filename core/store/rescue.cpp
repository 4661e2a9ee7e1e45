#include "store/rescue.h"

#include "base/logging.h"
#include "base/private_file.h"
#include "store/data_folder.h"
#include "store/tables.h"

#include <QDir>
#include <QFile>
#include <QSqlError>
#include <QVariant>

#include <array>
#include <limits>

namespace omni {

namespace {

constexpr std::array<const char*, 3> kParts = {"", "-wal", "-shm"};
constexpr int kKeptCopies = 3;
constexpr qint64 kHeaderBytes = 100;
constexpr qint64 kPageBytes = 4096;

QString native(const std::string& path) { return QString::fromStdString(path); }

struct Salvage {
    std::int64_t rows = 0;
    std::int64_t refused = 0;  ///< read, but not fit to be stored: the bytes were damaged
    bool complete = true;
};

std::vector<QString> columnsOf(Database& database, std::string_view table)
{
    std::vector<QString> columns;
    QSqlQuery query = database.query();
    // Generated columns are not listed, which is as it should be.
    if (query.exec(QStringLiteral("PRAGMA table_info('%1')").arg(QString::fromStdString(std::string(table))))) {
        while (query.next())
            columns.push_back(QLatin1Char('"') + query.value(1).toString() + QLatin1Char('"'));
    }
    return columns;
}

/// Reads one table of the damaged file by its row numbers, from below over every gap, then from above down to what is known.
class TableSalvage {
public:
    TableSalvage(Database& from, Database& into, std::string_view table) : m_from(from), m_into(into)
    {
        const std::vector<QString> known = columnsOf(into, table);
        QStringList shared;
        QStringList marks;
        for (const QString& column : columnsOf(from, table)) {
            if (std::find(known.begin(), known.end(), column) == known.end())
                continue;
            shared.push_back(column);
            marks.push_back(QStringLiteral("?"));
        }
        m_columns = static_cast<int>(shared.size());
        const QString name = QString::fromStdString(std::string(table));
        m_select = QStringLiteral("SELECT rowid, %1 FROM %2 WHERE rowid ").arg(shared.join(QLatin1Char(',')), name);
        m_insertSql = QStringLiteral("INSERT OR IGNORE INTO %1 (%2) VALUES (%3)").arg(name, shared.join(QLatin1Char(',')), marks.join(QLatin1Char(',')));
    }

    Salvage run()
    {
        // Not one column readable: the definition of the table is lost, or it never had one in that older form.
        if (m_columns == 0) {
            m_result.complete = false;
            return m_result;
        }
        Transaction transaction(m_into);
        if (!transaction.begin()) {
            m_result.complete = false;
            return m_result;
        }
        m_insert.emplace(m_into.query());
        m_insert->prepare(m_insertSql);
        upwards();
        if (!m_result.complete)
            downwards();
        m_insert.reset();
        if (!transaction.commit())
            m_result = Salvage{0, 0, false};
        return m_result;
    }

private:
    void upwards()
    {
        std::int64_t after = std::numeric_limits<std::int64_t>::min();
        std::int64_t stride = 1;
        for (;;) {
            const std::int64_t before = m_last = after;
            if (copy(QStringLiteral("> ? ORDER BY rowid"), after))
                return;
            m_result.complete = false;
            // The damage begins after the last row read: leap ahead, further each time nothing comes.
            stride = m_last > before ? 1 : stride * 2;
            if (m_last == std::numeric_limits<std::int64_t>::min())
                m_last = 0;
            if (stride <= 0 || m_last > std::numeric_limits<std::int64_t>::max() - stride)
                return;
            after = m_last + stride;
        }
    }

    void downwards()
    {
        m_stopAtKnown = true;
        copy(QStringLiteral("< ? ORDER BY rowid DESC"), std::numeric_limits<std::int64_t>::max());
    }

    /// True when the table was read to its end.
    bool copy(const QString& range, std::int64_t bound)
    {
        QSqlQuery rows = m_from.query();
        rows.setForwardOnly(true);
        rows.prepare(m_select + range);
        rows.addBindValue(static_cast<qlonglong>(bound));
        if (!rows.exec())
            return false;
        while (rows.next()) {
            m_last = rows.value(0).toLongLong();
            for (int column = 0; column < m_columns; ++column)
                m_insert->bindValue(column, rows.value(column + 1));
            if (!m_insert->exec())
                ++m_result.refused;
            else if (m_insert->numRowsAffected() > 0)
                ++m_result.rows;
            else if (m_stopAtKnown)
                return true;
        }
        return !rows.lastError().isValid();
    }

    Database& m_from;
    Database& m_into;
    QString m_select;
    QString m_insertSql;
    std::optional<QSqlQuery> m_insert;
    int m_columns = 0;
    std::int64_t m_last = 0;
    bool m_stopAtKnown = false;
    Salvage m_result;
};

/// Can its list of tables be read at all?
bool readable(Database& database) { return database.number("SELECT count(*) FROM sqlite_schema").ok(); }

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
    for (const char* part : kParts)
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

std::string salvageAll(Database& damaged, Database& fresh)
{
    std::string report;
    const auto salvage = [&](std::string_view table) {
        const Salvage result = TableSalvage(damaged, fresh, table).run();
        report += (report.empty() ? "" : "; ") + describeSalvage(table, result);
    };
    for (const std::string_view table : kSmallTables)
        salvage(table);
    salvage(kLogTable);
    return "Carried over from the damaged database: " + report;
}

}  // namespace

Result<std::string> moveAside(const std::string& databasePath, const std::string& folder)
{
    if (const Status made = makePrivateFolder(folder, "."); !made)
        return made.error();
    std::string target = folder + "/damaged-" + fileStamp() + ".sqlite";
    for (int attempt = 1; QFile::exists(native(target)); ++attempt)
        target = folder + "/damaged-" + fileStamp() + "-" + std::to_string(attempt) + ".sqlite";
    for (const char* part : kParts) {
        const QString source = native(databasePath + part);
        if (QFile::exists(source) && !QFile::rename(source, native(target + part)))
            return Error{ErrorKind::Storage, databasePath + part + " is damaged and cannot be moved to " + target + part
                                                 + ". Check the permissions of the folder"};
    }
    keepNewest(folder, "damaged-", kKeptCopies);
    return target;
}

std::string carryOver(const std::string& damagedPath, Database& fresh)
{
    const std::string nothing = "Nothing could be read from the damaged database";
    Result<std::unique_ptr<Database>> damaged = Database::open(damagedPath, Database::Access::ReadOnly);
    if (damaged && readable(**damaged))
        return salvageAll(**damaged, fresh);
    const bool headerLost = damaged.ok() && (*damaged)->foundDamage();
    if (!headerLost)
        return nothing;
    const std::string copyPath = withSoundHeader(damagedPath, fresh);
    if (copyPath.empty())
        return nothing;
    std::string report = nothing;
    if (const auto copy = Database::open(copyPath, Database::Access::ReadOnly); copy && readable(**copy))
        report = salvageAll(**copy, fresh);
    removeCopy(copyPath);
    return report;
}

}  // namespace omni
