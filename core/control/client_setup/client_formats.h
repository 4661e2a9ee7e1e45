#pragma once

#include "control/client_setup/clients.h"

#include <functional>

namespace omni::client_setup {

/// How one client keeps its settings.
struct Format {
    std::string file;  ///< the one that holds the address; empty = none that could be read
    std::function<Result<std::optional<std::string>>(std::string_view)> address;
    std::function<std::vector<FileEdit>(const Target&)> edits = [](const Target&) { return std::vector<FileEdit>(); };
};

/// `folder`: of the project, for SDKs.
Format formatOf(const Client& client, const Places& places, const std::string& folder);

/// The variables a shell or a .env file sets; empty for clients that read none.
std::vector<std::pair<std::string, std::string>> variablesFor(const Client& client, const Target& target);

}  // namespace omni::client_setup
