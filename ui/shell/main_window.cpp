#include "ui/shell/main_window.h"

#include "ui/models/display_text.h"
#include "ui/shell/command_palette.h"
#include "ui/shell/command_ranking.h"
#include "ui/shell/rail.h"
#include "ui/shell/status_strip.h"
#include "ui/shell/window_actions.h"
#include "ui/shell/window_commands.h"
#include "ui/widgets/message_bar.h"

#include <QAction>
#include <QCloseEvent>
#include <QCoreApplication>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace omni {

namespace {

const QLatin1String kGeometry("window/geometry");
const QLatin1String kPage("window/page");
const QLatin1String kHideTold("hints/hideTold");
const QLatin1String kNoTrayTold("hints/noTrayTold");
const QLatin1String kRecent("palette/recent");

/// Ctrl+1 … Ctrl+9.
constexpr std::size_t kNumberedPages = 9;

/// Scrolls whatever `widget` lies in until it can be seen.
void reveal(QWidget* widget)
{
    for (QWidget* at = widget->parentWidget(); at; at = at->parentWidget()) {
        if (auto* area = qobject_cast<QScrollArea*>(at))
            area->ensureWidgetVisible(widget, 0, 120);
    }
}

}  // namespace

MainWindow::MainWindow(CoreLink& link, std::vector<PageEntry> pages, const QString& stateFile, QWidget* parent)
    : QWidget(parent), m_link(link), m_memory(stateFile, QSettings::IniFormat), m_strip(new StatusStrip(link, this)),
      m_rail(new Rail(this)), m_stack(new QStackedWidget(this)), m_messages(nullptr),
      m_actions(new WindowActions(link, *this, *m_strip->menu())), m_palette(nullptr)
{
    setObjectName(QStringLiteral("mainWindow"));
    setMinimumSize(1024, 700);
    m_stack->setObjectName(QStringLiteral("pages"));
    m_messages = new MessageBar(m_stack);
    m_palette = new CommandPalette(this);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_strip);
    auto* below = new QHBoxLayout;
    below->setSpacing(0);
    below->addWidget(m_rail);
    below->addWidget(m_stack, 1);
    layout->addLayout(below, 1);

    for (PageEntry& entry : pages) {
        RailButton* button = m_rail->addEntry(entry.id, entry.needed ? Rail::Place::First : entry.atBottom ? Rail::Place::Bottom : Rail::Place::Top);
        m_pages.push_back({std::move(entry), button});
    }
    // Tab goes from the strip to the rail and on into the page.
    setTabOrder(m_strip, m_rail);
    setTabOrder(m_rail, m_stack);

    connect(m_rail, &Rail::chosen, this, [this](const QString& id) { openPage(id); });
    connect(m_strip, &StatusStrip::baseUrlCopied, this, [this](const QString& url) { m_messages->showMessage(tr("Copied: %1").arg(url)); });
    connect(m_strip, &StatusStrip::troublesClicked, this, [this] { openPage(QStringLiteral("overview")); });
    connect(&link, &CoreLink::noticeRaised, this, [this](const QString& text) { m_messages->showMessage(coreText(text.toStdString())); });
    connect(&link, &CoreLink::engineChanged, this, &MainWindow::refreshBadges);
    connect(&link, &CoreLink::configurationChanged, this, &MainWindow::refreshBadges);

    addActions();
    retranslate();
    restoreState();
    // Pages start from the truth, so the first one waits for it: a turn of the core's loop.
    if (link.ready())
        openFirst();
    else
        connect(&link, &CoreLink::becameReady, this, &MainWindow::openFirst);
}

MainWindow::~MainWindow()
{
    remember();
}

void MainWindow::openFirst()
{
    const auto wanted = [this](const Slot& slot) { return slot.entry.needed && slot.entry.needed(m_link); };
    const auto urgent = std::find_if(m_pages.begin(), m_pages.end(), wanted);
    if (urgent != m_pages.end())
        m_current = urgent->entry.id;
    else if (const Slot* last = find(m_current); last && last->entry.needed)
        m_current = m_pages.front().entry.id;
    openPage(m_current);
    refreshBadges();
}

MainWindow::Slot* MainWindow::find(const QString& id)
{
    const auto found = std::find_if(m_pages.begin(), m_pages.end(), [&id](const Slot& slot) { return slot.entry.id == id; });
    return found == m_pages.end() ? nullptr : &*found;
}

Page* MainWindow::makePage(Slot& slot)
{
    Page* page = slot.entry.make(m_stack);
    page->setObjectName(slot.entry.id);
    page->setAccessibleName(slot.entry.title());
    connect(page, &Page::openRequested, this, [this](const QString& id, const QString& objectId) { openPage(id, objectId); });
    connect(page, &Page::messageRaised, this,
            [this](const QString& text, std::function<void()> undo) { m_messages->showMessage(text, std::move(undo)); });
    connect(page, &Page::restartRequested, this, &MainWindow::restartRequested);
    m_stack->addWidget(page);
    slot.page = page;
    return page;
}

