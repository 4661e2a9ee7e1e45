#include "routing/router.h"

#include "base/text.h"
#include "routing/key_policy.h"
#include "routing/near_names.h"
#include "routing/plan_builder.h"
#include "routing/refused_plans.h"
#include "routing/routing_table.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace omni {

namespace {

constexpr int kAliasDepth = 8;
constexpr std::string_view kComboPrefix = "combo/";

std::string_view prefixOf(const Provider& provider)
{
    return provider.category == ProviderCategory::Compatible && !provider.alias.empty() ? provider.alias : provider.id.str();
}

bool available(const Combo& combo)
{
    return std::find(kComboStrategies.begin(), kComboStrategies.end(), combo.strategy) != kComboStrategies.end();
}

}  // namespace

struct Router::Private {
    explicit Private(Random& usedRandom) : random(usedRandom) {}

    Status answerable(const PlanRequest& request) const;
    Result<Plan> plan(const PlanRequest& request, Engine& engine);
    Status fill(std::string_view name, const PlanRequest& request, PlanBuilder& builder, Plan& plan) const;
    Status fillCombo(const Combo& combo, PlanBuilder& builder, Plan& plan) const;
    Status fillProvider(const ProviderRoute& route, std::string_view model, const PlanRequest& request, PlanBuilder& builder) const;
    Error aliasError(std::string_view name) const;
    Error notFound(std::string_view name, const PlanRequest& request) const;

    Random& random;
    ConfigurationPtr configuration;
    std::unique_ptr<RoutingTable> table;
    RefusedPlans refused;
};

Router::Router(Random& random) : d(std::make_unique<Private>(random)) {}

Router::~Router() = default;

void Router::setConfiguration(ConfigurationPtr configuration)
{
    d->refused.clear();
    d->table.reset();
    d->configuration = std::move(configuration);
    if (d->configuration)
        d->table = std::make_unique<RoutingTable>(*d->configuration, d->random);
}

const ConfigurationPtr& Router::configuration() const
{
    return d->configuration;
}

Result<Plan> Router::plan(const PlanRequest& request, Engine& engine)
{
    return d->plan(request, engine);
}

Status Router::Private::answerable(const PlanRequest& request) const
{
    if (request.model.empty())
        return Error{ErrorKind::InvalidArgument, "The request names no model.", {{"model", "must be a model, an alias or a combo"}}};
    if (!table)
        return Error{ErrorKind::Unavailable, "The proxy has no configuration yet. Try again in a moment."};
    return {};
}

Result<RoutePreview> Router::preview(const PlanRequest& request, Engine& engine, PreviewScope scope) const
{
    if (const Status status = d->answerable(request); !status)
        return status.error();
    Plan plan;
    plan.configuration = d->configuration;
    RoutePreview preview;
    preview.operation = request.operation;
    PlanBuilder builder(plan, request, engine, *d->table);
    builder.noteIn(preview, scope);
    if (const Status status = d->fill(request.model, request, builder, plan); !status)
        return status.error();
    preview.combo = plan.combo;
    preview.truncated = preview.considered.size() > scope.most;
    if (preview.truncated)
        preview.considered.resize(scope.most);
    return preview;
}

Result<Plan> Router::Private::plan(const PlanRequest& request, Engine& engine)
{
    if (const Status status = answerable(request); !status)
        return status.error();
    if (std::optional<Plan> kept = refused.find(request, engine))
        return *std::move(kept);
    Plan plan;
    plan.configuration = configuration;
    plan.requestedModel = request.model;
    PlanBuilder builder(plan, request, engine, *table);
    if (const Status status = fill(request.model, request, builder, plan); !status)
        return status.error();
    if (builder.allDenied())
        return Error{ErrorKind::Forbidden, "The API key " + inQuotes(request.apiKey->name) + " may not use " + inQuotes(request.model) +
                                               ". Ask for a model it allows, or widen its list of models and connections."};
    if (plan.targets.empty() && !builder.unsettled())
        refused.keep(request, plan, builder.soonest(), engine);
    return plan;
}

