#pragma once

#include "model/hold.h"
#include "store/database.h"

#include <vector>

namespace omni {

/// domain_circuit_breakers (spec 1-core §1.11). Transition history, probes and generations are not kept.
class BreakersTable {
public:
    explicit BreakersTable(Database& database);

    Status put(const BreakerStatus& breaker);
    Status remove(const ProviderId& provider);
    /// Unknown states read as CLOSED, unknown kinds as none, missing counts as 0.
    Result<std::vector<BreakerStatus>> all();

private:
    Statement m_put;
    Statement m_remove;
    Statement m_all;
};

}  // namespace omni
