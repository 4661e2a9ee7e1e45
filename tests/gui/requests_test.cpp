#include "gui/window_fixture.h"
#include "program/test_program.h"
#include "store/request_history.h"
#include "store/store.h"
#include "support/http_client.h"
#include "ui/models/data_table.h"
#include "ui/models/request_text.h"
#include "ui/models/requests_model.h"
#include "ui/models/state_delegate.h"
#include "ui/requests/attempts_model.h"
#include "ui/requests/request_detail.h"
#include "ui/requests/request_filter_bar.h"
#include "ui/requests/requests_page.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QScrollBar>
#include <QSet>
#include <QSignalSpy>

using namespace omni;
using omni::test::HttpClient;
using omni::test::TemporaryDataDir;
using omni::test::WindowFixture;

namespace {

const WallTime kNow{Millis(1'790'000'000'000)};

RequestRecord recordNumber(int number)
{
    RequestRecord record;
    record.id = RequestId(QStringLiteral("%1").arg(number, 16, 16, QLatin1Char('0')).toStdString());
    record.startedAt = kNow + Millis(number * 10);
    record.method = "POST";
    record.path = "/v1/chat/completions";
    record.operation = Operation::ChatCompletions;
    record.requestedModel = number % 2 == 0 ? "fast" : "openai/gpt-5-mini";
    record.model = number % 2 == 0 ? "glm-4.6" : "gpt-5-mini";
    record.provider = ProviderId(number % 2 == 0 ? "glm" : "openai");
    record.connection = ConnectionId(number % 2 == 0 ? "c-glm" : "c-openai");
    record.connectionName = number % 2 == 0 ? "home" : "team";
    record.outcome = static_cast<Outcome>(number % 5);
    record.status = record.outcome == Outcome::Answered ? 200 : 503;
    if (record.outcome != Outcome::Answered)
        record.error = "Upstream said 100% no_way";
    record.durationUs = 1'000'000 + number;
    AttemptRecord attempt;
    attempt.provider = record.provider;
    attempt.connectionName = record.connectionName;
    attempt.status = record.status;
    attempt.success = record.outcome == Outcome::Answered;
    record.attempts = {attempt};
    return record;
}

/// A store with so many requests in it.
struct LogFixture {
    bool fill(int count)
    {
        StoreOptions options;
        options.dataDir = folder.path();
        options.holderName = "test";
        auto opened = Store::open(options);
        if (!opened)
            return false;
        store = std::move(*opened);
        append(0, count);
        return true;
    }
    void append(int from, int to)
    {
        std::vector<RequestRecord> records;
        for (int i = from; i < to; ++i)
            records.push_back(recordNumber(i));
        store->appendRequests(std::move(records));
    }
    std::string path() const { return store->databasePath(); }
    std::int64_t stored() const
    {
        auto history = RequestHistory::open(path());
        return history ? (*history)->count({}).valueOr(-1) : -1;
    }

    TemporaryDataDir folder;
    std::unique_ptr<Store> store;
};

int numberAt(const RequestsModel& model, int row)
{
    const RequestRecord* record = model.recordAt(row);
    return record ? QString::fromStdString(record->id.str()).toInt(nullptr, 16) : -1;
}

struct PageFixture : WindowFixture {
    bool open()
    {
        if (!start())
            return false;
        page = window->openPage(QStringLiteral("requests"));
        table = page->findChild<DataTable*>(QStringLiteral("requestTable"));
        return table != nullptr;
    }
    void ask(const char* model)
    {
        HttpClient client(core.port());
        client.postJson("/v1/chat/completions", std::string(R"({"model":")") + model + R"(","messages":[{"role":"user","content":"x"}]})",
                        {{"authorization", "Bearer sk-very-secret-0123456789"}});
    }
    QString cell(int row, int column) const { return table->model()->index(row, column).data().toString(); }
    QString story() const { return page->findChild<QLabel*>(QStringLiteral("requestStory"))->text(); }

    Page* page = nullptr;
    DataTable* table = nullptr;
};

}  // namespace

class RequestsTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QLocale::setDefault(QLocale::c()); }

    void historyComesInPages();
    void memoryStaysBounded();
    void finishedRequestsComeOnTop();
    void nothingIsLostBetweenFilters();
    void pausedListWaits();
    void manyFinishedAreReadAnew();
    void filterIsTheStoresOwn_data();
    void filterIsTheStoresOwn();
    void unreadableHistoryIsTold();
    void storiesAreSentences_data();
    void storiesAreSentences();
    void modelsAreToldOnce_data();
    void modelsAreToldOnce();
    void curlKeepsNoSecret();
    void attemptsAreDrawnOnOneScale();
    void requestsAreShownLive();
    void failoverIsExplained();
    void filterNarrowsThePage();
    void oneConnectionModelOrClientIsChosen();
    void clearedLogIsGoneFromThePage_data();
    void clearedLogIsGoneFromThePage();
    void scrollingPausesTheList();
    void requestIsOpenedById();
    void emptyPageSaysWhatToDo();
};

