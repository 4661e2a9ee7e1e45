#include "gui/window_fixture.h"
#include "program/test_program.h"
#include "support/http_client.h"
#include "ui/combos/combo_dialog.h"
#include "ui/combos/considered_model.h"
#include "ui/combos/dry_run_panel.h"
#include "ui/combos/model_choice.h"
#include "ui/combos/route_list_model.h"
#include "ui/combos/targets_model.h"
#include "ui/models/reorder_table.h"
#include "ui/widgets/field_error_label.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/state_label.h"

#include <QAbstractItemModelTester>
#include <QAbstractItemView>
#include <QComboBox>
#include <QCompleter>
#include <QDialog>
#include <QDropEvent>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QMimeData>
#include <QPushButton>
#include <QTabBar>
#include <QTimer>

using namespace omni;
using omni::test::HttpClient;
using omni::test::WindowFixture;

namespace {

RuntimeOptions withoutSandbox()
{
    RuntimeOptions options;
    options.offerSandbox = false;
    return options;
}

struct PageFixture : WindowFixture {
    PageFixture() : WindowFixture(withoutSandbox()) {}

    bool open()
    {
        if (!start())
            return false;
        first = core.addSandboxConnection("first");
        second = core.addSandboxConnection("second", 2);
        page = window->openPage(QStringLiteral("combos"));
        combos = page->findChild<DataTable*>(QStringLiteral("comboTable"));
        aliases = page->findChild<DataTable*>(QStringLiteral("aliasTable"));
        return combos && aliases && QTest::qWaitFor([this] { return link->configuration()->connections.size() >= 2; }, 5'000);
    }
    ConfigurationPtr configuration()
    {
        return core.read<ConfigurationPtr>([](Control& control) { return control.configuration(); });
    }
    const Combo* combo(const char* name)
    {
        held = configuration();
        for (const Combo& one : held->combos)
            if (one.name == name)
                return &one;
        return nullptr;
    }
    bool addCombo(const std::string& name, std::vector<ComboTarget> targets)
    {
        Combo combo;
        combo.name = name;
        combo.targets = std::move(targets);
        const bool saved =
            core.ask<Combo>([combo](Control& control, Reply<Combo> reply) { control.saveCombo(combo, std::move(reply)); }).ok();
        return saved && QTest::qWaitFor([&] { return rowOf(combos, name.c_str()) >= 0; }, 5'000);
    }
    ComboTarget target(const std::string& model, const ConnectionId& pinned = {}) const
    {
        ComboTarget made;
        made.provider = ProviderId("sandbox");
        made.model = model;
        if (!pinned.empty())
            made.connection = pinned;
        return made;
    }
    static int rowOf(DataTable* table, const char* name)
    {
        for (int row = 0; row < table->model()->rowCount(); ++row)
            if (table->model()->index(row, RouteListModel::Name).data().toString() == QLatin1String(name))
                return row;
        return -1;
    }
    static QString cell(DataTable* table, const char* name, int column)
    {
        return table->model()->index(rowOf(table, name), column).data().toString();
    }
    QDialog* dialog() const
    {
        for (auto* one : page->findChildren<QDialog*>())
            if (one->isVisible())
                return one;
        return nullptr;
    }
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
        closeSuggestions(*edit);
    }
    /// A list of suggestions would take the next click.
    static void closeSuggestions(const QLineEdit& edit)
    {
        if (edit.completer())
            edit.completer()->popup()->hide();
    }
    void click(const char* name) const { QTest::mouseClick(part<QPushButton>(name), Qt::LeftButton); }
    void clickIn(const char* name) const { QTest::mouseClick(field<QPushButton>(name), Qt::LeftButton); }
    QString error(const char* name) const { return field<FieldErrorLabel>(name)->error(); }
    QString message() const { return window->messages().text(); }
    void undo() const { QTest::mouseClick(window->messages().findChild<QPushButton*>(QStringLiteral("messageButton")), Qt::LeftButton); }
    QString answer() const { return part<QLabel>("dryRunText")->text(); }
    QString state() const { return part<StateLabel>("dryRunState")->text(); }
    /// "chosen first ok | resting second ok": state, connection and model of each row of the dry run.
    QString trail() const
    {
        const auto* model = part<DataTable>("dryRunTable")->model();
        QStringList rows;
        for (int row = 0; row < model->rowCount(); ++row) {
            QString who = model->index(row, ConsideredModel::Target).data().toString();
            who = who.mid(who.lastIndexOf(QLatin1Char(' ')) + 1);
            rows << model->index(row, ConsideredModel::State).data().toString() + QLatin1Char(' ') + who + QLatin1Char(' ') +
                        model->index(row, ConsideredModel::Model).data().toString();
        }
        return rows.join(QStringLiteral(" | "));
    }
    void tryName(const QString& name) const
    {
        auto* edit = part<QLineEdit>("dryRunName");
        edit->setFocus();
        edit->selectAll();
        QTest::keyClicks(edit, name);
        closeSuggestions(*edit);
        QTest::keyClick(edit, Qt::Key_Return);
    }

    ConnectionId first, second;
    Page* page = nullptr;
    DataTable* combos = nullptr;
    DataTable* aliases = nullptr;
    ConfigurationPtr held;
};

QString modelsOf(const TargetsModel& targets)
{
    QStringList models;
    for (const ComboTarget& target : targets.targets())
        models << QString::fromStdString(target.model);
    return models.join(QLatin1Char(' '));
}

}  // namespace

class CombosTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QLocale::setDefault(QLocale::c()); }

    void comboIsMadeByTyping();
    void targetsAreOrderedAndPinned();
    void errorsStandBesideTheirFields();
    void deadTargetsAreTold();
    void deletionIsUndone();
    void copyOpensInTheEditor();
    void aliasIsMadeRenamedAndDeleted();
    void listShowsWhereRequestsGo();
    void dryRunTellsWhoAndWhyNot();
    void dryRunSendsNothing();
    void nothingRunsWhileHidden();
    void emptyListsOfferTheNextStep();
    void choiceFindsByWords();
    void tableTellsWhereRowsShallGo();
    void manyModelsAreSearchedQuickly();
};

