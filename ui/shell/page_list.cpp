#include "ui/shell/page_list.h"

#include "ui/api_keys/api_keys_page.h"
#include "ui/clients/clients_page.h"
#include "ui/combos/combos_page.h"
#include "ui/connections/connections_page.h"
#include "ui/cooldowns/cooldowns_page.h"
#include "ui/cooldowns/held_row.h"
#include "ui/cooldowns/hold_history.h"
#include "ui/help/help_page.h"
#include "ui/lockouts/lockouts_page.h"
#include "ui/models/display_text.h"
#include "ui/overview/overview_page.h"
#include "ui/requests/requests_page.h"
#include "ui/settings/settings_page.h"
#include "ui/shell/page_doors.h"
#include "ui/usage/usage_page.h"

#include <QCoreApplication>
#include <QStringList>

#include <map>
#include <memory>

namespace omni {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(omni::PageList)
};

int heldCount(const CoreLink& link)
{
    return countHeld(*link.configuration(), link.engine(), wallNow());
}

/// A file of the data folder.
std::string besideDatabase(const std::string& databasePath, const char* name)
{
    return databasePath.substr(0, databasePath.find_last_of('/') + 1) + name;
}

}  // namespace

std::vector<PageEntry> desktopPages(CoreLink& link, Autostart* autostart, const std::string& databasePath)
{
    // Gathers from the start what the Cooldown Manager tells of the last hour, however late the page is opened.
    const auto history = std::make_shared<HoldHistory>(link);
    std::vector<PageEntry> pages;
    pages.push_back({QStringLiteral("overview"), [] { return Words::tr("Overview"); },
                     [&link, databasePath](QWidget* parent) -> Page* { return new OverviewPage(link, databasePath, parent); }});
    pages.push_back({QStringLiteral("connections"), [] { return Words::tr("Connections"); },
                     [&link](QWidget* parent) -> Page* { return new ConnectionsPage(link, parent); }});
    pages.push_back({QStringLiteral("combos"), [] { return Words::tr("Combos"); },
                     [&link](QWidget* parent) -> Page* { return new CombosPage(link, parent); }});
    pages.push_back(
        {QStringLiteral("cooldowns"), [] { return Words::tr("Cooldown Manager"); },
         [&link, history, databasePath](QWidget* parent) -> Page* { return new CooldownsPage(link, history, databasePath, parent); }, false,
         &heldCount});
    pages.push_back({QStringLiteral("lockouts"), [] { return Words::tr("Model Cooldowns"); },
                     [&link](QWidget* parent) -> Page* { return new LockoutsPage(link, parent); }});
    pages.push_back({QStringLiteral("requests"), [] { return Words::tr("Requests"); },
                     [&link, databasePath](QWidget* parent) -> Page* { return new RequestsPage(link, databasePath, parent); }});
    pages.push_back({QStringLiteral("usage"), [] { return Words::tr("Usage"); },
                     [&link, databasePath](QWidget* parent) -> Page* { return new UsagePage(link, databasePath, parent); }});
    pages.push_back({QStringLiteral("clients"), [] { return Words::tr("Clients"); }, [&link, databasePath](QWidget* parent) -> Page* {
                         return new ClientsPage(link, besideDatabase(databasePath, "clients.json"), client_setup::Places::ofThisUser(), parent);
                     }});
    pages.push_back({QStringLiteral("api-keys"), [] { return Words::tr("API keys"); },
                     [&link](QWidget* parent) -> Page* { return new ApiKeysPage(link, parent); }});
    pages.push_back({QStringLiteral("settings"), [] { return Words::tr("Settings"); },
                     [&link, autostart, databasePath](QWidget* parent) -> Page* { return new SettingsPage(link, autostart, databasePath, parent); }, true});
    const auto ids = std::make_shared<QStringList>();
    pages.push_back({QStringLiteral("help"), [] { return Words::tr("Help"); },
                     [&link, ids](QWidget* parent) -> Page* { return new HelpPage(link, ids, parent); }, true});
    const std::map<QString, std::vector<PageDoor> (*)(const CoreLink&)> doors{
        {QStringLiteral("connections"), &connectionDoors}, {QStringLiteral("combos"), &comboDoors},
        {QStringLiteral("lockouts"), &lockoutDoors},       {QStringLiteral("usage"), &usageDoors},
        {QStringLiteral("clients"), &clientDoors},         {QStringLiteral("api-keys"), &apiKeyDoors},
        {QStringLiteral("settings"), &settingsDoors},      {QStringLiteral("help"), &helpDoors}};
    for (PageEntry& page : pages) {
        *ids << page.id;
        if (const auto known = doors.find(page.id); known != doors.end())
            page.doors = known->second;
    }
    return pages;
}

}  // namespace omni
