#include "ui/shell/page_doors.h"

#include "control/client_setup/clients.h"
#include "ui/help/help_topics.h"
#include "ui/models/display_text.h"
#include "ui/models/holds.h"
#include "ui/settings/settings_places.h"

#include <QCoreApplication>
#include <QLocale>
#include <QSet>

namespace omni {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(omni::PageDoors)
};

}  // namespace

std::vector<PageDoor> connectionDoors(const CoreLink& link)
{
    std::vector<PageDoor> doors{{QStringLiteral("new"), Words::tr("Add a connection…"), {}, true}};
    for (const Connection& connection : link.configuration()->connections) {
        doors.push_back({toQString(connection.id.str()), targetText(link.configuration().get(), connection.provider, connection.name),
                         Words::tr("Connection")});
    }
    return doors;
}

std::vector<PageDoor> comboDoors(const CoreLink& link)
{
    std::vector<PageDoor> doors{{QStringLiteral("new"), Words::tr("Add a combo…"), {}, true},
                                {QStringLiteral("alias:new"), Words::tr("Add an alias…"), {}, true}};
    for (const Combo& combo : link.configuration()->combos)
        doors.push_back({toQString(combo.name), toQString(combo.name), Words::tr("Combo")});
    for (const ModelAlias& alias : link.configuration()->aliases)
        doors.push_back({toQString(alias.name), toQString(alias.name), Words::tr("Alias of %1").arg(toQString(alias.model))});
    return doors;
}

std::vector<PageDoor> lockoutDoors(const CoreLink& link)
{
    std::vector<PageDoor> doors;
    QSet<QString> seen;
    const WallTime now = wallNow();
    for (const ModelLockout& lockout : link.engine().lockouts) {
        const QString model = toQString(lockout.model);
        if (lockout.until <= now || seen.contains(model))
            continue;
        seen.insert(model);
        doors.push_back({model, lockedModelText(lockout), Words::tr("Model at rest, %1").arg(providerText(link.configuration().get(), lockout.provider))});
    }
    return doors;
}

std::vector<PageDoor> apiKeyDoors(const CoreLink& link)
{
    std::vector<PageDoor> doors{{QStringLiteral("new"), Words::tr("Create a client key…"), {}, true}};
    for (const ApiKey& key : link.configuration()->apiKeys)
        doors.push_back({toQString(key.id.str()), toQString(key.name), Words::tr("Client key")});
    return doors;
}

std::vector<PageDoor> clientDoors(const CoreLink&)
{
    std::vector<PageDoor> doors;
    for (const client_setup::Client& client : client_setup::clients())
        doors.push_back({toQString(client.id), Words::tr("Set up %1").arg(toQString(client.name)), Words::tr("Client")});
    return doors;
}

std::vector<PageDoor> usageDoors(const CoreLink&)
{
    return {{QStringLiteral("export"), Words::tr("Export the usage as CSV…"), {}, true}};
}

std::vector<PageDoor> settingsDoors(const CoreLink&)
{
    std::vector<PageDoor> doors;
    for (const SettingsPlace& place : settingsPlaces()) {
        doors.push_back({place.id, place.title,
                         place.title == place.group ? Words::tr("Settings") : Words::tr("Settings, %1", "group").arg(place.group)});
    }
    return doors;
}

std::vector<PageDoor> helpDoors(const CoreLink&)
{
    std::vector<PageDoor> doors;
    const QString language = QLocale().name().section(QLatin1Char('_'), 0, 0);
    for (const QString& topic : helpTopics())
        doors.push_back({topic, helpText(topic, language, {}).title, Words::tr("Help")});
    return doors;
}

}  // namespace omni
