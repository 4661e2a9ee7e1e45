#pragma once

#include "model/configuration.h"

#include <QWidget>

#include <set>

class QCheckBox;
class QDateEdit;
class QLineEdit;
class QListWidget;
class QPlainTextEdit;

namespace omni {

class FieldErrorLabel;
class SearchField;

/// The fields of one client key. Checks while the user types, with the core's own rules; a field tells its error once it was touched, or
/// when the core has refused it.
class KeyForm final : public QWidget {
    Q_OBJECT

public:
    /// `key.id` empty = a new one.
    KeyForm(ConfigurationPtr configuration, const ApiKey& key, QWidget* parent = nullptr);

    ApiKey key() const;
    bool valid() const { return m_valid; }
    /// Each field gets its message; what belongs to no field is returned.
    QString showRefusal(const Error& error);
    QWidget* firstField() const;

Q_SIGNALS:
    void changed();

private:
    QWidget* buildModels();
    QWidget* buildConnections();
    QWidget* buildExpiry();
    void fill(const ApiKey& key);
    void check();
    FieldErrorLabel* errorOf(const std::string& field) const;
    int chosenConnections() const;

    ConfigurationPtr m_configuration;
    ApiKey m_original;
    bool m_valid = false;
    bool m_filling = false;
    std::set<std::string> m_touched;

    QLineEdit* m_name = nullptr;
    QPlainTextEdit* m_models = nullptr;
    QCheckBox* m_anyConnection = nullptr;
    SearchField* m_search = nullptr;
    QListWidget* m_connections = nullptr;
    QCheckBox* m_manage = nullptr;
    QCheckBox* m_noLog = nullptr;
    QCheckBox* m_expires = nullptr;
    QDateEdit* m_expiryDay = nullptr;
    FieldErrorLabel* m_nameError = nullptr;
    FieldErrorLabel* m_modelsError = nullptr;
    FieldErrorLabel* m_connectionsError = nullptr;
    FieldErrorLabel* m_expiryError = nullptr;
};

}  // namespace omni
