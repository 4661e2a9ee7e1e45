#include "gui/window_fixture.h"
#include "program/test_program.h"
#include "ui/connections/connections_page.h"
#include "ui/connections/key_import_dialog.h"
#include "ui/models/connections_model.h"
#include "ui/models/data_table.h"
#include "ui/widgets/field_error_label.h"
#include "ui/widgets/message_bar.h"

#include <QCheckBox>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QTemporaryDir>

#include <algorithm>

using namespace omni;
using omni::test::WindowFixture;

namespace {

constexpr const char* kGroqKey = "gsk_abcdefghijklmnop9f2c";
constexpr const char* kOpenAiKey = "sk-abcdefghijklmnop1234";

/// The user's home folder and environment, as a test wants them, for as long as this lives. No provider is reached: what is tested goes to a
/// port of this computer where nobody listens.
class OwnHome {
public:
    OwnHome() : m_home(qgetenv("HOME"))
    {
        qputenv("HOME", m_folder.path().toUtf8());
        for (const char* name : {"XDG_CONFIG_HOME", "XDG_DATA_HOME"})
            set(name, {});
        for (const std::string& name : connection_import::knownVariables())
            set(name.c_str(), {});
    }
    ~OwnHome()
    {
        qputenv("HOME", m_home);
        for (const auto& [name, value] : m_before)
            value.isNull() ? qunsetenv(name.c_str()) : qputenv(name.c_str(), value);
    }
    void set(const char* name, const QByteArray& value)
    {
        m_before.emplace(name, qEnvironmentVariableIsSet(name) ? qgetenv(name) : QByteArray());
        if (value.isNull())
            qunsetenv(name);
        else
            qputenv(name, value);
    }
    void write(const char* path, const QByteArray& content) const
    {
        const QString file = m_folder.filePath(QLatin1String(path));
        QDir().mkpath(QFileInfo(file).absolutePath());
        QFile out(file);
        if (!out.open(QIODevice::WriteOnly) || out.write(content) != content.size())
            qFatal("cannot write %s", path);
    }

private:
    QTemporaryDir m_folder;
    QByteArray m_home;
    std::map<std::string, QByteArray> m_before;
};

struct ImportFixture : WindowFixture {
    ImportFixture() : WindowFixture(test::withoutSandbox()) {}

    /// With one connection of the test's own, so that the page shows its table.
    bool open()
    {
        if (!start())
            return false;
        core.addUpstream("mine", "http://127.0.0.1:9/v1", "sk-of-the-upstream");
        page = window->openPage(QStringLiteral("connections"));
        return QTest::qWaitFor([this] { return find<QPushButton>(QStringLiteral("importKeys"))->isVisible(); });
    }
    void click(const char* name) const
    {
        auto* button = find<QPushButton>(QLatin1String(name));
        QVERIFY2(button && button->isEnabled() && button->isVisible(), name);
        QTest::mouseClick(button, Qt::LeftButton);
    }
    void toggle(const char* name) const
    {
        auto* box = find<QCheckBox>(QLatin1String(name));
        QVERIFY2(box, name);
        box->setFocus();
        QTest::keyClick(box, Qt::Key_Space);
    }
    KeyImportDialog* dialog() const { return find<KeyImportDialog>(QStringLiteral("keyImportDialog")); }
    QCheckBox* tick(int row) const { return find<QCheckBox>(QStringLiteral("foundTick%1").arg(row)); }
    QString text(const char* name) const { return find<QLabel>(QLatin1String(name))->text(); }
    QStringList connections()
    {
        QStringList names;
        const auto configuration = core.read<ConfigurationPtr>([](Control& control) { return control.configuration(); });
        for (const Connection& connection : configuration->connections)
            names << toQString(connection.provider.str() + ":" + connection.name);
        names.removeIf([](const QString& name) { return name.startsWith(QStringLiteral("openai-compatible")); });
        names.sort();
        return names;
    }
    std::string secretOf(const char* name)
    {
        return core.read<std::string>([name](Control& control) {
            for (const Connection& connection : control.configuration()->connections) {
                if (connection.name == name)
                    return control.secretOf(connection).valueOr({});
            }
            return std::string();
        });
    }

    Page* page = nullptr;
};

}  // namespace

class KeyImportTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QLocale::setDefault(QLocale::c()); }

    void variablesBecomeConnections();
    void filesAreReadOnlyWhenAsked();
    void whatIsHereAlreadyIsToldAndLeftOut();
    void additionIsTakenBack();
    void namesAreChecked();
    void nothingFoundIsSaid();
    void emptyPageOffersIt();
    void keysAreNotShownWhole();
};

