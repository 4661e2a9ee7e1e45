#pragma once

#include <QList>
#include <QString>

#include <optional>

namespace omni {

/// How well a text fits what was typed, and which of its UTF-16 units were hit, rising and without doubles.
struct FuzzyMatch {
    int score = 0;
    QList<int> positions;

    bool operator==(const FuzzyMatch&) const = default;
};

/// Every word of `typed` (white space between) must be found in `text`, in any order: its letters one after the other, with others between
/// them, whatever the case. Of several ways the best counts: letters in a row, at the beginnings of words and near the text's beginning
/// are worth more, gaps cost. Unset = it does not fit. Nothing typed fits everything, with 0. Pure.
std::optional<FuzzyMatch> fuzzyMatch(const QString& typed, const QString& text);

/// `positions` as runs of whole letters: a mark that belongs to a letter (an accent, a Bengali vowel sign) is never parted from it.
struct MatchedRun {
    int from = 0;
    int length = 0;

    bool operator==(const MatchedRun&) const = default;
};
QList<MatchedRun> matchedRuns(const QString& text, const QList<int>& positions);

}  // namespace omni
