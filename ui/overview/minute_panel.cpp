#include "ui/overview/minute_panel.h"

#include "ui/models/data_table.h"
#include "ui/models/display_text.h"
#include "ui/models/state_delegate.h"
#include "ui/overview/minute_model.h"
#include "ui/theme/theme.h"
#include "ui/widgets/quiet_label.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QStringList>
#include <QVBoxLayout>

namespace omni {

MinutePanel::MinutePanel(QWidget* parent)
    : QWidget(parent), m_table(new DataTable(this)), m_nothing(new QuietLabel(this)), m_model(new MinuteModel(this))
{
    setObjectName(QStringLiteral("minutePanel"));
    auto* title = new QLabel(tr("What moved the breakers in this minute"), this);
    QFont bold = title->font();
    bold.setBold(true);
    title->setFont(bold);
    auto* close = new QPushButton(tr("Back to the charts"), this);
    close->setObjectName(QStringLiteral("minuteClose"));
    close->setProperty("quiet", true);
    m_table->setObjectName(QStringLiteral("minuteTable"));
    m_table->setAccessibleName(tr("What moved the breakers in this minute"));
    m_table->setModel(m_model);
    m_table->setItemDelegateForColumn(MinuteModel::What, new StateDelegate(m_table));
    m_table->setColumnWidths({10, 12, 34, 11, 13});
    m_nothing->setObjectName(QStringLiteral("minuteNothing"));
    m_nothing->setText(tr("No request moved a breaker in this minute."));
    m_nothing->setAlignment(Qt::AlignCenter);

    auto* head = new QHBoxLayout;
    head->addWidget(title, 1);
    head->addWidget(close);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(8);
    layout->addLayout(head);
    layout->addWidget(m_table, 1);
    layout->addWidget(m_nothing, 1);
    connect(close, &QPushButton::clicked, this, &MinutePanel::closeRequested);
    connect(m_table, &DataTable::clicked, this, &MinutePanel::choose);
    connect(m_table, &DataTable::activated, this, &MinutePanel::choose);
}

void MinutePanel::choose(const QModelIndex& index)
{
    if (const RequestId id = m_model->requestAt(index.row()); !id.empty())
        Q_EMIT requestChosen(id);
}

QString MinutePanel::sentenceOf(const PastMinute& minute, const Configuration* configuration)
{
    QStringList standing;
    bool known = false;
    for (const ProviderMinute& provider : minute.providers) {
        known = known || provider.state.has_value();
        if (provider.state && *provider.state != BreakerState::Closed) {
            standing << tr("%1 %2", "provider, state").arg(providerText(configuration, provider.provider),
                                                           lookOf(*provider.state, Colours()).word);
        }
    }
    const QString states = !known ? tr("how the breakers stood is not known")
                           : standing.isEmpty() ? tr("every breaker closed")
                                                : standing.join(QStringLiteral(", "));
    if (!minute.whole)
        return tr("%1; attempts failed: at least %2, answered: at least %3").arg(states, numberText(minute.failed()), numberText(minute.answered()));
    return tr("%1; attempts failed: %2, answered: %3").arg(states, numberText(minute.failed()), numberText(minute.answered()));
}

void MinutePanel::showMinute(const PastMinute& minute, const ConfigurationPtr& configuration)
{
    m_model->setMinute(minute, configuration);
    const bool any = m_model->rowCount() > 0;
    m_table->setVisible(any);
    m_nothing->setVisible(!any);
}

}  // namespace omni
