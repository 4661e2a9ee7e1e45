#pragma once

#include "base/clock.h"
#include "model/settings.h"

#include <cstddef>
#include <vector>

namespace omni {

/// What the settings of one class of providers lead to.
struct ClassPreview {
    static constexpr int kMostTries = 40;

    /// How long a connection rests that fails for the first, second, … time in a row with nothing but HTTP 500, up to where it grows no
    /// more: the last length stays.
    std::vector<Millis> rests;
    Millis restWhenAsked{0};  ///< after a first 429 with "Retry-After: 60"
    int degradedAt = 0;       ///< failures that make a provider DEGRADED; 0 = it never is
    int openAt = 0;           ///< failures that open its breaker
    /// How long it stays open: the first time, after one failed probe, after two, … up to where it grows no more.
    std::vector<Millis> openFor;
    Millis degradedFor{0};  ///< without a new failure until it counts as sound again; 0 when it never degrades

    bool operator==(const ClassPreview&) const = default;
};

/// Statuses after which a model is locked equally long.
struct LockPreview {
    std::vector<int> codes;
    std::vector<Millis> lengths;  ///< for the first, second, … failure in a row, up to where it grows no more; empty = locks nothing

    bool operator==(const LockPreview&) const = default;
};

/// What settings mean in practice: found out by running the policies on a state of their own, so it is what will happen.
struct ResiliencePreview {
    ClassPreview oauth;
    ClassPreview apiKey;
    std::vector<LockPreview> locks;       ///< for each of `modelLockout.errorCodes` once, in their order
    std::vector<Millis> modelQuotaLocks;  ///< the same for a 429 of a provider that counts quota by model
    std::vector<Millis> providerRests;    ///< of the opt-in provider cooldown, for one connection; empty while it is off
    Millis untilDailyReset{0};

    bool operator==(const ResiliencePreview&) const = default;
};

/// Pure; about 2 ms, so not for the request's way.
ResiliencePreview previewResilience(const ResilienceSettings& settings, WallTime now);

}  // namespace omni
