#include "control/client_setup/dotenv_edit.h"
#include "control/client_setup/json_edit.h"
#include "control/client_setup/text_diff.h"
#include "control/client_setup/toml_edit.h"
#include "control/client_setup/yaml_edit.h"

#include "program/test_program.h"

#include <QTest>

using namespace omni;
using namespace omni::client_setup;

namespace {

using Text = std::string;

QString readable(const Result<std::string>& result)
{
    return result ? QString::fromStdString(*result) : QStringLiteral("refused: ") + QString::fromStdString(result.error().message);
}

void addRow(const char* name, const Text& before, const Text& after)
{
    QTest::newRow(name) << QByteArray::fromStdString(before) << QString::fromStdString(after);
}

void columns()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QString>("after");
}

}  // namespace

/// Each editor on what people's files look like. Where nothing is expected to change, the row's two texts are the same bytes.
class SettingsFilesTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void json_data();
    void json();
    void jsonIsRead();
    void toml_data();
    void toml();
    void tomlKeysGo();
    void tomlIsRead();
    void yamlValues_data();
    void yamlValues();
    void yamlItems_data();
    void yamlItems();
    void yamlIsRead();
    void dotenv_data();
    void dotenv();
    void diffs_data();
    void diffs();
    void aLargeChangeIsStillTold();
};

void SettingsFilesTest::json_data()
{
    columns();
    const Text bom = "\xEF\xBB\xBF";
    const Text whole = "{\n  \"env\": {\n    \"URL\": \"http://new\"\n  }\n}\n";
    addRow("missing or empty", "", whole);
    addRow("blank lines only", "\n\n", "\n\n" + whole);
    addRow("byte order mark only", bom, bom + whole);
    addRow("a comment only", "// mine\n", "// mine\n" + whole);
    addRow("empty object", "{}\n", whole);
    addRow("empty object over lines", "{\n}\n", whole);
    addRow("other settings stay", "{\n  \"model\": \"opus\",\n  \"permissions\": { \"allow\": [\"Bash(ls:*)\", 1.50, 1e3] }\n}\n",
           "{\n  \"model\": \"opus\",\n  \"permissions\": { \"allow\": [\"Bash(ls:*)\", 1.50, 1e3] },\n  \"env\": {\n    \"URL\": "
           "\"http://new\"\n  }\n}\n");
    addRow("put into what is there", "{\n    \"env\": {\n        \"A\": \"1\"\n    },\n    \"z\": null\n}",
           "{\n    \"env\": {\n        \"A\": \"1\",\n        \"URL\": \"http://new\"\n    },\n    \"z\": null\n}");
    addRow("replaced in place", "{ \"env\" : {\"URL\":  \"http://old\" , \"B\": \"\\u00e9\"} }",
           "{ \"env\" : {\"URL\":  \"http://new\" , \"B\": \"\\u00e9\"} }");
    addRow("already so", "{\"env\":{\"URL\":\"http:\\/\\/new\"}}", "{\"env\":{\"URL\":\"http:\\/\\/new\"}}");
    addRow("on one line", "{\"env\":{\"A\":\"1\"}}", "{\"env\":{\"A\":\"1\", \"URL\": \"http://new\"}}");
    addRow("tabs", "{\n\t\"env\": {}\n}\n", "{\n\t\"env\": {\n\t\t\"URL\": \"http://new\"\n\t}\n}\n");
    addRow("CRLF", "{\r\n  \"a\": 1\r\n}\r\n", "{\r\n  \"a\": 1,\r\n  \"env\": {\r\n    \"URL\": \"http://new\"\r\n  }\r\n}\r\n");
    addRow("byte order mark and CRLF", bom + "{\r\n  \"a\": 1\r\n}",
           bom + "{\r\n  \"a\": 1,\r\n  \"env\": {\r\n    \"URL\": \"http://new\"\r\n  }\r\n}");
    addRow("comments stay", "{\n  // why\n  \"a\": 1 // last\n  /* end */\n}\n",
           "{\n  // why\n  \"a\": 1, // last\n  /* end */\n  \"env\": {\n    \"URL\": \"http://new\"\n  }\n}\n");
    addRow("trailing comma stays right", "{\n  \"a\": 1,\n}\n", "{\n  \"a\": 1,\n  \"env\": {\n    \"URL\": \"http://new\"\n  }\n}\n");
    addRow("the last of two counts", "{\"env\":{\"URL\":\"a\",\"URL\":\"b\"}}", "{\"env\":{\"URL\":\"a\",\"URL\":\"http://new\"}}");
    addRow("braces in texts and comments", "{\n  \"a\": \"}{ \\\" // no\" // }\n}\n",
           "{\n  \"a\": \"}{ \\\" // no\", // }\n  \"env\": {\n    \"URL\": \"http://new\"\n  }\n}\n");
    addRow("refuses: cut off", "{\n  \"a\": 1,\n  \"b\": {\n", "refused: Line 4: a name in quotes, or }, is missing");
    addRow("refuses: no comma", "{\n  \"a\": 1\n  \"b\": 2\n}", "refused: Line 3: a comma or } is missing");
    addRow("refuses: no colon", "{ \"a\" 1 }", "refused: Line 1: a colon is missing");
    addRow("refuses: open text", "{\n \"a\": \"x\n}", "refused: Line 2: a text has no closing quote");
    addRow("refuses: something behind the end", "{}\nx", "refused: Line 2: something follows the end of the document");
    addRow("refuses: a list at the top", "[1]", "refused: Line 1: the document is no object, so nothing can be put into it");
    addRow("refuses: a text on the way", "{\n \"env\": \"x\"\n}", "refused: Line 2: \"env\" is no object, so nothing can be put into it");
    addRow("refuses: a word that is none", "{\"a\": nope}", "refused: Line 1: a value is missing, or is none");
    addRow("refuses: open comment", "{ /* x", "refused: Line 1: a comment has no end");
    addRow("refuses: no text at all", Text("{\"a\": \"\xFF\xFE\"}"), "refused: It is no text in UTF-8");
    addRow("refuses: nested without end", Text(5000, '['), "refused: Line 1: it is nested too deeply");
}

