#include "control/port_holder.h"

#include <QHostAddress>
#include <QTcpServer>

#ifdef Q_OS_LINUX
#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <system_error>
#endif

namespace omni {

#ifdef Q_OS_LINUX

namespace {

namespace fs = std::filesystem;

/// Inodes of the sockets that listen on `port`, from one of the kernel's tables.
void collectListeners(const char* table, int port, std::set<std::string>& inodes)
{
    constexpr std::string_view listening = "0A";
    std::ifstream file(table);
    std::string line;
    std::getline(file, line);  // headings
    while (std::getline(file, line)) {
        // sl local_address rem_address st tx_queue:rx_queue tr:tm->when retrnsmt uid timeout inode …
        std::istringstream fields(line);
        std::array<std::string, 10> field;
        for (std::string& one : field)
            fields >> one;
        const std::size_t colon = field[1].rfind(':');
        if (!fields || field[3] != listening || colon == std::string::npos)
            continue;
        if (std::strtol(field[1].c_str() + colon + 1, nullptr, 16) == port)
            inodes.insert("socket:[" + field[9] + "]");
    }
}

/// The kernel keeps the first 15 bytes of a program's name; the rest is in the command line, unless the program rewrote it.
std::string programName(const fs::path& process)
{
    constexpr std::size_t kept = 15;
    std::string name, command;
    std::getline(std::ifstream(process / "comm"), name);
    if (name.size() < kept)
        return name;
    std::getline(std::ifstream(process / "cmdline"), command, '\0');
    const std::string whole = fs::path(command).filename().string();
    return whole.rfind(name, 0) == 0 ? whole : name;
}

bool holdsOne(const fs::path& process, const std::set<std::string>& inodes)
{
    std::error_code error;
    for (fs::directory_iterator at(process / "fd", error), end; !error && at != end; at.increment(error)) {
        std::error_code gone;
        if (inodes.contains(fs::read_symlink(at->path(), gone).string()))
            return true;
    }
    return false;
}

}  // namespace

std::optional<PortHolder> findPortHolder(int port)
{
    std::set<std::string> inodes;
    collectListeners("/proc/net/tcp", port, inodes);
    collectListeners("/proc/net/tcp6", port, inodes);
    if (inodes.empty())
        return std::nullopt;
    std::error_code error;
    for (fs::directory_iterator at("/proc", error), end; !error && at != end; at.increment(error)) {
        const std::string name = at->path().filename().string();
        if (name.empty() || name.find_first_not_of("0123456789") != std::string::npos || !holdsOne(at->path(), inodes))
            continue;
        PortHolder holder;
        holder.pid = std::strtoll(name.c_str(), nullptr, 10);
        holder.name = programName(at->path());
        return holder;
    }
    return std::nullopt;
}

#else

std::optional<PortHolder> findPortHolder(int) { return std::nullopt; }

#endif

int nextFreePort(int port, bool exposed)
{
    constexpr int tries = 100;
    for (int candidate = port + 1; candidate <= port + tries && candidate <= 65'535; ++candidate) {
        QTcpServer probe;
        if (probe.listen(exposed ? QHostAddress::Any : QHostAddress::LocalHost, static_cast<quint16>(candidate)))
            return candidate;
    }
    return 0;
}

}  // namespace omni
