#pragma once

#include "shots/story.h"

#include <QPixmap>
#include <QString>
#include <QStringList>

class QWidget;

namespace omni {
class MainWindow;
}

namespace omni::shots {

/// Opens the window's pages and dialogs one after the other and keeps a picture of each.
class Photographer {
public:
    struct Options {
        QString folder;
        QStringList only;  ///< beginnings of the pictures' names; empty = all
        QString memory;    ///< the window's state file
    };
    Photographer(MainWindow& window, Options options);

    /// Every page and dialog of a window in which `story` happened, as <name><suffix>.png.
    void takeAll(Story& story, const QString& suffix);
    /// Every page of a window in which nothing has happened yet.
    void takeEmpty(const QString& suffix);

private:
    bool wanted(const QString& name) const;
    void take(const QString& page, const QString& object, const QString& name);
    void selectFirstRow(QWidget* page) const;
    void takeWelcome(const QString& suffix);
    /// What is known about a locked model.
    void takeWhy(const QString& suffix);
    /// A connection is deleted, which says so and offers to take it back; then it is taken back.
    void takeUndo(const QString& suffix);
    /// All the usage page can tell of days that are long over.
    void takeUsageAsCost(const QString& suffix);
    /// What a button of a page opens.
    void takeButton(const QString& page, const QString& button, const QString& name);
    void takeDialog(const QString& suffix);
    /// A rule being changed, with an answer to try it on.
    void takeRule(const QString& suffix);
    /// Switched on, so that the sentences beneath have something to say; then off again.
    void takeLockout(const QString& suffix);
    /// The second list of the page, its two editors, and the editor of several connections.
    void takeCombos(const QString& suffix);
    void save(const QPixmap& picture, const QString& name) const;

    MainWindow& m_window;
    Options m_options;
};

}  // namespace omni::shots
