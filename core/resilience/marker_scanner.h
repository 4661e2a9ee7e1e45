#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace omni {

/// One wording to be recognised, in a small language of its own:
///
///     a|b in brackets   alternatives: "(deprecated|retired)"
///     < and >           a word begins or ends here
///     {40}              what follows begins at most 40 bytes further on, line breaks allowed
///     {line}            what follows stands anywhere later on the same line
///     {120 line}        both
///     a & b             both occur, in any order and place
///
/// Letters match in either case; bytes above 127 as they are.
struct MarkerPattern {
    int family = 0;
    std::string_view text;
    bool eitherOrder = false;  ///< for two parts with a gap between: also the other way round
    bool literal = false;      ///< the text means itself, every sign of the language included
};

/// What a scan found: the families, and for each the first wording that completed.
class MarkerHits {
public:
    static constexpr std::size_t kMaxFamilies = 64;

    bool has(int family) const { return m_families.test(static_cast<std::size_t>(family)); }
    /// The pattern as written in its table; empty when the family was not found.
    std::string_view wording(int family) const { return m_wordings[static_cast<std::size_t>(family)]; }
    bool any() const { return m_families.any(); }

private:
    friend class MarkerScanner;

    std::bitset<kMaxFamilies> m_families;
    std::array<std::string_view, kMaxFamilies> m_wordings{};
};

/// Finds all wordings of a table in one pass over a text (Aho–Corasick over the literal parts, then the gaps between them as they come
/// by): the time is linear in the text whatever it holds. Immutable once built, so threads may share one.
class MarkerScanner {
public:
    /// The texts of `patterns` must outlive the scanner. A pattern that breaks the language is a fault of ours: asserted.
    explicit MarkerScanner(const std::vector<MarkerPattern>& patterns);

    /// Adds what `text` holds to `hits`.
    void scan(std::string_view text, MarkerHits& hits) const;

private:
    struct Gap {
        bool sameLine = false;
        std::size_t most = static_cast<std::size_t>(-1);
    };
    struct Part {
        std::string literal;
        bool wordBefore = false;
        bool wordAfter = false;
        Gap gap;  ///< to the part before
    };
    using Sequence = std::vector<Part>;

    /// A literal's place in a sequence.
    struct Use {
        std::uint32_t sequence;
        std::uint32_t slot;  ///< of the ends of this part, over all sequences
        bool first;
        bool last;
        bool wordBefore;
        bool wordAfter;
        Gap gap;
    };
    struct SequenceInfo {
        std::uint32_t pattern;
        std::uint8_t conjunct;  ///< which of the pattern's "&" parts it completes
    };
    struct PatternInfo {
        int family;
        std::string_view text;
        std::uint8_t wanted;  ///< bits of all "&" parts
    };

    static std::vector<Sequence> parse(std::string_view conjunct);
    void addPattern(const MarkerPattern& pattern);
    void addSequence(const Sequence& sequence, std::uint32_t pattern, std::uint8_t conjunct);
    std::uint32_t literalState(const std::string& literal);
    void buildAutomaton();
    /// Numbers the states anew, those in which literals end behind all others: then one comparison tells them.
    void putOutputsLast(const std::vector<std::uint32_t>& next);

    std::vector<PatternInfo> m_patterns;
    std::vector<SequenceInfo> m_sequences;
    std::size_t m_slots = 0;

    std::array<std::uint8_t, 256> m_classOf{};  ///< byte → column
    std::size_t m_columns = 1;
    std::vector<std::uint32_t> m_next;    ///< state × column → where the next state's row begins
    std::uint32_t m_firstOutput = 0;      ///< rows from here on are of states in which literals end
    std::vector<std::uint32_t> m_output;  ///< state → the nearest state along its suffixes that ends a literal; 0 = none
    std::vector<std::uint32_t> m_furtherOutput;
    std::vector<std::uint16_t> m_length;                                       ///< of the literal that ends in a state
    std::vector<std::vector<Use>> m_uses;                                      ///< of the literal that ends in a state
    std::vector<std::vector<std::pair<unsigned char, std::uint32_t>>> m_trie;  ///< while building only
};

}  // namespace omni
