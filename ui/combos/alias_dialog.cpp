#include "ui/combos/alias_dialog.h"

#include "control/validation.h"
#include "ui/combos/asked_names.h"
#include "ui/combos/route_text.h"
#include "ui/core_link.h"
#include "ui/models/display_text.h"
#include "ui/widgets/field_error_label.h"
#include "ui/widgets/quiet_label.h"

#include <QCompleter>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace omni {

AliasDialog::AliasDialog(CoreLink& link, std::optional<ModelAlias> alias, QWidget* parent)
    : QDialog(parent), m_link(link), m_name(new QLineEdit(this)), m_nameError(new FieldErrorLabel(m_name, this)),
      m_model(new QLineEdit(this)), m_modelError(new FieldErrorLabel(m_model, this)), m_leads(new QuietLabel(this)),
      m_save(new QPushButton(tr("Save"), this))
{
    setObjectName(QStringLiteral("aliasDialog"));
    setWindowTitle(alias ? tr("Edit alias") : tr("Add an alias"));
    m_name->setObjectName(QStringLiteral("aliasName"));
    m_name->setAccessibleName(tr("Alias"));
    m_name->setPlaceholderText(tr("Such as: gpt-4o"));
    m_name->setMaxLength(200);
    m_nameError->setObjectName(QStringLiteral("aliasNameError"));
    m_model->setObjectName(QStringLiteral("aliasModel"));
    m_model->setAccessibleName(tr("Stands for"));
    m_model->setPlaceholderText(tr("Combo, alias, model or provider/model"));
    m_model->setMaxLength(400);
    m_modelError->setObjectName(QStringLiteral("aliasModelError"));
    auto* completer = new QCompleter(askedNames(*link.configuration()), m_model);
    completer->setCaseSensitivity(Qt::CaseInsensitive);
    completer->setFilterMode(Qt::MatchContains);
    m_model->setCompleter(completer);
    m_leads->setObjectName(QStringLiteral("aliasLeads"));
    m_leads->setWordWrap(true);
    m_leads->setTextFormat(Qt::PlainText);
    // Two lines, so that the dialog keeps its size while words come and go.
    m_leads->setMinimumHeight(2 * fontMetrics().lineSpacing());
    m_leads->setAlignment(Qt::AlignTop);
    m_save->setObjectName(QStringLiteral("aliasSave"));
    m_save->setProperty("primary", true);
    m_save->setDefault(true);
    auto* cancel = new QPushButton(tr("Cancel"), this);
    cancel->setObjectName(QStringLiteral("aliasCancel"));
    cancel->setAutoDefault(false);

    const auto with = [this](QWidget* input, QWidget* error, QWidget* more) {
        auto* box = new QWidget(this);
        auto* column = new QVBoxLayout(box);
        column->setContentsMargins({});
        column->setSpacing(4);
        column->addWidget(input);
        column->addWidget(error);
        if (more)
            column->addWidget(more);
        return box;
    };
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(16);
    form->setVerticalSpacing(12);
    form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    form->addRow(tr("Alias"), with(m_name, m_nameError, nullptr));
    form->addRow(tr("Stands for"), with(m_model, m_modelError, m_leads));
    auto* footer = new QHBoxLayout;
    footer->setSpacing(8);
    footer->addStretch();
    footer->addWidget(cancel);
    footer->addWidget(m_save);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 20, 20, 16);
    layout->setSpacing(16);
    layout->addLayout(form);
    layout->addStretch();
    layout->addLayout(footer);
    resize(fontMetrics().height() * 30, sizeHint().height());

    if (alias) {
        m_old = alias->name;
        m_name->setText(toQString(alias->name));
        m_model->setText(toQString(alias->model));
    }
    connect(m_name, &QLineEdit::textChanged, this, [this] {
        m_nameTouched = true;
        check();
    });
    connect(m_model, &QLineEdit::textChanged, this, [this] {
        m_modelTouched = true;
        check();
    });
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_save, &QPushButton::clicked, this, &AliasDialog::save);
    connect(&link, &CoreLink::configurationChanged, this, [this] {
        // While it is being saved, what it becomes is announced before the answer is here.
        if (!m_busy)
            check();
    });
    m_name->setFocus();
    check();
}

ModelAlias AliasDialog::draft() const
{
    return {toUtf8(m_name->text().trimmed()), toUtf8(m_model->text().trimmed())};
}

void AliasDialog::check()
{
    const ModelAlias alias = draft();
    const Configuration& configuration = *m_link.configuration();
    // As it will be: the old name no longer leads anywhere. Only what the check looks at.
    Configuration without;
    without.combos = configuration.combos;
    without.aliases = configuration.aliases;
    std::erase_if(without.aliases, [this](const ModelAlias& one) { return one.name == m_old; });
    m_errors = validateAlias(alias, without);
    if (std::any_of(without.aliases.begin(), without.aliases.end(), [&](const ModelAlias& one) { return one.name == alias.name; }))
        m_errors.push_back({"name", "Another alias has this name."});
    showErrors();
    lookAhead();
}

void AliasDialog::showErrors()
{
    const auto of = [this](std::string_view field) {
        const auto found =
            std::find_if(m_errors.begin(), m_errors.end(), [field](const FieldError& error) { return error.field == field; });
        return found == m_errors.end() ? QString() : coreText(found->message);
    };
    m_nameError->setError(m_nameTouched ? of("name") : QString());
    m_modelError->setError(m_modelTouched ? of("model") : QString());
    m_save->setText(m_busy ? tr("Saving…") : tr("Save"));
    m_save->setEnabled(m_errors.empty() && !m_busy);
}

void AliasDialog::lookAhead()
{
    const std::size_t round = ++m_round;
    const ModelAlias alias = draft();
    const bool wrong = std::any_of(m_errors.begin(), m_errors.end(), [](const FieldError& error) { return error.field == "model"; });
    if (wrong) {
        m_leads->clear();
        return;
    }
    m_link.ask<RoutePreview>(
        this,
        [model = alias.model](Control& control, const Reply<RoutePreview>& reply) {
            reply(control.previewRoute({model, {}, {}, true}));
        },
        [this, round](const Result<RoutePreview>& preview) {
            if (round != m_round)
                return;
            const RouteOutlook outlook = outlookOf(preview, wallNow());
            const QString text = outlookText(outlook, m_link.configuration().get());
            if (outlook.chosen)
                m_leads->setText(tr("Now: %1", "connection, model").arg(text));
            else if (outlook.kind == RouteOutlook::Kind::Broken)
                m_leads->setText(text);
            else
                m_leads->setText(text.isEmpty() ? tr("Nobody can answer it now.") : tr("Nobody can answer it now: %1.").arg(text));
        });
}

void AliasDialog::save()
{
    m_nameTouched = m_modelTouched = true;
    check();
    if (m_busy || !m_errors.empty())
        return;
    m_busy = true;
    showErrors();
    m_link.ask<ModelAlias>(
        this, [alias = draft(), old = m_old](Control& control, const Reply<ModelAlias>& reply) { control.saveAlias(alias, reply, old); },
        [this](const Result<ModelAlias>& result) {
            m_busy = false;
            if (!result) {
                m_errors = result.error().details;
                if (m_errors.empty())
                    m_errors.push_back({"name", result.error().message});
                showErrors();
                return;
            }
            Q_EMIT saved(*result);
            accept();
        });
}

}  // namespace omni