void SettingsFilesTest::json()
{
    QFETCH(QByteArray, before);
    QFETCH(QString, after);
    const std::vector<JsonSetting> settings = {{{"env", "URL"}, "http://new"}};
    const Result<std::string> once = withJsonSettings(before.toStdString(), settings);
    QCOMPARE(readable(once), after);
    if (once)
        QCOMPARE(readable(withJsonSettings(*once, settings)), after);
}

void SettingsFilesTest::jsonIsRead()
{
    const std::string text = "{ // c\n \"env\": { \"URL\": \"http:\\/\\/x\", \"n\": 5, }, }";
    QCOMPARE(jsonText(text, {"env", "URL"})->value_or(""), std::string("http://x"));
    QVERIFY(!jsonText(text, {"env", "n"})->has_value());
    QVERIFY(!jsonText(text, {"env", "URL", "deeper"})->has_value());
    QVERIFY(!jsonText("", {"env"})->has_value());
    QVERIFY(!jsonText("{", {"env"}).ok());
}

void SettingsFilesTest::toml_data()
{
    columns();
    const Text bom = "\xEF\xBB\xBF";
    const Text table = "[model_providers.omniroute]\nbase_url = \"http://new\"\n";
    addRow("missing or empty", "", "model_provider = \"omniroute\"\n\n" + table);
    addRow("byte order mark", bom, bom + "model_provider = \"omniroute\"\n\n" + table);
    addRow("comment only", "# mine\n", "model_provider = \"omniroute\"\n\n# mine\n\n" + table);
    addRow("behind the last root key", "model = \"o3\" # best\n\n[mcp.x]\nargs = [\n  \"a\", # ]\n  'b',\n]\n",
           "model = \"o3\" # best\nmodel_provider = \"omniroute\"\n\n[mcp.x]\nargs = [\n  \"a\", # ]\n  'b',\n]\n\n" + table);
    addRow("no root key yet", "[mcp.x]\na = 1", "model_provider = \"omniroute\"\n\n[mcp.x]\na = 1\n\n" + table);
    addRow("replaced in place",
           "model_provider='openai'   # old\n[model_providers.omniroute]\nbase_url = \"http://old\"\nname = \"mine\"\n",
           "model_provider=\"omniroute\"   # old\n[model_providers.omniroute]\nbase_url = \"http://new\"\nname = \"mine\"\n");
    addRow("dotted and quoted names", "model_provider = \"omniroute\"\n[model_providers]\n\"omniroute\".base_url = 'x'\n",
           "model_provider = \"omniroute\"\n[model_providers]\n\"omniroute\".base_url = \"http://new\"\n");
    addRow("key into a table that is there", "model_provider = \"omniroute\"\n[model_providers.omniroute]\nname = \"o\"\n\n[z]\n",
           "model_provider = \"omniroute\"\n[model_providers.omniroute]\nname = \"o\"\nbase_url = \"http://new\"\n\n[z]\n");
    addRow("CRLF", "model = \"o3\"\r\n",
           "model = \"o3\"\r\nmodel_provider = \"omniroute\"\r\n\r\n[model_providers.omniroute]\r\nbase_url = \"http://new\"\r\n");
    addRow("texts over lines", "note = \"\"\"\n[model_providers.omniroute]\nmodel_provider = \"no\"\n\"\"\"\n",
           "note = \"\"\"\n[model_providers.omniroute]\nmodel_provider = \"no\"\n\"\"\"\nmodel_provider = \"omniroute\"\n\n" + table);
    addRow("dates, numbers and arrays of tables stay", "d = 1979-05-27 07:32:00Z\nn = 1_000\n\n[[p]]\na = 1\n[[p]]\na = 2\n",
           "d = 1979-05-27 07:32:00Z\nn = 1_000\nmodel_provider = \"omniroute\"\n\n[[p]]\na = 1\n[[p]]\na = 2\n\n" + table);
    addRow("refuses: open text", "a = 1\nb = \"x\n", "refused: Line 2: a text has no closing quote");
    addRow("refuses: no value", "a =\n", "refused: Line 1: a value is missing");
    addRow("refuses: no equals sign", "a\n", "refused: Line 1: = is missing behind a name");
    addRow("refuses: open array", "\na = [1,\n", "refused: Line 2: a closing ] is missing");
    addRow("refuses: open head", "[a\n", "refused: Line 1: the ] of a table's name is missing");
    addRow("refuses: two values", "a = 1 2\n", "refused: Line 1: something follows the value");
    addRow("refuses: set twice", "model = \"a\"\nmodel = \"b\"\n", "refused: Line 2: \"model\" is set twice");
    addRow("refuses: inline table", "model_provider = \"a\"\nmodel_providers = { omniroute = { } }\n",
           "refused: Line 2: \"model_providers.omniroute\" is written in a form that cannot be added to; turn it into a table "
           "[model_providers.omniroute]");
    addRow("refuses: dotted table without the key", "[model_providers]\nomniroute.name = \"x\"\n",
           "refused: Line 4: \"model_providers.omniroute\" is written in a form that cannot be added to; turn it into a table "
           "[model_providers.omniroute]");
}

