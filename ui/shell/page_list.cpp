#include "ui/shell/page_list.h"

#include "ui/clients/clients_page.h"
#include "ui/connections/connections_page.h"
#include "ui/help/help_page.h"
#include "ui/models/display_text.h"
#include "ui/models/holds.h"
#include "ui/overview/overview_page.h"
#include "ui/requests/requests_page.h"
#include "ui/settings/settings_page.h"

#include <QCoreApplication>
#include <QStringList>

#include <memory>

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

/// A file of the data folder.
std::string besideDatabase(const std::string& databasePath, const char* name)
{
    return databasePath.substr(0, databasePath.find_last_of('/') + 1) + name;
}

}  // namespace

std::vector<PageEntry> desktopPages(CoreLink& link, Autostart* autostart, const std::string& databasePath)
{
    std::vector<PageEntry> pages;
    pages.push_back({QStringLiteral("overview"), [] { return Words::tr("Overview"); },
                     [&link](QWidget* parent) -> Page* { return new OverviewPage(link, parent); }});
    pages.push_back({QStringLiteral("connections"), [] { return Words::tr("Connections"); },
                     [&link](QWidget* parent) -> Page* { return new ConnectionsPage(link, parent); }, false, &heldConnections});
    pages.push_back({QStringLiteral("requests"), [] { return Words::tr("Requests"); },
                     [&link, databasePath](QWidget* parent) -> Page* { return new RequestsPage(link, databasePath, parent); }});
    pages.push_back({QStringLiteral("clients"), [] { return Words::tr("Clients"); }, [&link, databasePath](QWidget* parent) -> Page* {
                         return new ClientsPage(link, besideDatabase(databasePath, "clients.json"), client_setup::Places::ofThisUser(), parent);
                     }});
    pages.push_back({QStringLiteral("settings"), [] { return Words::tr("Settings"); },
                     [&link, autostart](QWidget* parent) -> Page* { return new SettingsPage(link, autostart, parent); }, true});
    const auto ids = std::make_shared<QStringList>();
    pages.push_back({QStringLiteral("help"), [] { return Words::tr("Help"); },
                     [&link, ids](QWidget* parent) -> Page* { return new HelpPage(link, ids, parent); }, true});
    for (const PageEntry& page : pages)
        *ids << page.id;
    return pages;
}

}  // namespace omni
