#include "ui/usage/prices_dialog.h"

#include "control/validation.h"
#include "ui/core_link.h"
#include "ui/models/data_table.h"
#include "ui/models/display_text.h"
#include "ui/settings/number_text.h"
#include "ui/usage/prices_model.h"
#include "ui/widgets/field_error_label.h"
#include "ui/widgets/quiet_label.h"
#include "ui/widgets/search_field.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QVBoxLayout>

namespace omni {

PricesDialog::PricesDialog(CoreLink& link, const std::vector<PricedModel>& used, QWidget* parent)
    : QDialog(parent), m_link(link), m_model(new PricesModel(this)), m_sorted(new QSortFilterProxyModel(this)),
      m_search(new SearchField(this)), m_table(new DataTable(this))
{
    setObjectName(QStringLiteral("pricesDialog"));
    setWindowTitle(tr("Prices of models"));
    m_model->setUsed(used);
    m_model->setConfiguration(link.configuration());
    buildTable();
    auto* note = new QuietLabel(tr("In US dollars for a million tokens, as your provider bills them. OmniRoute knows no prices of its own: "
                                   "what has none is left out of the estimate and marked."),
                                this);
    note->setWordWrap(true);
    auto* close = new QPushButton(tr("Close"), this);
    close->setObjectName(QStringLiteral("pricesClose"));
    close->setAutoDefault(false);
    m_done = new QLabel(this);
    m_done->setObjectName(QStringLiteral("pricesDone"));
    m_done->setWordWrap(true);
    m_done->setForegroundRole(QPalette::PlaceholderText);  // the theme's muted text
    auto* footer = new QHBoxLayout;
    footer->addWidget(m_done, 1);
    footer->addWidget(close);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 20, 20, 16);
    layout->setSpacing(12);
    layout->addWidget(note);
    layout->addWidget(m_search);
    layout->addWidget(m_table, 1);
    layout->addWidget(buildEditor());
    layout->addLayout(footer);
    const int line = fontMetrics().height();
    resize(line * 42, line * 32);

    connect(close, &QPushButton::clicked, this, &QDialog::accept);
    connect(&link, &CoreLink::configurationChanged, this, [this] { m_model->setConfiguration(m_link.configuration()); });
    if (m_sorted->rowCount() > 0)
        m_table->selectRow(0);
    showSelected();
}

void PricesDialog::buildTable()
{
    m_search->setObjectName(QStringLiteral("pricesFilter"));
    m_search->setPlaceholderText(tr("Filter"));
    m_search->setAccessibleName(tr("Filter the models"));
    m_sorted->setSourceModel(m_model);
    m_sorted->setSortRole(PricesModel::SortRole);
    m_sorted->setSortLocaleAware(true);
    m_sorted->setFilterKeyColumn(-1);
    m_sorted->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_table->setObjectName(QStringLiteral("pricesTable"));
    m_table->setAccessibleName(tr("Models"));
    m_table->setModel(m_sorted);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(PricesModel::Input, Qt::AscendingOrder);  // what lacks a price comes first
    m_table->setColumnWidths({28, 16, 11, 13, 11});
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString& text) { m_sorted->setFilterFixedString(text.trimmed()); });
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &PricesDialog::showSelected);
    connect(m_table, &DataTable::deletePressed, this, &PricesDialog::remove);
    connect(m_table, &DataTable::activated, this, [this] { m_input.edit->setFocus(); });
    m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
    auto* copy = new QAction(tr("Copy as text"), m_table);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    connect(copy, &QAction::triggered, m_table, &DataTable::copySelection);
    m_table->addAction(copy);
}

PricesDialog::Field PricesDialog::addField(const char* name, const QString& label, const QString& hint, QWidget* parent)
{
    auto* edit = new QLineEdit(parent);
    edit->setObjectName(QLatin1String(name));
    edit->setAccessibleName(label);
    edit->setPlaceholderText(hint);
    connect(edit, &QLineEdit::textEdited, this, &PricesDialog::check);
    return {edit, new FieldErrorLabel(edit, parent)};
}

QWidget* PricesDialog::buildEditor()
{
    auto* editor = new QWidget(this);
    m_subject = new QLabel(editor);
    m_subject->setObjectName(QStringLiteral("pricesSubject"));
    m_subject->setTextFormat(Qt::PlainText);
    m_subject->setWordWrap(true);
    m_input = addField("priceInput", tr("Input"), {}, editor);
    m_cached = addField("priceCached", tr("Cached input"), tr("as input", "price of cached input"), editor);
    m_output = addField("priceOutput", tr("Output"), {}, editor);
    auto* row = new QHBoxLayout;
    row->setSpacing(12);
    for (const Field* field : {&m_input, &m_cached, &m_output}) {
        auto* column = new QVBoxLayout;
        column->setSpacing(4);
        auto* label = new QLabel(field->edit->accessibleName(), editor);
        label->setBuddy(field->edit);
        column->addWidget(label);
        column->addWidget(field->edit);
        column->addWidget(field->error);
        column->addStretch();
        row->addLayout(column, 1);
    }
    m_save = new QPushButton(tr("Save price"), editor);
    m_save->setObjectName(QStringLiteral("priceSave"));
    m_save->setProperty("primary", true);
    m_save->setDefault(true);
    m_remove = new QPushButton(tr("Remove price"), editor);
    m_remove->setObjectName(QStringLiteral("priceRemove"));
    m_remove->setAutoDefault(false);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addStretch();
    buttons->addWidget(m_remove);
    buttons->addWidget(m_save);
    auto* layout = new QVBoxLayout(editor);
    layout->setContentsMargins({});
    layout->setSpacing(8);
    layout->addWidget(m_subject);
    layout->addLayout(row);
    layout->addLayout(buttons);
    connect(m_save, &QPushButton::clicked, this, &PricesDialog::save);
    connect(m_remove, &QPushButton::clicked, this, &PricesDialog::remove);
    return editor;
}

