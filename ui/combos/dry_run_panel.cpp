#include "ui/combos/dry_run_panel.h"

#include "ui/combos/asked_names.h"
#include "ui/combos/considered_model.h"
#include "ui/core_link.h"
#include "ui/models/data_table.h"
#include "ui/models/display_text.h"
#include "ui/models/hold_actions.h"
#include "ui/models/holds.h"
#include "ui/models/state_delegate.h"
#include "ui/widgets/countdown_label.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/state_label.h"
#include "ui/widgets/why_dialog.h"

#include <QComboBox>
#include <QCompleter>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QStackedLayout>
#include <QStringListModel>
#include <QVBoxLayout>

#include <algorithm>

namespace omni {

namespace {

constexpr int kTypingMs = 150;
constexpr int kFactMs = 400;
constexpr int kTickMs = 1'000;

}  // namespace

DryRunPanel::DryRunPanel(CoreLink& link, QWidget* parent)
    : QWidget(parent), m_link(link), m_name(new QLineEdit(this)), m_names(new QStringListModel(this)), m_operation(new QComboBox(this)),
      m_key(new QComboBox(this)), m_state(new StateLabel(this)), m_text(new QLabel(this)), m_back(new CountdownLabel(this)),
      m_path(new QLabel(this)), m_why(new QPushButton(tr("Why?"), this)), m_open(new QPushButton(tr("Open connection"), this)),
      m_table(new DataTable(this)), m_model(new ConsideredModel(this)), m_note(new EmptyState(QStringLiteral("combos"), this)),
      m_stack(new QStackedLayout)
{
    m_note->setTexts(tr("Choose a combo or an alias, or write a model as a client would: here you see who would be asked now, and why not "
                        "the others. Nothing is sent."));
    m_stack->addWidget(m_note);
    m_stack->addWidget(buildAnswer());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(8);
    layout->addWidget(buildQuestion());
    layout->addLayout(m_stack, 1);

    m_soon.setSingleShot(true);
    m_second.setInterval(kTickMs);
    m_second.setObjectName(QStringLiteral("dryRunTimer"));
    connect(&m_soon, &QTimer::timeout, this, &DryRunPanel::run);
    connect(&m_second, &QTimer::timeout, this, &DryRunPanel::tick);
    connect(&link, &CoreLink::engineChanged, this, [this] { poke(kFactMs); });
    connect(&link, &CoreLink::configurationChanged, this, [this] { poke(kFactMs); });
    connect(m_back, &CountdownLabel::ended, this, [this] { poke(kFactMs); });
    connect(m_name, &QLineEdit::textChanged, this, [this] { poke(kTypingMs); });
    connect(m_name, &QLineEdit::returnPressed, this, &DryRunPanel::run);
    connect(m_operation, &QComboBox::currentIndexChanged, this, [this] { poke(0); });
    connect(m_key, &QComboBox::currentIndexChanged, this, [this] { poke(0); });
    connect(m_why, &QPushButton::clicked, this, &DryRunPanel::tellWhy);
    connect(m_open, &QPushButton::clicked, this, &DryRunPanel::openConnection);
    refreshNames();
    refreshButtons();
}

QWidget* DryRunPanel::buildQuestion()
{
    auto* bar = new QWidget(this);
    m_name->setObjectName(QStringLiteral("dryRunName"));
    m_name->setAccessibleName(tr("Name to try"));
    m_name->setPlaceholderText(tr("Combo, alias, model or provider/model"));
    m_name->setClearButtonEnabled(true);
    m_name->setMaxLength(400);
    auto* completer = new QCompleter(m_names, m_name);
    completer->setCaseSensitivity(Qt::CaseInsensitive);
    completer->setFilterMode(Qt::MatchContains);
    completer->setMaxVisibleItems(12);
    m_name->setCompleter(completer);
    m_name->installEventFilter(this);
    m_operation->setObjectName(QStringLiteral("dryRunOperation"));
    m_operation->setAccessibleName(tr("How the client asks"));
    m_operation->setToolTip(tr("How the client asks"));
    m_operation->addItem(tr("Any wire format"), -1);
    for (const Operation operation : {Operation::ChatCompletions, Operation::Responses, Operation::Messages, Operation::CountTokens,
                                      Operation::Embeddings, Operation::Completions})
        m_operation->addItem(operationText(operation), static_cast<int>(operation));
    m_key->setObjectName(QStringLiteral("dryRunKey"));
    m_key->setAccessibleName(tr("Whose key"));
    m_key->setToolTip(tr("Whose key the client sends: what it may not use is left out."));
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins({});
    layout->setSpacing(8);
    layout->addWidget(m_name, 1);
    layout->addWidget(m_operation);
    layout->addWidget(m_key);
    return bar;
}

QWidget* DryRunPanel::buildAnswer()
{
    m_answer = new QWidget(this);
    m_state->setObjectName(QStringLiteral("dryRunState"));
    m_text->setObjectName(QStringLiteral("dryRunText"));
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_back->setPattern(tr("The first is back in %1."));
    m_path->setObjectName(QStringLiteral("dryRunPath"));
    m_path->setTextFormat(Qt::PlainText);
    m_path->setWordWrap(true);
    m_path->setForegroundRole(QPalette::PlaceholderText);  // the theme's muted text
    m_why->setObjectName(QStringLiteral("dryRunWhy"));
    m_open->setObjectName(QStringLiteral("dryRunOpen"));

    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    words->addWidget(m_text);
    words->addWidget(m_path);
    auto* line = new QHBoxLayout;
    line->setSpacing(12);
    line->addWidget(m_state, 0, Qt::AlignTop);
    line->addLayout(words, 1);
    line->addWidget(m_back, 0, Qt::AlignTop);
    line->addWidget(m_why, 0, Qt::AlignTop);
    line->addWidget(m_open, 0, Qt::AlignTop);

    m_table->setObjectName(QStringLiteral("dryRunTable"));
    m_table->setAccessibleName(tr("Targets in the order of trying"));
    m_table->setModel(m_model);
    m_table->setItemDelegateForColumn(ConsideredModel::State, new StateDelegate(m_table));
    m_table->setColumnWidths({4, 12, 9, 23, 20, 30});
    QStringList states = ConsideredModel::stateWords();
    for (const Exclusion reason : {Exclusion::CircuitOpen, Exclusion::ConnectionCooldown, Exclusion::ModelLockout,
                                   Exclusion::ProviderCooldown, Exclusion::ModelNotOffered, Exclusion::DialectMismatch})
        states << lookOf(reason, Colours()).word;
    m_table->widenForStates(ConsideredModel::State, states);
    connect(m_table, &DataTable::activated, this, &DryRunPanel::tellWhy);
    connect(m_table, &QWidget::customContextMenuRequested, this, &DryRunPanel::showMenu);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &DryRunPanel::refreshButtons);
    connect(m_model, &QAbstractItemModel::modelReset, this, &DryRunPanel::refreshButtons);