Page* MainWindow::openPage(const QString& id, const QString& objectId)
{
    Slot* slot = find(id);
    if (!slot)
        return nullptr;
    turnTo(*slot);
    if (!objectId.isEmpty())
        slot->page->showObject(objectId);
    return slot->page;
}

void MainWindow::turnTo(Slot& slot)
{
    const bool other = m_current != slot.entry.id || !slot.page;
    m_current = slot.entry.id;
    if (!m_link.ready())
        return;
    Page* page = slot.page ? slot.page : makePage(slot);
    m_stack->setCurrentWidget(page);
    m_messages->raise();
    m_rail->choose(slot.button);
    if (other)
        refreshBadges();
    if (other && page->filterField() && isActiveWindow() && !slot.button->hasFocus())
        page->filterField()->setFocus();
}

QString MainWindow::currentPage() const
{
    return m_current;
}

void MainWindow::addActions()
{
    const auto page = [this]() -> Page* {
        Slot* slot = find(m_current);
        return slot ? slot->page : nullptr;
    };
    for (std::size_t i = 0; i < m_pages.size(); ++i) {
        Slot& slot = m_pages[i];
        const QString id = slot.entry.id;
        slot.action = new QAction(this);
        slot.action->setObjectName(QStringLiteral("open.") + id);
        if (i < kNumberedPages && !slot.entry.needed)
            slot.action->setShortcut(QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + static_cast<int>(i))));
        slot.action->setShortcutContext(Qt::WindowShortcut);
        connect(slot.action, &QAction::triggered, this, [this, id] { openPage(id); });
        addAction(slot.action);
    }
    m_find = m_actions->addKeys(QKeySequence::Find, "findOnPage", [page] {
        if (Page* open = page(); open && open->filterField())
            open->filterField()->setFocus(Qt::ShortcutFocusReason);
    });
    m_refresh = m_actions->addKeys(QKeySequence(Qt::Key_F5), "refreshPage", [page] {
        if (Page* open = page())
            open->refresh();
    });
    m_actions->addKeys(QKeySequence::New, "newOnPage", [page] {
        if (Page* open = page())
            open->createNew();
    });
    connect(m_actions, &WindowActions::paletteRequested, this, &MainWindow::openPalette);
    connect(m_actions, &WindowActions::dataFolderRequested, this, &MainWindow::dataFolderRequested);
    connect(m_actions, &WindowActions::aboutRequested, this, &MainWindow::showAbout);
    connect(m_actions, &WindowActions::quitRequested, this, &MainWindow::quitRequested);
    connect(m_actions, &WindowActions::told, this, [this](const QString& text) { m_messages->showMessage(text); });
    connect(m_palette, &CommandPalette::chosen, this,
            [this](const QString& id) { m_memory.setValue(kRecent, withRecent(m_memory.value(kRecent).toStringList(), id)); });
}

void MainWindow::openPalette()
{
    if (!m_link.ready())
        return;
    std::vector<CommandPage> pages;
    for (const Slot& slot : m_pages) {
        if (!slot.entry.needed || slot.entry.needed(m_link))
            pages.push_back({&slot.entry, slot.action, slot.entry.id == m_current ? slot.page : nullptr});
    }
    m_palette->open(windowCommands(m_link, pages, m_actions->menu(), m_actions->others(),
                                   [this](const QString& page, const QString& object) { openPage(page, object); }),
                    m_memory.value(kRecent).toStringList());
}

void MainWindow::retranslate()
{
    setWindowTitle(QStringLiteral("OmniRoute Desktop"));
    m_rail->setAccessibleName(tr("Pages"));
    for (Slot& slot : m_pages) {
        slot.button->setTitle(slot.entry.title());
        slot.button->setToolTip(slot.action->shortcut().toString(QKeySequence::NativeText));
        slot.action->setText(slot.entry.title());
    }
    m_find->setText(tr("Find on this page"));
    m_refresh->setText(tr("Refresh this page"));
    m_actions->retranslate();
    refreshBadges();
}

void MainWindow::rebuildPages()
{
    m_rebuilding = false;
    // The widget that had the focus is looked for again by its name: the language box on the settings page is the usual one.
    const QString focused = focusWidget() ? focusWidget()->objectName() : QString();
    for (Slot& slot : m_pages) {
        if (!slot.page)
            continue;
        m_stack->removeWidget(slot.page);
        slot.page->deleteLater();
        slot.page = nullptr;
    }
    Page* page = openPage(m_current);
    if (!page || focused.isEmpty())
        return;
    if (auto* again = page->findChild<QWidget*>(focused)) {
        again->setFocus();
        // Its place is known once the new page is laid out.
        QTimer::singleShot(0, again, [again] { reveal(again); });
    }
}

