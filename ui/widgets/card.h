#pragma once

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QVBoxLayout;

namespace omni {

/// A surface with a border and round corners; above its content a title and, at the right, a short text or a widget.
class Card final : public QWidget {
    Q_OBJECT

public:
    explicit Card(QWidget* parent = nullptr);
    explicit Card(const QString& title, QWidget* parent = nullptr);

    /// Empty = no head at all. Also the card's accessible name.
    void setTitle(const QString& title);
    QString title() const;
    /// Quiet text at the right of the title.
    void setRightText(const QString& text);
    /// In place of the text; the card owns it.
    void setRightWidget(QWidget* widget);
    /// Where the content goes.
    QVBoxLayout* body() const { return m_body; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void showHead();

    QWidget* m_head;
    QHBoxLayout* m_headLayout;
    QLabel* m_title;
    QLabel* m_right;
    QVBoxLayout* m_body;
};

}  // namespace omni
