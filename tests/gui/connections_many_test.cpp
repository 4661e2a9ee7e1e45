#include "gui/window_fixture.h"
#include "program/test_program.h"
#include "ui/connections/bulk_dialog.h"
#include "ui/models/connections_model.h"
#include "ui/models/reorder_table.h"
#include "ui/widgets/field_error_label.h"
#include "ui/widgets/message_bar.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>
#include <QTcpServer>

using namespace omni;
using omni::test::WindowFixture;

namespace {

struct PageFixture : WindowFixture {
    bool open(std::initializer_list<std::pair<const char*, int>> connections)
    {
        if (!start())
            return false;
        // The sandbox is not what these tests move about.
        for (const auto& [name, priority] : connections)
            add("ollama-local", name, priority);
        page = window->openPage(QStringLiteral("connections"));
        table = page->findChild<ReorderTable*>(QStringLiteral("connectionTable"));
        return table && QTest::qWaitFor([&] { return rowNamed(std::prev(connections.end())->first) >= 0; }, 5'000);
    }
    void add(const char* provider, const char* name, int priority, const std::string& baseUrl = {})
    {
        ConnectionDraft draft;
        draft.connection.provider = ProviderId(provider);
        draft.connection.name = name;
        draft.connection.priority = priority;
        draft.connection.baseUrl = baseUrl;
        if (!core.ask<Connection>([draft](Control& control, Reply<Connection> reply) { control.saveConnection(draft, reply); }).ok())
            QTest::qFail("the connection was not saved", __FILE__, __LINE__);
    }
    Connection named(const char* name)
    {
        const auto configuration = core.read<ConfigurationPtr>([](Control& control) { return control.configuration(); });
        for (const Connection& connection : configuration->connections)
            if (connection.name == name)
                return connection;
        return {};
    }
    /// "a1 b2": names and priorities of those the test made, by name.
    QString priorities()
    {
        const auto configuration = core.read<ConfigurationPtr>([](Control& control) { return control.configuration(); });
        QStringList words;
        for (const Connection& connection : configuration->connections)
            if (connection.provider == ProviderId("ollama-local"))
                words << QString::fromStdString(connection.name) + QString::number(connection.priority);
        words.sort();
        return words.join(QLatin1Char(' '));
    }
    int rowNamed(const char* name) const
    {
        for (int row = 0; row < table->model()->rowCount(); ++row)
            if (table->model()->index(row, ConnectionsModel::Name).data().toString() == QLatin1String(name))
                return row;
        return -1;
    }
    void select(std::initializer_list<const char*> names) const
    {
        table->clearSelection();
        table->selectionModel()->setCurrentIndex(table->model()->index(rowNamed(*names.begin()), 0), QItemSelectionModel::NoUpdate);
        for (const char* name : names)
            table->selectionModel()->select(table->model()->index(rowNamed(name), 0),
                                            QItemSelectionModel::Select | QItemSelectionModel::Rows);
    }
    BulkDialog* dialog() const { return page->findChild<BulkDialog*>(); }
    template <typename T>
    T* field(const char* name) const
    {
        return dialog()->findChild<T*>(QLatin1String(name));
    }
    template <typename T>
    T* part(const char* name) const
    {
        return page->findChild<T*>(QLatin1String(name));
    }
    void type(const char* name, const QString& text) const
    {
        auto* edit = field<QLineEdit>(name);
        edit->setFocus();
        edit->selectAll();
        QTest::keyClick(edit, Qt::Key_Delete);
        QTest::keyClicks(edit, text);
    }
    void click(const char* name) const { QTest::mouseClick(part<QPushButton>(name), Qt::LeftButton); }
    QString message() const { return window->messages().text(); }
    void undo() const { QTest::mouseClick(window->messages().findChild<QPushButton*>(QStringLiteral("messageButton")), Qt::LeftButton); }

    Page* page = nullptr;
    ReorderTable* table = nullptr;
};

}  // namespace

/// What the page Connections does with many connections at once.
class ConnectionsManyTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QLocale::setDefault(QLocale::c()); }

    void rowsMovedChangePriorities();
    void onlyTheOrderOfTryingIsDragged();
    void severalAreEdited();
    void bulkErrorsStandBesideTheirFields();
    void allAreTested();
    void testingIsStopped();
};

