#pragma once

#include <QWidget>

class QHBoxLayout;
class QLabel;

namespace omni {

class ElidedLabel;

/// A page's title with a quiet line below it; at the right, what the page offers for all of its content.
class PageHead final : public QWidget {
    Q_OBJECT

public:
    explicit PageHead(QWidget* parent = nullptr);
    void setTitle(const QString& title);
    void setSubtitle(const QString& text);
    /// Filter, choices, buttons: added from left to right.
    QHBoxLayout* tools() const { return m_tools; }

protected:
    void changeEvent(QEvent* event) override;

private:
    void applyFonts();

    QLabel* m_title;
    ElidedLabel* m_subtitle;
    QHBoxLayout* m_tools;
};

}  // namespace omni