void CombosTest::comboIsMadeByTyping()
{
    PageFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    f.page->createNew();
    QVERIFY(f.dialog());
    QTRY_VERIFY(f.field<QLineEdit>("comboName")->hasFocus());
    QVERIFY(!f.field<QPushButton>("comboSave")->isEnabled());
    f.type("comboName", QStringLiteral("coding"));
    QVERIFY(f.field<QLabel>("comboProblem")->text().contains(QStringLiteral("at least one model")));
    for (const char* words : {"sandbox/ok", "sandbox 503"}) {
        f.type("modelSearch", QString::fromLatin1(words));
        QTest::keyClick(f.field<QLineEdit>("modelSearch"), Qt::Key_Return);
    }
    auto* targets = f.dialog()->findChild<TargetsModel*>();
    QCOMPARE(targets->rowCount(), 2);
    QVERIFY(f.field<QPushButton>("comboSave")->isEnabled());
    f.clickIn("comboSave");
    QTRY_VERIFY(!f.dialog());
    QTRY_VERIFY(PageFixture::rowOf(f.combos, "coding") >= 0);
    const Combo* saved = f.combo("coding");
    QVERIFY(saved);
    QCOMPARE(saved->strategy, std::string("priority"));
    QCOMPARE(saved->targets.size(), std::size_t(2));
    QCOMPARE(saved->targets[0].model, std::string("ok"));
    QVERIFY(saved->targets[1].model.find("503") != std::string::npos);
    QTRY_VERIFY(f.message().contains(QStringLiteral("was added")));
    QTRY_COMPARE(f.combos->selectedRowsInOrder().size(), 1);
    // Clients get what was made.
    HttpClient client(f.core.port());
    QCOMPARE(client.postJson("/v1/chat/completions", R"({"model":"coding","messages":[{"role":"user","content":"x"}]})").status, 200);
}