void KeyImportTest::variablesBecomeConnections()
{
    OwnHome home;
    home.set("GROQ_API_KEY", kGroqKey);
    home.set("OPENAI_API_KEY", kOpenAiKey);
    ImportFixture fixture;
    QVERIFY2(fixture.open(), fixture.core.error().c_str());
    fixture.click("importKeys");
    QTRY_VERIFY(fixture.tick(1));
    QVERIFY(fixture.tick(0)->isChecked() && fixture.tick(1)->isChecked());
    QVERIFY(fixture.tick(0)->text().startsWith(QStringLiteral("OpenAI")));
    QVERIFY(fixture.tick(0)->text().endsWith(QStringLiteral("1234")));
    QVERIFY(fixture.text("foundPlaces0").contains(QStringLiteral("OPENAI_API_KEY")));
    QCOMPARE(fixture.find<QLineEdit>(QStringLiteral("foundName0"))->text(), QStringLiteral("OpenAI"));
    // Until it is said so, nothing is kept.
    QCOMPARE(fixture.connections(), QStringList());

    fixture.toggle("foundTick0");
    auto* name = fixture.find<QLineEdit>(QStringLiteral("foundName1"));
    name->selectAll();
    QTest::keyClicks(name, QStringLiteral("work"));
    fixture.toggle("testImported");
    QVERIFY(!fixture.find<QCheckBox>(QStringLiteral("testImported"))->isChecked());
    auto* add = fixture.find<QPushButton>(QStringLiteral("keyImportAdd"));
    QCOMPARE(add->text(), QStringLiteral("Add 1 connection"));
    fixture.click("keyImportAdd");
    QTRY_VERIFY(!fixture.dialog());
    QCOMPARE(fixture.connections(), QStringList{QStringLiteral("groq:work")});
    QCOMPARE(fixture.secretOf("work"), std::string(kGroqKey));
    QVERIFY(fixture.window->messages().text().contains(QStringLiteral("was added")));
    auto* table = fixture.find<DataTable>(QStringLiteral("connectionTable"));
    QTRY_COMPARE(table->selectedRowsInOrder().size(), 1);
}

void KeyImportTest::filesAreReadOnlyWhenAsked()
{
    OwnHome home;
    home.set("GROQ_API_KEY", kGroqKey);
    home.write(".codex/auth.json", QByteArray("{\"OPENAI_API_KEY\": \"") + kOpenAiKey + "\"}");
    home.write(".bashrc", QByteArray("export GROQ_API_KEY=") + kGroqKey + "\n");
    home.write(".continue/config.json", "{");
    ImportFixture fixture;
    QVERIFY2(fixture.open(), fixture.core.error().c_str());
    fixture.click("importKeys");
    QTRY_VERIFY(fixture.tick(0));
    QVERIFY(!fixture.tick(1));
    QVERIFY(fixture.text("lookNote").contains(QStringLiteral("Codex")));
    QVERIFY(!fixture.find<QLabel>(QStringLiteral("refusedFiles"))->isVisible());
    fixture.click("lookInFiles");
    QTRY_VERIFY(fixture.tick(1));
    QVERIFY(fixture.text("foundPlaces1").contains(QStringLiteral("~/.codex/auth.json")));
    // The same key elsewhere is no second one.
    QVERIFY(fixture.text("foundPlaces0").contains(QStringLiteral("GROQ_API_KEY, ~/.bashrc")));
    QVERIFY(!fixture.tick(2));
    QVERIFY(fixture.text("refusedFiles").contains(QStringLiteral("~/.continue/config.json")));
    fixture.toggle("testImported");
    fixture.click("keyImportAdd");
    QTRY_VERIFY(!fixture.dialog());
    QCOMPARE(fixture.connections(), (QStringList{QStringLiteral("groq:Groq"), QStringLiteral("openai:OpenAI")}));
    QCOMPARE(fixture.secretOf("OpenAI"), std::string(kOpenAiKey));
}

void KeyImportTest::whatIsHereAlreadyIsToldAndLeftOut()
{
    OwnHome home;
    home.set("GROQ_API_KEY", kGroqKey);
    ImportFixture fixture;
    QVERIFY2(fixture.open(), fixture.core.error().c_str());
    for (const int round : {1, 2}) {
        fixture.click("importKeys");
        QTRY_VERIFY(fixture.tick(0));
        QCOMPARE(fixture.tick(0)->isChecked(), round == 1);
        QCOMPARE(fixture.text("foundState0").isEmpty(), round == 1);
        QCOMPARE(fixture.find<QPushButton>(QStringLiteral("keyImportAdd"))->isEnabled(), round == 1);
        fixture.find<QCheckBox>(QStringLiteral("testImported"))->setChecked(false);
        fixture.click(round == 1 ? "keyImportAdd" : "keyImportCancel");
        QTRY_VERIFY(!fixture.dialog());
    }
    QCOMPARE(fixture.connections(), QStringList{QStringLiteral("groq:Groq")});
}

