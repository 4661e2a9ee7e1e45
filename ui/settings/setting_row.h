#pragma once

#include "model/settings_origin.h"
#include "ui/settings/number_text.h"
#include "ui/settings/setting_value.h"

#include <QTimer>
#include <QWidget>

#include <functional>
#include <vector>

class QCheckBox;
class QComboBox;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QToolButton;
class QVBoxLayout;

namespace omni {

class FieldErrorLabel;

/// One setting: its name and what it does at the left, its input, unit, default and "back to the default" at the right, and what is wrong
/// with it beneath. It shows what it is told is true; what the user wants it only reports.
class SettingRow : public QWidget {
    Q_OBJECT

public:
    SettingRow(std::string_view field, const QString& label, const QString& help, QWidget* parent);

    std::string_view field() const { return m_field; }
    /// What is true now, and where it comes from; `variable` names the one of the environment that can stand for the default. An input
    /// the user is in the middle of changing is left alone.
    void showValue(const SettingValue& now, const SettingValue& byDefault, SettingOrigin origin = SettingOrigin::Default,
                   std::string_view variable = {});
    void showError(const QString& message);
    /// The core took it: said for a moment where the default stands.
    void showSaved();
    /// Cannot be changed now, and why; empty = it can.
    void setBlocked(const QString& reason);
    /// Any of label, help and field name holds all the words.
    bool matches(const QString& words) const;
    QString error() const;

Q_SIGNALS:
    /// The user wants this value; it passes all checks that can be made here.
    void committed(const omni::SettingValue& value);
    /// A value that would pass stands in the input, not yet wanted; or the true one, when the user gave up.
    void edited(const omni::SettingValue& value);

protected:
    QHBoxLayout* inputs() const { return m_inputs; }
    /// Below the input, above what is wrong with it.
    void addBelow(QWidget* widget);
    /// Default and origin stand in a line of their own below the input, after "1 s to 600 s" where there is a range; not while an error
    /// stands there.
    void tellBelow(const QString& range = {});
    QLabel* nameLabel() const { return m_name; }
    const SettingValue& shown() const { return m_now; }
    /// Called by the concrete row once its input exists: gives it its names and puts it before the hint.
    void setInput(QWidget* input, bool labelled = true);
    void clearError();

    /// Puts the true value into the input.
    virtual void display(const SettingValue& value) = 0;
    /// "30 s", for the hint.
    virtual QString describe(const SettingValue& value) const = 0;
    virtual bool beingEdited() const { return false; }

private:
    void refreshHint();
    QString originText() const;

    std::string m_field;
    QString m_search;
    SettingValue m_now;
    SettingValue m_default;
    SettingOrigin m_origin = SettingOrigin::Default;
    QString m_variable;
    QString m_range;
    QLabel* m_details = nullptr;
    QLabel* m_name;
    QLabel* m_help;
    QHBoxLayout* m_inputs;
    QLabel* m_hint;
    QToolButton* m_reset;
    QVBoxLayout* m_right;
    QWidget* m_input = nullptr;
    FieldErrorLabel* m_error = nullptr;
    QString m_helpText;
    QTimer m_saved;
};

/// A number in some unit, checked against its range while it is typed.
class NumberRow final : public SettingRow {
    Q_OBJECT

public:
    NumberRow(std::string_view field, const QString& label, const QString& help, Unit unit, QWidget* parent);
    /// A rule beyond the range, such as one that another field has a say in; returns what is wrong, empty = fine.
    void setRule(std::function<QString(std::int64_t)> rule);

protected:
    void display(const SettingValue& value) override;
    QString describe(const SettingValue& value) const override;
    bool beingEdited() const override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// Empty = fine.
    QString problem(const QString& text) const;
    void check();
    void commit();

    Unit m_unit;
    QLineEdit* m_edit;
    std::function<QString(std::int64_t)> m_rule;
};

/// On or off; the row's label is the check box's own.
class ToggleRow final : public SettingRow {
    Q_OBJECT

public:
    ToggleRow(std::string_view field, const QString& label, const QString& help, QWidget* parent);

protected:
    void display(const SettingValue& value) override;
    QString describe(const SettingValue& value) const override;

private:
    QCheckBox* m_box;
};

/// One of a few texts.
class ChoiceRow final : public SettingRow {
    Q_OBJECT

public:
    struct Choice {
        QString value;
        QString text;
    };
    ChoiceRow(std::string_view field, const QString& label, const QString& help, std::vector<Choice> choices, QWidget* parent);

protected:
    void display(const SettingValue& value) override;
    QString describe(const SettingValue& value) const override;

private:
    std::vector<Choice> m_choices;
    QComboBox* m_box;
};

/// A text, a file to choose, or a list of texts with commas between.
class TextRow final : public SettingRow {
    Q_OBJECT

public:
    enum class Kind { PemFile, Origins, TimeZone };
    TextRow(std::string_view field, const QString& label, const QString& help, Kind kind, QWidget* parent);

protected:
    void display(const SettingValue& value) override;
    QString describe(const SettingValue& value) const override;
    bool beingEdited() const override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QString problem(const QString& text) const;
    SettingValue typed() const;
    QString textOf(const SettingValue& value) const;
    void check();
    void commit();
    void chooseFile();

    Kind m_kind;
    QLineEdit* m_edit;
    QPushButton* m_choose = nullptr;
};

}  // namespace omni
