#pragma once

#include <QLoggingCategory>

namespace omni {

// One category for each part, "omniroute.<part>". Nothing on the way of a request logs above debug level.
Q_DECLARE_LOGGING_CATEGORY(lcBase)
Q_DECLARE_LOGGING_CATEGORY(lcStore)
Q_DECLARE_LOGGING_CATEGORY(lcSecrets)
Q_DECLARE_LOGGING_CATEGORY(lcEngine)
Q_DECLARE_LOGGING_CATEGORY(lcUpstream)
Q_DECLARE_LOGGING_CATEGORY(lcProxy)
Q_DECLARE_LOGGING_CATEGORY(lcControl)
Q_DECLARE_LOGGING_CATEGORY(lcUi)

}  // namespace omni
