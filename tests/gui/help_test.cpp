#include "gui/window_fixture.h"
#include "program/test_program.h"
#include "ui/help/demonstration.h"
#include "ui/help/help_page.h"
#include "ui/help/help_topics.h"
#include "ui/shell/languages.h"
#include "ui/widgets/message_bar.h"

#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QTableView>
#include <QTextBrowser>

using namespace omni;
using omni::test::WindowFixture;

namespace {

struct PageFixture : WindowFixture {
    bool open(const QString& topic)
    {
        if (!start())
            return false;
        page = window->openPage(QStringLiteral("help"), topic);
        return page != nullptr;
    }
    QPushButton* showMe() const { return page->findChild<QPushButton*>(QStringLiteral("showMe")); }
    QTextBrowser* text() const { return page->findChild<QTextBrowser*>(QStringLiteral("helpText")); }
    QListWidget* topics() const { return page->findChild<QListWidget*>(QStringLiteral("helpTopics")); }
    /// Pressed, and waited for until the page it leads to is open.
    bool play(const char* leadsTo)
    {
        QTest::mouseClick(showMe(), Qt::LeftButton);
        return QTest::qWaitFor([&] { return window->currentPage() == QLatin1String(leadsTo); }, 20'000);
    }
    std::vector<RequestRecord> requests()
    {
        std::vector<RequestRecord> records;
        for (const QList<RequestRecord>& some : arrived) {
            for (const RequestRecord& record : some)
                records.push_back(record);
        }
        return records;
    }
    void listen()
    {
        QObject::connect(link.get(), &CoreLink::requestsFinished, page,
                         [this](const QList<RequestRecord>& records) { arrived << records; });
    }
    const ConnectionHealth* sandbox() const
    {
        const auto& healths = link->engine().healths;
        return healths.empty() ? nullptr : &healths.front();
    }

    Page* page = nullptr;
    QList<QList<RequestRecord>> arrived;
};

}  // namespace

class HelpTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QLocale::setDefault(QLocale::c()); }

    void everyPageIsThereInEveryLanguage();
    void everyLinkLeadsSomewhere();
    void linksAreFollowed();
    void guideIsSearched();
    void addressesAreTheLiveOnes();
    void requestsAreShown_data();
    void requestsAreShown();
    void limitIsShown();
    void cooldownIsShown();
    void lockoutIsShown();
    void terminalStateIsShownAndEnded();
    void comboIsMadeAndTakenAway();
    void neededKeyIsMadeForTheTime();
    void sandboxIsAddedWhenItIsGone();
    void breakerCountsAndCanBeStopped();
    void stoppedProxyIsTold();

private:
    Languages m_languages{*qApp};
};

void HelpTest::everyPageIsThereInEveryLanguage()
{
    for (const Languages::Language& language : Languages::available()) {
        QStringList titles;
        for (const QString& topic : helpTopics()) {
            QVERIFY2(QFile::exists(QStringLiteral(":/help/%1/%2.md").arg(language.code, topic)), qPrintable(language.code + topic));
            const HelpText text = helpText(topic, language.code, {});
            QVERIFY(text.markdown.startsWith(QLatin1String("# ")));
            QVERIFY(text.markdown.size() > 300);
            titles << text.title;
            QVERIFY(!demonstrationFor(topic).what.isEmpty());
        }
        QCOMPARE(titles.removeDuplicates(), 0);
    }
    QCOMPARE(helpText(QStringLiteral("breaker"), QStringLiteral("xx"), {}).title, QStringLiteral("Circuit breaker"));
}

void HelpTest::everyLinkLeadsSomewhere()
{
    // Pages that may be there; those that are not lead to the overview.
    const QStringList pages{QStringLiteral("overview"), QStringLiteral("connections"), QStringLiteral("requests"),
                            QStringLiteral("clients"),  QStringLiteral("settings"),    QStringLiteral("lockouts")};
    const QRegularExpression link(QStringLiteral("\\]\\(([a-z]+):([a-z/]*)\\)"));
    int found = 0;
    for (const Languages::Language& language : Languages::available()) {
        for (const QString& topic : helpTopics()) {
            const QString markdown = helpText(topic, language.code, {}).markdown;
            QCOMPARE(markdown.count(QLatin1String("](")), static_cast<int>(markdown.count(link)));
            for (auto match = link.globalMatch(markdown); match.hasNext(); ++found) {
                const QRegularExpressionMatch one = match.next();
                const bool known = one.captured(1) == QLatin1String("help")
                                       ? helpTopics().contains(one.captured(2))
                                       : one.captured(1) == QLatin1String("page") && pages.contains(one.captured(2));
                QVERIFY2(known, qPrintable(topic + QLatin1Char(' ') + one.captured()));
            }
        }
    }
    QVERIFY(found > 40);
}

