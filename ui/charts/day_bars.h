#pragma once

#include "ui/charts/live_chart.h"

#include <QWidget>

#include <functional>
#include <vector>

class QPainter;

namespace omni {

struct Colours;

/// Bars over days or months, each of one part or of two on top of each other. Painted when something is new and seen, never by itself.
/// Parts differ by colour and by pattern. For those who cannot see it: the accessible description tells every bar's sum in words, Left
/// and Right walk through the bars, and "Copy values" gives them as a table.
class DayBars final : public QWidget {
    Q_OBJECT

public:
    struct Bar {
        QString name;   ///< "12 March 2026"
        QString label;  ///< below it: "12/03"
        double lower = 0.0;
        double upper = 0.0;
        bool quiet = false;  ///< there for comparison only
    };
    struct Part {
        QString name;
        ChartTone tone = ChartTone::Accent;
    };
    using ValueText = std::function<QString(double)>;

    explicit DayBars(QWidget* parent = nullptr);

    /// What the bars measure; a name for `upper` that is empty says that there is none. `exact` is for the value pointed at.
    void setMeasure(const QString& title, Part lower, Part upper, ValueText axisText, ValueText exact);
    void setBars(std::vector<Bar> bars);
    const std::vector<Bar>& bars() const { return m_bars; }
    QString summary() const;
    /// Tab-separated, with a head.
    QString valuesAsText() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    struct Scale {
        double top = 1.0;
        int steps = 2;
    };
    Scale scale() const;
    QRectF plot() const;
    QRectF barBox(int bar) const;
    QString textAt(int bar) const;
    void point(int bar);
    void paintAxes(QPainter& painter, const Colours& colours) const;
    void paintBars(QPainter& painter, const Colours& colours) const;
    void paintKey(QPainter& painter, const Colours& colours) const;
    void paintPointed(QPainter& painter, const Colours& colours) const;
    QFont labelFont() const;
    void describe();

    QString m_title;
    Part m_lower;
    Part m_upper;
    ValueText m_axisText;
    ValueText m_exact;
    std::vector<Bar> m_bars;
    int m_pointed = -1;
};

}  // namespace omni
