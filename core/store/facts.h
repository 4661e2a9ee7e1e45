#pragma once

namespace omni {

/// A fact of the store (`PutFact`): references of secrets on their way out, a JSON array, so that a program that ends before they are removed
/// removes them at its next start. True only for the database it stands in: what is restored as a backup forgets it.
inline constexpr const char* kDiscardedSecretsFact = "discardedSecrets";

}  // namespace omni
