#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace omni {

/// Collects the names nearest to one that was not found: those it begins, and those a few slips of the keyboard away.
class NearNames {
public:
    explicit NearNames(std::string_view wanted);

    void offer(std::string_view name);
    /// The best three, nearest first, as ` Near: "a", "b".`; empty when nothing comes near.
    std::string text() const;

private:
    struct Hit {
        std::size_t distance;
        std::string name;
    };

    std::string m_wanted;  ///< lower case; empty = too long to be a slip
    std::size_t m_limit = 0;
    std::size_t m_offered = 0;
    std::vector<Hit> m_best;
};

/// Single characters put in, left out or replaced, up to `limit`; `limit` + 1 when it is more.
std::size_t editDistance(std::string_view a, std::string_view b, std::size_t limit);

}  // namespace omni
