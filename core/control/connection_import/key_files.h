#pragma once

#include "base/result.h"
#include "control/connection_import/found_key.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace omni::connection_import {

/// Where this user's things are.
struct Surroundings {
    std::string home;
    std::string config;  ///< XDG_CONFIG_HOME, or "<home>/.config"
    std::string data;    ///< XDG_DATA_HOME, or "<home>/.local/share"
    std::uint32_t owner = 0;  ///< files of others are not read; the system's number of the user
    std::map<std::string, std::string> environment;  ///< of the variables that are known

    static Surroundings ofThisUser();
};

/// What the text of a file sets, by the reader of its form; adds to `keys`. InvalidArgument when the text is not in that form.
using KeyReader = Status (*)(std::string_view text, KeyCollector& keys);

/// A file that a tool is known to keep keys in.
struct KeyFile {
    std::string tool;  ///< its maker's name for it; empty = the shell's, or no tool's
    std::string path;
    KeyReader read = nullptr;
};
std::vector<KeyFile> knownKeyFiles(const Surroundings& surroundings);

/// Blocking look-ups without any network. Neither writes anything.
Findings keysInEnvironment(const Surroundings& surroundings, const ProviderCatalogue& catalogue);
/// Only files of at most 1 MiB that belong to the user and lie in the home folder, links followed.
Findings keysInFiles(const Surroundings& surroundings, const ProviderCatalogue& catalogue);

/// Lines that set a variable to a plain text, as of a .env file, a shell's start-up file (sh, bash, zsh, fish); all others are passed over.
std::vector<std::pair<std::string, std::string>> assignmentsIn(std::string_view text);

}  // namespace omni::connection_import
