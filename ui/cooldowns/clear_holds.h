#pragma once

#include "ui/cooldowns/held_row.h"

#include <QString>

#include <string>
#include <vector>

namespace omni {

/// What the user wants to be ended.
struct HeldSelection {
    struct Lock {
        ProviderId provider;
        ConnectionId connection;
        std::string model;
    };
    std::vector<ProviderId> providers;  ///< as wholes: their breakers and provider cooldowns
    std::vector<ConnectionId> connections;
    std::vector<Lock> locks;

    bool empty() const { return providers.empty() && connections.empty() && locks.empty(); }
    /// Adds what `row` stands for; twice is once, and so is a model of a connection that is there itself.
    void add(const HeldRow& row);
};

// For the core thread. The counts are those of the management API (spec 4-surfaces §3.5); a provider counts as one connection does, and a
// model that was chosen by itself among the lockouts.
Engine::Cleared clearHeld(Control& control, HeldSelection selection);
/// All that is held now, of one provider or of all.
Engine::Cleared clearAllHeld(Control& control, const ProviderId& onlyProvider);

/// "Cleared: 2, unchanged: 0, terminal and skipped: 1, model lockouts cleared: 4".
QString clearedText(const Engine::Cleared& cleared);

}  // namespace omni
