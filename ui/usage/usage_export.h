#pragma once

#include "model/configuration.h"
#include "store/usage_history.h"

#include <QString>

#include <cstdint>

namespace omni {

/// Writes everything known of a range as CSV (RFC 4180, UTF-8): one line for each day, provider, connection, model and client key, dates
/// and numbers as machines read them. The file is there whole or, after an error, as it was. Blocks for the reading and the writing;
/// returns the lines without the head.
Result<std::int64_t> exportUsage(UsageHistory& history, const UsageRange& range, const Configuration& configuration, const QString& path);

}  // namespace omni
