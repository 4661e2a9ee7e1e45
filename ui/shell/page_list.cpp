#include "ui/shell/page_list.h"

#include "ui/combos/combos_page.h"
#include "ui/connections/connections_page.h"
#include "ui/models/display_text.h"
#include "ui/models/holds.h"
#include "ui/overview/overview_page.h"
#include "ui/requests/requests_page.h"
#include "ui/settings/settings_page.h"

#include <QCoreApplication>

namespace omni {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(omni::PageList)
};

/// Connections that are held, each for its own sake: an open breaker has its own place on the overview.
int heldConnections(const CoreLink& link)
{
    return static_cast<int>(listHolds(*link.configuration(), link.engine(), wallNow(), 0).connections);
}

}  // namespace

std::vector<PageEntry> desktopPages(CoreLink& link, Autostart* autostart, const std::string& databasePath)
{
    std::vector<PageEntry> pages;
    pages.push_back({QStringLiteral("overview"), [] { return Words::tr("Overview"); },
                     [&link](QWidget* parent) -> Page* { return new OverviewPage(link, parent); }});
    pages.push_back({QStringLiteral("connections"), [] { return Words::tr("Connections"); },
                     [&link](QWidget* parent) -> Page* { return new ConnectionsPage(link, parent); }, false, &heldConnections});
    pages.push_back({QStringLiteral("combos"), [] { return Words::tr("Combos"); },
                     [&link](QWidget* parent) -> Page* { return new CombosPage(link, parent); }});
    pages.push_back({QStringLiteral("requests"), [] { return Words::tr("Requests"); },
                     [&link, databasePath](QWidget* parent) -> Page* { return new RequestsPage(link, databasePath, parent); }});
    pages.push_back({QStringLiteral("settings"), [] { return Words::tr("Settings"); },
                     [&link, autostart](QWidget* parent) -> Page* { return new SettingsPage(link, autostart, parent); }, true});
    return pages;
}

}  // namespace omni