void CombosTest::targetsAreOrderedAndPinned()
{
    PageFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    QVERIFY(f.addCombo("mix", {f.target("ok"), f.target("slow"), f.target("echo")}));
    f.combos->selectRow(0);
    f.click("editCombo");
    auto* table = f.field<ReorderTable>("comboTargets");
    auto* targets = f.dialog()->findChild<TargetsModel*>();
    const QAbstractItemModelTester tester(targets, QAbstractItemModelTester::FailureReportingMode::QtTest);
    table->selectRow(2);
    QTest::keyClick(table, Qt::Key_Up, Qt::AltModifier);
    QCOMPARE(modelsOf(*targets), QStringLiteral("ok echo slow"));
    QCOMPARE(table->selectedRowsInOrder().first().row(), 1);
    f.clickIn("targetUp");
    QCOMPARE(modelsOf(*targets), QStringLiteral("echo ok slow"));
    QVERIFY(!f.field<QPushButton>("targetUp")->isEnabled());
    f.clickIn("targetDown");
    QCOMPARE(modelsOf(*targets), QStringLiteral("ok echo slow"));
    table->selectRow(0);
    Q_EMIT table->moveWanted({0}, 3);
    QCOMPARE(modelsOf(*targets), QStringLiteral("echo slow ok"));

    table->selectRow(1);
    auto* pin = f.field<QComboBox>("pinConnection");
    QCOMPARE(pin->count(), 3);
    const int choice = pin->findData(QString::fromStdString(f.second.str()));
    QVERIFY(choice > 0);
    pin->setCurrentIndex(choice);
    Q_EMIT pin->activated(choice);
    table->selectRow(2);
    QTest::keyClick(table, Qt::Key_Delete);
    f.clickIn("comboSave");
    QTRY_VERIFY(!f.dialog());
    const Combo* saved = f.combo("mix");
    QCOMPARE(saved->targets.size(), std::size_t(2));
    QCOMPARE(saved->targets[0].model, std::string("echo"));
    QVERIFY(!saved->targets[0].connection);
    QVERIFY(saved->targets[1].connection && *saved->targets[1].connection == f.second);
}

void CombosTest::errorsStandBesideTheirFields()
{
    PageFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    QVERIFY(f.addCombo("taken", {f.target("ok")}));
    f.page->createNew();
    QVERIFY(f.error("comboNameError").isEmpty());  // not touched yet
    f.type("comboName", QStringLiteral("a b"));
    QVERIFY(f.error("comboNameError").contains(QStringLiteral("1 to 100")));
    f.type("comboName", QStringLiteral("TAKEN"));
    QVERIFY(f.error("comboNameError").contains(QStringLiteral("Another combo")));
    f.type("comboName", QStringLiteral("fresh"));
    QVERIFY(f.error("comboNameError").isEmpty());
    for (int i = 0; i < 2; ++i) {
        f.type("modelSearch", QStringLiteral("sandbox/ok"));
        QTest::keyClick(f.field<QLineEdit>("modelSearch"), Qt::Key_Return);
    }
    auto* targets = f.dialog()->findChild<TargetsModel*>();
    QCOMPARE(targets->rowCount(), 2);
    QVERIFY(targets->index(0, TargetsModel::Problem).data().toString().isEmpty());
    QVERIFY(targets->index(1, TargetsModel::Problem).data().toString().contains(QStringLiteral("in the list already")));
    QVERIFY(!f.field<QPushButton>("comboSave")->isEnabled());
    f.field<ReorderTable>("comboTargets")->selectAll();
    f.clickIn("targetRemove");
    QVERIFY(f.error("comboTargetsError").contains(QStringLiteral("at least one model")));
    // Somebody else takes the name while the editor is open.
    f.type("modelSearch", QStringLiteral("sandbox/ok"));
    QTest::keyClick(f.field<QLineEdit>("modelSearch"), Qt::Key_Return);
    QVERIFY(f.field<QPushButton>("comboSave")->isEnabled());
    QVERIFY(f.addCombo("fresh", {f.target("ok")}));
    QTRY_VERIFY(f.error("comboNameError").contains(QStringLiteral("Another combo")));
}

