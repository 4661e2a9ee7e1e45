#pragma once

#include "control/control.h"

#include <QTimer>
#include <QWidget>

#include <cstdint>
#include <optional>
#include <string>

class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;

namespace omni {

class CoreLink;
class FieldErrorLabel;

/// An answer typed or pasted, and what would be made of it: the verdict, the rule that decides and the hold it makes. Asked of the core
/// while it is typed; nothing is changed by it. A whole answer pasted into the headers is taken apart.
class AnswerTester final : public QWidget {
    Q_OBJECT

public:
    /// With `choosesProvider` the provider is chosen here, else it is given by `setDraft`.
    AnswerTester(CoreLink& link, bool choosesProvider, QWidget* parent = nullptr);

    /// Judges with `patch` merged into the settings; `rule` is the place of the rule being edited, told by name when it decides.
    void setDraft(const ProviderId& provider, const std::string& patch, std::optional<std::size_t> rule);
    /// Stands in the field until the user types another.
    void setStatus(int status);
    /// For the provider's list and the names of rules.
    void setConfiguration(const ConfigurationPtr& configuration);

protected:
    void showEvent(QShowEvent* event) override;

private:
    QPlainTextEdit* textEdit(const char* objectName, const QString& name, const QString& placeholder, int lines);
    void fillProviders();
    void takeApart();
    void schedule();
    void ask();
    void showTrial(const FailureTrial& trial);
    void showNothing(const QString& text);
    QString ruleOf(const FailureTrial& trial) const;
    ProviderId provider() const;

    CoreLink& m_link;
    ConfigurationPtr m_configuration;
    QComboBox* m_providers = nullptr;
    QLineEdit* m_status;
    QLineEdit* m_model;
    QPlainTextEdit* m_headers;
    QPlainTextEdit* m_body;
    FieldErrorLabel* m_statusError;
    QLabel* m_verdict;
    QLabel* m_rule;
    QLabel* m_hold;
    QLabel* m_next;
    QTimer m_wait;
    ProviderId m_provider;
    std::string m_patch;
    std::optional<std::size_t> m_draftRule;
    std::uint64_t m_asked = 0;
};

}  // namespace omni
