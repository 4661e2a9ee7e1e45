#pragma once

#include "base/clock.h"
#include "base/ids.h"
#include "model/hold.h"
#include "model/wire.h"

#include <cstddef>
#include <string>
#include <vector>

namespace omni {

/// One candidate as planning came upon it.
struct ConsideredTarget {
    int step = -1;  ///< index into the combo's targets; -1 = no combo was named
    ProviderId provider;
    ConnectionId connection;  ///< empty: the provider has none
    std::string connectionName;
    std::string model;
    Exclusion reason = Exclusion::None;  ///< None = it can be used now
    Millis remaining{0};                 ///< until it may be used; 0 = no known end

    bool usable() const { return reason == Exclusion::None; }
    bool operator==(const ConsideredTarget&) const = default;
};

/// What a request for a name would meet now.
struct RoutePreview {
    std::vector<std::string> names;                    ///< what was asked for, then what each alias stands for; the last one is planned
    Operation operation = Operation::ChatCompletions;  ///< how it was asked
    std::string combo;                                 ///< its name; empty when none was named
    std::vector<ConsideredTarget> considered;          ///< in the order of trying
    bool truncated = false;                            ///< there are more than were looked at
    int maxAttempts = 0;                               ///< of the usable ones, so many are tried at most

    /// The first usable one, whom the request would go to; nullptr for nobody.
    const ConsideredTarget* chosen() const
    {
        for (const ConsideredTarget& target : considered)
            if (target.usable())
                return &target;
        return nullptr;
    }
    bool operator==(const RoutePreview&) const = default;
};

/// How far a preview looks.
struct PreviewScope {
    std::size_t most = 500;    ///< candidates; each costs about a microsecond
    bool untilChosen = false;  ///< ends with the first usable one
};

}  // namespace omni
