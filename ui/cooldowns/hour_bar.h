#pragma once

#include "ui/cooldowns/hold_history.h"

#include <QWidget>

#include <vector>

namespace omni {

/// The last hour of a connection as a bar: served, rested, out. Colour and pattern tell the states apart; what is not known stays empty.
/// Failures stand as marks on it.
class HourBar final : public QWidget {
    Q_OBJECT

public:
    explicit HourBar(QWidget* parent = nullptr);
    void setSpans(std::vector<HoldSpan> spans, std::vector<WallTime> failures, WallTime now);
    /// "served 52 min, rested 8 min"; also the accessible description.
    QString summary() const { return m_summary; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    void summarise();

    std::vector<HoldSpan> m_spans;
    std::vector<WallTime> m_failures;
    WallTime m_now{};
    QString m_summary;
};

}  // namespace omni
