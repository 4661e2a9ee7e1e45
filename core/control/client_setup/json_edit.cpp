#include "control/client_setup/json_edit.h"

#include "control/client_setup/edit_text.h"

#include <algorithm>

namespace omni::client_setup {

namespace {

using nlohmann::ordered_json;

constexpr int kDeepest = 200;
constexpr std::string_view kBlank = " \t\r\n";

/// Where a value stands in the text; only objects are taken apart.
struct Node {
    struct Member;
    std::size_t begin = 0;
    std::size_t end = 0;
    bool object = false;
    bool trailingComma = false;
    std::size_t commentEnd = 0;  ///< behind the last thing before the closing brace, comments included
    std::vector<Member> members;
};
struct Node::Member {
    std::string key;
    std::size_t keyBegin = 0;
    Node value;
};

class Reader {
public:
    explicit Reader(std::string_view text) : m_text(text), m_at(bodyStart(text)) {}

    /// The whole document; `begin == end` for one with nothing but blanks and comments.
    Result<Node> document()
    {
        Node root;
        skip();
        root.begin = root.end = m_at;
        if (!m_error && m_at < m_text.size())
            root = value(0);
        if (!m_error) {
            skip();
            if (m_at < m_text.size())
                fail("something follows the end of the document");
        }
        if (m_error)
            return *m_error;
        return root;
    }

private:
    /// The first fault is the one that is told.
    void fail(std::string_view what)
    {
        if (!m_error)
            m_error = brokenAt(m_text, m_at, what);
    }
    char peek() const { return m_at < m_text.size() ? m_text[m_at] : '\0'; }

    /// Blanks and comments. Tells where the last comment ended, 0 = there was none.
    std::size_t skip()
    {
        std::size_t commentEnd = 0;
        while (!m_error) {
            m_at = std::min(m_text.find_first_not_of(kBlank, m_at), m_text.size());
            const std::string_view rest = m_text.substr(m_at);
            if (rest.substr(0, 2) == "//") {
                m_at = lineEnd(m_text, m_at);
            } else if (rest.substr(0, 2) == "/*") {
                const std::size_t end = m_text.find("*/", m_at + 2);
                if (end == std::string_view::npos)
                    fail("a comment has no end");
                else
                    m_at = end + 2;
            } else {
                break;
            }
            commentEnd = m_at;
        }
        return commentEnd;
    }

    /// Steps over a string and gives its decoded text.
    std::string string()
    {
        const std::size_t begin = m_at++;
        while (m_at < m_text.size() && m_text[m_at] != '"' && m_text[m_at] != '\n')
            m_at += m_text[m_at] == '\\' ? 2 : 1;
        if (m_at >= m_text.size() || m_text[m_at] != '"') {
            m_at = begin;
            fail("a text has no closing quote");
            return {};
        }
        ++m_at;
        const ordered_json decoded = ordered_json::parse(m_text.substr(begin, m_at - begin), nullptr, false);
        if (!decoded.is_string()) {
            m_at = begin;
            fail("a text holds what JSON does not allow");
            return {};
        }
        return decoded.get<std::string>();
    }

    Node value(int depth)
    {
        Node node;
        node.begin = m_at;
        if (depth > kDeepest)
            fail("it is nested too deeply");
        else if (peek() == '{')
            readObject(node, depth);
        else if (peek() == '[')
            readArray(depth);
        else if (peek() == '"')
            string();
        else
            readWord();
        node.end = m_at;
        return node;
    }

    void readWord()
    {
        const std::size_t begin = m_at;
        m_at = std::min(m_text.find_first_of(" \t\r\n,]}/:", m_at), m_text.size());
        const ordered_json word = ordered_json::parse(m_text.substr(begin, m_at - begin), nullptr, false);
        if (word.is_discarded()) {
            m_at = begin;
            fail("a value is missing, or is none");
        }
    }

    void readArray(int depth)
    {
        ++m_at;
        while (!m_error) {
            skip();
            if (peek() == ']')
                break;
            value(depth + 1);
            skip();
            if (peek() == ',')
                ++m_at;
            else if (peek() != ']')
                fail("a comma or ] is missing");
        }
        ++m_at;
    }

    void readObject(Node& node, int depth)
    {
        node.object = true;
        ++m_at;
        node.commentEnd = m_at;
        while (!m_error) {
            if (const std::size_t comment = skip(); comment > 0)
                node.commentEnd = comment;
            if (peek() == '}')
                break;
            if (peek() != '"') {
                fail("a name in quotes, or }, is missing");
                return;
            }
            Node::Member member;
            member.keyBegin = m_at;
            member.key = string();
            skip();
            if (peek() != ':') {
                fail("a colon is missing");
                return;
            }
            ++m_at;
            skip();
            member.value = value(depth + 1);
            node.commentEnd = m_at;
            node.members.push_back(std::move(member));
            if (const std::size_t comment = skip(); comment > 0)
                node.commentEnd = comment;
            node.trailingComma = peek() == ',';
            if (node.trailingComma)
                node.commentEnd = ++m_at;
            else if (peek() != '}')
                fail("a comma or } is missing");
        }
        ++m_at;
    }

