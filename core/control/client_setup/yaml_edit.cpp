#include "control/client_setup/yaml_edit.h"

#include "control/client_setup/edit_text.h"
#include "control/client_setup/yaml_lines.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace omni::client_setup {

using namespace yaml;

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

}  // namespace omni::client_setup
