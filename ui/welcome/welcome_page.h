#pragma once

#include "ui/clients/client_desk.h"
#include "ui/connections/connection_dialog.h"
#include "ui/connections/key_import_dialog.h"
#include "ui/page.h"

#include <QPointer>
#include <QSettings>

#include <memory>
#include <string>

class QComboBox;
class QGridLayout;
class QLabel;
class QPushButton;
class QStackedWidget;
class QVBoxLayout;

namespace omni {

class ClientDetail;
class CoreLink;
class Demonstrator;
class StateLabel;

/// Whether the welcome is still wanted.
class WelcomeState {
public:
    explicit WelcomeState(const QString& stateFile);
    bool dismissed() const;
    void dismiss();

    bool begun = false;  ///< in this run of the program

private:
    QSettings m_memory;
};

/// Three steps of a first start: keys, tested at once, or the sandbox; a client pointed here; the first request seen arriving.
class WelcomePage final : public Page {
    Q_OBJECT

public:
    WelcomePage(CoreLink& link, const std::string& journal, std::shared_ptr<WelcomeState> state, QWidget* parent = nullptr);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void build();
    QWidget* buildProviders();
    QWidget* buildClients();
    QWidget* buildArrival();
    void fillProviders(QGridLayout& grid);
    void showStep(int step);
    void openEditor(const ProviderId& provider);
    void openKeyImport();
    void addAndTest(const Connection& connection);
    void chooseClient();
    void surveyed();
    void seen(const RequestRecord& record);
    void finish();

    CoreLink& m_link;
    std::shared_ptr<WelcomeState> m_state;
    ClientDesk m_desk;
    Demonstrator* m_demonstrator;
    QPointer<ConnectionDialog> m_dialog;
    QPointer<KeyImportDialog> m_keyImport;
    std::vector<QPushButton*> m_steps;
    QStackedWidget* m_stack;
    QVBoxLayout* m_added;
    QComboBox* m_clients;
    ClientDetail* m_detail;
    StateLabel* m_arrival;
    QLabel* m_story;
    QPushButton* m_sendOne;
    QPushButton* m_showIt;
    QPushButton* m_back;
    QPushButton* m_next;
    QString m_request;
    bool m_clientChosen = false;  ///< by the user
};

}  // namespace omni
