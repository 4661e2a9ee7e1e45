#pragma once

#include <QWidget>

class QLabel;

namespace omni {

class ElidedLabel;

/// One figure: what it is, its value in large digits, and a quiet line below.
class StatTile final : public QWidget {
    Q_OBJECT

public:
    explicit StatTile(QWidget* parent = nullptr);

    void setCaption(const QString& caption);
    /// Does nothing when both are as before, so that it may be called every second.
    void setFigures(const QString& value, const QString& below);

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void applyFonts();

    ElidedLabel* m_caption;
    ElidedLabel* m_value;
    ElidedLabel* m_below;
};

}  // namespace omni
