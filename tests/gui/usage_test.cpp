#include "gui/window_fixture.h"
#include "program/test_program.h"
#include "store/local_day.h"
#include "store/store.h"
#include "support/http_client.h"
#include "ui/charts/day_bars.h"
#include "ui/models/data_table.h"
#include "ui/usage/usage_export.h"
#include "ui/usage/usage_model.h"
#include "ui/widgets/search_field.h"

#include <QClipboard>
#include <QComboBox>
#include <QDialog>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>

using namespace omni;
using omni::test::HttpClient;
using omni::test::WindowFixture;

namespace {

constexpr std::int64_t kDay = 86'400'000;

struct UsageFixture : WindowFixture {
    UsageFixture() : WindowFixture(test::withoutSandbox()) {}

    bool open() { return start() && window->openPage(QStringLiteral("usage")); }

    /// Finished requests, so many days ago.
    RequestRecord request(int daysAgo, const char* model, const char* key = "", bool failed = false) const
    {
        RequestRecord record;
        record.id = RequestId("00000000000000" + std::to_string(10 + daysAgo));
        record.startedAt = fromEpochMillis(epochMillis(wallNow()) - daysAgo * kDay);
        record.provider = ProviderId("openai");
        record.connection = ConnectionId("gone");
        record.connectionName = "team";
        record.model = model;
        record.apiKey = ApiKeyId(key);
        record.apiKeyName = key;
        record.outcome = failed ? Outcome::UpstreamFailed : Outcome::Answered;
        record.tokensIn = failed ? -1 : 1'000;
        record.tokensOut = failed ? -1 : 500;
        record.tokensCached = failed ? -1 : 0;
        return record;
    }
    void append(const std::vector<RequestRecord>& records)
    {
        const std::int64_t before = written();
        core.read<int>([records](Control& control) {
            control.store().appendRequests(records);
            return 0;
        });
        QVERIFY(QTest::qWaitFor([&] { return written() >= before + static_cast<std::int64_t>(records.size()); }, 10'000));
    }
    std::int64_t written()
    {
        return core.read<std::int64_t>([](Control& control) { return control.store().statistics().writtenRows; });
    }
    DataTable* table() const { return find<DataTable>(QStringLiteral("usageTable")); }
    /// Rows as "name|requests|errors|…"; the sum is the last.
    QStringList rows() const
    {
        QStringList lines;
        const QAbstractItemModel* model = table()->model();
        for (int row = 0; row < model->rowCount(); ++row) {
            QStringList cells;
            for (int column = 0; column < model->columnCount(); ++column) {
                if (!table()->isColumnHidden(column))
                    cells << model->index(row, column).data().toString();
            }
            lines << cells.join(QLatin1Char('|'));
        }
        return lines;
    }
    void choose(const char* name, int index) const { find<QComboBox>(QLatin1String(name))->setCurrentIndex(index); }
    QString tile(const char* name) const { return find<QWidget>(QLatin1String(name))->accessibleName(); }
    QDialog* prices() const
    {
        QTest::mouseClick(find<QPushButton>(QStringLiteral("usagePrices")), Qt::LeftButton);
        return window->findChild<QDialog*>(QStringLiteral("pricesDialog"));
    }
};

}  // namespace

class UsageTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QLocale::setDefault(QLocale::c()); }

    void realRequestsAreCounted();
    void rangesAndGroups();
    void theSumStaysLast();
    void theFilterSumsWhatItShows();
    void aPriceIsEnteredAndTakenAway();
    void wrongPricesAreToldWhileTyping();
    void oneCostIsAtLeast();
    void theCsvHoldsEverything();
    void aFileThatCannotBeWrittenIsTold();
    void barsStandForDaysAndMonths();
    void barsAreReadByKeyboard();
    void figuresAreForgottenAfterAQuestion();
    void nothingRunsWhileHidden();
    void emptyTimesSayWhatToDo();
};

