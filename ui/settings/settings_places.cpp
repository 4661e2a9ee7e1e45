#include "ui/settings/settings_places.h"

#include "ui/settings/settings_page.h"

namespace omni {

std::vector<SettingsPlace> settingsPlaces()
{
    std::vector<SettingsPlace> places;
    const auto alone = [&places](const char* id, const QString& title) { places.push_back({QLatin1String(id), title, title}); };
    const auto within = [&places](const QString& group, const char* id, const QString& title) {
        places.push_back({QLatin1String(id), title, group});
    };
    alone("proxy", SettingsPage::tr("Proxy"));
    alone("upstream", SettingsPage::tr("Providers"));
    alone("routing", SettingsPage::tr("Routing"));
    alone("log", SettingsPage::tr("Request log"));
    const QString resilience = SettingsPage::tr("Resilience");
    within(resilience, "resilience", SettingsPage::tr("Connection cooldown"));
    within(resilience, "providerBreaker", SettingsPage::tr("Provider breaker"));
    within(resilience, "providerCooldown", SettingsPage::tr("Provider cooldown in combos"));
    within(resilience, "streams", SettingsPage::tr("Streams that stall"));
    within(resilience, "dailyReset", SettingsPage::tr("Daily quotas"));
    within(resilience, "bans", SettingsPage::tr("Banned accounts"));
    alone("modelLockout", SettingsPage::tr("Model lockout"));
    const QString rules = SettingsPage::tr("Error rules");
    within(rules, "errorRules", SettingsPage::tr("Your error rules"));
    within(rules, "ruleTester", SettingsPage::tr("Try an answer"));
    alone("secrets", SettingsPage::tr("Protection of keys"));
    const QString copies = SettingsPage::tr("Backup and export");
    within(copies, "backups", SettingsPage::tr("Backups"));
    within(copies, "transfer", SettingsPage::tr("Export and import"));
    alone("appearance", SettingsPage::tr("Appearance"));
    return places;
}

}  // namespace omni
