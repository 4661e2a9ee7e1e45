#include "control/client_setup/toml_edit.h"

#include "control/client_setup/edit_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>

namespace omni::client_setup {

namespace {

using Path = std::vector<std::string>;

/// A line that counts: a table's head, or a key and its value (which may take several lines).
struct Statement {
    bool head = false;
    bool array = false;         ///< [[table]]
    Path path;                  ///< from the root, whatever table it stands in
    std::size_t tableSize = 0;  ///< how much of `path` is the table it stands in
    std::size_t begin = 0;
    std::size_t valueBegin = 0;
    std::size_t valueEnd = 0;
    std::size_t next = 0;  ///< behind its line end
};

bool isBare(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
}

bool beginsWith(const Path& path, const Path& start)
{
    return path.size() >= start.size() && std::equal(start.begin(), start.end(), path.begin());
}

class Reader {
public:
    explicit Reader(std::string_view text) : m_text(text), m_at(bodyStart(text)) {}

    Result<std::vector<Statement>> statements()
    {
        std::vector<Statement> list;
        Path table;
        bool inArray = false;
        while (m_at < m_text.size() && !m_error) {
            blanks();
            if (peek() == '#' || peek() == '\n' || peek() == '\r' || m_at >= m_text.size()) {
                m_at = nextLine(m_text, m_at);
                continue;
            }
            Statement statement;
            statement.begin = m_at;
            if (peek() == '[') {
                readHead(statement);
                table = statement.path;
                inArray = statement.array;
            } else {
                readPair(statement, table);
            }
            restOfLine();
            statement.next = m_at;
            // Keys of a table in an array stand once in each of its elements.
            const bool again = !inArray && !statement.head && std::any_of(list.begin(), list.end(), [&](const Statement& other) {
                return !other.head && other.path == statement.path && other.tableSize == statement.tableSize;
            });
            if (again && !m_error)
                m_error = brokenAt(m_text, statement.begin, "\"" + statement.path.back() + "\" is set twice");
            list.push_back(std::move(statement));
        }
        if (m_error)
            return *m_error;
        return list;
    }

    /// Steps over one value; false when there is none.
    bool value()
    {
        const std::size_t begin = m_at;
        if (peek() == '"' || peek() == '\'')
            string();
        else if (peek() == '[' || peek() == '{')
            brackets();
        else
            while (m_at < m_text.size() && std::string_view(" \t\r\n,]}#").find(m_text[m_at]) == std::string_view::npos)
                ++m_at;
        // A date and a time may have one blank between them.
        if (m_at + 1 < m_text.size() && m_at - begin == 10 && m_text[begin + 4] == '-' && peek() == ' ' &&
            std::isdigit(static_cast<unsigned char>(m_text[m_at + 1])) != 0) {
            ++m_at;
            while (m_at < m_text.size() && std::string_view(" \t\r\n,]}#").find(m_text[m_at]) == std::string_view::npos)
                ++m_at;
        }
        return m_at > begin && !m_error;
    }

private:
    /// The first fault is the one that is told.
    void fail(std::string_view what)
    {
        if (!m_error)
            m_error = brokenAt(m_text, m_at, what);
    }
    char peek() const { return m_at < m_text.size() ? m_text[m_at] : '\0'; }
    void blanks() { m_at = std::min(m_text.find_first_not_of(" \t", m_at), m_text.size()); }

    void restOfLine()
    {
        blanks();
        if (!m_error && m_at < m_text.size() && peek() != '#' && peek() != '\n' && peek() != '\r')
            fail("something follows the value");
        m_at = nextLine(m_text, m_at);
    }