void CombosTest::deadTargetsAreTold()
{
    PageFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    ComboTarget unconnected;
    unconnected.provider = ProviderId("groq");
    unconnected.model = "llama";
    QVERIFY(f.addCombo("mix", {f.target("ok", f.first), unconnected, f.target("slow")}));
    QTRY_COMPARE(PageFixture::cell(f.combos, "mix", RouteListModel::Problem), QStringLiteral("Target 2 leads nowhere"));
    const auto removed =
        f.core.ask<std::string>([id = f.first](Control& control, Reply<std::string> reply) { control.removeConnections({id}, reply); });
    QVERIFY(removed);
    QTRY_COMPARE(PageFixture::cell(f.combos, "mix", RouteListModel::Problem), QStringLiteral("Targets 1, 2 lead nowhere"));
    QTRY_COMPARE(PageFixture::cell(f.combos, "mix", RouteListModel::State), QStringLiteral("on a later target"));
    f.combos->selectRow(0);
    QTRY_VERIFY(f.trail().startsWith(QStringLiteral("unavailable")) && f.trail().endsWith(QStringLiteral("chosen second slow")));
    const auto* model = f.part<DataTable>("dryRunTable")->model();
    QVERIFY(model->index(0, ConsideredModel::Why).data().toString().contains(QStringLiteral("does not exist any more")));
    QVERIFY(model->index(1, ConsideredModel::Why).data().toString().contains(QStringLiteral("no connection")));
    // In the editor it stands beside the target, and that one is what keeps the combo from being saved.
    f.click("editCombo");
    auto* targets = f.dialog()->findChild<TargetsModel*>();
    QVERIFY(targets->index(0, TargetsModel::Problem).data().toString().contains(QStringLiteral("does not exist")));
    QVERIFY(!targets->index(1, TargetsModel::Problem).data().toString().isEmpty());
    QVERIFY(!f.field<QPushButton>("comboSave")->isEnabled());
    f.field<ReorderTable>("comboTargets")->selectRow(0);
    auto* pin = f.field<QComboBox>("pinConnection");
    Q_EMIT pin->activated(0);
    QVERIFY(f.field<QPushButton>("comboSave")->isEnabled());
    f.clickIn("comboSave");
    QTRY_COMPARE(PageFixture::cell(f.combos, "mix", RouteListModel::Problem), QStringLiteral("Target 2 leads nowhere"));
}

void CombosTest::deletionIsUndone()
{
    PageFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    QVERIFY(f.addCombo("one", {f.target("ok")}) && f.addCombo("two", {f.target("ok", f.first)}));
    const Combo was = *f.combo("two");
    f.combos->selectAll();
    QTest::keyClick(f.combos, Qt::Key_Delete);
    QTRY_COMPARE(f.combos->model()->rowCount(), 0);
    QVERIFY(f.configuration()->combos.empty());
    QTRY_VERIFY(f.message().contains(QStringLiteral("2 combos were deleted")));
    f.undo();
    QTRY_COMPARE(f.combos->model()->rowCount(), 2);
    QVERIFY(f.combo("two"));
    QVERIFY(f.combo("two")->id == was.id && f.combo("two")->targets == was.targets);
}

void CombosTest::copyOpensInTheEditor()
{
    PageFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    QVERIFY(f.addCombo("one", {f.target("ok"), f.target("slow")}));
    f.combos->selectRow(0);
    f.click("duplicateCombo");
    QCOMPARE(f.field<QLineEdit>("comboName")->text(), QStringLiteral("one-2"));
    f.clickIn("comboSave");
    QTRY_VERIFY(f.combo("one-2"));
    QVERIFY(f.combo("one-2")->id != f.combo("one")->id);
    QCOMPARE(f.combo("one-2")->targets.size(), std::size_t(2));
    QCOMPARE(f.configuration()->combos.size(), std::size_t(2));
}

void CombosTest::aliasIsMadeRenamedAndDeleted()
{
    PageFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    QVERIFY(f.addCombo("coding", {f.target("ok")}));
    // An editor that was given up is not in the way of the next one.
    f.click("addCombo");
    QVERIFY(qobject_cast<ComboDialog*>(f.dialog()));
    QTest::keyClick(f.dialog(), Qt::Key_Escape);
    QTRY_VERIFY(!f.dialog());
    f.part<QTabBar>("comboTabs")->setCurrentIndex(1);
    f.click("addCombo");
    QVERIFY(f.dialog());
    f.type("aliasName", QStringLiteral("coding"));
    QVERIFY(f.error("aliasNameError").contains(QStringLiteral("A combo has this name")));
    f.type("aliasName", QStringLiteral("gpt-4o"));
    f.type("aliasModel", QStringLiteral("gpt-4o"));
    QVERIFY(f.error("aliasModelError").contains(QStringLiteral("leads back")));
    f.type("aliasModel", QStringLiteral("coding"));
    QTRY_VERIFY(f.field<QLabel>("aliasLeads")->text().contains(QStringLiteral("first")));
    f.clickIn("aliasSave");
    QTRY_COMPARE(f.aliases->model()->rowCount(), 1);
    QTRY_COMPARE(PageFixture::cell(f.aliases, "gpt-4o", RouteListModel::State), QStringLiteral("serving"));
    HttpClient client(f.core.port());
    QCOMPARE(client.postJson("/v1/chat/completions", R"({"model":"gpt-4o","messages":[{"role":"user","content":"x"}]})").status, 200);

    f.aliases->selectRow(0);
    f.click("editCombo");
    f.type("aliasName", QStringLiteral("gpt-5"));
    f.clickIn("aliasSave");
    QTRY_VERIFY(PageFixture::rowOf(f.aliases, "gpt-5") >= 0);
    QCOMPARE(f.configuration()->aliases.size(), std::size_t(1));
    QTRY_COMPARE(f.aliases->selectedRowsInOrder().size(), 1);
    f.click("deleteCombo");
    QTRY_VERIFY(f.configuration()->aliases.empty());
    QTRY_VERIFY(f.message().contains(QStringLiteral("gpt-5")));
    f.undo();
    QTRY_COMPARE(f.configuration()->aliases.size(), std::size_t(1));
}

