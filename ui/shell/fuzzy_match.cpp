#include "ui/shell/fuzzy_match.h"

#include <QRegularExpression>
#include <QStringList>
#include <QTextBoundaryFinder>

#include <algorithm>
#include <vector>

namespace omni {

namespace {

constexpr int kHit = 4;
constexpr int kInARow = 8;        ///< directly after the letter before
constexpr int kWordStart = 10;
constexpr int kTextStart = 6;     ///< beside kWordStart
constexpr int kGapCost = 1;       ///< a letter left out between two hits, at most kMostGapCost
constexpr int kMostGapCost = 6;
constexpr int kWholeWord = 6;     ///< the word typed is the whole text, but for case
constexpr int kNone = -1'000'000;

bool isPart(QChar c)
{
    return c.isLetterOrNumber() || c.isMark();
}

bool startsWord(const QString& text, qsizetype at)
{
    if (at == 0)
        return true;
    const QChar before = text.at(at - 1);
    const QChar here = text.at(at);
    return (!isPart(before) && isPart(here)) || (before.isLower() && here.isUpper()) || (before.isLetter() && here.isDigit());
}

/// The best way to find the letters of one word, by its last letter's place: scores[i][j] = the i-th letter of the word lies at j.
std::optional<FuzzyMatch> matchWord(const QString& word, const QString& folded, const std::vector<int>& worth)
{
    const auto letters = static_cast<std::size_t>(word.size());
    const auto length = static_cast<std::size_t>(folded.size());
    if (letters > length)
        return std::nullopt;
    std::vector<std::vector<int>> scores(letters, std::vector<int>(length, kNone));
    std::vector<std::vector<int>> cameFrom(letters, std::vector<int>(length, -1));
    for (std::size_t i = 0; i < letters; ++i) {
        // The best of the earlier letter's places so far, each less what the gap from there to here costs.
        int far = kNone;
        int farAt = -1;
        for (std::size_t j = i; j < length; ++j) {
            if (i > 0 && j >= 1) {
                // A gap that costs no more than it can: all places further back are alike.
                const std::size_t reach = static_cast<std::size_t>(kMostGapCost / kGapCost) + 1;
                if (j >= reach + 1 && scores[i - 1][j - reach - 1] > far) {
                    far = scores[i - 1][j - reach - 1];
                    farAt = static_cast<int>(j - reach - 1);
                }
            }
            if (word.at(static_cast<qsizetype>(i)) != folded.at(static_cast<qsizetype>(j)))
                continue;
            if (i == 0) {
                const int lead = std::min(static_cast<int>(j) / 2, kMostGapCost);
                scores[0][j] = kHit + worth[j] - (worth[j] > 0 ? lead / 2 : lead);
                continue;
            }
            int best = far == kNone ? kNone : far - kMostGapCost;
            int from = farAt;
            const std::size_t reach = static_cast<std::size_t>(kMostGapCost / kGapCost) + 1;
            for (std::size_t k = j > reach ? j - reach : 0; k < j; ++k) {
                const int before = scores[i - 1][k];
                if (before == kNone)
                    continue;
                const int gap = static_cast<int>(j - k - 1);
                const int value = gap == 0 ? before + kInARow : before - std::min(gap * kGapCost, kMostGapCost);
                if (value > best) {
                    best = value;
                    from = static_cast<int>(k);
                }
            }
            if (best == kNone)
                continue;
            scores[i][j] = best + kHit + worth[j];
            cameFrom[i][j] = from;
        }
    }
    const auto& last = scores.back();
    const auto end = std::max_element(last.begin(), last.end());
    if (*end == kNone)
        return std::nullopt;
    FuzzyMatch match;
    match.score = *end + (letters == length ? kWholeWord : 0);
    int at = static_cast<int>(end - last.begin());
    for (std::size_t i = letters; i-- > 0;) {
        match.positions.prepend(at);
        at = cameFrom[i][static_cast<std::size_t>(at)];
    }
    return match;
}

/// In lower case, letter for letter: a letter whose small form is longer keeps its own, so that places stay true.
QString folded(const QString& text)
{
    QString small = text;
    for (QChar& c : small)
        c = c.toCaseFolded();
    return small;
}

}  // namespace

std::optional<FuzzyMatch> fuzzyMatch(const QString& typed, const QString& text)
{
    static const QRegularExpression spaces(QStringLiteral("\\s+"));
    const QString small = folded(text);
    std::vector<int> worth(static_cast<std::size_t>(text.size()), 0);
    for (qsizetype i = 0; i < text.size(); ++i)
        worth[static_cast<std::size_t>(i)] = (startsWord(text, i) ? kWordStart : 0) + (i == 0 ? kTextStart : 0);
    FuzzyMatch whole;
    for (const QString& word : folded(typed).split(spaces, Qt::SkipEmptyParts)) {
        const std::optional<FuzzyMatch> one = matchWord(word, small, worth);
        if (!one)
            return std::nullopt;
        whole.score += one->score;
        whole.positions += one->positions;
    }
    std::sort(whole.positions.begin(), whole.positions.end());
    whole.positions.erase(std::unique(whole.positions.begin(), whole.positions.end()), whole.positions.end());
    return whole;
}

QList<MatchedRun> matchedRuns(const QString& text, const QList<int>& positions)
{
    QList<MatchedRun> runs;
    QTextBoundaryFinder letters(QTextBoundaryFinder::Grapheme, text);
    for (const int position : positions) {
        if (!runs.isEmpty() && position < runs.last().from + runs.last().length)
            continue;
        letters.setPosition(position);
        const qsizetype from = letters.isAtBoundary() ? position : letters.toPreviousBoundary();
        letters.setPosition(position);
        const qsizetype next = letters.toNextBoundary();
        const qsizetype to = next < 0 ? text.size() : next;
        if (!runs.isEmpty() && from <= runs.last().from + runs.last().length)
            runs.last().length = static_cast<int>(to) - runs.last().from;
        else
            runs.append({static_cast<int>(from), static_cast<int>(to - from)});
    }
    return runs;
}

}  // namespace omni
