#pragma once

#include "control/control.h"

#include <QDialog>

class QLabel;
class QLineEdit;
class QPushButton;
class QStackedWidget;

namespace omni {

class CoreLink;
class KeyForm;

/// Makes or changes one client key. A new one is shown when it is made, this once; then the dialog ends.
class KeyDialog final : public QDialog {
    Q_OBJECT

public:
    /// `key.id` empty = a new one. `link` must be ready and outlive the dialog.
    KeyDialog(CoreLink& link, const ApiKey& key, QWidget* parent = nullptr);

Q_SIGNALS:
    void saved(const omni::ApiKey& key);

private:
    QWidget* buildForm(const ApiKey& key);
    QWidget* buildFresh();
    void save();
    void showFresh(const CreatedApiKey& made);
    void refuse(const Error& error);
    void refresh();

    CoreLink& m_link;
    const bool m_new;
    bool m_busy = false;
    QStackedWidget* m_sides;
    KeyForm* m_form = nullptr;
    QLabel* m_problem = nullptr;
    QPushButton* m_save = nullptr;
    QLabel* m_freshText = nullptr;
    QLineEdit* m_fresh = nullptr;
    QLabel* m_copied = nullptr;
    QPushButton* m_copy = nullptr;
};

}  // namespace omni
