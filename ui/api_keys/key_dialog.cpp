#include "ui/api_keys/key_dialog.h"

#include "ui/api_keys/key_form.h"
#include "ui/core_link.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/quiet_label.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace omni {

KeyDialog::KeyDialog(CoreLink& link, const ApiKey& key, QWidget* parent)
    : QDialog(parent), m_link(link), m_new(key.id.empty()), m_sides(new QStackedWidget(this))
{
    setObjectName(QStringLiteral("keyDialog"));
    setWindowTitle(m_new ? tr("Create a client key") : tr("Edit the client key"));
    m_sides->addWidget(buildForm(key));
    m_sides->addWidget(buildFresh());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 20, 20, 16);
    layout->addWidget(m_sides);
    const int line = fontMetrics().height();
    resize(line * 36, line * 40);
    m_form->firstField()->setFocus();
    refresh();
}

QWidget* KeyDialog::buildForm(const ApiKey& key)
{
    auto* side = new QWidget(m_sides);
    auto* body = new QWidget;
    body->setProperty("pageBody", true);
    m_form = new KeyForm(m_link.configuration(), key, body);
    auto* bodyColumn = new QVBoxLayout(body);
    bodyColumn->setContentsMargins(0, 0, 12, 0);
    bodyColumn->addWidget(m_form);
    bodyColumn->addStretch();
    auto* scroll = new QScrollArea(side);
    scroll->setObjectName(QStringLiteral("keyScroll"));
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(body);

    m_problem = new QLabel(side);
    m_problem->setObjectName(QStringLiteral("dialogProblem"));
    m_problem->setWordWrap(true);
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->setForegroundRole(QPalette::BrightText);  // the theme's colour for what is bad
    auto* cancel = new QPushButton(tr("Cancel"), side);
    cancel->setObjectName(QStringLiteral("dialogCancel"));
    cancel->setAutoDefault(false);
    m_save = new QPushButton(side);
    m_save->setObjectName(QStringLiteral("dialogSave"));
    m_save->setProperty("primary", true);
    m_save->setDefault(true);
    auto* footer = new QHBoxLayout;
    footer->setSpacing(8);
    footer->addWidget(m_problem, 1);
    footer->addWidget(cancel);
    footer->addWidget(m_save);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins({});
    column->setSpacing(16);
    column->addWidget(scroll, 1);
    column->addLayout(footer);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_save, &QPushButton::clicked, this, &KeyDialog::save);
    connect(m_form, &KeyForm::changed, this, [this] {
        m_problem->clear();
        refresh();
    });
    return side;
}

QWidget* KeyDialog::buildFresh()
{
    auto* side = new QWidget(m_sides);
    m_freshText = new QLabel(side);
    m_freshText->setWordWrap(true);
    m_fresh = new QLineEdit(side);
    m_fresh->setObjectName(QStringLiteral("newClientKey"));
    m_fresh->setReadOnly(true);
    m_fresh->setFont(monospaceFont());
    m_fresh->setAccessibleName(tr("The new client key"));
    m_copy = new QPushButton(tr("Copy"), side);
    m_copy->setObjectName(QStringLiteral("copyClientKey"));
    m_copy->setProperty("primary", true);
    m_copied = new QuietLabel(side);
    m_copied->setObjectName(QStringLiteral("keyCopied"));
    auto* line = new QHBoxLayout;
    line->setSpacing(8);
    line->addWidget(m_fresh, 1);
    line->addWidget(m_copy);
    auto* done = new QPushButton(tr("Done"), side);
    done->setObjectName(QStringLiteral("keyDone"));
    done->setAutoDefault(false);
    auto* footer = new QHBoxLayout;
    footer->addWidget(m_copied, 1);
    footer->addWidget(done);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins({});
    column->setSpacing(12);
    column->addWidget(m_freshText);
    column->addLayout(line);
    column->addStretch();
    column->addLayout(footer);
    connect(m_copy, &QPushButton::clicked, this, [this] {
        QApplication::clipboard()->setText(m_fresh->text());
        m_copied->setText(tr("Copied."));
    });
    connect(done, &QPushButton::clicked, this, &QDialog::accept);
    return side;
}

void KeyDialog::refresh()
{
    if (!m_save)
        return;
    m_save->setText(m_busy ? tr("Saving…") : m_new ? tr("Create key") : tr("Save"));
    m_save->setEnabled(m_form->valid() && !m_busy);
}

void KeyDialog::refuse(const Error& error)
{
    m_busy = false;
    refresh();
    m_problem->setText(m_form->showRefusal(error));
}

void KeyDialog::save()
{
    if (m_busy || !m_form->valid())
        return;
    m_busy = true;
    refresh();
    const ApiKey key = m_form->key();
    if (m_new) {
        m_link.ask<CreatedApiKey>(
            this, [key](Control& control, Reply<CreatedApiKey> reply) { control.createApiKey(key, std::move(reply)); },
            [this](const Result<CreatedApiKey>& made) {
                if (made)
                    showFresh(*made);
                else
                    refuse(made.error());
            });
        return;
    }
    m_link.ask<ApiKey>(
        this, [key](Control& control, Reply<ApiKey> reply) { control.updateApiKey(key, std::move(reply)); },
        [this](const Result<ApiKey>& changed) {
            if (!changed) {
                refuse(changed.error());
                return;
            }
            Q_EMIT saved(*changed);
            accept();
        });
}

void KeyDialog::showFresh(const CreatedApiKey& made)
{
    m_freshText->setText(
        tr("The key “%1” is made. Copy it now: it is shown this once and kept nowhere. Clients send it as they would send a "
           "provider's key, as a Bearer token or as x-api-key.")
            .arg(toQString(made.record.name)));
    m_fresh->setText(toQString(made.key));
    m_fresh->setCursorPosition(0);
    m_sides->setCurrentIndex(1);
    m_copy->setDefault(true);
    m_copy->setFocus();
    resize(width(), fontMetrics().height() * 14);
    Q_EMIT saved(made.record);
}

}  // namespace omni
