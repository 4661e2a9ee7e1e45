#include "ui/combos/combo_dialog.h"

#include "control/validation.h"
#include "routing/target_check.h"
#include "ui/combos/model_choice.h"
#include "ui/combos/targets_model.h"
#include "ui/core_link.h"
#include "ui/models/display_text.h"
#include "ui/models/reorder_table.h"
#include "ui/widgets/field_error_label.h"
#include "ui/widgets/search_field.h"

#include <QComboBox>
#include <QItemSelectionModel>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>

#include <algorithm>

namespace omni {

ComboDialog::ComboDialog(CoreLink& link, std::optional<Combo> combo, QWidget* parent) : QDialog(parent), m_link(link)
{
    setObjectName(QStringLiteral("comboDialog"));
    if (combo)
        m_original = *combo;
    setWindowTitle(m_original.id.empty() ? tr("Add a combo") : tr("Edit combo"));
    build();

    m_name->setText(toQString(m_original.name));
    m_strategy->setCurrentIndex(std::max(0, m_strategy->findData(toQString(m_original.strategy))));
    m_targets->setTargets(m_original.targets);
    m_targetsTouched = false;
    m_choice->setConfiguration(*link.configuration());
    m_search->installEventFilter(this);

    connect(m_search, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_choice->setText(text);
        m_models->scrollToTop();
        refreshAdd();
    });
    connect(m_models->selectionModel(), &QItemSelectionModel::selectionChanged, this, &ComboDialog::refreshAdd);
    connect(m_choice, &QAbstractItemModel::modelReset, this, &ComboDialog::refreshAdd);
    connect(m_models, &DataTable::activated, this, &ComboDialog::addChosen);
    connect(m_add, &QPushButton::clicked, this, &ComboDialog::addChosen);
    connect(m_name, &QLineEdit::textEdited, this, [this] {
        m_nameTouched = true;
        check();
    });
    connect(m_strategy, &QComboBox::currentIndexChanged, this, &ComboDialog::check);
    connect(m_targets, &TargetsModel::changed, this, [this] {
        m_targetsTouched = true;
        check();
    });
    connect(m_table, &ReorderTable::moveWanted, this, &ComboDialog::moveTo);
    connect(m_table, &DataTable::deletePressed, this, &ComboDialog::removeSelected);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &ComboDialog::refreshPin);
    connect(m_targets, &QAbstractItemModel::layoutChanged, this, &ComboDialog::refreshPin);
    connect(m_pin, &QComboBox::activated, this, &ComboDialog::pin);
    connect(m_up, &QPushButton::clicked, this, [this] { moveSelected(-1); });
    connect(m_down, &QPushButton::clicked, this, [this] { moveSelected(1); });
    connect(m_remove, &QPushButton::clicked, this, &ComboDialog::removeSelected);
    connect(m_save, &QPushButton::clicked, this, &ComboDialog::save);
    connect(&link, &CoreLink::configurationChanged, this, [this] {
        // While it is being saved, what it becomes is announced before the answer is here.
        if (m_busy)
            return;
        m_targets->setConfiguration(m_link.configuration());
        check();
        refreshPin();
    });
    m_name->setFocus();
    m_name->selectAll();
    check();
    refreshPin();
    refreshAdd();
}

Combo ComboDialog::draft() const
{
    Combo combo = m_original;
    combo.name = toUtf8(m_name->text().trimmed());
    combo.strategy = toUtf8(m_strategy->currentData().toString());
    combo.targets = m_targets->targets();
    return combo;
}

void ComboDialog::check()
{
    m_refusal.clear();
    m_errors = validateCombo(draft(), *m_link.configuration());
    showErrors();
}

void ComboDialog::showErrors()
{
    const auto of = [this](std::string_view field) {
        const auto found =
            std::find_if(m_errors.begin(), m_errors.end(), [field](const FieldError& error) { return error.field == field; });
        return found == m_errors.end() ? QString() : coreText(found->message);
    };
    m_nameError->setError(m_nameTouched ? of("name") : QString());
    m_strategyError->setError(of("strategy"));
    m_targetsError->setError(m_targetsTouched ? of("models") : QString());
    m_targets->setErrors(m_errors);
    refreshFooter();
}

void ComboDialog::refreshFooter()
{
    m_save->setText(m_busy ? tr("Saving…") : tr("Save"));
    m_save->setEnabled(m_errors.empty() && !m_busy);
    // The theme's muted text, or its colour for what is bad.
    m_problem->setForegroundRole(m_refusal.isEmpty() ? QPalette::PlaceholderText : QPalette::BrightText);
    QString text = m_refusal;
    if (text.isEmpty() && !m_errors.empty()) {
        const bool onlyOpen = m_nameError->error().isEmpty() && m_targetsError->error().isEmpty();
        if (m_name->text().trimmed().isEmpty())
            text = onlyOpen ? tr("A name is missing.") : QString();
        else if (m_targets->targets().empty())
            text = onlyOpen ? tr("Add at least one model.") : QString();
        else if (onlyOpen)
            text = tr("A target cannot be saved as it stands.");
    }
    m_problem->setText(text);
}

