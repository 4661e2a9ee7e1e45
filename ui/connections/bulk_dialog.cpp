#include "ui/connections/bulk_dialog.h"

#include "control/validation.h"
#include "ui/core_link.h"
#include "ui/models/display_text.h"
#include "ui/settings/number_text.h"
#include "ui/widgets/field_error_label.h"
#include "ui/widgets/quiet_label.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <functional>

namespace omni {

namespace {

/// The value all of them have, or nothing.
template <typename T>
std::optional<T> shared(const std::vector<const Connection*>& connections, const std::function<T(const Connection&)>& of)
{
    if (connections.empty())
        return std::nullopt;
    const T first = of(*connections.front());
    const bool same = std::all_of(connections.begin(), connections.end(), [&](const Connection* one) { return of(*one) == first; });
    return same ? std::optional<T>(first) : std::nullopt;
}

}  // namespace

BulkDialog::BulkDialog(CoreLink& link, std::vector<ConnectionId> ids, QWidget* parent)
    : QDialog(parent), m_link(link), m_ids(std::move(ids)), m_problem(new QLabel(this)), m_save(new QPushButton(tr("Save"), this))
{
    setObjectName(QStringLiteral("bulkDialog"));
    setWindowTitle(tr("Edit %1 connections").arg(numberText(static_cast<std::int64_t>(m_ids.size()))));
    std::vector<const Connection*> connections;
    for (const ConnectionId& id : m_ids) {
        if (const Connection* connection = link.configuration()->connection(id))
            connections.push_back(connection);
    }
    auto* intro = new QuietLabel(tr("What is ticked is set on all of them; the rest stays as it is on each."), this);
    intro->setWordWrap(true);
    m_enabled = choice("bulkEnabled", tr("in use"), tr("disabled"));
    m_priority = line("bulkPriority");
    m_proxy = line("bulkProxy");
    m_proxy->setPlaceholderText(tr("none; http://, https:// or socks5h://"));
    m_rests = choice("bulkRests", tr("rests"), tr("never rests"));
    m_http2 = choice("bulkHttp2", tr("HTTP/2 where the provider has it"), tr("HTTP/1.1"));
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(16);
    form->setVerticalSpacing(12);
    form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    const QString several = tr("Now: different ones");
    const auto yesNo = [&](bool Connection::*member, bool yes, QComboBox* input) {
        const auto value = shared<bool>(connections, [member](const Connection& one) { return one.*member; });
        input->setCurrentIndex(value.value_or(yes) == yes ? 0 : 1);
        return value ? tr("Now: %1").arg(input->currentText()) : several;
    };
    addRow(form, "enabled", tr("State"), m_enabled, yesNo(&Connection::enabled, true, m_enabled));
    const auto priority = shared<int>(connections, [](const Connection& one) { return one.priority; });
    m_priority->setText(shownNumber(priority.value_or(1), Unit::None));
    addRow(form, "priority", tr("Priority"), m_priority, priority ? tr("Now: %1").arg(numberText(*priority)) : several);
    const auto proxy = shared<std::string>(connections, [](const Connection& one) { return one.proxyUrl; });
    m_proxy->setText(toQString(proxy.value_or(std::string())));
    addRow(form, "proxyUrl", tr("Proxy"), m_proxy,
           !proxy           ? several
           : proxy->empty() ? tr("Now: none")
                            : tr("Now: %1").arg(toQString(*proxy)));
    m_proxy->setToolTip(tr("With user and password where it needs them: http://user:password@host:port. They are kept among the secrets. "
                           "Empty: no proxy."));
    addRow(form, "disableCooling", tr("After a failure"), m_rests, yesNo(&Connection::disableCooling, false, m_rests));
    addRow(form, "http2", tr("Protocol"), m_http2, yesNo(&Connection::http2, true, m_http2));

    m_problem->setObjectName(QStringLiteral("bulkProblem"));
    m_problem->setWordWrap(true);
    m_problem->setTextFormat(Qt::PlainText);
    auto* cancel = new QPushButton(tr("Cancel"), this);
    cancel->setObjectName(QStringLiteral("bulkCancel"));
    cancel->setAutoDefault(false);
    m_save->setObjectName(QStringLiteral("bulkSave"));
    m_save->setProperty("primary", true);
    m_save->setDefault(true);
    auto* footer = new QHBoxLayout;
    footer->setSpacing(8);
    footer->addWidget(m_problem, 1);
    footer->addWidget(cancel);
    footer->addWidget(m_save);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 20, 20, 16);
    layout->setSpacing(16);
    layout->addWidget(intro);
    layout->addLayout(form);
    layout->addStretch();
    layout->addLayout(footer);
    resize(fontMetrics().height() * 32, sizeHint().height());
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_save, &QPushButton::clicked, this, &BulkDialog::save);
    m_rows.front().tick->setFocus();
    check();
}

QComboBox* BulkDialog::choice(const char* objectName, const QString& yes, const QString& no)
{
    auto* made = new QComboBox(this);
    made->setObjectName(QLatin1String(objectName));
    made->addItem(yes);
    made->addItem(no);
    return made;
}

