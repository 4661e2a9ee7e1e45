#include "gui/window_fixture.h"
#include "program/test_program.h"
#include "support/http_client.h"
#include "ui/connections/connection_dialog.h"
#include "ui/connections/connections_page.h"
#include "ui/connections/provider_chooser.h"
#include "ui/models/connections_filter.h"
#include "ui/models/connections_model.h"
#include "ui/models/data_table.h"
#include "ui/models/state_delegate.h"
#include "ui/widgets/field_error_label.h"
#include "ui/widgets/message_bar.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPaintEvent>
#include <QPushButton>
#include <QSignalSpy>
#include <QTcpServer>
#include <QTcpSocket>
#include <QToolButton>
#include <QTreeView>

using namespace omni;
using omni::test::HttpClient;
using omni::test::WindowFixture;

namespace {

const WallTime kNow{Millis(1'790'000'000'000)};

std::shared_ptr<Configuration> configurationWith(int count)
{
    auto configuration = std::make_shared<Configuration>();
    configuration->catalogue = ProviderCatalogue::load().valueOr(nullptr);
    for (int i = 0; i < count; ++i) {
        Connection connection;
        connection.id = ConnectionId("id-" + std::to_string(i));
        connection.provider = ProviderId(i % 2 == 0 ? "openai" : "groq");
        connection.name = "key " + std::to_string(i);
        connection.secretRef = "kept";
        connection.priority = count - i;
        configuration->connections.push_back(std::move(connection));
    }
    return configuration;
}

EngineSnapshot healthsOf(const Configuration& configuration)
{
    EngineSnapshot engine;
    for (const Connection& connection : configuration.connections) {
        ConnectionHealth health;
        health.id = connection.id;
        engine.healths.push_back(health);
    }
    return engine;
}

/// Gathers what was painted of a widget.
struct PaintWatch : QObject {
    bool eventFilter(QObject*, QEvent* event) override
    {
        if (event->type() == QEvent::Paint)
            painted = painted.united(static_cast<QPaintEvent*>(event)->region().boundingRect());
        return false;
    }
    QRect painted;
};

struct PageFixture : WindowFixture {
    bool open()
    {
        if (!start())
            return false;
        page = window->openPage(QStringLiteral("connections"));
        table = page->findChild<DataTable*>(QStringLiteral("connectionTable"));
        return table != nullptr;
    }
    ConfigurationPtr configuration()
    {
        return core.read<ConfigurationPtr>([](Control& control) { return control.configuration(); });
    }
    const Connection* named(const char* name)
    {
        held = configuration();
        for (const Connection& connection : held->connections) {
            if (connection.name == name)
                return &connection;
        }
        return nullptr;
    }
    int rowNamed(const char* name) const
    {
        for (int row = 0; row < table->model()->rowCount(); ++row) {
            if (table->model()->index(row, ConnectionsModel::Name).data().toString() == QLatin1String(name))
                return row;
        }
        return -1;
    }
    ConnectionDialog* dialog() const { return page->findChild<ConnectionDialog*>(); }
    template <typename T>
    T* field(const char* name) const
    {
        return dialog()->findChild<T*>(QLatin1String(name));
    }
    QString errorAt(const char* name) const { return field<FieldErrorLabel>((std::string(name) + "Error").c_str())->error(); }
    void type(const char* name, const QString& text) const
    {
        auto* edit = field<QLineEdit>(name);
        edit->setFocus();
        edit->selectAll();
        QTest::keyClick(edit, Qt::Key_Delete);
        QTest::keyClicks(edit, text);
    }
    void click(const char* name) const { QTest::mouseClick(page->findChild<QPushButton*>(QLatin1String(name)), Qt::LeftButton); }
    QString message() const { return window->messages().text(); }

    Page* page = nullptr;
    DataTable* table = nullptr;
    ConfigurationPtr held;
};

}  // namespace

class ConnectionsTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QLocale::setDefault(QLocale::c()); }

    void modelFollowsTheConfiguration();
    void onlyChangedRowsAreAnnounced();
    void endedHoldsAreSeen();
    void filterFindsByWordsAndState();
    void sortsByEveryColumn();
    void countdownPaintsOnlyItsCells();
    void keyIsAdded();
    void errorsAreToldWhileTyping();
    void coresRefusalStandsAtItsField();
    void ownEndpointIsMade();
    void endpointOfAGivenUpDialogGoes();
    void storedKeyIsKeptWhenLeftEmpty();
    void proxyPasswordLeavesTheAddress();
    void draftIsTestedForReal();
    void testCanBeGivenUpAndRepeated();
    void tableShowsTestResults();
    void deletionIsUndone();
    void switchedOffAndOn();
    void copiesAreMade();
    void keyboardIsEnough();
    void emptyPageOffersTheSandbox();
    void chooserFindsByTyping();
};

