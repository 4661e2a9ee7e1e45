#include "base/csv.h"

#include <utility>

namespace omni {

namespace {

constexpr std::string_view kQuoted = ",\"\r\n";
/// The characters that begin a formula in one spreadsheet or another; full-width ones are taken for them too.
constexpr std::string_view kFormulaBegins = "=+-@\t\r\n";

bool beginsLikeAFormula(std::string_view value)
{
    if (value.empty())
        return false;
    if (kFormulaBegins.find(value.front()) != std::string_view::npos)
        return true;
    for (const std::string_view wide : {"＝", "＋", "－", "＠"}) {
        if (value.substr(0, wide.size()) == wide)
            return true;
    }
    return false;
}

}  // namespace

CsvLine& CsvLine::text(std::string_view value)
{
    separate();
    const bool guarded = beginsLikeAFormula(value);
    if (value.find_first_of(kQuoted) == std::string_view::npos) {
        m_line += guarded ? "'" : "";
        m_line += value;
        return *this;
    }
    m_line += guarded ? "\"'" : "\"";
    for (const char c : value) {
        if (c == '"')
            m_line += '"';
        m_line += c;
    }
    m_line += '"';
    return *this;
}

CsvLine& CsvLine::number(std::string_view digits)
{
    separate();
    m_line += digits;
    return *this;
}

CsvLine& CsvLine::empty()
{
    separate();
    return *this;
}

std::string CsvLine::take()
{
    m_begun = false;
    return std::exchange(m_line, {}) + "\r\n";
}

void CsvLine::separate()
{
    if (m_begun)
        m_line += ',';
    m_begun = true;
}

}  // namespace omni
