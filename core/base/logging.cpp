#include "base/logging.h"

namespace omni {

Q_LOGGING_CATEGORY(lcBase, "omniroute.base", QtInfoMsg)
Q_LOGGING_CATEGORY(lcStore, "omniroute.store", QtInfoMsg)
Q_LOGGING_CATEGORY(lcSecrets, "omniroute.secrets", QtInfoMsg)
Q_LOGGING_CATEGORY(lcEngine, "omniroute.engine", QtInfoMsg)
Q_LOGGING_CATEGORY(lcUpstream, "omniroute.upstream", QtInfoMsg)
Q_LOGGING_CATEGORY(lcProxy, "omniroute.proxy", QtInfoMsg)
Q_LOGGING_CATEGORY(lcControl, "omniroute.control", QtInfoMsg)
Q_LOGGING_CATEGORY(lcUi, "omniroute.ui", QtInfoMsg)

}  // namespace omni
