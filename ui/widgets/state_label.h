#pragma once

#include "ui/theme/theme.h"

#include <QWidget>

#include <functional>

namespace omni {

/// A state's shape and word in its colour. Follows the theme and the language by itself.
class StateLabel final : public QWidget {
    Q_OBJECT

public:
    using Look = std::function<StateLook(const Colours&)>;

    explicit StateLabel(QWidget* parent = nullptr);

    /// Asked again whenever the theme or the language changes.
    void setLook(Look look);
    void setState(BreakerState state);
    void setState(Outcome outcome);
    void setState(Exclusion reason);
    /// Stands after the word: ", 0:21" or " 7/12". Also read out.
    void setSuffix(const QString& suffix);
    /// Only the shape; the word stays the accessible name and the tooltip.
    void setShapeOnly(bool on);
    QString text() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void refresh();

    Look m_make;
    StateLook m_look;
    QString m_suffix;
    bool m_shapeOnly = false;
};

}  // namespace omni
