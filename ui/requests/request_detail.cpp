#include "ui/requests/request_detail.h"

#include "ui/models/data_table.h"
#include "ui/models/display_text.h"
#include "ui/models/request_text.h"
#include "ui/models/state_delegate.h"
#include "ui/requests/attempts_model.h"
#include "ui/requests/headers_model.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/empty_state.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QStackedLayout>
#include <QTabBar>
#include <QVBoxLayout>

namespace omni {

RequestDetail::RequestDetail(QWidget* parent)
    : QWidget(parent), m_stack(new QStackedLayout(this)), m_note(new EmptyState(QStringLiteral("requests"), this)),
      m_attempts(new AttemptsModel(this)), m_headers(new HeadersModel(this))
{
    auto* content = new QWidget(this);
    m_attemptTable = new DataTable(content);
    m_attemptTable->setObjectName(QStringLiteral("attemptTable"));
    m_attemptTable->setAccessibleName(tr("Targets of the request"));
    m_attemptTable->setModel(m_attempts);
    m_attemptTable->setItemDelegateForColumn(AttemptsModel::Result, new StateDelegate(m_attemptTable));
    m_attemptTable->setItemDelegateForColumn(AttemptsModel::Phases, new WaterfallDelegate(m_attemptTable));
    m_attemptTable->setColumnWidths({23, 16, 24, 24, 9, 14});
    m_attemptTable->widenForStates(AttemptsModel::Result, {lookOf(Exclusion::ContextWindow, Colours()).word});
    m_attemptTable->horizontalHeader()->setStretchLastSection(false);
    m_attemptTable->horizontalHeader()->setSectionResizeMode(AttemptsModel::Phases, QHeaderView::Stretch);
    m_headerTable = new DataTable(content);
    m_headerTable->setObjectName(QStringLiteral("headerTable"));
    m_headerTable->setAccessibleName(tr("Headers of the request"));
    m_headerTable->setModel(m_headers);
    m_headerTable->setColumnWidths({10, 30, 60});
    for (DataTable* table : {m_attemptTable, m_headerTable}) {
        connect(table, &QWidget::customContextMenuRequested, this, [this, table](const QPoint& at) {
            QMenu menu(this);
            menu.addAction(tr("Copy as text"), QKeySequence::Copy, table, &DataTable::copySelection);
            menu.exec(table->viewport()->mapToGlobal(at));
        });
    }

    m_tabs = new QTabBar(content);
    m_tabs->setObjectName(QStringLiteral("detailTabs"));
    m_tabs->setAccessibleName(tr("Parts of the request"));
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->setStyleSheet(
        QStringLiteral("QTabBar { margin-left: 4px; } "
                       "QTabBar::tab { border: none; border-bottom: 2px solid transparent; padding: 4px 2px; margin: 0 8px; "
                       "color: palette(placeholder-text); } "
                       "QTabBar::tab:selected { color: palette(text); border-bottom-color: palette(highlight); } "
                       "QTabBar::tab:focus { color: palette(highlight); }"));
    m_tabs->addTab(tr("Targets"));
    m_tabs->addTab(tr("Headers"));
    m_tables = new QStackedLayout;
    m_tables->addWidget(m_attemptTable);
    m_tables->addWidget(m_headerTable);
    connect(m_tabs, &QTabBar::currentChanged, m_tables, &QStackedLayout::setCurrentIndex);

    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(1, 10, 1, 4);
    layout->setSpacing(8);
    layout->addWidget(buildHead());
    layout->addWidget(buildTools());
    layout->addLayout(m_tables, 1);
    m_stack->addWidget(m_note);
    m_stack->addWidget(content);
    setMinimumHeight(fontMetrics().height() * 9);
}

QWidget* RequestDetail::buildHead()
{
    auto* head = new QWidget(this);
    m_story = new QLabel(head);
    m_story->setObjectName(QStringLiteral("requestStory"));
    m_story->setWordWrap(true);
    m_story->setTextFormat(Qt::PlainText);
    m_story->setTextInteractionFlags(Qt::TextSelectableByMouse);
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    m_story->setFont(bold);
    m_facts = new QLabel(head);
    m_facts->setObjectName(QStringLiteral("requestFacts"));
    m_facts->setWordWrap(true);
    m_facts->setTextFormat(Qt::PlainText);
    m_facts->setForegroundRole(QPalette::PlaceholderText);  // the theme's muted text
    m_error = new ElidedLabel(head);
    m_error->setObjectName(QStringLiteral("requestError"));
    m_error->setForegroundRole(QPalette::BrightText);  // the theme's colour for what is bad

    auto* column = new QVBoxLayout(head);
    column->setContentsMargins(13, 0, 13, 0);
    column->setSpacing(2);
    column->addWidget(m_story);
    column->addWidget(m_facts);
    column->addWidget(m_error);
    return head;
}

QWidget* RequestDetail::buildTools()
{
    auto* bar = new QWidget(this);
    auto* text = new QPushButton(tr("Copy as text"), bar);
    text->setObjectName(QStringLiteral("copyText"));
    auto* curl = new QPushButton(tr("Copy as curl"), bar);
    curl->setObjectName(QStringLiteral("copyCurl"));
    curl->setToolTip(tr("A shell command that asks the same way. Its key and its prompt stand as placeholders: neither is kept."));
    m_connection = new QPushButton(tr("Open connection"), bar);
    m_connection->setObjectName(QStringLiteral("openConnection"));
    connect(text, &QPushButton::clicked, this, &RequestDetail::copyText);
    connect(curl, &QPushButton::clicked, this, &RequestDetail::copyCurl);
    connect(m_connection, &QPushButton::clicked, this, [this] {
        if (m_record)
            Q_EMIT connectionRequested(toQString(m_record->connection.str()));
    });
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 13, 0);
    row->setSpacing(8);
    row->addWidget(m_tabs);
    row->addStretch();
    for (QPushButton* button : {text, curl, m_connection})
        row->addWidget(button);
    return bar;
}

