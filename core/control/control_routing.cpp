#include "base/random.h"
#include "base/text.h"
#include "control/control_p.h"
#include "control/validation.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace omni {

namespace {

/// Gives the targets that came without one an id that is stable within the combo.
void nameTargets(Combo& combo)
{
    const auto taken = [&](const std::string& id) {
        return std::any_of(combo.targets.begin(), combo.targets.end(), [&](const ComboTarget& one) { return one.id == id; });
    };
    int number = 1;
    for (ComboTarget& target : combo.targets) {
        if (!target.id.empty())
            continue;
        while (taken("step-" + std::to_string(number)))
            ++number;
        target.id = "step-" + std::to_string(number);
    }
}

/// Somebody would be asked if the client spoke otherwise.
bool anyMismatch(const RoutePreview& preview)
{
    return std::any_of(preview.considered.begin(), preview.considered.end(),
                       [](const ConsideredTarget& target) { return target.reason == Exclusion::DialectMismatch; });
}

Error takenMeanwhile(std::string_view name)
{
    return {ErrorKind::Conflict, "The name " + inQuotes(name) + " was taken meanwhile.", {}};
}

bool isTaken(const Configuration& configuration, const std::string& name)
{
    return std::any_of(configuration.combos.begin(), configuration.combos.end(),
                       [&](const Combo& combo) { return equalsIgnoreCase(combo.name, name); }) ||
           std::any_of(configuration.aliases.begin(), configuration.aliases.end(),
                       [&](const ModelAlias& alias) { return alias.name == name; });
}

/// Tells how many there were.
template <typename Item>
Reply<std::vector<Item>> counting(Reply<int> reply)
{
    return [reply = std::move(reply)](const Result<std::vector<Item>>& removed) {
        reply(removed ? Result<int>(static_cast<int>(removed->size())) : Result<int>(removed.error()));
    };
}

}  // namespace

void Control::saveCombo(Combo combo, Reply<Combo> reply)
{
    const auto build = [this, combo = std::move(combo)](const Configuration& now, Combo& saved) -> Result<PlannedChange> {
        saved = combo;
        saved.name = std::string(trimmed(saved.name));
        const Combo* old = findById(now.combos, saved.id);
        if (!saved.id.empty() && !old)
            return missing("combo", saved.id.str());
        if (saved.id.empty()) {
            saved.id = ComboId(newUuid());
            if (saved.sortOrder == 0)
                for (const Combo& other : now.combos)
                    saved.sortOrder = std::max(saved.sortOrder, other.sortOrder + 1);
        }
        nameTargets(saved);
        saved.updatedAt = d->parts.clock.wall();
        saved.createdAt = old ? old->createdAt : saved.updatedAt;
        std::vector<FieldError> errors = validateCombo(saved, now);
        if (!errors.empty())
            return invalid("The combo was not saved.", std::move(errors));
        PlannedChange plan(now);
        upsert(plan.next.combos, saved);
        plan.rows.emplace_back(PutCombo{saved});
        return plan;
    };
    d->changeFor<Combo>(std::move(reply), build);
}

void Control::removeCombo(const ComboId& id, Reply<int> reply) { removeCombos({id}, counting<Combo>(std::move(reply))); }

void Control::removeCombos(std::vector<ComboId> ids, Reply<std::vector<Combo>> reply)
{
    const auto build = [ids = std::move(ids)](const Configuration& now, std::vector<Combo>& removed) -> Result<PlannedChange> {
        PlannedChange plan(now);
        const std::unordered_set<ComboId> leaving(ids.begin(), ids.end());
        for (const ComboId& id : leaving) {
            const Combo* combo = findById(now.combos, id);
            if (!combo)
                return missing("combo", id.str());
            removed.push_back(*combo);
            plan.rows.emplace_back(DeleteCombo{id});
        }
        std::erase_if(plan.next.combos, [&](const Combo& one) { return leaving.contains(one.id); });
        return plan;
    };
    d->changeFor<std::vector<Combo>>(std::move(reply), build);
}

void Control::restoreCombos(std::vector<Combo> combos, Reply<int> reply)
{
    const auto build = [combos = std::move(combos)](const Configuration& now, int& restored) -> Result<PlannedChange> {
        PlannedChange plan(now);
        for (const Combo& combo : combos) {
            if (findById(plan.next.combos, combo.id) || isTaken(plan.next, combo.name))
                return takenMeanwhile(combo.name);
            plan.next.combos.push_back(combo);
            plan.rows.emplace_back(PutCombo{combo});
        }
        restored = static_cast<int>(combos.size());
        return plan;
    };
    d->changeFor<int>(std::move(reply), build);
}

