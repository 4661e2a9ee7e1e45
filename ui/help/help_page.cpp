#include "ui/help/help_page.h"

#include "ui/core_link.h"
#include "ui/help/demonstrator.h"
#include "ui/help/help_topics.h"
#include "ui/models/display_text.h"
#include "ui/models/page_head.h"
#include "ui/theme/theme.h"
#include "ui/widgets/card.h"
#include "ui/widgets/quiet_label.h"
#include "ui/widgets/search_field.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QListWidget>
#include <QLocale>
#include <QPointer>
#include <QPushButton>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextCursor>
#include <QTextTable>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace omni {

namespace {

constexpr int kTopicRole = Qt::UserRole + 1;
constexpr int kWordsRole = Qt::UserRole + 2;

QString language()
{
    return QLocale().name().section(QLatin1Char('_'), 0, 0);
}

}  // namespace

HelpPage::HelpPage(CoreLink& link, std::shared_ptr<const QStringList> pages, QWidget* parent)
    : Page(parent), m_link(link), m_pages(std::move(pages)), m_demonstrator(new Demonstrator(link, this)), m_head(new PageHead(this)),
      m_search(new SearchField(this)), m_topics(new QListWidget(this)), m_text(new QTextBrowser(this)),
      m_demo(new Card(tr("Show me"), this)), m_what(new QuietLabel(m_demo)), m_progress(new QuietLabel(m_demo)),
      m_showMe(new QPushButton(m_demo))
{
    setObjectName(QStringLiteral("help"));
    build();
    fillTopics();
    connect(m_search, &QLineEdit::textChanged, this, &HelpPage::filter);
    connect(m_topics, &QListWidget::currentRowChanged, this, &HelpPage::fillText);
    connect(m_text, &QTextBrowser::anchorClicked, this, [this](const QUrl& url) { follow(url.toString()); });
    connect(m_showMe, &QPushButton::clicked, this, &HelpPage::showMe);
    connect(m_demonstrator, &Demonstrator::progressed, m_progress, &QLabel::setText);
    connect(m_demonstrator, &Demonstrator::finished, this, &HelpPage::ended);
    m_topics->setCurrentRow(0);
}

void HelpPage::build()
{
    m_head->setTitle(tr("Help"));
    m_head->setSubtitle(tr("How OmniRoute works, and how to see it work."));
    m_search->setObjectName(QStringLiteral("helpSearch"));
    m_search->setPlaceholderText(tr("Find in the guide"));
    m_search->setAccessibleName(tr("Find in the guide"));
    m_topics->setObjectName(QStringLiteral("helpTopics"));
    m_topics->setAccessibleName(tr("Pages of the guide"));
    m_topics->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_topics->setTextElideMode(Qt::ElideRight);
    // A rounded item gets its padding whether it is chosen or not.
    m_topics->setStyleSheet(QStringLiteral("QListView::item { padding: 6px 8px; border-radius: 6px; }"));
    m_text->setObjectName(QStringLiteral("helpText"));
    m_text->setAccessibleName(tr("Guide"));
    m_text->setOpenLinks(false);
    m_text->setTabChangesFocus(false);
    m_text->document()->setDocumentMargin(16);
    m_what->setWordWrap(true);
    m_what->setObjectName(QStringLiteral("showMeWhat"));
    m_progress->setWordWrap(true);
    m_progress->setObjectName(QStringLiteral("showMeProgress"));
    m_showMe->setObjectName(QStringLiteral("showMe"));
    m_showMe->setText(tr("&Show me"));
    m_showMe->setProperty("primary", true);
    auto* words = new QVBoxLayout;
    words->setSpacing(4);
    words->addWidget(m_what);
    words->addWidget(m_progress);
    auto* demo = new QHBoxLayout;
    demo->setSpacing(16);
    demo->addLayout(words, 1);
    demo->addWidget(m_showMe, 0, Qt::AlignTop);
    m_demo->body()->addLayout(demo);
    m_progress->hide();

    const int width = fontMetrics().averageCharWidth() * 34;
    m_search->setFixedWidth(width);
    m_topics->setFixedWidth(width);
    auto* side = new QVBoxLayout;
    side->setSpacing(8);
    side->addWidget(m_search);
    side->addWidget(m_topics, 1);
    auto* right = new QVBoxLayout;
    right->setSpacing(12);
    right->addWidget(m_text, 1);
    right->addWidget(m_demo);
    auto* middle = new QHBoxLayout;
    middle->setSpacing(16);
    middle->addLayout(side);
    middle->addLayout(right, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 16, 20, 16);
    layout->setSpacing(16);
    layout->addWidget(m_head);
    layout->addLayout(middle, 1);
}

void HelpPage::fillTopics()
{
    for (const QString& id : helpTopics()) {
        const HelpText text = helpText(id, language(), {});
        auto* item = new QListWidgetItem(text.title, m_topics);
        item->setData(kTopicRole, id);
        item->setData(kWordsRole, text.markdown);
        item->setToolTip(text.title);
    }
}

