#pragma once

#include "model/configuration.h"
#include "ui/settings/rule_edits.h"

#include <QDialog>

#include <map>
#include <optional>
#include <string>

class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace omni {

class AnswerTester;
class CoreLink;
class FieldErrorLabel;

/// Makes or changes one error rule, with a tester beside it that judges by the rule as it stands here, before it is saved. Checks while
/// the user types by the core's own reading of rules; saved only when the core says so.
class RuleDialog final : public QDialog {
    Q_OBJECT

public:
    /// `index` among the settings' rules; without it a new one. `link` must be ready and outlive the dialog.
    RuleDialog(CoreLink& link, std::optional<std::size_t> index, QWidget* parent = nullptr);

Q_SIGNALS:
    /// The core took it; `place` is where it stands now.
    void saved(int place);

private:
    QWidget* withError(const std::string& key, QWidget* input);
    QWidget* buildForm();
    void load(const ProviderErrorRule& rule);
    void edited(const std::string& key);
    void check();
    void save();
    void refuse(const Error& error);
    QString problemOf(const std::string& key) const;
    /// The rule as it stands; what cannot be read is told in `m_problems`.
    std::optional<ProviderErrorRule> draft();

    struct Field {
        QWidget* input = nullptr;
        FieldErrorLabel* error = nullptr;
        bool touched = false;
    };

    CoreLink& m_link;
    ErrorRules m_before;
    std::optional<std::size_t> m_index;
    QComboBox* m_provider;
    QLineEdit* m_status;
    QPlainTextEdit* m_match;
    QComboBox* m_reason;
    QComboBox* m_scope;
    QLineEdit* m_hold;
    QComboBox* m_holdUnit;
    AnswerTester* m_tester;
    QLabel* m_problem;
    QPushButton* m_save;
    std::map<std::string, Field> m_fields;
    std::map<std::string, QString> m_problems;
    QString m_general;  ///< what is wrong with no single field
    bool m_busy = false;
};

}  // namespace omni
