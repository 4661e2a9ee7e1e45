#include "base/private_file.h"
#include "control/validation.h"
#include "store/backup_shelf.h"
#include "ui/models/core_patterns.h"
#include "ui/models/display_text.h"
#include "ui/models/rule_text.h"
#include "ui/shell/core_texts.h"

#include "program/test_program.h"

#include <QCoreApplication>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QTranslator>

#include <algorithm>

using namespace omni;

namespace {

/// Answers for one pattern, as a language would.
class OnePattern final : public QTranslator {
public:
    OnePattern(const char* source, QString target) : m_source(source), m_target(std::move(target)) {}
    bool isEmpty() const override { return false; }
    QString translate(const char* context, const char* source, const char*, int) const override
    {
        return qstrcmp(context, "omni::core") == 0 && qstrcmp(source, m_source) == 0 ? m_target : QString();
    }

private:
    const char* m_source;
    QString m_target;
};

/// Has words for each text that is known to it, fixed or pattern.
class AnyPattern final : public QTranslator {
public:
    bool isEmpty() const override { return false; }
    QString translate(const char* context, const char* source, const char*, int) const override
    {
        if (qstrcmp(context, "omni::core") != 0)
            return {};
        const auto same = [source](const char* known) { return qstrcmp(known, source) == 0; };
        const auto among = [&same](const std::vector<const char*>& texts) { return std::any_of(texts.begin(), texts.end(), same); };
        const bool known = among(corePatterns()) || among(coreTexts()) || among(ruleTexts());
        return known ? QLatin1Char('[') + QString::fromUtf8(source) + QLatin1Char(']') : QString();
    }
};

}  // namespace

class CorePatternsTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyPatternStandsInTheCore_data();
    void everyPatternStandsInTheCore();
    void ruleTextsAreTheEngines_data();
    void ruleTextsAreTheEngines();
    void rulesAreTranslatedPartByPart_data();
    void rulesAreTranslatedPartByPart();
    void whatTheCoreSaysIsTranslated_data();
    void whatTheCoreSaysIsTranslated();
    void partsArePutBack();
    void partsAreTranslatedThemselves();
    void whatFitsNothingStays();
};

void CorePatternsTest::everyPatternStandsInTheCore_data()
{
    QTest::addColumn<QString>("pattern");
    for (const char* pattern : corePatterns())
        QTest::newRow(pattern) << QString::fromUtf8(pattern);
}

void CorePatternsTest::everyPatternStandsInTheCore()
{
    QFETCH(QString, pattern);
    static const QString sources = [] {
        QString all;
        QDirIterator files(QStringLiteral(OMNIROUTE_SOURCE_DIR "/core"), {QStringLiteral("*.cpp")}, QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            QFile file(files.next());
            if (file.open(QIODevice::ReadOnly))
                all += QString::fromUtf8(file.readAll()).replace(QStringLiteral("\\\""), QStringLiteral("\"")).simplified();
        }
        return all;
    }();
    // The core puts sentences together in its own ways; the words are what may drift.
    const QStringList words = pattern.split(QRegularExpression(QStringLiteral("[^A-Za-z]+")), Qt::SkipEmptyParts);
    for (const QString& word : words)
        QVERIFY2(sources.contains(word), qPrintable(QStringLiteral("the core no longer says: ") + word));
}

void CorePatternsTest::ruleTextsAreTheEngines_data()
{
    QTest::addColumn<QString>("text");
    for (const char* text : ruleTexts())
        QTest::newRow(text) << QString::fromUtf8(text);
}

void CorePatternsTest::ruleTextsAreTheEngines()
{
    QFETCH(QString, text);
    static const QString sources = [] {
        QString all;
        QDirIterator files(QStringLiteral(OMNIROUTE_SOURCE_DIR "/core/resilience"), {QStringLiteral("*.cpp")}, QDir::Files);
        while (files.hasNext()) {
            QFile file(files.next());
            if (file.open(QIODevice::ReadOnly))
                all += QString::fromUtf8(file.readAll());
        }
        return all;
    }();
    QVERIFY2(sources.contains(text), qPrintable(QStringLiteral("the engine no longer says: ") + text));
}

void CorePatternsTest::rulesAreTranslatedPartByPart_data()
{
    QTest::addColumn<QString>("rule");
    QTest::addColumn<QString>("text");
    const auto row = [](const char* rule, const char* text) {
        QTest::newRow(rule) << QString::fromUtf8(rule) << QString::fromUtf8(text);
    };
    row("HTTP 429: rate limit; step 2 of the ladder", "HTTP 429: [rate limit]; [step 2 of the ladder]");
    row("HTTP 429: rate limit; the upstream asked for 120 s", "HTTP 429: [rate limit]; [the upstream asked for 120 s]");
    row("the account is banned (the answer says “out of luck”); the account is banned until someone acts",
        "[[the account is banned] (the answer says “out of luck”)]; [[the account is banned] until someone acts]");
    row("the key was refused (HTTP 401: the key is refused); retry 1 of 3 in 5 min",
        "[the key was refused (HTTP 401: [the key is refused])]; [retry 1 of 3 in 5 min]");
    row("HTTP 403 restated (agentrouter-quota-misstatus); HTTP 429: rate limit",
        "[HTTP 403 restated (agentrouter-quota-misstatus)]; HTTP 429: [rate limit]");
    row("something of another version; server error", "something of another version; [server error]");
}

void CorePatternsTest::rulesAreTranslatedPartByPart()
{
    QFETCH(QString, rule);
    QFETCH(QString, text);
    AnyPattern language;
    QCoreApplication::installTranslator(&language);
    const QString told = ruleText(toUtf8(rule));
    QCoreApplication::removeTranslator(&language);
    QCOMPARE(told, text);
    QCOMPARE(ruleText(toUtf8(rule)), rule);
}

