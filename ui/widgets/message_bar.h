#pragma once

#include <QTimer>
#include <QWidget>

#include <functional>

class QLabel;
class QPushButton;
class QToolButton;

namespace omni {

/// One line at the bottom of the window that says what was done or what went wrong, with a button where it can be undone. Goes by
/// itself after a while, never while the mouse is on it or a button of it has the focus; what only tells something waits until the window
/// is seen. A new message takes the place of the old one.
class MessageBar final : public QWidget {
    Q_OBJECT

public:
    /// Lies over `parent`'s lower edge and follows its size.
    explicit MessageBar(QWidget* parent);

    /// With `undo` there is an Undo button; it runs it and closes the bar.
    void showMessage(const QString& text, std::function<void()> undo = {});
    /// With a button of any name.
    void showMessage(const QString& text, const QString& buttonText, std::function<void()> action);
    QString text() const;

public Q_SLOTS:
    void dismiss();

protected:
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void place();
    void retranslate();
    void expire();

    QLabel* m_text;
    QPushButton* m_button;
    QToolButton* m_close;
    std::function<void()> m_action;
    QTimer m_timer{this};
    bool m_undo = false;
};

}  // namespace omni
