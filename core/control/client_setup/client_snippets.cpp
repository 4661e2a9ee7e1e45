#include "control/client_setup/client_formats.h"

namespace omni::client_setup {

namespace {

/// For a POSIX shell: in single quotes where anything in it could mean something to it.
std::string shellWord(const std::string& text)
{
    const bool plain =
        text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:-+@%,=") == std::string::npos;
    if (plain && !text.empty())
        return text;
    std::string out = "'";
    for (const char c : text)
        out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

std::string exports(const Client& client, const Target& target)
{
    std::string text;
    for (const auto& [name, value] : variablesFor(client, target))
        text += "export " + name + "=" + shellWord(value) + "\n";
    if (client.tool == Tool::Aider && !text.empty() && !target.model.empty())
        text += "aider --model " + shellWord("openai/" + target.model) + "\n";
    return text;
}

/// "~/.codex/config.toml" rather than the whole path.
std::string shortened(const std::string& path, const Places& places)
{
    const bool below = !places.home.empty() && path.rfind(places.home + "/", 0) == 0;
    return below ? "~" + path.substr(places.home.size()) : path;
}

std::string codeFor(const Client& client, const Target& target)
{
    const std::string key = "\"" + target.key + "\"";
    if (client.tool == Tool::OpenAiSdk)
        return "from openai import OpenAI\n\nclient = OpenAI(base_url=\"" + target.v1() + "\", api_key=" + key + ")\n";
    return "from anthropic import Anthropic\n\nclient = Anthropic(base_url=\"" + target.root + "\", api_key=" + key + ")\n";
}

}  // namespace

std::vector<Snippet> snippetsFor(const Client& client, const Target& target, const Places& places)
{
    std::vector<Snippet> list;
    if (!client.settable())
        return list;
    if (const std::string lines = exports(client, target); !lines.empty())
        list.push_back({{}, lines});
    if (!client.ownFile) {
        list.push_back({"Python", codeFor(client, target)});
        return list;
    }
    for (const FileEdit& edit : editsFor(client, target, places)) {
        // What an empty file would become is what a full one must hold.
        if (const Result<std::string> text = edit.edit({}))
            list.push_back({shortened(edit.path, places), *text});
    }
    return list;
}

}  // namespace omni::client_setup