void CorePatternsTest::whatTheCoreSaysIsTranslated_data()
{
    QTest::addColumn<QString>("message");
    Configuration configuration;
    configuration.catalogue = ProviderCatalogue::load().valueOr(nullptr);
    Connection connection;
    connection.provider = ProviderId("groq");
    connection.name = "x";
    const auto add = [&](const char* name, const std::vector<FieldError>& errors) {
        QTest::newRow(name) << (errors.empty() ? QString() : toQString(errors.front().message));
    };
    add("no key", validateConnection(connection, false, configuration));
    connection.baseUrl = "ftp://host";
    add("scheme", validateConnection(connection, true, configuration));
    connection.baseUrl = "https://ho st/v1";
    add("host", validateConnection(connection, true, configuration));
    connection.baseUrl = "https://host/v1?api_key=1";
    add("credential", validateConnection(connection, true, configuration));
    connection.baseUrl.clear();
    connection.proxyUrl = "gopher://host:1";
    add("proxy scheme", validateConnection(connection, true, configuration));
    connection.proxyUrl = "http://host";
    add("proxy port", validateConnection(connection, true, configuration));
    connection.proxyUrl.clear();
    connection.provider = ProviderId("nobody");
    add("no provider", validateConnection(connection, true, configuration));
    ProviderNode node;
    node.name = "mine";
    node.prefix = "openai";
    node.baseUrl = "https://host/v1";
    add("prefix of a provider", validateNode(node, configuration));
    node.prefix = "mine";
    node.id = ProviderId("openai-compatible-1");
    configuration.nodes.push_back(node);
    node.id = ProviderId("openai-compatible-2");
    node.name = "other";
    add("prefix of an endpoint", validateNode(node, configuration));
    Combo combo;
    add("name of a combo", validateCombo(combo, configuration));
    combo.name = "coding";
    add("no target", validateCombo(combo, configuration));
    combo.targets = {{"1", ProviderId("groq"), "a", {}, {}}, {"2", ProviderId("groq"), "a", {}, {}}};
    add("target twice", validateCombo(combo, configuration));
    configuration.combos.push_back(combo);
    combo.id = ComboId("other");
    add("combo twice", validateCombo(combo, configuration));
    add("alias of a combo's name", validateAlias({"coding", "x"}, configuration));
    add("alias of itself", validateAlias({"x", "x"}, configuration));
    add("alias with a blank", validateAlias({"x y", "z"}, configuration));

    // Of backups, as the store words them.
    const QString folder = QDir::tempPath() + QStringLiteral("/no such folder");
    const Status moved = moveFile(toUtf8(folder + QStringLiteral("/a")), toUtf8(folder + QStringLiteral("/b")));
    QTest::newRow("a file that cannot be moved") << (moved ? QString() : toQString(moved.error().message));
    QTemporaryDir data;
    const BackupShelf shelf(toUtf8(data.filePath(QStringLiteral("storage.sqlite"))));
    const Status restored = shelf.prepareRestore("gone.sqlite");
    QTest::newRow("a backup that is gone") << (restored ? QString() : toQString(restored.error().message));
    QTest::newRow("a backup that cannot be laid ready")
        << QStringLiteral("The backup cannot be laid ready in /a/storage.restore.sqlite. Check the permissions of its folder.");
    QTest::newRow("what is laid ready cannot be deleted")
        << QStringLiteral("/a/storage.restore.sqlite cannot be deleted. Check the permissions of its folder.");
    QTest::newRow("no database")
        << QStringLiteral("The database /a/storage.sqlite is missing, and the backup that was to take its place cannot: The backup is damaged "
                          "(x). Nothing was changed. Put a database or a backup there under this name, or delete /a/storage.restore.sqlite to "
                          "begin with an empty one.");
}

void CorePatternsTest::whatTheCoreSaysIsTranslated()
{
    QFETCH(QString, message);
    QVERIFY(!message.isEmpty());
    AnyPattern language;
    QCoreApplication::installTranslator(&language);
    const QString text = coreText(toUtf8(message));
    QCoreApplication::removeTranslator(&language);
    QVERIFY2(text != message, qPrintable(message));
}

void CorePatternsTest::partsArePutBack()
{
    OnePattern language("The endpoint \"%1\" is used by %2. Remove these connections first.", QStringLiteral("%2 <- \"%1\"!"));
    QCoreApplication::installTranslator(&language);
    QCOMPARE(coreText("The endpoint \"a %2 b\" is used by \"x\", \"y\". Remove these connections first."), QStringLiteral("\"x\", \"y\" <- \"a %2 b\"!"));
    QCoreApplication::removeTranslator(&language);
}

void CorePatternsTest::partsAreTranslatedThemselves()
{
    OnePattern outer("The base URL cannot be used: %1", QStringLiteral("URL? %1"));
    OnePattern inner("The host name holds \"%1\", which no host name can.", QStringLiteral("host has %1"));
    QCoreApplication::installTranslator(&outer);
    QCoreApplication::installTranslator(&inner);
    QCOMPARE(coreText("The base URL cannot be used: The host name holds \"!\", which no host name can."), QStringLiteral("URL? host has !"));
    QCoreApplication::removeTranslator(&inner);
    QCoreApplication::removeTranslator(&outer);
}

void CorePatternsTest::whatFitsNothingStays()
{
    QCOMPARE(coreText("groq needs an API key."), QStringLiteral("groq needs an API key."));  // English has no translation to put in
    QCOMPARE(coreText("Something else entirely"), QStringLiteral("Something else entirely"));
    QCOMPARE(coreText(""), QString());
}

OMNI_TEST(CorePatternsTest)
#include "core_patterns_test.moc"
