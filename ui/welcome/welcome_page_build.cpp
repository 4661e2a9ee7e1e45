#include "ui/welcome/welcome_page.h"

#include "ui/clients/client_detail.h"
#include "ui/core_link.h"
#include "ui/help/demonstrator.h"
#include "ui/models/display_text.h"
#include "ui/models/page_head.h"
#include "ui/theme/theme.h"
#include "ui/widgets/card.h"
#include "ui/widgets/quiet_label.h"
#include "ui/widgets/state_label.h"

#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace omni {

using namespace client_setup;

namespace {

/// What most people have; all others are one click further (spec 4-surfaces §6.8).
constexpr const char* kOffered[] = {"openai", "anthropic", "gemini", "openrouter", "groq", "mistral", "ollama-local", "lm-studio"};
constexpr int kColumns = 4;

QLabel* wrapped(QLabel* label)
{
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    return label;
}

/// A step's content, which scrolls where the window is small.
QScrollArea* scrolled(QWidget* content, const QString& name)
{
    content->setProperty("pageBody", true);
    auto* scroll = new QScrollArea;
    scroll->setObjectName(name);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(content);
    return scroll;
}

}  // namespace

void WelcomePage::build()
{
    auto* head = new PageHead(this);
    head->setTitle(tr("Welcome to OmniRoute"));
    head->setSubtitle(tr("Three steps, and your programs are answered here."));
    auto* skip = new QPushButton(tr("&Skip this"), this);
    skip->setObjectName(QStringLiteral("welcomeSkip"));
    skip->setProperty("quiet", true);
    head->tools()->addWidget(skip);

    auto* steps = new QHBoxLayout;
    steps->setSpacing(8);
    m_stack = new QStackedWidget(this);
    const QStringList names = {tr("1. Where answers come from"), tr("2. Point a program here"), tr("3. See it arrive")};
    for (int i = 0; i < names.size(); ++i) {
        auto* step = new QPushButton(names[i], this);
        step->setObjectName(QStringLiteral("welcomeStep%1").arg(i + 1));
        step->setCheckable(true);
        step->setAutoExclusive(true);
        steps->addWidget(step);
        m_steps.push_back(step);
        connect(step, &QPushButton::clicked, this, [this, i] { showStep(i); });
    }
    steps->addStretch();
    m_stack->addWidget(buildProviders());
    m_stack->addWidget(buildClients());
    m_stack->addWidget(buildArrival());

    m_back = new QPushButton(tr("&Back"), this);
    m_back->setObjectName(QStringLiteral("welcomeBack"));
    m_next = new QPushButton(this);
    m_next->setObjectName(QStringLiteral("welcomeNext"));
    m_next->setProperty("primary", true);
    auto* footer = new QHBoxLayout;
    footer->setSpacing(8);
    footer->addStretch();
    footer->addWidget(m_back);
    footer->addWidget(m_next);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 16, 20, 16);
    layout->setSpacing(16);
    layout->addWidget(head);
    layout->addLayout(steps);
    layout->addWidget(m_stack, 1);
    layout->addLayout(footer);

    connect(skip, &QPushButton::clicked, this, &WelcomePage::finish);
    connect(m_back, &QPushButton::clicked, this, [this] { showStep(m_stack->currentIndex() - 1); });
    connect(m_next, &QPushButton::clicked, this, [this] {
        if (m_stack->currentIndex() + 1 < m_stack->count())
            showStep(m_stack->currentIndex() + 1);
        else
            finish();
    });
}

QWidget* WelcomePage::buildProviders()
{
    auto* content = new QWidget;
    auto* keys = new Card(tr("Add what you have"), content);
    keys->body()->addWidget(wrapped(new QLabel(
        tr("Pick a provider and paste its key; it is tested at once. Add as many as you like: when one fails, the others answer."), keys)));
    auto* grid = new QGridLayout;
    grid->setSpacing(8);
    fillProviders(*grid);
    keys->body()->addLayout(grid);
    auto* found = new QPushButton(tr("&Import keys that lie on this computer…"), keys);
    found->setObjectName(QStringLiteral("welcomeImport"));
    found->setProperty("quiet", true);
    keys->body()->addWidget(found, 0, Qt::AlignLeft);
    connect(found, &QPushButton::clicked, this, &WelcomePage::openKeyImport);
    m_added = new QVBoxLayout;
    m_added->setSpacing(4);
    keys->body()->addLayout(m_added);

    auto* sandbox = new Card(tr("Or look around first"), content);
    auto* use = new QPushButton(tr("&Use the sandbox for now"), sandbox);
    use->setObjectName(QStringLiteral("welcomeSandbox"));
    sandbox->body()->addWidget(wrapped(new QLabel(
        tr("The sandbox is an upstream inside this program. It needs no key, costs nothing, and can do everything that goes wrong."),
        sandbox)));
    sandbox->body()->addWidget(use, 0, Qt::AlignLeft);
    connect(use, &QPushButton::clicked, this, [this] { showStep(1); });

    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 8, 0);
    column->setSpacing(16);
    column->addWidget(keys);
    column->addWidget(sandbox);
    column->addStretch();
    return scrolled(content, QStringLiteral("welcomeProviders"));
}

