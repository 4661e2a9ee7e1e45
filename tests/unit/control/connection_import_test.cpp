#include "control/connection_import/key_files.h"
#include "control/connection_import/key_readers.h"

#include "program/test_program.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

#include <sys/stat.h>
#include <unistd.h>

using namespace omni;
using namespace omni::connection_import;

namespace {

constexpr const char* kKey = "sk-0123456789abcdefghij";

std::shared_ptr<const ProviderCatalogue> catalogue()
{
    static const auto loaded = ProviderCatalogue::load().valueOr(nullptr);
    return loaded;
}

/// "openai sk-… https://…" for each key, sorted: what was found, whatever the order.
QStringList told(const Findings& findings)
{
    QStringList lines;
    for (const FoundKey& found : findings.keys)
        lines << QString::fromStdString(found.provider.str() + " " + found.key + (found.baseUrl.empty() ? "" : " " + found.baseUrl));
    lines.sort();
    return lines;
}

/// `K1`, `K2` in a test's text stand for keys that could be real.
QString withKeys(QString text);

QString withKeys(const char* text) { return withKeys(QString::fromUtf8(text)); }

using Lines = std::initializer_list<const char*>;

QStringList listOf(Lines lines)
{
    QStringList list;
    for (const char* line : lines)
        list << QString::fromUtf8(line);
    return list;
}

QString withKeys(QString text)
{
    for (int i = 1; i <= 9; ++i)
        text.replace(QStringLiteral("K%1").arg(i), QStringLiteral("sk-key-%1-0123456789abcdef").arg(i));
    return text;
}

Findings readWith(KeyReader reader, const QString& text, Status* status = nullptr)
{
    KeyCollector keys(*catalogue());
    keys.at("there");
    const Status read = reader(text.toStdString(), keys);
    if (status)
        *status = read;
    return keys.take();
}

}  // namespace

Q_DECLARE_METATYPE(omni::connection_import::KeyReader)

class ConnectionImportTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyVariableBelongsToAProvider();
    void whatCanBeAKey_data();
    void whatCanBeAKey();
    void environmentGivesKeys_data();
    void environmentGivesKeys();
    void filesAreRead_data();
    void filesAreRead();
    void brokenFilesAreRefused_data();
    void brokenFilesAreRefused();
    void assignmentsAreFound_data();
    void assignmentsAreFound();
    void aHomeFolderIsLookedThrough();
    void onlyOwnFilesAreRead_data();
    void onlyOwnFilesAreRead();
    void nothingOfTheSecretIsInARefusal();
    void theSameKeyIsTakenOnce();

private:
    void write(const QString& path, const QByteArray& content) const
    {
        const QString file = m_home->filePath(path);
        QVERIFY(QDir().mkpath(QFileInfo(file).absolutePath()));
        QFile out(file);
        QVERIFY(out.open(QIODevice::WriteOnly) && out.write(content) == content.size());
    }
    Surroundings surroundings()
    {
        m_home = std::make_unique<QTemporaryDir>();
        Surroundings here;
        here.home = m_home->path().toStdString();
        here.config = here.home + "/.config";
        here.data = here.home + "/.local/share";
        here.owner = ::geteuid();
        return here;
    }

    std::unique_ptr<QTemporaryDir> m_home;
};

void ConnectionImportTest::everyVariableBelongsToAProvider()
{
    int keys = 0;
    for (const std::string& name : knownVariables()) {
        const std::string_view provider = providerOfVariable(name);
        if (provider.empty()) {
            QVERIFY2(name.find("BASE") != std::string::npos, name.c_str());
            continue;
        }
        ++keys;
        QVERIFY2(catalogue()->find(provider), name.c_str());
        Surroundings here;
        here.environment[name] = kKey;
        const Findings findings = keysInEnvironment(here, *catalogue());
        QCOMPARE(findings.keys.size(), std::size_t(1));
        QCOMPARE(findings.keys.front().places, std::vector<std::string>{name});
    }
    QVERIFY(keys > 30);
}

