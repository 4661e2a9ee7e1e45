#include "control/control_p.h"
#include "control/validation.h"

#include <algorithm>
#include <utility>

namespace omni {

void putPrice(std::vector<ModelPrice>& prices, const ModelPrice& price)
{
    const auto same = [&price](const ModelPrice& one) { return one.provider == price.provider && one.model == price.model; };
    const auto old = std::find_if(prices.begin(), prices.end(), same);
    if (old == prices.end())
        prices.push_back(price);
    else
        *old = price;
}

void Control::savePrices(std::vector<ModelPrice> prices, Reply<int> reply)
{
    const auto build = [prices = std::move(prices)](const Configuration& now, int& saved) -> Result<PlannedChange> {
        PlannedChange plan(now);
        for (const ModelPrice& price : prices) {
            std::vector<FieldError> errors = validatePrice(price);
            if (!errors.empty())
                return invalid("The price was not saved.", std::move(errors));
            putPrice(plan.next.prices, price);
            plan.rows.emplace_back(PutPrice{price});
        }
        saved = static_cast<int>(prices.size());
        return plan;
    };
    d->changeFor<int>(std::move(reply), build);
}

void Control::removePrices(std::vector<PricedModel> models, Reply<int> reply)
{
    const auto build = [models = std::move(models)](const Configuration& now, int& removed) -> Result<PlannedChange> {
        PlannedChange plan(now);
        for (const PricedModel& model : models) {
            const auto same = [&model](const ModelPrice& one) { return one.provider == model.provider && one.model == model.model; };
            if (std::erase_if(plan.next.prices, same) == 0)
                continue;
            plan.rows.emplace_back(DeletePrice{model});
            ++removed;
        }
        return plan;
    };
    d->changeFor<int>(std::move(reply), build);
}

}  // namespace omni
