#pragma once

#include "ui/charts/chart_math.h"
#include "ui/charts/live_chart.h"

#include <QtCharts/QChartView>

#include <optional>
#include <vector>

class QLineSeries;
class QValueAxis;

namespace omni {

struct Colours;

QColor toneColour(ChartTone tone, const Colours& colours);

/// One line of a chart, as the view draws it and the key names it.
struct ChartLine {
    QString name;
    ChartTone tone = ChartTone::Accent;
    LiveChart::Scale scale = LiveChart::Scale::Left;
    Qt::PenStyle dash = Qt::SolidLine;
    QList<QPointF> points;
    QLineSeries* series = nullptr;
};

/// The plot itself: lines by Qt Charts, grid, labels, thresholds and cursor painted around them with the locale's own numbers.
class ChartView final : public QChartView {
    Q_OBJECT

public:
    struct ScaleState {
        LiveChart::ValueText text;
        AxisScale axis;
        bool used = false;
        bool refit = true;
        QValueAxis* valueAxis = nullptr;
    };

    explicit ChartView(QWidget* parent = nullptr);

    void addLine(ChartLine line);
    void nameLine(std::size_t line, const QString& name) { m_lines.at(line).name = name; }
    void setScale(LiveChart::Scale scale, LiveChart::ValueText text, double minimumTop);
    void setSpan(qint64 milliseconds);
    void setThresholds(QList<ChartThreshold> thresholds);
    /// Takes over the points now, and hands them to Qt Charts once the view is seen.
    void setPoints(std::size_t line, QList<QPointF> points);
    /// Gives what has gathered to Qt Charts, fits the axes and repaints.
    void apply();
    void refit();
    void applyColours();

    /// Milliseconds before now (≤ 0); unset = no cursor.
    void setCursor(std::optional<double> at);
    std::optional<double> cursor() const { return m_cursor; }
    double xAt(const QPoint& position) const;

    const std::vector<ChartLine>& lines() const { return m_lines; }
    const ScaleState& scale(LiveChart::Scale scale) const { return m_scales[static_cast<std::size_t>(scale)]; }
    qint64 span() const { return m_span; }
    /// The value of a line at `x`: the nearest point's; unset where there is none near.
    std::optional<double> valueAt(const ChartLine& line, double x) const;

Q_SIGNALS:
    void cursorMoved();

protected:
    void drawBackground(QPainter* painter, const QRectF& rect) override;
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    ScaleState& state(LiveChart::Scale scale) { return m_scales[static_cast<std::size_t>(scale)]; }
    QFont labelFont() const;
    QRectF plot() const;
    double yOf(double value, LiveChart::Scale scale) const;
    double xOf(double milliseconds) const;
    int divisions() const;
    void layOut();
    void paintTimeLabels(QPainter& painter) const;
    void paintThresholds(QPainter& painter) const;
    void paintCursor(QPainter& painter) const;

    std::vector<ChartLine> m_lines;
    ScaleState m_scales[2];
    QValueAxis* m_timeAxis = nullptr;
    QList<ChartThreshold> m_thresholds;
    qint64 m_span = 300'000;
    std::optional<double> m_cursor;
    bool m_dirty = false;
};

/// The names of the lines with a sample of each and its value, right of the chart's title.
class ChartKey final : public QWidget {
    Q_OBJECT

public:
    explicit ChartKey(const ChartView& view, QWidget* parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Entry {
        const ChartLine* line;
        QString name;
        QString value;
    };
    std::vector<Entry> entries() const;

    const ChartView& m_view;
};

}  // namespace omni
