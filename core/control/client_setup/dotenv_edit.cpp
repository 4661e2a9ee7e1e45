#include "control/client_setup/dotenv_edit.h"

#include "control/client_setup/edit_text.h"

#include <algorithm>

namespace omni::client_setup {

namespace {

struct Variable {
    std::string name;
    std::size_t valueBegin = 0;
    std::size_t valueEnd = 0;
};

Result<std::vector<Variable>> readVariables(std::string_view text)
{
    std::vector<Variable> list;
    std::size_t line = bodyStart(text);
    while (line < text.size()) {
        std::size_t at = std::min(text.find_first_not_of(" \t", line), text.size());
        std::size_t end = lineEnd(text, line);
        if (at >= end || text[at] == '#') {
            line = nextLine(text, line);
            continue;
        }
        if (text.substr(at, 7) == "export ")
            at = std::min(text.find_first_not_of(" \t", at + 7), end);
        const std::size_t equals = text.find('=', at);
        std::string_view name = text.substr(at, std::min(equals, end) - at);
        name = name.substr(0, name.find_last_not_of(" \t") + 1);
        if (equals >= end || name.empty() || name.find_first_of(" \t\"'") != std::string_view::npos)
            return brokenAt(text, line, "this is no NAME=value");
        Variable variable;
        variable.name = std::string(name);
        variable.valueBegin = std::min(std::min(text.find_first_not_of(" \t", equals + 1), text.size()), end);
        const char first = variable.valueBegin < end ? text[variable.valueBegin] : '\0';
        if (first == '"' || first == '\'') {
            std::size_t close = variable.valueBegin + 1;
            while (close < text.size() && text[close] != first)
                close += first == '"' && text[close] == '\\' ? 2 : 1;
            if (close >= text.size())
                return brokenAt(text, line, "the value of " + variable.name + " has no closing quote");
            variable.valueEnd = close + 1;
            end = lineEnd(text, close);
        } else {
            variable.valueEnd = std::min(text.find(" #", variable.valueBegin), end);
            while (variable.valueEnd > variable.valueBegin && (text[variable.valueEnd - 1] == ' ' || text[variable.valueEnd - 1] == '\t'))
                --variable.valueEnd;
        }
        list.push_back(std::move(variable));
        line = nextLine(text, end);
    }
    return list;
}

/// The last one counts, as for every reader.
const Variable* findVariable(const std::vector<Variable>& list, const std::string& name)
{
    const auto found = std::find_if(list.rbegin(), list.rend(), [&name](const Variable& variable) { return variable.name == name; });
    return found == list.rend() ? nullptr : &*found;
}

std::string quoted(const std::string& value)
{
    if (value.find_first_of(" \t#\"'$`\\") == std::string::npos)
        return value;
    std::string out = "\"";
    for (const char c : value) {
        if (c == '"' || c == '\\' || c == '$' || c == '`')
            out += '\\';
        out += c;
    }
    return out + '"';
}

std::string plain(std::string_view raw)
{
    const bool wrapped = raw.size() >= 2 && (raw.front() == '"' || raw.front() == '\'') && raw.back() == raw.front();
    return std::string(wrapped ? raw.substr(1, raw.size() - 2) : raw);
}

}  // namespace

Result<std::string> withVariables(std::string_view text, const std::vector<std::pair<std::string, std::string>>& variables)
{
    if (const Status status = checkText(text); !status)
        return status.error();
    std::string result(text);
    for (const auto& [name, value] : variables) {
        const Result<std::vector<Variable>> list = readVariables(result);
        if (!list)
            return list.error();
        if (const Variable* variable = findVariable(*list, name)) {
            const std::string_view old = std::string_view(result).substr(variable->valueBegin, variable->valueEnd - variable->valueBegin);
            if (plain(old) != value)
                result.replace(variable->valueBegin, variable->valueEnd - variable->valueBegin, quoted(value));
            continue;
        }
        const std::string newline(newlineOf(result));
        if (result.size() > bodyStart(result) && result.back() != '\n')
            result += newline;
        result += name;
        result += '=';
        result += quoted(value);
        result += newline;
    }
    return result;
}

Result<std::optional<std::string>> variableOf(std::string_view text, const std::string& name)
{
    if (const Status status = checkText(text); !status)
        return status.error();
    const Result<std::vector<Variable>> list = readVariables(text);
    if (!list)
        return list.error();
    const Variable* variable = findVariable(*list, name);
    return variable ? std::optional(plain(text.substr(variable->valueBegin, variable->valueEnd - variable->valueBegin))) : std::nullopt;
}

}  // namespace omni::client_setup
