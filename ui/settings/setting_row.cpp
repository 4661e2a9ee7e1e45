#include "ui/settings/setting_row.h"

#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/field_error_label.h"
#include "ui/widgets/quiet_label.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

namespace omni {

namespace {

constexpr int kInputWidth = 330;
constexpr int kHintWidth = 220;
constexpr int kHintHeight = 22;  ///< of the line that says what the default is
constexpr int kSavedMs = 2'500;

}  // namespace

SettingRow::SettingRow(std::string_view field, const QString& label, const QString& help, QWidget* parent)
    : QWidget(parent), m_field(field), m_search(label + QLatin1Char(' ') + help + QLatin1Char(' ') + toQString(field)),
      m_name(new QLabel(label, this)), m_help(new QuietLabel(help, this)), m_inputs(new QHBoxLayout), m_hint(new QuietLabel(this)),
      m_reset(new QToolButton(this)), m_right(new QVBoxLayout), m_helpText(help)
{
    m_name->setWordWrap(true);
    m_help->setWordWrap(true);
    m_help->setVisible(!help.isEmpty());
    m_reset->setObjectName(QStringLiteral("reset.") + toQString(field));
    m_reset->setAccessibleName(tr("Set “%1” back to its default").arg(label));
    m_reset->setToolTip(tr("Back to the default"));
    m_reset->setIconSize(QSize(14, 14));
    QSizePolicy keepsRoom = m_reset->sizePolicy();
    keepsRoom.setRetainSizeWhenHidden(true);
    m_reset->setSizePolicy(keepsRoom);
    m_reset->hide();

    auto* left = new QVBoxLayout;
    left->setSpacing(2);
    // A lone name stands level with its input.
    if (help.isEmpty())
        left->addStretch();
    left->addWidget(m_name);
    left->addWidget(m_help);
    left->addStretch();
    m_inputs->setSpacing(8);
    m_inputs->addStretch();
    m_inputs->addWidget(m_hint);
    m_inputs->addWidget(m_reset);
    auto* right = new QWidget(this);
    right->setFixedWidth(kInputWidth);
    m_right->setContentsMargins(0, 0, 0, 0);
    m_right->setSpacing(4);
    m_right->addLayout(m_inputs);
    right->setLayout(m_right);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 4, 0, 4);
    layout->setSpacing(24);
    layout->addLayout(left, 1);
    layout->addWidget(right, 0, Qt::AlignTop);

    m_saved.setSingleShot(true);
    m_saved.setInterval(kSavedMs);
    connect(&m_saved, &QTimer::timeout, this, &SettingRow::refreshHint);
    connect(m_reset, &QToolButton::clicked, this, [this] {
        clearError();
        Q_EMIT committed(m_default);
    });
}

void SettingRow::setInput(QWidget* input, bool labelled)
{
    m_input = input;
    input->setObjectName(QStringLiteral("setting.") + toQString(m_field));
    input->setAccessibleName(m_name->text());
    input->setAccessibleDescription(m_helpText);
    m_name->setBuddy(input);
    if (labelled)
        m_inputs->insertWidget(0, input);
    else
        m_right->parentWidget()->setFixedWidth(kHintWidth);
    m_error = new FieldErrorLabel(input, this);
    m_error->setObjectName(QStringLiteral("error.") + toQString(m_field));
    m_right->addWidget(m_error);
}

void SettingRow::addBelow(QWidget* widget)
{
    m_right->insertWidget(m_right->indexOf(m_error), widget);
}

void SettingRow::tellBelow(const QString& range)
{
    m_range = range;
    m_details = new QuietLabel(this);
    m_details->setObjectName(QStringLiteral("range.") + toQString(m_field));
    m_details->setWordWrap(true);
    addBelow(m_details);
    refreshHint();
}

void SettingRow::showValue(const SettingValue& now, const SettingValue& byDefault, SettingOrigin origin, std::string_view variable)
{
    const bool changed = m_now != now;
    m_now = now;
    m_default = byDefault;
    m_origin = origin;
    m_variable = toQString(variable);
    if (changed || !beingEdited())
        display(now);
    if (changed)
        clearError();
    m_reset->setVisible(m_now != m_default && isEnabled());
    m_reset->setIcon(themedIcon(QStringLiteral("reset"), palette()));
    refreshHint();
}

QString SettingRow::originText() const
{
    switch (m_origin) {
    case SettingOrigin::Stored: return tr("set here");
    case SettingOrigin::Environment: return tr("from the environment");
    case SettingOrigin::Default: break;
    }
    return {};
}

void SettingRow::refreshHint()
{
    const QString text = describe(m_default);
    QStringList parts;
    if (!m_range.isEmpty())
        parts << m_range;
    if (!text.isEmpty() && m_origin != SettingOrigin::Environment)
        parts << tr("default: %1").arg(text);
    if (m_origin != SettingOrigin::Default)
        parts << originText();
    const QString line = parts.join(QStringLiteral(" · "));
    QLabel* where = m_details ? m_details : m_hint;
    if (m_details) {
        m_details->setText(line);
        m_details->setVisible(error().isEmpty() && !line.isEmpty());
    }
    if (!m_saved.isActive())
        m_hint->setText(m_details ? QString() : line);
    where->setToolTip(m_variable.isEmpty() ? QString() : tr("The environment variable %1 can stand for the default.").arg(m_variable));
}

void SettingRow::showError(const QString& message)
{
    m_error->setError(message);
    if (m_details)
        m_details->setVisible(message.isEmpty() && !m_details->text().isEmpty());
    if (!beingEdited())
        display(m_now);
}

void SettingRow::clearError()
{
    if (m_error)
        m_error->setError({});
    if (m_details)
        m_details->setVisible(!m_details->text().isEmpty());
}

void SettingRow::showSaved()
{
    clearError();
    m_hint->setText(tr("✓ saved"));
    m_saved.start();
}

void SettingRow::setBlocked(const QString& reason)
{
    m_input->setEnabled(reason.isEmpty());
    m_reset->setEnabled(reason.isEmpty());
    m_help->setText(reason.isEmpty() ? m_helpText : m_helpText + QLatin1Char(' ') + reason);
    m_help->setVisible(!m_help->text().isEmpty());
}

bool SettingRow::matches(const QString& words) const
{
    for (const QString& word : words.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        if (!m_search.contains(word, Qt::CaseInsensitive))
            return false;
    }
    return true;
}

QString SettingRow::error() const
{
    return m_error ? m_error->error() : QString();
}

ToggleRow::ToggleRow(std::string_view field, const QString& label, const QString& help, QWidget* parent)
    : SettingRow(field, label, help, parent), m_box(new QCheckBox(label, this))
{
    // The check box brings its own label and takes the place of the row's.
    setInput(m_box, false);
    m_box->setMinimumHeight(kHintHeight);
    layout()->itemAt(0)->layout()->replaceWidget(nameLabel(), m_box);
    nameLabel()->hide();
    connect(m_box, &QCheckBox::clicked, this, [this](bool on) {
        // Until the core has answered, the box shows what is still true.
        display(shown());
        clearError();
        Q_EMIT committed(on);
    });
}

void ToggleRow::display(const SettingValue& value)
{
    const bool* on = std::get_if<bool>(&value);
    m_box->setChecked(on && *on);
}

QString ToggleRow::describe(const SettingValue& value) const
{
    const bool* on = std::get_if<bool>(&value);
    return on && *on ? tr("on") : tr("off");
}

}  // namespace omni