void CombosTest::listShowsWhereRequestsGo()
{
    PageFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    QVERIFY(f.addCombo("mix", {f.target("rate-limited?seconds=60", f.first), f.target("ok", f.second)}));
    QTRY_COMPARE(PageFixture::cell(f.combos, "mix", RouteListModel::State), QStringLiteral("serving"));
    QVERIFY(PageFixture::cell(f.combos, "mix", RouteListModel::GoesTo).contains(QStringLiteral("first")));
    HttpClient client(f.core.port());
    QCOMPARE(client.postJson("/v1/chat/completions", R"({"model":"mix","messages":[{"role":"user","content":"x"}]})").status, 200);
    QTRY_COMPARE(PageFixture::cell(f.combos, "mix", RouteListModel::State), QStringLiteral("on a later target"));
    QVERIFY(PageFixture::cell(f.combos, "mix", RouteListModel::GoesTo).contains(QStringLiteral("second")));
    QVERIFY(
        f.core.ask<int>([id = f.second](Control& control, Reply<int> reply) { control.setConnectionsEnabled({id}, false, reply); }).ok());
    QTRY_COMPARE(PageFixture::cell(f.combos, "mix", RouteListModel::State), QStringLiteral("nobody now"));
    QVERIFY(PageFixture::cell(f.combos, "mix", RouteListModel::GoesTo).contains(QStringLiteral("back at")));
}

void CombosTest::dryRunTellsWhoAndWhyNot()
{
    PageFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    QVERIFY(f.addCombo("mix", {f.target("rate-limited?seconds=60", f.first), f.target("ok")}));
    f.combos->selectRow(0);
    QTRY_COMPARE(f.trail(), QStringLiteral("chosen first rate-limited?seconds=60 | ready first ok | ready second ok"));
    QTRY_VERIFY(f.answer().contains(QStringLiteral("first as rate-limited")));
    HttpClient client(f.core.port());
    client.postJson("/v1/chat/completions", R"({"model":"mix","messages":[{"role":"user","content":"x"}]})");
    // It follows what happens, by itself.
    QTRY_COMPARE(f.trail(), QStringLiteral("resting first rate-limited?seconds=60 | resting first ok | chosen second ok"));
    QVERIFY(f.answer().contains(QStringLiteral("2 before it are left out")));
    auto* table = f.part<DataTable>("dryRunTable");
    QVERIFY(!table->model()->index(0, ConsideredModel::Remaining).data().toString().isEmpty());
    table->selectRow(0);
    QTRY_VERIFY(f.part<QPushButton>("dryRunWhy")->isEnabled());
    f.click("dryRunWhy");
    QVERIFY(f.dialog());
    f.dialog()->reject();

    f.tryName(QStringLiteral("sandbox/ok"));
    QTRY_COMPARE(f.trail(), QStringLiteral("resting first ok | chosen second ok"));
    f.tryName(QStringLiteral("no-such-thing"));
    QTRY_VERIFY(f.answer().contains(QStringLiteral("No model, alias or combo is called")));
    QCOMPARE(f.state(), QStringLiteral("leads nowhere"));
    f.tryName(QString());
    f.part<QLineEdit>("dryRunName")->clear();
    QTRY_VERIFY(!f.part<DataTable>("dryRunTable")->isVisible());
    f.tryName(QStringLiteral("sandbox/ok"));
    auto* operation = f.part<QComboBox>("dryRunOperation");
    QTRY_VERIFY(f.part<QLabel>("dryRunPath")->text().contains(QStringLiteral("OpenAI chat")));
    operation->setCurrentIndex(operation->findData(static_cast<int>(Operation::Messages)));
    QTRY_VERIFY(f.part<QLabel>("dryRunPath")->text().contains(QStringLiteral("Anthropic messages")));
    table->selectRow(0);
    f.click("dryRunOpen");
    QTRY_VERIFY(f.window->findChild<Page*>(QStringLiteral("connections"))->isVisible());
}

