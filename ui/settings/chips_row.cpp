#include "ui/settings/chips_row.h"

#include "ui/models/display_text.h"
#include "ui/widgets/flow_layout.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPushButton>

#include <algorithm>

namespace omni {

namespace {

constexpr int kCodeWidth = 80;
constexpr int kLongestPhrase = 200;  // spec 1-core §4.3, B1
/// What is offered where a code is missing (spec 4-surfaces §6.3).
const QStringList& usualCodes()
{
    static const QStringList codes = [] {
        QStringList made;
        for (const int code : ModelLockoutSettings().errorCodes)
            made << QString::number(code);
        return made;
    }();
    return codes;
}

}  // namespace

ChipsRow::ChipsRow(std::string_view field, const QString& label, const QString& help, Kind kind, QWidget* parent)
    : SettingRow(field, label, help, parent), m_kind(kind), m_edit(new QLineEdit(this)), m_add(new QPushButton(tr("Add"), this)),
      m_chips(new QWidget(this))
{
    setInput(m_edit);
    m_edit->installEventFilter(this);
    if (kind == Kind::Codes) {
        m_edit->setFixedWidth(kCodeWidth);
        m_edit->setMaxLength(3);
        m_edit->setPlaceholderText(QStringLiteral("100–599"));
    } else {
        m_edit->setMaxLength(kLongestPhrase);
        inputs()->setStretchFactor(m_edit, 1);
    }
    m_add->setObjectName(QStringLiteral("add.") + toQString(field));
    m_add->setAccessibleName(tr("Add to “%1”").arg(label));
    m_add->setEnabled(false);
    inputs()->insertWidget(1, m_add);
    m_chips->setObjectName(QStringLiteral("chips.") + toQString(field));
    new FlowLayout(m_chips);
    QSizePolicy policy = m_chips->sizePolicy();
    policy.setHeightForWidth(true);
    m_chips->setSizePolicy(policy);
    addBelow(m_chips);
    tellBelow();
    connect(m_edit, &QLineEdit::textEdited, this, &ChipsRow::check);
    connect(m_edit, &QLineEdit::returnPressed, this, [this] { add(m_edit->text()); });
    connect(m_add, &QPushButton::clicked, this, [this] { add(m_edit->text()); });
}

QStringList ChipsRow::entries(const SettingValue& value) const
{
    if (const QStringList* list = std::get_if<QStringList>(&value))
        return *list;
    QStringList texts;
    if (const auto* numbers = std::get_if<std::vector<std::int64_t>>(&value)) {
        for (const std::int64_t number : *numbers)
            texts << QString::number(number);
    }
    return texts;
}

SettingValue ChipsRow::valueOf(const QStringList& entries) const
{
    if (m_kind == Kind::Phrases)
        return entries;
    std::vector<std::int64_t> numbers;
    for (const QString& entry : entries)
        numbers.push_back(entry.toLongLong());
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

QString ChipsRow::problem(const QString& text) const
{
    if (m_kind == Kind::Phrases)
        return {};
    const SettingRange* range = settingRange(field());
    const std::optional<std::int64_t> code = typedNumber(text, Unit::Port);
    if (code && range && *code >= range->minimum && *code <= range->maximum)
        return {};
    return range ? tr("Must be an HTTP status from %1.", "a range such as: 100 to 599")
                       .arg(rangeText(range->minimum, range->maximum, Unit::Port))
                 : QString();
}

void ChipsRow::check()
{
    const QString text = m_edit->text().trimmed();
    // A status that is still being typed is no error yet.
    const bool unfinished = m_kind == Kind::Codes && text.size() < 3 && typedNumber(text, Unit::Port);
    const QString wrong = text.isEmpty() || unfinished ? QString() : problem(text);
    if (wrong.isEmpty())
        clearError();
    else
        showError(wrong);
    m_add->setEnabled(!text.isEmpty() && problem(text).isEmpty());
}

void ChipsRow::add(const QString& typed)
{
    QString text = typed.trimmed();
    if (text.isEmpty())
        return;
    if (const QString wrong = problem(text); !wrong.isEmpty()) {
        showError(wrong);
        return;
    }
    text = m_kind == Kind::Codes ? QString::number(*typedNumber(text, Unit::Port)) : text.toLower();
    m_edit->clear();
    check();
    QStringList list = entries(shown());
    if (list.contains(text))
        return;
    list << text;
    Q_EMIT committed(valueOf(list));
}

void ChipsRow::remove(const QString& entry)
{
    QStringList list = entries(shown());
    list.removeAll(entry);
    clearError();
    Q_EMIT committed(valueOf(list));
}

QPushButton* ChipsRow::chip(const QString& text, const QString& objectName, const QString& accessibleName)
{
    auto* button = new QPushButton(text, m_chips);
    button->setObjectName(objectName);
    button->setAccessibleName(accessibleName);
    button->setToolTip(accessibleName);
    button->setAutoDefault(false);
    m_chips->layout()->addWidget(button);
    button->show();
    return button;
}

void ChipsRow::display(const SettingValue& value)
{
    while (QLayoutItem* item = m_chips->layout()->takeAt(0)) {
        // A click on a chip leads here, so it cannot go at once.
        item->widget()->hide();
        item->widget()->deleteLater();
        item->widget()->setObjectName({});
        delete item;
    }
    const QStringList list = entries(value);
    const QString prefix = QStringLiteral("chip.");
    for (const QString& entry : list) {
        QString text = fontMetrics().elidedText(entry, Qt::ElideMiddle, fontMetrics().averageCharWidth() * 30);
        text.replace(QLatin1Char('&'), QLatin1String("&&"));
        auto* button = chip(text + QStringLiteral("  ✕"), prefix + entry, tr("Remove “%1”").arg(entry));
        connect(button, &QPushButton::clicked, this, [this, entry] { remove(entry); });
    }
    if (m_kind == Kind::Codes) {
        for (const QString& code : usualCodes()) {
            if (list.contains(code))
                continue;
            auto* button = chip(QLatin1Char('+') + code, QStringLiteral("suggest.") + code, tr("Add %1").arg(code));
            button->setProperty("quiet", true);
            connect(button, &QPushButton::clicked, this, [this, code] { add(code); });
        }
    }
    m_chips->setVisible(m_chips->layout()->count() > 0);
    m_chips->updateGeometry();
}

QString ChipsRow::describe(const SettingValue& value) const
{
    const QStringList list = entries(value);
    return list.isEmpty() ? tr("none") : list.join(QStringLiteral(", "));
}

bool ChipsRow::eventFilter(QObject* watched, QEvent* event)
{
    const bool escape = event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape;
    if (watched == m_edit && escape && !m_edit->text().isEmpty()) {
        m_edit->clear();
        check();
        return true;
    }
    return SettingRow::eventFilter(watched, event);
}

}  // namespace omni