void Control::saveAlias(ModelAlias alias, Reply<ModelAlias> reply, const std::string& renamed)
{
    const auto build = [alias = std::move(alias), renamed](const Configuration& now, ModelAlias& saved) -> Result<PlannedChange> {
        saved = {std::string(trimmed(alias.name)), std::string(trimmed(alias.model))};
        PlannedChange plan(now);
        const auto drop = [&plan](const std::string& name) {
            return std::erase_if(plan.next.aliases, [&](const ModelAlias& one) { return one.name == name; });
        };
        if (!renamed.empty() && renamed != saved.name) {
            if (drop(renamed) == 0)
                return missing("alias", renamed);
            plan.rows.emplace_back(DeleteAlias{renamed});
            if (std::any_of(now.aliases.begin(), now.aliases.end(), [&](const ModelAlias& one) { return one.name == saved.name; }))
                return Error{ErrorKind::Conflict, "The alias was not saved.", {{"name", "Another alias has this name."}}};
        }
        std::vector<FieldError> errors = validateAlias(saved, plan.next);
        if (!errors.empty())
            return invalid("The alias was not saved.", std::move(errors));
        drop(saved.name);
        plan.next.aliases.push_back(saved);
        plan.rows.emplace_back(PutAlias{saved});
        return plan;
    };
    d->changeFor<ModelAlias>(std::move(reply), build);
}

void Control::removeAlias(const std::string& name, Reply<int> reply) { removeAliases({name}, counting<ModelAlias>(std::move(reply))); }

void Control::removeAliases(std::vector<std::string> names, Reply<std::vector<ModelAlias>> reply)
{
    const auto build = [names = std::move(names)](const Configuration& now, std::vector<ModelAlias>& removed) -> Result<PlannedChange> {
        PlannedChange plan(now);
        const std::unordered_set<std::string> leaving(names.begin(), names.end());
        for (const ModelAlias& alias : now.aliases) {
            if (!leaving.contains(alias.name))
                continue;
            removed.push_back(alias);
            plan.rows.emplace_back(DeleteAlias{alias.name});
        }
        if (removed.size() < leaving.size())
            for (const std::string& name : leaving)
                if (std::none_of(removed.begin(), removed.end(), [&](const ModelAlias& one) { return one.name == name; }))
                    return missing("alias", name);
        std::erase_if(plan.next.aliases, [&](const ModelAlias& one) { return leaving.contains(one.name); });
        return plan;
    };
    d->changeFor<std::vector<ModelAlias>>(std::move(reply), build);
}

void Control::restoreAliases(std::vector<ModelAlias> aliases, Reply<int> reply)
{
    const auto build = [aliases = std::move(aliases)](const Configuration& now, int& restored) -> Result<PlannedChange> {
        PlannedChange plan(now);
        for (const ModelAlias& alias : aliases) {
            if (isTaken(plan.next, alias.name))
                return takenMeanwhile(alias.name);
            plan.next.aliases.push_back(alias);
            plan.rows.emplace_back(PutAlias{alias});
        }
        restored = static_cast<int>(aliases.size());
        return plan;
    };
    d->changeFor<int>(std::move(reply), build);
}

Result<RoutePreview> Control::previewRoute(const RouteQuestion& question) const
{
    const ApiKey* key = question.apiKey.empty() ? nullptr : findById(d->current->apiKeys, question.apiKey);
    if (!question.apiKey.empty() && !key)
        return missing("key", question.apiKey.str());
    if (!d->engine)
        return Error{ErrorKind::Unavailable, "The proxy has no configuration yet. Try again in a moment."};
    PreviewScope scope;
    scope.untilChosen = question.untilChosen;
    const auto previewed = [&](Operation operation) {
        return d->parts.router.preview({question.model, operation, key}, *d->engine, scope);
    };
    if (question.operation)
        return previewed(*question.operation);
    Result<RoutePreview> best = previewed(Operation::ChatCompletions);
    for (const Operation operation : {Operation::Messages, Operation::Responses, Operation::Embeddings}) {
        if (!best || best->chosen() || !anyMismatch(*best))
            break;
        Result<RoutePreview> other = previewed(operation);
        if (other && (other->chosen() || !anyMismatch(*other)))
            best = std::move(other);
    }
    return best;
}

}  // namespace omni
