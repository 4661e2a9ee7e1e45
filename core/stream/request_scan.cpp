#include "stream/request_scan.h"

#include "stream/request_scan_errors.h"

#include <simdjson.h>

#include <cstdio>

namespace omni {

namespace {

Result<RequestScan> scanWith(simdjson::ondemand::parser& parser, std::string_view body, std::size_t capacity)
{
    RequestScan scan;
    simdjson::ondemand::document document;
    if (const auto error = parser.iterate(body.data(), body.size(), capacity).get(document))
        return notAnObject(simdjson::error_message(error));
    simdjson::ondemand::object object;
    if (const auto error = document.get_object().get(object))
        return notAnObject(simdjson::error_message(error));
    bool streamSeen = false;
    for (auto member : object) {
        simdjson::ondemand::raw_json_string key;
        if (const auto error = member.key().get(key))
            return notAnObject(simdjson::error_message(error));
        const bool isModel = key.unsafe_is_equal("model");
        const bool isStream = !isModel && key.unsafe_is_equal("stream");
        if (!isModel && !isStream)
            continue;
        simdjson::ondemand::value value;
        if (const auto error = member.value().get(value))
            return notAnObject(simdjson::error_message(error));
        if (isModel) {
            if (scan.modelLength != 0)
                return givenTwice("model");
            if (value.type() != simdjson::ondemand::json_type::string)
                return notAString("model");
            std::string_view raw = value.raw_json_token();
            while (!raw.empty() && raw.back() != '"')
                raw.remove_suffix(1);
            scan.modelAt = static_cast<std::size_t>(raw.data() - body.data());
            scan.modelLength = raw.size();
            std::string_view text;
            if (const auto error = value.get_string().get(text))
                return notAnObject(simdjson::error_message(error));
            scan.model = text;
        } else {
            if (streamSeen)
                return givenTwice("stream");
            streamSeen = true;
            if (value.type() == simdjson::ondemand::json_type::null)
                continue;
            if (value.get_bool().get(scan.stream))
                return notABoolean("stream");
        }
    }
    // Iteration stops silently where the structure breaks off; what is left must be white space.
    if (document.current_location().error() != simdjson::OUT_OF_BOUNDS)
        return notAnObject("it is cut off, or something follows the object.");
    return scan;
}

}  // namespace

Result<RequestScan> scanRequest(std::string_view body, std::size_t capacity)
{
    // Its index is four times as large as the largest body it has seen.
    thread_local simdjson::ondemand::parser parser;
    return scanWith(parser, body, capacity);
}

std::string jsonQuoted(std::string_view text)
{
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (static_cast<unsigned char>(c) < 0x20) {
            char escaped[8];
            std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(c));
            out += escaped;
        } else {
            out += c;
        }
    }
    out += '"';
    return out;
}

}  // namespace omni
