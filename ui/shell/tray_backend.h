#pragma once

#include <QIcon>
#include <QObject>
#include <QString>

class QMenu;

namespace omni {

/// A place for the program's icon. Tests have one of their own; the real one is SystemTray.
class TrayBackend : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    /// Shows the icon as soon as the desktop offers a place for it. `menu` must outlive this object.
    virtual void start(QMenu* menu) = 0;
    virtual bool present() const = 0;
    virtual void setIcon(const QIcon& icon) = 0;
    virtual void setToolTip(const QString& text) = 0;
    virtual void notify(const QString& title, const QString& text) = 0;

Q_SIGNALS:
    void appeared();
    /// The wait is over and there is no place. May still be followed by `appeared`.
    void missing();
    void activated();
    void notificationClicked();
};

}  // namespace omni
