#pragma once

#include "store/data_folder.h"
#include "store/store.h"

#include <string>

namespace omni {

/// At the start, before the database is opened: a backup that was laid ready (BackupShelf::prepareRestore) takes its place. The present
/// database goes among the backups first, whole. What is laid ready is looked through once more; when it is not sound, or the present one
/// cannot be moved, everything stays as it is and `opening` says why. A crash at any moment leaves the old database or the new one in place,
/// or the old one among the backups and the new one still laid ready.
void putPreparedInPlace(const DataFolder& folder, int knownSchema, StoreOpening& opening);

/// Empty when the file can take the database's place; else why not, in a sentence for the user. Reads all of it.
std::string unfitness(const std::string& path, int knownSchema);

}  // namespace omni
