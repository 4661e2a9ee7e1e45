#include "ui/theme/resources.h"

#include <QtGlobal>

/// The macro must stand outside of any namespace.
static void load()
{
    Q_INIT_RESOURCE(ui);
    Q_INIT_RESOURCE(help);
}

namespace omni {

void loadUiResources()
{
    load();
}

}  // namespace omni
