#pragma once

#include "model/hold.h"
#include "model/request_record.h"
#include "model/settings.h"

#include <QColor>
#include <QFont>
#include <QIcon>
#include <QObject>
#include <QPalette>
#include <QString>

class QApplication;

namespace omni {

class SystemScheme;

/// The colours of one theme, by meaning. Text on `window`, `surface` and `raised` has a contrast of at least 4.5.
struct Colours {
    QColor window, surface, raised, border, text, mutedText, accent, accentText, accentSoft;
    QColor good, warn, bad, probing, resting;  ///< closed, degraded, open, half-open, cooling down
    QColor goodSoft, warnSoft, badSoft;
    bool dark = false;
};

/// Fusion with our own light and dark palettes; follows the system until told otherwise, and a change takes effect at once.
class ThemeManager final : public QObject {
    Q_OBJECT

public:
    explicit ThemeManager(QApplication& application);
    void apply(Theme theme);
    const Colours& colours() const;

Q_SIGNALS:
    void changed();

private:
    QApplication& m_application;
    SystemScheme* m_system = nullptr;
    Theme m_theme = Theme::System;
    const Colours* m_colours = nullptr;
};

/// The colours of the theme that `palette` belongs to; what every widget asks when it paints.
const Colours& coloursFor(const QPalette& palette);

/// A state is told by colour, shape and word, never by colour alone.
struct StateLook {
    QColor colour;
    QString shape;  ///< "●", "▲", "■", "◐", "◷", "✕"
    QString word;   ///< translated, lower case: "closed", "degraded", …
};
StateLook lookOf(BreakerState state, const Colours& colours);
StateLook lookOf(Outcome outcome, const Colours& colours);
/// What a connection's own state and its provider's breaker make of it together: serving, resting, open, disabled, expired, no credit, …
StateLook lookOf(Exclusion reason, const Colours& colours);

/// Figures that stand under each other: the application font with tabular numbers.
QFont tabularFont(const QFont& base);
QFont monospaceFont();

/// "1:47", "29:12", "5 h 03 min"; by locale's digits.
QString countdownText(Millis remaining);
/// "0.09 ms", "612 ms", "1.4 s".
QString durationText(std::int64_t micros);
/// A length that was set, in full: "500 ms", "12 s", "1 min 36 s", "2 h", "30 d".
QString lengthText(Millis length);
/// Clock time when today, date otherwise, by locale.
QString timeText(WallTime time);
/// "48.1 k".
QString compactNumber(double value);

/// From resources/icons, coloured for the palette.
QIcon themedIcon(const QString& name, const QPalette& palette);

}  // namespace omni
