#pragma once

#include "ui/core_link.h"

#include <QObject>
#include <QStringList>
#include <QTimer>

#include <set>

namespace omni {

/// Tells of what goes out of service for longer: a breaker that opens, a connection that needs the user. Cooldowns of seconds are not
/// news. At most one notification in 30 s; what happens meanwhile is told together. Obeys appearance.notifyHolds.
class HoldNotifier final : public QObject {
    Q_OBJECT

public:
    explicit HoldNotifier(CoreLink& link, QObject* parent = nullptr);

Q_SIGNALS:
    void newsRaised(const QString& title, const QString& text);

private:
    void look();
    void tell();

    CoreLink& m_link;
    std::set<QString> m_known;
    QStringList m_pending;
    QTimer m_gap;
    bool m_primed = false;  ///< what was out before the program began is no news
};

}  // namespace omni