void KeyImportTest::additionIsTakenBack()
{
    OwnHome home;
    home.set("GROQ_API_KEY", kGroqKey);
    home.set("OPENAI_API_KEY", kOpenAiKey);
    ImportFixture fixture;
    QVERIFY2(fixture.open(), fixture.core.error().c_str());
    fixture.click("importKeys");
    QTRY_VERIFY(fixture.tick(1));
    fixture.find<QCheckBox>(QStringLiteral("testImported"))->setChecked(false);
    fixture.click("keyImportAdd");
    QTRY_COMPARE(fixture.connections().size(), 2);
    QTRY_VERIFY(fixture.window->messages().text().contains(QStringLiteral("2 connections were added")));
    auto* undo = fixture.window->messages().findChild<QPushButton*>();
    QVERIFY(undo && undo->isVisible());
    QTest::mouseClick(undo, Qt::LeftButton);
    QTRY_VERIFY(fixture.connections().isEmpty());
}

void KeyImportTest::namesAreChecked()
{
    OwnHome home;
    home.set("GEMINI_API_KEY", "AIzaSyA0123456789abcdefghij");
    home.set("GOOGLE_API_KEY", "AIzaSyB0123456789abcdefghij");
    ImportFixture fixture;
    QVERIFY2(fixture.open(), fixture.core.error().c_str());
    fixture.click("importKeys");
    QTRY_VERIFY(fixture.tick(1));
    auto* first = fixture.find<QLineEdit>(QStringLiteral("foundName0"));
    auto* second = fixture.find<QLineEdit>(QStringLiteral("foundName1"));
    QVERIFY(first->text() != second->text());
    auto* add = fixture.find<QPushButton>(QStringLiteral("keyImportAdd"));
    auto* error = fixture.find<FieldErrorLabel>(QStringLiteral("foundError1"));
    second->selectAll();
    QTest::keyClicks(second, first->text());
    QVERIFY(!error->error().isEmpty());
    QVERIFY(!add->isEnabled());
    // What is not taken need not have a good name.
    fixture.toggle("foundTick1");
    QVERIFY(error->error().isEmpty());
    QVERIFY(add->isEnabled());
    second->selectAll();
    QTest::keyClick(second, Qt::Key_Delete);
    QVERIFY(fixture.tick(1)->isChecked());
    QVERIFY(!add->isEnabled());
    QTest::keyClicks(second, QStringLiteral("other"));
    QVERIFY(add->isEnabled());
    QCOMPARE(add->text(), QStringLiteral("Add 2 connections"));
}

void KeyImportTest::nothingFoundIsSaid()
{
    OwnHome home;
    ImportFixture fixture;
    QVERIFY2(fixture.open(), fixture.core.error().c_str());
    fixture.click("importKeys");
    QTRY_VERIFY(fixture.text("keyImportNothing").contains(QStringLiteral("Perhaps a file does")));
    QVERIFY(!fixture.find<QPushButton>(QStringLiteral("keyImportAdd"))->isEnabled());
    fixture.click("lookInFiles");
    QTRY_VERIFY(fixture.text("keyImportNothing").contains(QStringLiteral("by hand")));
    fixture.click("keyImportCancel");
    QTRY_VERIFY(!fixture.dialog());
}

void KeyImportTest::emptyPageOffersIt()
{
    OwnHome home;
    home.set("GROQ_API_KEY", kGroqKey);
    ImportFixture fixture;
    QVERIFY2(fixture.start(), fixture.core.error().c_str());
    fixture.window->openPage(QStringLiteral("connections"));
    QVERIFY(!fixture.find<QPushButton>(QStringLiteral("importKeys"))->isVisible());
    fixture.click("importKeysFirst");
    QTRY_VERIFY(fixture.tick(0));
    fixture.find<QCheckBox>(QStringLiteral("testImported"))->setChecked(false);
    fixture.click("keyImportAdd");
    QTRY_COMPARE(fixture.connections(), QStringList{QStringLiteral("groq:Groq")});
}

void KeyImportTest::keysAreNotShownWhole()
{
    OwnHome home;
    home.set("GROQ_API_KEY", kGroqKey);
    ImportFixture fixture;
    QVERIFY2(fixture.open(), fixture.core.error().c_str());
    fixture.click("importKeys");
    QTRY_VERIFY(fixture.tick(0));
    for (const QWidget* widget : fixture.dialog()->findChildren<QWidget*>()) {
        for (const char* property : {"text", "toolTip", "accessibleName", "accessibleDescription"})
            QVERIFY2(!widget->property(property).toString().contains(QStringLiteral("abcdefgh")), property);
    }
}

OMNI_TEST(KeyImportTest)
#include "key_import_test.moc"
