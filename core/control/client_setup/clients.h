#pragma once

#include "control/client_setup/client_files.h"
#include "model/configuration.h"
#include "model/wire.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace omni::client_setup {

/// Where a client's settings lie on this machine.
struct Places {
    std::string home;    ///< the user's
    std::string config;  ///< XDG_CONFIG_HOME, or "<home>/.config"

    static Places ofThisUser();
};

/// What a client is pointed at.
struct Target {
    std::string root;  ///< "http://127.0.0.1:20128"
    std::string key;   ///< what the client sends as its key; any text while none is asked for
    bool keyNeeded = false;
    std::string model;  ///< as clients name it; empty = the client's own choice

    std::string v1() const { return root + "/v1"; }
};

enum class Tool : std::uint8_t { ClaudeCode, Codex, Cline, Continue, Aider, OpenCode, GeminiCli, OpenAiSdk, AnthropicSdk };
enum class ModelChoice : std::uint8_t { None, Optional, Needed };

/// One program or library that can be pointed at the proxy (spec 4-surfaces §6.9).
struct Client {
    Tool tool;
    std::string id;                      ///< "claude-code"
    std::string name;                    ///< its maker's
    std::optional<Operation> operation;  ///< what it asks of the proxy; unset = something the proxy does not serve
    ModelChoice model = ModelChoice::None;
    bool ownFile = true;     ///< its settings file has a fixed place; an SDK's .env lies in a project's folder
    std::string executable;  ///< in PATH; empty = none
    std::string extension;   ///< beginning of its folder's name among an editor's extensions; empty = none
    bool settable() const { return operation.has_value(); }
};

const std::vector<Client>& clients();
const Client* findClient(const std::string& id);

/// Lines to paste. `place` is a path, or empty for a shell.
struct Snippet {
    std::string place;
    std::string text;
};
/// By hand: the shell first where the client reads variables, then what its file would hold.
std::vector<Snippet> snippetsFor(const Client& client, const Target& target, const Places& places);

/// For the client, or for the project in `folder` (SDKs). Empty for a client that cannot be set up.
std::vector<FileEdit> editsFor(const Client& client, const Target& target, const Places& places, const std::string& folder = {});

/// Where a client's file leads now.
struct Standing {
    enum class Kind : std::uint8_t { NotSetUp, Here, Elsewhere, Unreadable };
    Kind kind = Kind::NotSetUp;
    std::string detail;  ///< the other address, or what is wrong with the file
};
Standing standingOf(const Client& client, const Target& target, const Places& places, const std::string& folder = {});

/// Where it is installed; empty = not found on this machine.
std::string installedAt(const Client& client, const Places& places);

/// Names a client may ask for with this operation: combos, then "provider/model" of each enabled connection that offers it.
std::vector<std::string> modelsFor(const Configuration& configuration, Operation operation);
/// Enabled connections that offer it.
std::vector<const Connection*> connectionsFor(const Configuration& configuration, Operation operation);

}  // namespace omni::client_setup