void ConnectionImportTest::whatCanBeAKey_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("plausible");
    QTest::newRow("openai") << "sk-proj-abcDEF_123-456789" << true;
    QTest::newRow("anthropic") << "sk-ant-api03-abcdef0123456789" << true;
    QTest::newRow("gemini") << "AIzaSyA0123456789abcdefghij" << true;
    QTest::newRow("plain hex") << "0123456789abcdef0123456789abcdef" << true;
    QTest::newRow("with a dot") << "0123456789abcdef.ABCDEFabcdef" << true;
    QTest::newRow("empty") << "" << false;
    QTest::newRow("too short") << "sk-local" << false;
    QTest::newRow("endless") << QString(2000, QLatin1Char('a')) << false;
    QTest::newRow("shell reference") << "${OPENAI_API_KEY_2}" << false;
    QTest::newRow("dollar") << "$OPENAI_API_KEY_2345" << false;
    QTest::newRow("opencode reference") << "{env:OPENAI_API_KEY}" << false;
    QTest::newRow("continue reference") << "${{ secrets.OPENAI }}" << false;
    QTest::newRow("command") << "$(pass show openai)" << false;
    QTest::newRow("template") << "your-openai-api-key-here" << false;
    QTest::newRow("template upper") << "YOUR_OPENAI_API_KEY" << false;
    QTest::newRow("crosses") << "sk-xxxxxxxxxxxxxxxxxxxx" << false;
    QTest::newRow("dots") << "sk-1234567890...abcd" << false;
    QTest::newRow("blank inside") << "sk-0123456789 abcdefgh" << false;
    QTest::newRow("not ASCII") << QString::fromUtf8("sk-0123456789…abcdef") << false;
    QTest::newRow("a JWT") << "eyJhbGciOiJIUzI1NiIsInR5cCI6" << true;
    QTest::newRow("our own client's") << "sk-omni-0123456789abcdefghij" << false;
}

void ConnectionImportTest::whatCanBeAKey()
{
    QFETCH(QString, text);
    QFETCH(bool, plausible);
    QCOMPARE(isPlausibleKey(text.toStdString()), plausible);
}

void ConnectionImportTest::environmentGivesKeys_data()
{
    QTest::addColumn<QStringList>("variables");
    QTest::addColumn<QStringList>("keys");
    const auto row = [](const char* name, Lines variables, Lines keys) {
        QTest::newRow(name) << listOf(variables) << listOf(keys);
    };
    row("none", {}, {});
    row("two providers", {"OPENAI_API_KEY=K1", "GROQ_API_KEY=K2"}, {"groq K2", "openai K1"});
    row("two names, one key", {"GEMINI_API_KEY=K1", "GOOGLE_API_KEY=K1"}, {"gemini K1"});
    row("two names, two keys", {"GEMINI_API_KEY=K1", "GOOGLE_API_KEY=K2"}, {"gemini K1", "gemini K2"});
    row("the provider's own address", {"OPENAI_API_KEY=K1", "OPENAI_BASE_URL=https://api.openai.com/v1/"}, {"openai K1"});
    row("another address", {"OPENAI_API_KEY=K1", "OPENAI_BASE_URL=https://gate.example/v1"}, {"openai K1 https://gate.example/v1"});
    row("the older name of the address", {"OPENAI_API_KEY=K1", "OPENAI_API_BASE=https://gate.example/v1"}, {"openai K1 https://gate.example/v1"});
    row("another provider's address", {"OPENAI_API_KEY=K1", "OPENAI_BASE_URL=https://openrouter.ai/api/v1"}, {"openrouter K1"});
    row("Anthropic's root", {"ANTHROPIC_API_KEY=K1", "ANTHROPIC_BASE_URL=https://api.anthropic.com"}, {"anthropic K1"});
    row("another root", {"ANTHROPIC_API_KEY=K1", "ANTHROPIC_BASE_URL=https://gate.example/x/"}, {"anthropic K1 https://gate.example/x/v1"});
    // What is sent to this very proxy, or to another one beside it, is no provider's key.
    row("this computer", {"OPENAI_API_KEY=K1", "OPENAI_BASE_URL=http://127.0.0.1:20128/v1"}, {});
    row("this computer by name", {"ANTHROPIC_API_KEY=K1", "ANTHROPIC_BASE_URL=http://localhost:20128"}, {});
    row("an address that is none", {"OPENAI_API_KEY=K1", "OPENAI_BASE_URL=not an address"}, {});
    row("unencrypted", {"OPENAI_API_KEY=K1", "OPENAI_BASE_URL=http://gate.example/v1"}, {});
    row("a password in the address", {"OPENAI_API_KEY=K1", "OPENAI_BASE_URL=https://a:b@gate.example/v1"}, {});
    row("an address without a key", {"OPENAI_BASE_URL=https://gate.example/v1"}, {});
    row("blanks around", {"OPENAI_API_KEY= K1 "}, {"openai K1"});
    row("a sign-in's token", {"ANTHROPIC_AUTH_TOKEN=K1"}, {});
    row("Claude's own sign-in", {"ANTHROPIC_API_KEY=sk-ant-oat01-abcdef0123456789"}, {});
    row("Google's own sign-in", {"GEMINI_API_KEY=ya29.a0AfB_0123456789abcdef"}, {});
    row("OpenAI's own sign-in", {"OPENAI_API_KEY=eyJhbGciOiJIUzI1NiIsInR5cCI6"}, {});
    row("a JWT for another provider's address", {"ANTHROPIC_API_KEY=eyJhbGciOiJIUzI1NiIsInR5cCI6", "ANTHROPIC_BASE_URL=https://api.minimax.io/anthropic"},
        {"minimax eyJhbGciOiJIUzI1NiIsInR5cCI6"});
    row("a JWT for a gateway", {"OPENAI_API_KEY=eyJhbGciOiJIUzI1NiIsInR5cCI6", "OPENAI_BASE_URL=https://gate.example/v1"},
        {"openai eyJhbGciOiJIUzI1NiIsInR5cCI6 https://gate.example/v1"});
    row("a key that is a JWT", {"MINIMAX_API_KEY=eyJhbGciOiJIUzI1NiIsInR5cCI6"}, {"minimax eyJhbGciOiJIUzI1NiIsInR5cCI6"});
}