Status Router::Private::fill(std::string_view name, const PlanRequest& request, PlanBuilder& builder, Plan& plan) const
{
    const KeyPolicy policy(request.apiKey);
    for (int depth = 0;; ++depth) {
        builder.follow(name);
        const bool asCombo = name.substr(0, kComboPrefix.size()) == kComboPrefix;
        const NamedRoute* named = table->named(name);
        if (!named && asCombo) {
            named = table->named(name.substr(kComboPrefix.size()));
            if (!named || !named->combo)
                return notFound(name, request);
        }
        if (!named)
            break;
        if (policy.restrictsModels() && (policy.allowsName(name) || (named->combo && policy.allowsName(named->combo->name))))
            builder.allowWhatever();
        if (named->combo)
            return fillCombo(*named->combo, builder, plan);
        if (depth == kAliasDepth)
            return aliasError(request.model);
        name = named->alias->model;
    }
    const std::size_t slash = name.find('/');
    if (slash != std::string_view::npos) {
        if (const ProviderRoute* route = table->provider(name.substr(0, slash)))
            return fillProvider(*route, name.substr(slash + 1), request, builder);
    }
    const CandidateList* listed = table->model(name);
    if (!listed)
        return notFound(name, request);
    builder.addAll(*listed, name);
    return {};
}

Status Router::Private::fillProvider(const ProviderRoute& route, std::string_view model, const PlanRequest& request,
                                     PlanBuilder& builder) const
{
    const Provider& provider = *route.provider;
    if (route.candidates.empty())
        return Error{ErrorKind::NotFound, provider.name + " has no connection yet. Add one on the page Connections."};
    if (model.empty())
        return Error{ErrorKind::InvalidArgument, inQuotes(request.model) + " names no model after the \"/\".", {{"model", "is incomplete"}}};
    const CandidateList* modelRoute = table->model(model);
    const bool offered = std::any_of(route.candidates.begin(), route.candidates.end(),
                                     [modelRoute](const Candidate* candidate) { return RoutingTable::offers(*candidate, modelRoute); });
    if (offered) {
        builder.addAll(route.candidates, model);
        return {};
    }
    NearNames near(model);
    const KeyPolicy policy(request.apiKey);
    for (const Candidate* candidate : route.candidates) {
        for (const std::string_view name : RoutingTable::offeredModels(*candidate)) {
            if (policy.allowsModel(provider, name))
                near.offer(name);
        }
    }
    return Error{ErrorKind::NotFound, provider.name + " lists no model " + inQuotes(model) +
                                          ". Refresh the connection's models, or let it pass on unlisted ones." + near.text()};
}

Status Router::Private::fillCombo(const Combo& combo, PlanBuilder& builder, Plan& plan) const
{
    if (!available(combo))
        return Error{ErrorKind::InvalidArgument, "The combo " + inQuotes(combo.name) + " has the strategy " + inQuotes(combo.strategy) +
                                                     "; only \"priority\" is available now. Change it on the combo."};
    plan.combo = combo.name;
    for (std::size_t i = 0; i < combo.targets.size() && !builder.full(); ++i) {
        const ComboTarget& step = combo.targets[i];
        builder.beginStep(i);
        if (step.connection) {
            const Candidate* pinned = table->connection(*step.connection);
            // The pin is exact: no sibling steps in for a connection that is gone (spec 1-core §9).
            if (pinned && pinned->provider->id == step.provider)
                builder.addOne(*pinned, step.model);
            else
                builder.exclude(step.provider, *step.connection, step.label, step.model, Exclusion::Unavailable);
            continue;
        }
        const ProviderRoute* route = table->providerById(step.provider);
        if (route && !route->candidates.empty())
            builder.addAll(route->candidates, step.model);
        else
            builder.exclude(step.provider, {}, step.label, step.model, Exclusion::Unavailable);
    }
    return {};
}

