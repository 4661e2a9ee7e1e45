#pragma once

#include "control/connection_import/found_key.h"

#include <vector>

namespace omni {

class Control;

namespace connection_import {

/// For each of the keys whether a connection of its provider has it already. In the core thread.
std::vector<bool> storedAlready(const Control& control, const std::vector<FoundKey>& keys);

}  // namespace connection_import

}  // namespace omni