void SettingsFilesTest::toml()
{
    QFETCH(QByteArray, before);
    QFETCH(QString, after);
    const std::vector<TomlSetting> settings = {{{}, "model_provider", "\"omniroute\""},
                                               {{"model_providers", "omniroute"}, "base_url", "\"http://new\""}};
    const Result<std::string> once = withTomlSettings(before.toStdString(), settings);
    QCOMPARE(readable(once), after);
    if (once)
        QCOMPARE(readable(withTomlSettings(*once, settings)), after);
}

void SettingsFilesTest::tomlKeysGo()
{
    const std::string text = "[t]\na = 1\nb = [\n 2 ]  # x\nc = 3\n";
    QCOMPARE(readable(withTomlSettings(text, {{{"t"}, "b", std::nullopt}})), QStringLiteral("[t]\na = 1\nc = 3\n"));
    QCOMPARE(readable(withTomlSettings(text, {{{"t"}, "none", std::nullopt}})), QString::fromStdString(text));
    QVERIFY(!withTomlSettings("[t.h]\nx = 1\n", {{{"t"}, "h", "2"}}).ok());
}

void SettingsFilesTest::tomlIsRead()
{
    const std::string text = "a = 'x'\n[t.u]\nb = \"y\\\"z\" # c\nn = 1\n";
    QCOMPARE(tomlText(text, {}, "a")->value_or(""), std::string("x"));
    QCOMPARE(tomlText(text, {"t", "u"}, "b")->value_or(""), std::string("y\"z"));
    QVERIFY(!tomlText(text, {"t", "u"}, "n")->has_value());
    QVERIFY(!tomlText(text, {}, "b")->has_value());
    QCOMPARE(QString::fromStdString(tomlString("a\"b\\c")), QStringLiteral("\"a\\\"b\\\\c\""));
}

