#pragma once

#include <QDialog>

class QPushButton;

namespace omni {

/// Why something is out of service, as text that can be read by keyboard, selected and copied, with one thing to do about it.
class WhyDialog final : public QDialog {
    Q_OBJECT

public:
    /// `heading` names what is out, and how. Goes when it is closed.
    WhyDialog(const QString& heading, const QString& text, QWidget* parent);

    /// A button for it, which also closes the dialog; empty = none.
    void setAction(const QString& label);

Q_SIGNALS:
    void actionTriggered();

private:
    QPushButton* m_action;
};

}  // namespace omni
