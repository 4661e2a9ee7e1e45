#pragma once

#include "ui/clients/client_desk.h"

#include <QListView>

class QStandardItemModel;

namespace omni {

/// All clients, each with where it leads: shape and word on a second line. Typing a name goes to it; Ctrl+C copies the list as text.
class ClientList final : public QListView {
    Q_OBJECT

public:
    explicit ClientList(QWidget* parent = nullptr);

    void setFacts(const QHash<QString, ClientFacts>& facts);
    /// Only clients whose name or state holds the words.
    void filter(const QString& words);
    QString current() const;
    void choose(const QString& id);
    QSize sizeHint() const override;

Q_SIGNALS:
    void chosen(const QString& id);
    /// From the context menu.
    void copyWanted();
    void folderWanted();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void copyAll() const;

    QStandardItemModel* m_model;
};

}  // namespace omni