void HelpPage::filter(const QString& words)
{
    const QStringList wanted = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    int first = -1;
    for (int row = 0; row < m_topics->count(); ++row) {
        const QString text = m_topics->item(row)->data(kWordsRole).toString();
        const bool shown =
            std::all_of(wanted.begin(), wanted.end(), [&text](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
        m_topics->item(row)->setHidden(!shown);
        if (shown && first < 0)
            first = row;
    }
    const QListWidgetItem* current = m_topics->currentItem();
    if (first >= 0 && (!current || current->isHidden()))
        m_topics->setCurrentRow(first);
    // The first place of the word comes into sight.
    m_text->moveCursor(QTextCursor::Start);
    if (!wanted.isEmpty())
        m_text->find(wanted.first());
}

QString HelpPage::topic() const
{
    const QListWidgetItem* item = m_topics->currentItem();
    return item ? item->data(kTopicRole).toString() : QString();
}

QString HelpPage::baseUrl() const
{
    ListenerState listener = m_link.listener();
    if (listener.port <= 0 && m_link.ready())
        listener.port = m_link.configuration()->settings.proxy.port;
    return toQString(listener.baseUrl());
}

void HelpPage::fillText()
{
    const QString id = topic();
    if (id.isEmpty())
        return;
    const Colours& colours = coloursFor(palette());
    m_text->document()->setDefaultStyleSheet(QString());
    m_text->setMarkdown(helpText(id, language(), baseUrl()).markdown);
    // What Markdown cannot say: air around tables and paragraphs, links in the theme's own colour.
    QTextCursor cursor(m_text->document());
    cursor.select(QTextCursor::Document);
    QTextBlockFormat air;
    air.setLineHeight(125, QTextBlockFormat::ProportionalHeight);
    cursor.mergeBlockFormat(air);
    for (QTextBlock block = m_text->document()->begin(); block.isValid(); block = block.next()) {
        for (auto piece = block.begin(); !piece.atEnd(); ++piece) {
            const QTextFragment fragment = piece.fragment();
            if (!fragment.charFormat().isAnchor())
                continue;
            QTextCursor link(m_text->document());
            link.setPosition(fragment.position());
            link.setPosition(fragment.position() + fragment.length(), QTextCursor::KeepAnchor);
            QTextCharFormat look;
            look.setForeground(colours.accent);
            look.setFontUnderline(true);
            link.mergeCharFormat(look);
        }
    }
    for (QTextFrame* frame : m_text->document()->rootFrame()->childFrames()) {
        auto* table = qobject_cast<QTextTable*>(frame);
        if (!table)
            continue;
        QTextTableFormat format = table->format();
        format.setBorderBrush(colours.border);
        format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
        format.setBorder(1);
        format.setBorderCollapse(true);
        format.setCellPadding(6);
        format.setCellSpacing(0);
        format.setTopMargin(8);
        format.setBottomMargin(8);
        table->setFormat(format);
    }
    m_text->verticalScrollBar()->setValue(0);
    m_what->setText(demonstrationFor(id).what);
    if (!m_demonstrator->running())
        m_progress->hide();
}

void HelpPage::follow(const QString& target)
{
    const QString name = target.section(QLatin1Char(':'), 1);
    if (target.startsWith(QLatin1String("help:")))
        showObject(name);
    else if (target.startsWith(QLatin1String("page:")))
        openPage({name.section(QLatin1Char('/'), 0, 0)}, name.section(QLatin1Char('/'), 1));
}

void HelpPage::openPage(const QStringList& wanted, const QString& objectId)
{
    for (const QString& page : wanted) {
        if (m_pages->contains(page)) {
            Q_EMIT openRequested(page, objectId);
            return;
        }
    }
    // Holds stand on the overview as well.
    Q_EMIT openRequested(QStringLiteral("overview"), {});
}

void HelpPage::showMe()
{
    if (m_demonstrator->running()) {
        m_demonstrator->stop();
        return;
    }
    m_shown = topic();
    m_showMe->setText(tr("&Stop"));
    m_progress->setText(tr("Preparing…"));
    m_progress->show();
    m_demonstrator->start(demonstrationFor(m_shown));
}

void HelpPage::ended(const QString& problem, const QString& requestId)
{
    m_showMe->setText(tr("&Show me"));
    m_progress->setText(problem);
    m_progress->setVisible(!problem.isEmpty());
    if (!problem.isEmpty())
        return;
    const Demonstration demo = demonstrationFor(m_shown);
    // Whoever went elsewhere meanwhile is told, and left where they are.
    if (isVisible())
        openPage(demo.pages, demo.pages.first() == QLatin1String("requests") ? requestId : demo.object);
    if (m_demonstrator->leftSomething())
        Q_EMIT messageRaised(demo.seen, [guard = QPointer<Demonstrator>(m_demonstrator)] {
            if (guard)
                guard->tidy();
        });
    else
        Q_EMIT messageRaised(demo.seen);
}

QWidget* HelpPage::filterField() const
{
    return m_search;
}

void HelpPage::showObject(const QString& objectId)
{
    m_search->clear();
    const auto row = helpTopics().indexOf(objectId);
    if (row >= 0)
        m_topics->setCurrentRow(static_cast<int>(row));
}

void HelpPage::showEvent(QShowEvent* event)
{
    Page::showEvent(event);
    fillText();  // the address may have changed
}

void HelpPage::changeEvent(QEvent* event)
{
    Page::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_topics->count() > 0)
        fillText();
}

}  // namespace omni