    void string()
    {
        const char quote = peek();
        const std::size_t begin = m_at;
        const std::string triple(3, quote);
        const bool several = m_text.substr(m_at, 3) == triple;
        m_at += several ? 3 : 1;
        while (m_at < m_text.size()) {
            if (quote == '"' && peek() == '\\') {
                m_at += 2;
                continue;
            }
            if (!several && peek() == '\n')
                break;
            if (several ? m_text.substr(m_at, 3) == triple : peek() == quote) {
                m_at += several ? 3 : 1;
                // Up to two quotes may stand right before the closing three.
                while (several && peek() == quote)
                    ++m_at;
                return;
            }
            ++m_at;
        }
        m_at = begin;
        fail("a text has no closing quote");
        m_at = m_text.size();
    }

    /// An array or inline table with all that is in it.
    void brackets()
    {
        const std::size_t begin = m_at;
        std::string open;
        do {
            const char c = peek();
            if (c == '"' || c == '\'') {
                string();
                continue;
            }
            if (c == '#') {
                m_at = nextLine(m_text, m_at);
                continue;
            }
            if (c == '[' || c == '{')
                open += c == '[' ? ']' : '}';
            else if (!open.empty() && c == open.back())
                open.pop_back();
            ++m_at;
        } while (!open.empty() && m_at < m_text.size());
        if (!open.empty()) {
            m_at = begin;
            fail(open.back() == ']' ? "a closing ] is missing" : "a closing } is missing");
            m_at = m_text.size();
        }
    }

    Path keys()
    {
        Path path;
        while (!m_error) {
            blanks();
            const std::size_t begin = m_at;
            if (peek() == '"' || peek() == '\'') {
                string();
                if (m_error)
                    break;
                path.push_back(decoded(m_text.substr(begin, m_at - begin)));
            } else {
                while (isBare(peek()))
                    ++m_at;
                if (m_at == begin) {
                    fail("a name is missing");
                    break;
                }
                path.emplace_back(m_text.substr(begin, m_at - begin));
            }
            blanks();
            if (peek() != '.')
                break;
            ++m_at;
        }
        return path;
    }

    void readHead(Statement& statement)
    {
        statement.head = true;
        statement.array = m_text.substr(m_at, 2) == "[[";
        m_at += statement.array ? 2 : 1;
        statement.path = keys();
        statement.tableSize = statement.path.size();
        const std::string_view close = statement.array ? "]]" : "]";
        if (!m_error && m_text.substr(m_at, close.size()) != close)
            fail("the ] of a table's name is missing");
        m_at = std::min(m_at + close.size(), m_text.size());
    }

