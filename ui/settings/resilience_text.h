#pragma once

#include "model/settings.h"
#include "resilience/resilience_preview.h"

#include <QString>

#include <vector>

namespace omni {

/// Sentences that say what settings will do, from what the policies themselves were found to do.

/// "3 s, 6 s, 12 s, … up to 1 min 36 s from the 6. failure on"; empty for no lengths.
QString ladderText(const std::vector<Millis>& lengths);
/// What becomes of a connection that fails again and again.
QString restsText(const ClassPreview& preview);
/// When a provider's breaker degrades, opens and probes.
QString breakerText(const ClassPreview& preview);
QString providerCooldownText(const ResiliencePreview& preview, const ProviderCooldownSettings& settings);
QString dailyResetText(const ResiliencePreview& preview, WallTime now);
QString lockoutText(const ResiliencePreview& preview, bool enabled);

}  // namespace omni