void CombosTest::dryRunSendsNothing()
{
    PageFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    const std::size_t before = f.core.read<std::size_t>([](Control& control) {
        std::size_t used = 0;
        for (const ConnectionHealth& health : control.engineSnapshot().healths)
            used += health.lastUsedAt ? 1 : 0;
        return used;
    });
    f.tryName(QStringLiteral("sandbox/status-503"));
    QTRY_VERIFY(f.trail().startsWith(QStringLiteral("chosen first")));
    f.core.patchSettings(R"({"routing":{"maxAttempts":1}})");
    QTRY_VERIFY(f.trail().contains(QStringLiteral("not reached second")));
    QCOMPARE(f.core.read<std::size_t>([](Control& control) {
        std::size_t used = 0;
        for (const ConnectionHealth& health : control.engineSnapshot().healths)
            used += health.lastUsedAt ? 1 : 0;
        return used;
    }),
             before);
    QVERIFY(f.link->traffic().empty() || f.link->traffic().back().requests == 0);
}

void CombosTest::nothingRunsWhileHidden()
{
    PageFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    auto* timer = f.part<QTimer>("dryRunTimer");
    QVERIFY(timer->isActive());
    f.window->openPage(QStringLiteral("settings"));
    QVERIFY(!timer->isActive());
    for (const QTimer* one : f.page->findChildren<QTimer*>())
        QVERIFY(!one->isActive());
    // What changed meanwhile is there when the page comes back.
    Combo combo;
    combo.name = "late";
    combo.targets = {f.target("ok")};
    QVERIFY(f.core.ask<Combo>([combo](Control& control, Reply<Combo> reply) { control.saveCombo(combo, std::move(reply)); }).ok());
    f.window->openPage(QStringLiteral("combos"));
    QTRY_COMPARE(PageFixture::cell(f.combos, "late", RouteListModel::State), QStringLiteral("serving"));
}

void CombosTest::emptyListsOfferTheNextStep()
{
    PageFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    QVERIFY(!f.combos->isVisible());
    for (auto* action : f.page->findChildren<QPushButton*>(QStringLiteral("emptyAction"))) {
        if (action->isVisible()) {
            QTest::mouseClick(action, Qt::LeftButton);
            break;
        }
    }
    QVERIFY(qobject_cast<ComboDialog*>(f.dialog()));
    f.dialog()->reject();
    QVERIFY(f.addCombo("one", {f.target("ok")}));
    QTRY_VERIFY(f.combos->isVisible());
    QTest::keyClicks(f.part<QLineEdit>("comboFilter"), QStringLiteral("zzz"));
    QVERIFY(!f.combos->isVisible());
    f.part<QLineEdit>("comboFilter")->clear();
    QVERIFY(f.combos->isVisible());
}

void CombosTest::choiceFindsByWords()
{
    Configuration configuration;
    configuration.catalogue = ProviderCatalogue::load().valueOr(nullptr);
    QVERIFY(configuration.catalogue);
    Connection connection;
    connection.id = ConnectionId("c");
    connection.provider = ProviderId("openrouter");
    connection.models = {"meta-llama/llama-4", "qwen/qwen3-of-the-test"};
    configuration.connections.push_back(connection);
    configuration.refreshIndexes();
    ModelChoice choice;
    const QAbstractItemModelTester tester(&choice, QAbstractItemModelTester::FailureReportingMode::QtTest);
    choice.setConfiguration(configuration);
    // Who has a connection comes first.
    QVERIFY(choice.choiceAt(0)->provider == ProviderId("openrouter"));
    choice.setText(QStringLiteral("openrouter LLAMA"));
    QCOMPARE(choice.choiceAt(0)->model, std::string("meta-llama/llama-4"));
    // As written, where unlisted models are taken.
    choice.setText(QStringLiteral("openrouter/some/new-model"));
    QCOMPARE(choice.rowCount(), 1);
    QCOMPARE(choice.choiceAt(0)->model, std::string("some/new-model"));
    QVERIFY(choice.choiceAt(0)->provider == ProviderId("openrouter"));
    choice.setText(QStringLiteral("openrouter/qwen/qwen3-of-the-test"));
    QCOMPARE(choice.rowCount(), 1);
    QCOMPARE(choice.choiceAt(0)->model, std::string("qwen/qwen3-of-the-test"));
    choice.setText(QStringLiteral("nothing like it"));
    QCOMPARE(choice.rowCount(), 0);
}

