#include "store/migrations.h"

#include "base/text.h"

#include <QDir>
#include <QFile>

// Outside the namespace, as Qt asks; needed because this is a static library.
static void registerMigrations() { Q_INIT_RESOURCE(store); }

namespace omni {

Result<std::vector<Migration>> builtinMigrations()
{
    registerMigrations();
    const QDir folder(QStringLiteral(":/migrations"));
    std::vector<Migration> migrations;
    for (const QString& file : folder.entryList({QStringLiteral("*.sql")}, QDir::Files, QDir::Name)) {
        QFile content(folder.filePath(file));
        Migration migration;
        migration.name = file.chopped(4).toStdString();
        migration.version = static_cast<int>(parseUnsigned(std::string_view(migration.name).substr(0, 4)).value_or(0));
        if (migration.version != static_cast<int>(migrations.size()) + 1 || !content.open(QIODevice::ReadOnly))
            return Error{ErrorKind::Internal, "The schema step " + migration.name + " of this program is out of order or unreadable"};
        migration.sql = content.readAll().toStdString();
        migrations.push_back(std::move(migration));
    }
    if (migrations.empty())
        return Error{ErrorKind::Internal, "This program was built without its database schema"};
    return migrations;
}

std::vector<std::string> sqlStatements(std::string_view script)
{
    std::vector<std::string> statements;
    std::string current;
    const auto finish = [&] {
        if (current.find_first_not_of(" \t\r\n") != std::string::npos)
            statements.push_back(current);
        current.clear();
    };
    std::size_t at = 0;
    while (at < script.size()) {
        const char c = script[at];
        if (script.substr(at, 2) == "--") {
            const std::size_t end = script.find('\n', at);
            at = end == std::string_view::npos ? script.size() : end;
        } else if (script.substr(at, 2) == "/*") {
            const std::size_t end = script.find("*/", at + 2);
            at = end == std::string_view::npos ? script.size() : end + 2;
        } else if (c == '\'' || c == '"') {
            // A doubled quote ends one text and begins the next, which comes to the same.
            const std::size_t end = script.find(c, at + 1);
            const std::size_t stop = end == std::string_view::npos ? script.size() : end + 1;
            current.append(script.substr(at, stop - at));
            at = stop;
        } else {
            if (c == ';')
                finish();
            else
                current += c;
            ++at;
        }
    }
    finish();
    return statements;
}

Status migrate(Database& database, const std::vector<Migration>& migrations, int version)
{
    // A step may rebuild a table that others refer to; the references are checked as a whole before it is committed.
    if (Status off = database.run("PRAGMA foreign_keys = OFF"); !off)
        return off;
    Transaction transaction(database);
    if (Status begun = transaction.begin(); !begun)
        return begun;
    for (const Migration& migration : migrations) {
        if (migration.version <= version)
            continue;
        for (const std::string& statement : sqlStatements(migration.sql)) {
            if (const Status ran = database.run(statement); !ran)
                return Error{ErrorKind::Storage, "The database could not be brought to a newer form (step " + migration.name
                                                     + "); nothing was changed. " + ran.error().message};
        }
    }
    const Result<std::string> broken = database.text("SELECT \"table\" FROM pragma_foreign_key_check LIMIT 1");
    if (!broken)
        return broken.error();
    if (!broken->empty())
        return Error{ErrorKind::Storage, "The database could not be brought to a newer form: references of " + *broken
                                             + " would break; nothing was changed"};
    if (Status marked = database.run("PRAGMA application_id = " + std::to_string(kApplicationId)); !marked)
        return marked;
    if (Status marked = database.run("PRAGMA user_version = " + std::to_string(migrations.back().version)); !marked)
        return marked;
    return transaction.commit();
}

}  // namespace omni
