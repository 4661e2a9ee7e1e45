#pragma once

#include "base/clock.h"

#include <QObject>

#include <optional>

class QTableView;

namespace omni {

/// Chooses a past minute on the bands of a table: the pointer over a band, or Left and Right by a minute, Home and End while the table has
/// the focus. A click or the keyboard keeps the minute until Esc; the pointer alone lets it go when it leaves. Knows no data: bands all
/// show the same stretch of time, whatever the direction of the language: earlier is left.
class MinuteScrubber final : public QObject {
    Q_OBJECT

public:
    /// `column` holds the bands. `bands` must outlive it.
    MinuteScrubber(QTableView& bands, int column);

    /// What the bands show: `span` before `now`. A minute that leaves them is let go.
    void setTime(Millis span, WallTime now);
    std::optional<WallTime> minute() const { return m_minute; }
    bool kept() const { return m_kept; }
    /// Where the minute lies, 0 = left edge, 1 = now.
    std::optional<double> share() const;
    void letGo();

Q_SIGNALS:
    /// Another minute, or none; or it is kept from now on.
    void moved();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    std::optional<WallTime> minuteAt(const QPoint& position) const;
    WallTime clamped(WallTime minute) const;
    void choose(std::optional<WallTime> minute, bool keep);
    bool keyPressed(int key);

    QTableView& m_bands;
    int m_column;
    Millis m_span{0};
    WallTime m_now{};
    std::optional<WallTime> m_minute;
    bool m_kept = false;
};

}  // namespace omni