void HelpTest::linksAreFollowed()
{
    PageFixture f;
    QVERIFY2(f.open(QStringLiteral("start")), f.core.error().c_str());
    Q_EMIT f.text()->anchorClicked(QUrl(QStringLiteral("help:combos")));
    QCOMPARE(f.topics()->currentItem()->text(), QStringLiteral("Combos"));
    Q_EMIT f.text()->anchorClicked(QUrl(QStringLiteral("page:connections")));
    QCOMPARE(f.window->currentPage(), QStringLiteral("connections"));
    Q_EMIT f.text()->anchorClicked(QUrl(QStringLiteral("page:nowhere")));
    QCOMPARE(f.window->currentPage(), QStringLiteral("overview"));
}

void HelpTest::guideIsSearched()
{
    PageFixture f;
    QVERIFY2(f.open(QStringLiteral("start")), f.core.error().c_str());
    QTest::keyClicks(f.page->findChild<QLineEdit*>(QStringLiteral("helpSearch")), QStringLiteral("all_targets_cooling_down"));
    QCOMPARE(f.topics()->currentItem()->text(), QStringLiteral("Errors and what they mean"));
    QCOMPARE(f.text()->textCursor().selectedText(), QStringLiteral("all_targets_cooling_down"));
}

void HelpTest::addressesAreTheLiveOnes()
{
    PageFixture f;
    QVERIFY2(f.open(QStringLiteral("sandbox")), f.core.error().c_str());
    QVERIFY(f.text()->toPlainText().contains(QStringLiteral("http://127.0.0.1:%1/v1/chat/completions").arg(f.core.port())));
}

void HelpTest::requestsAreShown_data()
{
    QTest::addColumn<QStringList>("statuses");
    QTest::newRow("start") << QStringList{QStringLiteral("200")};
    QTest::newRow("sandbox") << QStringList{QStringLiteral("200"), QStringLiteral("200")};
    QTest::newRow("errors") << QStringList{QStringLiteral("404"), QStringLiteral("400"), QStringLiteral("200")};
    QTest::newRow("troubleshooting") << QStringList{QStringLiteral("200")};
}

void HelpTest::requestsAreShown()
{
    QFETCH(QStringList, statuses);
    PageFixture f;
    QVERIFY2(f.open(QLatin1String(QTest::currentDataTag())), f.core.error().c_str());
    f.listen();
    QVERIFY(f.play("requests"));
    QTRY_COMPARE(f.requests().size(), static_cast<std::size_t>(statuses.size()));
    QStringList seen;
    for (const RequestRecord& record : f.requests())
        seen << QString::number(record.status);
    QCOMPARE(seen, statuses);
    QVERIFY(!f.window->messages().text().isEmpty());
    QVERIFY(f.showMe()->text().contains(QStringLiteral("Show me")));
}

void HelpTest::limitIsShown()
{
    PageFixture f;
    QVERIFY2(f.open(QStringLiteral("limits")), f.core.error().c_str());
    QVERIFY(f.play("settings"));
    QVERIFY(f.window->messages().text().contains(QStringLiteral("431")));
}

void HelpTest::cooldownIsShown()
{
    PageFixture f;
    QVERIFY2(f.open(QStringLiteral("cooldown")), f.core.error().c_str());
    QVERIFY(f.play("cooldowns"));
    QTRY_VERIFY(f.sandbox() && f.sandbox()->coolingUntil.has_value());
}

void HelpTest::lockoutIsShown()
{
    PageFixture f;
    QVERIFY2(f.open(QStringLiteral("lockout")), f.core.error().c_str());
    f.listen();
    QVERIFY(f.play("lockouts"));
    QTRY_VERIFY(!f.link->engine().lockouts.empty());
    QVERIFY(!f.sandbox()->coolingUntil.has_value());
    QTRY_COMPARE(f.requests().size(), std::size_t{2});
    QCOMPARE(f.requests().back().status, 200);
}

