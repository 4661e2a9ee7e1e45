#include "ui/settings/setting_row.h"

#include "ui/models/display_text.h"

#include <QComboBox>
#include <QCompleter>
#include <QEvent>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalBlocker>
#include <QTimeZone>

#include <utility>

namespace omni {

namespace {

constexpr int kNumberWidth = 110;
constexpr int kPemPeek = 1024 * 1024;

/// Esc gives an input its true value back.
bool isEscape(QEvent* event)
{
    return event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape;
}

QStringList parts(const QString& text)
{
    QStringList list;
    for (const QString& part : text.split(QRegularExpression(QStringLiteral("[,\\s]+")), Qt::SkipEmptyParts))
        list << part;
    return list;
}

}  // namespace

// ---- NumberRow

NumberRow::NumberRow(std::string_view field, const QString& label, const QString& help, Unit unit, QWidget* parent)
    : SettingRow(field, label, help, parent), m_unit(unit), m_edit(new QLineEdit(this))
{
    m_edit->setFixedWidth(kNumberWidth);
    m_edit->installEventFilter(this);
    setInput(m_edit);
    auto* unitLabel = new QLabel(unitText(unit), this);
    inputs()->insertWidget(1, unitLabel);
    if (const SettingRange* range = settingRange(field))
        tellBelow(rangeText(range->minimum, range->maximum, unit));
    connect(m_edit, &QLineEdit::textEdited, this, &NumberRow::check);
    connect(m_edit, &QLineEdit::editingFinished, this, &NumberRow::commit);
}

void NumberRow::setRule(std::function<QString(std::int64_t)> rule)
{
    m_rule = std::move(rule);
}

QString NumberRow::problem(const QString& text) const
{
    const SettingRange* range = settingRange(field());
    const std::optional<std::int64_t> number = typedNumber(text, m_unit);
    if (number && (!range || (*number >= range->minimum && *number <= range->maximum)))
        return m_rule ? m_rule(*number) : QString();
    return range ? tr("Must be a number from %1.", "a range such as: 1 s to 600 s").arg(rangeText(range->minimum, range->maximum, m_unit))
                 : tr("Must be a number.");
}

void NumberRow::check()
{
    const QString wrong = problem(m_edit->text());
    if (!wrong.isEmpty()) {
        showError(wrong);
        return;
    }
    clearError();
    if (const std::optional<std::int64_t> number = typedNumber(m_edit->text(), m_unit))
        Q_EMIT edited(*number);
}

void NumberRow::commit()
{
    if (!m_edit->isModified())
        return;
    check();
    const std::optional<std::int64_t> number = typedNumber(m_edit->text(), m_unit);
    if (!error().isEmpty() || !number)
        return;
    m_edit->setModified(false);
    if (SettingValue(*number) == shown())
        display(shown());
    else
        Q_EMIT committed(*number);
}

void NumberRow::display(const SettingValue& value)
{
    const std::int64_t* number = std::get_if<std::int64_t>(&value);
    m_edit->setText(number ? shownNumber(*number, m_unit) : QString());
    m_edit->setModified(false);
}

QString NumberRow::describe(const SettingValue& value) const
{
    const std::int64_t* number = std::get_if<std::int64_t>(&value);
    if (!number)
        return {};
    const QString unit = unitText(m_unit);
    return unit.isEmpty() ? shownNumber(*number, m_unit) : shownNumber(*number, m_unit) + QLatin1Char(' ') + unit;
}

bool NumberRow::beingEdited() const
{
    return m_edit->isModified();
}

bool NumberRow::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_edit && m_edit->isModified() && isEscape(event)) {
        display(shown());
        clearError();
        Q_EMIT edited(shown());
        return true;
    }
    return SettingRow::eventFilter(watched, event);
}

// ---- ChoiceRow

ChoiceRow::ChoiceRow(std::string_view field, const QString& label, const QString& help, std::vector<Choice> choices, QWidget* parent)
    : SettingRow(field, label, help, parent), m_choices(std::move(choices)), m_box(new QComboBox(this))
{
    for (const Choice& choice : m_choices)
        m_box->addItem(choice.text, choice.value);
    m_box->setMinimumWidth(kNumberWidth * 3 / 2);
    setInput(m_box);
    tellBelow();
    // Scrolling past a box must not change it.
    m_box->setFocusPolicy(Qt::StrongFocus);
    connect(m_box, &QComboBox::activated, this, [this](int index) {
        const QString wanted = m_box->itemData(index).toString();
        clearError();
        display(shown());
        if (SettingValue(wanted) != shown())
            Q_EMIT committed(wanted);
    });
}

void ChoiceRow::display(const SettingValue& value)
{
    const QString* text = std::get_if<QString>(&value);
    m_box->setCurrentIndex(text ? m_box->findData(*text) : -1);
}