QLineEdit* BulkDialog::line(const char* objectName)
{
    auto* made = new QLineEdit(this);
    made->setObjectName(QLatin1String(objectName));
    made->setMaxLength(4096);
    return made;
}

void BulkDialog::addRow(QFormLayout* form, const std::string& field, const QString& label, QWidget* input, const QString& note)
{
    Row row;
    row.field = field;
    row.tick = new QCheckBox(label, this);
    row.tick->setObjectName(input->objectName() + QStringLiteral("Tick"));
    row.input = input;
    input->setAccessibleName(label);
    row.note = new QuietLabel(note, this);
    row.note->setWordWrap(true);
    row.error = new FieldErrorLabel(input, this);
    row.error->setObjectName(input->objectName() + QStringLiteral("Error"));
    input->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    auto* box = new QWidget(this);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins({});
    column->setSpacing(4);
    for (QWidget* one : {input, static_cast<QWidget*>(row.error), static_cast<QWidget*>(row.note)})
        column->addWidget(one);
    form->addRow(row.tick, box);
    connect(row.tick, &QCheckBox::toggled, this, &BulkDialog::check);
    // Whoever changes a field means it.
    const auto touched = [this, tick = row.tick] {
        tick->setChecked(true);
        check();
    };
    if (auto* edit = qobject_cast<QLineEdit*>(input))
        connect(edit, &QLineEdit::textEdited, this, touched);
    else
        connect(static_cast<QComboBox*>(input), &QComboBox::activated, this, touched);
    m_rows.push_back(row);
}

bool BulkDialog::ticked(const std::string& field) const
{
    return std::any_of(m_rows.begin(), m_rows.end(), [&](const Row& row) { return row.field == field && row.tick->isChecked(); });
}

ConnectionPatch BulkDialog::patch() const
{
    ConnectionPatch patch;
    if (ticked("enabled"))
        patch.enabled = m_enabled->currentIndex() == 0;
    if (ticked("priority")) {
        const auto number = typedNumber(m_priority->text(), Unit::None);
        // 0 is refused as out of range, as whatever is no number is.
        patch.priority = number && *number > 0 && *number < 1'000'000'000 ? static_cast<int>(*number) : 0;
    }
    if (ticked("proxyUrl")) {
        // "http://user:password@host:port" is what providers of proxies hand out; the password belongs among the secrets.
        QUrl url(m_proxy->text().trimmed());
        if (url.isValid() && !url.userName().isEmpty()) {
            patch.proxySecret = toUtf8(url.userName(QUrl::FullyDecoded) + QLatin1Char(':') + url.password(QUrl::FullyDecoded));
            url.setUserInfo(QString());
            patch.proxyUrl = toUtf8(url.toString());
        } else {
            patch.proxyUrl = toUtf8(m_proxy->text().trimmed());
        }
    }
    if (ticked("disableCooling"))
        patch.disableCooling = m_rests->currentIndex() == 1;
    if (ticked("http2"))
        patch.http2 = m_http2->currentIndex() == 0;
    return patch;
}

void BulkDialog::check()
{
    const ConnectionPatch wanted = patch();
    Connection probe;
    probe.priority = wanted.priority.value_or(1);
    probe.proxyUrl = wanted.proxyUrl.value_or(std::string());
    showErrors(validateSharedFields(probe));
}

void BulkDialog::showErrors(const std::vector<FieldError>& errors)
{
    bool any = false;
    for (const Row& row : m_rows) {
        const auto found = std::find_if(errors.begin(), errors.end(), [&](const FieldError& error) {
            return error.field == row.field || (error.field == "proxyPassword" && row.field == "proxyUrl");
        });
        row.error->setError(found == errors.end() ? QString() : coreText(found->message));
        any |= row.tick->isChecked();
    }
    m_valid = any && errors.empty();
    m_problem->setForegroundRole(QPalette::PlaceholderText);  // the theme's muted text
    m_problem->setText(any ? QString() : tr("Tick what is to be changed."));
    m_save->setText(m_busy ? tr("Saving…") : tr("Save"));
    m_save->setEnabled(m_valid && !m_busy);
}

void BulkDialog::save()
{
    check();
    if (!m_valid || m_busy)
        return;
    m_busy = true;
    m_save->setEnabled(false);
    std::vector<ConnectionChange> changes;
    for (const ConnectionId& id : m_ids) {
        // One that was deleted meanwhile cannot be changed, and need not be.
        if (m_link.configuration()->connection(id))
            changes.push_back({id, patch()});
    }
    m_link.ask<ChangedConnections>(
        this, [changes](Control& control, const Reply<ChangedConnections>& reply) { control.changeConnections(changes, reply); },
        [this](const Result<ChangedConnections>& result) {
            m_busy = false;
            if (!result) {
                showErrors(result.error().details);
                m_problem->setForegroundRole(QPalette::BrightText);  // the theme's colour for what is bad
                m_problem->setText(coreText(result.error().message));
                return;
            }
            Q_EMIT changed(*result);
            accept();
        });
}

}  // namespace omni