void RequestsTest::historyComesInPages()
{
    LogFixture log;
    QVERIFY(log.fill(450));
    QTRY_COMPARE(log.stored(), 450);
    RequestsModel model(log.path());
    model.reload();
    QTRY_COMPARE(model.rowCount(), 200);
    QTRY_COMPARE(model.total(), 450);
    model.fetchMore({});
    QTRY_COMPARE(model.rowCount(), 400);
    model.fetchMore({});
    QTRY_COMPARE(model.rowCount(), 450);
    QTRY_VERIFY(!model.canFetchMore({}));
    for (int row = 0; row < 450; ++row)
        QCOMPARE(numberAt(model, row), 449 - row);
    QCOMPARE(model.index(0, RequestsModel::Attempts).data().toString(), QStringLiteral("1"));
}

void RequestsTest::memoryStaysBounded()
{
    constexpr int count = RequestsModel::kPageRows * (RequestsModel::kMaxPages + 20);
    LogFixture log;
    QVERIFY(log.fill(count));
    QTRY_COMPARE_WITH_TIMEOUT(log.stored(), count, 60'000);
    RequestsModel model(log.path());
    model.reload();
    QTRY_VERIFY(model.rowCount() > 0);
    while (model.rowCount() < count) {
        const int before = model.rowCount();
        model.fetchMore({});
        QTRY_VERIFY(model.rowCount() > before);
        QVERIFY(model.pagesInMemory() <= RequestsModel::kMaxPages);
    }
    QCOMPARE(numberAt(model, count - 1), 0);
    QCOMPARE(numberAt(model, 0), count - 1);  // the first page stays
    // A page that was dropped comes back when it is looked at.
    const int row = RequestsModel::kPageRows * 3 + 17;
    QCOMPARE(numberAt(model, row), -1);
    QCOMPARE(model.index(row, RequestsModel::Time).data().toString(), QStringLiteral("…"));
    QTRY_COMPARE(numberAt(model, row), count - 1 - row);
    QVERIFY(model.pagesInMemory() <= RequestsModel::kMaxPages);
}

void RequestsTest::finishedRequestsComeOnTop()
{
    LogFixture log;
    QVERIFY(log.fill(10));
    QTRY_COMPARE(log.stored(), 10);
    RequestsModel model(log.path());
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.reload();
    QTRY_COMPARE(model.total(), 10);
    model.addFinished({recordNumber(9), recordNumber(10), recordNumber(11)});  // 9 has been read already
    QCOMPARE(model.rowCount(), 12);
    QCOMPARE(numberAt(model, 0), 11);
    QCOMPARE(numberAt(model, 1), 10);
    QCOMPARE(numberAt(model, 2), 9);
    QCOMPARE(model.total(), 12);
    model.addFinished({recordNumber(11)});
    QCOMPARE(model.rowCount(), 12);
    // Read anew, what is not in the store yet stays; what is, is there once.
    log.append(10, 11);
    QTRY_COMPARE(log.stored(), 11);
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    model.reload();
    QTRY_COMPARE(resets.count(), 1);
    QCOMPARE(model.rowCount(), 12);
    QCOMPARE(numberAt(model, 0), 11);
    QCOMPARE(numberAt(model, 1), 10);
}

void RequestsTest::nothingIsLostBetweenFilters()
{
    LogFixture log;
    QVERIFY(log.fill(4));
    QTRY_COMPARE(log.stored(), 4);
    RequestsModel model(log.path());
    RequestFilter glm;
    glm.provider = ProviderId("glm");
    model.setFilter(glm);
    QTRY_COMPARE(model.rowCount(), 2);
    model.addFinished({recordNumber(5)});  // of another provider, and not written yet
    QCOMPARE(model.rowCount(), 2);
    model.setFilter({});
    QTRY_COMPARE(model.rowCount(), 5);
    QCOMPARE(numberAt(model, 0), 5);
}

void RequestsTest::pausedListWaits()
{
    LogFixture log;
    QVERIFY(log.fill(5));
    QTRY_COMPARE(log.stored(), 5);
    RequestsModel model(log.path());
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.reload();
    QTRY_COMPARE(model.rowCount(), 5);
    QSignalSpy pending(&model, &RequestsModel::pendingChanged);
    model.setPaused(true);
    model.addFinished({recordNumber(5)});
    model.addFinished({recordNumber(6)});
    QCOMPARE(model.rowCount(), 5);
    QCOMPARE(model.pending(), 2);
    QCOMPARE(pending.count(), 2);
    model.setPaused(false);
    QCOMPARE(model.rowCount(), 7);
    QCOMPARE(numberAt(model, 0), 6);
    QCOMPARE(model.pending(), 0);
}

void RequestsTest::manyFinishedAreReadAnew()
{
    LogFixture log;
    QVERIFY(log.fill(600));
    QTRY_COMPARE(log.stored(), 600);
    RequestsModel model(log.path());
    model.reload();
    QTRY_COMPARE(model.rowCount(), 200);
    // Of the next thousand only the newest 200 are told live; the store has them all.
    log.append(600, 1600);
    QTRY_COMPARE(log.stored(), 1600);
    QList<RequestRecord> told;
    for (int i = 1400; i < 1600; ++i)
        told << recordNumber(i);
    model.addFinished(told);
    QCOMPARE(numberAt(model, 0), 1599);
    QCOMPARE(numberAt(model, 200), 599);  // the gap
    QTRY_COMPARE_WITH_TIMEOUT(model.total(), 1600, 10'000);
    model.fetchMore({});
    QTRY_COMPARE(model.rowCount(), 400);
    QCOMPARE(numberAt(model, 200), 1399);
}

void RequestsTest::filterIsTheStoresOwn_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("outcome");
    QTest::addColumn<bool>("failures");
    QTest::addColumn<QString>("provider");
    QTest::addColumn<QString>("connection");
    QTest::newRow("everything") << QString() << -1 << false << QString() << QString();
    QTest::newRow("text in the model") << QStringLiteral("GPT-5") << -1 << false << QString() << QString();
    QTest::newRow("text in the error, with wildcards") << QStringLiteral("100% no_") << -1 << false << QString() << QString();
    QTest::newRow("wildcards are no wildcards") << QStringLiteral("g%t") << -1 << false << QString() << QString();
    QTest::newRow("text in the path") << QStringLiteral("chat/comp") << -1 << false << QString() << QString();
    QTest::newRow("text in the connection") << QStringLiteral("home") << -1 << false << QString() << QString();
    QTest::newRow("an id") << QStringLiteral("000000000000002a") << -1 << false << QString() << QString();
    QTest::newRow("failures") << QString() << -1 << true << QString() << QString();
    for (int outcome = 0; outcome < 5; ++outcome) {
        const std::string name = "outcome " + std::string(toString(static_cast<Outcome>(outcome)));
        QTest::newRow(name.c_str()) << QString() << outcome << false << QString() << QString();
    }
    QTest::newRow("client left is no failure") << QString() << static_cast<int>(Outcome::ClientGone) << true << QString() << QString();
    QTest::newRow("provider") << QString() << -1 << false << QStringLiteral("glm") << QString();
    QTest::newRow("connection and failures") << QString() << -1 << true << QString() << QStringLiteral("c-openai");
}

void RequestsTest::filterIsTheStoresOwn()
{
    QFETCH(QString, text);
    QFETCH(int, outcome);
    QFETCH(bool, failures);
    QFETCH(QString, provider);
    QFETCH(QString, connection);
    RequestFilter filter;
    filter.text = text.toStdString();
    if (outcome >= 0)
        filter.outcome = static_cast<Outcome>(outcome);
    filter.failuresOnly = failures;
    filter.provider = ProviderId(provider.toStdString());
    filter.connection = ConnectionId(connection.toStdString());

    LogFixture log;
    QVERIFY(log.fill(60));
    QTRY_COMPARE(log.stored(), 60);
    RequestsModel model(log.path());
    model.setFilter(filter);
    QTRY_VERIFY(model.total() >= 0);
    QSet<int> read;
    for (int row = 0; row < model.rowCount(); ++row)
        read << numberAt(model, row);
    QSet<int> judged;
    for (int i = 0; i < 60; ++i) {
        if (matches(filter, recordNumber(i)))
            judged << i;
    }
    QCOMPARE(judged, read);
}

void RequestsTest::unreadableHistoryIsTold()
{
    TemporaryDataDir folder;
    RequestsModel model(folder.file("absent.sqlite"));
    model.reload();
    QTRY_VERIFY(!model.problem().isEmpty());
    QVERIFY(!model.loading());
    // What finishes now is shown all the same.
    model.addFinished({recordNumber(1)});
    QCOMPARE(model.rowCount(), 1);
}

void RequestsTest::storiesAreSentences_data()
{
    QTest::addColumn<int>("outcome");
    QTest::addColumn<int>("status");
    QTest::addColumn<QList<int>>("tried");  // statuses of the attempts; 200 = answered
    QTest::addColumn<QString>("story");
    const auto row = [](const char* name, Outcome outcome, int status, const QList<int>& tried, const char* story) {
        QTest::newRow(name) << static_cast<int>(outcome) << status << tried << QString::fromUtf8(story);
    };
    row("first try", Outcome::Answered, 200, {200}, "Answered by groq · key after 1.20 s.");
    row("second try", Outcome::Answered, 200, {503, 200},
        "Answered by groq · key after 1.20 s; first tried groq · key, which answered HTTP 503.");
    row("third try", Outcome::Answered, 200, {503, 0, 200},
        "Answered by groq · key after 1.20 s; first tried groq · key, which answered HTTP 503, then groq · key, which gave no answer.");
    row("all failed", Outcome::UpstreamFailed, 503, {429, 503},
        "No target could answer; the client was told HTTP 503 after 1.20 s; tried groq · key, which answered HTTP 429, "
        "then groq · key, which answered HTTP 503.");
    row("broken", Outcome::Broken, 200, {200}, "The answer of groq · key broke off after 1.20 s.");
    row("broken after a failover", Outcome::Broken, 200, {502, 0},
        "The answer of groq · key broke off after 1.20 s; tried groq · key, which answered HTTP 502.");
    row("client left", Outcome::ClientGone, 0, {}, "The client left after 1.20 s, while waiting for groq · key.");
    row("refused", Outcome::Refused, 413, {}, "Refused by the proxy with HTTP 413.");
}

void RequestsTest::storiesAreSentences()
{
    QFETCH(int, outcome);
    QFETCH(int, status);
    QFETCH(QList<int>, tried);
    QFETCH(QString, story);
    RequestRecord record;
    record.outcome = static_cast<Outcome>(outcome);
    record.status = status;
    record.durationUs = 1'200'000;
    record.provider = ProviderId("groq");
    record.connectionName = "key";
    for (const int one : tried) {
        AttemptRecord attempt;
        attempt.provider = record.provider;
        attempt.connectionName = "key";
        attempt.status = one;
        attempt.success = one == 200 && record.outcome == Outcome::Answered;
        record.attempts.push_back(attempt);
    }
    QCOMPARE(storyOf(record, nullptr), story);
}

void RequestsTest::modelsAreToldOnce_data()
{
    QTest::addColumn<QString>("asked");
    QTest::addColumn<QString>("served");
    QTest::addColumn<QString>("text");
    QTest::newRow("same") << QStringLiteral("gpt-5") << QStringLiteral("gpt-5") << QStringLiteral("gpt-5");
    QTest::newRow("with its provider") << QStringLiteral("openai/gpt-5") << QStringLiteral("gpt-5") << QStringLiteral("openai/gpt-5");
    QTest::newRow("combo") << QStringLiteral("fast") << QStringLiteral("glm-4.6") << QStringLiteral("fast → glm-4.6");
    QTest::newRow("not served") << QStringLiteral("fast") << QString() << QStringLiteral("fast");
    QTest::newRow("nothing asked") << QString() << QStringLiteral("x") << QStringLiteral("x");
}

void RequestsTest::modelsAreToldOnce()
{
    QFETCH(QString, asked);
    QFETCH(QString, served);
    QFETCH(QString, text);
    RequestRecord record;
    record.requestedModel = asked.toStdString();
    record.model = served.toStdString();
    QCOMPARE(modelText(record), text);
}

void RequestsTest::curlKeepsNoSecret()
{
    RequestRecord record = recordNumber(1);
    record.stream = true;
    record.requestedModel = "it's \"odd\"";
    record.requestHeaders = {{"Authorization", "Bearer sk-live-1234567890"}, {"X-Api-Key", "sk-other-1234567890"}, {"Host", "127.0.0.1"},
        {"Cookie", "session=1"}, {"Content-Type", "application/json"}, {"X-Title", "it's"}};
    const QString command = requestAsCurl(record, "http://127.0.0.1:20128/v1");
    QVERIFY(command.startsWith(QStringLiteral("curl 'http://127.0.0.1:20128/v1/chat/completions'")));
    QVERIFY(command.contains(QStringLiteral("-H \"Authorization: Bearer $OMNIROUTE_API_KEY\"")));
    QVERIFY(command.contains(QStringLiteral("-H \"X-Api-Key: $OMNIROUTE_API_KEY\"")));
    QVERIFY(!command.contains(QStringLiteral("sk-")));
    QVERIFY(!command.contains(QStringLiteral("Cookie")) && !command.contains(QStringLiteral("Host:")));
    QVERIFY(command.contains(QStringLiteral("-H 'X-Title: it'\\''s'")));
    QVERIFY(command.contains(QStringLiteral("\"model\":\"it'\\''s \\\"odd\\\"\"")));
    QVERIFY(command.contains(QStringLiteral("\"stream\":true")));
}

void RequestsTest::attemptsAreDrawnOnOneScale()
{
    RequestRecord record = recordNumber(0);
    record.durationUs = 900'000;
    AttemptRecord failed = record.attempts[0];
    failed.success = false;
    failed.status = 503;
    failed.connectUs = 20'000;
    failed.firstByteUs = 90'000;
    failed.totalUs = 100'000;
    failed.decision = "next target";
    AttemptRecord answered = failed;
    answered.success = true;
    answered.status = 200;
    answered.startedUs = 100'000;
    answered.firstFrameUs = 300'000;
    answered.totalUs = 800'000;
    answered.decision.clear();
    record.attempts = {failed, answered};
    ExcludedTarget excluded;
    excluded.provider = ProviderId("groq");
    excluded.reason = Exclusion::ConnectionCooldown;
    excluded.remainingMs = 65'000;
    record.excluded = {excluded};

    AttemptsModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setRecord(record, nullptr);
    QCOMPARE(model.rowCount(), 3);
    const auto fall = [&](int row) {
        return model.index(row, AttemptsModel::Phases).data(AttemptsModel::WaterfallRole).value<Waterfall>();
    };
    QCOMPARE(fall(0).whole, fall(1).whole);
    QCOMPARE(fall(0).ended, 100'000);
    QCOMPARE(fall(0).firstFrame, -1);
    QCOMPARE(fall(1).firstFrame, 400'000);
    QCOMPARE(fall(1).ended, 900'000);
    QVERIFY(
        model.index(1, AttemptsModel::Phases).data(Qt::AccessibleTextRole).toString().contains(QStringLiteral("first token at 300 ms")));
    QCOMPARE(model.index(0, AttemptsModel::Followed).data().toString(), QStringLiteral("next target"));
    QVERIFY(!model.index(2, AttemptsModel::Phases).data(AttemptsModel::WaterfallRole).isValid());
    QCOMPARE(model.index(2, AttemptsModel::Phases).data().toString(), QStringLiteral("left out, for another 1:05"));
    QCOMPARE(model.index(2, AttemptsModel::Result).data().toString(), QStringLiteral("resting"));
    model.clear();
    QCOMPARE(model.rowCount(), 0);
}

void RequestsTest::requestsAreShownLive()
{
    PageFixture fixture;
    QVERIFY2(fixture.open(), fixture.core.error().c_str());
    fixture.ask("sandbox/ok");
    QTRY_COMPARE(fixture.table->model()->rowCount(), 1);
    QCOMPARE(fixture.cell(0, RequestsModel::State), QStringLiteral("answered"));
    fixture.ask("sandbox/400");
    QTRY_COMPARE(fixture.table->model()->rowCount(), 2);
    QCOMPARE(fixture.cell(0, RequestsModel::Status), QStringLiteral("400"));
    fixture.table->selectRow(1);
    QTRY_VERIFY(fixture.story().startsWith(QStringLiteral("Answered by Sandbox · ")));

    QTest::mouseClick(fixture.page->findChild<QPushButton*>(QStringLiteral("copyText")), Qt::LeftButton);
    const QString text = QGuiApplication::clipboard()->text();
    QVERIFY(text.contains(QStringLiteral("sandbox/ok")) && text.contains(QStringLiteral("Request headers")));
    QVERIFY(!text.contains(QStringLiteral("very-secret")));
    QTest::mouseClick(fixture.page->findChild<QPushButton*>(QStringLiteral("copyCurl")), Qt::LeftButton);
    QVERIFY(QGuiApplication::clipboard()->text().contains(QString::fromStdString(fixture.core.url())));
    QVERIFY(!QGuiApplication::clipboard()->text().contains(QStringLiteral("very-secret")));
}

void RequestsTest::failoverIsExplained()
{
    PageFixture fixture;
    QVERIFY2(fixture.open(), fixture.core.error().c_str());
    fixture.core.addCombo("mix", {{"Broken", "503"}, {"Healthy", "ok"}});
    fixture.ask("mix");
    QTRY_COMPARE(fixture.table->model()->rowCount(), 1);
    QCOMPARE(fixture.cell(0, RequestsModel::Model), QStringLiteral("mix → ok"));
    QCOMPARE(fixture.cell(0, RequestsModel::Attempts), QStringLiteral("2"));
    fixture.table->selectRow(0);
    QTRY_VERIFY(fixture.story().contains(QStringLiteral("first tried Sandbox · Broken, which answered HTTP 503")));
    auto* attempts = fixture.page->findChild<DataTable*>(QStringLiteral("attemptTable"));
    QCOMPARE(attempts->model()->rowCount(), 2);
    QVERIFY(!attempts->model()->index(0, AttemptsModel::Followed).data().toString().isEmpty());
}

void RequestsTest::filterNarrowsThePage()
{
    PageFixture fixture;
    QVERIFY2(fixture.open(), fixture.core.error().c_str());
    for (const char* model : {"sandbox/ok", "sandbox/400", "sandbox/echo"})
        fixture.ask(model);
    QTRY_COMPARE(fixture.table->model()->rowCount(), 3);
    auto* text = fixture.page->findChild<QLineEdit*>(QStringLiteral("requestFilter"));
    QTest::keyClicks(text, QStringLiteral("echo"));
    QTRY_COMPARE(fixture.table->model()->rowCount(), 1);
    fixture.ask("sandbox/ok");  // does not belong under the filter
    fixture.ask("sandbox/echo");
    QTRY_COMPARE(fixture.table->model()->rowCount(), 2);
    text->clear();
    QTRY_COMPARE(fixture.table->model()->rowCount(), 5);
    auto* failures = fixture.page->findChild<QCheckBox*>(QStringLiteral("failuresOnly"));
    failures->setChecked(true);
    QTRY_COMPARE(fixture.table->model()->rowCount(), 1);
    failures->setChecked(false);
    auto* outcome = fixture.page->findChild<QComboBox*>(QStringLiteral("requestOutcome"));
    outcome->setCurrentIndex(outcome->findData(static_cast<int>(Outcome::Broken)));
    const auto showAll = [&]() -> QPushButton* {
        for (QPushButton* button : fixture.page->findChildren<QPushButton*>(QStringLiteral("emptyAction"))) {
            if (button->isVisible() && button->text() == QStringLiteral("Show all"))
                return button;
        }
        return nullptr;
    };
    QTRY_VERIFY(showAll());
    QTest::mouseClick(showAll(), Qt::LeftButton);
    QTRY_COMPARE(fixture.table->model()->rowCount(), 5);
}

void RequestsTest::clearedLogIsGoneFromThePage_data()
{
    QTest::addColumn<bool>("looking");
    QTest::newRow("while it is looked at") << true;
    QTest::newRow("from another page") << false;
}

void RequestsTest::clearedLogIsGoneFromThePage()
{
    QFETCH(bool, looking);
    PageFixture fixture;
    QVERIFY2(fixture.open(), fixture.core.error().c_str());
    HttpClient http(fixture.core.port());
    const auto ask = [&http] {
        return http.postJson("/v1/chat/completions", R"({"model":"sandbox/ok","messages":[{"role":"user","content":"x"}]})", {{"user-agent", "aider/1"}}).status;
    };
    QCOMPARE(ask(), 200);
    QAbstractItemModel* rows = fixture.table->model();
    QTRY_COMPARE(rows->rowCount(), 1);
    fixture.table->selectRow(0);
    auto* client = fixture.page->findChild<QComboBox*>(QStringLiteral("requestClient"));
    QTRY_VERIFY(client->findData(QStringLiteral("aider/1")) > 0);
    if (!looking)
        fixture.window->openPage(QStringLiteral("settings"));
    // As soon as it is answered: it is still on its way to the log and to the page.
    QCOMPARE(ask(), 200);
    QVERIFY(fixture.core.ask<bool>([](Control& control, Reply<bool> reply) { control.clearRequestLog(std::move(reply)); }));
    QVERIFY(fixture.window->openPage(QStringLiteral("requests")));
    QTRY_COMPARE(rows->rowCount(), 0);
    QCOMPARE(client->findData(QStringLiteral("aider/1")), -1);
    QVERIFY(!fixture.page->findChild<QTableView*>(QStringLiteral("attemptTable"))->isVisible());
    // What is told of in order has passed the cleared one by when this one is seen.
    QCOMPARE(ask(), 200);
    QTRY_COMPARE(rows->rowCount(), 1);
    QTRY_VERIFY(client->findData(QStringLiteral("aider/1")) > 0);
}

void RequestsTest::oneConnectionModelOrClientIsChosen()
{
    PageFixture fixture;
    QVERIFY2(fixture.open(), fixture.core.error().c_str());
    const auto askAs = [&fixture](const char* client, const char* model) {
        HttpClient http(fixture.core.port());
        http.postJson("/v1/chat/completions", std::string(R"({"model":")") + model + R"(","messages":[{"role":"user","content":"x"}]})",
                      {{"user-agent", client}});
    };
    askAs("aider/1", "sandbox/ok");
    askAs("aider/1", "sandbox/echo");
    askAs("cline/2", "sandbox/ok");
    QTRY_COMPARE(fixture.table->model()->rowCount(), 3);
    const auto box = [&fixture](const char* name) { return fixture.page->findChild<QComboBox*>(QLatin1String(name)); };
    QComboBox* client = box("requestClient");
    QTRY_VERIFY(client->findData(QStringLiteral("cline/2")) > 0);
    client->setCurrentIndex(client->findData(QStringLiteral("aider/1")));
    QTRY_COMPARE(fixture.table->model()->rowCount(), 2);
    // What comes meanwhile obeys it, too.
    askAs("cline/2", "sandbox/ok");
    askAs("aider/1", "sandbox/ok");
    QTRY_COMPARE(fixture.table->model()->rowCount(), 3);
    QComboBox* model = box("requestModel");
    model->setCurrentIndex(model->findData(QStringLiteral("sandbox/echo")));
    QTRY_COMPARE(fixture.table->model()->rowCount(), 1);
    client->setCurrentIndex(0);
    model->setCurrentIndex(0);
    QTRY_COMPARE(fixture.table->model()->rowCount(), 5);
    QComboBox* connection = box("requestConnection");
    QCOMPARE(connection->count(), 2);
    connection->setCurrentIndex(1);
    QTRY_COMPARE(fixture.table->model()->rowCount(), 5);
    // From elsewhere; a choice that is gone meanwhile stays as long as it is chosen.
    fixture.window->openPage(QStringLiteral("requests"), QStringLiteral("connection:00000000-0000-4000-8000-000000000000"));
    QTRY_COMPARE(fixture.table->model()->rowCount(), 0);
    fixture.page->refresh();
    QCOMPARE(connection->currentData().toString(), QStringLiteral("00000000-0000-4000-8000-000000000000"));
    QPushButton* showAll = nullptr;
    for (QPushButton* button : fixture.page->findChildren<QPushButton*>(QStringLiteral("emptyAction"))) {
        if (button->text() == QStringLiteral("Show all"))
            showAll = button;
    }
    QTRY_VERIFY(showAll && showAll->isVisible());
    QTest::mouseClick(showAll, Qt::LeftButton);
    QTRY_COMPARE(fixture.table->model()->rowCount(), 5);
    QCOMPARE(connection->currentIndex(), 0);
}

void RequestsTest::scrollingPausesTheList()
{
    PageFixture fixture;
    QVERIFY2(fixture.open(), fixture.core.error().c_str());
    fixture.core.runtime().ask([](Control& control) {
        for (int i = 0; i < 150; ++i) {
            control.requestStarted();
            control.requestFinished(recordNumber(i), true);
        }
    });
    auto* model = qobject_cast<RequestsModel*>(fixture.table->model());
    QTRY_VERIFY(model->rowCount() >= 150);
    QCoreApplication::processEvents();
    auto* bar = fixture.table->verticalScrollBar();
    QTRY_VERIFY(bar->maximum() > 0);
    bar->setValue(bar->maximum() / 2);
    QVERIFY(model->paused());
    const int rows = model->rowCount();
    fixture.ask("sandbox/ok");
    auto* newer = fixture.page->findChild<QPushButton*>(QStringLiteral("newerRequests"));
    QTRY_VERIFY(newer->isVisible());
    QCOMPARE(model->rowCount(), rows);
    QVERIFY(newer->text().contains(QStringLiteral("One newer request")));
    QTest::mouseClick(newer, Qt::LeftButton);
    QTRY_COMPARE(model->rowCount(), rows + 1);
    QVERIFY(!newer->isVisible());
    QCOMPARE(bar->value(), 0);
}

void RequestsTest::requestIsOpenedById()
{
    PageFixture fixture;
    QVERIFY2(fixture.open(), fixture.core.error().c_str());
    fixture.core.runtime().ask([](Control& control) {
        control.requestStarted();
        control.requestFinished(recordNumber(35), true);
    });
    QTRY_COMPARE(fixture.table->model()->rowCount(), 1);
    const auto stored = [&] {
        auto history = RequestHistory::open(fixture.core.runtime().databasePath());
        return history && (*history)->count({}).valueOr(0) == 1;
    };
    QTRY_VERIFY(stored());
    fixture.window->openPage(QStringLiteral("overview"));
    fixture.window->openPage(QStringLiteral("requests"), QStringLiteral("0000000000000023"));
    QTRY_VERIFY(fixture.story().contains(QStringLiteral("team")));
    fixture.window->openPage(QStringLiteral("requests"), QStringLiteral("ffffffffffffffff"));
    QTRY_VERIFY(!fixture.page->findChild<RequestDetail*>()->record());
}

void RequestsTest::emptyPageSaysWhatToDo()
{
    PageFixture fixture;
    QVERIFY2(fixture.open(), fixture.core.error().c_str());
    QLabel* sentence = nullptr;
    const auto visibleSentence = [&] {
        for (QLabel* label : fixture.page->findChildren<QLabel*>(QStringLiteral("emptySentence"))) {
            if (label->isVisible() && label->text().contains(QString::fromStdString(fixture.core.url())))
                sentence = label;
        }
        return sentence != nullptr;
    };
    QTRY_VERIFY(visibleSentence());
    QTest::mouseClick(sentence->parentWidget()->findChild<QPushButton*>(QStringLiteral("emptyAction")), Qt::LeftButton);
    QCOMPARE(QGuiApplication::clipboard()->text(), QString::fromStdString(fixture.core.url() + "/v1"));
}

OMNI_TEST(RequestsTest)
#include "requests_test.moc"
