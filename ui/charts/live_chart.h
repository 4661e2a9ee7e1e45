#pragma once

#include <QList>
#include <QPointF>
#include <QString>
#include <QWidget>

#include <functional>
#include <memory>

namespace omni {

/// What a line means decides its colour in either theme.
enum class ChartTone { Accent, Good, Warn, Bad, Probing, Muted };

/// A horizontal line with words on it ("opens at 12"), on the left scale.
struct ChartThreshold {
    double value = 0.0;
    QString label;
    ChartTone tone = ChartTone::Muted;

    bool operator==(const ChartThreshold&) const = default;
};

/// Lines over the time before now, drawn by Qt Charts. Axes are fixed and grow or shrink rarely; nothing is animated; while hidden it
/// only remembers. Lines differ by colour and by dash. For those who cannot see it: the accessible description tells each line in
/// words, Left and Right walk a cursor through the values, and "Copy values" gives them as a table.
class LiveChart final : public QWidget {
    Q_OBJECT

public:
    static constexpr qsizetype kMaxPoints = 600;
    enum class Scale { Left, Right };
    using ValueText = std::function<QString(double)>;

    explicit LiveChart(QWidget* parent = nullptr);
    ~LiveChart() override;

    void setTitle(const QString& title);
    /// Words of the axis and of the values in the key; `minimumTop` is the shortest the axis may get.
    void setScale(Scale scale, ValueText text, double minimumTop);
    struct Line {
        QString name;
        ChartTone tone = ChartTone::Accent;
        Scale scale = Scale::Left;
    };
    /// As many as there are already: they are only named anew, as after a change of language.
    void setLines(const QList<Line>& lines);
    /// How far back the left edge lies.
    void setSpan(qint64 milliseconds);
    void setThresholds(QList<ChartThreshold> thresholds);
    /// For each line its points: x in milliseconds before now (≤ 0), rising; y in the scale's unit. Thinned to kMaxPoints.
    void replace(const QList<QList<QPointF>>& points);
    /// The next replace fits the axes at once: something else is shown from now on.
    void restart();

    /// One sentence for each line: name, now, lowest, highest.
    QString summary() const;
    /// All values, tab-separated, one row for each point in time.
    QString valuesAsText() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

}  // namespace omni
