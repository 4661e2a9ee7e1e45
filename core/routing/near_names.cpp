#include "routing/near_names.h"

#include "base/text.h"

#include <algorithm>
#include <numeric>

namespace omni {

namespace {

constexpr std::size_t kMostShown = 3;
constexpr std::size_t kLongestWanted = 120;
/// So that a wrong name never costs more than a millisecond, however many models are configured.
constexpr std::size_t kMostOffered = 4'000;

}  // namespace

std::size_t editDistance(std::string_view a, std::string_view b, std::size_t limit)
{
    if (a.size() > b.size())
        std::swap(a, b);
    if (b.size() - a.size() > limit)
        return limit + 1;
    std::vector<std::size_t> row(a.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t j = 1; j <= b.size(); ++j) {
        std::size_t diagonal = row[0];
        row[0] = j;
        std::size_t least = row[0];
        for (std::size_t i = 1; i <= a.size(); ++i) {
            const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[i];
            row[i] = std::min({row[i] + 1, row[i - 1] + 1, replaced});
            least = std::min(least, row[i]);
        }
        if (least > limit)
            return limit + 1;
    }
    return std::min(row[a.size()], limit + 1);
}

NearNames::NearNames(std::string_view wanted)
{
    if (wanted.size() > kLongestWanted)
        return;
    m_wanted = toLower(wanted);
    m_limit = std::clamp<std::size_t>(m_wanted.size() / 3, 1, 4);
}

void NearNames::offer(std::string_view name)
{
    if (m_wanted.empty() || name.empty() || ++m_offered > kMostOffered)
        return;
    const std::string lower = toLower(name);
    std::size_t distance = editDistance(m_wanted, lower, m_limit);
    // A dated or sized variant of what was asked for ("gpt-4o" of "gpt-4o-2024-08-06"), or the other way round.
    const bool begins = m_wanted.size() >= 3 && (lower.rfind(m_wanted, 0) == 0 || (lower.size() >= 3 && m_wanted.rfind(lower, 0) == 0));
    if (begins)
        distance = std::min(distance, m_limit);
    if (distance > m_limit)
        return;
    const auto after = std::find_if(m_best.begin(), m_best.end(), [distance](const Hit& hit) { return hit.distance > distance; });
    if (std::any_of(m_best.begin(), m_best.end(), [name](const Hit& hit) { return hit.name == name; }))
        return;
    m_best.insert(after, Hit{distance, std::string(name)});
    if (m_best.size() > kMostShown)
        m_best.pop_back();
}

std::string NearNames::text() const
{
    std::string text;
    for (const Hit& hit : m_best)
        text += (text.empty() ? " Near: \"" : ", \"") + hit.name + "\"";
    return text.empty() ? text : text + ".";
}

}  // namespace omni
