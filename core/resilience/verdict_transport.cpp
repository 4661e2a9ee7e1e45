#include "resilience/provider_faults.h"
#include "resilience/verdict_context.h"

#include <array>

namespace omni {

namespace {

using Scope = Judgement::Scope;

std::string_view whatHappened(const VerdictContext& context)
{
    return describe(context.facts.failure.transport);
}

std::optional<Judgement> ourOwnSide(const VerdictContext& context)
{
    if (!context.has(Marker::LocalAbort) && !context.has(Marker::LocalExecution))
        return std::nullopt;
    return context.moveOn(FailureReason::Unknown, Scope::Request, "ended on our own side");
}

/// spec 3-routing §7.3: an answer without content is about this request.
std::optional<Judgement> emptyAnswer(const VerdictContext& context)
{
    if (context.facts.failure.transport != TransportFailure::EmptyAnswer)
        return std::nullopt;
    return context.moveOn(FailureReason::Transport, Scope::Request, std::string(whatHappened(context)));
}

/// guide §2: a stream that stalls is most often one that thinks.
std::optional<Judgement> stall(const VerdictContext& context)
{
    const TransportFailure failure = context.facts.failure.transport;
    const bool stalled = failure == TransportFailure::ReadinessTimeout || failure == TransportFailure::IdleTimeout;
    if (!stalled || context.facts.stallsCool)
        return std::nullopt;
    return context.moveOn(FailureReason::Transport, Scope::Note, std::string(whatHappened(context)) + "; a stall does not cool");
}

std::optional<Judgement> ownDeadline(const VerdictContext& context)
{
    if (context.facts.failure.transport != TransportFailure::DeadlineExceeded || !context.facts.failure.afterCommit)
        return std::nullopt;
    return context.moveOn(FailureReason::Transport, Scope::Request, std::string(whatHappened(context)));
}

std::optional<Judgement> anyOther(const VerdictContext& context)
{
    return context.backoff(FailureReason::Transport, std::string(whatHappened(context)));
}

constexpr std::array<VerdictRow, 5> kRows = {{
    {true, ourOwnSide},
    {false, emptyAnswer},
    {false, stall},
    {false, ownDeadline},
    {false, anyOther},
}};

}  // namespace

std::span<const VerdictRow> transportRows()
{
    return kRows;
}

}  // namespace omni
