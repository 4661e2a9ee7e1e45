#include "store/json_text.h"

#include <nlohmann/json.hpp>

namespace omni {

namespace {

nlohmann::json parsed(std::string_view text)
{
    return nlohmann::json::parse(text, nullptr, false);
}

}  // namespace

std::string toText(const nlohmann::json& json) { return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace); }

nlohmann::json objectFrom(std::string_view text)
{
    nlohmann::json json = parsed(text);
    return json.is_object() ? json : nlohmann::json::object();
}

std::string stringAt(const nlohmann::json& object, const char* key)
{
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::int64_t numberAt(const nlohmann::json& object, const char* key, std::int64_t fallback)
{
    const auto found = object.find(key);
    return found != object.end() && found->is_number_integer() ? found->get<std::int64_t>() : fallback;
}

bool flagAt(const nlohmann::json& object, const char* key)
{
    const auto found = object.find(key);
    return found != object.end() && found->is_boolean() && found->get<bool>();
}

std::string listToText(const std::vector<std::string>& list) { return list.empty() ? "[]" : toText(list); }

std::vector<std::string> listFrom(std::string_view text)
{
    std::vector<std::string> list;
    const nlohmann::json json = parsed(text);
    if (!json.is_array())
        return list;
    list.reserve(json.size());
    for (const nlohmann::json& item : json) {
        if (item.is_string())
            list.push_back(item.get<std::string>());
    }
    return list;
}

std::string pairsToText(const std::vector<std::pair<std::string, std::string>>& pairs)
{
    nlohmann::json array = nlohmann::json::array();
    for (const auto& [name, value] : pairs)
        array.push_back(nlohmann::json::array({name, value}));
    return toText(array);
}

std::vector<std::pair<std::string, std::string>> pairsFrom(const nlohmann::json& array)
{
    std::vector<std::pair<std::string, std::string>> pairs;
    if (!array.is_array())
        return pairs;
    for (const nlohmann::json& pair : array) {
        if (pair.is_array() && pair.size() == 2 && pair[0].is_string() && pair[1].is_string())
            pairs.emplace_back(pair[0].get<std::string>(), pair[1].get<std::string>());
    }
    return pairs;
}

std::vector<std::pair<std::string, std::string>> pairsFromText(std::string_view text) { return pairsFrom(parsed(text)); }

nlohmann::json evidenceToJson(const Evidence& evidence)
{
    return {{"at", epochMillis(evidence.at)},
            {"request", evidence.request.str()},
            {"status", evidence.status},
            {"header", evidence.header},
            {"bodyFragment", evidence.bodyFragment},
            {"rule", evidence.rule},
            {"source", std::string(toString(evidence.source))},
            {"lengthMs", evidence.length.count()}};
}

std::optional<Evidence> evidenceFrom(const nlohmann::json& object)
{
    if (!object.is_object() || object.empty())
        return std::nullopt;
    Evidence evidence;
    evidence.at = fromEpochMillis(numberAt(object, "at"));
    evidence.request = RequestId(stringAt(object, "request"));
    evidence.status = static_cast<int>(numberAt(object, "status"));
    evidence.header = stringAt(object, "header");
    evidence.bodyFragment = stringAt(object, "bodyFragment");
    evidence.rule = stringAt(object, "rule");
    evidence.source = enumFrom(stringAt(object, "source"), HintSource::Operator, HintSource::None);
    evidence.length = Millis(numberAt(object, "lengthMs"));
    return evidence;
}

}  // namespace omni