void ConnectionImportTest::environmentGivesKeys()
{
    QFETCH(QStringList, variables);
    QFETCH(QStringList, keys);
    Surroundings here;
    for (const QString& variable : variables)
        here.environment[variable.section(QLatin1Char('='), 0, 0).toStdString()] = withKeys(variable.section(QLatin1Char('='), 1)).toStdString();
    QStringList wanted;
    for (const QString& key : keys)
        wanted << withKeys(key);
    QCOMPARE(told(keysInEnvironment(here, *catalogue())), wanted);
}

void ConnectionImportTest::filesAreRead_data()
{
    QTest::addColumn<KeyReader>("reader");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QStringList>("keys");
    const auto row = [](const char* name, KeyReader reader, const char* text, Lines keys) {
        QTest::newRow(name) << reader << QString::fromUtf8(text) << listOf(keys);
    };
    row("Claude Code", &readClaudeCode, R"({"env": {"ANTHROPIC_API_KEY": "K1", "X": 3}, "model": "opus"})", {"anthropic K1"});
    row("Claude Code pointed here", &readClaudeCode,
        "{\"env\": {\"ANTHROPIC_API_KEY\": \"K1\", \"ANTHROPIC_BASE_URL\": \"http://127.0.0.1:20128\", \"ANTHROPIC_AUTH_TOKEN\": \"K2\"}}",
        {});
    row("Codex", &readCodex, R"({"OPENAI_API_KEY": "K1", "tokens": {"access_token": "K2", "refresh_token": "K3"}})", {"openai K1"});
    row("Codex signed in", &readCodex, R"({"OPENAI_API_KEY": null, "tokens": {"access_token": "K2"}})", {});
    row("aider", &readAider,
        "# mine\nopenai-api-key: K1\nanthropic-api-key: \"K2\"  # work\nmodel: sonnet\napi-key:\n  - gemini=K3\n  - \"openrouter=K4\"\n"
        "set-env:\n  - GROQ_API_KEY=K5\n  - OTHER=1\n",
        {"anthropic K2", "gemini K3", "groq K5", "openai K1", "openrouter K4"});
    row("aider, one named key", &readAider, "api-key: deepseek=K1\n", {"deepseek K1"});
    row("aider elsewhere", &readAider, "openai-api-base: https://gate.example/v1\nopenai-api-key: K1\n", {"openai K1 https://gate.example/v1"});
    row("aider pointed here", &readAider, "openai-api-base: http://127.0.0.1:20128/v1\nopenai-api-key: K1\n", {});
    row("opencode's keys", &readOpenCodeKeys,
        R"({"anthropic": {"type": "oauth", "access": "K1", "refresh": "K2"}, "google": {"type": "api", "key": "K3"},
            "togetherai": {"type": "api", "key": "K4"}, "nobody": {"type": "api", "key": "K5"}, "odd": 3})",
        {"gemini K3", "together K4"});
    row("opencode's settings", &readOpenCode,
        "{/* mine */ \"provider\": {\"openai\": {\"options\": {\"apiKey\": \"K1\"}},"
        "\"groq\": {\"options\": {\"apiKey\": \"{env:GROQ_API_KEY}\"}}, \"x\": 1,"
        "\"omniroute\": {\"options\": {\"apiKey\": \"K2\", \"baseURL\": \"http://127.0.0.1:20128/v1\"}}}}",
        {"openai K1"});
    row("Continue, YAML", &readContinueYaml,
        "name: mine\nmodels:\n  - name: a\n    provider: openai\n    model: gpt-5\n    apiKey: K1\n  - name: b\n    provider: mistral\n"
        "    apiKey: ${{ secrets.M }}\n  - name: c\n    provider: ollama\n    model: x\n  - name: d\n    provider: openai\n"
        "    apiBase: http://127.0.0.1:20128/v1\n    apiKey: K2\n",
        {"openai K1"});
    row("Continue, JSON", &readContinueJson,
        "{\"models\": [{\"provider\": \"anthropic\", \"apiKey\": \"K1\"},"
        "{\"provider\": \"openai\", \"apiKey\": \"K2\", \"apiBase\": \"https://gate.example/v1\"}, 7]}",
        {"anthropic K1", "openai K2 https://gate.example/v1"});
    row("Cline", &readCline, R"({"apiKey": "K1", "openRouterApiKey": "K2", "openAiApiKey": "K3", "clineApiKey": "K4"})",
        {"anthropic K1", "openrouter K2"});
    row("Goose", &readGoose, "OPENROUTER_API_KEY: K1\nGROQ_API_KEY: 'K2'\n", {"groq K2", "openrouter K1"});
    row("Crush", &readCrush, R"({"providers": {"xai": {"api_key": "K1"}, "openai": {"api_key": "$OPENAI_API_KEY"}, "z": 1}})", {"xai K1"});
    row("llm", &readLlm, R"({"note": "This file stores secret API credentials. Do not share!", "openai": "K1", "gemini": "K2", "local": 1})",
        {"gemini K2", "openai K1"});
    row(".env", &readAssignments, "# keys\nexport OPENAI_API_KEY=\"K1\"\nGROQ_API_KEY='K2' # work\nBROKEN\n\"x\nMISTRAL_API_KEY=K3\r\n",
        {"groq K2", "mistral K3", "openai K1"});
    row(".bashrc", &readAssignments,
        "if [ -f ~/.x ]; then\n  . ~/.x\nfi\n  export DEEPSEEK_API_KEY=K1; alias a=b\n#export XAI_API_KEY=K2\nexport XAI_API_KEY=$(pass xai)\n",
        {"deepseek K1"});
    row("config.fish", &readAssignments, "set -gx OPENAI_API_KEY K1\nset -Ux GROQ_API_KEY \"K2\"\nset x y\n", {"groq K2", "openai K1"});
    for (const auto& [name, reader] : std::initializer_list<std::pair<const char*, KeyReader>>{
             {"empty for Claude Code", &readClaudeCode}, {"empty for Codex", &readCodex}, {"empty for aider", &readAider},
             {"empty for opencode", &readOpenCodeKeys}, {"empty for Continue", &readContinueYaml}, {"empty for Goose", &readGoose},
             {"empty for the shell", &readAssignments}})
        row(name, reader, "", {});
    row("other types for Codex", &readCodex, R"({"OPENAI_API_KEY": {"a": [1, 2]}})", {});
    row("other types for Continue", &readContinueJson, R"({"models": {"provider": "openai", "apiKey": "K1"}})", {});
    row("other types for Crush", &readCrush, R"({"providers": ["K1"]})", {});
}

