#include "ui/settings/answer_tester.h"

#include "ui/core_link.h"
#include "ui/models/display_text.h"
#include "ui/models/rule_text.h"
#include "ui/settings/number_text.h"
#include "ui/settings/rule_edits.h"
#include "ui/theme/theme.h"
#include "ui/widgets/field_error_label.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace omni {

namespace {

constexpr int kWaitMs = 150;
constexpr int kLowestStatus = 100;
constexpr int kHighestStatus = 599;

QLabel* resultLabel(const char* name, const QString& accessibleName, QWidget* parent)
{
    auto* label = new QLabel(parent);
    label->setObjectName(QLatin1String(name));
    label->setAccessibleName(accessibleName);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return label;
}

}  // namespace

AnswerTester::AnswerTester(CoreLink& link, bool choosesProvider, QWidget* parent)
    : QWidget(parent), m_link(link), m_status(new QLineEdit(QStringLiteral("429"), this)), m_model(new QLineEdit(this)),
      m_headers(textEdit("tryHeaders", tr("Headers of the answer"), tr("Retry-After: 30"), 3)),
      m_body(textEdit("tryBody", tr("Body of the answer"), QStringLiteral("{\"error\":{\"message\":\"…\"}}"), 4)),
      m_statusError(new FieldErrorLabel(m_status, this)), m_verdict(resultLabel("tryVerdict", tr("Verdict"), this)),
      m_rule(resultLabel("tryRule", tr("Rule"), this)), m_hold(resultLabel("tryHold", tr("Hold"), this)),
      m_next(resultLabel("tryNext", tr("What the request does next"), this))
{
    auto* form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    form->setVerticalSpacing(8);
    if (choosesProvider) {
        m_providers = new QComboBox(this);
        m_providers->setObjectName(QStringLiteral("tryProvider"));
        m_providers->setAccessibleName(tr("Provider that answers"));
        m_providers->setFocusPolicy(Qt::StrongFocus);
        form->addRow(tr("Provider"), m_providers);
        connect(m_providers, &QComboBox::currentIndexChanged, this, &AnswerTester::schedule);
    }
    m_status->setObjectName(QStringLiteral("tryStatus"));
    m_status->setAccessibleName(tr("HTTP status of the answer"));
    m_status->setMaxLength(3);
    m_status->setFixedWidth(72);
    m_statusError->setObjectName(QStringLiteral("tryStatusError"));
    m_model->setObjectName(QStringLiteral("tryModel"));
    m_model->setAccessibleName(tr("Model that was asked for"));
    m_model->setPlaceholderText(tr("any model"));
    auto* line = new QHBoxLayout;
    line->setSpacing(8);  // a layout in a form would take none
    line->addWidget(m_status);
    line->addWidget(new QLabel(tr("from model"), this));
    line->addWidget(m_model, 1);
    form->addRow(tr("Status"), line);
    form->addRow(QString(), m_statusError);
    form->addRow(tr("Headers"), m_headers);
    form->addRow(tr("Body"), m_body);

    auto* result = new QFormLayout;
    result->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    result->setVerticalSpacing(6);
    QFont bold = m_verdict->font();
    bold.setWeight(QFont::DemiBold);
    m_verdict->setFont(bold);
    m_hold->setFont(bold);
    result->addRow(tr("Verdict"), m_verdict);
    result->addRow(tr("Decided by"), m_rule);
    result->addRow(tr("Out of service"), m_hold);
    result->addRow(tr("Then"), m_next);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(14);
    layout->addLayout(form);
    layout->addLayout(result);

    m_wait.setSingleShot(true);
    m_wait.setInterval(kWaitMs);
    connect(&m_wait, &QTimer::timeout, this, &AnswerTester::ask);
    connect(m_status, &QLineEdit::textChanged, this, &AnswerTester::schedule);
    connect(m_model, &QLineEdit::textChanged, this, &AnswerTester::schedule);
    connect(m_headers, &QPlainTextEdit::textChanged, this, &AnswerTester::takeApart);
    connect(m_body, &QPlainTextEdit::textChanged, this, &AnswerTester::schedule);
    setConfiguration(link.configuration());
}

QPlainTextEdit* AnswerTester::textEdit(const char* objectName, const QString& name, const QString& placeholder, int lines)
{
    auto* edit = new QPlainTextEdit(this);
    edit->setObjectName(QLatin1String(objectName));
    edit->setAccessibleName(name);
    edit->setPlaceholderText(placeholder);
    edit->setTabChangesFocus(true);
    edit->setFont(monospaceFont());
    edit->setFixedHeight(edit->fontMetrics().lineSpacing() * lines + 18);
    return edit;
}

void AnswerTester::setConfiguration(const ConfigurationPtr& configuration)
{
    m_configuration = configuration;
    if (!configuration)
        return;
    if (m_providers)
        fillProviders();
    schedule();
}

void AnswerTester::fillProviders()
{
    const std::vector<ProviderId> ids = ruleProviders(*m_configuration);
    const auto shown = [this](std::size_t i) { return m_providers->itemData(static_cast<int>(i)).toString(); };
    bool same = static_cast<int>(ids.size()) == m_providers->count();
    for (std::size_t i = 0; same && i < ids.size(); ++i)
        same = shown(i) == toQString(ids[i].str());
    if (same)
        return;
    const QSignalBlocker quiet(m_providers);
    const QVariant chosen = m_providers->currentData();
    m_providers->clear();
    for (const ProviderId& id : ids)
        m_providers->addItem(providerText(m_configuration.get(), id), toQString(id.str()));
    m_providers->setCurrentIndex(std::max(0, m_providers->findData(chosen)));
}

