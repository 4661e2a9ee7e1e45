#pragma once

namespace omni {

/// Makes ":/icons" and ":/help" known. Compiled-in files of a static library are linked in only when something names them, so whoever reads one calls
/// this first; again costs nothing.
void loadUiResources();

}  // namespace omni
