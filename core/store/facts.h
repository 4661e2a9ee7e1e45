#pragma once

namespace omni {

/// A fact of the store (`PutFact`): references of secrets on their way out, a JSON array, so that a program that ends before they are removed
/// removes them at its next start. True only for the database it stands in: what is restored as a backup forgets it.
inline constexpr const char* kDiscardedSecretsFact = "discardedSecrets";

/// How breakers stood in the last day, over restarts: JSON of telemetry/breaker_history.h.
inline constexpr const char* kBreakerHistoryFact = "breakerHistory";

}  // namespace omni
