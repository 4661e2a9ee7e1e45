#pragma once

#include <QIcon>
#include <QString>
#include <QWidget>

#include <functional>

namespace omni {

/// One page behind one entry of the rail. Pages are made when first opened. `objectName` is the page's id ("overview").
class Page : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;

    /// Gets the keyboard focus when the page opens; also where Ctrl+F goes when the page can be filtered.
    virtual QWidget* filterField() const { return nullptr; }
    /// F5.
    virtual void refresh() {}
    /// Ctrl+N; does nothing where nothing can be made.
    virtual void createNew() {}

Q_SIGNALS:
    /// Asks the window to open another page ("requests"), there to show one thing (a request id, a connection id).
    void openRequested(const QString& pageId, const QString& objectId);
    /// A line for the window's message bar; with `undo`, its button runs it.
    void messageRaised(const QString& text, std::function<void()> undo = {});
    /// The program has to end and start anew, as the user wishes.
    void restartRequested();

public Q_SLOTS:
    /// From another page's openRequested.
    virtual void showObject(const QString& objectId) { Q_UNUSED(objectId) }
};

}  // namespace omni