void WelcomePage::fillProviders(QGridLayout& grid)
{
    int at = 0;
    const auto place = [&](QPushButton* button) {
        grid.addWidget(button, at / kColumns, at % kColumns);
        ++at;
    };
    for (const char* id : kOffered) {
        const Provider* provider = m_link.configuration()->provider(ProviderId(id));
        if (!provider)
            continue;
        auto* button = new QPushButton(toQString(provider->name), this);
        button->setObjectName(QStringLiteral("welcomeProvider.") + QLatin1String(id));
        connect(button, &QPushButton::clicked, this, [this, chosen = provider->id] { openEditor(chosen); });
        place(button);
    }
    auto* other = new QPushButton(tr("&Another…"), this);
    other->setObjectName(QStringLiteral("welcomeOther"));
    connect(other, &QPushButton::clicked, this, [this] { openEditor({}); });
    place(other);
}

QWidget* WelcomePage::buildClients()
{
    auto* content = new QWidget;
    auto* which = new QHBoxLayout;
    auto* label = new QLabel(tr("&Program"), content);
    m_clients = new QComboBox(content);
    m_clients->setObjectName(QStringLiteral("welcomeClient"));
    m_clients->setAccessibleName(tr("Program"));
    for (const Client& client : clients()) {
        if (client.settable())
            m_clients->addItem(toQString(client.name), toQString(client.id));
    }
    label->setBuddy(m_clients);
    which->setSpacing(12);
    which->addWidget(label);
    which->addWidget(m_clients);
    which->addStretch();
    m_detail = new ClientDetail(m_link, m_desk, content);
    connect(m_clients, &QComboBox::currentIndexChanged, this, &WelcomePage::chooseClient);
    connect(m_clients, &QComboBox::activated, this, [this] { m_clientChosen = true; });
    chooseClient();
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 8, 0);
    column->setSpacing(16);
    column->addLayout(which);
    column->addWidget(m_detail);
    return scrolled(content, QStringLiteral("welcomeClients"));
}

QWidget* WelcomePage::buildArrival()
{
    auto* content = new QWidget;
    auto* card = new Card(tr("The first request"), content);
    m_arrival = new StateLabel(card);
    m_arrival->setShapeOnly(true);
    m_arrival->setLook([](const Colours& colours) {
        return StateLook{colours.mutedText, QStringLiteral("◷"), WelcomePage::tr("waiting")};
    });
    m_story = wrapped(new QLabel(tr("Waiting for it: ask your program something. It shows here as soon as it was answered."), card));
    m_story->setObjectName(QStringLiteral("welcomeStory"));
    auto* line = new QHBoxLayout;
    line->setSpacing(8);
    line->addWidget(m_arrival, 0, Qt::AlignTop);
    line->addWidget(m_story, 1);
    m_sendOne = new QPushButton(tr("Send &one for me"), card);
    m_sendOne->setObjectName(QStringLiteral("welcomeSend"));
    m_sendOne->setToolTip(tr("One request to the sandbox, the way any program would ask."));
    m_showIt = new QPushButton(tr("Show &it"), card);
    m_showIt->setObjectName(QStringLiteral("welcomeShow"));
    m_showIt->hide();
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(m_sendOne);
    buttons->addWidget(m_showIt);
    buttons->addStretch();
    card->body()->addLayout(line);
    card->body()->addLayout(buttons);
    connect(m_sendOne, &QPushButton::clicked, this, [this] {
        m_sendOne->setEnabled(false);
        m_demonstrator->start(demonstrationFor(QStringLiteral("start")));
    });
    connect(m_showIt, &QPushButton::clicked, this, [this] { Q_EMIT openRequested(QStringLiteral("requests"), m_request); });
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 8, 0);
    column->addWidget(card);
    column->addStretch();
    return scrolled(content, QStringLiteral("welcomeArrival"));
}

}  // namespace omni