    void readPair(Statement& statement, const Path& table)
    {
        statement.path = table;
        statement.tableSize = table.size();
        const Path own = keys();
        statement.path.insert(statement.path.end(), own.begin(), own.end());
        if (!m_error && peek() != '=')
            fail("= is missing behind a name");
        if (m_error)
            return;
        ++m_at;
        blanks();
        statement.valueBegin = m_at;
        if (!value())
            fail("a value is missing");
        statement.valueEnd = m_at;
    }

public:
    static std::string decoded(std::string_view quoted)
    {
        const bool several = quoted.size() >= 6 && quoted[1] == quoted[0] && quoted[2] == quoted[0];
        const std::string_view inner = quoted.substr(several ? 3 : 1, quoted.size() - (several ? 6 : 2));
        if (quoted.front() == '\'' || inner.find('\\') == std::string_view::npos)
            return std::string(inner);
        // The escapes that are common to both cover what stands in names, addresses and keys.
        const auto text = nlohmann::json::parse('"' + std::string(inner) + '"', nullptr, false);
        return text.is_string() ? text.get<std::string>() : std::string(inner);
    }

private:
    std::string_view m_text;
    std::size_t m_at;
    std::optional<Error> m_error;
};

const Statement* findPair(const std::vector<Statement>& list, const Path& path)
{
    const auto found = std::find_if(list.begin(), list.end(), [&path](const Statement& s) { return !s.head && s.path == path; });
    return found == list.end() ? nullptr : &*found;
}

std::string joined(const Path& path)
{
    std::string text;
    for (const std::string& part : path)
        text += (text.empty() ? "" : ".") + part;
    return text;
}

/// Behind the last key of the table, or behind its head; npos when it is not there.
std::size_t placeIn(std::string_view text, const std::vector<Statement>& list, const Path& table)
{
    std::size_t place = std::string_view::npos;
    for (const Statement& statement : list) {
        const bool own =
            statement.head ? statement.path == table : statement.tableSize == table.size() && beginsWith(statement.path, table);
        if (own)
            place = statement.next;
        else if (table.empty() && statement.head)
            break;
    }
    if (place == std::string_view::npos && table.empty())
        return bodyStart(text);
    return place;
}

std::string tableHead(const Path& table)
{
    std::string head = "[";
    for (std::size_t i = 0; i < table.size(); ++i)
        head += (i == 0 ? "" : ".") + (std::all_of(table[i].begin(), table[i].end(), isBare) ? table[i] : tomlString(table[i]));
    return head + "]";
}

Status setOne(std::string& text, const TomlSetting& setting)
{
    const Result<std::vector<Statement>> read = Reader(text).statements();
    if (!read)
        return read.error();
    Path path = setting.table;
    path.push_back(setting.key);
    if (const Statement* pair = findPair(*read, path)) {
        if (setting.value)
            text.replace(pair->valueBegin, pair->valueEnd - pair->valueBegin, *setting.value);
        else
            text.erase(lineBegin(text, pair->begin), pair->next - lineBegin(text, pair->begin));
        return {};
    }
    if (!setting.value)
        return {};
    for (const Statement& statement : *read) {
        const bool inline_ = !statement.head && beginsWith(path, statement.path);
        const bool array = statement.array && beginsWith(path, statement.path);
        // A table whose keys stand elsewhere in dotted form cannot be opened again under a head of its own.
        const bool dotted = !statement.head && !setting.table.empty() && statement.tableSize < setting.table.size() &&
                            beginsWith(statement.path, setting.table);
        if (inline_ || array || dotted) {
            return brokenAt(text, statement.begin,
                            "\"" + joined(setting.table) + "\" is written in a form that cannot be added to; turn it into a table " +
                                tableHead(setting.table));
        }
        if (beginsWith(statement.path, path))
            return brokenAt(text, statement.begin, "\"" + joined(path) + "\" is a table here; take it out first");
    }
    const std::string newline(newlineOf(text));
    std::string line = setting.key + " = " + *setting.value + newline;
    std::size_t place = placeIn(text, *read, setting.table);
    if (place == std::string_view::npos) {
        place = text.size();
        line = tableHead(setting.table) + newline + line;
        if (place > bodyStart(text))
            line = newline + line;
    } else if (setting.table.empty() && place == bodyStart(text) && place < text.size()) {
        const char first = text[place];
        line += first == '\n' || first == '\r' ? std::string() : newline;
    }
    if (place == text.size() && place > bodyStart(text) && text.back() != '\n')
        line = newline + line;
    text.insert(place, line);
    return {};
}

}  // namespace

std::string tomlString(std::string_view text)
{
    return nlohmann::json(std::string(text)).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Result<std::string> withTomlSettings(std::string_view text, const std::vector<TomlSetting>& settings)
{
    if (const Status status = checkText(text); !status)
        return status.error();
    std::string result(text);
    for (const TomlSetting& setting : settings) {
        if (const Status status = setOne(result, setting); !status)
            return status.error();
    }
    return result;
}

Result<std::optional<std::string>> tomlText(std::string_view text, const std::vector<std::string>& table, const std::string& key)
{
    if (const Status status = checkText(text); !status)
        return status.error();
    const Result<std::vector<Statement>> read = Reader(text).statements();
    if (!read)
        return read.error();
    Path path = table;
    path.push_back(key);
    const Statement* pair = findPair(*read, path);
    const char first = pair ? text[pair->valueBegin] : '\0';
    if (first != '"' && first != '\'')
        return std::optional<std::string>();
    return std::optional(Reader::decoded(text.substr(pair->valueBegin, pair->valueEnd - pair->valueBegin)));
}

}  // namespace omni::client_setup
