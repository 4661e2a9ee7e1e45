#include "ui/cooldowns/rules_bar.h"

#include "ui/models/display_text.h"
#include "ui/widgets/field_error_label.h"
#include "ui/widgets/quiet_label.h"

#include <QCheckBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QResizeEvent>
#include <QVBoxLayout>

#include <algorithm>

namespace omni {

namespace {

constexpr std::string_view kStall = "resilience.streamStallCooldown.enabled";
constexpr int kDigits = 7;
constexpr int kGroupGap = 28;
constexpr int kSavedMs = 2'500;

}  // namespace

RulesBar::RulesBar(CoreLink& link, QWidget* parent)
    : QWidget(parent), m_link(link), m_stall(new QCheckBox(tr("A stalled stream rests its connection"), this)),
      m_stallError(new FieldErrorLabel(m_stall, this)), m_row(new QBoxLayout(QBoxLayout::LeftToRight)), m_errors(new QVBoxLayout),
      m_saved(new QuietLabel(this))
{
    m_stall->setObjectName(QStringLiteral("ruleStall"));
    m_stall->setToolTip(tr("Off, a stream that brings nothing in time is only noted: most often the model thinks."));
    m_stallError->setObjectName(QStringLiteral("ruleStallError"));
    m_saved->setObjectName(QStringLiteral("rulesSaved"));
    m_errors->setSpacing(4);
    m_errors->addWidget(m_stallError);
    m_row->setContentsMargins({});
    m_row->setSpacing(8);
    m_row->addWidget(m_stall);
    m_row->addSpacing(kGroupGap - 16);
    m_row->addWidget(group(tr("API key:"), tr("API key"), "apikey"));
    m_row->addSpacing(kGroupGap - 16);
    m_row->addWidget(group(tr("OAuth:"), tr("OAuth"), "oauth"));
    m_row->addWidget(m_saved);
    m_row->addStretch(1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins({});
    column->setSpacing(6);
    column->addLayout(m_row);
    column->addLayout(m_errors);

    m_savedFor.setSingleShot(true);
    m_savedFor.setInterval(kSavedMs);
    connect(&m_savedFor, &QTimer::timeout, m_saved, &QLabel::clear);
    connect(m_stall, &QCheckBox::clicked, this, [this](bool on) {
        // Until the core has answered, the box shows what is still true.
        m_stall->setChecked(!on);
        send(std::string(kStall), on, m_stallError);
    });
    connect(&link, &CoreLink::configurationChanged, this, &RulesBar::takeConfiguration);
    takeConfiguration();
}

QWidget* RulesBar::group(const QString& title, const QString& profile, const std::string& name)
{
    auto* box = new QWidget(this);
    auto* row = new QHBoxLayout(box);
    row->setContentsMargins({});
    row->setSpacing(6);
    row->addWidget(new QLabel(title, box));
    const std::string prefix = "resilience.connectionCooldown." + name + '.';
    QLineEdit* base = addNumber(row, prefix + "baseCooldownMs", Unit::Seconds, tr("first rest"), tr("%1, first rest").arg(profile));
    base->setToolTip(tr("How long the first failure rests a connection; each further step doubles it. %1").arg(base->toolTip()));
    QLineEdit* steps =
        addNumber(row, prefix + "maxBackoffSteps", Unit::None, tr("highest step"), tr("%1, highest backoff step").arg(profile));
    steps->setToolTip(tr("How often the rest is doubled at most. %1").arg(steps->toolTip()));
    return box;
}

QLineEdit* RulesBar::addNumber(QBoxLayout* row, const std::string& field, Unit unit, const QString& label, const QString& name)
{
    auto* edit = new QLineEdit(this);
    edit->setObjectName(QStringLiteral("rule.") + toQString(field));
    edit->setAccessibleName(name);
    edit->setFixedWidth(fontMetrics().averageCharWidth() * kDigits + 20);
    edit->installEventFilter(this);
    if (const SettingRange* range = settingRange(field))
        edit->setToolTip(rangeText(range->minimum, range->maximum, unit));
    auto* words = new QLabel(label, this);
    words->setBuddy(edit);
    row->addWidget(words);
    row->addWidget(edit);
    if (unit != Unit::None)
        row->addWidget(new QLabel(unitText(unit), this));
    auto* error = new FieldErrorLabel(edit, this);
    error->setObjectName(QStringLiteral("ruleError.") + toQString(field));
    m_errors->addWidget(error);
    m_numbers.push_back(std::make_unique<Number>(Number{field, unit, name, edit, error, 0}));
    Number* number = m_numbers.back().get();
    connect(edit, &QLineEdit::textEdited, this, [this, number] { check(*number); });
    connect(edit, &QLineEdit::editingFinished, this, [this, number] { commit(*number); });
    return edit;
}

QString RulesBar::problem(const Number& number) const
{
    const SettingRange* range = settingRange(number.field);
    const std::optional<std::int64_t> typed = typedNumber(number.edit->text(), number.unit);
    if (typed && (!range || (*typed >= range->minimum && *typed <= range->maximum)))
        return {};
    return range ? tr("%1: must be a number from %2.", "name of the field, range")
                       .arg(number.name, rangeText(range->minimum, range->maximum, number.unit))
                 : tr("%1: must be a number.", "name of the field").arg(number.name);
}

void RulesBar::check(Number& number)
{
    number.error->setError(problem(number));
}

void RulesBar::commit(Number& number)
{
    if (!number.edit->isModified())
        return;
    check(number);
    const std::optional<std::int64_t> typed = typedNumber(number.edit->text(), number.unit);
    if (!number.error->error().isEmpty() || !typed)
        return;
    number.edit->setModified(false);
    if (*typed == number.shown)
        display(number);
    else
        send(number.field, *typed, number.error);
}

void RulesBar::display(Number& number) const
{
    number.edit->setText(shownNumber(number.shown, number.unit));
    number.edit->setModified(false);
}

void RulesBar::send(const std::string& field, const SettingValue& value, FieldErrorLabel* error)
{
    m_link.ask<Settings>(
        this, [patch = settingPatch(field, value)](Control& control, const Reply<Settings>& reply) { control.patchSettings(patch, reply); },
        [this, error](const Result<Settings>& result) {
            error->setError(result ? QString() : errorText(result.error()));
            if (!result) {
                takeConfiguration();
                return;
            }
            showSettings(*result);
            m_saved->setText(tr("✓ saved"));
            m_savedFor.start();
        });
}

void RulesBar::takeConfiguration()
{
    if (m_link.ready())
        showSettings(m_link.configuration()->settings);
}

void RulesBar::showSettings(const Settings& settings)
{
    const SettingsDocument document(settings);
    const SettingValue stall = document.value(kStall);
    const bool* on = std::get_if<bool>(&stall);
    m_stall->setChecked(on && *on);
    for (const auto& number : m_numbers) {
        const SettingValue value = document.value(number->field);
        const std::int64_t* now = std::get_if<std::int64_t>(&value);
        if (!now)
            continue;
        number->shown = *now;
        // What the user is in the middle of typing is left alone.
        if (!number->edit->isModified())
            display(*number);
    }
}

QSize RulesBar::minimumSizeHint() const
{
    int width = 0;
    for (int i = 0; i < m_row->count(); ++i) {
        if (const QWidget* part = m_row->itemAt(i)->widget())
            width = std::max(width, part->sizeHint().width());
    }
    return {width, QWidget::minimumSizeHint().height()};
}

void RulesBar::fit()
{
    int needed = 0;
    for (int i = 0; i < m_row->count(); ++i) {
        const QLayoutItem* item = m_row->itemAt(i);
        needed += item->widget() ? item->widget()->sizeHint().width() + m_row->spacing() : item->sizeHint().width();
    }
    const auto wanted = needed > width() ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight;
    if (m_row->direction() != wanted)
        m_row->setDirection(wanted);
}

void RulesBar::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fit();
}

void RulesBar::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        fit();
}

bool RulesBar::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        for (const auto& number : m_numbers) {
            if (number->edit != watched || !number->edit->isModified())
                continue;
            display(*number);
            number->error->setError({});
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace omni
