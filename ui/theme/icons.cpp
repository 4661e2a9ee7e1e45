#include "ui/theme/theme.h"

#include "ui/theme/resources.h"

#include <QFile>
#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>

namespace omni {

namespace {

QPixmap rendered(const QByteArray& svg, const QColor& colour, int size)
{
    QByteArray coloured = svg;
    coloured.replace("currentColor", colour.name().toLatin1());
    QSvgRenderer renderer(coloured);
    QPixmap pixmap(size, size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    renderer.render(&painter);
    return pixmap;
}

}  // namespace

QIcon themedIcon(const QString& name, const QPalette& palette)
{
    loadUiResources();
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QByteArray svg = file.readAll();
    const Colours& colours = coloursFor(palette);
    QIcon icon;
    for (const int size : {16, 20, 24, 32, 48, 64}) {
        icon.addPixmap(rendered(svg, colours.mutedText, size), QIcon::Normal);
        icon.addPixmap(rendered(svg, colours.text, size), QIcon::Active);
        icon.addPixmap(rendered(svg, colours.border, size), QIcon::Disabled);
        icon.addPixmap(rendered(svg, colours.text, size), QIcon::Selected);
    }
    return icon;
}

}  // namespace omni
