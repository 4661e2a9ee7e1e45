#include "ui/combos/asked_names.h"

#include "routing/target_check.h"
#include "ui/models/display_text.h"

#include <string_view>
#include <unordered_set>

namespace omni {

QStringList modelsOfProvider(const Provider& provider, const std::vector<const Connection*>& connections)
{
    // A thousand keys of one provider list the same models: they are told apart before they are turned into texts for the screen.
    std::unordered_set<std::string_view> models;
    for (const Connection* connection : connections) {
        models.insert(connection->models.begin(), connection->models.end());
        if (!connection->defaultModel.empty())
            models.insert(connection->defaultModel);
    }
    for (const ModelInfo& model : provider.models)
        models.insert(model.id);
    QStringList sorted;
    sorted.reserve(static_cast<qsizetype>(models.size()));
    for (const std::string_view model : models)
        sorted << toQString(model);
    sorted.sort(Qt::CaseInsensitive);
    return sorted;
}

QStringList askedNames(const Configuration& configuration)
{
    QStringList names;
    for (const Combo& combo : configuration.combos)
        names << toQString(combo.name);
    for (const ModelAlias& alias : configuration.aliases)
        names << toQString(alias.name);
    names.sort(Qt::CaseInsensitive);
    const TargetCheck check(configuration);
    QStringList models;
    const auto add = [&](const Provider& provider) {
        const std::vector<const Connection*>& connections = check.connectionsOf(provider.id);
        if (connections.empty())
            return;
        const bool own = provider.category == ProviderCategory::Compatible && !provider.alias.empty();
        const QString prefix = toQString(own ? provider.alias : provider.id.str()) + QLatin1Char('/');
        for (const QString& model : modelsOfProvider(provider, connections))
            models << prefix + model;
    };
    for (const ProviderNode& node : configuration.nodes) {
        if (const Provider* provider = configuration.provider(node.id))
            add(*provider);
    }
    if (configuration.catalogue) {
        for (const Provider& provider : configuration.catalogue->all())
            add(provider);
    }
    return names + models;
}

}  // namespace omni
