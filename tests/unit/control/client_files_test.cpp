#include "control/client_setup/client_files.h"
#include "control/client_setup/clients.h"

#include "base/private_file.h"
#include "base/text.h"
#include "program/test_program.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

using namespace omni;
using namespace omni::client_setup;

namespace {

const WallTime kNow{Millis(1'790'000'000'000)};

/// A home of its own, with the program's data beside it.
struct Home {
    QTemporaryDir folder;
    Places places{folder.path().toStdString(), folder.path().toStdString() + "/.config"};
    ClientFiles files{folder.path().toStdString() + "/journal.json"};
    Target target{"http://127.0.0.1:20128", "local", false, "openai/gpt-5"};

    std::string path(const char* name) const { return places.home + "/" + name; }
    void write(const char* name, const std::string& content) const
    {
        QDir().mkpath(QFileInfo(QString::fromStdString(path(name))).absolutePath());
        QFile file(QString::fromStdString(path(name)));
        if (!file.open(QIODevice::WriteOnly) || file.write(content.c_str(), static_cast<qint64>(content.size())) < 0)
            qFatal("cannot write %s", name);
    }
    QString read(const char* name) const { return QString::fromStdString(readFile(path(name), 1 << 20).valueOr("(none)")); }
    QStringList backupsOf(const char* name) const
    {
        const QFileInfo info(QString::fromStdString(path(name)));
        return info.dir().entryList({info.fileName() + QStringLiteral(".before-omniroute-*")}, QDir::Files | QDir::Hidden);
    }
    Status setUp(const char* client) const
    {
        const auto planned = ClientFiles::plan(editsFor(*findClient(client), target, places));
        return planned ? files.apply(client, *planned, kNow) : Status(planned.error());
    }
    Standing standing(const char* client) const { return standingOf(*findClient(client), target, places); }
};

QString messageOf(const Status& status)
{
    return status ? QStringLiteral("done") : QString::fromStdString(status.error().message);
}

}  // namespace

class ClientFilesTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyClientIsSetUpAndTakenBack_data();
    void everyClientIsSetUpAndTakenBack();
    void existingSettingsComeBackByteForByte();
    void modeAndLinkStay();
    void brokenFileIsRefused();
    void aChangeMeanwhileIsNotOverwritten();
    void undoRefusesWhatWasChangedSince();
    void oneRefusalLeavesAllFiles();
    void theNewestChangeIsTakenBackFirst();
    void standingTellsWhereItLeads();
    void noKeyIsLeftBehind();
    void snippetsHoldTheAddress();
    void codexGetsItsKeyAsAHeader();
    void onlyServedClientsCanBeSetUp();
};

void ClientFilesTest::everyClientIsSetUpAndTakenBack_data()
{
    QTest::addColumn<QString>("file");
    QTest::newRow("claude-code") << ".claude/settings.json";
    QTest::newRow("codex") << ".codex/config.toml";
    QTest::newRow("cline") << ".cline/data/globalState.json";
    QTest::newRow("continue") << ".continue/config.yaml";
    QTest::newRow("aider") << ".aider.conf.yml";
    QTest::newRow("opencode") << ".config/opencode/opencode.json";
}

void ClientFilesTest::everyClientIsSetUpAndTakenBack()
{
    QFETCH(QString, file);
    const char* client = QTest::currentDataTag();
    const Home home;
    const QByteArray name = file.toUtf8();
    QVERIFY(home.standing(client).kind == Standing::Kind::NotSetUp);
    QCOMPARE(messageOf(home.setUp(client)), QStringLiteral("done"));
    QVERIFY2(home.read(name).contains(QStringLiteral("http://127.0.0.1:20128")), qPrintable(home.read(name)));
    QVERIFY(home.read(name).contains(QStringLiteral("openai/gpt-5")));
    QVERIFY(home.standing(client).kind == Standing::Kind::Here);
    // It holds a key.
    QCOMPARE(QFile::permissions(QString::fromStdString(home.path(name))) & (QFile::ReadGroup | QFile::ReadOther), QFile::Permissions());
    // Again changes nothing and leaves nothing more to take back.
    QCOMPARE(messageOf(home.setUp(client)), QStringLiteral("done"));
    QVERIFY(home.backupsOf(name).isEmpty());
    QVERIFY(home.files.lastChange(client).has_value());
    QCOMPARE(messageOf(home.files.undo(client)), QStringLiteral("done"));
    QVERIFY(!QFileInfo::exists(QString::fromStdString(home.path(name))));
    QVERIFY(!home.files.lastChange(client).has_value());
    QVERIFY(home.standing(client).kind == Standing::Kind::NotSetUp);
}

