#pragma once

#include "base/ids.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace omni {

/// What a number of requests took.
struct UsageCounts {
    std::int64_t requests = 0;
    std::int64_t failed = 0;     ///< of them; a client that left is nobody's failure
    std::int64_t uncounted = 0;  ///< answers whose upstream told no token counts
    std::int64_t tokensIn = 0;   ///< what was read from a cache included
    std::int64_t tokensOut = 0;
    std::int64_t tokensCached = 0;

    UsageCounts& operator+=(const UsageCounts& other);
    bool operator==(const UsageCounts&) const = default;
};

/// A part of the usage figures. What they were not told apart by is left empty.
struct UsageCell {
    int day = 0;  ///< local date, in days since 1970-01-01
    ProviderId provider;
    ConnectionId connection;
    std::string connectionName;  ///< as it was called last
    std::string model;           ///< that answered, or failed to; empty when it did not come to a target
    ApiKeyId apiKey;
    std::string apiKeyName;
    UsageCounts counts;
};

/// A model of a provider, as prices are kept for.
struct PricedModel {
    ProviderId provider;
    std::string model;

    auto operator<=>(const PricedModel&) const = default;
};

/// What the user pays for a model, as the user entered it: US dollars for a million tokens (spec 4-surfaces §6.10).
struct ModelPrice {
    ProviderId provider;
    std::string model;
    double input = 0.0;
    double output = 0.0;
    std::optional<double> cached;  ///< input read from a cache; unset = as other input

    bool operator==(const ModelPrice&) const = default;
};

/// An estimate: what providers bill beside tokens is not known here.
struct UsageCost {
    double dollars = 0.0;  ///< of what has a price
    std::int64_t pricedTokens = 0;
    std::int64_t unpricedTokens = 0;  ///< of models without a price, which are not in `dollars`

    UsageCost& operator+=(const UsageCost& other);
    bool operator==(const UsageCost&) const = default;
};

const ModelPrice* findPrice(const std::vector<ModelPrice>& prices, const ProviderId& provider, const std::string& model);
/// `price` null = the model has none.
UsageCost costOf(const UsageCounts& counts, const ModelPrice* price);

}  // namespace omni
