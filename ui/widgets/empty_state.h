#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace omni {

/// What a list shows while it has nothing: an icon, a sentence that says what to do next, and the button that does it.
class EmptyState final : public QWidget {
    Q_OBJECT

public:
    /// `icon` is a name in resources/icons.
    explicit EmptyState(const QString& icon, QWidget* parent = nullptr);
    /// Without `actionText` there is no button.
    void setTexts(const QString& sentence, const QString& actionText = {});

Q_SIGNALS:
    void actionTriggered();

protected:
    void changeEvent(QEvent* event) override;

private:
    void refreshIcon();

    QString m_iconName;
    QLabel* m_icon;
    QLabel* m_sentence;
    QPushButton* m_action;
};

}  // namespace omni