void ClientFilesTest::existingSettingsComeBackByteForByte()
{
    const Home home;
    const std::string before =
        "\xEF\xBB\xBF{\r\n\t\"theme\": \"dark\", // mine\r\n\t\"env\": {\"ANTHROPIC_BASE_URL\": \"https://else.where\"}\r\n}";
    home.write(".claude/settings.json", before);
    QVERIFY(home.standing("claude-code").kind == Standing::Kind::Elsewhere);
    QCOMPARE(home.standing("claude-code").detail, std::string("https://else.where"));
    QCOMPARE(messageOf(home.setUp("claude-code")), QStringLiteral("done"));
    QVERIFY(home.standing("claude-code").kind == Standing::Kind::Here);
    QCOMPARE(home.backupsOf(".claude/settings.json").size(), 1);
    QCOMPARE(messageOf(home.files.undo("claude-code")), QStringLiteral("done"));
    QCOMPARE(home.read(".claude/settings.json"), QString::fromStdString(before));
    QVERIFY(home.backupsOf(".claude/settings.json").isEmpty());
}

void ClientFilesTest::modeAndLinkStay()
{
    const Home home;
    home.write("dotfiles/aider.yml", "dark-mode: true\n");
    const QString real = QString::fromStdString(home.path("dotfiles/aider.yml"));
    const QString link = QString::fromStdString(home.path(".aider.conf.yml"));
    QVERIFY(QFile::link(real, link));
    QVERIFY(QFile::setPermissions(real, QFile::ReadOwner | QFile::WriteOwner | QFile::ReadGroup));
    const auto mode = QFile::permissions(real);
    QCOMPARE(messageOf(home.setUp("aider")), QStringLiteral("done"));
    QVERIFY(QFileInfo(link).isSymLink());
    QVERIFY(home.read("dotfiles/aider.yml").contains(QStringLiteral("20128")));
    QCOMPARE(QFile::permissions(real), mode);
    // The copy lies beside the file itself, and is as private.
    const QStringList backups = home.backupsOf("dotfiles/aider.yml");
    QCOMPARE(backups.size(), 1);
    QCOMPARE(QFile::permissions(QFileInfo(real).dir().filePath(backups.first())), mode);
    QCOMPARE(messageOf(home.files.undo("aider")), QStringLiteral("done"));
    QVERIFY(QFileInfo(link).isSymLink());
    QCOMPARE(home.read("dotfiles/aider.yml"), QStringLiteral("dark-mode: true\n"));
}

void ClientFilesTest::brokenFileIsRefused()
{
    const Home home;
    home.write(".claude/settings.json", "{\n  \"a\": 1\n");
    const QString message = messageOf(home.setUp("claude-code"));
    QVERIFY2(message.contains(QStringLiteral(".claude/settings.json: Line 3: a comma or } is missing")), qPrintable(message));
    QVERIFY2(message.contains(QStringLiteral("mend the file")), qPrintable(message));
    QCOMPARE(home.read(".claude/settings.json"), QStringLiteral("{\n  \"a\": 1\n"));
    QVERIFY(home.standing("claude-code").kind == Standing::Kind::Unreadable);
    QVERIFY(QDir().mkpath(QString::fromStdString(home.path(".codex/config.toml"))));
    QVERIFY(messageOf(home.setUp("codex")).contains(QStringLiteral("This is no file.")));
}

void ClientFilesTest::aChangeMeanwhileIsNotOverwritten()
{
    const Home home;
    home.write(".aider.conf.yml", "a: 1\n");
    const auto planned = ClientFiles::plan(editsFor(*findClient("aider"), home.target, home.places));
    QVERIFY(planned.ok());
    home.write(".aider.conf.yml", "a: 2\n");
    const Status status = home.files.apply("aider", *planned, kNow);
    QVERIFY(!status.ok() && status.error().kind == ErrorKind::Conflict);
    QCOMPARE(home.read(".aider.conf.yml"), QStringLiteral("a: 2\n"));
    QVERIFY(home.backupsOf(".aider.conf.yml").isEmpty());
}

void ClientFilesTest::undoRefusesWhatWasChangedSince()
{
    const Home home;
    home.write(".aider.conf.yml", "a: 1\n");
    QVERIFY(home.setUp("aider").ok());
    home.write(".aider.conf.yml", home.read(".aider.conf.yml").toStdString() + "b: 2\n");
    const QString changed = home.read(".aider.conf.yml");
    const Status status = home.files.undo("aider");
    QVERIFY(!status.ok() && status.error().kind == ErrorKind::Conflict);
    // It says where the old text is.
    const QStringList backups = home.backupsOf(".aider.conf.yml");
    QCOMPARE(backups.size(), 1);
    QVERIFY(messageOf(status).contains(backups.first()));
    QCOMPARE(home.read(".aider.conf.yml"), changed);
}

void ClientFilesTest::oneRefusalLeavesAllFiles()
{
    const Home home;
    home.write(".cline/data/globalState.json", "{\"x\":1}");
    home.write(".cline/data/secrets.json", "{broken");
    QVERIFY(!home.setUp("cline").ok());
    QCOMPARE(home.read(".cline/data/globalState.json"), QStringLiteral("{\"x\":1}"));
    home.write(".cline/data/secrets.json", "{\"other\":\"secret\"}");
    QVERIFY(home.setUp("cline").ok());
    QVERIFY(home.read(".cline/data/secrets.json").contains(QStringLiteral("\"other\":\"secret\"")));
    // Taken back as one: when one of the two cannot be, neither is.
    home.write(".cline/data/secrets.json", "{}");
    QVERIFY(!home.files.undo("cline").ok());
    QVERIFY(home.read(".cline/data/globalState.json").contains(QStringLiteral("20128")));
}

