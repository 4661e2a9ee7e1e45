#pragma once

#include "ui/shell/command.h"
#include "ui/shell/fuzzy_match.h"

#include <QStringList>

#include <cstddef>
#include <vector>

namespace omni {

/// A command that fits, and where.
struct RankedCommand {
    std::size_t index = 0;  ///< among those ranked
    int score = 0;
    QList<int> inTitle;
    QList<int> inDetail;

    bool operator==(const RankedCommand&) const = default;
};

/// Those of `commands` that fit `typed`, best first; of equals, what was used lately and then what comes first. Each word may lie in the
/// title, the words beside it or the keywords, in this order of worth; letters scattered over a text are no fit. Nothing typed: all, the
/// recently used first (`recent`: ids, newest first). Pure.
std::vector<RankedCommand> ranked(const std::vector<Command>& commands, const QString& typed, const QStringList& recent);

/// `recent` with `id` in front, once, and no longer than is worth keeping.
QStringList withRecent(QStringList recent, const QString& id);

}  // namespace omni
