#include "control/client_setup/yaml_edit.h"

#include "control/client_setup/edit_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace omni::client_setup {

namespace {

constexpr std::string_view kWords = "~ null true false yes no on off";

std::string quoted(const std::string& value)
{
    const bool plain = !value.empty() && std::all_of(value.begin(), value.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("_./:-+@").find(c) != std::string_view::npos;
    });
    const bool number = value.find_first_not_of("0123456789.:+-eE_") == std::string::npos;
    const bool word = kWords.find(value) != std::string_view::npos;
    const bool odd = !value.empty() && (value.front() == '-' || value.front() == ':' || value.front() == '@' || value.back() == ':');
    return plain && !number && !word && !odd ? value : nlohmann::json(value).dump();
}

/// A line "key: value" and where its parts are. `valueBegin == valueEnd` for no value.
struct Pair {
    std::string key;
    std::size_t keyBegin = 0;
    std::size_t colonEnd = 0;
    std::size_t valueBegin = 0;
    std::size_t valueEnd = 0;
};

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

/// Reads a pair that begins at `begin`; unset when this is none.
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

/// A key of the first level with everything that belongs to it.
struct Entry {
    Pair pair;
    std::size_t begin = 0;
    std::size_t end = 0;  ///< where the next one begins
};

bool blankOrComment(std::string_view text, std::size_t line)
{
    const std::size_t at = text.find_first_not_of(" \t", line);
    return at == std::string_view::npos || text[at] == '#' || text[at] == '\n' || text[at] == '\r';
}