void AnswerTester::setDraft(const ProviderId& provider, const std::string& patch, std::optional<std::size_t> rule)
{
    m_provider = provider;
    m_patch = patch;
    m_draftRule = rule;
    schedule();
}

void AnswerTester::setStatus(int status)
{
    if (!m_status->isModified())
        m_status->setText(QString::number(status));
}

ProviderId AnswerTester::provider() const
{
    return m_providers ? ProviderId(toUtf8(m_providers->currentData().toString())) : m_provider;
}

void AnswerTester::takeApart()
{
    static const QRegularExpression statusLine(QStringLiteral("^HTTP/[0-9.]+ ([1-5][0-9][0-9])"));
    const QString text = m_headers->toPlainText();
    const QRegularExpressionMatch match = statusLine.match(text);
    const qsizetype blank = text.indexOf(QStringLiteral("\n\n"));
    if (match.hasMatch() && blank > 0 && !text.mid(blank).trimmed().isEmpty()) {
        const QSignalBlocker quiet(m_headers);
        m_status->setText(match.captured(1));
        m_status->setModified(true);
        m_headers->setPlainText(text.left(blank));
        m_body->setPlainText(text.mid(blank).trimmed());
    }
    schedule();
}

void AnswerTester::schedule()
{
    if (isVisible())
        m_wait.start();
}

void AnswerTester::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    ask();
}

void AnswerTester::showNothing(const QString& text)
{
    m_verdict->setText(text);
    for (QLabel* label : {m_rule, m_hold, m_next})
        label->setText(QStringLiteral("–"));
}

void AnswerTester::ask()
{
    m_wait.stop();
    const std::optional<std::int64_t> status = typedNumber(m_status->text(), Unit::Port);
    const bool fits = status && *status >= kLowestStatus && *status <= kHighestStatus;
    m_statusError->setError(fits ? QString() : tr("Must be a number from 100 to 599."));
    const std::uint64_t asked = ++m_asked;
    if (!fits || provider().empty()) {
        showNothing(QStringLiteral("–"));
        return;
    }
    AnswerSample sample;
    sample.provider = provider();
    sample.model = toUtf8(m_model->text().trimmed());
    sample.status = static_cast<int>(*status);
    sample.headers = toUtf8(m_headers->toPlainText());
    sample.body = toUtf8(m_body->toPlainText());
    m_link.ask<FailureTrial>(
        this, [sample, patch = m_patch](Control& control, const Reply<FailureTrial>& reply) { control.tryAnswer(sample, patch, reply); },
        [this, asked](const Result<FailureTrial>& trial) {
            if (asked != m_asked)
                return;
            if (trial)
                showTrial(*trial);
            else
                showNothing(errorText(trial.error()));
        });
}

QString AnswerTester::ruleOf(const FailureTrial& trial) const
{
    const QString words = ruleText(trial.verdict.rule);
    if (!trial.verdict.ownRule)
        return words;
    if (m_draftRule && trial.verdict.ownRule == m_draftRule)
        return tr("✓ this rule: %1").arg(words);
    return m_draftRule ? tr("another rule of yours, which comes first: %1").arg(words) : words;
}

void AnswerTester::showTrial(const FailureTrial& trial)
{
    const Verdict& verdict = trial.verdict;
    QString meaning = reasonText(verdict.reason);
    const std::optional<std::int64_t> typed = typedNumber(m_status->text(), Unit::Port);
    if (typed && *typed != verdict.status)
        meaning = tr("%1, judged as HTTP %2").arg(meaning, QString::number(verdict.status));
    m_verdict->setText(meaning);
    m_rule->setText(ruleOf(trial));

    QStringList holds;
    for (const TrialHold& hold : trial.holds) {
        const QString length = lengthText(hold.length);
        switch (hold.kind) {
        case TrialHold::Kind::Connection: holds << tr("the connection for %1").arg(length); break;
        case TrialHold::Kind::Provider: holds << tr("the whole provider for %1").arg(length); break;
        case TrialHold::Kind::Model: holds << tr("the model %1 for %2").arg(toQString(hold.model), length); break;
        case TrialHold::Kind::Terminal:
            switch (hold.terminal) {
            case TerminalState::Banned: holds << tr("the connection, as banned, until you act"); break;
            case TerminalState::Expired: holds << tr("the connection, as expired, until you act"); break;
            case TerminalState::CreditsExhausted: holds << tr("the connection, as out of credit, until you act"); break;
            case TerminalState::None: break;
            }
            break;
        }
    }
    if (verdict.countsOnBreaker)
        holds << tr("one failure more on the provider's breaker");
    m_hold->setText(holds.isEmpty() ? tr("nothing") : holds.join(QLatin1Char('\n')));
    m_next->setText(verdict.tryNextTarget ? tr("the request goes on to the next target") : tr("the answer goes to the client as it is"));
}

}  // namespace omni
