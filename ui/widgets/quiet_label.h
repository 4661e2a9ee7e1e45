#pragma once

#include <QLabel>

namespace omni {

/// A label in the theme's muted text colour, kept right when the theme changes.
class QuietLabel final : public QLabel {
    Q_OBJECT

public:
    explicit QuietLabel(QWidget* parent = nullptr);
    explicit QuietLabel(const QString& text, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    void applyColour();

    bool m_applying = false;
};

}  // namespace omni