void CombosTest::tableTellsWhereRowsShallGo()
{
    auto configuration = std::make_shared<Configuration>();
    configuration->catalogue = ProviderCatalogue::load().valueOr(nullptr);
    TargetsModel model(configuration, nullptr);
    ReorderTable table;
    table.setModel(&model);
    std::vector<ComboTarget> targets;
    for (const char* name : {"a", "b", "c", "d"}) {
        ComboTarget target;
        target.provider = ProviderId("openai");
        target.model = name;
        targets.push_back(target);
    }
    model.setTargets(targets);
    table.resize(400, 300);
    table.show();
    QVERIFY(QTest::qWaitForWindowExposed(&table));
    QVERIFY(model.flags(model.index(0, 0)).testFlag(Qt::ItemIsDragEnabled));
    std::vector<int> rows;
    int before = -1;
    connect(&table, &ReorderTable::moveWanted, this, [&](const std::vector<int>& moved, int place) {
        rows = moved;
        before = place;
    });
    table.selectRow(0);
    // The upper half of a row means before it, the lower half after it, the room below the last row the end.
    const auto top = [&table](int row) { return table.rowViewportPosition(row); };
    table.dropSelected(QPoint(10, top(2) + 2));
    QCOMPARE(before, 2);
    QCOMPARE(rows, std::vector<int>{0});
    table.dropSelected(QPoint(10, top(2) + table.rowHeight(2) - 2));
    QCOMPARE(before, 3);
    table.dropSelected(QPoint(10, top(3) + 2 * table.rowHeight(3)));
    QCOMPARE(before, 4);
    // From elsewhere nothing is taken.
    before = -1;
    QMimeData mime;
    QDropEvent foreign(QPoint(10, top(2)), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(table.viewport(), &foreign);
    QCOMPARE(before, -1);
    QTest::keyClick(&table, Qt::Key_Up, Qt::AltModifier);
    QCOMPARE(before, -1);
    QTest::keyClick(&table, Qt::Key_Down, Qt::AltModifier);
    QCOMPARE(before, 2);
    QCOMPARE(rows, std::vector<int>{0});
    QCOMPARE(model.move({0, 2}, 4), 2);
    QCOMPARE(modelsOf(model), QStringLiteral("b d a c"));
    QCOMPARE(model.move({2}, 3), 2);
    QCOMPARE(modelsOf(model), QStringLiteral("b d a c"));
    table.setReorderable(false);
    before = -1;
    table.selectRow(0);
    QTest::keyClick(&table, Qt::Key_Down, Qt::AltModifier);
    QCOMPARE(before, -1);
}

void CombosTest::manyModelsAreSearchedQuickly()
{
    auto configuration = std::make_shared<Configuration>();
    configuration->catalogue = ProviderCatalogue::load().valueOr(nullptr);
    for (int i = 0; i < 1'000; ++i) {
        Connection connection;
        connection.id = ConnectionId("id-" + std::to_string(i));
        connection.provider = ProviderId(i % 2 == 0 ? "openai" : "openrouter");
        connection.name = "key " + std::to_string(i);
        for (int model = 0; model < 100; ++model)
            connection.models.push_back("model-" + std::to_string(model));
        configuration->connections.push_back(std::move(connection));
    }
    configuration->refreshIndexes();
    ModelChoice choice;
    QElapsedTimer timer;
    timer.start();
    choice.setConfiguration(*configuration);
    choice.setText(QStringLiteral("openai model-99"));
    QVERIFY(choice.rowCount() > 0);
    QVERIFY2(timer.elapsed() < 1'500, qPrintable(QString::number(timer.elapsed())));
}

OMNI_TEST(CombosTest)
#include "combos_test.moc"
