#include "control/client_setup/yaml_lines.h"

#include "control/client_setup/edit_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace omni::client_setup::yaml {

namespace {

/// Behind the closing quote; npos when it is not on this line.
std::size_t quoteEnd(std::string_view text, std::size_t begin, std::size_t end)
{
    const char quote = text[begin];
    for (std::size_t at = begin + 1; at < end; ++at) {
        if (quote == '"' && text[at] == '\\')
            ++at;
        else if (text[at] == quote && quote == '\'' && at + 1 < end && text[at + 1] == '\'')
            ++at;
        else if (text[at] == quote)
            return at + 1;
    }
    return std::string_view::npos;
}

}  // namespace

std::string unquoted(std::string_view raw)
{
    if (raw.size() >= 2 && raw.front() == '"' && raw.back() == '"') {
        const auto text = nlohmann::json::parse(raw, nullptr, false);
        return text.is_string() ? text.get<std::string>() : std::string(raw.substr(1, raw.size() - 2));
    }
    if (raw.size() >= 2 && raw.front() == '\'' && raw.back() == '\'') {
        std::string text(raw.substr(1, raw.size() - 2));
        for (std::size_t at = text.find("''"); at != std::string::npos; at = text.find("''", at + 1))
            text.erase(at, 1);
        return text;
    }
    return std::string(raw);
}

std::optional<Pair> readPair(std::string_view text, std::size_t begin)
{
    const std::size_t end = lineEnd(text, begin);
    Pair pair;
    pair.keyBegin = begin;
    std::size_t colon = std::string_view::npos;
    if (begin < end && (text[begin] == '"' || text[begin] == '\'')) {
        const std::size_t close = quoteEnd(text, begin, end);
        if (close == std::string_view::npos)
            return std::nullopt;
        pair.key = unquoted(text.substr(begin, close - begin));
        colon = std::min(text.find_first_not_of(' ', close), end);
    } else {
        colon = begin;
        while (colon < end && !(text[colon] == ':' && (colon + 1 == end || text[colon + 1] == ' ' || text[colon + 1] == '\t')))
            ++colon;
        std::string_view key = text.substr(begin, colon - begin);
        key = key.substr(0, key.find_last_not_of(' ') + 1);
        pair.key = std::string(key);
    }
    if (colon >= end || text[colon] != ':' || pair.key.empty())
        return std::nullopt;
    pair.colonEnd = colon + 1;
    pair.valueBegin = std::min(std::min(text.find_first_not_of(" \t", pair.colonEnd), text.size()), end);
    pair.valueEnd = end;
    if (pair.valueBegin < end && text[pair.valueBegin] == '#') {
        pair.valueBegin = pair.valueEnd = pair.colonEnd;
    } else if (pair.valueBegin < end && (text[pair.valueBegin] == '"' || text[pair.valueBegin] == '\'')) {
        if (const std::size_t close = quoteEnd(text, pair.valueBegin, end); close != std::string_view::npos)
            pair.valueEnd = close;
    } else {
        const std::size_t comment = text.substr(0, end).find(" #", pair.valueBegin);
        pair.valueEnd = std::min(comment, end);
        while (pair.valueEnd > pair.valueBegin && (text[pair.valueEnd - 1] == ' ' || text[pair.valueEnd - 1] == '\t'))
            --pair.valueEnd;
        if (pair.valueBegin == end)
            pair.valueBegin = pair.valueEnd = pair.colonEnd;
    }
    return pair;
}

std::string_view valueOf(std::string_view text, const Pair& pair)
{
    return text.substr(pair.valueBegin, pair.valueEnd - pair.valueBegin);
}

bool blankOrComment(std::string_view text, std::size_t line)
{
    const std::size_t at = text.find_first_not_of(" \t", line);
    return at == std::string_view::npos || text[at] == '#' || text[at] == '\n' || text[at] == '\r';
}

