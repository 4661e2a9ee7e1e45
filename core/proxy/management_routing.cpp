#include "proxy/management_call.h"
#include "proxy/management_views.h"

#include <algorithm>

namespace omni {

namespace {

Json viewOf(const ComboTarget& target)
{
    return {{"id", target.id},
            {"kind", "model"},
            {"provider", target.provider.str()},
            {"model", target.model},
            {"connectionId", target.connection ? Json(target.connection->str()) : Json()},
            {"label", textOrNull(target.label)}};
}

Json viewOf(const Combo& combo)
{
    Json targets = Json::array();
    for (const ComboTarget& target : combo.targets)
        targets.push_back(viewOf(target));
    return {{"id", combo.id.str()},
            {"version", 2},
            {"name", combo.name},
            {"strategy", combo.strategy},
            {"models", std::move(targets)},
            {"sortOrder", combo.sortOrder},
            {"createdAt", timeJson(combo.createdAt)},
            {"updatedAt", timeJson(combo.updatedAt)}};
}

Json viewOf(const ModelAlias& alias)
{
    return {{"name", alias.name}, {"model", alias.model}};
}

const Combo* namedCombo(const ManagementContext& context, const CallPtr& call)
{
    for (const Combo& combo : context.configuration().combos) {
        if (combo.id.str() == call->parameter())
            return &combo;
    }
    call->fail(404, "Combo not found", "not_found");
    return nullptr;
}

ProviderId providerNamed(const Configuration& configuration, const std::string& name)
{
    const Provider* provider = findProvider(configuration, name);
    return provider ? provider->id : ProviderId(name);  // validation names the one that does not exist
}

/// "provider/model", or an object (spec 4-surfaces §3.7).
ComboTarget readTarget(const Json& value, const std::string& field, const Configuration& configuration, std::vector<FieldError>& errors)
{
    ComboTarget target;
    if (value.is_string()) {
        const auto& text = value.get_ref<const std::string&>();
        const std::size_t slash = text.find('/');
        if (slash == std::string::npos || slash == 0 || slash + 1 == text.size()) {
            errors.push_back({field, "Must be \"provider/model\"."});
        } else {
            target.provider = providerNamed(configuration, text.substr(0, slash));
            target.model = text.substr(slash + 1);
        }
        return target;
    }
    ObjectReader reader(value, errors, field);
    std::string kind = "model";
    reader.text("kind", kind);
    if (kind != "model")
        reader.fail("kind", "Only \"model\" is supported; a combo cannot hold another one.");
    reader.text("id", target.id);
    std::string provider;
    if (reader.text("provider", provider) || reader.text("providerId", provider))
        target.provider = providerNamed(configuration, provider);
    else if (value.is_object())
        reader.fail("provider", "Required.");
    reader.text("model", target.model);
    std::string connection;
    // Both names are in use (spec 0-decisions, "names").
    if (reader.text("connectionId", connection) || reader.text("connection", connection))
        target.connection = ConnectionId(connection);
    reader.value("connection");
    reader.value("providerId");
    reader.text("label", target.label);
    reader.finish();
    return target;
}

std::vector<FieldError> readCombo(const Json& body, const Configuration& configuration, Combo& combo)
{
    std::vector<FieldError> errors;
    ObjectReader reader(body, errors);
    reader.text("name", combo.name);
    reader.text("strategy", combo.strategy);
    reader.number("sortOrder", combo.sortOrder);
    int version = 2;
    if (reader.number("version", version) && version != 2)
        reader.fail("version", "Only version 2 is understood.");
    if (const Json* models = reader.value("models")) {
        if (!models->is_array()) {
            reader.fail("models", "Must be a list of models.");
        } else {
            combo.targets.clear();
            for (std::size_t i = 0; i < models->size(); ++i)
                combo.targets.push_back(readTarget((*models)[i], "models[" + std::to_string(i) + "]", configuration, errors));
        }
    }
    reader.readOnly({"id", "createdAt", "updatedAt"});
    reader.finish();
    return errors;
}

void saveCombo(const ManagementContext& context, const CallPtr& call, Combo combo, bool fresh)
{
    const std::optional<Json> body = call->object();
    if (!body)
        return;
    if (!fresh && body->empty())
        return call->invalid({{"body", "Name at least one field to change."}});
    const std::vector<FieldError> errors = readCombo(*body, context.configuration(), combo);
    if (!errors.empty())
        return call->invalid(errors);
    context.control.saveCombo(std::move(combo), replyTo<Combo>(call, [fresh](ManagementCall& answered, const Combo& saved) {
        answered.answer(fresh ? 201 : 200, viewOf(saved));
    }));
}

void listCombos(const ManagementContext& context, const CallPtr& call)
{
    std::vector<const Combo*> combos;
    for (const Combo& combo : context.configuration().combos)
        combos.push_back(&combo);
    std::stable_sort(combos.begin(), combos.end(), [](const Combo* a, const Combo* b) { return a->sortOrder < b->sortOrder; });
    Json rows = Json::array();
    for (const Combo* combo : combos)
        rows.push_back(viewOf(*combo));
    call->answer(200, {{"combos", std::move(rows)}});
}

void createCombo(const ManagementContext& context, const CallPtr& call)
{
    saveCombo(context, call, {}, true);
}

void readComboById(const ManagementContext& context, const CallPtr& call)
{
    if (const Combo* combo = namedCombo(context, call))
        call->answer(200, viewOf(*combo));
}

void changeCombo(const ManagementContext& context, const CallPtr& call)
{
    if (const Combo* combo = namedCombo(context, call))
        saveCombo(context, call, *combo, false);
}

void removeCombo(const ManagementContext& context, const CallPtr& call)
{
    if (!namedCombo(context, call))
        return;
    context.control.removeCombo(ComboId(call->parameter()), replyTo<int>(call, [](ManagementCall& answered, int) {
        answered.answer(200, {{"message", "Combo deleted"}});
    }));
}

const ModelAlias* findAlias(const Configuration& configuration, std::string_view name)
{
    for (const ModelAlias& alias : configuration.aliases) {
        if (alias.name == name)
            return &alias;
    }
    return nullptr;
}

void listAliases(const ManagementContext& context, const CallPtr& call)
{
    Json rows = Json::array();
    for (const ModelAlias& alias : context.configuration().aliases)
        rows.push_back(viewOf(alias));
    call->answer(200, {{"aliases", std::move(rows)}});
}

/// `name` from the path may be repeated in the body, not changed.
void saveAlias(const ManagementContext& context, const CallPtr& call, const std::string& name, bool fresh)
{
    const std::optional<Json> body = call->object();
    if (!body)
        return;
    std::vector<FieldError> errors;
    ObjectReader reader(*body, errors);
    ModelAlias alias;
    alias.name = name;
    if (reader.text("name", alias.name) && !name.empty() && alias.name != name)
        reader.fail("name", "An alias cannot be renamed: make a new one and delete this one.");
    if (!reader.text("model", alias.model) && !reader.has("model"))
        reader.fail("model", "Required.");
    reader.finish();
    if (!errors.empty())
        return call->invalid(errors);
    if (fresh && findAlias(context.configuration(), alias.name))
        return call->fail(409, "This alias exists already; change it with PUT.", "conflict");
    context.control.saveAlias(std::move(alias), replyTo<ModelAlias>(call, [fresh](ManagementCall& answered, const ModelAlias& saved) {
        answered.answer(fresh ? 201 : 200, viewOf(saved));
    }));
}

void createAlias(const ManagementContext& context, const CallPtr& call)
{
    saveAlias(context, call, {}, true);
}

void putAlias(const ManagementContext& context, const CallPtr& call)
{
    saveAlias(context, call, {}, false);
}

void readAlias(const ManagementContext& context, const CallPtr& call)
{
    if (const ModelAlias* alias = findAlias(context.configuration(), call->parameter()))
        call->answer(200, viewOf(*alias));
    else
        call->fail(404, "Alias not found", "not_found");
}

/// PUT makes one too: its name is its address.
void putNamedAlias(const ManagementContext& context, const CallPtr& call)
{
    saveAlias(context, call, call->parameter(), false);
}

void changeAlias(const ManagementContext& context, const CallPtr& call)
{
    if (!findAlias(context.configuration(), call->parameter()))
        return call->fail(404, "Alias not found", "not_found");
    saveAlias(context, call, call->parameter(), false);
}

void removeAlias(const ManagementContext& context, const CallPtr& call)
{
    if (!findAlias(context.configuration(), call->parameter()))
        return call->fail(404, "Alias not found", "not_found");
    context.control.removeAlias(call->parameter(), replyTo<int>(call, [](ManagementCall& answered, int) {
        answered.answer(200, {{"message", "Alias deleted"}});
    }));
}

}  // namespace

std::vector<ManagementRoute> routingRoutes()
{
    return {{"GET", "/api/combos", &listCombos},
            {"POST", "/api/combos", &createCombo},
            {"GET", "/api/combos/{}", &readComboById},
            {"PUT", "/api/combos/{}", &changeCombo},
            {"PATCH", "/api/combos/{}", &changeCombo},
            {"DELETE", "/api/combos/{}", &removeCombo},
            {"GET", "/api/models/alias", &listAliases},
            {"POST", "/api/models/alias", &createAlias},
            {"PUT", "/api/models/alias", &putAlias},
            {"GET", "/api/models/alias/{}", &readAlias},
            {"PUT", "/api/models/alias/{}", &putNamedAlias},
            {"PATCH", "/api/models/alias/{}", &changeAlias},
            {"DELETE", "/api/models/alias/{}", &removeAlias}};
}

}  // namespace omni
