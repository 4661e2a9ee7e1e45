#include "ui/settings/rules_panel.h"

#include "ui/core_link.h"
#include "ui/models/data_table.h"
#include "ui/models/display_text.h"
#include "ui/settings/answer_tester.h"
#include "ui/settings/rule_dialog.h"
#include "ui/settings/rules_model.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/quiet_label.h"
#include "ui/widgets/search_field.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QMenu>
#include <QPushButton>
#include <QStackedLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace omni {

namespace {

constexpr int kShownRows = 8;

}  // namespace

RulesPanel::RulesPanel(CoreLink& link, QWidget* parent)
    : QWidget(parent), m_link(link), m_model(new RulesModel(this)), m_filter(new RulesFilter(this)), m_search(new SearchField(this)),
      m_table(new DataTable(this)), m_empty(new EmptyState(QStringLiteral("info"), this)),
      m_noMatch(new EmptyState(QStringLiteral("search"), this)), m_stack(new QStackedLayout), m_count(new QuietLabel(this))
{
    build();
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_filter->setText(text);
        refresh();
    });
    connect(m_table, &QAbstractItemView::activated, this, &RulesPanel::editCurrent);
    connect(m_table, &QAbstractItemView::doubleClicked, this, &RulesPanel::editCurrent);
    connect(m_table, &DataTable::deletePressed, this, &RulesPanel::remove);
    connect(m_table, &QWidget::customContextMenuRequested, this, &RulesPanel::showMenu);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &RulesPanel::refresh);
    connect(m_empty, &EmptyState::actionTriggered, this, [this] { edit(std::nullopt); });
    connect(m_noMatch, &EmptyState::actionTriggered, m_search, &QLineEdit::clear);
    connect(&m_link, &CoreLink::configurationChanged, this, &RulesPanel::takeConfiguration);
    takeConfiguration();
}

void RulesPanel::build()
{
    auto* tools = new QHBoxLayout;
    tools->setSpacing(8);
    const auto button = [&](const QString& text, const char* name, auto act) {
        auto* made = new QPushButton(text, this);
        made->setObjectName(QLatin1String(name));
        made->setAutoDefault(false);
        connect(made, &QPushButton::clicked, this, act);
        tools->addWidget(made);
        return made;
    };
    m_add = button(tr("Add…"), "addRule", [this] { edit(std::nullopt); });
    m_add->setAccessibleName(tr("Add an error rule"));
    m_edit = button(tr("Edit"), "editRule", [this] { editCurrent(); });
    m_up = button(tr("Earlier"), "ruleUp", [this] { moveRule(true); });
    m_up->setToolTip(tr("The first rule of a provider that fits decides."));
    m_down = button(tr("Later"), "ruleDown", [this] { moveRule(false); });
    m_down->setToolTip(m_up->toolTip());
    m_delete = button(tr("Delete"), "deleteRule", [this] { remove(); });
    m_search->setObjectName(QStringLiteral("ruleFilter"));
    m_search->setPlaceholderText(tr("Filter"));
    m_search->setAccessibleName(tr("Filter the rules"));
    m_search->setMinimumWidth(fontMetrics().averageCharWidth() * 10);
    m_search->setMaximumWidth(fontMetrics().averageCharWidth() * 26);
    tools->addStretch();
    tools->addWidget(m_search, 1);

    m_filter->setSourceModel(m_model);
    m_table->setObjectName(QStringLiteral("ruleTable"));
    m_table->setAccessibleName(tr("Error rules"));
    m_table->setModel(m_filter);
    m_table->setSortingEnabled(true);
    m_table->horizontalHeader()->setSortIndicatorClearable(true);
    m_table->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    m_filter->sort(-1);
    m_table->setColumnWidths({14, 6, 6, 25, 17, 16, 12});
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_empty->setTexts(tr("No rule yet. A rule says what an answer of one provider means: with this status and this text, what is it, and "
                         "what rests for how long?"),
                      tr("Add a rule"));
    m_empty->findChild<QPushButton*>(QStringLiteral("emptyAction"))->setObjectName(QStringLiteral("addFirstRule"));
    m_noMatch->setTexts(tr("No rule matches the filter."), tr("Show all"));
    m_noMatch->findChild<QPushButton*>(QStringLiteral("emptyAction"))->setObjectName(QStringLiteral("showAllRules"));
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_noMatch);
    m_stack->addWidget(m_table);
    m_table->setMinimumHeight(m_table->verticalHeader()->defaultSectionSize() * kShownRows);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 8, 0, 0);
    layout->setSpacing(8);
    layout->addLayout(tools);
    layout->addLayout(m_stack, 1);
    m_count->setObjectName(QStringLiteral("ruleCount"));
    layout->addWidget(m_count);
}

AnswerTester* RulesPanel::makeTester(QWidget* parent)
{
    m_tester = new AnswerTester(m_link, true, parent);
    m_tester->setObjectName(QStringLiteral("answerTester"));
    return m_tester;
}

void RulesPanel::takeConfiguration()
{
    if (!m_link.ready())
        return;
    const std::vector<std::size_t> places = selected();
    m_model->setConfiguration(m_link.configuration());
    if (places.size() == 1)
        select(std::min(places.front(), m_model->rules().empty() ? 0 : m_model->rules().size() - 1));
    if (m_tester)
        m_tester->setConfiguration(m_link.configuration());
    refresh();
}

std::vector<std::size_t> RulesPanel::selected() const
{
    std::vector<std::size_t> places;
    for (const QModelIndex& index : m_table->selectedRowsInOrder())
        places.push_back(static_cast<std::size_t>(m_filter->mapToSource(index).row()));
    std::sort(places.begin(), places.end());
    return places;
}

