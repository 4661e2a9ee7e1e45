#include "control/client_setup/text_diff.h"

#include <algorithm>
#include <cstddef>

namespace omni::client_setup {

namespace {

using Kind = DiffLine::Kind;

/// Beyond this the middle is told as replaced as a whole; a table of that many cells costs some 4 MB.
constexpr std::size_t kMostCells = 1'000'000;

std::vector<std::string_view> linesOf(std::string_view text)
{
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        lines.push_back(text.substr(0, end == std::string_view::npos ? end : end + 1));
        text.remove_prefix(lines.back().size());
    }
    return lines;
}

std::string shown(std::string_view line)
{
    while (!line.empty() && (line.back() == '\n' || line.back() == '\r'))
        line.remove_suffix(1);
    return std::string(line);
}

/// Which lines of the two middles are kept, by the longest common subsequence.
std::vector<Kind> steps(const std::vector<std::string_view>& before, const std::vector<std::string_view>& after)
{
    const std::size_t rows = before.size();
    const std::size_t columns = after.size();
    std::vector<Kind> result;
    if ((rows + 1) * (columns + 1) > kMostCells) {
        result.assign(rows, Kind::Removed);
        result.insert(result.end(), columns, Kind::Added);
        return result;
    }
    std::vector<int> longest((rows + 1) * (columns + 1), 0);
    const auto at = [&](std::size_t row, std::size_t column) -> int& { return longest[row * (columns + 1) + column]; };
    for (std::size_t row = rows; row-- > 0;) {
        for (std::size_t column = columns; column-- > 0;)
            at(row, column) =
                before[row] == after[column] ? at(row + 1, column + 1) + 1 : std::max(at(row + 1, column), at(row, column + 1));
    }
    std::size_t row = 0;
    std::size_t column = 0;
    while (row < rows || column < columns) {
        if (row < rows && column < columns && before[row] == after[column]) {
            result.push_back(Kind::Same);
            ++row;
            ++column;
        } else if (row < rows && (column == columns || at(row + 1, column) >= at(row, column + 1))) {
            result.push_back(Kind::Removed);
            ++row;
        } else {
            result.push_back(Kind::Added);
            ++column;
        }
    }
    return result;
}

}  // namespace

std::vector<DiffLine> textDiff(std::string_view before, std::string_view after, int context)
{
    if (before == after)
        return {};
    std::vector<std::string_view> old = linesOf(before);
    std::vector<std::string_view> fresh = linesOf(after);
    std::size_t head = 0;
    while (head < std::min(old.size(), fresh.size()) && old[head] == fresh[head])
        ++head;
    std::size_t tail = 0;
    while (tail < std::min(old.size(), fresh.size()) - head && old[old.size() - 1 - tail] == fresh[fresh.size() - 1 - tail])
        ++tail;
    const auto middle = [&](const std::vector<std::string_view>& lines) {
        return std::vector<std::string_view>(lines.begin() + static_cast<std::ptrdiff_t>(head),
                                             lines.end() - static_cast<std::ptrdiff_t>(tail));
    };
    std::vector<Kind> kinds(head, Kind::Same);
    const std::vector<Kind> changed = steps(middle(old), middle(fresh));
    kinds.insert(kinds.end(), changed.begin(), changed.end());
    kinds.insert(kinds.end(), tail, Kind::Same);

    std::vector<DiffLine> result;
    std::size_t oldAt = 0;
    std::size_t newAt = 0;
    const auto near = [&](std::size_t at) {
        const std::size_t reach = static_cast<std::size_t>(std::max(context, 0));
        const std::size_t from = at > reach ? at - reach : 0;
        for (std::size_t i = from; i < std::min(kinds.size(), at + reach + 1); ++i) {
            if (kinds[i] != Kind::Same)
                return true;
        }
        return false;
    };
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        DiffLine line;
        line.kind = kinds[i];
        line.oldLine = kinds[i] == Kind::Added ? 0 : static_cast<int>(++oldAt);
        line.newLine = kinds[i] == Kind::Removed ? 0 : static_cast<int>(++newAt);
        line.text = shown(kinds[i] == Kind::Added ? fresh[newAt - 1] : old[oldAt - 1]);
        if (near(i))
            result.push_back(std::move(line));
        else if (result.empty() || result.back().kind != Kind::Gap)
            result.push_back({Kind::Gap, {}, 0, 0});
    }
    return result;
}

}  // namespace omni::client_setup
