#pragma once

#include "ui/shell/main_window.h"

#include <QString>

#include <string>

namespace omni {

/// The welcome of a first start: before all other pages while there is no connection but the sandbox and it was not dismissed; once
/// begun, until it is finished or the program ends. `stateFile` remembers that it was dismissed; `journal` as of ClientsPage.
PageEntry welcomePage(CoreLink& link, const std::string& journal, const QString& stateFile);

}  // namespace omni
