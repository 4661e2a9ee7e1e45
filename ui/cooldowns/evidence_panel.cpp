#include "ui/cooldowns/evidence_panel.h"

#include "ui/cooldowns/code_label.h"
#include "ui/cooldowns/hour_bar.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/countdown_label.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/quiet_label.h"
#include "ui/widgets/state_label.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace omni {

namespace {

constexpr int kRuleWidth = 2;
constexpr int kRuleGap = 14;
constexpr int kNarrowest = 250;

/// The facts beneath each other, beside a thin line that holds them together.
class FactList final : public QWidget {
public:
    using QWidget::QWidget;

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        const int left = layoutDirection() == Qt::RightToLeft ? width() - kRuleWidth : 0;
        painter.fillRect(QRect(left, 0, kRuleWidth, height()), coloursFor(palette()).border);
    }
};

void empty(QVBoxLayout* layout)
{
    while (QLayoutItem* item = layout->takeAt(0)) {
        if (QWidget* widget = item->widget()) {
            widget->hide();
            widget->deleteLater();
        }
        delete item;
    }
}

QLabel* plainLabel(const QString& text, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

QWidget* factWidget(const HoldFact& fact, QWidget* parent)
{
    auto* block = new QWidget(parent);
    block->setObjectName(QStringLiteral("holdFact"));
    block->setAccessibleName(QStringLiteral("%1: %2 %3").arg(fact.label, fact.value, fact.code));
    auto* column = new QVBoxLayout(block);
    column->setContentsMargins({});
    column->setSpacing(2);
    column->addWidget(new QuietLabel(fact.label, block));
    if (!fact.value.isEmpty())
        column->addWidget(plainLabel(fact.value, block));
    if (!fact.code.isEmpty())
        column->addWidget(new CodeLabel(fact.code, block));
    return block;
}

QWidget* eventWidget(const HoldEvent& event, QWidget* parent)
{
    auto* line = new QWidget(parent);
    line->setObjectName(QStringLiteral("holdEvent"));
    line->setAccessibleName(QStringLiteral("%1 %2").arg(timeText(event.at), event.text));
    auto* shape = new StateLabel(line);
    shape->setShapeOnly(true);
    shape->setState(event.look);
    auto* time = new QuietLabel(timeText(event.at), line);
    time->setFont(tabularFont(time->font()));
    auto* row = new QHBoxLayout(line);
    row->setContentsMargins({});
    row->setSpacing(6);
    row->addWidget(shape);
    row->addWidget(time);
    row->addWidget(new ElidedLabel(event.text, line), 1);
    return line;
}

}  // namespace

EvidencePanel::EvidencePanel(QWidget* parent) : QWidget(parent), m_stack(new QStackedLayout(this)), m_note(new QuietLabel(this))
{
    m_note->setObjectName(QStringLiteral("holdNote"));
    m_note->setWordWrap(true);
    m_note->setAlignment(Qt::AlignCenter);
    m_note->setTextFormat(Qt::PlainText);
    auto* told = new QWidget(this);
    auto* column = new QVBoxLayout(told);
    column->setContentsMargins({});
    column->setSpacing(10);
    column->addWidget(buildContent(), 1);
    column->addWidget(buildButtons());
    m_stack->addWidget(m_note);
    m_stack->addWidget(told);
}

QWidget* EvidencePanel::buildContent()
{
    auto* content = new QWidget;
    content->setProperty("pageBody", true);
    m_heading = plainLabel({}, content);
    m_heading->setObjectName(QStringLiteral("holdHeading"));
    QFont bold = m_heading->font();
    bold.setWeight(QFont::DemiBold);
    m_heading->setFont(bold);
    m_subtitle = new QuietLabel(content);
    m_subtitle->setObjectName(QStringLiteral("holdSubtitle"));
    m_subtitle->setWordWrap(true);
    m_subtitle->setTextFormat(Qt::PlainText);
    m_countdown = new CountdownLabel(content);
    m_countdown->setObjectName(QStringLiteral("holdCountdown"));
    m_countdown->setPattern(tr("%1 left", "time"));

    m_facts = new FactList(content);
    m_facts->setObjectName(QStringLiteral("holdFacts"));
    m_factRows = new QVBoxLayout(m_facts);
    m_factRows->setContentsMargins(kRuleWidth + kRuleGap, 0, 0, 0);
    m_factRows->setSpacing(10);
    m_barTitle = new QuietLabel(content);
    m_bar = new HourBar(content);
    m_bar->setObjectName(QStringLiteral("hourBar"));
    m_eventRows = new QVBoxLayout;
    m_eventRows->setSpacing(4);

    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 4, 0);
    column->setSpacing(4);
    column->addWidget(m_heading);
    column->addWidget(m_subtitle);
    column->addWidget(m_countdown);
    column->addSpacing(6);
    column->addWidget(m_facts);
    column->addSpacing(8);
    column->addWidget(m_barTitle);
    column->addWidget(m_bar);
    column->addSpacing(4);
    column->addLayout(m_eventRows);
    column->addStretch();

    m_scroll = new QScrollArea(this);
    m_scroll->setObjectName(QStringLiteral("evidenceScroll"));
    m_scroll->setAccessibleName(tr("What is known"));
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setMinimumWidth(kNarrowest);
    m_scroll->setWidgetResizable(true);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setWidget(content);
    return m_scroll;
}

