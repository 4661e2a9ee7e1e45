#include "model/usage.h"

#include <algorithm>

namespace omni {

namespace {

constexpr double kPriceUnit = 1'000'000.0;

}  // namespace

UsageCounts& UsageCounts::operator+=(const UsageCounts& other)
{
    requests += other.requests;
    failed += other.failed;
    uncounted += other.uncounted;
    tokensIn += other.tokensIn;
    tokensOut += other.tokensOut;
    tokensCached += other.tokensCached;
    return *this;
}

UsageCost& UsageCost::operator+=(const UsageCost& other)
{
    dollars += other.dollars;
    pricedTokens += other.pricedTokens;
    unpricedTokens += other.unpricedTokens;
    return *this;
}

const ModelPrice* findPrice(const std::vector<ModelPrice>& prices, const ProviderId& provider, const std::string& model)
{
    const auto found = std::find_if(prices.begin(), prices.end(),
                                    [&](const ModelPrice& price) { return price.provider == provider && price.model == model; });
    return found == prices.end() ? nullptr : &*found;
}

UsageCost costOf(const UsageCounts& counts, const ModelPrice* price)
{
    const std::int64_t tokens = counts.tokensIn + counts.tokensOut;
    if (!price)
        return {0.0, 0, tokens};
    // An upstream that tells more cached tokens than input tokens counts the two apart.
    const std::int64_t cached = counts.tokensCached;
    const std::int64_t fresh = std::max<std::int64_t>(0, counts.tokensIn - cached);
    const double dollars = static_cast<double>(fresh) * price->input + static_cast<double>(cached) * price->cached.value_or(price->input) +
                           static_cast<double>(counts.tokensOut) * price->output;
    return {dollars / kPriceUnit, tokens, 0};
}

}  // namespace omni