Error Router::Private::aliasError(std::string_view name) const
{
    std::vector<std::string_view> path;
    while (static_cast<int>(path.size()) <= kAliasDepth + 1) {
        const bool circle = std::find(path.begin(), path.end(), name) != path.end();
        path.push_back(name);
        const NamedRoute* named = table->named(name);
        if (circle || !named || !named->alias)
            break;
        name = named->alias->model;
    }
    std::string text;
    for (const std::string_view step : path)
        text += (text.empty() ? "" : " → ") + inQuotes(step);
    const bool circle = std::count(path.begin(), path.end(), path.back()) > 1;
    return Error{ErrorKind::InvalidArgument,
                 circle ? "The aliases lead in a circle: " + text + ". Change one of them."
                        : "The aliases lead on more than " + std::to_string(kAliasDepth) + " times: " + text + ". Shorten the chain.",
                 {{"model", "is an alias without an end"}}};
}

Error Router::Private::notFound(std::string_view name, const PlanRequest& request) const
{
    NearNames near(name);
    const KeyPolicy policy(request.apiKey);
    const auto offerAllowed = [&](std::string_view candidate) {
        if (policy.allowsName(candidate))
            near.offer(candidate);
    };
    table->forEachName(offerAllowed);
    const std::size_t slash = name.find('/');
    if (slash == std::string_view::npos) {
        table->forEachModel(offerAllowed);
        return Error{ErrorKind::NotFound, "No model, alias or combo is called " + inQuotes(name) + "." + near.text()};
    }
    NearNames nearProviders(name.substr(0, slash));
    table->forEachProviderName([&](std::string_view candidate) { nearProviders.offer(candidate); });
    return Error{ErrorKind::NotFound, "No provider is called " + inQuotes(name.substr(0, slash)) + ", and no model, alias or combo " +
                                          inQuotes(name) + "." + (near.text().empty() ? nearProviders.text() : near.text())};
}

std::vector<Router::ListedModel> Router::models(const ApiKey* apiKey) const
{
    std::vector<ListedModel> listed;
    if (!d->table)
        return listed;
    const KeyPolicy policy(apiKey);
    std::unordered_set<std::string> seen;
    const auto add = [&](std::string id, std::string_view owner, int contextLength) {
        if (seen.insert(id).second)
            listed.push_back({std::move(id), std::string(owner), contextLength});
    };
    for (const Combo& combo : d->configuration->combos) {
        if (combo.targets.empty() || !available(combo))
            continue;
        const bool allowed =
            policy.allowsName(combo.name) || std::any_of(combo.targets.begin(), combo.targets.end(), [&](const ComboTarget& step) {
                const ProviderRoute* route = d->table->providerById(step.provider);
                return route && policy.allowsModel(*route->provider, step.model);
            });
        if (allowed)
            add(combo.name, "combo", 0);
    }
    for (const ModelAlias& alias : d->configuration->aliases) {
        if (policy.allowsName(alias.name) || policy.allowsName(alias.model))
            add(alias.name, "alias", 0);
    }
    std::unordered_map<const Provider*, std::unordered_map<std::string_view, int>> contextLengths;
    for (const Candidate& candidate : d->table->candidates()) {
        if (!candidate.connection->enabled || candidate.secretMissing || !policy.allowsConnection(candidate.connection->id))
            continue;
        const Provider& provider = *candidate.provider;
        auto& lengths = contextLengths[&provider];
        if (lengths.empty()) {
            for (const ModelInfo& model : provider.models)
                lengths.emplace(model.id, model.contextLength);
        }
        for (const std::string_view model : RoutingTable::offeredModels(candidate)) {
            if (!policy.allowsModel(provider, model))
                continue;
            const auto length = lengths.find(model);
            add(std::string(prefixOf(provider)) + "/" + std::string(model), provider.id.str(),
                length == lengths.end() ? 0 : length->second);
        }
    }
    return listed;
}

}  // namespace omni
