#pragma once

#include <QDialog>

#include <string>

class QLabel;
class QLineEdit;
class QPushButton;
class QRadioButton;

namespace omni {

class FieldErrorLabel;

/// Asks what an exported configuration should hold: no keys, or all of them under a passphrase.
class ExportDialog final : public QDialog {
    Q_OBJECT

public:
    explicit ExportDialog(QWidget* parent = nullptr);

    /// Empty = without keys.
    std::string passphrase() const;

private:
    void check();

    QRadioButton* m_without;
    QRadioButton* m_with;
    QLineEdit* m_first;
    QLineEdit* m_second;
    FieldErrorLabel* m_firstError;
    FieldErrorLabel* m_secondError;
    QPushButton* m_next;
};

}  // namespace omni