void MainWindow::refreshBadges()
{
    if (!m_link.ready())
        return;
    for (Slot& slot : m_pages) {
        if (slot.entry.badge)
            slot.button->setBadge(slot.entry.badge(m_link));
        if (slot.entry.needed)
            slot.button->setVisible(slot.entry.needed(m_link));
    }
}

void MainWindow::setTrayCheck(std::function<bool()> present)
{
    m_trayPresent = std::move(present);
}

void MainWindow::tellNoTray()
{
    if (m_memory.value(kNoTrayTold).toBool())
        return;
    m_memory.setValue(kNoTrayTold, true);
    m_messages->showMessage(tr("This desktop shows no tray icons. OmniRoute serves while its window is open or minimised."));
}

void MainWindow::letGo()
{
    remember();
    m_goingDown = true;
}

void MainWindow::bringUp()
{
    setWindowState(windowState() & ~Qt::WindowMinimized);
    show();
    raise();
    activateWindow();
    // The keyboard starts where pages are chosen, not on the button that stops the proxy.
    if (Slot* slot = find(m_current); slot && !focusWidget())
        slot->button->setFocus();
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    remember();
    // A session that ends must not be held up by a question.
    if (m_goingDown || qGuiApp->isSavingSession()) {
        event->accept();
        return;
    }
    event->ignore();
    if (!m_trayPresent || !m_trayPresent()) {
        askBeforeQuit();
        return;
    }
    hide();
    if (!m_memory.value(kHideTold).toBool()) {
        m_memory.setValue(kHideTold, true);
        Q_EMIT firstHidden();
    }
}

void MainWindow::askBeforeQuit()
{
    if (findChild<QMessageBox*>(QStringLiteral("closeQuestion")))
        return;
    auto* question = new QMessageBox(this);
    question->setObjectName(QStringLiteral("closeQuestion"));
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setIcon(QMessageBox::Question);
    question->setWindowTitle(tr("Close OmniRoute?"));
    question->setText(tr("Close OmniRoute?"));
    question->setInformativeText(
        tr("There is no tray to go on in. If it quits, programs that use it get no answers until it is started again."));
    QPushButton* minimise = question->addButton(tr("Minimise"), QMessageBox::AcceptRole);
    QPushButton* quit = question->addButton(tr("Quit"), QMessageBox::DestructiveRole);
    QPushButton* cancel = question->addButton(tr("Cancel"), QMessageBox::RejectRole);
    minimise->setObjectName(QStringLiteral("minimise"));
    quit->setObjectName(QStringLiteral("quitNow"));
    cancel->setObjectName(QStringLiteral("cancel"));
    question->setDefaultButton(minimise);
    question->setEscapeButton(cancel);
    connect(minimise, &QPushButton::clicked, this, &QWidget::showMinimized);
    connect(quit, &QPushButton::clicked, this, &MainWindow::quitRequested);
    question->open();
}

void MainWindow::showAbout()
{
    auto* about = new QMessageBox(this);
    about->setObjectName(QStringLiteral("aboutBox"));
    about->setAttribute(Qt::WA_DeleteOnClose);
    about->setIconPixmap(QGuiApplication::windowIcon().pixmap(64, 64));
    about->setWindowTitle(tr("About OmniRoute Desktop"));
    about->setText(tr("OmniRoute Desktop %1").arg(QCoreApplication::applicationVersion()));
    about->setInformativeText(tr("A local proxy that keeps your requests answered while keys run out, providers fail and streams break.\n\n"
                                 "Free software under the GNU General Public License, version 3 or later. It comes without any warranty."));
    about->addButton(tr("Close"), QMessageBox::AcceptRole);
    about->open();
}

void MainWindow::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        // Not now: the page whose signal led here is still on the stack. Several translators change in one go.
        if (!std::exchange(m_rebuilding, true))
            QMetaObject::invokeMethod(this, &MainWindow::rebuildPages, Qt::QueuedConnection);
    }
}

void MainWindow::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && !m_messages->isHidden())
        m_messages->dismiss();
    else
        QWidget::keyPressEvent(event);
}

void MainWindow::remember()
{
    m_memory.setValue(kGeometry, saveGeometry());
    m_memory.setValue(kPage, m_current);
}

void MainWindow::restoreState()
{
    m_current = m_memory.value(kPage).toString();
    if (!find(m_current) && !m_pages.empty())
        m_current = m_pages.front().entry.id;
    const QByteArray geometry = m_memory.value(kGeometry).toByteArray();
    if (geometry.isEmpty() || !restoreGeometry(geometry))
        resize(1280, 800);
}

}  // namespace omni
