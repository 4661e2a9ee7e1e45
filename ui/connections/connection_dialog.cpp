#include "ui/connections/connection_dialog.h"

#include "ui/connections/connection_form.h"
#include "ui/connections/provider_chooser.h"
#include "ui/connections/test_box.h"
#include "ui/core_link.h"
#include "ui/models/display_text.h"
#include "ui/widgets/search_field.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace omni {

ConnectionDialog::ConnectionDialog(CoreLink& link, std::optional<Connection> connection, QWidget* parent) : QDialog(parent), m_link(link)
{
    setObjectName(QStringLiteral("connectionDialog"));
    setWindowTitle(connection ? tr("Edit connection") : tr("Add a connection"));
    m_form = new ConnectionForm(link.configuration(), this);
    m_test = new TestBox(link, this);

    auto* page = new QWidget;
    page->setProperty("pageBody", true);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 12, 0);
    column->setSpacing(16);
    column->addWidget(m_form);
    column->addStretch();
    auto* scroll = new QScrollArea(this);
    scroll->setObjectName(QStringLiteral("connectionScroll"));
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(page);

    m_problem = new QLabel(this);
    m_problem->setObjectName(QStringLiteral("dialogProblem"));
    m_problem->setWordWrap(true);
    m_problem->setTextFormat(Qt::PlainText);
    auto* cancel = new QPushButton(tr("Cancel"), this);
    cancel->setObjectName(QStringLiteral("dialogCancel"));
    cancel->setAutoDefault(false);
    m_save = new QPushButton(tr("Save"), this);
    m_save->setObjectName(QStringLiteral("dialogSave"));
    m_save->setProperty("primary", true);
    m_save->setDefault(true);
    auto* footer = new QHBoxLayout;
    footer->setSpacing(8);
    footer->addWidget(m_problem, 1);
    footer->addWidget(cancel);
    footer->addWidget(m_save);

    auto* right = new QVBoxLayout;
    right->setSpacing(16);
    right->addWidget(scroll, 1);
    right->addWidget(m_test);
    auto* middle = new QHBoxLayout;
    middle->setSpacing(24);
    const int line = fontMetrics().height();
    if (connection) {
        m_form->load(*connection);
        resize(line * 36, line * 34);
    } else {
        m_chooser = new ProviderChooser(*link.configuration(), this);
        m_chooser->setFixedWidth(line * 16);
        middle->addWidget(m_chooser);
        connect(m_chooser, &ProviderChooser::providerChosen, m_form, &ConnectionForm::setProvider);
        resize(line * 52, line * 36);
    }
    middle->addLayout(right, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 20, 20, 16);
    layout->setSpacing(16);
    layout->addLayout(middle, 1);
    layout->addLayout(footer);

    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_save, &QPushButton::clicked, this, &ConnectionDialog::save);
    connect(m_test, &TestBox::wanted, this, &ConnectionDialog::test);
    connect(m_form, &ConnectionForm::changed, this, [this] {
        m_refusal.clear();
        m_test->reset();
        refreshFooter();
    });
    if (m_chooser)
        m_chooser->searchField()->setFocus();
    else
        m_form->firstField()->setFocus();
    refreshFooter();
}

ConnectionDialog::~ConnectionDialog() = default;

void ConnectionDialog::chooseProvider(const ProviderId& id)
{
    if (!m_chooser)
        return;
    m_chooser->choose(id);
    m_form->firstField()->setFocus();
}

void ConnectionDialog::refreshFooter()
{
    const bool ready = m_form->valid() && !m_busy;
    m_save->setEnabled(ready);
    m_test->setReady(ready);
    // The theme's muted text, or its colour for what is bad.
    m_problem->setForegroundRole(m_refusal.isEmpty() ? QPalette::PlaceholderText : QPalette::BrightText);
    m_problem->setText(m_refusal.isEmpty() ? m_form->openProblem() : m_refusal);
}

void ConnectionDialog::setBusy(bool busy)
{
    m_busy = busy;
    m_save->setText(busy ? tr("Saving…") : tr("Save"));
    refreshFooter();
}

void ConnectionDialog::withEndpoint(std::function<void(ConnectionDraft)> next, std::function<void(QString)> failed)
{
    const ConnectionForm::Draft draft = m_form->draft();
    if (!draft.node) {
        next(draft.connection);
        return;
    }
    const bool fresh = draft.node->id == ProviderChooser::kNewOpenAi || draft.node->id == ProviderChooser::kNewAnthropic;
    m_link.ask<ProviderNode>(
        this, [node = *draft.node](Control& control, const Reply<ProviderNode>& reply) { control.saveNode(node, reply); },
        [this, fresh, next = std::move(next), failed = std::move(failed)](const Result<ProviderNode>& node) {
            if (!node) {
                refuse(node.error(), true);
                failed(errorText(node.error()));
                return;
            }
            if (fresh)
                m_madeNodes.push_back(node->id);
            m_form->setSavedNode(*node);
            next(m_form->draft().connection);
        });
}

void ConnectionDialog::refuse(const Error& error, bool ofNode)
{
    m_refusal = m_form->showRefusal(error, ofNode);
    setBusy(false);
}

void ConnectionDialog::save()
{
    if (m_busy || !m_form->valid())
        return;
    m_test->reset();
    setBusy(true);
    withEndpoint(
        [this](const ConnectionDraft& draft) {
            m_link.ask<Connection>(
                this, [draft](Control& control, const Reply<Connection>& reply) { control.saveConnection(draft, reply); },
                [this](const Result<Connection>& result) {
                    if (!result) {
                        refuse(result.error(), false);
                        return;
                    }
                    std::erase(m_madeNodes, result->provider);
                    Q_EMIT saved(*result);
                    accept();
                });
        },
        [](const QString&) {});
}

void ConnectionDialog::test()
{
    m_test->showWaiting();
    withEndpoint(
        [this](const ConnectionDraft& draft) {
            // Given up while the endpoint was being saved.
            if (m_test->running())
                m_test->run(draft);
        },
        [this](const QString& message) { m_test->showFailure(message); });
}

void ConnectionDialog::done(int result)
{
    // Endpoints that were made for a test and in the end not used.
    for (const ProviderId& id : std::exchange(m_madeNodes, {}))
        m_link.post([id](Control& control) { control.removeNode(id, [](const Result<int>&) {}); });
    QDialog::done(result);
}

}  // namespace omni
