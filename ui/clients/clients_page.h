#pragma once

#include "ui/clients/client_desk.h"
#include "ui/page.h"

#include <string>

namespace omni {

class ClientDetail;
class ClientList;
class CoreLink;
class PageHead;
class SearchField;

/// How each client is pointed at the proxy: what to paste, and a set-up that shows its change first and can be taken back
/// (spec 4-surfaces §6.9).
class ClientsPage final : public Page {
    Q_OBJECT

public:
    /// `journal`: where it is remembered what was written. `places`: whose files; the user's own but for tests.
    ClientsPage(CoreLink& link, const std::string& journal, const client_setup::Places& places, QWidget* parent = nullptr);

    QWidget* filterField() const override;
    void refresh() override;

public Q_SLOTS:
    /// A client's id ("codex").
    void showObject(const QString& objectId) override;

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void follow();

    CoreLink& m_link;
    ClientDesk m_desk;
    PageHead* m_head;
    SearchField* m_search;
    ClientList* m_list;
    ClientDetail* m_detail;
};

}  // namespace omni
