#include "ui/combos/combo_dialog.h"

#include "model/routing_config.h"
#include "ui/combos/model_choice.h"
#include "ui/combos/route_text.h"
#include "ui/combos/targets_model.h"
#include "ui/core_link.h"
#include "ui/models/display_text.h"
#include "ui/models/reorder_table.h"
#include "ui/models/state_delegate.h"
#include "ui/widgets/card.h"
#include "ui/widgets/field_error_label.h"
#include "ui/widgets/quiet_label.h"
#include "ui/widgets/search_field.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace omni {

namespace {

QWidget* framed(QWidget* table, QWidget* parent)
{
    auto* card = new Card(parent);
    card->layout()->setContentsMargins(1, 4, 1, 4);
    card->body()->addWidget(table);
    return card;
}

QPushButton* button(const QString& text, const char* name, QWidget* parent)
{
    auto* made = new QPushButton(text, parent);
    made->setObjectName(QLatin1String(name));
    made->setAutoDefault(false);
    return made;
}

}  // namespace

void ComboDialog::build()
{
    const int line = fontMetrics().height();
    QWidget* chooser = buildChooser();
    chooser->setFixedWidth(line * 22);
    auto* middle = new QHBoxLayout;
    middle->setSpacing(24);
    middle->addWidget(chooser);
    middle->addWidget(buildForm(), 1);

    m_problem = new QLabel(this);
    m_problem->setObjectName(QStringLiteral("comboProblem"));
    m_problem->setWordWrap(true);
    m_problem->setTextFormat(Qt::PlainText);
    QPushButton* cancel = button(tr("Cancel"), "comboCancel", this);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    m_save = button(tr("Save"), "comboSave", this);
    m_save->setProperty("primary", true);
    m_save->setDefault(true);
    auto* footer = new QHBoxLayout;
    footer->setSpacing(8);
    footer->addWidget(m_problem, 1);
    footer->addWidget(cancel);
    footer->addWidget(m_save);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 20, 20, 16);
    layout->setSpacing(16);
    layout->addLayout(middle, 1);
    layout->addLayout(footer);
    resize(line * 60, line * 34);
}

QWidget* ComboDialog::buildChooser()
{
    auto* side = new QWidget(this);
    m_search = new SearchField(side);
    m_search->setObjectName(QStringLiteral("modelSearch"));
    m_search->setPlaceholderText(tr("Find a model or a provider"));
    m_search->setAccessibleName(tr("Find a model or a provider"));
    m_choice = new ModelChoice(this);
    m_models = new DataTable(side);
    m_models->setObjectName(QStringLiteral("modelChoice"));
    m_models->setAccessibleName(tr("Models"));
    m_models->setModel(m_choice);
    m_models->setColumnWidths({24, 14});
    m_add = button(tr("Add to the combo"), "addTarget", side);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins({});
    column->setSpacing(8);
    column->addWidget(m_search);
    column->addWidget(framed(m_models, side), 1);
    column->addWidget(m_add, 0, Qt::AlignRight);
    return side;
}

QWidget* ComboDialog::buildForm()
{
    auto* side = new QWidget(this);
    m_name = new QLineEdit(side);
    m_name->setObjectName(QStringLiteral("comboName"));
    m_name->setAccessibleName(tr("Name"));
    m_name->setPlaceholderText(tr("Such as: coding"));
    m_name->setMaxLength(200);
    m_nameError = new FieldErrorLabel(m_name, side);
    m_nameError->setObjectName(QStringLiteral("comboNameError"));
    m_strategy = new QComboBox(side);
    m_strategy->setObjectName(QStringLiteral("comboStrategy"));
    m_strategy->setAccessibleName(tr("Strategy"));
    for (const std::string_view strategy : kComboStrategies)
        m_strategy->addItem(strategyText(std::string(strategy)), toQString(strategy));
    if (m_strategy->findData(toQString(m_original.strategy)) < 0)
        m_strategy->addItem(strategyText(m_original.strategy), toQString(m_original.strategy));
    m_strategyError = new FieldErrorLabel(m_strategy, side);

    const auto with = [side](QWidget* input, QWidget* error) {
        auto* box = new QWidget(side);
        auto* column = new QVBoxLayout(box);
        column->setContentsMargins({});
        column->setSpacing(4);
        column->addWidget(input);
        column->addWidget(error);
        return box;
    };
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(16);
    form->setVerticalSpacing(12);
    form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    form->addRow(tr("Name"), with(m_name, m_nameError));
    form->addRow(tr("Strategy"), with(m_strategy, m_strategyError));

    m_targets = new TargetsModel(m_link.configuration(), this);
    m_table = new ReorderTable(side);
    m_table->setObjectName(QStringLiteral("comboTargets"));
    m_table->setAccessibleName(tr("Targets of the combo"));
    m_table->setModel(m_targets);
    m_table->setItemDelegateForColumn(TargetsModel::Problem, new StateDelegate(m_table));
    m_table->setColumnWidths({4, 18, 16, 20});
    m_targetsError = new FieldErrorLabel(m_table, side);
    m_targetsError->setObjectName(QStringLiteral("comboTargetsError"));
    auto* note = new QuietLabel(tr("Tried from the top until one answers. Drag a target, or move it with Alt and the arrow keys."), side);
    note->setWordWrap(true);

    auto* column = new QVBoxLayout(side);
    column->setContentsMargins({});
    column->setSpacing(8);
    column->addLayout(form);
    column->addWidget(note);
    column->addWidget(framed(m_table, side), 1);
    column->addWidget(m_targetsError);
    column->addWidget(buildTools());
    return side;
}

QWidget* ComboDialog::buildTools()
{
    auto* bar = new QWidget(this);
    m_pin = new QComboBox(bar);
    m_pin->setObjectName(QStringLiteral("pinConnection"));
    m_pin->setAccessibleName(tr("Connection of the chosen targets"));
    m_pin->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_up = button(tr("Up"), "targetUp", bar);
    m_up->setAccessibleName(tr("Move the target up"));
    m_down = button(tr("Down"), "targetDown", bar);
    m_down->setAccessibleName(tr("Move the target down"));
    m_remove = button(tr("Remove"), "targetRemove", bar);
    m_remove->setAccessibleName(tr("Remove the target"));
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins({});
    row->setSpacing(8);
    row->addWidget(m_pin, 1);
    row->addWidget(m_up);
    row->addWidget(m_down);
    row->addWidget(m_remove);
    return bar;
}

}  // namespace omni