void SettingsFilesTest::yamlValues_data()
{
    columns();
    const Text bom = "\xEF\xBB\xBF";
    addRow("missing or empty", "", "url: http://new\nkey: \"a: b\"\n");
    addRow("byte order mark", bom, bom + "url: http://new\nkey: \"a: b\"\n");
    addRow("others stay", "# mine\ndark-mode: true\nread:\n  - a.md\n  - b.md\nmap: {x: [1,\n  2]}\n",
           "# mine\ndark-mode: true\nread:\n  - a.md\n  - b.md\nmap: {x: [1,\n  2]}\nurl: http://new\nkey: \"a: b\"\n");
    addRow("replaced in place", "url:   http://old   # mine\n\"key\": 'o''ld'\nz: 1",
           "url:   http://new   # mine\n\"key\": \"a: b\"\nz: 1");
    addRow("already so", "url: \"http://new\"\nkey: 'a: b'\n", "url: \"http://new\"\nkey: 'a: b'\n");
    addRow("no value yet", "url: # later\nkey:\n", "url: http://new # later\nkey: \"a: b\"\n");
    addRow("no line end at the end", "a: 1", "a: 1\nurl: http://new\nkey: \"a: b\"\n");
    addRow("CRLF", "a: 1\r\nurl: x\r\n", "a: 1\r\nurl: http://new\r\nkey: \"a: b\"\r\n");
    addRow("a document's head", "---\na: 1\n", "---\na: 1\nurl: http://new\nkey: \"a: b\"\n");
    addRow("list as far left as its key", "a:\n- 1\n- b: 2\n", "a:\n- 1\n- b: 2\nurl: http://new\nkey: \"a: b\"\n");
    addRow("refuses: block text", "url: |\n  x\n", "refused: Line 1: \"url\" has more than a simple value; put it on one line first");
    addRow("refuses: a mapping", "url:\n  x: 1\n", "refused: Line 1: \"url\" has more than a simple value; put it on one line first");
    addRow("refuses: tabs", "a:\n\tb: 1\n", "refused: Line 2: YAML knows no tabs as indentation");
    addRow("refuses: no pair", "a: 1\nnonsense\n", "refused: Line 2: this is no \"key: value\"");
    addRow("refuses: set twice", "a: 1\na: 2\n", "refused: Line 2: \"a\" is set twice");
    addRow("refuses: one-line form", "{a: 1}\n",
           "refused: Line 1: the settings are written in one-line form; write one \"key: value\" in each line");
    addRow("refuses: two documents", "a: 1\n---\nb: 2\n", "refused: Line 2: there is more than one document in the file");
    addRow("refuses: starts indented", "  a: 1\n", "refused: Line 1: this belongs to no key");
}

void SettingsFilesTest::yamlValues()
{
    QFETCH(QByteArray, before);
    QFETCH(QString, after);
    const YamlPairs pairs = {{"url", "http://new"}, {"key", "a: b"}};
    const Result<std::string> once = withYamlScalars(before.toStdString(), pairs);
    QCOMPARE(readable(once), after);
    if (once)
        QCOMPARE(readable(withYamlScalars(*once, pairs)), after);
}