Result<std::vector<Entry>> readEntries(std::string_view text)
{
    if (const Status status = checkText(text); !status)
        return status.error();
    std::vector<Entry> entries;
    bool begun = false;
    for (std::size_t line = bodyStart(text); line < text.size(); line = nextLine(text, line)) {
        const char first = text[line];
        if (blankOrComment(text, line))
            continue;
        const std::string_view indent = indentAt(text, line);
        if (indent.find('\t') != std::string_view::npos)
            return brokenAt(text, line, "YAML knows no tabs as indentation");
        const std::string_view content = text.substr(line, lineEnd(text, line) - line);
        if (content.substr(0, 3) == "---" || content == "...") {
            if (begun || content.substr(0, 3) != "---")
                return brokenAt(text, line, "there is more than one document in the file");
            begun = true;
            continue;
        }
        if (first == '%')
            continue;
        begun = true;
        const bool item = content == "-" || content.substr(0, 2) == "- ";
        if (!indent.empty() || item) {
            // An element of a list may stand as far left as the key it belongs to.
            if (entries.empty() || (item && entries.back().pair.valueBegin != entries.back().pair.valueEnd))
                return brokenAt(text, line, "this belongs to no key");
            continue;
        }
        if (first == '{' || first == '[')
            return brokenAt(text, line, "the settings are written in one-line form; write one \"key: value\" in each line");
        std::optional<Pair> pair = readPair(text, line);
        if (!pair)
            return brokenAt(text, line, "this is no \"key: value\"");
        const bool again = std::any_of(entries.begin(), entries.end(), [&](const Entry& other) { return other.pair.key == pair->key; });
        if (again)
            return brokenAt(text, line, "\"" + pair->key + "\" is set twice");
        if (!entries.empty())
            entries.back().end = line;
        entries.push_back({*std::move(pair), line, text.size()});
    }
    return entries;
}

const Entry* findEntry(const std::vector<Entry>& entries, const std::string& key)
{
    const auto found = std::find_if(entries.begin(), entries.end(), [&key](const Entry& entry) { return entry.pair.key == key; });
    return found == entries.end() ? nullptr : &*found;
}

std::vector<Item> readItems(std::string_view text, const Entry& entry)
{
    std::vector<Item> items;
    std::optional<std::size_t> dash;
    for (std::size_t line = nextLine(text, entry.begin); line < entry.end; line = nextLine(text, line)) {
        if (blankOrComment(text, line))
            continue;
        const std::size_t indent = indentAt(text, line).size();
        std::size_t at = line + indent;
        const bool item =
            text[at] == '-' && (at + 1 >= text.size() || std::string_view(" \r\n").find(text[at + 1]) != std::string_view::npos);
        if (item && indent == dash.value_or(indent)) {
            dash = indent;
            at = std::min(text.find_first_not_of(" \t", at + 1), text.size());
            items.push_back({line, line, indent + 2});
            if (at < lineEnd(text, line))
                items.back().keyColumn = at - line;
        }
        if (items.empty())
            return items;
        items.back().end = nextLine(text, line);
        if (at - line == items.back().keyColumn) {
            if (std::optional<Pair> pair = readPair(text, at))
                items.back().pairs.push_back(*std::move(pair));
        }
    }
    return items;
}

const Pair* findPair(const Item& item, const std::string& key)
{
    const auto found = std::find_if(item.pairs.begin(), item.pairs.end(), [&key](const Pair& pair) { return pair.key == key; });
    return found == item.pairs.end() ? nullptr : &*found;
}

const Item* findItem(std::string_view text, const std::vector<Item>& items, const std::pair<std::string, std::string>& name)
{
    const auto found = std::find_if(items.begin(), items.end(), [&](const Item& item) {
        const Pair* pair = findPair(item, name.first);
        return pair && unquoted(valueOf(text, *pair)) == name.second;
    });
    return found == items.end() ? nullptr : &*found;
}

}  // namespace omni::client_setup::yaml
