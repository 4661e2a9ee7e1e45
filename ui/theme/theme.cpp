#include "ui/theme/theme.h"

#include "ui/theme/colours.h"
#include "ui/theme/resources.h"
#include "ui/theme/system_scheme.h"

#include <QApplication>
#include <QStyleFactory>

namespace omni {

ThemeManager::ThemeManager(QApplication& application) : m_application(application)
{
    loadUiResources();
    m_system = new SystemScheme(application.palette(), this);
    application.setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    connect(m_system, &SystemScheme::changed, this, [this] {
        if (m_theme == Theme::System)
            apply(m_theme);
    });
    apply(Theme::System);
}

void ThemeManager::apply(Theme theme)
{
    m_theme = theme;
    const bool dark = theme == Theme::Dark || (theme == Theme::System && m_system->dark());
    const Colours& wanted = dark ? darkColours() : lightColours();
    if (m_colours == &wanted)
        return;
    m_colours = &wanted;
    m_application.setPalette(paletteFrom(wanted));
    m_application.setStyleSheet(styleSheetFrom(wanted));
    Q_EMIT changed();
}

const Colours& ThemeManager::colours() const
{
    return *m_colours;
}

}  // namespace omni
