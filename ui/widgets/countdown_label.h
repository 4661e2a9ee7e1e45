#pragma once

#include "base/clock.h"

#include <QBasicTimer>
#include <QLabel>

#include <optional>

namespace omni {

/// The time left until a deadline, in tabular figures. Counts by itself while it is shown; nothing runs while it is hidden.
class CountdownLabel final : public QLabel {
    Q_OBJECT

public:
    explicit CountdownLabel(QWidget* parent = nullptr);

    /// Wall clock; unset = empty.
    void setUntil(std::optional<WallTime> until);
    /// Around the time: "open, %1". Without %1 the bare time is shown.
    void setPattern(const QString& pattern);

Q_SIGNALS:
    /// Once for each deadline, when it is reached while the label is shown.
    void ended();

protected:
    void timerEvent(QTimerEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void refresh();

    std::optional<WallTime> m_until;
    QString m_pattern;
    QBasicTimer m_timer;
    bool m_told = false;
};

}  // namespace omni
