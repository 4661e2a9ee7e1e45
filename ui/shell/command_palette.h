#pragma once

#include "ui/shell/command.h"

#include <QPointer>
#include <QStringList>
#include <QWidget>

#include <vector>

class QLabel;
class QLineEdit;
class QListView;

namespace omni {

class CommandModel;

/// Over the middle of a window: a line to type into and the commands that fit, best first. Up, Down, Page Up and Page Down choose, Enter
/// runs, Esc or a click beside it closes; the focus goes back to where it was. A child of the window, so that every desktop shows it in
/// its place.
class CommandPalette final : public QWidget {
    Q_OBJECT

public:
    explicit CommandPalette(QWidget* window);

    /// `recent`: ids of those used lately, newest first.
    void open(std::vector<Command> commands, QStringList recent);

Q_SIGNALS:
    /// Before it runs.
    void chosen(const QString& id);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void place();
    void retranslate();
    void showFitting(const QString& typed);
    bool keyPressed(int key);
    void step(int rows);
    void tellCurrent();
    void run(int row);
    void close(bool restoreFocus);

    CommandModel* m_model;
    QWidget* m_panel;
    QLineEdit* m_line;
    QListView* m_list;
    QLabel* m_nothing;
    QPointer<QWidget> m_before;  ///< had the focus
};

}  // namespace omni
