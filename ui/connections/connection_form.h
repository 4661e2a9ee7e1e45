#pragma once

#include "control/control.h"
#include "model/configuration.h"

#include <QWidget>

#include <map>
#include <optional>
#include <string>
#include <vector>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QToolButton;

namespace omni {

class FieldErrorLabel;

/// The fields of one connection, and, for an endpoint of the user's own, those of the endpoint. Checks while the user types with the
/// core's own rules; a field tells its error once it was touched, or when the core has refused it.
class ConnectionForm final : public QWidget {
    Q_OBJECT

public:
    struct Draft {
        ConnectionDraft connection;
        /// Has to be saved first; its id then is the connection's provider.
        std::optional<ProviderNode> node;
    };

    explicit ConnectionForm(ConfigurationPtr configuration, QWidget* parent = nullptr);

    /// An existing connection: its provider stays, its key is kept while the field is empty.
    void load(const Connection& connection);
    /// A provider's id, or one of ProviderChooser's for a new endpoint.
    void setProvider(const ProviderId& id);
    Draft draft() const;
    /// The endpoint of this draft is saved; from now on it is changed instead of made.
    void setSavedNode(const ProviderNode& node);

    bool valid() const { return m_problems.empty(); }
    /// What is missing, in one line for beside the Save button; empty = nothing, or told at the fields already.
    QString openProblem() const;
    /// The core refused: each field gets its message, and the first of them the focus. What belongs to no field is returned.
    QString showRefusal(const Error& error, bool ofNode);
    /// Where typing begins.
    QWidget* firstField() const;

Q_SIGNALS:
    void changed();

private:
    struct Field {
        QWidget* input = nullptr;
        FieldErrorLabel* error = nullptr;
        QString name;
        bool touched = false;
        QString refusal;  ///< by the core, until the field is changed
    };

    void buildNode();
    void buildBasics();
    void buildAdvanced();
    QWidget* withError(const std::string& key, QWidget* input, QWidget* beside = nullptr);
    QLineEdit* lineEdit(const QString& objectName, const QString& name);
    void watch(const std::string& key, QLineEdit* edit);
    void edited(const std::string& key);
    void check();
    void suggestNames();
    void splitProxyAddress();
    void showAdvanced(bool on);
    void addAdvanced(const QString& label, QWidget* row);
    void describeProvider();
    bool isNewEndpoint() const;
    /// Of the user's own, new or old.
    bool isEndpoint() const { return isNewEndpoint() || m_savedNode.has_value(); }
    ProviderNode nodeFromFields() const;
    void fillNode();
    bool hasSecret() const;
    const Provider* provider() const;

    ConfigurationPtr m_configuration;
    Connection m_original;  ///< id empty for a new one
    ProviderId m_provider;
    std::optional<ProviderNode> m_savedNode;    ///< as the core knows it
    std::map<ProviderId, ProviderNode> m_made;  ///< from this form, by the choice that led to it
    std::map<std::string, Field> m_fields;
    std::vector<FieldError> m_problems;
    bool m_filling = false;

    QFormLayout* m_layout = nullptr;
    QLabel* m_providerName = nullptr;
    QLabel* m_providerNote = nullptr;
    QWidget* m_nodeRows[3] = {};
    QLineEdit* m_nodeName = nullptr;
    QLineEdit* m_nodePrefix = nullptr;
    QLineEdit* m_nodeUrl = nullptr;
    QLineEdit* m_name = nullptr;
    QWidget* m_keyRow = nullptr;
    QLineEdit* m_key = nullptr;
    QToolButton* m_showKey = nullptr;
    QCheckBox* m_removeKey = nullptr;
    QWidget* m_urlRow = nullptr;
    QLineEdit* m_url = nullptr;
    QComboBox* m_model = nullptr;
    QCheckBox* m_enabled = nullptr;
    QToolButton* m_more = nullptr;
    std::vector<QWidget*> m_advancedRows;
    QLineEdit* m_priority = nullptr;
    QLineEdit* m_concurrent = nullptr;
    QCheckBox* m_noCooling = nullptr;
    QLineEdit* m_proxy = nullptr;
    QLineEdit* m_proxyUser = nullptr;
    QLineEdit* m_proxyPassword = nullptr;
};

}  // namespace omni
