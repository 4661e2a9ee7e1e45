#pragma once

#include "ui/clients/client_desk.h"

#include <QPointer>
#include <QTimer>
#include <QWidget>

#include <functional>

class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace omni {

class Card;
class CoreLink;
class DiffView;
class ElidedLabel;
class FieldErrorLabel;
class QuietLabel;
class SnippetBox;
class StateLabel;

/// One client: who would answer it, what it would be told, the change to its file as a diff, and the lines for doing it by hand. Built in
/// client_detail_build.cpp.
class ClientDetail final : public QWidget {
    Q_OBJECT

public:
    ClientDetail(CoreLink& link, ClientDesk& desk, QWidget* parent = nullptr);

    void showClient(const client_setup::Client& client);
    /// What the disk, the listener or the configuration says now.
    void refresh();
    /// What clients are pointed at, with this client's own choices.
    client_setup::Target target() const;
    std::string folder() const { return m_folder; }
    void copySnippets();
    void openFolder();

Q_SIGNALS:
    void messageRaised(const QString& text, std::function<void()> undo = {});
    void openRequested(const QString& pageId, const QString& objectId);
    /// A file was written, or another folder chosen.
    void surveyWanted();

private:
    void build();
    QWidget* buildChoices();
    QWidget* buildSetup();
    void fillModels();
    void fillServed();
    /// By something else than the sandbox.
    bool servedForReal() const;
    void fillSnippets();
    void fillState();
    void planSoon();
    void plan();
    void showPlan(const Result<ClientDesk::Files>& planned);
    void refreshButtons();
    void apply();
    void takeBack(const client_setup::Client& client);
    void createKey();
    void chooseFolder();
    /// Why it cannot be set up now; empty = it can.
    QString obstacle() const;

    CoreLink& m_link;
    ClientDesk& m_desk;
    const client_setup::Client* m_client = nullptr;
    std::string m_folder;
    ClientDesk::Files m_files;
    QString m_refusal;
    bool m_busy = false;
    int m_asked = 0;  ///< counts plans, so that a late one is told from the newest
    QTimer m_soon;

    Card* m_about;
    StateLabel* m_state;
    QLabel* m_speech;
    QLabel* m_where;
    QWidget* m_servedRow;
    StateLabel* m_servedShape;
    QLabel* m_served;
    QPushButton* m_addConnection;
    QWidget* m_choices;
    QLabel* m_modelLabel;
    QComboBox* m_model;
    QWidget* m_keyRow;
    QLineEdit* m_key;
    QPushButton* m_createKey;
    FieldErrorLabel* m_keyError;
    Card* m_setup;
    QWidget* m_folderRow;
    ElidedLabel* m_folderLabel;
    QPushButton* m_chooseFolder;
    QLabel* m_note;
    DiffView* m_diff;
    QPushButton* m_apply;
    QPushButton* m_undo;
    QLabel* m_written;
    Card* m_byHand;
    QLabel* m_remark;
    std::vector<SnippetBox*> m_snippets;
};

}  // namespace omni
