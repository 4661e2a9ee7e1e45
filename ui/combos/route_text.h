#pragma once

#include "control/control.h"
#include "routing/route_preview.h"
#include "routing/target_check.h"
#include "ui/models/state_delegate.h"

#include <QString>

#include <optional>

namespace omni {

/// What makes a target lead nowhere, as a sentence; empty for None.
QString faultText(TargetFault fault);
/// "OpenAI · team", or "OpenAI" for any of its connections.
QString comboTargetText(const Configuration& configuration, const ComboTarget& target);
/// The order of trying, for people.
QString strategyText(const std::string& strategy);
/// Who speaks so: "OpenAI chat", "Anthropic messages".
QString operationText(Operation operation);

/// What a request for one name would meet, boiled down for a list.
struct RouteOutlook {
    enum class Kind : std::uint8_t {
        Unknown,  ///< not asked yet
        First,    ///< goes to the first target
        Later,    ///< goes to a later target of the combo
        Nobody,   ///< nobody can answer now
        Broken    ///< the name leads nowhere: `error`
    };
    Kind kind = Kind::Unknown;
    std::optional<ConsideredTarget> chosen;
    std::optional<WallTime> until;  ///< for Nobody: when the first one is back, where that is known
    std::optional<WallTime> next;   ///< when the first hold ends that was met: time to ask again
    std::string error;

    bool sameAs(const RouteOutlook& other) const;
};
RouteOutlook outlookOf(const Result<RoutePreview>& preview, WallTime now);
/// In the colours and shapes of what the program shows elsewhere.
StateKey stateOf(const RouteOutlook& outlook);
/// "serving", "on a later target", "nobody now", "leads nowhere".
QString outlookWord(const RouteOutlook& outlook);
/// "OpenAI · team, gpt-5"; what keeps it from going anywhere otherwise.
QString outlookText(const RouteOutlook& outlook, const Configuration* configuration);

}  // namespace omni