QString RequestDetail::factsOf(const RequestRecord& record) const
{
    QStringList facts;
    facts << exactTimeText(record.startedAt) << toQString(record.method + " " + record.path);
    if (!record.combo.empty())
        facts << tr("combo %1").arg(toQString(record.combo));
    if (record.stream)
        facts << tr("stream");
    if (record.addedUs >= 0)
        facts << tr("added by us %1").arg(durationText(record.addedUs));
    if (record.firstFrameUs >= 0)
        facts << tr("first token %1").arg(durationText(record.firstFrameUs));
    if (record.tokensIn >= 0 || record.tokensOut >= 0)
        facts << tr("tokens %1").arg(tokensText(record));
    if (!record.apiKeyName.empty())
        facts << tr("key %1").arg(toQString(record.apiKeyName));
    if (!record.client.empty())
        facts << toQString(record.client);
    facts << tr("request %1").arg(toQString(record.id.str()));
    return facts.join(QStringLiteral("  ·  "));
}

void RequestDetail::showRecord(const RequestRecord& record, ConfigurationPtr configuration, const std::string& baseUrl)
{
    m_record = record;
    m_configuration = std::move(configuration);
    m_baseUrl = baseUrl;
    m_story->setText(storyOf(record, m_configuration.get()));
    m_facts->setText(factsOf(record));
    m_error->setText(coreText(record.error));
    m_error->setVisible(!record.error.empty());
    m_connection->setVisible(!record.connection.empty());
    m_attempts->setRecord(record, m_configuration);
    m_headers->setRecord(record);
    m_tabs->setTabText(0, record.excluded.empty() ? tr("Targets (%1)").arg(numberText(static_cast<std::int64_t>(record.attempts.size())))
                                                  : tr("Targets (%1 tried, %2 left out)")
                                                        .arg(numberText(static_cast<std::int64_t>(record.attempts.size())),
                                                             numberText(static_cast<std::int64_t>(record.excluded.size()))));
    m_tabs->setTabText(1, tr("Headers (%1)").arg(numberText(m_headers->rowCount())));
    m_stack->setCurrentIndex(1);
}

void RequestDetail::showNote(const QString& sentence)
{
    m_record.reset();
    m_attempts->clear();
    m_headers->clear();
    m_note->setTexts(sentence);
    m_stack->setCurrentIndex(0);
}

void RequestDetail::copyText() const
{
    if (!m_record)
        return;
    QApplication::clipboard()->setText(requestAsText(*m_record, m_configuration.get()));
    Q_EMIT copied(tr("The request was copied as text."));
}

void RequestDetail::copyCurl() const
{
    if (!m_record)
        return;
    QApplication::clipboard()->setText(requestAsCurl(*m_record, m_baseUrl));
    Q_EMIT copied(tr("The request was copied as a curl command."));
}

}  // namespace omni
