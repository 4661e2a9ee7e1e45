#include "ui/combos/combo_actions.h"

#include "base/text.h"
#include "ui/core_link.h"
#include "ui/models/display_text.h"

#include <QPointer>

#include <algorithm>

namespace omni {

ComboActions::ComboActions(CoreLink& link, QObject* parent) : QObject(parent), m_link(link) {}

template <typename Item>
void ComboActions::removed(const Result<std::vector<Item>>& items, const QString& one, const QString& many,
                           void (Control::*restore)(std::vector<Item>, Reply<int>))
{
    if (!items) {
        Q_EMIT messageRaised(errorText(items.error()));
        return;
    }
    const QString text =
        items->size() == 1 ? one.arg(toQString(items->front().name)) : many.arg(numberText(static_cast<std::int64_t>(items->size())));
    QPointer<ComboActions> self(this);
    Q_EMIT messageRaised(text, [self, restore, gone = *items] {
        if (!self)
            return;
        self->m_link.ask<int>(
            self, [restore, gone](Control& control, const Reply<int>& reply) { (control.*restore)(gone, reply); },
            [self](const Result<int>& result) { self->restored(result); });
    });
}

void ComboActions::restored(const Result<int>& result)
{
    Q_EMIT messageRaised(!result        ? errorText(result.error())
                         : *result == 1 ? tr("It is back.")
                                        : tr("%1 are back.").arg(numberText(*result)));
}

void ComboActions::removeCombos(const std::vector<ComboId>& ids)
{
    if (ids.empty())
        return;
    m_link.ask<std::vector<Combo>>(
        this, [ids](Control& control, const Reply<std::vector<Combo>>& reply) { control.removeCombos(ids, reply); },
        [this](const Result<std::vector<Combo>>& combos) {
            removed(combos, tr("The combo “%1” was deleted."), tr("%1 combos were deleted."), &Control::restoreCombos);
        });
}

void ComboActions::removeAliases(const std::vector<std::string>& names)
{
    if (names.empty())
        return;
    m_link.ask<std::vector<ModelAlias>>(
        this, [names](Control& control, const Reply<std::vector<ModelAlias>>& reply) { control.removeAliases(names, reply); },
        [this](const Result<std::vector<ModelAlias>>& aliases) {
            removed(aliases, tr("The alias “%1” was deleted."), tr("%1 aliases were deleted."), &Control::restoreAliases);
        });
}

std::string freeComboName(const Configuration& configuration, const std::string& base)
{
    const auto taken = [&](const std::string& name) {
        return std::any_of(configuration.combos.begin(), configuration.combos.end(),
                           [&](const Combo& one) { return equalsIgnoreCase(one.name, name); }) ||
               std::any_of(configuration.aliases.begin(), configuration.aliases.end(),
                           [&](const ModelAlias& one) { return one.name == name; });
    };
    const std::string stem(clippedUtf8(base, 90));
    int number = 2;
    while (taken(stem + "-" + std::to_string(number)))
        ++number;
    return stem + "-" + std::to_string(number);
}

}  // namespace omni
