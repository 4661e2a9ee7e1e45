#pragma once

#include "ui/combos/route_text.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace omni {

class CoreLink;

/// Keeps up with where requests for some names would go. Asks the core again when something changed there, at most once a second and a
/// few names at a time, so that requests go in between; nothing runs while it is not watched.
class RouteOutlooks final : public QObject {
    Q_OBJECT

public:
    RouteOutlooks(CoreLink& link, QObject* parent);

    void setNames(std::vector<std::string> names);
    void setWatched(bool on);
    /// Unknown for a name that was not asked yet.
    const RouteOutlook& of(const std::string& name) const;

Q_SIGNALS:
    /// Those of some names are new or differ.
    void changed();

private:
    void poke();
    void startSoon(std::int64_t afterMs);
    void ask();
    void take(std::size_t round, const std::vector<std::string>& names, const std::vector<Result<RoutePreview>>& previews);

    CoreLink& m_link;
    std::vector<std::string> m_names;
    std::unordered_map<std::string, RouteOutlook> m_outlooks;
    QTimer m_soon;
    QElapsedTimer m_sinceAsked;
    bool m_watched = false;
    bool m_stale = true;
    std::size_t m_round = 0;
    std::size_t m_asked = 0;  ///< of this round
};

}  // namespace omni
