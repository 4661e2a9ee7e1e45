#pragma once

#include "ui/core_link.h"
#include "ui/settings/number_text.h"
#include "ui/settings/setting_value.h"

#include <QTimer>
#include <QWidget>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

class QBoxLayout;
class QCheckBox;
class QLabel;
class QLineEdit;

namespace omni {

class FieldErrorLabel;
class QuietLabel;

/// The cooldown rules that are tuned most, edited in place (guide, "Cooldown Manager"): whether a stalled stream rests its connection, and
/// for OAuth and API keys the first rest and the highest backoff step. Each takes effect at once; what is shown is what the core says.
class RulesBar final : public QWidget {
    Q_OBJECT

public:
    /// `link` must outlive it.
    explicit RulesBar(CoreLink& link, QWidget* parent = nullptr);
    void takeConfiguration();
    /// As wide as its widest part: in a narrow window the parts stand beneath each other.
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Number {
        std::string field;
        Unit unit;
        QString name;
        QLineEdit* edit;
        FieldErrorLabel* error;
        std::int64_t shown = 0;
    };

    QWidget* group(const QString& title, const QString& profile, const std::string& name);
    QLineEdit* addNumber(QBoxLayout* row, const std::string& field, Unit unit, const QString& label, const QString& name);
    QString problem(const Number& number) const;
    void check(Number& number);
    void commit(Number& number);
    void display(Number& number) const;
    void send(const std::string& field, const SettingValue& value, FieldErrorLabel* error);
    void showSettings(const Settings& settings);
    void fit();

    CoreLink& m_link;
    QCheckBox* m_stall;
    FieldErrorLabel* m_stallError;
    std::vector<std::unique_ptr<Number>> m_numbers;
    QBoxLayout* m_row;
    QBoxLayout* m_errors;
    QuietLabel* m_saved;
    QTimer m_savedFor;
};

}  // namespace omni