    auto* layout = new QVBoxLayout(m_answer);
    layout->setContentsMargins({});
    layout->setSpacing(8);
    layout->addLayout(line);
    layout->addWidget(m_table, 1);
    // Where there is no table, the words stay at the top.
    layout->addStretch(0);
    return m_answer;
}

void DryRunPanel::refreshNames()
{
    if (!m_link.ready())
        return;
    fillKeys();
    m_namesStale = true;
    if (m_name->hasFocus())
        fillNames();
}

void DryRunPanel::fillNames()
{
    if (!m_namesStale || !m_link.ready())
        return;
    m_namesStale = false;
    const QStringList names = askedNames(*m_link.configuration());
    if (names != m_names->stringList())
        m_names->setStringList(names);
}

bool DryRunPanel::eventFilter(QObject* watched, QEvent* event)
{
    // Thousands of models are listed when somebody is about to type, not whenever one of them changes.
    if (watched == m_name && event->type() == QEvent::FocusIn)
        fillNames();
    return QWidget::eventFilter(watched, event);
}

void DryRunPanel::fillKeys()
{
    const QVariant chosen = m_key->currentData();
    const QSignalBlocker blocker(m_key);
    m_key->clear();
    m_key->addItem(tr("Any client"), QString());
    for (const ApiKey& key : m_link.configuration()->apiKeys) {
        if (key.active && !key.revokedAt)
            m_key->addItem(toQString(key.name), toQString(key.id.str()));
    }
    m_key->setCurrentIndex(std::max(0, m_key->findData(chosen)));
    m_key->setVisible(m_key->count() > 1);
}

void DryRunPanel::ask(const QString& name)
{
    m_name->setText(name);
    m_name->setCursorPosition(0);
}

QString DryRunPanel::name() const
{
    return m_name->text().trimmed();
}

void DryRunPanel::poke(int afterMs)
{
    m_stale = true;
    if (isVisible() && (!m_soon.isActive() || m_soon.remainingTime() > afterMs))
        m_soon.start(afterMs);
}

void DryRunPanel::run()
{
    m_soon.stop();
    if (!m_link.ready())
        return;
    m_stale = false;
    const std::size_t round = ++m_round;
    if (name().isEmpty()) {
        m_model->clear();
        m_stack->setCurrentWidget(m_note);
        return;
    }
    RouteQuestion question;
    question.model = toUtf8(name());
    if (const int operation = m_operation->currentData().toInt(); operation >= 0)
        question.operation = static_cast<Operation>(operation);
    question.apiKey = ApiKeyId(toUtf8(m_key->currentData().toString()));
    m_link.ask<RoutePreview>(
        this, [question](Control& control, const Reply<RoutePreview>& reply) { reply(control.previewRoute(question)); },
        [this, round](const Result<RoutePreview>& preview) {
            if (round == m_round)
                take(preview);
        });
}

void DryRunPanel::take(const Result<RoutePreview>& preview)
{
    const WallTime now = wallNow();
    if (preview)
        m_model->setPreview(*preview, m_link.configuration(), now);
    else
        m_model->clear();
    showAnswer(outlookOf(preview, now), preview ? &*preview : nullptr);
    m_stack->setCurrentWidget(m_answer);
    m_table->setVisible(m_model->rowCount() > 0);
    refreshButtons();
}