Result<std::vector<Entry>> readEntries(std::string_view text)
{
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

/// Whether the value is one that stands in its line alone, so that it can be replaced there.
Status checkScalar(std::string_view text, const Pair& pair, std::size_t end)
{
    const char first = pair.valueBegin < pair.valueEnd ? text[pair.valueBegin] : '\0';
    bool more = std::string_view("|>&*!{[").find(first) != std::string_view::npos && first != '\0';
    const std::size_t indent = indentAt(text, pair.keyBegin).size();
    for (std::size_t line = nextLine(text, pair.keyBegin); line < end && !more; line = nextLine(text, line))
        more = !blankOrComment(text, line) && indentAt(text, line).size() > indent;
    if (more)
        return brokenAt(text, pair.keyBegin, "\"" + pair.key + "\" has more than a simple value; put it on one line first");
    return {};
}

void replaceValue(std::string& text, const Pair& pair, const std::string& value)
{
    const std::string old = unquoted(std::string_view(text).substr(pair.valueBegin, pair.valueEnd - pair.valueBegin));
    if (pair.valueBegin < pair.valueEnd && old == value)
        return;
    const std::string blank = pair.valueBegin == pair.colonEnd ? " " : "";
    text.replace(pair.valueBegin, pair.valueEnd - pair.valueBegin, blank + quoted(value));
}

void appendLines(std::string& text, std::string lines)
{
    const std::string newline(newlineOf(text));
    if (text.size() > bodyStart(text) && text.back() != '\n')
        text += newline;
    text += withNewlines(lines, newline);
}

Status setScalar(std::string& text, const std::string& key, const std::string& value)
{
    const Result<std::vector<Entry>> entries = readEntries(text);
    if (!entries)
        return entries.error();
    const Entry* entry = findEntry(*entries, key);
    if (!entry) {
        appendLines(text, key + ": " + quoted(value) + "\n");
        return {};
    }
    if (const Status status = checkScalar(text, entry->pair, entry->end); !status)
        return status;
    replaceValue(text, entry->pair, value);
    return {};
}

/// One element of a list: from its dash to behind its last line that counts.
struct Item {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t keyColumn = 0;  ///< blanks before its keys
    std::vector<Pair> pairs = {};
};

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

std::string_view valueOf(std::string_view text, const Pair& pair)
{
    return text.substr(pair.valueBegin, pair.valueEnd - pair.valueBegin);
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

std::string itemLines(const YamlPairs& pairs, std::size_t dash)
{
    std::string lines;
    for (const auto& [key, value] : pairs)
        lines += std::string(dash, ' ') + (lines.empty() ? "- " : "  ") + key + ": " + quoted(value) + "\n";
    return lines;
}

}  // namespace

Result<std::string> withYamlScalars(std::string_view text, const YamlPairs& pairs)
{
    if (const Status status = checkText(text); !status)
        return status.error();
    std::string result(text);
    for (const auto& [key, value] : pairs) {
        if (const Status status = setScalar(result, key, value); !status)
            return status.error();
    }
    return result;
}

Result<std::string> withYamlItem(std::string_view text, const std::string& list, const YamlPairs& pairs)
{
    if (const Status status = checkText(text); !status)
        return status.error();
    const Result<std::vector<Entry>> entries = readEntries(text);
    if (!entries)
        return entries.error();
    std::string result(text);
    const Entry* entry = findEntry(*entries, list);
    if (!entry) {
        appendLines(result, list + ":\n" + itemLines(pairs, 2));
        return result;
    }
    const std::string_view value = valueOf(text, entry->pair);
    const bool emptyList = value == "[]" || value == "~" || value == "null";
    if (!value.empty() && !emptyList)
        return brokenAt(text, entry->begin, "\"" + list + "\" is written in one-line form; write each element in lines of its own");
    const std::vector<Item> items = readItems(text, *entry);
    if (items.empty() && nextLine(text, entry->begin) < entry->end) {
        for (std::size_t line = nextLine(text, entry->begin); line < entry->end; line = nextLine(text, line)) {
            if (!blankOrComment(text, line))
                return brokenAt(text, line, "\"" + list + "\" is no list");
        }
    }
    const std::string newline(newlineOf(text));
    const Item* own = findItem(text, items, pairs.front());
    if (!own) {
        const std::size_t dash = items.empty() ? 2 : indentAt(text, items.front().begin).size();
        std::size_t place = items.empty() ? nextLine(text, entry->begin) : items.back().end;
        std::string lines = withNewlines(itemLines(pairs, dash), newline);
        if (place == text.size() && text.back() != '\n')
            lines = newline + lines;
        result.insert(place, lines);
        if (emptyList)
            result.erase(entry->pair.colonEnd, entry->pair.valueEnd - entry->pair.colonEnd);
        return result;
    }
    // From the last pair to the first, so that places found before stay right.
    std::string missing;
    std::vector<std::pair<Pair, std::string>> changes;
    for (const auto& [key, wanted] : pairs) {
        const Pair* pair = findPair(*own, key);
        if (!pair) {
            missing += std::string(own->keyColumn, ' ') + key + ": " + quoted(wanted) + "\n";
            continue;
        }
        if (const Status status = checkScalar(text, *pair, std::min(own->end, nextLine(text, pair->keyBegin))); !status)
            return status.error();
        changes.emplace_back(*pair, wanted);
    }
    std::string lines = withNewlines(missing, newline);
    if (!lines.empty() && own->end == text.size() && text.back() != '\n')
        lines = newline + lines;
    result.insert(own->end, lines);
    std::sort(changes.begin(), changes.end(), [](const auto& a, const auto& b) { return a.first.keyBegin > b.first.keyBegin; });
    for (const auto& [pair, wanted] : changes)
        replaceValue(result, pair, wanted);
    return result;
}

Result<std::optional<std::string>> yamlScalar(std::string_view text, const std::string& key)
{
    if (const Status status = checkText(text); !status)
        return status.error();
    const Result<std::vector<Entry>> entries = readEntries(text);
    if (!entries)
        return entries.error();
    const Entry* entry = findEntry(*entries, key);
    return entry ? std::optional(unquoted(valueOf(text, entry->pair))) : std::nullopt;
}

Result<std::optional<std::string>> yamlItemScalar(std::string_view text, const std::string& list,
                                                  const std::pair<std::string, std::string>& name, const std::string& key)
{
    if (const Status status = checkText(text); !status)
        return status.error();
    const Result<std::vector<Entry>> entries = readEntries(text);
    if (!entries)
        return entries.error();
    const Entry* entry = findEntry(*entries, list);
    if (!entry)
        return std::optional<std::string>();
    const std::vector<Item> items = readItems(text, *entry);
    const Item* own = findItem(text, items, name);
    const Pair* pair = own ? findPair(*own, key) : nullptr;
    return pair ? std::optional(unquoted(valueOf(text, *pair))) : std::nullopt;
}

Result<YamlPairs> yamlScalars(std::string_view text)
{
    if (const Status status = checkText(text); !status)
        return status.error();
    const Result<std::vector<Entry>> entries = readEntries(text);
    if (!entries)
        return entries.error();
    YamlPairs pairs;
    for (const Entry& entry : *entries) {
        if (!valueOf(text, entry.pair).empty())
            pairs.emplace_back(entry.pair.key, unquoted(valueOf(text, entry.pair)));
    }
    return pairs;
}

Result<std::vector<YamlPairs>> yamlItems(std::string_view text, const std::string& list)
{
    if (const Status status = checkText(text); !status)
        return status.error();
    const Result<std::vector<Entry>> entries = readEntries(text);
    if (!entries)
        return entries.error();
    std::vector<YamlPairs> elements;
    const Entry* entry = findEntry(*entries, list);
    if (!entry)
        return elements;
    for (const Item& item : readItems(text, *entry)) {
        YamlPairs& pairs = elements.emplace_back();
        for (const Pair& pair : item.pairs)
            pairs.emplace_back(pair.key, unquoted(valueOf(text, pair)));
    }
    return elements;
}

Result<std::vector<std::string>> yamlTexts(std::string_view text, const std::string& list)
{
    if (const Status status = checkText(text); !status)
        return status.error();
    const Result<std::vector<Entry>> entries = readEntries(text);
    if (!entries)
        return entries.error();
    std::vector<std::string> texts;
    const Entry* entry = findEntry(*entries, list);
    if (entry && !valueOf(text, entry->pair).empty())
        texts.push_back(unquoted(valueOf(text, entry->pair)));
    else if (entry) {
        for (const Item& item : readItems(text, *entry)) {
            // As a value behind a key is read: in quotes or not, a comment behind it.
            const std::string line = "x: " + std::string(text.substr(item.begin + indentAt(text, item.begin).size() + 1,
                                                                    lineEnd(text, item.begin) - item.begin - indentAt(text, item.begin).size() - 1));
            if (const std::optional<Pair> pair = readPair(line, 0))
                texts.push_back(unquoted(valueOf(line, *pair)));
        }
    }
    return texts;
}

}  // namespace omni::client_setup
