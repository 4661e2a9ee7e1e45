#include "ui/settings/client_keys.h"

#include "control/validation.h"
#include "ui/core_link.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/field_error_label.h"
#include "ui/widgets/quiet_label.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace omni {

ClientKeys::ClientKeys(CoreLink& link, QWidget* parent)
    : QWidget(parent), m_link(link), m_note(new QuietLabel(this)), m_list(new QVBoxLayout), m_name(new QLineEdit(this)),
      m_error(new FieldErrorLabel(m_name, this)), m_create(new QPushButton(tr("Create key"), this)), m_fresh(new QWidget(this)),
      m_freshText(new QLabel(m_fresh)), m_freshKey(new QLineEdit(m_fresh)), m_copy(new QPushButton(tr("Copy"), m_fresh))
{
    m_note->setWordWrap(true);
    m_note->setObjectName(QStringLiteral("clientKeysNote"));
    m_list->setSpacing(4);
    m_name->setObjectName(QStringLiteral("clientKeyName"));
    m_name->setPlaceholderText(tr("Name, such as: laptop"));
    m_name->setAccessibleName(tr("Name of the new client key"));
    m_name->setFixedWidth(220);
    m_create->setObjectName(QStringLiteral("createClientKey"));
    m_create->setEnabled(false);

    m_freshText->setWordWrap(true);
    m_freshKey->setObjectName(QStringLiteral("newClientKey"));
    m_freshKey->setReadOnly(true);
    m_freshKey->setFont(monospaceFont());
    m_freshKey->setAccessibleName(tr("The new client key"));
    m_copy->setObjectName(QStringLiteral("copyClientKey"));
    m_copy->setProperty("primary", true);
    auto* freshLayout = new QVBoxLayout(m_fresh);
    freshLayout->setContentsMargins(0, 4, 0, 4);
    auto* freshLine = new QHBoxLayout;
    freshLine->addWidget(m_freshKey, 1);
    freshLine->addWidget(m_copy);
    freshLayout->addWidget(m_freshText);
    freshLayout->addLayout(freshLine);
    m_fresh->hide();

    auto* line = new QHBoxLayout;
    line->addWidget(m_name);
    line->addWidget(m_create);
    line->addStretch();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_note);
    layout->addLayout(m_list);
    layout->addWidget(m_fresh);
    layout->addLayout(line);
    layout->addWidget(m_error);

    connect(m_name, &QLineEdit::textChanged, this, [this](const QString& text) {
        const QString wrong = text.trimmed().isEmpty() ? QString() : nameProblem(text);
        m_error->setError(wrong);
        m_create->setEnabled(!text.trimmed().isEmpty() && wrong.isEmpty());
    });
    connect(m_name, &QLineEdit::returnPressed, m_create, &QPushButton::click);
    connect(m_create, &QPushButton::clicked, this, &ClientKeys::create);
    connect(m_copy, &QPushButton::clicked, this, [this] {
        QGuiApplication::clipboard()->setText(m_freshKey->text());
        Q_EMIT messageRaised(tr("Copied the new client key."));
    });
    connect(&link, &CoreLink::configurationChanged, this, &ClientKeys::refresh);
    refresh();
}

QString ClientKeys::nameProblem(const QString& name) const
{
    if (!m_link.ready())
        return {};
    ApiKey draft;
    draft.name = name.trimmed().toStdString();
    for (const FieldError& problem : validateApiKey(draft, *m_link.configuration())) {
        if (problem.field == "name")
            return coreText(problem.message);
    }
    return {};
}

