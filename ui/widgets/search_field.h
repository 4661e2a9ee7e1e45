#pragma once

#include <QLineEdit>

namespace omni {

/// A filter's input: a magnifying glass, a button that empties it; Esc empties it too, and on an empty field goes on to the window.
class SearchField final : public QLineEdit {
    Q_OBJECT

public:
    explicit SearchField(QWidget* parent = nullptr);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void refreshIcon();

    QAction* m_icon = nullptr;
};

}  // namespace omni
