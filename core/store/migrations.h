#pragma once

#include "store/database.h"

#include <string>
#include <string_view>
#include <vector>

namespace omni {

/// One numbered step of the schema. A published one never changes.
struct Migration {
    int version = 0;
    std::string name;  ///< "0001_configuration"
    std::string sql;
};

/// Those compiled into the program (":/migrations"), in order, without gaps.
Result<std::vector<Migration>> builtinMigrations();

/// Splits a script at its semicolons, minding comments and quotes; SQLite takes one statement at a time. Triggers are not supported.
std::vector<std::string> sqlStatements(std::string_view script);

/// Brings the schema from `version` to the last migration in one transaction: all of it or nothing.
Status migrate(Database& database, const std::vector<Migration>& migrations, int version);

/// In the header of the file, so that another program's database is never taken for ours: "OmnR".
inline constexpr std::int64_t kApplicationId = 0x4F6D6E52;

}  // namespace omni
