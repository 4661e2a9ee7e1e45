#pragma once

#include <QColor>
#include <QRectF>
#include <QString>

class QPainter;

namespace omni {

/// Draws a StateLook's shape ("●", "▲", "■", "◐", "◷", "✕", "○") as lines and fills, centred in `box`: the same on every machine, whatever
/// its fonts hold. Tables use it in their delegates, labels in their paintEvent.
void paintStateShape(QPainter& painter, const QRectF& box, const QString& shape, const QColor& colour);

}  // namespace omni
