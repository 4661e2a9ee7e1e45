#pragma once

#include "ui/shell/tray_backend.h"

#include <QTimer>

#include <memory>

class QSystemTrayIcon;

namespace omni {

/// The desktop's tray. On Linux the first QSystemTrayIcon of a process decides for good whether there is a tray, so none is made before a
/// host has registered: a program started at login is often there before the panel. Waits up to 30 s before it says `missing`, and
/// goes on listening after that.
class SystemTray final : public TrayBackend {
    Q_OBJECT

public:
    explicit SystemTray(QObject* parent = nullptr);
    ~SystemTray() override;

    void start(QMenu* menu) override;
    bool present() const override;
    void setIcon(const QIcon& icon) override;
    void setToolTip(const QString& text) override;
    void notify(const QString& title, const QString& text) override;

private Q_SLOTS:
    void askForHost();

private:
    void onHostAnswer(bool registered);
    void makeIcon();

    QMenu* m_menu = nullptr;
    std::unique_ptr<QSystemTrayIcon> m_tray;
    QIcon m_icon;
    QString m_toolTip;
    QTimer m_patience;
};

}  // namespace omni