void ClientFilesTest::theNewestChangeIsTakenBackFirst()
{
    Home home;
    home.write(".aider.conf.yml", "a: 1\n");
    QVERIFY(home.setUp("aider").ok());
    const QString first = home.read(".aider.conf.yml");
    home.target.model = "groq/llama";
    QVERIFY(home.setUp("aider").ok());
    QVERIFY(home.read(".aider.conf.yml") != first);
    QVERIFY(home.files.undo("aider").ok());
    QCOMPARE(home.read(".aider.conf.yml"), first);
    QVERIFY(home.files.undo("aider").ok());
    QCOMPARE(home.read(".aider.conf.yml"), QStringLiteral("a: 1\n"));
    QVERIFY(!home.files.undo("aider").ok());
}

void ClientFilesTest::standingTellsWhereItLeads()
{
    Home home;
    home.write(".codex/config.toml", "model_provider = \"mine\"\n[model_providers.mine]\nbase_url = \"http://localhost:20128/v1/\"\n");
    QVERIFY(home.standing("codex").kind == Standing::Kind::Here);
    home.target.root = "http://127.0.0.1:20129";
    QVERIFY(home.standing("codex").kind == Standing::Kind::Elsewhere);
    home.write(".cline/data/globalState.json", "{\"actModeApiProvider\":\"anthropic\",\"openAiBaseUrl\":\"http://127.0.0.1:20129/v1\"}");
    QVERIFY(home.standing("cline").kind == Standing::Kind::NotSetUp);
    home.write("project/.env", "OPENAI_BASE_URL=http://127.0.0.1:20129/v1\n");
    const Client& sdk = *findClient("openai-sdk");
    QVERIFY(standingOf(sdk, home.target, home.places).kind == Standing::Kind::NotSetUp);
    QVERIFY(standingOf(sdk, home.target, home.places, home.path("project")).kind == Standing::Kind::Here);
}

void ClientFilesTest::noKeyIsLeftBehind()
{
    Home home;
    home.target.key = "sk-omni-0123456789";
    home.target.keyNeeded = true;
    QVERIFY(home.setUp("claude-code").ok());
    QVERIFY(home.read(".claude/settings.json").contains(QStringLiteral("sk-omni-0123456789")));
    QVERIFY(!home.read("journal.json").contains(QStringLiteral("sk-omni")));
    QVERIFY(home.files.undo("claude-code").ok());
    for (const QString& file : QDir(home.folder.path() + QStringLiteral("/.claude")).entryList(QDir::Files | QDir::Hidden))
        QFAIL(qPrintable(file));
}

void ClientFilesTest::snippetsHoldTheAddress()
{
    const Home home;
    for (const Client& client : clients()) {
        const std::vector<Snippet> snippets = snippetsFor(client, home.target, home.places);
        QCOMPARE(snippets.empty(), !client.settable());
        bool address = false;
        for (const Snippet& snippet : snippets) {
            address = address || snippet.text.find("http://127.0.0.1:20128") != std::string::npos;
            QVERIFY2(snippet.place.find(home.places.home) == std::string::npos, snippet.place.c_str());
        }
        QCOMPARE(address, client.settable());
    }
    Target odd = home.target;
    odd.key = "it's $HOME";
    QCOMPARE(snippetsFor(*findClient("anthropic-sdk"), odd, home.places).front().text,
             std::string("export ANTHROPIC_BASE_URL=http://127.0.0.1:20128\nexport ANTHROPIC_API_KEY='it'\\''s $HOME'\n"));
}

void ClientFilesTest::codexGetsItsKeyAsAHeader()
{
    Home home;
    home.write(".codex/config.toml", "[model_providers.omniroute]\nenv_key = \"OTHER\"\n");
    home.target.key = "sk-omni-1";
    home.target.keyNeeded = true;
    QVERIFY(home.setUp("codex").ok());
    QVERIFY(home.read(".codex/config.toml").contains(QStringLiteral("http_headers = { \"x-api-key\" = \"sk-omni-1\" }\n")));
    QVERIFY(!home.read(".codex/config.toml").contains(QStringLiteral("env_key")));
    home.target.keyNeeded = false;
    QVERIFY(home.setUp("codex").ok());
    QVERIFY(!home.read(".codex/config.toml").contains(QStringLiteral("http_headers")));
}

void ClientFilesTest::onlyServedClientsCanBeSetUp()
{
    const Home home;
    const Client& gemini = *findClient("gemini-cli");
    QVERIFY(!gemini.settable());
    QVERIFY(editsFor(gemini, home.target, home.places).empty());
    QVERIFY(findClient("no-such-client") == nullptr);
}

OMNI_TEST(ClientFilesTest)
#include "client_files_test.moc"
