#pragma once

#include "control/control.h"

#include <QDialog>

#include <optional>
#include <vector>

class QLabel;
class QLineEdit;
class QPushButton;

namespace omni {

class CoreLink;
class FieldErrorLabel;

/// Makes or changes one alias: a name that stands for a model, a combo or another alias.
class AliasDialog final : public QDialog {
    Q_OBJECT

public:
    /// `link` must be ready and outlive the dialog.
    AliasDialog(CoreLink& link, std::optional<ModelAlias> alias, QWidget* parent = nullptr);

Q_SIGNALS:
    void saved(const omni::ModelAlias& alias);

private:
    ModelAlias draft() const;
    void check();
    void showErrors();
    void lookAhead();
    void save();

    CoreLink& m_link;
    std::string m_old;  ///< name; empty for a new one
    QLineEdit* m_name;
    FieldErrorLabel* m_nameError;
    QLineEdit* m_model;
    FieldErrorLabel* m_modelError;
    QLabel* m_leads;
    QPushButton* m_save;
    std::vector<FieldError> m_errors;
    bool m_nameTouched = false;
    bool m_modelTouched = false;
    bool m_busy = false;
    std::size_t m_round = 0;
};

}  // namespace omni