void ClientKeys::refresh()
{
    if (!m_link.ready())
        return;
    for (QWidget* row : m_rows)
        row->deleteLater();
    m_rows.clear();
    const Configuration& configuration = *m_link.configuration();
    const auto usable = std::count_if(configuration.apiKeys.begin(), configuration.apiKeys.end(),
                                      [](const ApiKey& key) { return key.active && !key.revokedAt; });
    if (configuration.settings.proxy.requireApiKey && usable == 0)
        m_note->setText(tr("Clients need a key, and there is none yet: every request is refused until you create one."));
    else if (configuration.settings.proxy.requireApiKey)
        m_note->setText(tr("Clients send one of these keys as they would send a provider's."));
    else
        m_note->setText(tr("Clients need no key now. A key still tells in the request log who asked."));
    for (const ApiKey& key : configuration.apiKeys) {
        QWidget* row = makeRow(key);
        m_list->addWidget(row);
        m_rows.push_back(row);
    }
}

QWidget* ClientKeys::makeRow(const ApiKey& key)
{
    auto* row = new QWidget(this);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 2, 0, 2);
    auto* name = new ElidedLabel(toQString(key.name), row);
    name->setFixedWidth(120);
    auto* prefix = new QuietLabel(toQString(key.prefix) + QStringLiteral("…"), row);
    prefix->setFont(monospaceFont());
    const QString used =
        key.lastUsedAt ? tr("used %1", "when, such as: 3 minutes ago").arg(agoText(*key.lastUsedAt, wallNow())) : tr("not used yet");
    auto* revoke = new QPushButton(tr("Revoke"), row);
    revoke->setObjectName(QStringLiteral("revoke.") + toQString(key.name));
    revoke->setAccessibleName(tr("Revoke the key “%1”").arg(toQString(key.name)));
    layout->addWidget(name);
    layout->addWidget(prefix);
    layout->addStretch();
    layout->addWidget(new QuietLabel(key.active && !key.revokedAt ? used : tr("revoked"), row));
    layout->addSpacing(8);
    layout->addWidget(revoke);
    connect(revoke, &QPushButton::clicked, this, [this, key] { askRevoke(key); });
    return row;
}

void ClientKeys::create()
{
    ApiKey key;
    key.name = m_name->text().trimmed().toStdString();
    m_create->setEnabled(false);
    m_link.ask<CreatedApiKey>(
        this, [key](Control& control, Reply<CreatedApiKey> reply) { control.createApiKey(key, std::move(reply)); },
        [this](const Result<CreatedApiKey>& made) {
            if (!made) {
                m_error->setError(errorText(made.error()));
                m_create->setEnabled(true);
                return;
            }
            m_name->clear();
            showCreated(toQString(made->record.name), toQString(made->key));
        });
}

void ClientKeys::showCreated(const QString& name, const QString& key)
{
    m_freshText->setText(tr("The key “%1”. Copy it now: it is shown this once and kept nowhere.").arg(name));
    m_freshKey->setText(key);
    m_freshKey->setCursorPosition(0);
    m_fresh->show();
    m_copy->setFocus();
}

void ClientKeys::askRevoke(const ApiKey& key)
{
    auto* question = new QMessageBox(this);
    question->setObjectName(QStringLiteral("revokeQuestion"));
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setIcon(QMessageBox::Warning);
    const QString text = tr("Revoke the key “%1”?").arg(toQString(key.name));
    question->setWindowTitle(text);
    question->setText(text);
    question->setInformativeText(tr("Clients that send it are refused from now on, and this cannot be undone."));
    QPushButton* revoke = question->addButton(tr("Revoke"), QMessageBox::DestructiveRole);
    QPushButton* cancel = question->addButton(tr("Cancel"), QMessageBox::RejectRole);
    revoke->setObjectName(QStringLiteral("revokeNow"));
    question->setDefaultButton(cancel);
    question->setEscapeButton(cancel);
    connect(revoke, &QPushButton::clicked, this, [this, id = key.id, name = toQString(key.name)] {
        m_link.ask<int>(
            this, [id](Control& control, Reply<int> reply) { control.removeApiKey(id, std::move(reply)); },
            [this, name](const Result<int>& done) {
                Q_EMIT messageRaised(done ? tr("Revoked the key “%1”.").arg(name) : errorText(done.error()));
            });
    });
    question->open();
}

}  // namespace omni
