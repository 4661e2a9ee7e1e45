#pragma once

#include "ui/core_link.h"
#include "ui/models/holds.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <cstdint>
#include <map>
#include <vector>

namespace omni {

/// Tells of what goes out of service for longer, and when it serves again: a breaker that opens, a connection that needs the user, a
/// provider left out as a whole. Cooldowns of seconds are not news. At most one notification in 30 s; what happens meanwhile is told
/// together, and what has passed by then not at all. Each kind obeys its own setting: appearance.notifyHolds, notifyBreakers and
/// notifyRecovery.
class HoldNotifier final : public QObject {
    Q_OBJECT

public:
    explicit HoldNotifier(CoreLink& link, QObject* parent = nullptr);

Q_SIGNALS:
    void newsRaised(const QString& title, const QString& text);

private:
    enum class Kind : std::uint8_t { Hold, Breaker, Recovery };
    struct Piece {
        Kind kind = Kind::Hold;
        QString key;
        QString text;
    };
    /// What is out: of a breaker and of anything else, by what and why.
    using Known = std::map<QString, HoldItem>;

    void look();
    void tell();
    void noteNew(const QString& key, const HoldItem& hold);
    void noteGone(const QString& key, const HoldItem& hold, const Known& now);
    bool wanted(Kind kind) const;
    static QString titleOf(const std::vector<Piece>& news);

    CoreLink& m_link;
    Known m_known;
    std::vector<Piece> m_pending;
    QTimer m_gap;
    bool m_primed = false;  ///< what was out before the program began is no news
};

}  // namespace omni
