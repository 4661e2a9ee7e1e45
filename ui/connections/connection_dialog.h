#pragma once

#include "control/control.h"

#include <QDialog>

#include <functional>
#include <optional>
#include <vector>

class QLabel;
class QPushButton;

namespace omni {

class ConnectionForm;
class CoreLink;
class ProviderChooser;
class TestBox;

/// Makes or changes one connection. Saved only when the core says so; what it refuses is told at the fields. An endpoint that was made
/// on the way to a test or a refused save is removed again when the dialog is given up.
class ConnectionDialog final : public QDialog {
    Q_OBJECT

public:
    /// Without `connection`: a new one. `link` must be ready and outlive the dialog.
    ConnectionDialog(CoreLink& link, std::optional<Connection> connection, QWidget* parent = nullptr);
    ~ConnectionDialog() override;

    /// For a new one: as if the user had chosen this provider.
    void chooseProvider(const ProviderId& id);

Q_SIGNALS:
    void saved(const omni::Connection& connection);

public Q_SLOTS:
    void done(int result) override;

private:
    void save();
    void test();
    /// Saves the endpoint first where there is one to save, then runs `next` with the whole draft; on refusal shows it and runs `failed`.
    void withEndpoint(std::function<void(ConnectionDraft)> next, std::function<void(QString)> failed);
    void refuse(const Error& error, bool ofNode);
    void setBusy(bool busy);
    void refreshFooter();

    CoreLink& m_link;
    ProviderChooser* m_chooser = nullptr;
    ConnectionForm* m_form = nullptr;
    TestBox* m_test = nullptr;
    QLabel* m_problem = nullptr;
    QPushButton* m_save = nullptr;
    bool m_busy = false;
    QString m_refusal;
    std::vector<ProviderId> m_madeNodes;
};

}  // namespace omni