void UsageTest::realRequestsAreCounted()
{
    UsageFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    f.core.addSandboxConnection("Sandbox");
    const std::string key = f.core.addApiKey("laptop");
    HttpClient client(f.core.port());
    client.setDefaultHeaders({{"Authorization", "Bearer " + key}});
    const std::string body = R"({"model":"sandbox/ok","messages":[{"role":"user","content":"hi"}]})";
    for (int i = 0; i < 3; ++i)
        QCOMPARE(client.postJson("/v1/chat/completions", body).status, 200);
    f.choose("usageGroup", 4);
    QTRY_COMPARE_WITH_TIMEOUT(f.rows().size(), 2, 10'000);
    QTRY_VERIFY2_WITH_TIMEOUT(f.rows().front().startsWith(QLatin1String("laptop|3|0|0 %|")), qPrintable(f.rows().join(QLatin1Char('\n'))),
                              10'000);
    QVERIFY(f.rows().back().startsWith(QLatin1String("Total|3|0|")));
    QVERIFY2(f.tile("usageRequests").contains(QLatin1String("3")), qPrintable(f.tile("usageRequests")));
    QVERIFY2(f.rows().back().endsWith(QLatin1String("no price")), qPrintable(f.rows().back()));
}

void UsageTest::rangesAndGroups()
{
    UsageFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    f.append({f.request(0, "gpt-5", "k1"), f.request(0, "gpt-5", "k1", true), f.request(3, "gpt-5-mini", "k2"), f.request(20, "gpt-5"),
              f.request(60, "gpt-5"), f.request(300, "gpt-5")});
    f.find<Page>(QStringLiteral("usage"))->refresh();
    QTRY_COMPARE(f.rows(), (QStringList{QStringLiteral("gpt-5|OpenAI|2|1|50 %|1000|0|500|no price"),
                                        QStringLiteral("gpt-5-mini|OpenAI|1|0|0 %|1000|0|500|no price"),
                                        QStringLiteral("Total||3|1|33.3 %|2000|0|1000|no price")}));
    const auto total = [&] { return f.rows().isEmpty() ? QString() : f.rows().back().section(QLatin1Char('|'), 2, 2); };
    f.choose("usageRange", 0);
    QTRY_COMPARE(total(), QStringLiteral("2"));
    f.choose("usageRange", 2);
    QTRY_COMPARE(total(), QStringLiteral("4"));
    f.choose("usageRange", 3);
    QTRY_COMPARE(total(), QStringLiteral("5"));
    f.choose("usageRange", 4);
    QTRY_COMPARE(total(), QStringLiteral("6"));
    f.choose("usageGroup", 4);
    QTRY_COMPARE(f.rows().size(), 4);
    QVERIFY(f.rows().at(0).startsWith(QLatin1String("no key|3|")));
    QVERIFY(f.rows().at(1).startsWith(QLatin1String("k1|2|1|50 %|")));
    f.choose("usageGroup", 2);
    QTRY_COMPARE(f.rows().size(), 2);
    QVERIFY2(f.rows().front().startsWith(QLatin1String("team|OpenAI|6|")), qPrintable(f.rows().front()));
    f.choose("usageGroup", 0);
    QTRY_COMPARE(f.rows().size(), 6);
    // Days read from the newest.
    const QString today = QLocale().toString(QDate::currentDate(), QLocale::ShortFormat);
    QVERIFY2(f.rows().front().startsWith(today + QStringLiteral("|2|")), qPrintable(f.rows().front()));
}

void UsageTest::theSumStaysLast()
{
    UsageFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    f.append({f.request(0, "b"), f.request(0, "b"), f.request(0, "a")});
    f.find<Page>(QStringLiteral("usage"))->refresh();
    QTRY_COMPARE(f.rows().size(), 3);
    f.table()->selectRow(0);
    for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
        for (const int column : {UsageModel::Name, UsageModel::Requests, UsageModel::Cost}) {
            f.table()->sortByColumn(column, order);
            QVERIFY(f.rows().back().startsWith(QLatin1String("Total|")));
        }
    }
    f.table()->sortByColumn(UsageModel::Name, Qt::AscendingOrder);
    QVERIFY(f.rows().front().startsWith(QLatin1String("a|")));
    // The selection went with its row.
    QCOMPARE(f.table()->selectedRowsInOrder().value(0).data().toString(), QStringLiteral("b"));
}

void UsageTest::theFilterSumsWhatItShows()
{
    UsageFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    f.append({f.request(0, "gpt-5"), f.request(0, "gpt-5"), f.request(0, "claude")});
    f.find<Page>(QStringLiteral("usage"))->refresh();
    QTRY_COMPARE(f.rows().size(), 3);
    auto* search = f.find<SearchField>(QStringLiteral("usageFilter"));
    search->setFocus();
    QTest::keyClicks(search, QStringLiteral("CLAU"));
    QCOMPARE(f.rows().size(), 2);
    QVERIFY(f.rows().back().startsWith(QLatin1String("Total||1|")));
    QTest::keyClicks(search, QStringLiteral("x"));
    QCOMPARE(f.rows().size(), 0);
    auto* all = f.find<Page>(QStringLiteral("usage"))->findChild<QPushButton*>(QStringLiteral("emptyAction"));
    QTRY_VERIFY(all->isVisible());
    QTest::mouseClick(all, Qt::LeftButton);
    QCOMPARE(f.rows().size(), 3);
    // The tiles tell of everything all the time.
    QVERIFY(f.tile("usageRequests").contains(QLatin1String("3")));
}

void UsageTest::aPriceIsEnteredAndTakenAway()
{
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));  // puts the sign first
    UsageFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    std::vector<RequestRecord> records(2'000, f.request(0, "gpt-5"));
    f.append(records);
    f.find<Page>(QStringLiteral("usage"))->refresh();
    QTRY_COMPARE(f.rows().size(), 2);
    QVERIFY(f.rows().front().endsWith(QLatin1String("|no price")));
    QDialog* dialog = f.prices();
    QVERIFY(dialog);
    dialog->findChild<DataTable*>(QStringLiteral("pricesTable"))->selectRow(0);
    auto* save = dialog->findChild<QPushButton*>(QStringLiteral("priceSave"));
    QVERIFY(!save->isEnabled());
    const auto type = [dialog](const char* name, const char* text) {
        auto* edit = dialog->findChild<QLineEdit*>(QLatin1String(name));
        edit->setFocus();
        edit->selectAll();
        QTest::keyClicks(edit, QLatin1String(text));
    };
    type("priceInput", "1.25");
    QVERIFY(!save->isEnabled());
    type("priceOutput", "10");
    QVERIFY(save->isEnabled());
    QTest::mouseClick(save, Qt::LeftButton);
    // 2 million in, 1 million out.
    QTRY_VERIFY2(f.rows().front().endsWith(QLatin1String("$12.50")), qPrintable(f.rows().front()));
    QVERIFY(f.tile("usageCost").contains(QLatin1String("$12.50")));
    const auto stored = f.core.read<ConfigurationPtr>([](Control& control) { return control.configuration(); })->prices;
    QCOMPARE(stored.size(), std::size_t{1});
    QVERIFY(stored.front() == (ModelPrice{ProviderId("openai"), "gpt-5", 1.25, 10.0, std::nullopt}));
    auto* remove = dialog->findChild<QPushButton*>(QStringLiteral("priceRemove"));
    QTRY_VERIFY(remove->isEnabled());
    QTest::mouseClick(remove, Qt::LeftButton);
    QTRY_VERIFY2(f.rows().front().endsWith(QLatin1String("|no price")), qPrintable(f.rows().front()));
    QVERIFY(f.core.read<ConfigurationPtr>([](Control& control) { return control.configuration(); })->prices.empty());
}

