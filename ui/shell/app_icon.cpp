#include "ui/shell/app_icon.h"

#include "ui/theme/resources.h"

#include <QPainter>
#include <QPixmap>
#include <QPolygonF>
#include <QSvgRenderer>

#include <algorithm>

namespace omni {

namespace {

QPixmap rendered(const QString& file, int size)
{
    loadUiResources();
    QPixmap pixmap(size, size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    QSvgRenderer(file).render(&painter);
    return pixmap;
}

/// A mark in the lower right corner: the state's shape, dark on a light disc with the state's colour around it.
void paintMark(QPixmap& pixmap, const QColor& colour, bool square)
{
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    const qreal size = pixmap.width();
    const qreal side = size * 0.5;
    const QRectF box(size - side, size - side, side, side);
    painter.setPen(QPen(Qt::white, std::max(1.0, size / 20.0)));
    painter.setBrush(colour);
    const QRectF inner = box.adjusted(side * 0.08, side * 0.08, -side * 0.08, -side * 0.08);
    if (square)
        painter.drawRect(inner);
    else
        painter.drawPolygon(QPolygonF({QPointF(inner.center().x(), inner.top()), inner.bottomRight(), inner.bottomLeft()}));
}

}  // namespace

QIcon appIcon()
{
    QIcon icon;
    for (const int size : {16, 24, 32, 48, 64, 128, 256})
        icon.addPixmap(rendered(QStringLiteral(":/icons/omniroute.svg"), size));
    return icon;
}

QIcon trayIcon(ShellState state)
{
    const bool grey = state == ShellState::Stopped || state == ShellState::Starting || state == ShellState::Failed;
    const QString file = grey ? QStringLiteral(":/icons/omniroute-stopped.svg") : QStringLiteral(":/icons/omniroute.svg");
    QIcon icon;
    for (const int size : {16, 22, 24, 32, 48, 64}) {
        QPixmap pixmap = rendered(file, size);
        if (state == ShellState::Degraded)
            paintMark(pixmap, QColor(0xe6, 0xa1, 0x17), false);
        else if (state == ShellState::Failed)
            paintMark(pixmap, QColor(0xd6, 0x35, 0x35), true);
        icon.addPixmap(pixmap);
    }
    return icon;
}

}  // namespace omni
