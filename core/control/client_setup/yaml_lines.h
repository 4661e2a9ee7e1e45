#pragma once

#include "base/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// How a hand-written YAML file is put together, as places in its text: what reading and editing it stand on. Understands one block mapping
/// of values that stand in their line, and lists of such mappings.
namespace omni::client_setup::yaml {

/// A line "key: value" and where its parts are. `valueBegin == valueEnd` for no value.
struct Pair {
    std::string key;
    std::size_t keyBegin = 0;
    std::size_t colonEnd = 0;
    std::size_t valueBegin = 0;
    std::size_t valueEnd = 0;
};

/// The text behind a value as it is written, with or without quotes.
std::string unquoted(std::string_view raw);
/// Reads a pair that begins at `begin`; unset when this is none.
std::optional<Pair> readPair(std::string_view text, std::size_t begin);
std::string_view valueOf(std::string_view text, const Pair& pair);

/// A key of the first level with everything that belongs to it.
struct Entry {
    Pair pair;
    std::size_t begin = 0;
    std::size_t end = 0;  ///< where the next one begins
};

/// The whole document. InvalidArgument, with the line, for what is not understood.
Result<std::vector<Entry>> readEntries(std::string_view text);
const Entry* findEntry(const std::vector<Entry>& entries, const std::string& key);

/// One element of a list: from its dash to behind its last line that counts.
struct Item {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t keyColumn = 0;  ///< blanks before its keys
    std::vector<Pair> pairs = {};
};

std::vector<Item> readItems(std::string_view text, const Entry& entry);
const Pair* findPair(const Item& item, const std::string& key);
/// The one that has this key with this value.
const Item* findItem(std::string_view text, const std::vector<Item>& items, const std::pair<std::string, std::string>& name);

bool blankOrComment(std::string_view text, std::size_t line);

}  // namespace omni::client_setup::yaml