void ConnectionImportTest::filesAreRead()
{
    QFETCH(KeyReader, reader);
    QFETCH(QString, text);
    QFETCH(QStringList, keys);
    Status status;
    const Findings findings = readWith(reader, withKeys(text), &status);
    QVERIFY2(status.ok(), status ? "" : status.error().message.c_str());
    QStringList wanted;
    for (const QString& key : keys)
        wanted << withKeys(key);
    QCOMPARE(told(findings), wanted);
}

void ConnectionImportTest::brokenFilesAreRefused_data()
{
    QTest::addColumn<KeyReader>("reader");
    QTest::addColumn<QString>("text");
    const auto row = [](const char* name, KeyReader reader, const char* text) {
        QTest::newRow(name) << reader << QString::fromUtf8(text);
    };
    row("JSON cut off", &readCodex, "{\"OPENAI_API_KEY\": \"K1\"");
    row("a list", &readOpenCodeKeys, "[1, 2]");
    row("a text", &readLlm, "\"K1\"");
    QTest::newRow("nested beyond reason") << KeyReader(&readClaudeCode) << QString(100'000, QLatin1Char('['));
    row("YAML of one line", &readContinueYaml, "{models: [{provider: openai, apiKey: K1}]}");
    row("tabs in YAML", &readAider, "openai-api-key: K1\n\tx: 1\n");
    row("YAML that is none", &readGoose, "no pairs at all\n");
}

void ConnectionImportTest::brokenFilesAreRefused()
{
    QFETCH(KeyReader, reader);
    QFETCH(QString, text);
    Status status;
    const Findings findings = readWith(reader, withKeys(text), &status);
    QVERIFY(!status.ok());
    QVERIFY(!QString::fromStdString(status.error().message).contains(QStringLiteral("sk-key")));
    QVERIFY(findings.keys.empty());
}

void ConnectionImportTest::assignmentsAreFound_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("value");
    QTest::newRow("plain") << "A=b" << "A" << "b";
    QTest::newRow("exported") << "  export A=b" << "A" << "b";
    QTest::newRow("double quotes") << "A=\"b c\" # d" << "A" << "b c";
    QTest::newRow("single quotes") << "A='b c'" << "A" << "b c";
    QTest::newRow("comment") << "A=b # c" << "A" << "b";
    QTest::newRow("command behind") << "A=b; c" << "A" << "b";
    QTest::newRow("no end of quote") << "A=\"b" << "A" << "";
    QTest::newRow("equals inside") << "A=b=c" << "A" << "b=c";
    QTest::newRow("fish") << "set -gx A b" << "A" << "b";
    QTest::newRow("fish, two options") << "set -g -x A 'b c'" << "A" << "b c";
    QTest::newRow("Windows line end") << "A=b\r" << "A" << "b";
    QTest::newRow("comment line") << "# A=b" << "" << "";
    QTest::newRow("a test") << "[ \"$A\" = b ]" << "" << "";
    QTest::newRow("set alone") << "set -e" << "" << "";
}

void ConnectionImportTest::assignmentsAreFound()
{
    QFETCH(QString, line);
    QFETCH(QString, name);
    QFETCH(QString, value);
    const auto found = assignmentsIn(line.toStdString());
    QCOMPARE(found.size(), std::size_t(name.isEmpty() ? 0 : 1));
    if (name.isEmpty())
        return;
    QCOMPARE(QString::fromStdString(found.front().first), name);
    QCOMPARE(QString::fromStdString(found.front().second), value);
}

void ConnectionImportTest::aHomeFolderIsLookedThrough()
{
    const Surroundings here = surroundings();
    write(QStringLiteral(".codex/auth.json"), withKeys(R"({"OPENAI_API_KEY": "K1"})").toUtf8());
    write(QStringLiteral(".local/share/opencode/auth.json"), withKeys(R"({"openai": {"type": "api", "key": "K1"}})").toUtf8());
    write(QStringLiteral(".config/goose/secrets.yaml"), withKeys("GROQ_API_KEY: K2\n").toUtf8());
    write(QStringLiteral(".bashrc"), withKeys("export MISTRAL_API_KEY=K3\n").toUtf8());
    write(QStringLiteral(".continue/config.json"), "{");
    write(QStringLiteral(".profile"), "");
    const Findings findings = keysInFiles(here, *catalogue());
    QCOMPARE(told(findings), (QStringList{withKeys("groq K2"), withKeys("mistral K3"), withKeys("openai K1")}));
    const auto openai = std::find_if(findings.keys.begin(), findings.keys.end(), [](const FoundKey& one) { return one.provider.str() == "openai"; });
    QCOMPARE(openai->places, (std::vector<std::string>{"~/.codex/auth.json", "~/.local/share/opencode/auth.json"}));
    QCOMPARE(findings.refused.size(), std::size_t(1));
    QCOMPARE(findings.refused.front().place, std::string("~/.continue/config.json"));
    // Nothing there at all.
    const Findings none = keysInFiles(surroundings(), *catalogue());
    QVERIFY(none.keys.empty() && none.refused.empty());
}

void ConnectionImportTest::onlyOwnFilesAreRead_data()
{
    QTest::addColumn<QString>("how");
    QTest::addColumn<bool>("found");
    QTest::addColumn<QString>("reason");
    QTest::newRow("as it should be") << "plain" << true << "";
    QTest::newRow("a link inside") << "inside" << true << "";
    QTest::newRow("a link to elsewhere") << "outside" << false << "outside your home folder";
    QTest::newRow("a link to nothing") << "dangling" << false << "";
    QTest::newRow("another user's") << "other" << false << "another user";
    QTest::newRow("huge") << "huge" << false << "1 MiB";
    QTest::newRow("a folder") << "folder" << false << "no file";
    QTest::newRow("a pipe") << "pipe" << false << "no file";
    QTest::newRow("not to be read") << "forbidden" << false << "permissions";
    QTest::newRow("bytes") << "bytes" << false << "UTF-8";
    QTest::newRow("empty") << "empty" << false << "";
}

void ConnectionImportTest::onlyOwnFilesAreRead()
{
    QFETCH(QString, how);
    QFETCH(bool, found);
    QFETCH(QString, reason);
    Surroundings here = surroundings();
    const QByteArray content = withKeys("OPENAI_API_KEY=K1\n").toUtf8();
    const QString file = m_home->filePath(QStringLiteral(".env"));
    QTemporaryDir elsewhere;
    if (how == QLatin1String("inside") || how == QLatin1String("outside")) {
        write(QStringLiteral("dotfiles/env"), content);
        QFile::copy(m_home->filePath(QStringLiteral("dotfiles/env")), elsewhere.filePath(QStringLiteral("env")));
        QVERIFY(QFile::link(how == QLatin1String("inside") ? m_home->filePath(QStringLiteral("dotfiles/env")) : elsewhere.filePath(QStringLiteral("env")), file));
    } else if (how == QLatin1String("dangling")) {
        QVERIFY(QFile::link(elsewhere.filePath(QStringLiteral("gone")), file));
    } else if (how == QLatin1String("folder")) {
        QVERIFY(QDir().mkpath(file));
    } else if (how == QLatin1String("pipe")) {
        QCOMPARE(::mkfifo(file.toUtf8().constData(), 0600), 0);
    } else if (how == QLatin1String("huge")) {
        write(QStringLiteral(".env"), content + QByteArray(1 << 20, '#'));
    } else if (how == QLatin1String("bytes")) {
        write(QStringLiteral(".env"), content + "\xff\xfe");
    } else {
        write(QStringLiteral(".env"), how == QLatin1String("empty") ? QByteArray() : content);
    }
    if (how == QLatin1String("other"))
        ++here.owner;
    if (how == QLatin1String("forbidden")) {
        if (::geteuid() == 0)
            QSKIP("root may read everything");
        QCOMPARE(::chmod(file.toUtf8().constData(), 0), 0);
    }
    const Findings findings = keysInFiles(here, *catalogue());
    QCOMPARE(findings.keys.size(), std::size_t(found ? 1 : 0));
    QCOMPARE(findings.refused.size(), std::size_t(reason.isEmpty() ? 0 : 1));
    if (!reason.isEmpty())
        QVERIFY2(QString::fromStdString(findings.refused.front().reason).contains(reason), findings.refused.front().reason.c_str());
}

void ConnectionImportTest::nothingOfTheSecretIsInARefusal()
{
    const Surroundings here = surroundings();
    write(QStringLiteral(".aider.conf.yml"), withKeys("openai-api-key K1\n").toUtf8());
    write(QStringLiteral(".config/goose/secrets.yaml"), withKeys("GROQ_API_KEY: K2\nGROQ_API_KEY: K3\n").toUtf8());
    const Findings findings = keysInFiles(here, *catalogue());
    QCOMPARE(findings.refused.size(), std::size_t(2));
    for (const RefusedFile& refused : findings.refused)
        QVERIFY2(refused.reason.find("sk-key") == std::string::npos, refused.reason.c_str());
}

void ConnectionImportTest::theSameKeyIsTakenOnce()
{
    Surroundings here;
    here.environment["OPENAI_API_KEY"] = kKey;
    Findings findings = keysInEnvironment(here, *catalogue());
    KeyCollector more(*catalogue());
    more.at("~/.env");
    more.add("openai", kKey);
    more.add("groq", kKey);
    append(findings, more.take());
    QCOMPARE(findings.keys.size(), std::size_t(2));
    QCOMPARE(findings.keys.front().places, (std::vector<std::string>{"OPENAI_API_KEY", "~/.env"}));
}

OMNI_TEST(ConnectionImportTest)
#include "connection_import_test.moc"