void SettingsFilesTest::yamlItems_data()
{
    columns();
    addRow("no list", "a: 1\n", "a: 1\nmodels:\n  - name: Own\n    base: http://new\n");
    addRow("empty list", "models: []\nz: 1\n", "models:\n  - name: Own\n    base: http://new\nz: 1\n");
    addRow("nothing behind the colon", "models: # mine\nz: 1\n", "models: # mine\n  - name: Own\n    base: http://new\nz: 1\n");
    addRow("behind the last", "models:\n  - name: Mine\n    roles:\n      - chat\n\n# end\nz: 1\n",
           "models:\n  - name: Mine\n    roles:\n      - chat\n  - name: Own\n    base: http://new\n\n# end\nz: 1\n");
    addRow("as far left as its key", "models:\n- name: Mine\n  base: x",
           "models:\n- name: Mine\n  base: x\n- name: Own\n  base: http://new\n");
    addRow("own one is brought up to date",
           "models:\n  -   base: http://old # mine\n      name: \"Own\"\n      roles: [chat]\n  - name: Mine\n    base: http://old\n",
           "models:\n  -   base: http://new # mine\n      name: \"Own\"\n      roles: [chat]\n  - name: Mine\n    base: http://old\n");
    addRow("own one gets what it lacks", "models:\n  - name: Own\n    roles:\n      - chat\n  - name: Mine\n",
           "models:\n  - name: Own\n    roles:\n      - chat\n    base: http://new\n  - name: Mine\n");
    addRow("CRLF", "models:\r\n  - name: Mine\r\n", "models:\r\n  - name: Mine\r\n  - name: Own\r\n    base: http://new\r\n");
    addRow("refuses: one-line form", "models: [{name: Mine}]\n",
           "refused: Line 1: \"models\" is written in one-line form; write each element in lines of its own");
    addRow("refuses: no list", "models:\n  a: 1\n", "refused: Line 2: \"models\" is no list");
}

void SettingsFilesTest::yamlItems()
{
    QFETCH(QByteArray, before);
    QFETCH(QString, after);
    const YamlPairs pairs = {{"name", "Own"}, {"base", "http://new"}};
    const Result<std::string> once = withYamlItem(before.toStdString(), "models", pairs);
    QCOMPARE(readable(once), after);
    if (once)
        QCOMPARE(readable(withYamlItem(*once, "models", pairs)), after);
}

void SettingsFilesTest::yamlIsRead()
{
    const std::string text = "a: 'it''s'  # c\nmodels:\n  - name: One\n    base: http://one\n  - name: Two\n    base: \"http://two\"\n";
    QCOMPARE(yamlScalar(text, "a")->value_or(""), std::string("it's"));
    QCOMPARE(yamlItemScalar(text, "models", {"name", "Two"}, "base")->value_or(""), std::string("http://two"));
    QVERIFY(!yamlItemScalar(text, "models", {"name", "Three"}, "base")->has_value());
    QVERIFY(!yamlItemScalar(text, "none", {"name", "Two"}, "base")->has_value());
    for (const char* value : {"true", "null", "12", "1.5", "-x", "a b", "", "x:", "#no", "ollama/llama3:8b", "http://127.0.0.1:20128/v1"}) {
        const Result<std::string> written = withYamlScalars("", {{"k", value}});
        QVERIFY(written.ok());
        QCOMPARE(yamlScalar(*written, "k")->value_or("?"), std::string(value));
        const bool plain = std::string_view(value).find('/') != std::string_view::npos;
        QCOMPARE(written->find('"') == std::string::npos, plain);
    }
}