QString ChoiceRow::describe(const SettingValue& value) const
{
    const QString* text = std::get_if<QString>(&value);
    const int index = text ? m_box->findData(*text) : -1;
    return index >= 0 ? m_box->itemText(index) : QString();
}

// ---- TextRow

TextRow::TextRow(std::string_view field, const QString& label, const QString& help, Kind kind, QWidget* parent)
    : SettingRow(field, label, help, parent), m_kind(kind), m_edit(new QLineEdit(this))
{
    m_edit->setMinimumWidth(kNumberWidth);
    m_edit->installEventFilter(this);
    setInput(m_edit);
    tellBelow();
    inputs()->setStretchFactor(m_edit, 1);
    if (kind == Kind::PemFile) {
        m_choose = new QPushButton(tr("Choose…"), this);
        m_choose->setObjectName(QStringLiteral("choose.") + toQString(field));
        m_choose->setAccessibleName(tr("Choose a file for “%1”").arg(label));
        inputs()->insertWidget(1, m_choose);
        connect(m_choose, &QPushButton::clicked, this, &TextRow::chooseFile);
    } else if (kind == Kind::TimeZone) {
        m_edit->setPlaceholderText(toQString(QTimeZone::systemTimeZoneId().toStdString()));
        QStringList zones;
        for (const QByteArray& id : QTimeZone::availableTimeZoneIds())
            zones << QString::fromUtf8(id);
        auto* completer = new QCompleter(zones, m_edit);
        completer->setCaseSensitivity(Qt::CaseInsensitive);
        completer->setFilterMode(Qt::MatchContains);
        m_edit->setCompleter(completer);
    } else {
        m_edit->setPlaceholderText(QStringLiteral("https://example.com"));
    }
    connect(m_edit, &QLineEdit::textEdited, this, &TextRow::check);
    connect(m_edit, &QLineEdit::editingFinished, this, &TextRow::commit);
}

QString TextRow::problem(const QString& text) const
{
    if (m_kind == Kind::Origins) {
        static const QRegularExpression origin(QStringLiteral("^https?://[^/?#@\\s]+$"), QRegularExpression::CaseInsensitiveOption);
        for (const QString& part : parts(text)) {
            if (!origin.match(part).hasMatch())
                return tr("“%1” is not an origin: write https://host or http://host:port, without a path.").arg(part);
        }
        return {};
    }
    if (text.isEmpty())
        return {};
    if (m_kind == Kind::TimeZone)
        return QTimeZone::isTimeZoneIdAvailable(text.toUtf8()) ? QString() : tr("There is no time zone of this name; one is “Asia/Dhaka”.");
    if (!QFileInfo(text).isAbsolute())
        return tr("Give the full path of the file.");
    QFile file(text);
    if (!file.open(QIODevice::ReadOnly))
        return tr("This file cannot be read.");
    if (!file.read(kPemPeek).contains("-----BEGIN CERTIFICATE-----"))
        return tr("There is no PEM certificate in this file.");
    return {};
}

SettingValue TextRow::typed() const
{
    if (m_kind == Kind::Origins)
        return parts(m_edit->text());
    return m_edit->text().trimmed();
}

QString TextRow::textOf(const SettingValue& value) const
{
    if (const QStringList* list = std::get_if<QStringList>(&value))
        return list->join(QStringLiteral(", "));
    const QString* text = std::get_if<QString>(&value);
    return text ? *text : QString();
}

void TextRow::check()
{
    const QString wrong = problem(m_edit->text().trimmed());
    if (!wrong.isEmpty()) {
        showError(wrong);
        return;
    }
    clearError();
    Q_EMIT edited(typed());
}

void TextRow::commit()
{
    if (!m_edit->isModified())
        return;
    check();
    if (!error().isEmpty())
        return;
    m_edit->setModified(false);
    if (typed() == shown())
        display(shown());
    else
        Q_EMIT committed(typed());
}

void TextRow::chooseFile()
{
    auto* dialog = new QFileDialog(this, nameLabel()->text(), QFileInfo(m_edit->text()).path());
    dialog->setObjectName(QStringLiteral("fileDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({tr("Certificates (*.pem *.crt *.cer)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) {
        m_edit->setText(file);
        m_edit->setModified(true);
        commit();
    });
    dialog->open();
}

void TextRow::display(const SettingValue& value)
{
    m_edit->setText(textOf(value));
    m_edit->setModified(false);
}

QString TextRow::describe(const SettingValue& value) const
{
    return textOf(value);
}

bool TextRow::beingEdited() const
{
    return m_edit->isModified();
}

bool TextRow::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_edit && m_edit->isModified() && isEscape(event)) {
        display(shown());
        clearError();
        Q_EMIT edited(shown());
        return true;
    }
    return SettingRow::eventFilter(watched, event);
}

}  // namespace omni
