#include "ui/shell/command_ranking.h"

#include <QRegularExpression>

#include <algorithm>
#include <iterator>
#include <optional>
#include <tuple>

namespace omni {

namespace {

constexpr int kBesideCost = 8;
constexpr int kKeywordCost = 12;
constexpr int kRecentWorth = 6;
constexpr int kMostRecent = 12;

/// Beyond this the letters lie so far apart that nobody would see the word in them.
bool isFit(const std::optional<FuzzyMatch>& match, qsizetype letters)
{
    return match && match->score > static_cast<int>(letters);
}

struct WordPlace {
    int score = 0;
    QList<int> inTitle;
    QList<int> inDetail;
};

std::optional<WordPlace> placeOf(const QString& word, const Command& command)
{
    std::optional<WordPlace> best;
    const auto consider = [&best](int score, const QList<int>& inTitle, const QList<int>& inDetail) {
        if (!best || score > best->score)
            best = WordPlace{score, inTitle, inDetail};
    };
    if (const auto match = fuzzyMatch(word, command.title); isFit(match, word.size()))
        consider(match->score, match->positions, {});
    if (const auto match = fuzzyMatch(word, command.detail); isFit(match, word.size()))
        consider(match->score - kBesideCost, {}, match->positions);
    if (const auto match = fuzzyMatch(word, command.keywords); isFit(match, word.size()))
        consider(match->score - kKeywordCost, {}, {});
    return best;
}

void addSorted(QList<int>& all, const QList<int>& more)
{
    all += more;
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
}

std::optional<RankedCommand> fit(const Command& command, const QStringList& words)
{
    RankedCommand found;
    for (const QString& word : words) {
        const std::optional<WordPlace> place = placeOf(word, command);
        if (!place)
            return std::nullopt;
        found.score += place->score;
        addSorted(found.inTitle, place->inTitle);
        addSorted(found.inDetail, place->inDetail);
    }
    return found;
}

}  // namespace

std::vector<RankedCommand> ranked(const std::vector<Command>& commands, const QString& typed, const QStringList& recent)
{
    static const QRegularExpression spaces(QStringLiteral("\\s+"));
    const QStringList words = typed.split(spaces, Qt::SkipEmptyParts);
    // How long ago, smaller is newer.
    const auto ageOf = [&recent](const Command& command) {
        const qsizetype at = recent.indexOf(command.id);
        return static_cast<int>(at < 0 ? recent.size() : at);
    };
    std::vector<std::tuple<int, int, RankedCommand>> found;
    for (std::size_t i = 0; i < commands.size(); ++i) {
        std::optional<RankedCommand> one = fit(commands[i], words);
        if (!one)
            continue;
        one->index = i;
        const int age = ageOf(commands[i]);
        if (!words.isEmpty() && age < recent.size())
            one->score += kRecentWorth;
        found.emplace_back(-one->score, age, *std::move(one));
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
        return std::tie(std::get<0>(a), std::get<1>(a)) < std::tie(std::get<0>(b), std::get<1>(b));
    });
    std::vector<RankedCommand> best;
    best.reserve(found.size());
    std::transform(found.begin(), found.end(), std::back_inserter(best), [](auto& one) { return std::move(std::get<2>(one)); });
    return best;
}

QStringList withRecent(QStringList recent, const QString& id)
{
    recent.removeAll(id);
    recent.prepend(id);
    return recent.mid(0, kMostRecent);
}

}  // namespace omni