void SettingsFilesTest::dotenv_data()
{
    columns();
    const Text bom = "\xEF\xBB\xBF";
    addRow("missing or empty", "", "URL=http://new\nKEY=\"a b\"\n");
    addRow("byte order mark", bom, bom + "URL=http://new\nKEY=\"a b\"\n");
    addRow("others stay", "# mine\nexport A='x'\n\nMULTI=\"one\ntwo=2\"",
           "# mine\nexport A='x'\n\nMULTI=\"one\ntwo=2\"\nURL=http://new\nKEY=\"a b\"\n");
    addRow("replaced in place", "export URL = http://old # mine\nKEY='old'\nZ=1\n", "export URL = http://new # mine\nKEY=\"a b\"\nZ=1\n");
    addRow("already so", "URL=\"http://new\"\nKEY='a b'\n", "URL=\"http://new\"\nKEY='a b'\n");
    addRow("no value yet", "URL=\nKEY=\n", "URL=http://new\nKEY=\"a b\"\n");
    addRow("the last of two counts", "URL=a\nURL=b\nKEY='a b'\n", "URL=a\nURL=http://new\nKEY='a b'\n");
    addRow("CRLF", "A=1\r\nURL=x\r\n", "A=1\r\nURL=http://new\r\nKEY=\"a b\"\r\n");
    addRow("refuses: no closing quote", "A=1\nB=\"x\n", "refused: Line 2: the value of B has no closing quote");
    addRow("refuses: sets nothing", "A=1\nnonsense here\n", "refused: Line 2: this is no NAME=value");
}

void SettingsFilesTest::dotenv()
{
    QFETCH(QByteArray, before);
    QFETCH(QString, after);
    const std::vector<std::pair<std::string, std::string>> variables = {{"URL", "http://new"}, {"KEY", "a b"}};
    const Result<std::string> once = withVariables(before.toStdString(), variables);
    QCOMPARE(readable(once), after);
    if (!once)
        return;
    QCOMPARE(readable(withVariables(*once, variables)), after);
    QCOMPARE(variableOf(*once, "URL")->value_or(""), std::string("http://new"));
}

void SettingsFilesTest::diffs_data()
{
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("after");
    QTest::addColumn<QString>("told");
    QTest::newRow("equal") << "a\nb\n"
                           << "a\nb\n"
                           << "";
    QTest::newRow("all new") << ""
                             << "a\nb\n"
                             << "+a +b";
    QTest::newRow("changed") << "a\nb\nc\n"
                             << "a\nB\nc\n"
                             << " a -b +B  c";
    QTest::newRow("far apart") << "1\n2\n3\n4\n5\n6\n7\n8\n"
                               << "1\n2\n3\n4x\n5\n6\n7\n8y\n"
                               << "…  3 -4 +4x  5 …  7 -8 +8y";
    QTest::newRow("line end added") << "a"
                                    << "a\nb\n"
                                    << "-a +a +b";
    QTest::newRow("moved") << "a\nb\nc\n"
                           << "c\na\nb\n"
                           << "+c  a  b -c";
}

void SettingsFilesTest::diffs()
{
    QFETCH(QString, before);
    QFETCH(QString, after);
    QFETCH(QString, told);
    QStringList lines;
    for (const DiffLine& line : textDiff(before.toStdString(), after.toStdString(), 1)) {
        const QString text = QString::fromStdString(line.text);
        switch (line.kind) {
        case DiffLine::Kind::Same: lines << QStringLiteral(" ") + text; break;
        case DiffLine::Kind::Added: lines << QStringLiteral("+") + text; break;
        case DiffLine::Kind::Removed: lines << QStringLiteral("-") + text; break;
        case DiffLine::Kind::Gap: lines << QStringLiteral("…"); break;
        }
    }
    QCOMPARE(lines.join(QLatin1Char(' ')), told);
}

void SettingsFilesTest::aLargeChangeIsStillTold()
{
    std::string before;
    std::string after;
    for (int i = 0; i < 3000; ++i) {
        before += "old " + std::to_string(i) + "\n";
        after += "new " + std::to_string(i) + "\n";
    }
    const std::vector<DiffLine> lines = textDiff(before, after);
    QCOMPARE(lines.size(), std::size_t{6000});
    QCOMPARE(lines.back().newLine, 3000);
}

OMNI_TEST(SettingsFilesTest)
#include "settings_files_test.moc"
