#pragma once

#include "ui/shell/shell_status.h"

#include <QAbstractButton>
#include <QBasicTimer>

#include <vector>

namespace omni {

/// The part of the status strip that names what is degraded, open or resting, as much of it as there is room for, with live countdowns.
/// A click opens the page that tells more.
class TroublesLine final : public QAbstractButton {
    Q_OBJECT

public:
    explicit TroublesLine(QWidget* parent = nullptr);

    void setTroubles(std::vector<Trouble> troubles);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// A countdown reached its end: time to look at the engine's answers anew.
    void lapsed();

protected:
    void paintEvent(QPaintEvent* event) override;
    void timerEvent(QTimerEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void schedule();
    void describe();

    std::vector<Trouble> m_troubles;
    QBasicTimer m_timer;
};

}  // namespace omni