void UsageTest::wrongPricesAreToldWhileTyping()
{
    UsageFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    f.append({f.request(0, "gpt-5")});
    f.find<Page>(QStringLiteral("usage"))->refresh();
    QTRY_COMPARE(f.rows().size(), 2);
    QDialog* dialog = f.prices();
    QVERIFY(dialog);
    dialog->findChild<DataTable*>(QStringLiteral("pricesTable"))->selectRow(0);
    auto* input = dialog->findChild<QLineEdit*>(QStringLiteral("priceInput"));
    auto* output = dialog->findChild<QLineEdit*>(QStringLiteral("priceOutput"));
    QTest::keyClicks(output, QStringLiteral("1"));
    QTest::keyClicks(input, QStringLiteral("free"));
    QVERIFY(input->property("invalid").toBool());
    input->clear();
    QTest::keyClicks(input, QStringLiteral("-1"));
    QVERIFY(input->property("invalid").toBool());
    QVERIFY2(input->accessibleDescription().contains(QLatin1String("100,000")), qPrintable(input->accessibleDescription()));
    QVERIFY(!dialog->findChild<QPushButton*>(QStringLiteral("priceSave"))->isEnabled());
    input->clear();
    QTest::keyClicks(input, QStringLiteral("0"));
    QVERIFY(!input->property("invalid").toBool());
    QVERIFY(dialog->findChild<QPushButton*>(QStringLiteral("priceSave"))->isEnabled());
}