    std::string_view m_text;
    std::size_t m_at;
    std::optional<Error> m_error;
};

/// The last of that name counts, as for every reader.
const Node::Member* findMember(const Node& node, const std::string& key)
{
    const auto found = std::find_if(node.members.rbegin(), node.members.rend(), [&key](const auto& member) { return member.key == key; });
    return found == node.members.rend() ? nullptr : &*found;
}

/// One step of indentation, as the document's first member shows it.
std::string indentUnit(std::string_view text, const Node& root)
{
    if (!root.members.empty()) {
        const std::string_view indent = indentAt(text, root.members.front().keyBegin);
        if (!indent.empty() && lineBegin(text, root.members.front().keyBegin) != lineBegin(text, root.begin))
            return std::string(indent);
    }
    return "  ";
}

/// The value over several lines, those after the first with `indent` before them.
std::string pretty(const ordered_json& value, const std::string& unit, std::string_view indent, std::string_view newline)
{
    const std::string dumped = unit.front() == '\t' ? value.dump(1, '\t') : value.dump(static_cast<int>(unit.size()));
    std::string out;
    for (const char c : dumped) {
        if (c == '\n')
            out.append(newline).append(indent);
        else
            out += c;
    }
    return out;
}

ordered_json wrapped(const std::vector<std::string>& path, std::size_t from, const ordered_json& value)
{
    ordered_json result = value;
    for (std::size_t i = path.size(); i > from; --i) {
        ordered_json outer = ordered_json::object();
        outer[path[i - 1]] = std::move(result);
        result = std::move(outer);
    }
    return result;
}

void insertMember(std::string& text, const Node& root, const Node& object, const std::string& key, const ordered_json& value)
{
    const std::string unit = indentUnit(text, root);
    const std::string newline(newlineOf(text));
    const std::string outer(indentAt(text, object.begin));
    const std::string name = ordered_json(key).dump() + ": ";
    const bool oneLine = !object.members.empty() && text.find('\n', object.begin) > object.members.front().keyBegin;
    const std::size_t brace = object.end - 1;
    if (oneLine) {
        const std::string piece = (object.trailingComma ? " " : ", ") + name + value.dump();
        text.insert(object.members.back().value.end + (object.trailingComma ? 1 : 0), piece);
        return;
    }
    const std::string indent = object.members.empty() ? outer + unit : std::string(indentAt(text, object.members.front().keyBegin));
    std::string piece = newline + indent + name + pretty(value, unit, indent, newline);
    // A brace on the line of the last thing before it gets a line of its own.
    if (text.find('\n', object.commentEnd) > brace)
        piece += newline + outer;
    text.insert(object.commentEnd, piece);
    if (!object.members.empty() && !object.trailingComma)
        text.insert(object.members.back().value.end, ",");
}

Status setOne(std::string& text, const JsonSetting& setting)
{
    Result<Node> parsed = Reader(text).document();
    if (!parsed)
        return parsed.error();
    const Node& root = *parsed;
    if (root.begin == root.end) {
        const std::string newline(newlineOf(text));
        if (text.size() > bodyStart(text) && text.back() != '\n')
            text += newline;
        text += pretty(wrapped(setting.path, 0, setting.value), "  ", {}, newline) + newline;
        return {};
    }
    const Node* at = &root;
    for (std::size_t depth = 0; depth < setting.path.size(); ++depth) {
        if (!at->object && depth == 0)
            return brokenAt(text, at->begin, "the document is no object, so nothing can be put into it");
        if (!at->object)
            return brokenAt(text, at->begin, "\"" + setting.path[depth - 1] + "\" is no object, so nothing can be put into it");
        const Node::Member* member = findMember(*at, setting.path[depth]);
        if (!member) {
            insertMember(text, root, *at, setting.path[depth], wrapped(setting.path, depth + 1, setting.value));
            return {};
        }
        at = &member->value;
    }
    const std::string_view old = std::string_view(text).substr(at->begin, at->end - at->begin);
    if (ordered_json::parse(old, nullptr, false, true) == setting.value)
        return {};
    const std::string fresh = pretty(setting.value, indentUnit(text, root), indentAt(text, at->begin), newlineOf(text));
    text.replace(at->begin, at->end - at->begin, fresh);
    return {};
}

}  // namespace

Result<std::string> withJsonSettings(std::string_view text, const std::vector<JsonSetting>& settings)
{
    if (const Status status = checkText(text); !status)
        return status.error();
    std::string result(text);
    for (const JsonSetting& setting : settings) {
        if (const Status status = setOne(result, setting); !status)
            return status.error();
    }
    return result;
}

Result<std::optional<std::string>> jsonText(std::string_view text, const std::vector<std::string>& path)
{
    if (const Status status = checkText(text); !status)
        return status.error();
    Result<Node> parsed = Reader(text).document();
    if (!parsed)
        return parsed.error();
    const Node* at = &*parsed;
    for (const std::string& key : path) {
        const Node::Member* member = findMember(*at, key);
        if (!member)
            return std::optional<std::string>();
        at = &member->value;
    }
    const ordered_json value = ordered_json::parse(text.substr(at->begin, at->end - at->begin), nullptr, false, true);
    return value.is_string() ? std::optional(value.get<std::string>()) : std::nullopt;
}

}  // namespace omni::client_setup
