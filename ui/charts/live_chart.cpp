#include "ui/charts/live_chart.h"

#include "ui/charts/chart_view.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"

#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <map>

namespace omni {

struct LiveChart::Private {
    QLabel* title = nullptr;
    ChartKey* key = nullptr;
    ChartView* view = nullptr;
};

LiveChart::LiveChart(QWidget* parent) : QWidget(parent), d(std::make_unique<Private>())
{
    d->view = new ChartView(this);
    d->title = new QLabel(this);
    QFont bold = d->title->font();
    bold.setBold(true);
    d->title->setFont(bold);
    d->key = new ChartKey(*d->view, this);

    auto* head = new QHBoxLayout;
    head->setSpacing(16);
    head->addWidget(d->title);
    head->addWidget(d->key, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(8);
    layout->addLayout(head);
    layout->addWidget(d->view, 1);

    setFocusPolicy(Qt::StrongFocus);
    connect(d->view, &ChartView::cursorMoved, d->key, qOverload<>(&QWidget::update));
    d->view->viewport()->installEventFilter(this);
}

LiveChart::~LiveChart() = default;

void LiveChart::setTitle(const QString& title)
{
    if (d->title->text() == title)
        return;
    d->title->setText(title);
    setAccessibleName(title);
}

void LiveChart::setScale(Scale scale, ValueText text, double minimumTop)
{
    d->view->setScale(scale, std::move(text), minimumTop);
}

void LiveChart::setLines(const QList<Line>& lines)
{
    static constexpr std::array dashes{Qt::SolidLine, Qt::DashLine, Qt::DotLine};
    const auto present = static_cast<qsizetype>(d->view->lines().size());
    for (qsizetype i = 0; i < lines.size(); ++i) {
        if (i < present) {
            d->view->nameLine(static_cast<std::size_t>(i), lines[i].name);
            continue;
        }
        ChartLine line;
        line.name = lines[i].name;
        line.tone = lines[i].tone;
        line.scale = lines[i].scale;
        line.dash = dashes[static_cast<std::size_t>(i) % dashes.size()];
        d->view->addLine(std::move(line));
    }
    d->key->update();
}

void LiveChart::setSpan(qint64 milliseconds)
{
    d->view->setSpan(milliseconds);
}

void LiveChart::setThresholds(QList<ChartThreshold> thresholds)
{
    d->view->setThresholds(std::move(thresholds));
}

void LiveChart::restart()
{
    d->view->refit();
}

void LiveChart::replace(const QList<QList<QPointF>>& points)
{
    const auto count = std::min<std::size_t>(static_cast<std::size_t>(points.size()), d->view->lines().size());
    for (std::size_t i = 0; i < count; ++i)
        d->view->setPoints(i, thinned(points[static_cast<qsizetype>(i)], kMaxPoints));
    if (!isVisible())
        return;
    d->view->apply();
    d->key->update();
    if (QAccessible::isActive() && hasFocus())
        setAccessibleDescription(summary());
}

QString LiveChart::summary() const
{
    QStringList sentences;
    for (const ChartLine& line : d->view->lines()) {
        const auto& text = d->view->scale(line.scale).text;
        if (!text)
            continue;
        if (line.points.isEmpty()) {
            sentences << tr("%1: nothing yet.").arg(line.name);
            continue;
        }
        const auto [low, high] = std::minmax_element(line.points.cbegin(), line.points.cend(),
            [](const QPointF& a, const QPointF& b) { return a.y() < b.y(); });
        sentences << tr("%1: now %2, lowest %3, highest %4.").arg(line.name, text(line.points.last().y()), text(low->y()), text(high->y()));
    }
    return sentences.join(QLatin1Char(' '));
}

QString LiveChart::valuesAsText() const
{
    const auto& lines = d->view->lines();
    QStringList head{tr("Seconds ago")};
    std::map<double, QStringList> rows;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        head << lines[i].name;
        const auto& text = d->view->scale(lines[i].scale).text;
        for (const QPointF& point : lines[i].points) {
            QStringList& cells = rows[point.x()];
            cells.resize(static_cast<qsizetype>(lines.size()));
            cells[static_cast<qsizetype>(i)] = text ? text(point.y()) : decimalText(point.y(), 3);
        }
    }
    QStringList out{head.join(QLatin1Char('\t'))};
    for (const auto& [x, cells] : rows)
        out << numberText(static_cast<qint64>(-x / 1000.0)) + QLatin1Char('\t') + cells.join(QLatin1Char('\t'));
    return out.join(QLatin1Char('\n'));
}

QSize LiveChart::sizeHint() const
{
    const int line = fontMetrics().height();
    return {line * 30, line * 14};
}

QSize LiveChart::minimumSizeHint() const
{
    const int line = fontMetrics().height();
    return {line * 12, line * 6};
}

void LiveChart::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange)
        d->view->applyColours();
    if (event->type() == QEvent::FontChange || event->type() == QEvent::LocaleChange || event->type() == QEvent::LanguageChange)
        d->view->refit();
}

void LiveChart::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    d->view->apply();
}

void LiveChart::keyPressEvent(QKeyEvent* event)
{
    const double step = static_cast<double>(d->view->span()) / 60.0;
    const double at = d->view->cursor().value_or(0.0);
    switch (event->key()) {
    case Qt::Key_Left: d->view->setCursor(at - step); break;
    case Qt::Key_Right: d->view->setCursor(at + step); break;
    case Qt::Key_Home: d->view->setCursor(-static_cast<double>(d->view->span())); break;
    case Qt::Key_End: d->view->setCursor(0.0); break;
    case Qt::Key_Escape:
        if (!d->view->cursor()) {
            QWidget::keyPressEvent(event);
            return;
        }
        d->view->setCursor(std::nullopt);
        break;
    default:
        if (event->matches(QKeySequence::Copy)) {
            QApplication::clipboard()->setText(valuesAsText());
            return;
        }
        QWidget::keyPressEvent(event);
        return;
    }
    QStringList values;
    for (const ChartLine& line : d->view->lines()) {
        const auto& text = d->view->scale(line.scale).text;
        const auto value = d->view->cursor() ? d->view->valueAt(line, *d->view->cursor()) : std::nullopt;
        if (value && text)
            values << line.name + QLatin1Char(' ') + text(*value);
    }
    setAccessibleDescription(values.isEmpty() ? summary() : values.join(QStringLiteral(", ")));
}

void LiveChart::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    setAccessibleDescription(summary());
    update();
}

void LiveChart::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    d->view->setCursor(std::nullopt);
    update();
}

void LiveChart::paintEvent(QPaintEvent*)
{
    if (!hasFocus())
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(coloursFor(palette()).accent, 1));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
}

void LiveChart::contextMenuEvent(QContextMenuEvent* event)
{
    QMenu menu(this);
    const QAction* copy = menu.addAction(tr("Copy values"));
    if (menu.exec(event->globalPos()) == copy)
        QApplication::clipboard()->setText(valuesAsText());
}

bool LiveChart::eventFilter(QObject* watched, QEvent* event)
{
    // The view would swallow the click that should give the chart its focus.
    if (event->type() == QEvent::MouseButtonPress)
        setFocus(Qt::MouseFocusReason);
    return QWidget::eventFilter(watched, event);
}

}  // namespace omni
