#pragma once

#include "control/control.h"

#include <QDialog>

#include <optional>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace omni {

class CoreLink;
class DataTable;
class FieldErrorLabel;
class ModelChoice;
class ReorderTable;
class SearchField;
class TargetsModel;

/// Makes or changes one combo. Checked while it is typed by the core's own rules, saved only when the core says so.
class ComboDialog final : public QDialog {
    Q_OBJECT

public:
    /// Without `combo`: a new one; one without an id: a new one that begins so. `link` must be ready and outlive the dialog.
    ComboDialog(CoreLink& link, std::optional<Combo> combo, QWidget* parent = nullptr);

Q_SIGNALS:
    void saved(const omni::Combo& combo);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void build();
    QWidget* buildChooser();
    QWidget* buildForm();
    QWidget* buildTools();
    Combo draft() const;
    void check();
    void showErrors();
    void refreshAdd();
    void addChosen();
    void removeSelected();
    void moveSelected(int by);
    void moveTo(const std::vector<int>& rows, int before);
    std::vector<int> selected() const;
    void refreshPin();
    void pin(int choice);
    void save();
    void refreshFooter();

    CoreLink& m_link;
    Combo m_original;
    SearchField* m_search = nullptr;
    ModelChoice* m_choice = nullptr;
    DataTable* m_models = nullptr;
    QPushButton* m_add = nullptr;
    QLineEdit* m_name = nullptr;
    FieldErrorLabel* m_nameError = nullptr;
    QComboBox* m_strategy = nullptr;
    FieldErrorLabel* m_strategyError = nullptr;
    TargetsModel* m_targets = nullptr;
    ReorderTable* m_table = nullptr;
    FieldErrorLabel* m_targetsError = nullptr;
    QComboBox* m_pin = nullptr;
    QPushButton* m_up = nullptr;
    QPushButton* m_down = nullptr;
    QPushButton* m_remove = nullptr;
    QLabel* m_problem = nullptr;
    QPushButton* m_save = nullptr;
    std::vector<FieldError> m_errors;
    QString m_refusal;
    bool m_nameTouched = false;
    bool m_targetsTouched = false;
    bool m_busy = false;
};

}  // namespace omni
