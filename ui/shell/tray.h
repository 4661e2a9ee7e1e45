#pragma once

#include "ui/shell/shell_status.h"
#include "ui/shell/tray_menu.h"

#include <QObject>

#include <optional>

namespace omni {

class TrayBackend;

/// Keeps a tray's icon, tooltip and menu true to what the core tells. All three are given from outside or made here; nothing is shown
/// before `start`.
class Tray final : public QObject {
    Q_OBJECT

public:
    /// `link`, `backend` and `autostart` (which may be null) must outlive it.
    Tray(CoreLink& link, TrayBackend& backend, Autostart* autostart, QObject* parent = nullptr);
    void start();
    TrayMenu& menu() { return m_menu; }
    ShellState state() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void refresh();

    CoreLink& m_link;
    TrayBackend& m_backend;
    TrayMenu m_menu;
    std::optional<ShellState> m_shown;
    QString m_toolTip;
};

}  // namespace omni