void ConnectionsTest::modelFollowsTheConfiguration()
{
    ConnectionsModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    auto configuration = configurationWith(5);
    const EngineSnapshot engine = healthsOf(*configuration);
    model.setConfiguration(configuration, engine, kNow);
    QCOMPARE(model.rowCount(), 5);

    auto changed = std::make_shared<Configuration>(*configuration);
    changed->connections.erase(changed->connections.begin() + 1, changed->connections.begin() + 3);
    changed->connections[0].name = "renamed";
    Connection added = changed->connections[0];
    added.id = ConnectionId("new");
    added.name = "new";
    changed->connections.push_back(added);
    QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
    model.setConfiguration(changed, engine, kNow);
    QCOMPARE(model.rowCount(), 4);
    QCOMPARE(changes.count(), 1);
    QCOMPARE(model.index(model.rowOf(ConnectionId("id-0")), ConnectionsModel::Name).data().toString(), QStringLiteral("renamed"));
    QVERIFY(model.rowOf(ConnectionId("new")) >= 0);
    QCOMPARE(model.rowOf(ConnectionId("id-1")), -1);
}

void ConnectionsTest::onlyChangedRowsAreAnnounced()
{
    ConnectionsModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const auto configuration = configurationWith(1000);
    EngineSnapshot engine = healthsOf(*configuration);
    model.setConfiguration(configuration, engine, kNow);
    QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
    model.setEngine(engine, kNow);
    QCOMPARE(changes.count(), 0);

    engine.healths[417].lastUsedAt = kNow;
    model.setEngine(engine, kNow);
    QCOMPARE(changes.count(), 1);
    QCOMPARE(changes[0].at(0).toModelIndex(), model.index(417, ConnectionsModel::LastUsed));
    QCOMPARE(changes[0].at(1).toModelIndex(), model.index(417, ConnectionsModel::LastUsed));

    changes.clear();
    engine.healths[3].coolingUntil = kNow + Millis(60'000);
    engine.healths[999].terminal = TerminalState::Expired;
    model.setEngine(engine, kNow);
    QCOMPARE(changes.count(), 2);
    QCOMPARE(changes[0].at(0).toModelIndex().row(), 3);
    QCOMPARE(changes[1].at(0).toModelIndex().row(), 999);
}

void ConnectionsTest::endedHoldsAreSeen()
{
    ConnectionsModel model;
    const auto configuration = configurationWith(2);
    EngineSnapshot engine = healthsOf(*configuration);
    engine.healths[0].coolingUntil = kNow + Millis(5'000);
    model.setConfiguration(configuration, engine, kNow);
    QCOMPARE(model.countingRows(), std::vector<int>{0});
    QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
    model.expire(engine, kNow + Millis(4'999));
    QCOMPARE(changes.count(), 0);
    model.expire(engine, kNow + Millis(5'000));
    QCOMPARE(changes.count(), 1);
    QVERIFY(model.countingRows().empty());
}

void ConnectionsTest::filterFindsByWordsAndState()
{
    ConnectionsModel model;
    ConnectionsFilter filter;
    filter.setSourceModel(&model);
    const QAbstractItemModelTester tester(&filter, QAbstractItemModelTester::FailureReportingMode::QtTest);
    auto configuration = configurationWith(20);
    configuration->connections[4].enabled = false;
    EngineSnapshot engine = healthsOf(*configuration);
    engine.healths[7].terminal = TerminalState::Expired;
    engine.healths[7].lastError = "Invalid API Key";
    model.setConfiguration(configuration, engine, kNow);

    filter.setText(QStringLiteral("groq KEY 7"));
    QCOMPARE(filter.rowCount(), 2);  // "key 7" and "key 17"
    filter.setText(QStringLiteral("invalid"));
    QCOMPARE(filter.rowCount(), 1);
    filter.setText(QString());
    filter.setShow(ConnectionsFilter::Show::OutOfService);
    QCOMPARE(filter.rowCount(), 1);
    filter.setShow(ConnectionsFilter::Show::Disabled);
    QCOMPARE(filter.rowCount(), 1);
    filter.setShow(ConnectionsFilter::Show::Serving);
    QCOMPARE(filter.rowCount(), 18);
    // A state that changes moves the row in or out.
    engine.healths[8].coolingUntil = kNow + Millis(9'000);
    model.setEngine(engine, kNow);
    QCOMPARE(filter.rowCount(), 17);
}

void ConnectionsTest::sortsByEveryColumn()
{
    ConnectionsModel model;
    ConnectionsFilter filter;
    filter.setSourceModel(&model);
    const auto configuration = configurationWith(12);
    EngineSnapshot engine = healthsOf(*configuration);
    engine.healths[5].coolingUntil = kNow + Millis(50'000);
    engine.healths[6].coolingUntil = kNow + Millis(20'000);
    engine.healths[9].terminal = TerminalState::Banned;
    model.setConfiguration(configuration, engine, kNow);
    const auto nameAt = [&](int row) { return filter.index(row, ConnectionsModel::Name).data().toString(); };

    filter.sort(ConnectionsModel::Remaining);
    QCOMPARE(nameAt(0), QStringLiteral("key 6"));
    QCOMPARE(nameAt(1), QStringLiteral("key 5"));
    filter.sort(ConnectionsModel::State);
    QCOMPARE(nameAt(0), QStringLiteral("key 9"));
    filter.sort(ConnectionsModel::Priority, Qt::DescendingOrder);
    QCOMPARE(nameAt(0), QStringLiteral("key 0"));
    // Within a provider by priority, whichever way the provider column points.
    filter.sort(ConnectionsModel::Provider, Qt::AscendingOrder);
    QCOMPARE(nameAt(0), QStringLiteral("key 11"));
    filter.sort(ConnectionsModel::Provider, Qt::DescendingOrder);
    QCOMPARE(nameAt(0), QStringLiteral("key 10"));
}

void ConnectionsTest::countdownPaintsOnlyItsCells()
{
    PageFixture fixture;
    QVERIFY2(fixture.open(), fixture.core.error().c_str());
    HttpClient client(fixture.core.port());
    client.postJson("/v1/chat/completions", R"({"model":"sandbox/rate-limited?seconds=60","messages":[{"role":"user","content":"x"}]})");
    QTRY_VERIFY(!fixture.table->model()->index(0, ConnectionsModel::Remaining).data().toString().isEmpty());
    fixture.table->setFocus();
    QCoreApplication::processEvents();

    PaintWatch watch;
    fixture.table->viewport()->installEventFilter(&watch);
    auto* timer = fixture.page->findChild<QTimer*>(QStringLiteral("refreshTimer"));
    QVERIFY(timer->isActive());
    // What the opening of the page still had to paint does not count: the ticks after it do.
    const auto onlyTheCell = [&] {
        const QRect cell = fixture.table->visualRect(fixture.table->model()->index(0, ConnectionsModel::Remaining));
        const QRect painted = std::exchange(watch.painted, QRect());
        return !painted.isEmpty() && cell.adjusted(-2, -2, 2, 2).contains(painted);
    };
    QVERIFY(QTest::qWaitFor(onlyTheCell, 5000));
    for (int tick = 0; tick < 2; ++tick) {
        QTRY_VERIFY(!watch.painted.isEmpty());
        QVERIFY(onlyTheCell());
    }
}

void ConnectionsTest::keyIsAdded()
{
    PageFixture fixture;
    QVERIFY2(fixture.open(), fixture.core.error().c_str());
    fixture.click("addConnection");
    QVERIFY(fixture.dialog());
    auto* save = fixture.field<QPushButton>("dialogSave");
    QVERIFY(!save->isEnabled());
    fixture.dialog()->chooseProvider(ProviderId("groq"));
    QCOMPARE(fixture.field<QLineEdit>("connectionName")->text(), QStringLiteral("Groq"));
    QVERIFY(!save->isEnabled());
    QVERIFY(fixture.field<QLabel>("dialogProblem")->text().contains(QStringLiteral("needs an API key")));
    QCOMPARE(fixture.field<QLineEdit>("apiKey")->echoMode(), QLineEdit::Password);
    fixture.type("apiKey", QStringLiteral("gsk_abcdefghijklmnop9f2c"));
    QTest::mouseClick(fixture.field<QToolButton>("showKey"), Qt::LeftButton);
    QCOMPARE(fixture.field<QLineEdit>("apiKey")->echoMode(), QLineEdit::Normal);
    fixture.type("maxConcurrent", QStringLiteral("4"));
    QVERIFY(save->isEnabled());
    QTest::mouseClick(save, Qt::LeftButton);

    QTRY_VERIFY(fixture.rowNamed("Groq") >= 0);
    const Connection* saved = fixture.named("Groq");
    QVERIFY(saved);
    QVERIFY(saved->keyHint.find("9f2c") != std::string::npos);
    QCOMPARE(saved->maxConcurrent.value_or(0), 4);
    const auto secret = fixture.core.ask<std::string>(
        [connection = *saved](Control& control, Reply<std::string> reply) { reply(control.secretOf(connection)); });
    QCOMPARE(secret.valueOr({}), std::string("gsk_abcdefghijklmnop9f2c"));
    QTRY_VERIFY(!fixture.dialog());
    QCOMPARE(fixture.table->selectedRowsInOrder().size(), 1);
    QTRY_VERIFY(fixture.message().contains(QStringLiteral("was added")));
}

void ConnectionsTest::errorsAreToldWhileTyping()
{
    PageFixture fixture;
    QVERIFY2(fixture.open(), fixture.core.error().c_str());
    fixture.page->createNew();
    fixture.dialog()->chooseProvider(ProviderId("openai"));
    QVERIFY(fixture.errorAt("apiKey").isEmpty());  // not touched yet
    fixture.type("apiKey", QStringLiteral("sk-1234567890abcdef1234"));
    auto* save = fixture.field<QPushButton>("dialogSave");
    QVERIFY(save->isEnabled());

    fixture.type("baseUrl", QStringLiteral("ftp://host"));
    QVERIFY(!fixture.errorAt("baseUrl").isEmpty());
    QVERIFY(!save->isEnabled());
    fixture.type("baseUrl", QStringLiteral("https://host.example/v1"));
    QVERIFY(fixture.errorAt("baseUrl").isEmpty());
    QVERIFY(save->isEnabled());
    fixture.type("connectionName", QString());
    QVERIFY(!fixture.errorAt("connectionName").isEmpty());
    fixture.type("connectionName", QStringLiteral("x"));
    QVERIFY(save->isEnabled());
    QTest::mouseClick(fixture.field<QToolButton>("advancedToggle"), Qt::LeftButton);
    fixture.type("proxyUrl", QStringLiteral("gopher://p"));
    QVERIFY(!fixture.errorAt("proxyUrl").isEmpty());
    QVERIFY(!save->isEnabled());
    fixture.type("priority", QStringLiteral("0"));
    QVERIFY(fixture.errorAt("priority").contains(QStringLiteral("1 to 1,000,000")));
    fixture.type("priority", QStringLiteral("abc"));
    QVERIFY(!fixture.errorAt("priority").isEmpty());
    fixture.type("priority", QString());
    fixture.field<QLineEdit>("priority")->insert(QString::fromUtf8("১২"));  // the digits of any script
    QVERIFY(fixture.errorAt("priority").isEmpty());
    fixture.type("maxConcurrent", QStringLiteral("10001"));
    QVERIFY(fixture.errorAt("maxConcurrent").contains(QStringLiteral("10,000")));
    fixture.type("maxConcurrent", QString());
    QVERIFY(fixture.errorAt("maxConcurrent").isEmpty());
    // The whole field, wiped: the key is needed again.
    fixture.type("proxyUrl", QString());
    fixture.type("apiKey", QString());
    QVERIFY(fixture.errorAt("apiKey").contains(QStringLiteral("needs an API key")));
}

void ConnectionsTest::coresRefusalStandsAtItsField()
{
    PageFixture fixture;
    QVERIFY2(fixture.open(), fixture.core.error().c_str());
    fixture.page->createNew();
    fixture.dialog()->chooseProvider(ProviderId("ollama-local"));
    fixture.type("connectionName", QStringLiteral("mine"));
    QVERIFY(fixture.field<QPushButton>("dialogSave")->isEnabled());
    // Meanwhile someone else takes the name; this dialog still stands on what it knew.
    ConnectionDraft other;
    other.connection.provider = ProviderId("ollama-local");
    other.connection.name = "mine";
    QVERIFY(
        fixture.core.ask<Connection>([other](Control& control, Reply<Connection> reply) { control.saveConnection(other, reply); }).ok());
    QTest::mouseClick(fixture.field<QPushButton>("dialogSave"), Qt::LeftButton);
    QTRY_VERIFY(!fixture.errorAt("connectionName").isEmpty());
    QVERIFY(fixture.dialog()->isVisible());
    QVERIFY(fixture.field<QLineEdit>("connectionName")->hasFocus());
    fixture.type("connectionName", QStringLiteral("other"));
    QVERIFY(fixture.errorAt("connectionName").isEmpty());
    QTest::mouseClick(fixture.field<QPushButton>("dialogSave"), Qt::LeftButton);
    QTRY_VERIFY(!fixture.dialog());
    QVERIFY(fixture.named("other"));
}

void ConnectionsTest::ownEndpointIsMade()
{
    PageFixture fixture;
    QVERIFY2(fixture.open(), fixture.core.error().c_str());
    fixture.page->createNew();
    fixture.dialog()->chooseProvider(ProviderChooser::kNewAnthropic);
    fixture.type("nodeName", QStringLiteral("My Gateway"));
    QCOMPARE(fixture.field<QLineEdit>("nodePrefix")->text(), QStringLiteral("my-gateway"));
    QCOMPARE(fixture.field<QLineEdit>("connectionName")->text(), QStringLiteral("My Gateway"));
    fixture.type("nodePrefix", QStringLiteral("openai"));
    QVERIFY(fixture.errorAt("nodePrefix").contains(QStringLiteral("OpenAI")));
    fixture.type("nodePrefix", QStringLiteral("gate"));
    fixture.type("nodeUrl", QStringLiteral("nonsense"));
    QVERIFY(!fixture.errorAt("nodeUrl").isEmpty());
    QVERIFY(!fixture.field<QPushButton>("dialogSave")->isEnabled());
    fixture.type("nodeUrl", QStringLiteral("http://127.0.0.1:9/v1"));
    QTest::mouseClick(fixture.field<QPushButton>("dialogSave"), Qt::LeftButton);
    QTRY_VERIFY(!fixture.dialog());

    const ConfigurationPtr configuration = fixture.configuration();
    QCOMPARE(configuration->nodes.size(), std::size_t{1});
    QCOMPARE(configuration->nodes[0].prefix, std::string("gate"));
    QVERIFY(configuration->nodes[0].id.str().rfind("anthropic-compatible-", 0) == 0);
    const Connection* connection = fixture.named("My Gateway");
    QVERIFY(connection);
    QCOMPARE(connection->provider, configuration->nodes[0].id);

    // Its endpoint can be changed where the connection is edited.
    fixture.page->showObject(QStringLiteral("edit:") + QString::fromStdString(connection->id.str()));
    QVERIFY(fixture.dialog());
    fixture.type("nodeUrl", QStringLiteral("http://127.0.0.1:10/v1"));
    QTest::mouseClick(fixture.field<QPushButton>("dialogSave"), Qt::LeftButton);
    QTRY_COMPARE(fixture.configuration()->nodes[0].baseUrl, std::string("http://127.0.0.1:10/v1"));
}

void ConnectionsTest::endpointOfAGivenUpDialogGoes()
{
    PageFixture fixture;
    QVERIFY2(fixture.open(), fixture.core.error().c_str());
    fixture.page->createNew();
    fixture.dialog()->chooseProvider(ProviderChooser::kNewOpenAi);
    fixture.type("nodeName", QStringLiteral("tried"));
    fixture.type("nodeUrl", QStringLiteral("http://127.0.0.1:9/v1"));
    QTest::mouseClick(fixture.field<QPushButton>("testDraft"), Qt::LeftButton);
    QTRY_COMPARE(fixture.configuration()->nodes.size(), std::size_t{1});
    QTest::mouseClick(fixture.field<QPushButton>("dialogCancel"), Qt::LeftButton);
    QTRY_COMPARE(fixture.configuration()->nodes.size(), std::size_t{0});
}

void ConnectionsTest::storedKeyIsKeptWhenLeftEmpty()
{
    PageFixture fixture;
    QVERIFY2(fixture.open(), fixture.core.error().c_str());
    ConnectionDraft draft;
    draft.connection.provider = ProviderId("groq");
    draft.connection.name = "kept";
    draft.secret = "gsk_abcdefghijklmnop9f2c";
    QVERIFY(
        fixture.core.ask<Connection>([draft](Control& control, Reply<Connection> reply) { control.saveConnection(draft, reply); }).ok());
    const Connection before = *fixture.named("kept");
    QTRY_VERIFY(fixture.rowNamed("kept") >= 0);
    fixture.table->setCurrentIndex(fixture.table->model()->index(fixture.rowNamed("kept"), 0));
    fixture.click("editConnection");
    QVERIFY(fixture.field<QLineEdit>("apiKey")->text().isEmpty());
    QVERIFY(fixture.field<QLineEdit>("apiKey")->placeholderText().contains(QStringLiteral("9f2c")));
    QVERIFY(!fixture.field<QCheckBox>("removeKey")->isVisible());  // this provider cannot do without
    fixture.type("connectionName", QStringLiteral("renamed"));
    QTest::mouseClick(fixture.field<QPushButton>("dialogSave"), Qt::LeftButton);
    QTRY_VERIFY(fixture.named("renamed"));
    QCOMPARE(fixture.named("renamed")->secretRef, before.secretRef);
    QCOMPARE(fixture.named("renamed")->keyHint, before.keyHint);
}

void ConnectionsTest::proxyPasswordLeavesTheAddress()
{
    PageFixture fixture;
    QVERIFY2(fixture.open(), fixture.core.error().c_str());
    fixture.page->createNew();
    QTRY_VERIFY(fixture.dialog()->isActiveWindow());
    fixture.dialog()->chooseProvider(ProviderId("ollama-local"));
    QTest::mouseClick(fixture.field<QToolButton>("advancedToggle"), Qt::LeftButton);
    fixture.type("proxyUrl", QStringLiteral("http://me:s3cret@proxy.example:3128"));
    fixture.field<QLineEdit>("connectionName")->setFocus();
    QCOMPARE(fixture.field<QLineEdit>("proxyUrl")->text(), QStringLiteral("http://proxy.example:3128"));
    QCOMPARE(fixture.field<QLineEdit>("proxyUser")->text(), QStringLiteral("me"));
    QTest::mouseClick(fixture.field<QPushButton>("dialogSave"), Qt::LeftButton);
    QTRY_VERIFY(fixture.named("Ollama"));
    const Connection saved = *fixture.named("Ollama");
    QCOMPARE(saved.proxyUrl, std::string("http://proxy.example:3128"));
    const auto secret =
        fixture.core.ask<std::string>([saved](Control& control, Reply<std::string> reply) { reply(control.proxySecretOf(saved)); });
    QCOMPARE(secret.valueOr({}), std::string("me:s3cret"));
}

void ConnectionsTest::draftIsTestedForReal()
{
    PageFixture fixture;
    QVERIFY2(fixture.open(), fixture.core.error().c_str());
    fixture.page->createNew();
    fixture.dialog()->chooseProvider(ProviderId("sandbox"));
    fixture.type("connectionName", QStringLiteral("draft"));
    QTest::mouseClick(fixture.field<QPushButton>("testDraft"), Qt::LeftButton);
    QTRY_VERIFY(fixture.field<QLabel>("testText")->text().contains(QStringLiteral("ms")));
    QVERIFY(fixture.field<QLabel>("testModels")->isVisible());
    QVERIFY(!fixture.named("draft"));  // tested, not saved

    // Any change makes the finding stale.
    fixture.type("connectionName", QStringLiteral("draft 2"));
    QVERIFY(!fixture.field<QLabel>("testModels")->isVisible());

    fixture.dialog()->chooseProvider(ProviderId("ollama-local"));
    fixture.type("baseUrl", QStringLiteral("http://127.0.0.1:9/v1"));
    QTest::mouseClick(fixture.field<QPushButton>("testDraft"), Qt::LeftButton);
    QTRY_COMPARE(fixture.field<QPushButton>("testDraft")->text(), QStringLiteral("Test"));
    QVERIFY(!fixture.field<QLabel>("testText")->text().isEmpty());
    QVERIFY(!fixture.field<QLabel>("testModels")->isVisible());
}

void ConnectionsTest::testCanBeGivenUpAndRepeated()
{
    QTcpServer silent;
    QVERIFY(silent.listen(QHostAddress::LocalHost));
    int asked = 0;
    QObject::connect(&silent, &QTcpServer::newConnection, &silent, [&] { ++asked; });
    PageFixture fixture;
    QVERIFY2(fixture.open(), fixture.core.error().c_str());
    fixture.page->createNew();
    fixture.dialog()->chooseProvider(ProviderId("ollama-local"));
    fixture.type("baseUrl", QStringLiteral("http://127.0.0.1:%1/v1").arg(silent.serverPort()));
    auto* button = fixture.field<QPushButton>("testDraft");
    QTest::mouseClick(button, Qt::LeftButton);
    QCOMPARE(button->text(), QStringLiteral("Cancel"));
    QVERIFY(fixture.field<QLabel>("testText")->text().contains(QStringLiteral("Testing")));
    QTRY_COMPARE(asked, 1);
    QTest::mouseClick(button, Qt::LeftButton);
    QCOMPARE(button->text(), QStringLiteral("Test"));
    QCOMPARE(fixture.field<QLabel>("testText")->text(), QStringLiteral("Given up."));
    QTest::mouseClick(button, Qt::LeftButton);
    QCOMPARE(button->text(), QStringLiteral("Cancel"));
    QTRY_COMPARE(asked, 2);
}

void ConnectionsTest::tableShowsTestResults()
{
    PageFixture fixture;
    QVERIFY2(fixture.open(), fixture.core.error().c_str());
    fixture.core.addSandboxConnection("good");
    ConnectionDraft dead;
    dead.connection.provider = ProviderId("ollama-local");
    dead.connection.name = "dead";
    dead.connection.baseUrl = "http://127.0.0.1:9/v1";
    QVERIFY(fixture.core.ask<Connection>([dead](Control& control, Reply<Connection> reply) { control.saveConnection(dead, reply); }).ok());
    QTRY_VERIFY(fixture.rowNamed("good") >= 0 && fixture.rowNamed("dead") >= 0);
    const auto result = [&](const char* name) {
        return fixture.table->model()->index(fixture.rowNamed(name), ConnectionsModel::LastResult);
    };
    fixture.table->setCurrentIndex(fixture.table->model()->index(fixture.rowNamed("good"), 0));
    fixture.click("testConnection");
    QTRY_VERIFY(result("good").data().toString().contains(QStringLiteral("passed")));
    QVERIFY(result("good").data(StateDelegate::StateRole).value<StateKey>() == StateKey{Outcome::Answered});
    QTRY_VERIFY(fixture.message().contains(QStringLiteral("good: test passed")));

    fixture.table->selectAll();
    fixture.click("testConnection");
    QTRY_VERIFY(result("dead").data().toString().contains(QStringLiteral("failed")));
    QTRY_VERIFY(fixture.message().contains(QStringLiteral("1 of 3 tests failed")));
}

void ConnectionsTest::deletionIsUndone()
{
    PageFixture fixture;
    QVERIFY2(fixture.open(), fixture.core.error().c_str());
    fixture.core.addSandboxConnection("one");
    fixture.core.addSandboxConnection("two");
    QTRY_VERIFY(fixture.rowNamed("one") >= 0 && fixture.rowNamed("two") >= 0);
    const int before = fixture.table->model()->rowCount();
    fixture.table->clearSelection();
    for (const char* name : {"one", "two"}) {
        fixture.table->selectionModel()->select(
            fixture.table->model()->index(fixture.rowNamed(name), 0), QItemSelectionModel::Select | QItemSelectionModel::Rows);
    }
    fixture.table->setFocus();
    QTest::keyClick(fixture.table, Qt::Key_Delete);
    QTRY_COMPARE(fixture.table->model()->rowCount(), before - 2);
    QVERIFY(!fixture.named("one") && !fixture.named("two"));
    QTRY_VERIFY(fixture.message().contains(QStringLiteral("2 connections were deleted")));
    QTest::mouseClick(fixture.find<QPushButton>(QStringLiteral("messageButton")), Qt::LeftButton);
    QTRY_COMPARE(fixture.table->model()->rowCount(), before);
    QVERIFY(fixture.named("one") && fixture.named("two"));
}

void ConnectionsTest::switchedOffAndOn()
{
    PageFixture fixture;
    QVERIFY2(fixture.open(), fixture.core.error().c_str());
    fixture.core.addSandboxConnection("one");
    QTRY_VERIFY(fixture.rowNamed("one") >= 0);
    fixture.table->setCurrentIndex(fixture.table->model()->index(fixture.rowNamed("one"), 0));
    auto* toggle = fixture.page->findChild<QPushButton*>(QStringLiteral("toggleConnection"));
    QCOMPARE(toggle->text(), QStringLiteral("Disable"));
    QTest::mouseClick(toggle, Qt::LeftButton);
    QTRY_VERIFY(!fixture.named("one")->enabled);
    QTRY_COMPARE(fixture.table->model()->index(fixture.rowNamed("one"), ConnectionsModel::State).data().toString(),
                 QStringLiteral("disabled"));
    QTRY_COMPARE(toggle->text(), QStringLiteral("Enable"));
    QTRY_VERIFY(fixture.message().contains(QStringLiteral("disabled")));
    QTest::mouseClick(fixture.find<QPushButton>(QStringLiteral("messageButton")), Qt::LeftButton);
    QTRY_VERIFY(fixture.named("one")->enabled);
}

void ConnectionsTest::copiesAreMade()
{
    PageFixture fixture;
    QVERIFY2(fixture.open(), fixture.core.error().c_str());
    fixture.core.addSandboxConnection("one");
    QTRY_VERIFY(fixture.rowNamed("one") >= 0);
    fixture.table->setCurrentIndex(fixture.table->model()->index(fixture.rowNamed("one"), 0));
    fixture.click("duplicateConnection");
    QTRY_VERIFY(fixture.rowNamed("one (copy)") >= 0);
    QVERIFY(!fixture.named("one (copy)")->enabled);
    QTRY_COMPARE(fixture.table->currentIndex().siblingAtColumn(ConnectionsModel::Name).data().toString(), QStringLiteral("one (copy)"));
}

void ConnectionsTest::keyboardIsEnough()
{
    PageFixture fixture;
    QVERIFY2(fixture.open(), fixture.core.error().c_str());
    QTRY_VERIFY(fixture.table->model()->rowCount() > 0);
    QTest::keyClick(fixture.window.get(), Qt::Key_N, Qt::ControlModifier);
    QTRY_VERIFY(fixture.dialog());
    QTest::keyClick(fixture.dialog(), Qt::Key_Escape);
    QTRY_VERIFY(!fixture.dialog());

    fixture.table->setFocus();
    fixture.table->setCurrentIndex(fixture.table->model()->index(0, 0));
    QTest::keyClick(fixture.table, Qt::Key_Return);
    QTRY_VERIFY(fixture.dialog());
    QVERIFY(fixture.dialog()->windowTitle().contains(QStringLiteral("Edit")));
    fixture.dialog()->reject();
    QTRY_VERIFY(!fixture.dialog());

    QTest::keyClick(fixture.table, Qt::Key_C, Qt::ControlModifier);
    const QStringList lines = QGuiApplication::clipboard()->text().split(QLatin1Char('\n'));
    QCOMPARE(lines.size(), 2);
    QVERIFY(lines[0].startsWith(QStringLiteral("State\tRests for\tProvider")));
    QVERIFY(lines[1].startsWith(QStringLiteral("serving\t\tSandbox")));
}

void ConnectionsTest::emptyPageOffersTheSandbox()
{
    PageFixture fixture;
    QVERIFY2(fixture.open(), fixture.core.error().c_str());
    QTRY_COMPARE(fixture.table->model()->rowCount(), 1);  // the first start's sandbox
    fixture.table->selectAll();
    fixture.click("deleteConnection");
    auto* sandbox = fixture.page->findChild<QPushButton*>(QStringLiteral("trySandbox"));
    QTRY_VERIFY(sandbox->isVisible());
    QTest::mouseClick(sandbox, Qt::LeftButton);
    QTRY_VERIFY(fixture.table->isVisible());
    QCOMPARE(fixture.configuration()->connections.size(), std::size_t{1});
}

void ConnectionsTest::chooserFindsByTyping()
{
    const auto configuration = configurationWith(2);
    ProviderChooser chooser(*configuration);
    chooser.show();
    QVERIFY(QTest::qWaitForWindowActive(&chooser));
    QSignalSpy chosen(&chooser, &ProviderChooser::providerChosen);
    auto* search = chooser.findChild<QLineEdit*>(QStringLiteral("providerSearch"));
    QTest::keyClicks(search, QStringLiteral("mistral"));
    QTest::keyClick(search, Qt::Key_Return);
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(chooser.chosen().str(), std::string("mistral"));
    // Whoever finds nothing is led to an endpoint of their own.
    search->clear();
    QTest::keyClicks(search, QStringLiteral("no such thing"));
    QTest::keyClick(search, Qt::Key_Return);
    QCOMPARE(chooser.chosen(), ProviderChooser::kNewOpenAi);
}

OMNI_TEST(ConnectionsTest)
#include "connections_test.moc"
