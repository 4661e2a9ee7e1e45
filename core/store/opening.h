#pragma once

#include "store/data_folder.h"
#include "store/database.h"
#include "store/migrations.h"
#include "store/store.h"

#include <memory>
#include <string>
#include <vector>

namespace omni {

/// How safely a transaction is on disk when COMMIT returns.
enum class Durability {
    Flushed,  ///< survives a loss of power: the log is flushed by each COMMIT
    Ordered   ///< the newest may be lost with the power, never with the process; the file stays sound
};

/// The writing connection of a store, ready for use.
struct WritableDatabase {
    std::unique_ptr<Database> database;
    /// False on file systems without shared memory (network, FAT): the rollback journal is used there, and every COMMIT is flushed.
    bool writeAheadLog = true;

    Status setDurability(Durability durability);

private:
    Durability m_durability = Durability::Ordered;
};

/// Opens the database of a folder in the calling thread: makes it, checks it, migrates it or rescues what is in it, as `Store::open`
/// promises.
Result<WritableDatabase> openForWriting(const DataFolder& folder, const std::vector<Migration>& migrations, StoreOpening& opening);

/// A consistent, compact copy at `path`, which must not exist; mode 0600. Blocks for as long as it takes to read the whole file.
Status copyDatabase(Database& database, const std::string& path);

/// What is wrong with the database in words of SQLite, the whole file looked through; empty when it is sound and of this program and not
/// newer than schema `known`. Errors: it belongs to another program or to a newer version of this one, or it could not be read at all.
Result<std::string> damageIn(Database& database, int known);

/// What SQLite says of a table, or of the whole file when `table` is empty; "ok" when all is well. Damage that keeps it from
/// looking is told in the same way.
Result<std::string> quickCheck(Database& database, std::string_view table);

}  // namespace omni
