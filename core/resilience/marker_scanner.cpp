#include "resilience/marker_scanner.h"

#include "base/text.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>
#include <utility>

namespace omni {

namespace {

constexpr std::uint32_t kNoState = 0;  // the root ends no literal

bool isWordByte(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

unsigned char lowered(unsigned char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<unsigned char>(c + 32) : c;
}

/// "(a|b)c" → "ac", "bc". Brackets may stand in brackets.
std::vector<std::string> expanded(std::string_view text)
{
    const std::size_t open = text.find('(');
    if (open == std::string_view::npos)
        return {std::string(text)};
    std::vector<std::string_view> choices;
    std::size_t begin = open + 1;
    std::size_t at = begin;
    for (int depth = 1; depth > 0; ++at) {
        assert(at < text.size());
        if (text[at] == '(')
            ++depth;
        const bool closes = text[at] == ')' && --depth == 0;
        if (closes || (text[at] == '|' && depth == 1)) {
            choices.push_back(text.substr(begin, at - begin));
            begin = at + 1;
        }
    }
    std::vector<std::string> all;
    const std::vector<std::string> tails = expanded(text.substr(at));
    for (const std::string_view choice : choices) {
        for (const std::string& middle : expanded(choice)) {
            for (const std::string& tail : tails)
                all.push_back(std::string(text.substr(0, open)) + middle + tail);
        }
    }
    return all;
}

std::vector<std::string_view> split(std::string_view text, std::string_view separator)
{
    std::vector<std::string_view> parts;
    while (true) {
        const std::size_t at = std::min(text.find(separator), text.size());
        parts.push_back(text.substr(0, at));
        if (at == text.size())
            return parts;
        text.remove_prefix(at + separator.size());
    }
}

/// The last two ends of one part, -1 = none. Two, since the newest may lie inside the literal that comes next.
struct Ends {
    std::ptrdiff_t newest = -1;
    std::ptrdiff_t before = -1;
};

}  // namespace

MarkerScanner::MarkerScanner(const std::vector<MarkerPattern>& patterns)
{
    m_trie.emplace_back();
    m_uses.emplace_back();
    m_length.push_back(0);
    for (const MarkerPattern& pattern : patterns)
        addPattern(pattern);
    buildAutomaton();
}

void MarkerScanner::addPattern(const MarkerPattern& pattern)
{
    const auto id = static_cast<std::uint32_t>(m_patterns.size());
    assert(pattern.family >= 0 && static_cast<std::size_t>(pattern.family) < MarkerHits::kMaxFamilies);
    if (pattern.literal) {
        assert(!pattern.text.empty() && pattern.text.size() <= 0xFFFF);
        Part part;
        for (const char c : pattern.text)
            part.literal += static_cast<char>(lowered(static_cast<unsigned char>(c)));
        m_patterns.push_back({pattern.family, pattern.text, 1});
        addSequence({std::move(part)}, id, 0);
        return;
    }
    const std::vector<std::string_view> conjuncts = split(pattern.text, " & ");
    assert(conjuncts.size() <= 8);
    m_patterns.push_back({pattern.family, pattern.text, static_cast<std::uint8_t>((1U << conjuncts.size()) - 1U)});
    for (std::size_t i = 0; i < conjuncts.size(); ++i) {
        for (Sequence& sequence : parse(conjuncts[i])) {
            addSequence(sequence, id, static_cast<std::uint8_t>(i));
            if (pattern.eitherOrder) {
                assert(sequence.size() == 2);
                std::swap(sequence[0], sequence[1]);
                std::swap(sequence[0].gap, sequence[1].gap);
                addSequence(sequence, id, static_cast<std::uint8_t>(i));
            }
        }
    }
}

std::vector<MarkerScanner::Sequence> MarkerScanner::parse(std::string_view conjunct)
{
    std::vector<Sequence> sequences;
    for (const std::string& text : expanded(conjunct)) {
        Sequence sequence;
        std::string_view rest = text;
        Gap gap;
        while (true) {
            const std::size_t brace = std::min(rest.find('{'), rest.size());
            Part part;
            part.gap = gap;
            for (const char c : rest.substr(0, brace)) {
                if (c == '<')
                    part.wordBefore = true;
                else if (c == '>')
                    part.wordAfter = true;
                else
                    part.literal += static_cast<char>(lowered(static_cast<unsigned char>(c)));
            }
            assert(!part.literal.empty());
            sequence.push_back(std::move(part));
            if (brace == rest.size())
                break;
            const std::size_t end = rest.find('}', brace);
            assert(end != std::string_view::npos);
            gap = Gap();
            for (const std::string_view word : split(rest.substr(brace + 1, end - brace - 1), " ")) {
                if (word == "line") {
                    gap.sameLine = true;
                } else {
                    const std::optional<std::uint64_t> most = parseUnsigned(word);
                    assert(most);
                    gap.most = static_cast<std::size_t>(most.value_or(0));
                }
            }
            rest.remove_prefix(end + 1);
        }
        sequences.push_back(std::move(sequence));
    }
    return sequences;
}

void MarkerScanner::addSequence(const Sequence& sequence, std::uint32_t pattern, std::uint8_t conjunct)
{
    const auto id = static_cast<std::uint32_t>(m_sequences.size());
    m_sequences.push_back({pattern, conjunct});
    for (std::size_t i = 0; i < sequence.size(); ++i) {
        const Part& part = sequence[i];
        const std::uint32_t state = literalState(part.literal);
        m_length[state] = static_cast<std::uint16_t>(part.literal.size());
        m_uses[state].push_back(
            {id, static_cast<std::uint32_t>(m_slots++), i == 0, i + 1 == sequence.size(), part.wordBefore, part.wordAfter, part.gap});
    }
}

std::uint32_t MarkerScanner::literalState(const std::string& literal)
{
    std::uint32_t state = 0;
    for (const char c : literal) {
        const auto byte = static_cast<unsigned char>(c);
        const auto found =
            std::find_if(m_trie[state].begin(), m_trie[state].end(), [byte](const auto& edge) { return edge.first == byte; });
        if (found != m_trie[state].end()) {
            state = found->second;
            continue;
        }
        const auto created = static_cast<std::uint32_t>(m_trie.size());
        m_trie[state].emplace_back(byte, created);
        m_trie.emplace_back();
        m_uses.emplace_back();
        m_length.push_back(0);
        state = created;
    }
    return state;
}

void MarkerScanner::buildAutomaton()
{
    // Bytes no literal holds share column 0, whose transitions all lead to the root.
    for (const auto& edges : m_trie) {
        for (const auto& [byte, target] : edges) {
            if (m_classOf[byte] == 0)
                m_classOf[byte] = static_cast<std::uint8_t>(m_columns++);
        }
    }
    for (unsigned char c = 'A'; c <= 'Z'; ++c)
        m_classOf[c] = m_classOf[lowered(c)];

    const std::size_t states = m_trie.size();
    std::vector<std::uint32_t> next(states * m_columns, 0);
    m_output.assign(states, kNoState);
    m_furtherOutput.assign(states, kNoState);
    std::vector<std::uint32_t> suffix(states, 0);
    std::vector<std::uint32_t> order;  // breadth first, so that a state's suffix is complete before it
    order.reserve(states);
    order.push_back(0);
    for (std::size_t at = 0; at < order.size(); ++at) {
        const std::uint32_t state = order[at];
        if (state != 0) {
            const std::uint32_t link = suffix[state];
            std::copy_n(next.begin() + static_cast<std::ptrdiff_t>(link * m_columns), m_columns,
                        next.begin() + static_cast<std::ptrdiff_t>(state * m_columns));
            m_furtherOutput[state] = m_output[link];
            m_output[state] = m_uses[state].empty() ? m_output[link] : state;
        }
        for (const auto& [byte, target] : m_trie[state]) {
            std::uint32_t& cell = next[state * m_columns + m_classOf[byte]];
            suffix[target] = cell;  // still the suffix's own transition: the root's children fall back to the root
            cell = target;
            order.push_back(target);
        }
    }
    m_trie.clear();
    m_trie.shrink_to_fit();
    putOutputsLast(next);
}

void MarkerScanner::putOutputsLast(const std::vector<std::uint32_t>& next)
{
    const std::size_t states = m_output.size();
    std::vector<std::uint32_t> order(states);
    std::iota(order.begin(), order.end(), 0U);
    const auto firstOutput =
        std::stable_partition(order.begin(), order.end(), [this](std::uint32_t state) { return m_output[state] == kNoState; });
    std::vector<std::uint32_t> placeOf(states);
    for (std::size_t place = 0; place < states; ++place)
        placeOf[order[place]] = static_cast<std::uint32_t>(place);

    assert(next.size() <= std::numeric_limits<std::uint32_t>::max());
    m_firstOutput = static_cast<std::uint32_t>(static_cast<std::size_t>(firstOutput - order.begin()) * m_columns);
    m_next.reserve(next.size());
    std::vector<std::uint32_t> output;
    std::vector<std::uint32_t> furtherOutput;
    std::vector<std::uint16_t> length;
    std::vector<std::vector<Use>> uses;
    for (const std::uint32_t state : order) {
        for (std::size_t column = 0; column < m_columns; ++column)
            m_next.push_back(static_cast<std::uint32_t>(placeOf[next[state * m_columns + column]] * m_columns));
        output.push_back(placeOf[m_output[state]]);
        furtherOutput.push_back(placeOf[m_furtherOutput[state]]);
        length.push_back(m_length[state]);
        uses.push_back(std::move(m_uses[state]));
    }
    m_output = std::move(output);
    m_furtherOutput = std::move(furtherOutput);
    m_length = std::move(length);
    m_uses = std::move(uses);
}

void MarkerScanner::scan(std::string_view text, MarkerHits& hits) const
{
    std::vector<Ends> ends(m_slots);
    std::vector<std::uint8_t> found(m_patterns.size(), 0);
    std::size_t lineStart = 0;
    std::uint32_t cell = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '\n' || c == '\r')
            lineStart = i + 1;
        // One load hangs on the one before; everything else of a step runs beside it.
        cell = (m_next.data() + m_classOf[static_cast<unsigned char>(c)])[cell];
        if (cell < m_firstOutput)
            continue;
        for (std::uint32_t at = m_output[cell / m_columns]; at != kNoState; at = m_furtherOutput[at]) {
            const std::size_t end = i + 1;
            const std::size_t start = end - m_length[at];
            for (const Use& use : m_uses[at]) {
                if (use.wordBefore && start > 0 && isWordByte(text[start - 1]) && isWordByte(text[start]))
                    continue;
                if (use.wordAfter && end < text.size() && isWordByte(text[end]) && isWordByte(text[end - 1]))
                    continue;
                if (!use.first) {
                    const Ends& previous = ends[use.slot - 1U];
                    const std::ptrdiff_t limit = static_cast<std::ptrdiff_t>(start);
                    const std::ptrdiff_t from = previous.newest <= limit ? previous.newest : previous.before;
                    if (from < 0 || from > limit)
                        continue;
                    const auto gap = static_cast<std::size_t>(limit - from);
                    if (gap > use.gap.most || (use.gap.sameLine && static_cast<std::size_t>(from) < lineStart))
                        continue;
                }
                if (!use.last) {
                    ends[use.slot] = {static_cast<std::ptrdiff_t>(end), ends[use.slot].newest};
                    continue;
                }
                const SequenceInfo& sequence = m_sequences[use.sequence];
                const PatternInfo& pattern = m_patterns[sequence.pattern];
                std::uint8_t& bits = found[sequence.pattern];
                bits = static_cast<std::uint8_t>(bits | (1U << sequence.conjunct));
                const auto family = static_cast<std::size_t>(pattern.family);
                if (bits == pattern.wanted && !hits.m_families.test(family)) {
                    hits.m_families.set(family);
                    hits.m_wordings[family] = pattern.text;
                }
            }
        }
    }
}

}  // namespace omni
