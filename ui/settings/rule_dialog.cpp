#include "ui/settings/rule_dialog.h"

#include "ui/core_link.h"
#include "ui/models/display_text.h"
#include "ui/settings/answer_tester.h"
#include "ui/settings/number_text.h"
#include "ui/widgets/field_error_label.h"
#include "ui/widgets/quiet_label.h"

#include <nlohmann/json.hpp>

#include <QComboBox>
#include <QFormLayout>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

namespace omni {

namespace {

using Json = nlohmann::json;

constexpr int kFirstStatus = 429;

struct HoldUnit {
    std::int64_t millis;
    const char* name;
};
constexpr std::array<HoldUnit, 4> kUnits = {{{1'000, QT_TRANSLATE_NOOP("omni::RuleDialog", "seconds")},
                                             {60'000, QT_TRANSLATE_NOOP("omni::RuleDialog", "minutes")},
                                             {3'600'000, QT_TRANSLATE_NOOP("omni::RuleDialog", "hours")},
                                             {86'400'000, QT_TRANSLATE_NOOP("omni::RuleDialog", "days")}}};

}  // namespace

RuleDialog::RuleDialog(CoreLink& link, std::optional<std::size_t> index, QWidget* parent)
    : QDialog(parent), m_link(link), m_before(link.configuration()->settings.resilience.providerErrorRules), m_index(index),
      m_provider(new QComboBox(this)), m_status(new QLineEdit(this)), m_match(new QPlainTextEdit(this)), m_reason(new QComboBox(this)),
      m_scope(new QComboBox(this)), m_hold(new QLineEdit(this)), m_holdUnit(new QComboBox(this)),
      m_tester(new AnswerTester(link, false, this)), m_problem(new QLabel(this)), m_save(new QPushButton(tr("Save"), this))
{
    setObjectName(QStringLiteral("ruleDialog"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(index ? tr("Edit error rule") : tr("Add an error rule"));

    auto* testerTitle = new QLabel(tr("Try it before you save"), this);
    QFont bold = testerTitle->font();
    bold.setWeight(QFont::DemiBold);
    testerTitle->setFont(bold);
    auto* testerNote = new QuietLabel(tr("Paste an answer: its status, headers and body, or all of it into the headers."), this);
    testerNote->setWordWrap(true);
    auto* right = new QVBoxLayout;
    right->setSpacing(8);
    right->addWidget(testerTitle);
    right->addWidget(testerNote);
    right->addWidget(m_tester);
    right->addStretch();

    m_problem->setObjectName(QStringLiteral("ruleProblem"));
    m_problem->setWordWrap(true);
    m_problem->setTextFormat(Qt::PlainText);
    auto* cancel = new QPushButton(tr("Cancel"), this);
    cancel->setObjectName(QStringLiteral("ruleCancel"));
    cancel->setAutoDefault(false);
    m_save->setObjectName(QStringLiteral("ruleSave"));
    m_save->setProperty("primary", true);
    m_save->setDefault(true);
    auto* footer = new QHBoxLayout;
    footer->setSpacing(8);
    footer->addWidget(m_problem, 1);
    footer->addWidget(cancel);
    footer->addWidget(m_save);

    auto* line = new QFrame(this);
    line->setFrameShape(QFrame::VLine);
    line->setForegroundRole(QPalette::Mid);
    auto* columns = new QHBoxLayout;
    columns->setSpacing(20);
    columns->addWidget(buildForm(), 1);
    columns->addWidget(line);
    columns->addLayout(right, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 20, 20, 16);
    layout->setSpacing(16);
    layout->addLayout(columns, 1);
    layout->addLayout(footer);
    resize(fontMetrics().averageCharWidth() * 130, fontMetrics().height() * 32);

    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_save, &QPushButton::clicked, this, &RuleDialog::save);
    if (index && *index < m_before.size()) {
        load(m_before[*index]);
    } else {
        m_status->setText(QString::number(kFirstStatus));
        m_match->setFocus();
    }
    check();
}

QWidget* RuleDialog::withError(const std::string& key, QWidget* input)
{
    auto* box = new QWidget(this);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins({});
    column->setSpacing(4);
    column->addWidget(input);
    auto* error = new FieldErrorLabel(input, box);
    error->setObjectName(QStringLiteral("ruleError.") + toQString(key));
    column->addWidget(error);
    m_fields[key] = {input, error};
    return box;
}

QWidget* RuleDialog::buildForm()
{
    const auto name = [](QWidget* input, const char* objectName, const QString& accessible) {
        input->setObjectName(QLatin1String(objectName));
        input->setAccessibleName(accessible);
    };
    name(m_provider, "ruleProvider", tr("Provider"));
    name(m_status, "ruleStatus", tr("HTTP status"));
    name(m_match, "ruleMatch", tr("Text in the answer"));
    name(m_reason, "ruleReason", tr("What it means"));
    name(m_scope, "ruleScope", tr("What it holds"));
    name(m_hold, "ruleHold", tr("For how long"));
    name(m_holdUnit, "ruleHoldUnit", tr("Unit of the time"));
    for (const ProviderId& id : ruleProviders(*m_link.configuration()))
        m_provider->addItem(providerText(m_link.configuration().get(), id), toQString(id.str()));
    for (const FailureReason reason : ruleReasons())
        m_reason->addItem(reasonText(reason), static_cast<int>(reason));
    for (const RuleScope scope : {RuleScope::Connection, RuleScope::Model, RuleScope::Provider})
        m_scope->addItem(ruleScopeText(scope), static_cast<int>(scope));
    for (const HoldUnit& unit : kUnits)
        m_holdUnit->addItem(tr(unit.name));
    m_status->setMaxLength(3);
    m_status->setFixedWidth(72);
    m_match->setTabChangesFocus(true);
    m_match->setFixedHeight(fontMetrics().lineSpacing() * 3 + 18);
    m_hold->setPlaceholderText(tr("as the ladder says"));

    auto* page = new QWidget(this);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins({});
    auto* form = new QFormLayout;
    column->addLayout(form);
    column->addStretch();  // or the text would float in what is left over
    form->setVerticalSpacing(12);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    const auto quiet = [this](const QString& text) {
        auto* label = new QuietLabel(text, this);
        label->setWordWrap(true);
        return label;
    };
    form->addRow(tr("&Provider"), withError("provider", m_provider));
    form->addRow(tr("S&tatus"), withError("status", m_status));
    form->addRow(tr("Te&xt"), withError("match", m_match));
    form->addRow(QString(), quiet(tr("Found anywhere in the answer, in any case, taken literally.")));
    form->addRow(tr("&Means"), withError("reason", m_reason));
    form->addRow(tr("&Holds"), withError("scope", m_scope));
    auto* hold = new QWidget(this);
    auto* holdLine = new QHBoxLayout(hold);
    holdLine->setContentsMargins({});
    holdLine->addWidget(m_hold, 1);
    holdLine->addWidget(m_holdUnit);
    QWidget* holdBox = withError("cooldownMs", hold);
    m_fields["cooldownMs"].input = m_hold;
    form->addRow(tr("&For"), holdBox);
    form->addRow(QString(), quiet(tr("Empty: doubled with each failure in a row, as set under Resilience. A longer wait that the provider "
                                     "asks for is obeyed where Resilience says so.")));
    for (QLabel* label : page->findChildren<QLabel*>()) {
        if (QWidget* field = label->buddy(); field && field->focusPolicy() == Qt::NoFocus)
            label->setBuddy(field->findChild<QLineEdit*>()   ? static_cast<QWidget*>(field->findChild<QLineEdit*>())
                            : field->findChild<QComboBox*>() ? static_cast<QWidget*>(field->findChild<QComboBox*>())
                                                             : field->findChild<QPlainTextEdit*>());
    }
    for (QComboBox* box : {m_provider, m_reason, m_scope, m_holdUnit})
        connect(box, &QComboBox::currentIndexChanged, this, [this] { edited({}); });
    connect(m_status, &QLineEdit::textEdited, this, [this] { edited("status"); });
    connect(m_match, &QPlainTextEdit::textChanged, this, [this] { edited("match"); });
    connect(m_hold, &QLineEdit::textEdited, this, [this] { edited("cooldownMs"); });
    return page;
}

void RuleDialog::load(const ProviderErrorRule& rule)
{
    const QString provider = toQString(rule.provider);
    if (m_provider->findData(provider) < 0)
        m_provider->addItem(provider, provider);
    m_provider->setCurrentIndex(m_provider->findData(provider));
    m_status->setText(QString::number(rule.status));
    m_match->setPlainText(toQString(rule.match));
    m_reason->setCurrentIndex(m_reason->findData(static_cast<int>(rule.reason)));
    m_scope->setCurrentIndex(m_scope->findData(static_cast<int>(rule.scope)));
    if (!rule.cooldown)
        return;
    // The largest unit in which it is a whole number.
    int unit = 0;
    for (std::size_t i = 0; i < kUnits.size(); ++i) {
        if (rule.cooldown->count() % kUnits[i].millis == 0 && rule.cooldown->count() > 0)
            unit = static_cast<int>(i);
    }
    m_holdUnit->setCurrentIndex(unit);
    m_hold->setText(
        decimalText(static_cast<double>(rule.cooldown->count()) / static_cast<double>(kUnits[static_cast<std::size_t>(unit)].millis), 3));
}

void RuleDialog::edited(const std::string& key)
{
    if (!key.empty())
        m_fields[key].touched = true;
    check();
}

std::optional<ProviderErrorRule> RuleDialog::draft()
{
    m_problems.clear();
    m_general.clear();
    Json rule{{"match", toUtf8(m_match->toPlainText())},
              {"scope", toString(static_cast<RuleScope>(m_scope->currentData().toInt()))},
              {"reason", toString(static_cast<FailureReason>(m_reason->currentData().toInt()))}};
    if (const auto status = typedNumber(m_status->text(), Unit::Port))
        rule["status"] = *status;
    const QString hold = m_hold->text().trimmed();
    if (!hold.isEmpty()) {
        const std::int64_t unit = kUnits[static_cast<std::size_t>(std::max(0, m_holdUnit->currentIndex()))].millis;
        // In thousandths of the unit, so that half an hour can be written as 0.5.
        const auto thousandths = typedNumber(hold, Unit::Seconds);
        // Far beyond what can be set, and far from what would not fit.
        constexpr std::int64_t kMost = 10'000'000'000;
        rule["cooldownMs"] = thousandths ? Json(std::clamp(*thousandths, -kMost, kMost) * unit / 1000) : Json("not a number");
    }
    const std::string provider = toUtf8(m_provider->currentData().toString());
    std::vector<FieldError> errors;
    const ErrorRules read = patchedErrorRules({}, Json{{provider, Json::array({rule})}}, "rules", errors);
    for (const FieldError& error : errors) {
        const std::string key = error.field.substr(std::min(error.field.size(), error.field.rfind('.') + 1));
        if (m_fields.contains(key))
            m_problems[key] = problemOf(key);
        else
            m_general = coreText(error.message);
    }
    if (!m_index && m_before.size() >= kMostErrorRules)
        m_general = tr("There may be %1 rules at most. Delete one first.").arg(numberText(static_cast<std::int64_t>(kMostErrorRules)));
    return errors.empty() && m_general.isEmpty() ? std::optional(read.front()) : std::nullopt;
}

QString RuleDialog::problemOf(const std::string& key) const
{
    if (key == "status" && typedNumber(m_status->text(), Unit::Port) == 400)
        return tr("Not 400: such an answer is judged by what it says of the request, so the rule would never act.");
    if (key == "status")
        return tr("Must be a number from 100 to 599, and not 400.");
    if (key == "match")
        return tr("Must be a text of 1 to 500 characters.");
    if (key == "cooldownMs")
        return tr("Must be a time from 0 to 30 days, or empty.");
    return tr("Cannot be used.");
}

void RuleDialog::check()
{
    const std::optional<ProviderErrorRule> rule = draft();
    for (auto& [key, field] : m_fields) {
        const auto problem = m_problems.find(key);
        field.error->setError(problem != m_problems.end() && field.touched ? problem->second : QString());
    }
    QString open = m_general;
    if (open.isEmpty() && m_problems.contains("match") && !m_fields["match"].touched)
        open = tr("Say which text the answer holds.");
    m_problem->setForegroundRole(QPalette::PlaceholderText);  // the theme's muted text
    m_problem->setText(open);
    m_save->setEnabled(rule && !m_busy);

    std::string patch;
    std::optional<std::size_t> place;
    if (rule) {
        std::size_t at = 0;
        patch = errorRulesPatch(m_before, withErrorRule(m_before, *rule, m_index, at));
        place = at;
        m_tester->setStatus(rule->status);
    }
    m_tester->setDraft(ProviderId(toUtf8(m_provider->currentData().toString())), patch, place);
}

void RuleDialog::save()
{
    const std::optional<ProviderErrorRule> rule = draft();
    if (!rule || m_busy)
        return;
    // Others may have changed the rules meanwhile; the one that is edited is still known by what it said.
    const ErrorRules& now = m_link.configuration()->settings.resilience.providerErrorRules;
    std::optional<std::size_t> index;
    if (m_index) {
        const auto found = std::find(now.begin(), now.end(), m_before[*m_index]);
        if (found != now.end())
            index = static_cast<std::size_t>(found - now.begin());
    }
    std::size_t place = 0;
    const std::string patch = errorRulesPatch(now, withErrorRule(now, *rule, index, place));
    if (patch.empty()) {
        accept();
        return;
    }
    m_busy = true;
    m_save->setEnabled(false);
    m_link.ask<Settings>(
        this, [patch](Control& control, Reply<Settings> reply) { control.patchSettings(patch, std::move(reply)); },
        [this, place](const Result<Settings>& result) {
            m_busy = false;
            if (!result) {
                refuse(result.error());
                return;
            }
            Q_EMIT saved(static_cast<int>(place));
            accept();
        });
}

void RuleDialog::refuse(const Error& error)
{
    check();
    m_problem->setForegroundRole(QPalette::BrightText);  // the theme's colour for what is bad
    m_problem->setText(errorText(error));
}

}  // namespace omni
