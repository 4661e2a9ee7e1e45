#include "proxy/final_answer.h"

#include "base/text.h"

#include <algorithm>

namespace omni {

namespace {

enum class Kind : std::uint8_t { Auth, RateLimit, Timeout, Provider, Model };

Kind kindOf(int status)
{
    if (status == 401 || status == 403)
        return Kind::Auth;
    if (status == 429)
        return Kind::RateLimit;
    if (status == 408 || status == 499 || status == 504)
        return Kind::Timeout;
    return status >= 500 ? Kind::Provider : Kind::Model;
}

int statusOf(const TargetFailure& failure)
{
    return failure.status >= 400 ? failure.status : omni::statusOf(failure.transport);
}

constexpr std::size_t kToldFailures = 5;

}  // namespace

int statusOf(TransportFailure failure)
{
    switch (failure) {
    case TransportFailure::ConnectTimeout:
    case TransportFailure::FirstByteTimeout:
    case TransportFailure::IdleTimeout:
    case TransportFailure::DeadlineExceeded:
    case TransportFailure::ReadinessTimeout: return 504;
    default: return 502;
    }
}

std::int64_t wholeSeconds(Millis wait) { return std::max<std::int64_t>(1, std::chrono::ceil<std::chrono::seconds>(wait).count()); }

std::string resetText(Millis wait)
{
    const std::int64_t seconds = std::max<std::int64_t>(0, std::chrono::ceil<std::chrono::seconds>(wait).count());
    std::string text = "reset after";
    if (seconds >= 3600)
        text += " " + std::to_string(seconds / 3600) + "h";
    if (seconds / 60 % 60 > 0)
        text += " " + std::to_string(seconds / 60 % 60) + "m";
    if (seconds % 60 > 0 || seconds == 0)
        text += " " + std::to_string(seconds % 60) + "s";
    return text;
}

std::string headerSafe(std::string_view text)
{
    std::string safe(text);
    for (char& c : safe)
        if (c < 0x20 || c > 0x7E)
            c = '?';
    return safe;
}

ClientError finalAnswer(std::string_view model, const std::vector<TargetFailure>& failures, const std::vector<AttemptRecord>& attempts,
                        const std::vector<ExcludedTarget>& excluded, bool attemptsExhausted)
{
    ClientError error;
    error.attempts = attempts;
    error.excluded = excluded;
    std::optional<Millis> earliest;
    const auto offer = [&earliest](std::optional<Millis> wait) {
        if (wait && *wait > Millis(0) && (!earliest || *wait < *earliest))
            earliest = wait;
    };
    for (const ExcludedTarget& target : excluded)
        offer(Millis(target.remainingMs));

    const std::string name(clippedUtf8(model, 96));
    if (failures.empty()) {
        if (earliest) {
            error.status = 503;
            error.code = "all_targets_cooling_down";
            error.type = "service_unavailable";
            error.message = "Every target for \"" + name + "\" is resting:";
            error.retryAfter = earliest;
        } else {
            error.status = 404;
            error.code = "no_executable_targets";
            error.message = excluded.empty() ? "No connection offers \"" + name + "\"." : "No target for \"" + name + "\" can be used:";
        }
        for (std::size_t i = 0; i < std::min(excluded.size(), kToldFailures); ++i) {
            const ExcludedTarget& target = excluded[i];
            error.message += (i == 0 ? " " : "; ") + target.provider.str() + "/" + target.model + " (" + target.connectionName
                             + "): " + std::string(toString(target.reason));
            if (target.remainingMs > 0)
                error.message += " (" + std::to_string(wholeSeconds(Millis(target.remainingMs))) + "s)";
        }
        if (excluded.size() > kToldFailures)
            error.message += "; … (+" + std::to_string(excluded.size() - kToldFailures) + " more)";
        if (earliest)
            error.message += "; " + resetText(*earliest);
        return error;
    }

    const Kind kind = kindOf(statusOf(failures.back()));
    bool same = true;
    bool timeout = false;
    for (const TargetFailure& failure : failures) {
        const Kind other = kindOf(statusOf(failure));
        same = same && other == kind;
        timeout = timeout || other == Kind::Timeout;
        offer(failure.retryAfter);
    }
    error.status = same ? statusOf(failures.back()) : timeout ? 504 : 502;
    error.code = attemptsExhausted ? "max_attempts_exceeded" : "all_targets_failed";
    if (error.status == 429 || error.status >= 500)
        error.retryAfter = earliest;
    error.message = std::to_string(failures.size()) + (failures.size() == 1 ? " target" : " targets") + " for \"" + name + "\" failed:";
    for (std::size_t i = 0; i < std::min(failures.size(), kToldFailures); ++i) {
        error.message += (i == 0 ? " " : "; ") + failures[i].target + ": " + failures[i].message;
        if (failures[i].status != 0)
            error.message += " (HTTP " + std::to_string(failures[i].status) + ")";
    }
    if (failures.size() > kToldFailures)
        error.message += "; … (+" + std::to_string(failures.size() - kToldFailures) + " more)";
    return error;
}

}  // namespace omni