void PricesDialog::select(const std::vector<PricedModel>& models)
{
    if (models.empty())
        return;
    m_model->setUsed(models);
    m_search->clear();
    m_table->clearSelection();
    for (const PricedModel& model : models) {
        const QModelIndex index = m_sorted->mapFromSource(m_model->index(m_model->rowOf(model), 0));
        m_table->selectionModel()->select(index, QItemSelectionModel::Select | QItemSelectionModel::Rows);
        m_table->scrollTo(index);
    }
    m_input.edit->setFocus();
}

std::vector<PricedModel> PricesDialog::selected() const
{
    std::vector<PricedModel> models;
    for (const QModelIndex& index : m_table->selectedRowsInOrder()) {
        if (const PricedModel* model = m_model->modelAt(m_sorted->mapToSource(index).row()))
            models.push_back(*model);
    }
    return models;
}

void PricesDialog::showSelected()
{
    const std::vector<PricedModel> models = selected();
    std::optional<ModelPrice> price;
    if (!models.empty())
        price = m_model->priceAt(m_model->rowOf(models.front()));
    for (const PricedModel& model : models) {
        // Different prices are nobody's: the fields stay empty until something is typed for all of them.
        const std::optional<ModelPrice> other = m_model->priceAt(m_model->rowOf(model));
        if (!price || !other || other->input != price->input || other->output != price->output || other->cached != price->cached)
            price.reset();
    }
    if (models.empty())
        m_subject->setText(m_model->rowCount() == 0 ? tr("No model has been used yet. Those that were are listed here.")
                                                    : tr("Choose the models to enter a price for."));
    else if (models.size() == 1)
        m_subject->setText(tr("Price of %1").arg(toQString(models.front().model)));
    else
        m_subject->setText(tr("One price for %1 models").arg(numberText(static_cast<std::int64_t>(models.size()))));
    const auto fill = [](const Field& field, std::optional<double> value) {
        field.edit->setText(value ? decimalText(*value, 6) : QString());
    };
    fill(m_input, price ? std::optional(price->input) : std::nullopt);
    fill(m_cached, price ? price->cached : std::nullopt);
    fill(m_output, price ? std::optional(price->output) : std::nullopt);
    m_done->clear();
    check();
}

std::optional<ModelPrice> PricesDialog::typed() const
{
    const std::optional<double> input = typedDecimal(m_input.edit->text());
    const std::optional<double> output = typedDecimal(m_output.edit->text());
    const bool plain = m_cached.edit->text().trimmed().isEmpty();
    const std::optional<double> cached = plain ? std::nullopt : typedDecimal(m_cached.edit->text());
    if (!input || !output || (!plain && !cached))
        return std::nullopt;
    return ModelPrice{ProviderId("any"), "any", *input, *output, cached};
}

void PricesDialog::check()
{
    const auto tellWrong = [](const Field& field) {
        const QString text = field.edit->text().trimmed();
        field.error->setError(text.isEmpty() || typedDecimal(text) ? QString() : tr("A number, such as 1.25."));
    };
    for (const Field* field : {&m_input, &m_cached, &m_output})
        tellWrong(*field);
    const std::optional<ModelPrice> price = typed();
    bool fits = price.has_value();
    if (price) {
        for (const FieldError& problem : validatePrice(*price)) {
            const Field& field = problem.field == "input" ? m_input : problem.field == "output" ? m_output : m_cached;
            field.error->setError(coreText(problem.message));
            fits = false;
        }
    }
    const std::vector<PricedModel> models = selected();
    for (const Field* field : {&m_input, &m_cached, &m_output})
        field->edit->setEnabled(!models.empty());
    m_save->setEnabled(fits && !models.empty());
    bool any = false;
    for (const PricedModel& model : models)
        any = any || m_model->priceAt(m_model->rowOf(model)).has_value();
    m_remove->setEnabled(any);
}

void PricesDialog::save()
{
    const std::optional<ModelPrice> price = typed();
    if (!price || !m_save->isEnabled())
        return;
    std::vector<ModelPrice> prices;
    for (const PricedModel& model : selected())
        prices.push_back({model.provider, model.model, price->input, price->output, price->cached});
    m_link.ask<int>(
        this, [prices](Control& control, Reply<int> reply) { control.savePrices(prices, std::move(reply)); },
        [this](const Result<int>& saved) {
            check();
            if (!saved)
                tell(errorText(saved.error()));
            else
                tell(*saved == 1 ? tr("Saved. The estimate counts with it now.") : tr("Saved for %1 models.").arg(numberText(*saved)));
        });
}

void PricesDialog::remove()
{
    const std::vector<PricedModel> models = selected();
    if (models.empty())
        return;
    m_link.ask<int>(
        this, [models](Control& control, Reply<int> reply) { control.removePrices(models, std::move(reply)); },
        [this](const Result<int>& removed) {
            if (removed)
                showSelected();
            tell(removed ? tr("Removed. Without a price it is left out of the estimate.") : errorText(removed.error()));
        });
}

void PricesDialog::tell(const QString& text)
{
    m_done->setText(text);
}

}  // namespace omni
