#pragma once

#include "resilience/engine.h"

namespace omni {

/// For an engine that is only asked, never watched.
class SilentObserver final : public EngineObserver {
public:
    void breakerChanged(const BreakerStatus&) override {}
    void breakerRemoved(const ProviderId&) override {}
    void connectionChanged(const ConnectionHealth&) override {}
    void lockoutChanged(const ModelLockout&) override {}
    void providerCooldownsChanged() override {}
    void disableWanted(const ConnectionId&) override {}
};

}  // namespace omni