void ComboDialog::refreshAdd()
{
    m_add->setEnabled(m_models->selectionModel()->hasSelection() || (!m_search->text().isEmpty() && m_choice->rowCount() > 0));
}

void ComboDialog::addChosen()
{
    QModelIndexList rows = m_models->selectedRowsInOrder();
    // Typing and Enter take the best match.
    if (rows.isEmpty() && !m_search->text().isEmpty() && m_choice->rowCount() > 0)
        rows << m_choice->index(0, 0);
    for (const QModelIndex& row : std::as_const(rows)) {
        const auto choice = m_choice->choiceAt(row.row());
        if (!choice)
            continue;
        ComboTarget target;
        target.provider = choice->provider;
        target.model = choice->model;
        m_targets->append(std::move(target));
    }
    if (rows.isEmpty())
        return;
    m_table->selectRow(m_targets->rowCount() - 1);
    m_table->scrollToBottom();
}

std::vector<int> ComboDialog::selected() const
{
    std::vector<int> rows;
    for (const QModelIndex& index : m_table->selectedRowsInOrder())
        rows.push_back(index.row());
    return rows;
}

void ComboDialog::removeSelected()
{
    const std::vector<int> rows = selected();
    if (rows.empty())
        return;
    m_targets->remove(rows);
    if (m_targets->rowCount() > 0)
        m_table->selectRow(std::min(rows.front(), m_targets->rowCount() - 1));
    refreshPin();
}

void ComboDialog::moveSelected(int by)
{
    const std::vector<int> rows = selected();
    if (rows.empty())
        return;
    const int before = by < 0 ? rows.front() - 1 : rows.back() + 2;
    if (before >= 0 && before <= m_targets->rowCount())
        moveTo(rows, before);
}

void ComboDialog::moveTo(const std::vector<int>& rows, int before)
{
    const int first = m_targets->move(rows, before);
    m_table->selectionModel()->setCurrentIndex(m_targets->index(first, 0), QItemSelectionModel::NoUpdate);
    m_table->scrollTo(m_targets->index(first, 0));
}

void ComboDialog::refreshPin()
{
    const std::vector<int> rows = selected();
    const QSignalBlocker blocker(m_pin);
    m_pin->clear();
    m_remove->setEnabled(!rows.empty());
    m_up->setEnabled(!rows.empty() && rows.front() > 0);
    m_down->setEnabled(!rows.empty() && rows.back() + 1 < m_targets->rowCount());
    const auto target = [this](int row) -> const ComboTarget& { return m_targets->targets()[static_cast<std::size_t>(row)]; };
    const bool one = !rows.empty() &&
                     std::all_of(rows.begin(), rows.end(), [&](int row) { return target(row).provider == target(rows.front()).provider; });
    m_pin->setEnabled(one);
    if (!one) {
        m_pin->addItem(rows.empty() ? tr("Choose a target above") : tr("Targets of several providers"));
        return;
    }
    const ComboTarget& first = target(rows.front());
    const Configuration& configuration = *m_link.configuration();
    m_pin->addItem(tr("Any connection of %1").arg(providerText(&configuration, first.provider)), QString());
    const TargetCheck check(configuration);
    for (const Connection* connection : check.connectionsOf(first.provider))
        m_pin->addItem(tr("Only “%1”").arg(toQString(connection->name)), toQString(connection->id.str()));
    if (!first.connection)
        return;
    const QString id = toQString(first.connection->str());
    if (m_pin->findData(id) < 0)
        m_pin->addItem(tr("A connection that does not exist any more"), id);
    m_pin->setCurrentIndex(m_pin->findData(id));
}

void ComboDialog::pin(int choice)
{
    const QString id = m_pin->itemData(choice).toString();
    m_targets->pin(selected(), id.isEmpty() ? std::nullopt : std::optional<ConnectionId>(ConnectionId(toUtf8(id))));
}

void ComboDialog::save()
{
    m_nameTouched = m_targetsTouched = true;
    check();
    if (m_busy || !m_errors.empty())
        return;
    m_busy = true;
    refreshFooter();
    m_link.ask<Combo>(
        this, [combo = draft()](Control& control, const Reply<Combo>& reply) { control.saveCombo(combo, reply); },
        [this](const Result<Combo>& result) {
            m_busy = false;
            if (!result) {
                m_errors = result.error().details;
                m_refusal = coreText(result.error().message);
                showErrors();
                return;
            }
            Q_EMIT saved(*result);
            accept();
        });
}

bool ComboDialog::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_search && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Down && m_choice->rowCount() > 0) {
            if (!m_models->selectionModel()->hasSelection())
                m_models->selectRow(0);
            m_models->setFocus(Qt::TabFocusReason);
            return true;
        }
        if (key == Qt::Key_Return || key == Qt::Key_Enter) {
            addChosen();
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

}  // namespace omni
