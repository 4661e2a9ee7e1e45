#include "ui/combos/route_text.h"

#include "ui/models/display_text.h"
#include "ui/theme/theme.h"

#include <QCoreApplication>

#include <algorithm>
#include <cstdlib>

namespace omni {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(omni::RouteText)
};

/// Answers to the same question a moment apart may differ by this much.
constexpr std::int64_t kSameEndMs = 1'500;

}  // namespace

QString faultText(TargetFault fault)
{
    switch (fault) {
    case TargetFault::None: return {};
    case TargetFault::ProviderGone: return Words::tr("This provider does not exist any more.");
    case TargetFault::NoConnection: return Words::tr("This provider has no connection.");
    case TargetFault::ConnectionGone: return Words::tr("This connection does not exist any more.");
    case TargetFault::ForeignConnection: return Words::tr("This connection belongs to another provider.");
    case TargetFault::UnknownModel: return Words::tr("No connection lists this model.");
    case TargetFault::AllDisabled: return Words::tr("Switched off.");
    }
    return {};
}

QString comboTargetText(const Configuration& configuration, const ComboTarget& target)
{
    if (!target.connection)
        return providerText(&configuration, target.provider);
    const Connection* connection = configuration.connection(*target.connection);
    return targetText(&configuration, target.provider, connection ? connection->name : std::string("?"));
}

QString strategyText(const std::string& strategy)
{
    if (strategy == "priority")
        return Words::tr("In this order (priority)");
    return toQString(strategy);
}

QString operationText(Operation operation)
{
    switch (operation) {
    case Operation::ChatCompletions: return Words::tr("OpenAI chat");
    case Operation::Completions: return Words::tr("OpenAI completions");
    case Operation::Embeddings: return Words::tr("OpenAI embeddings");
    case Operation::Responses: return Words::tr("OpenAI responses");
    case Operation::Messages: return Words::tr("Anthropic messages");
    case Operation::CountTokens: return Words::tr("Anthropic token count");
    }
    return {};
}

bool RouteOutlook::sameAs(const RouteOutlook& other) const
{
    const auto who = [](const RouteOutlook& one) {
        return one.chosen ? std::tuple(one.chosen->provider.str(), one.chosen->connectionName, one.chosen->model)
                          : std::tuple<std::string, std::string, std::string>();
    };
    const bool sameEnd =
        until.has_value() == other.until.has_value() && (!until || std::llabs((*until - *other.until).count()) < kSameEndMs);
    return kind == other.kind && who(*this) == who(other) && sameEnd && error == other.error;
}

RouteOutlook outlookOf(const Result<RoutePreview>& preview, WallTime now)
{
    RouteOutlook outlook;
    if (!preview) {
        outlook.kind = RouteOutlook::Kind::Broken;
        outlook.error = preview.error().message;
        return outlook;
    }
    for (const ConsideredTarget& target : preview->considered) {
        if (target.remaining > Millis(0) && (!outlook.next || now + target.remaining < *outlook.next))
            outlook.next = now + target.remaining;
    }
    if (const ConsideredTarget* chosen = preview->chosen()) {
        outlook.kind = chosen->step > 0 ? RouteOutlook::Kind::Later : RouteOutlook::Kind::First;
        outlook.chosen = *chosen;
    } else {
        outlook.kind = RouteOutlook::Kind::Nobody;
        outlook.until = outlook.next;
    }
    return outlook;
}

StateKey stateOf(const RouteOutlook& outlook)
{
    switch (outlook.kind) {
    case RouteOutlook::Kind::First: return {Exclusion::None};
    case RouteOutlook::Kind::Later: return {BreakerState::Degraded};
    case RouteOutlook::Kind::Nobody: return {outlook.until ? Exclusion::ConnectionCooldown : Exclusion::Unavailable};
    case RouteOutlook::Kind::Unknown:
    case RouteOutlook::Kind::Broken: break;
    }
    return {Exclusion::Unavailable};
}

QString outlookWord(const RouteOutlook& outlook)
{
    switch (outlook.kind) {
    case RouteOutlook::Kind::Unknown: return {};
    case RouteOutlook::Kind::First: return Words::tr("serving");
    case RouteOutlook::Kind::Later: return Words::tr("on a later target");
    case RouteOutlook::Kind::Nobody: return Words::tr("nobody now");
    case RouteOutlook::Kind::Broken: return Words::tr("leads nowhere");
    }
    return {};
}

QString outlookText(const RouteOutlook& outlook, const Configuration* configuration)
{
    switch (outlook.kind) {
    case RouteOutlook::Kind::Unknown: return {};
    case RouteOutlook::Kind::First:
    case RouteOutlook::Kind::Later:
        return Words::tr("%1, %2", "connection, model")
            .arg(targetText(configuration, outlook.chosen->provider, outlook.chosen->connectionName), toQString(outlook.chosen->model));
    case RouteOutlook::Kind::Nobody: return outlook.until ? Words::tr("back at %1").arg(timeText(*outlook.until)) : QString();
    case RouteOutlook::Kind::Broken: return coreText(outlook.error);
    }
    return {};
}

}  // namespace omni
