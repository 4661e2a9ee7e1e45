#include "ui/theme/resources.h"

#include <QtGlobal>

namespace {

/// The macro must stand outside of any named namespace.
void load()
{
    Q_INIT_RESOURCE(ui);
}

}  // namespace

namespace omni {

void loadUiResources()
{
    load();
}

}  // namespace omni
