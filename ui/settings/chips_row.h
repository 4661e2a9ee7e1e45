#pragma once

#include "ui/settings/setting_row.h"

class QLineEdit;
class QPushButton;

namespace omni {

/// A list of short entries: each a chip that a click removes, and an input that adds one with Enter. Shown in the order the core keeps.
class ChipsRow final : public SettingRow {
    Q_OBJECT

public:
    enum class Kind {
        Codes,   ///< HTTP statuses; those of the default that are missing are offered
        Phrases  ///< texts
    };
    ChipsRow(std::string_view field, const QString& label, const QString& help, Kind kind, QWidget* parent);

protected:
    void display(const SettingValue& value) override;
    QString describe(const SettingValue& value) const override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QStringList entries(const SettingValue& value) const;
    SettingValue valueOf(const QStringList& entries) const;
    QString problem(const QString& text) const;
    void check();
    void add(const QString& text);
    void remove(const QString& entry);
    QPushButton* chip(const QString& text, const QString& objectName, const QString& accessibleName);

    Kind m_kind;
    QLineEdit* m_edit;
    QPushButton* m_add;
    QWidget* m_chips;
};

}  // namespace omni