void HelpTest::terminalStateIsShownAndEnded()
{
    PageFixture f;
    QVERIFY2(f.open(QStringLiteral("terminal")), f.core.error().c_str());
    QVERIFY(f.play("connections"));
    QTRY_VERIFY(f.sandbox() && f.sandbox()->terminal == TerminalState::Banned);
    auto* undo = f.window->messages().findChild<QPushButton*>(QStringLiteral("messageButton"));
    QVERIFY(undo && undo->isVisible());
    QTest::mouseClick(undo, Qt::LeftButton);
    QTRY_VERIFY(f.sandbox()->terminal == TerminalState::None);
}

void HelpTest::comboIsMadeAndTakenAway()
{
    PageFixture f;
    QVERIFY2(f.open(QStringLiteral("combos")), f.core.error().c_str());
    f.listen();
    QVERIFY(f.play("requests"));
    QTRY_COMPARE(f.requests().size(), std::size_t{1});
    QCOMPARE(f.requests().front().status, 200);
    QCOMPARE(f.requests().front().attempts.size(), std::size_t{2});
    QTRY_COMPARE(f.link->configuration()->combos.size(), std::size_t{1});
    QTest::mouseClick(f.window->messages().findChild<QPushButton*>(QStringLiteral("messageButton")), Qt::LeftButton);
    QTRY_VERIFY(f.link->configuration()->combos.empty());
}

void HelpTest::neededKeyIsMadeForTheTime()
{
    PageFixture f;
    QVERIFY2(f.open(QStringLiteral("start")), f.core.error().c_str());
    f.core.patchSettings("{\"proxy\":{\"requireApiKey\":true}}");
    QTRY_VERIFY(f.link->configuration()->settings.proxy.requireApiKey);
    f.listen();
    QVERIFY(f.play("requests"));
    QTRY_COMPARE(f.requests().size(), std::size_t{1});
    QCOMPARE(f.requests().front().status, 200);
    QTRY_VERIFY(f.link->configuration()->apiKeys.empty() || f.link->configuration()->apiKeys.front().revokedAt.has_value());
}

void HelpTest::sandboxIsAddedWhenItIsGone()
{
    PageFixture f;
    QVERIFY2(f.open(QStringLiteral("start")), f.core.error().c_str());
    const ConnectionId id = f.link->configuration()->connections.front().id;
    f.link->post([id](Control& control) { control.removeConnections({id}, [](const Result<std::string>&) {}); });
    QTRY_VERIFY(f.link->configuration()->connections.empty());
    QVERIFY(f.play("requests"));
    QTRY_COMPARE(f.link->configuration()->connections.size(), std::size_t{1});
}

void HelpTest::breakerCountsAndCanBeStopped()
{
    PageFixture f;
    QVERIFY2(f.open(QStringLiteral("breaker")), f.core.error().c_str());
    QTest::mouseClick(f.showMe(), Qt::LeftButton);
    QTRY_VERIFY(!f.link->engine().breakers.empty() && f.link->engine().breakers.front().failureCount > 0);
    QVERIFY(f.showMe()->text().contains(QStringLiteral("Stop")));
    QTest::mouseClick(f.showMe(), Qt::LeftButton);
    QVERIFY(f.showMe()->text().contains(QStringLiteral("Show me")));
    QCOMPARE(f.window->currentPage(), QStringLiteral("help"));
}

void HelpTest::stoppedProxyIsTold()
{
    PageFixture f;
    QVERIFY2(f.open(QStringLiteral("start")), f.core.error().c_str());
    f.link->post([](Control& control) { control.stopProxy(); });
    QTRY_VERIFY(f.link->listener().phase == ListenerPhase::Stopped);
    QTest::mouseClick(f.showMe(), Qt::LeftButton);
    QTRY_VERIFY(f.page->findChild<QLabel*>(QStringLiteral("showMeProgress"))->text().contains(QStringLiteral("stopped")));
}

OMNI_TEST(HelpTest)
#include "help_test.moc"