void RulesPanel::select(std::size_t place)
{
    const QModelIndex index = m_filter->mapFromSource(m_model->index(static_cast<int>(place), 0));
    if (!index.isValid())
        return;
    m_table->selectionModel()->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    m_table->scrollTo(index);
}

void RulesPanel::refresh()
{
    const ErrorRules& rules = m_model->rules();
    const bool none = rules.empty();
    QWidget* shown = m_table;
    if (none)
        shown = m_empty;
    else if (m_filter->rowCount() == 0)
        shown = m_noMatch;
    m_stack->setCurrentWidget(shown);
    const std::vector<std::size_t> places = selected();
    const bool one = places.size() == 1;
    m_add->setEnabled(rules.size() < kMostErrorRules);
    m_edit->setEnabled(one);
    m_up->setEnabled(one && withMovedErrorRule(rules, places.front(), true));
    m_down->setEnabled(one && withMovedErrorRule(rules, places.front(), false));
    m_delete->setEnabled(!places.empty());
    for (QWidget* tool : {static_cast<QWidget*>(m_edit), static_cast<QWidget*>(m_up), static_cast<QWidget*>(m_down),
                          static_cast<QWidget*>(m_delete), static_cast<QWidget*>(m_search), static_cast<QWidget*>(m_add)})
        tool->setVisible(!none);
    m_count->setVisible(!none);
    m_count->setText(tr("%1 of at most %2 rules, those of all providers together.")
                         .arg(numberText(static_cast<std::int64_t>(rules.size())), numberText(static_cast<std::int64_t>(kMostErrorRules))));
}

void RulesPanel::edit(std::optional<std::size_t> index)
{
    if (!m_link.ready())
        return;
    auto* dialog = new RuleDialog(m_link, index, this);
    connect(dialog, &RuleDialog::saved, this, [this](int place) {
        takeConfiguration();
        select(static_cast<std::size_t>(place));
        Q_EMIT messageRaised(tr("The rule is in force."));
    });
    dialog->open();
}

void RulesPanel::editCurrent()
{
    const std::vector<std::size_t> places = selected();
    if (places.size() == 1)
        edit(places.front());
}

void RulesPanel::duplicate()
{
    const std::vector<std::size_t> places = selected();
    if (places.size() != 1)
        return;
    std::size_t place = 0;
    const ErrorRules& rules = m_model->rules();
    const ErrorRules wanted = withErrorRule(rules, rules[places.front()], std::nullopt, place);
    send(errorRulesPatch(rules, wanted), [this, place] { select(place); });
}

void RulesPanel::moveRule(bool up)
{
    const std::vector<std::size_t> places = selected();
    if (places.size() != 1)
        return;
    const std::size_t place = places.front();
    if (const std::optional<ErrorRules> moved = withMovedErrorRule(m_model->rules(), place, up))
        send(errorRulesPatch(m_model->rules(), *moved), [this, place, up] { select(up ? place - 1 : place + 1); });
}

void RulesPanel::remove()
{
    const std::vector<std::size_t> places = selected();
    if (places.empty())
        return;
    const ErrorRules before = m_model->rules();
    ErrorRules left = before;
    for (auto place = places.rbegin(); place != places.rend(); ++place)
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(*place));
    const auto count = static_cast<std::int64_t>(places.size());
    // Taken back is what was deleted here, not what others changed since.
    const std::string undo = errorRulesPatch(left, before);
    send(errorRulesPatch(before, left), [this, undo, count] {
        const QString text = count == 1 ? tr("The rule is deleted.") : tr("%1 rules are deleted.").arg(numberText(count));
        Q_EMIT messageRaised(text, [this, undo] { send(undo, [] {}); });
    });
}

void RulesPanel::send(const std::string& patch, std::function<void()> done)
{
    if (patch.empty())
        return;
    m_link.ask<Settings>(
        this, [patch](Control& control, Reply<Settings> reply) { control.patchSettings(patch, std::move(reply)); },
        [this, done = std::move(done)](const Result<Settings>& result) {
            if (!result) {
                Q_EMIT messageRaised(errorText(result.error()));
                return;
            }
            takeConfiguration();
            done();
        });
}

void RulesPanel::showMenu(const QPoint& position)
{
    const bool one = selected().size() == 1;
    QMenu menu(this);
    menu.setObjectName(QStringLiteral("ruleMenu"));
    menu.addAction(tr("Add a rule…"), this, [this] { edit(std::nullopt); })->setEnabled(m_add->isEnabled());
    menu.addAction(tr("Edit…"), QKeySequence(Qt::Key_Return), this, &RulesPanel::editCurrent)->setEnabled(one);
    menu.addAction(tr("Duplicate"), this, &RulesPanel::duplicate)->setEnabled(one && m_add->isEnabled());
    menu.addSeparator();
    menu.addAction(tr("Earlier"), this, [this] { moveRule(true); })->setEnabled(m_up->isEnabled());
    menu.addAction(tr("Later"), this, [this] { moveRule(false); })->setEnabled(m_down->isEnabled());
    menu.addSeparator();
    menu.addAction(tr("Copy as text"), QKeySequence::Copy, m_table, &DataTable::copySelection);
    menu.addAction(tr("Delete"), QKeySequence::Delete, this, &RulesPanel::remove)->setEnabled(m_delete->isEnabled());
    menu.exec(m_table->viewport()->mapToGlobal(position));
}

}  // namespace omni