void UsageTest::oneCostIsAtLeast()
{
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));  // puts the sign first
    UsageFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    f.append(std::vector<RequestRecord>(1'000, f.request(0, "gpt-5")));
    f.append({f.request(0, "unknown")});
    (void)f.core.ask<int>([](Control& control, Reply<int> reply) {
        control.savePrices({{ProviderId("openai"), "gpt-5", 2.0, 4.0, std::nullopt}}, std::move(reply));
    });
    f.find<Page>(QStringLiteral("usage"))->refresh();
    QTRY_COMPARE(f.rows().size(), 3);
    QTRY_VERIFY2(f.rows().back().endsWith(QStringLiteral("≥ $4.00")), qPrintable(f.rows().back()));
    const QModelIndex sum = f.table()->model()->index(2, UsageModel::Cost);
    QVERIFY2(sum.data(Qt::ToolTipRole).toString().contains(QLatin1String("unknown")), qPrintable(sum.data(Qt::ToolTipRole).toString()));
}

void UsageTest::theCsvHoldsEverything()
{
    UsageFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    RequestRecord odd = f.request(0, "=cmd|'/c calc'!A1", "k, \"one\"");
    f.append({f.request(0, "gpt-5", "k1"), f.request(2, "gpt-5", "k1"), odd, f.request(100, "gpt-5")});
    (void)f.core.ask<int>([](Control& control, Reply<int> reply) {
        control.savePrices({{ProviderId("openai"), "gpt-5", 2.0, 4.0, std::nullopt}}, std::move(reply));
    });
    f.find<Page>(QStringLiteral("usage"))->refresh();
    auto* button = f.find<QPushButton>(QStringLiteral("usageExport"));
    QTRY_VERIFY(button->isEnabled());
    QTest::mouseClick(button, Qt::LeftButton);
    auto* chooser = f.window->findChild<QFileDialog*>(QStringLiteral("usageFileDialog"));
    QVERIFY(chooser);
    const QString path = toQString(f.core.dataDir() + "/out.csv");
    Q_EMIT chooser->fileSelected(path);
    chooser->reject();
    QTRY_VERIFY(QFile::exists(path));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QList<QByteArray> lines = file.readAll().split('\n');
    // A head, three lines of the last week, and what follows the last line's end.
    QCOMPARE(lines.size(), 5);
    QVERIFY(lines.at(0).startsWith("date,provider,provider_id,connection,"));
    for (const QByteArray& line : lines.mid(0, 4))
        QVERIFY(line.endsWith('\r'));
    const QByteArray today = QDate::currentDate().toString(Qt::ISODate).toUtf8();
    const QByteArray before = QDate::currentDate().addDays(-2).toString(Qt::ISODate).toUtf8();
    QCOMPARE(lines.at(1), before + ",OpenAI,openai,team,gone,gpt-5,k1,k1,1,0,1000,0,500,0,0.004000\r");
    QVERIFY(lines.contains(today + ",OpenAI,openai,team,gone,gpt-5,k1,k1,1,0,1000,0,500,0,0.004000\r"));
    QVERIFY(
        lines.contains(today + ",OpenAI,openai,team,gone,'=cmd|'/c calc'!A1,\"k, \"\"one\"\"\",\"k, \"\"one\"\"\",1,0,1000,0,500,0,\r"));
}

void UsageTest::aFileThatCannotBeWrittenIsTold()
{
    UsageFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    auto history = UsageHistory::open(f.core.runtime().databasePath());
    QVERIFY(history.ok());
    const auto configuration = f.core.read<ConfigurationPtr>([](Control& control) { return control.configuration(); });
    const Result<std::int64_t> refused = exportUsage(**history, {}, *configuration, QStringLiteral("/no/such/folder/out.csv"));
    QVERIFY(!refused.ok());
    QVERIFY2(refused.error().message.find("/no/such/folder/out.csv") != std::string::npos, refused.error().message.c_str());
}

void UsageTest::barsStandForDaysAndMonths()
{
    UsageFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    f.append({f.request(0, "gpt-5"), f.request(0, "gpt-5", "", true), f.request(3, "gpt-5"), f.request(400, "gpt-5")});
    f.find<Page>(QStringLiteral("usage"))->refresh();
    auto* bars = f.find<DayBars>(QStringLiteral("usageBars"));
    QTRY_COMPARE(bars->bars().size(), std::size_t{14});
    QTRY_COMPARE(bars->bars().back().lower, 1.0);
    QCOMPARE(bars->bars().back().upper, 1.0);
    QCOMPARE(bars->bars().at(10).upper, 1.0);
    QVERIFY(bars->bars().front().quiet && !bars->bars().back().quiet);
    f.choose("usageRange", 3);
    QTRY_COMPARE(bars->bars().size(), std::size_t{90});
    f.choose("usageMeasure", 1);
    QCOMPARE(bars->bars().back().lower, 500.0);
    QCOMPARE(bars->bars().back().upper, 1'000.0);
    f.choose("usageRange", 4);
    QTRY_VERIFY(bars->bars().size() >= 14 && bars->bars().size() <= 15);
    QCOMPARE(bars->bars().front().upper, 1'000.0);
}

void UsageTest::barsAreReadByKeyboard()
{
    UsageFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    f.append({f.request(0, "gpt-5"), f.request(0, "gpt-5", "", true)});
    f.find<Page>(QStringLiteral("usage"))->refresh();
    auto* bars = f.find<DayBars>(QStringLiteral("usageBars"));
    QTRY_VERIFY(!bars->bars().empty() && bars->bars().back().lower > 0);
    QVERIFY2(bars->accessibleDescription().contains(QLatin1String("Highest")), qPrintable(bars->accessibleDescription()));
    bars->setFocus();
    QTest::keyClick(bars, Qt::Key_Left);
    QVERIFY2(bars->accessibleDescription().contains(QLatin1String("errors 1, without error 1")), qPrintable(bars->accessibleDescription()));
    QTest::keyClick(bars, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QApplication::clipboard()->text().count(QLatin1Char('\n')), 14);
}

void UsageTest::figuresAreForgottenAfterAQuestion()
{
    UsageFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    f.append({f.request(0, "gpt-5")});
    f.find<Page>(QStringLiteral("usage"))->refresh();
    QTRY_COMPARE(f.rows().size(), 2);
    f.find<QToolButton>(QStringLiteral("usageMore"))->menu()->actions().front()->trigger();
    auto* question = f.window->findChild<QMessageBox*>(QStringLiteral("forgetUsageQuestion"));
    QVERIFY(question);
    QTest::mouseClick(question->findChild<QPushButton*>(QStringLiteral("forgetUsageNow")), Qt::LeftButton);
    QTRY_COMPARE(f.rows().size(), 0);
}

void UsageTest::nothingRunsWhileHidden()
{
    UsageFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    auto* page = f.find<Page>(QStringLiteral("usage"));
    f.window->openPage(QStringLiteral("overview"));
    f.core.addSandboxConnection("Sandbox");
    HttpClient client(f.core.port());
    QCOMPARE(client.postJson("/v1/chat/completions", R"({"model":"sandbox/ok","messages":[]})").status, 200);
    QTRY_VERIFY(f.written() >= 1);
    for (const QTimer* timer : page->findChildren<QTimer*>())
        QVERIFY(!timer->isActive());
    QCOMPARE(f.rows().size(), 0);
    f.window->openPage(QStringLiteral("usage"));
    QTRY_COMPARE(f.rows().size(), 2);
}

void UsageTest::emptyTimesSayWhatToDo()
{
    UsageFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    auto* page = f.find<Page>(QStringLiteral("usage"));
    auto* sentence = page->findChild<QLabel*>(QStringLiteral("emptySentence"));
    auto* action = page->findChild<QPushButton*>(QStringLiteral("emptyAction"));
    QTRY_VERIFY(sentence->isVisible());
    QVERIFY(!f.find<QPushButton>(QStringLiteral("usageExport"))->isEnabled());
    QTest::mouseClick(action, Qt::LeftButton);
    QCOMPARE(f.find<QComboBox>(QStringLiteral("usageRange"))->currentIndex(), 4);
    QTRY_VERIFY2(sentence->text().contains(QLatin1String("/v1")), qPrintable(sentence->text()));
}

OMNI_TEST(UsageTest)
#include "usage_test.moc"