void ConnectionsManyTest::rowsMovedChangePriorities()
{
    PageFixture f;
    QVERIFY2(f.open({{"a", 1}, {"b", 2}, {"c", 3}}), f.core.error().c_str());
    QVERIFY(f.table->reorderable());
    f.table->selectRow(f.rowNamed("c"));
    f.table->setFocus();
    QTest::keyClick(f.table, Qt::Key_Up, Qt::AltModifier);
    QTRY_COMPARE(f.priorities(), QStringLiteral("a1 b3 c2"));
    QTRY_VERIFY(f.rowNamed("c") < f.rowNamed("b"));
    // The row stays chosen, so that it goes on from there.
    QCOMPARE(f.table->selectedRowsInOrder().size(), 1);
    QCOMPARE(f.table->selectedRowsInOrder().first().row(), f.rowNamed("c"));
    QTRY_VERIFY(f.message().contains(QStringLiteral("2 connections were changed")));
    f.undo();
    QTRY_COMPARE(f.priorities(), QStringLiteral("a1 b2 c3"));
    QTRY_VERIFY(f.rowNamed("b") < f.rowNamed("c"));

    Q_EMIT f.table->moveWanted({f.rowNamed("a")}, f.rowNamed("c") + 1);
    QTRY_COMPARE(f.priorities(), QStringLiteral("a4 b2 c3"));
    // A drop among another provider's rows means the nearest place among its own.
    QTRY_VERIFY(f.rowNamed("a") > f.rowNamed("c"));
    Q_EMIT f.table->moveWanted({f.rowNamed("a")}, 0);
    QTRY_COMPARE(f.priorities(), QStringLiteral("a1 b2 c3"));
}

void ConnectionsManyTest::onlyTheOrderOfTryingIsDragged()
{
    PageFixture f;
    QVERIFY2(f.open({{"a", 1}, {"b", 2}}), f.core.error().c_str());
    f.table->sortByColumn(ConnectionsModel::Name, Qt::AscendingOrder);
    QVERIFY(!f.table->reorderable());
    QVERIFY(!f.table->toolTip().isEmpty());
    f.table->selectRow(1);
    QTest::keyClick(f.table, Qt::Key_Up, Qt::AltModifier);
    f.table->sortByColumn(ConnectionsModel::Priority, Qt::DescendingOrder);
    QVERIFY(!f.table->reorderable());
    f.table->sortByColumn(ConnectionsModel::Priority, Qt::AscendingOrder);
    QVERIFY(f.table->reorderable());
    QVERIFY(f.table->model()->flags(f.table->model()->index(0, 0)).testFlag(Qt::ItemIsDragEnabled));
    QCOMPARE(f.priorities(), QStringLiteral("a1 b2"));
}

void ConnectionsManyTest::severalAreEdited()
{
    PageFixture f;
    QVERIFY2(f.open({{"a", 1}, {"b", 2}, {"c", 3}}), f.core.error().c_str());
    f.select({"a", "b"});
    f.click("editConnection");
    QVERIFY(f.dialog());
    QVERIFY(!f.field<QPushButton>("bulkSave")->isEnabled());
    f.type("bulkPriority", QStringLiteral("9"));
    QVERIFY(f.field<QCheckBox>("bulkPriorityTick")->isChecked());  // whoever types means it
    auto* rests = f.field<QComboBox>("bulkRests");
    rests->setCurrentIndex(1);
    Q_EMIT rests->activated(1);
    f.type("bulkProxy", QStringLiteral("http://me:secret@proxy.example:3128"));
    QVERIFY(f.field<QPushButton>("bulkSave")->isEnabled());
    QTest::mouseClick(f.field<QPushButton>("bulkSave"), Qt::LeftButton);
    QTRY_VERIFY(!f.dialog());
    QCOMPARE(f.priorities(), QStringLiteral("a9 b9 c3"));
    for (const char* name : {"a", "b"}) {
        const Connection changed = f.named(name);
        QVERIFY(changed.disableCooling && changed.enabled);
        QCOMPARE(changed.proxyUrl, std::string("http://proxy.example:3128"));
        const auto password =
            f.core.ask<std::string>([changed](Control& control, Reply<std::string> reply) { reply(control.proxySecretOf(changed)); });
        QCOMPARE(password.valueOr({}), std::string("me:secret"));
    }
    QVERIFY(!f.named("c").disableCooling && f.named("c").proxyUrl.empty());
    QTRY_VERIFY(f.message().contains(QStringLiteral("2 connections were changed")));
    f.undo();
    QTRY_COMPARE(f.priorities(), QStringLiteral("a1 b2 c3"));
    QVERIFY(f.named("a").proxyUrl.empty() && f.named("a").proxySecretRef.empty() && !f.named("a").disableCooling);
}

