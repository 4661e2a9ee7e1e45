#pragma once

#include "store/data_folder.h"
#include "store/store.h"

#include <string>

namespace omni {

/// At the start, before the database is opened: a backup that was laid ready (BackupShelf::prepareRestore) takes its place. The present
/// database goes among the backups first, whole, with its logs. What is laid ready is looked through once more; when it is not fit, or the
/// present one cannot be moved, everything stays as it is and `opening` says why. A crash at any moment is made good at the next start.
/// An error means that there is no database, and that none must be begun: what was there is not lost, but could not be brought back.
Status putPreparedInPlace(const DataFolder& folder, int knownSchema, StoreOpening& opening);

/// Can the file take the database's place? Reads all of it. Conflict, in a sentence for the user, when it is damaged, another program's or
/// of a newer schema; another error says that it could not be looked through now.
Status checkFitness(const std::string& path, int knownSchema);

}  // namespace omni
