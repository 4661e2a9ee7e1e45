#include "ui/theme/state_shape.h"

#include <QPainter>
#include <QPolygonF>

#include <algorithm>

namespace omni {

void paintStateShape(QPainter& painter, const QRectF& box, const QString& shape, const QColor& colour)
{
    if (shape.isEmpty())
        return;
    const qreal side = std::min({box.width(), box.height(), 11.0});
    QRectF r(0, 0, side, side);
    r.moveCenter(box.center());
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    QPen pen(colour, 1.5);
    pen.setCapStyle(Qt::RoundCap);
    pen.setJoinStyle(Qt::RoundJoin);
    const QRectF inner = r.adjusted(1, 1, -1, -1);
    switch (shape.at(0).unicode()) {
    case 0x25CF:  // ●
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour);
        painter.drawEllipse(r.adjusted(0.5, 0.5, -0.5, -0.5));
        break;
    case 0x25B2:  // ▲
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour);
        painter.drawPolygon(QPolygonF({QPointF(r.center().x(), r.top()), r.bottomRight(), r.bottomLeft()}));
        break;
    case 0x25A0:  // ■
        painter.fillRect(r.adjusted(0.5, 0.5, -0.5, -0.5), colour);
        break;
    case 0x25D0:  // ◐
        painter.setPen(pen);
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(inner);
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour);
        painter.drawPie(inner, 90 * 16, 180 * 16);
        break;
    case 0x25F7:  // ◷
        painter.setPen(pen);
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(inner);
        painter.drawLine(inner.center(), QPointF(inner.center().x(), inner.top() + 1.5));
        painter.drawLine(inner.center(), QPointF(inner.right() - 2, inner.center().y()));
        break;
    case 0x2715:  // ✕
        pen.setWidthF(2);
        painter.setPen(pen);
        painter.drawLine(inner.topLeft(), inner.bottomRight());
        painter.drawLine(inner.topRight(), inner.bottomLeft());
        break;
    default:  // ○
        painter.setPen(pen);
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(inner);
    }
    painter.restore();
}

}  // namespace omni