void ConnectionsManyTest::bulkErrorsStandBesideTheirFields()
{
    PageFixture f;
    QVERIFY2(f.open({{"a", 1}, {"b", 2}}), f.core.error().c_str());
    f.select({"a", "b"});
    QTest::keyClick(f.table, Qt::Key_Return);
    QVERIFY(f.dialog());
    const auto error = [&](const char* name) { return f.field<FieldErrorLabel>(name)->error(); };
    f.type("bulkPriority", QStringLiteral("0"));
    QVERIFY(error("bulkPriorityError").contains(QStringLiteral("1 to 1,000,000")));
    QVERIFY(!f.field<QPushButton>("bulkSave")->isEnabled());
    f.type("bulkPriority", QStringLiteral("many"));
    QVERIFY(!error("bulkPriorityError").isEmpty());
    // Not ticked, it does not count.
    f.field<QCheckBox>("bulkPriorityTick")->setChecked(false);
    QVERIFY(error("bulkPriorityError").isEmpty());
    f.type("bulkProxy", QStringLiteral("gopher://p:1"));
    QVERIFY(!error("bulkProxyError").isEmpty());
    f.type("bulkProxy", QStringLiteral("socks5h://p:1080"));
    QVERIFY(error("bulkProxyError").isEmpty());
    QVERIFY(f.field<QPushButton>("bulkSave")->isEnabled());
    f.dialog()->reject();
    QCOMPARE(f.priorities(), QStringLiteral("a1 b2"));
}

void ConnectionsManyTest::allAreTested()
{
    PageFixture f;
    QVERIFY2(f.open({{"closed", 1}}), f.core.error().c_str());
    f.core.addSandboxConnection("mine");
    QTRY_VERIFY(f.rowNamed("mine") >= 0);
    const auto breakersBefore = f.core.read<std::size_t>([](Control& control) { return control.engineSnapshot().breakers.size(); });
    f.click("testAll");
    QTRY_VERIFY(f.message().contains(QStringLiteral("tests failed")));
    QCOMPARE(f.part<QPushButton>("testAll")->text(), QStringLiteral("Test all"));
    QVERIFY(!f.part<QProgressBar>("testProgress")->isVisible());
    // Isolated: what failed is neither rested nor counted.
    const auto snapshot = f.core.read<EngineSnapshot>([](Control& control) { return control.engineSnapshot(); });
    QCOMPARE(snapshot.breakers.size(), breakersBefore);
    for (const ConnectionHealth& health : snapshot.healths)
        QVERIFY(!health.coolingUntil && health.terminal == TerminalState::None);
}

void ConnectionsManyTest::testingIsStopped()
{
    // Takes connections and never answers.
    QTcpServer silent;
    QVERIFY(silent.listen(QHostAddress::LocalHost));
    PageFixture f;
    QVERIFY2(f.open({{"first", 1}}), f.core.error().c_str());
    const std::string url = "http://127.0.0.1:" + std::to_string(silent.serverPort()) + "/v1";
    for (int i = 0; i < 6; ++i)
        f.add("ollama-local", ("silent " + std::to_string(i)).c_str(), 1, url);
    QTRY_VERIFY(f.rowNamed("silent 5") >= 0);
    f.click("testAll");
    auto* progress = f.part<QProgressBar>("testProgress");
    QVERIFY(progress->isVisible());
    QVERIFY(progress->maximum() >= 7);
    QVERIFY(f.part<QPushButton>("testAll")->text().startsWith(QStringLiteral("Stop")));
    f.click("testAll");
    QVERIFY(f.message().contains(QStringLiteral("Testing was stopped")));
    QCOMPARE(f.part<QPushButton>("testAll")->text(), QStringLiteral("Test all"));
    QVERIFY(!progress->isVisible());
    for (int row = 0; row < f.table->model()->rowCount(); ++row)
        QVERIFY(!f.table->model()->index(row, ConnectionsModel::LastResult).data().toString().contains(QStringLiteral("Testing")));
}

OMNI_TEST(ConnectionsManyTest)
#include "connections_many_test.moc"