void DryRunPanel::showAnswer(const RouteOutlook& outlook, const RoutePreview* preview)
{
    m_state->setLook([outlook](const Colours& colours) {
        StateLook look = lookOf(stateOf(outlook), colours);
        look.word = outlookWord(outlook);
        return look;
    });
    const QString asked = name();
    QString text;
    QStringList path;
    if (outlook.kind == RouteOutlook::Kind::Broken) {
        text = coreText(outlook.error);
    } else if (outlook.chosen) {
        const QString who = targetText(m_link.configuration().get(), outlook.chosen->provider, outlook.chosen->connectionName);
        text = tr("“%1” goes to %2 as %3.", "name, connection, model").arg(asked, who, toQString(outlook.chosen->model));
        const auto before = preview->chosen() - preview->considered.data();
        if (before == 1)
            text += QLatin1Char(' ') + tr("One before it is left out.");
        else if (before > 1)
            text += QLatin1Char(' ') + tr("%1 before it are left out.").arg(numberText(before));
    } else {
        text = tr("Nobody can answer “%1” now.").arg(asked);
    }
    if (preview) {
        QStringList names;
        for (const std::string& one : preview->names)
            names << toQString(one);
        if (names.size() > 1)
            path << names.join(QStringLiteral(" → "));
        path << tr("asked as %1").arg(operationText(preview->operation));
        if (preview->truncated)
            path << tr("only the first %1 are shown").arg(numberText(m_model->rowCount()));
    }
    m_text->setText(text);
    m_path->setText(path.join(QStringLiteral("  ·  ")));
    m_path->setVisible(!path.isEmpty());
    m_back->setUntil(outlook.until);
    m_back->setVisible(outlook.until.has_value());
}

void DryRunPanel::tick()
{
    for (const int row : m_model->countingRows())
        m_table->update(m_model->index(row, ConsideredModel::Remaining));
    if (m_model->anyEnded(wallNow()))
        poke(0);
}

const ConsideredTarget* DryRunPanel::current() const
{
    const QModelIndexList rows = m_table->selectedRowsInOrder();
    return rows.size() == 1 ? m_model->targetAt(rows.first().row()) : nullptr;
}

bool DryRunPanel::canTellWhy(const ConsideredTarget* target) const
{
    if (!target || target->connection.empty() || !m_link.ready())
        return false;
    const Connection* connection = m_link.configuration()->connection(target->connection);
    return connection && connection->enabled && !target->usable() &&
           !holdsConcerning(*m_link.configuration(), m_link.engine(), wallNow(), *connection).empty();
}

void DryRunPanel::refreshButtons()
{
    const ConsideredTarget* target = current();
    m_why->setEnabled(canTellWhy(target));
    m_open->setEnabled(target && m_link.ready() && m_link.configuration()->connection(target->connection));
    m_why->setVisible(m_model->rowCount() > 0);
    m_open->setVisible(m_model->rowCount() > 0);
}

void DryRunPanel::tellWhy()
{
    const ConsideredTarget* target = current();
    if (!canTellWhy(target))
        return;
    const Connection connection = *m_link.configuration()->connection(target->connection);
    const auto holds = holdsConcerning(*m_link.configuration(), m_link.engine(), wallNow(), connection);
    auto* told = new WhyDialog(targetText(m_link.configuration().get(), connection.provider, connection.name), whyText(holds), this);
    if (std::any_of(holds.begin(), holds.end(), [](const HoldItem& hold) { return hold.clearable(); })) {
        told->setAction(tr("Clear now"));
        connect(told, &WhyDialog::actionTriggered, this, [this, id = connection.id] {
            m_link.ask<EndedHolds>(
                this, [id](Control& control, const Reply<EndedHolds>& reply) { reply(endHoldsOf(control, {id})); },
                [this](const Result<EndedHolds>& cleared) {
                    if (cleared)
                        Q_EMIT messageRaised(cleared->ended == 1 ? tr("One hold was cleared.")
                                                                 : tr("%1 holds were cleared.").arg(numberText(cleared->ended)));
                });
        });
    }
    told->open();
}

void DryRunPanel::openConnection()
{
    const ConsideredTarget* target = current();
    if (target && !target->connection.empty())
        Q_EMIT connectionRequested(target->connection);
}

void DryRunPanel::showMenu(const QPoint& position)
{
    QMenu menu(this);
    menu.setObjectName(QStringLiteral("dryRunMenu"));
    menu.addAction(tr("Why?"), QKeySequence(Qt::Key_Return), this, &DryRunPanel::tellWhy)->setEnabled(m_why->isEnabled());
    menu.addAction(tr("Open connection"), this, &DryRunPanel::openConnection)->setEnabled(m_open->isEnabled());
    menu.addSeparator();
    menu.addAction(tr("Copy as text"), QKeySequence::Copy, m_table, &DataTable::copySelection);
    menu.exec(m_table->viewport()->mapToGlobal(position));
}

void DryRunPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_second.start();
    if (m_stale)
        poke(0);
}

void DryRunPanel::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    m_second.stop();
    m_soon.stop();
}

}  // namespace omni
