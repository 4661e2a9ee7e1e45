#pragma once

#include "base/result.h"
#include "model/usage.h"

#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace omni {

/// Local dates in days since 1970-01-01, both included.
struct UsageRange {
    int firstDay = std::numeric_limits<int>::min();
    int lastDay = std::numeric_limits<int>::max();

    bool operator==(const UsageRange&) const = default;
};

/// What the sums are told apart by; always by provider and model, since prices are.
struct UsageParts {
    bool day = false;
    bool connection = false;
    bool apiKey = false;
};

/// Reads the usage figures over a read-only connection of its own. Belongs to the thread that makes it; make one for each. What it costs
/// depends on the days and on how many models, connections and keys were in use, not on the requests.
class UsageHistory {
public:
    static Result<std::unique_ptr<UsageHistory>> open(const std::string& databasePath);
    ~UsageHistory();

    /// In the order of days, then of names.
    Result<std::vector<UsageCell>> sums(const UsageRange& range, const UsageParts& parts);
    /// The same one by one, without holding them; `take` false = enough.
    Status each(const UsageRange& range, const UsageParts& parts, const std::function<bool(const UsageCell&)>& take);

private:
    struct Private;
    explicit UsageHistory(std::unique_ptr<Private> d);
    std::unique_ptr<Private> d;
};

}  // namespace omni
