#pragma once

#include "model/settings.h"
#include "store/database.h"

#include <string>

namespace omni {

/// key_value (spec 4-surfaces §1.4): the sections of the settings document, and small named facts.
class KeyValueTable {
public:
    explicit KeyValueTable(Database& database);

    Status put(std::string_view nameSpace, std::string_view key, std::string_view json);
    /// Empty when absent.
    Result<std::string> get(std::string_view nameSpace, std::string_view key);

    Status putFact(const std::string& key, const std::string& json) { return put("facts", key, json); }
    Result<std::string> fact(const std::string& key) { return get("facts", key); }

    /// One row for each section of the document; a section is an object or a list.
    Status putSettings(const Settings& settings);
    /// Damaged or missing sections have their defaults.
    Result<Settings> settings();

private:
    Statement m_put;
    Statement m_get;
    Statement m_all;
};

}  // namespace omni
