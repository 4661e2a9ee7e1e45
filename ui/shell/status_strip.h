#pragma once

#include "ui/core_link.h"

#include <QWidget>

class QLabel;
class QMenu;
class QPushButton;
class QToolButton;

namespace omni {

class ElidedLabel;
class StateLabel;
class TroublesLine;

/// The line above everything: whether the proxy serves and where, how busy it is, what is out of service; start, stop, copy.
class StatusStrip final : public QWidget {
    Q_OBJECT

public:
    /// `link` must outlive the strip.
    explicit StatusStrip(CoreLink& link, QWidget* parent = nullptr);
    /// Behind the button at the right end; the caller fills it.
    QMenu* menu() const { return m_menu; }

Q_SIGNALS:
    void baseUrlCopied(const QString& url);
    void troublesClicked();

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void refreshListener();
    void refreshTroubles();
    void refreshTraffic();

    CoreLink& m_link;
    StateLabel* m_state;
    QLabel* m_address;
    QLabel* m_rate;
    TroublesLine* m_troubles;
    ElidedLabel* m_failure;
    QPushButton* m_otherPort;
    QPushButton* m_toggle;
    QPushButton* m_copy;
    QToolButton* m_more;
    QMenu* m_menu;
};

}  // namespace omni
