#include "store/request_detail.h"

#include "store/json_text.h"

#include <nlohmann/json.hpp>

#include <charconv>

namespace omni {

namespace {

/// Bytes of the UTF-8 character that begins at `at`, 0 when it is malformed.
std::size_t utf8Length(std::string_view text, std::size_t at)
{
    const auto byte = [&text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(at);
    const std::size_t length = lead >= 0xC2 && lead <= 0xDF ? 2 : lead >= 0xE0 && lead <= 0xEF ? 3 : lead >= 0xF0 && lead <= 0xF4 ? 4 : 0;
    if (length == 0 || at + length > text.size())
        return 0;
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(at + i) & 0xC0) != 0x80)
            return 0;
    }
    const unsigned char second = byte(at + 1);
    const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
    const bool outside = (lead == 0xED && second > 0x9F) || (lead == 0xF4 && second > 0x8F);
    return overlong || outside ? 0 : length;
}

void appendString(std::string_view text, std::string& out)
{
    static constexpr char kHex[] = "0123456789abcdef";
    out += '"';
    std::size_t plain = 0;  // start of the run not copied yet
    std::size_t at = 0;
    const auto flush = [&] { out.append(text, plain, at - plain); };
    while (at < text.size()) {
        const auto byte = static_cast<unsigned char>(text[at]);
        if (byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\') {
            ++at;
            continue;
        }
        if (byte >= 0x80) {
            const std::size_t length = utf8Length(text, at);
            if (length > 0) {
                at += length;
                continue;
            }
            flush();
            out += "\xEF\xBF\xBD";
        } else {
            flush();
            if (byte == '"' || byte == '\\') {
                out += '\\';
                out += text[at];
            } else {
                out += "\\u00";
                out += kHex[byte >> 4];
                out += kHex[byte & 15];
            }
        }
        plain = ++at;
    }
    flush();
    out += '"';
}

/// Writes the members of one object; empty ones are left out.
class ObjectWriter {
public:
    explicit ObjectWriter(std::string& out) : m_out(out) { m_out += '{'; }

    void text(std::string_view key, std::string_view value)
    {
        if (value.empty())
            return;
        begin(key);
        appendString(value, m_out);
    }
    void number(std::string_view key, std::int64_t value)
    {
        begin(key);
        char digits[24];
        const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
        m_out.append(digits, static_cast<std::size_t>(end - digits));
    }
    void flag(std::string_view key, bool value)
    {
        if (value) {
            begin(key);
            m_out += "true";
        }
    }
    void begin(std::string_view key)
    {
        m_out.append(m_first ? "\"" : ",\"").append(key).append("\":");
        m_first = false;
    }
    void end() { m_out += '}'; }

private:
    std::string& m_out;
    bool m_first = true;
};

void appendAttempt(const AttemptRecord& attempt, std::string& out)
{
    ObjectWriter object(out);
    object.text("provider", attempt.provider.str());
    object.text("connectionId", attempt.connection.str());
    object.text("connectionName", attempt.connectionName);
    object.text("model", attempt.model);
    object.number("startedUs", attempt.startedUs);
    object.number("connectUs", attempt.connectUs);
    object.number("firstByteUs", attempt.firstByteUs);
    object.number("firstFrameUs", attempt.firstFrameUs);
    object.number("totalUs", attempt.totalUs);
    object.number("status", attempt.status);
    object.flag("success", attempt.success);
    object.text("reason", toString(attempt.reason));
    object.text("error", attempt.error);
    object.text("decision", attempt.decision);
    object.end();
}

void appendExcluded(const ExcludedTarget& target, std::string& out)
{
    ObjectWriter object(out);
    object.text("provider", target.provider.str());
    object.text("connectionId", target.connection.str());
    object.text("connectionName", target.connectionName);
    object.text("model", target.model);
    object.text("reason", toString(target.reason));
    object.number("remainingMs", target.remainingMs);
    object.end();
}

void appendPair(const std::pair<std::string, std::string>& pair, std::string& out)
{
    out += '[';
    appendString(pair.first, out);
    out += ',';
    appendString(pair.second, out);
    out += ']';
}

template <typename Items, typename Append>
void appendList(ObjectWriter& object, std::string_view key, const Items& items, Append append, std::string& out)
{
    if (items.empty())
        return;
    object.begin(key);
    char separator = '[';
    for (const auto& item : items) {
        out += separator;
        append(item, out);
        separator = ',';
    }
    out += ']';
}

AttemptRecord attemptFrom(const nlohmann::json& object)
{
    AttemptRecord attempt;
    attempt.provider = ProviderId(stringAt(object, "provider"));
    attempt.connection = ConnectionId(stringAt(object, "connectionId"));
    attempt.connectionName = stringAt(object, "connectionName");
    attempt.model = stringAt(object, "model");
    attempt.startedUs = numberAt(object, "startedUs");
    attempt.connectUs = numberAt(object, "connectUs", -1);
    attempt.firstByteUs = numberAt(object, "firstByteUs", -1);
    attempt.firstFrameUs = numberAt(object, "firstFrameUs", -1);
    attempt.totalUs = numberAt(object, "totalUs", -1);
    attempt.status = static_cast<int>(numberAt(object, "status"));
    attempt.success = flagAt(object, "success");
    attempt.reason = failureReasonFromString(stringAt(object, "reason"));
    attempt.error = stringAt(object, "error");
    attempt.decision = stringAt(object, "decision");
    return attempt;
}

ExcludedTarget excludedFrom(const nlohmann::json& object)
{
    ExcludedTarget target;
    target.provider = ProviderId(stringAt(object, "provider"));
    target.connection = ConnectionId(stringAt(object, "connectionId"));
    target.connectionName = stringAt(object, "connectionName");
    target.model = stringAt(object, "model");
    target.reason = enumFrom(stringAt(object, "reason"), Exclusion::AlreadyTried, Exclusion::None);
    target.remainingMs = numberAt(object, "remainingMs");
    return target;
}

}  // namespace

void appendDetail(const RequestRecord& record, std::string& out)
{
    ObjectWriter object(out);
    appendList(object, "attempts", record.attempts, appendAttempt, out);
    appendList(object, "excluded", record.excluded, appendExcluded, out);
    appendList(object, "requestHeaders", record.requestHeaders, appendPair, out);
    appendList(object, "responseHeaders", record.responseHeaders, appendPair, out);
    object.end();
}

void readDetail(std::string_view text, RequestRecord& record)
{
    const nlohmann::json detail = objectFrom(text);
    const auto each = [&detail](const char* key, auto read) {
        const auto list = detail.find(key);
        if (list == detail.end() || !list->is_array())
            return;
        for (const nlohmann::json& item : *list) {
            if (item.is_object())
                read(item);
        }
    };
    each("attempts", [&record](const nlohmann::json& item) { record.attempts.push_back(attemptFrom(item)); });
    each("excluded", [&record](const nlohmann::json& item) { record.excluded.push_back(excludedFrom(item)); });
    if (const auto headers = detail.find("requestHeaders"); headers != detail.end())
        record.requestHeaders = pairsFrom(*headers);
    if (const auto headers = detail.find("responseHeaders"); headers != detail.end())
        record.responseHeaders = pairsFrom(*headers);
}

}  // namespace omni
