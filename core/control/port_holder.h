#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace omni {

/// Who listens on a TCP port of this machine.
struct PortHolder {
    std::string name;  ///< of the program, "nginx"
    std::int64_t pid = 0;
};

/// Looks among the processes that this user may see; nullopt when it is none of them, or where the system does not tell (only Linux
/// does). Takes milliseconds: for the moment when a port was found taken.
std::optional<PortHolder> findPortHolder(int port);

/// The first of the 100 ports after `port` that can be bound on loopback (or on every address, when `exposed`); 0 = none.
int nextFreePort(int port, bool exposed);

}  // namespace omni
