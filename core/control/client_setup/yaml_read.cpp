#include "control/client_setup/yaml_read.h"

#include "control/client_setup/edit_text.h"
#include "control/client_setup/yaml_lines.h"

namespace omni::client_setup {

using namespace yaml;

Result<std::optional<std::string>> yamlScalar(std::string_view text, const std::string& key)
{
    const Result<std::vector<Entry>> entries = readEntries(text);
    if (!entries)
        return entries.error();
    const Entry* entry = findEntry(*entries, key);
    return entry ? std::optional(unquoted(valueOf(text, entry->pair))) : std::nullopt;
}

Result<std::optional<std::string>> yamlItemScalar(std::string_view text, const std::string& list,
                                                  const std::pair<std::string, std::string>& name, const std::string& key)
{
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
