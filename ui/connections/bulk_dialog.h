#pragma once

#include "control/control.h"

#include <QDialog>

#include <vector>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace omni {

class CoreLink;
class FieldErrorLabel;

/// Gives several connections the same settings: each that is ticked is changed on all of them, the others stay as they are.
class BulkDialog final : public QDialog {
    Q_OBJECT

public:
    /// `link` must be ready and outlive the dialog.
    BulkDialog(CoreLink& link, std::vector<ConnectionId> ids, QWidget* parent = nullptr);

Q_SIGNALS:
    void changed(const omni::ChangedConnections& result);

private:
    struct Row {
        std::string field;
        QCheckBox* tick = nullptr;
        QWidget* input = nullptr;
        FieldErrorLabel* error = nullptr;
        QLabel* note = nullptr;  ///< what stands there now
    };

    void addRow(QFormLayout* form, const std::string& field, const QString& label, QWidget* input, const QString& note);
    QComboBox* choice(const char* objectName, const QString& yes, const QString& no);
    QLineEdit* line(const char* objectName);
    ConnectionPatch patch() const;
    bool ticked(const std::string& field) const;
    void check();
    void showErrors(const std::vector<FieldError>& errors);
    void save();

    CoreLink& m_link;
    std::vector<ConnectionId> m_ids;
    std::vector<Row> m_rows;
    QComboBox* m_enabled;
    QLineEdit* m_priority;
    QLineEdit* m_proxy;
    QComboBox* m_rests;
    QComboBox* m_http2;
    QLabel* m_problem;
    QPushButton* m_save;
    bool m_valid = false;
    bool m_busy = false;
};

}  // namespace omni
