#pragma once

#include "ui/core_link.h"
#include "ui/models/holds.h"

#include <QMenu>
#include <QObject>

namespace omni {

class Autostart;

/// Everything the tray can do, as a menu: some desktops open nothing else. Knows no tray, so that it can be tested without one.
/// Times in it are points in time, not countdowns: a menu shown by another process must not change every second.
class TrayMenu final : public QObject {
    Q_OBJECT

public:
    /// `link` must outlive the menu, and so must `autostart`, which may be null.
    explicit TrayMenu(CoreLink& link, Autostart* autostart, QObject* parent = nullptr);

    QMenu& menu() { return m_menu; }
    /// The first, disabled line: "Serving on 127.0.0.1:20128".
    QString stateLine() const;
    void retranslate();

Q_SIGNALS:
    void openRequested();
    void openPageRequested(const QString& pageId, const QString& objectId);
    void quitRequested();
    void failed(const QString& message);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void refresh();
    void refreshHolds();
    void addHold(const HoldItem& hold);
    void toggleAutostart(bool on);

    CoreLink& m_link;
    Autostart* m_autostart;
    QMenu m_menu;
    QMenu* m_out;
    QAction* m_state;
    QAction* m_otherPort;
    QAction* m_toggle;
    QAction* m_open;
    QAction* m_copy;
    QAction* m_atLogin = nullptr;
    QAction* m_quit;
    HoldList m_holds;
    bool m_holdsFilled = false;
};

}  // namespace omni