QWidget* EvidencePanel::buildButtons()
{
    auto* bar = new QWidget(this);
    const auto button = [bar](const QString& text, const char* name) {
        auto* made = new QPushButton(text, bar);
        made->setObjectName(QLatin1String(name));
        return made;
    };
    m_clear = button(tr("Clear now"), "holdClear");
    m_clear->setProperty("primary", true);
    m_edit = button(tr("Edit"), "holdEdit");
    m_edit->setToolTip(tr("Open the connection, where what ends this can be done"));
    m_request = button(tr("Open request"), "holdRequest");
    m_copy = button(tr("Copy"), "holdCopy");
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins({});
    row->setSpacing(8);
    for (QPushButton* one : {m_clear, m_edit, m_request, m_copy})
        row->addWidget(one);
    row->addStretch();
    // Never beside "Clear now": both at once would make the panel wider than any story needs.
    m_edit->hide();
    connect(m_clear, &QPushButton::clicked, this, &EvidencePanel::clearRequested);
    connect(m_edit, &QPushButton::clicked, this, [this] {
        if (m_story)
            Q_EMIT editRequested(m_story->connection);
    });
    connect(m_request, &QPushButton::clicked, this, [this] {
        if (m_story)
            Q_EMIT requestRequested(m_story->request);
    });
    connect(m_copy, &QPushButton::clicked, this, [this] {
        QGuiApplication::clipboard()->setText(text());
        Q_EMIT copied();
    });
    return bar;
}

void EvidencePanel::setStory(const HoldStory& story, bool clearable)
{
    m_stack->setCurrentIndex(1);
    if (m_story == story && m_clearable == clearable)
        return;
    const bool other = !m_story || m_story->heading != story.heading || m_story->connection != story.connection;
    const bool sameFacts = m_story && m_story->facts == story.facts;
    m_story = story;
    m_clearable = clearable;
    m_heading->setText(story.heading);
    m_subtitle->setText(story.subtitle);
    m_subtitle->setVisible(!story.subtitle.isEmpty());
    m_countdown->setUntil(story.until);
    m_countdown->setVisible(story.until.has_value());
    m_clear->setVisible(clearable);
    m_clear->setEnabled(true);
    m_edit->setVisible(!clearable && !story.connection.empty());
    m_request->setVisible(!story.request.empty());
    if (other) {
        m_meanwhile = {};
        m_scroll->ensureVisible(0, 0);
    }
    if (other || !sameFacts)
        fillFacts();
}

void EvidencePanel::showNote(const QString& sentence)
{
    m_story.reset();
    m_note->setText(sentence);
    m_stack->setCurrentIndex(0);
}

void EvidencePanel::setMeanwhile(const HoldFact& fact)
{
    if (fact == m_meanwhile)
        return;
    m_meanwhile = fact;
    fillFacts();
}

void EvidencePanel::fillFacts()
{
    empty(m_factRows);
    if (!m_story)
        return;
    for (const HoldFact& fact : m_story->facts)
        m_factRows->addWidget(factWidget(fact, m_facts));
    if (!m_meanwhile.label.isEmpty())
        m_factRows->addWidget(factWidget(m_meanwhile, m_facts));
}

void EvidencePanel::setTimeline(const std::vector<HoldSpan>& spans, const std::vector<HoldEvent>& events, WallTime now)
{
    m_bar->setVisible(!spans.empty());
    m_barTitle->setVisible(!spans.empty() || !events.empty());
    m_barTitle->setText(spans.empty() ? tr("What happened") : tr("This connection, last hour"));
    std::vector<WallTime> failures;
    for (const HoldEvent& event : events) {
        if (event.look != Exclusion::None)
            failures.push_back(event.at);
    }
    m_bar->setSpans(spans, std::move(failures), now);
    if (events == m_events)
        return;
    m_events = events;
    fillEvents();
}

void EvidencePanel::fillEvents()
{
    empty(m_eventRows);
    for (const HoldEvent& event : m_events)
        m_eventRows->addWidget(eventWidget(event, m_scroll->widget()));
}

void EvidencePanel::setBusy(bool busy)
{
    m_clear->setEnabled(!busy);
}

void EvidencePanel::focusAction()
{
    for (QPushButton* button : {m_clear, m_edit, m_copy}) {
        if (button->isVisible() && button->isEnabled()) {
            button->setFocus(Qt::OtherFocusReason);
            return;
        }
    }
}

QString EvidencePanel::text() const
{
    if (!m_story)
        return {};
    std::vector<HoldFact> more;
    if (!m_meanwhile.label.isEmpty())
        more.push_back(m_meanwhile);
    QString text = storyText(*m_story, more);
    if (m_bar->isVisibleTo(this))
        text += QLatin1Char('\n') + QStringLiteral("%1: %2").arg(m_barTitle->text(), m_bar->summary());
    for (const HoldEvent& event : m_events)
        text += QLatin1Char('\n') + exactTimeText(event.at) + QLatin1Char(' ') + event.text;
    return text;
}

}  // namespace omni
