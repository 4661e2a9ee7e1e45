#include "resilience/quota_family.h"

#include "model/provider.h"
#include "program/test_program.h"
#include "resilience/per_model_quota.h"
#include "unit/resilience/resilience_fixture.h"

#include <QTest>

using namespace omni;

class QuotaFamilyTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void families_data()
    {
        QTest::addColumn<QString>("provider");
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("family");
        const auto row = [](const char* name, const char* provider, const char* model, const char* family) {
            QTest::newRow(name) << provider << model << family;
        };
        // spec 1-core §2.3
        row("codex-spark", "codex", "gpt-5.3-codex-spark", "spark");
        row("spark alone", "codex", "Spark", "spark");
        row("bengalfox", "codex", "codex-bengalfox-2", "spark");
        row("codex", "codex", "gpt-5.3-codex", "codex");
        row("gpt-5", "codex", "gpt-5.6-luna", "codex");
        row("anything else of codex", "codex", "o9-mini", "codex");
        row("codex in upper case", "CODEX", "GPT-5.3-CODEX-SPARK", "spark");
        row("codex by its alias", "cx", "gpt-5.6-luna", "codex");
        row("gemini", "antigravity", "gemini-2.5-pro", "family:gemini");
        row("gemini in upper case", "antigravity", "Gemini-2.5-Pro", "family:gemini");
        row("gemini with its provider", "antigravity", "antigravity/gemini-3", "family:gemini");
        row("gemini below a path", "agy", "agy/models/gemini-3", "family:gemini");
        row("gemini by the alias", "ag", "gemini-3", "family:gemini");
        row("claude", "antigravity", "claude-opus-4", "family:claude");
        row("cloud", "agy", "cloud-sonnet", "family:claude");
        row("claude below a path", "antigravity", "agy/vendor/claude-opus-4", "family:claude");
        row("claude below two", "antigravity", "a/b/claude-opus-4", "family:claude");
        row("anthropic", "antigravity", "my-anthropic-model", "family:claude");
        row("claude not at the beginning", "antigravity", "not-claude-really", "not-claude-really");
        row("neither", "antigravity", "gpt-oss-120b", "gpt-oss-120b");
        row("neither keeps its prefix", "antigravity", "antigravity/gpt-oss", "antigravity/gpt-oss");
        row("another provider", "openai", "gpt-5.6-luna", "gpt-5.6-luna");
        row("another provider, as given", "openrouter", " Google/Gemini-3 ", " Google/Gemini-3 ");
        row("gemini itself has none", "gemini", "gemini-2.5-pro", "gemini-2.5-pro");
        row("empty", "openai", "", "");
        row("empty of antigravity", "antigravity", "", "");
        row("only a slash", "antigravity", "/", "/");
        row("unicode", "antigravity", "মডেল-৫", "মডেল-৫");
    }

    void families()
    {
        QFETCH(QString, provider);
        QFETCH(QString, model);
        QFETCH(QString, family);
        const std::string id = provider.toStdString();
        const std::string name = model.toStdString();
        const std::string_view found = quotaFamilyOf(id, name);
        QCOMPARE(text(found), family.toUtf8());
        // The name of a family stands for itself, so that a lock can be cleared by what a list shows.
        QCOMPARE(text(quotaFamilyOf(id, std::string(found))), family.toUtf8());
    }

    void scopes_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("reason");
        QTest::addColumn<QByteArray>("scope");
        const auto row = [](int status, const char* reason, const char* scope) {
            QTest::addRow("%d %s", status, reason) << status << QByteArray(reason) << QByteArray(scope);
        };
        // guide §3, spec 1-core §6.1
        row(429, "rate_limit_exceeded", "family");
        row(429, "quota_exhausted", "family");
        row(403, "forbidden", "family");
        row(402, "credits", "family");
        row(404, "unknown", "not_found");
        row(400, "not_found", "not_found");
        row(403, "not_found", "not_found");
        row(500, "server_error", "exact");
        row(502, "server_error", "exact");
        row(503, "quota_exhausted", "exact");
        row(529, "overloaded", "exact");
        row(410, "unknown", "exact");
        row(0, "transport", "exact");
    }

    void scopes()
    {
        QFETCH(int, status);
        QFETCH(QByteArray, reason);
        QFETCH(QByteArray, scope);
        QCOMPARE(named(lockoutScopeFor(status, failureReasonFromString(reason.toStdString()))), scope);
    }

    void aliasesAreThoseOfTheCatalogue()
    {
        const auto catalogue = ProviderCatalogue::load();
        QVERIFY(catalogue.ok());
        for (const Provider& provider : catalogue.value()->all()) {
            QCOMPARE(text(canonicalProviderId(provider.id.str())), text(provider.id.str()));
            if (!provider.alias.empty())
                QCOMPARE(text(canonicalProviderId(provider.alias)), text(provider.id.str()));
        }
        QCOMPARE(text(canonicalProviderId("CX")), QByteArray("codex"));
        QCOMPARE(text(canonicalProviderId("gh")), QByteArray("github"));
        QCOMPARE(text(canonicalProviderId("someone")), QByteArray("someone"));
        QCOMPARE(text(canonicalProviderId("")), QByteArray());
    }

    void perModelQuota_data()
    {
        QTest::addColumn<QString>("provider");
        QTest::addColumn<int>("category");
        QTest::addColumn<int>("override");  ///< -1 = none
        QTest::addColumn<bool>("expected");
        const auto row = [](const char* name, const char* provider, ProviderCategory category, int override, bool expected) {
            QTest::newRow(name) << provider << int(category) << override << expected;
        };
        row("137 claude", "claude", ProviderCategory::Hosted, -1, false);
        row("137 codex", "codex", ProviderCategory::Hosted, -1, true);
        row("137 gemini", "gemini", ProviderCategory::Hosted, -1, true);
        row("137 openai-compatible-x", "openai-compatible-x", ProviderCategory::Compatible, -1, true);
        row("137 openai", "openai", ProviderCategory::Hosted, -1, false);
        row("137 openai with override true", "openai", ProviderCategory::Hosted, 1, true);
        row("codex with override false", "codex", ProviderCategory::Hosted, 0, false);
    }

    void perModelQuota()
    {
        QFETCH(QString, provider);
        QFETCH(int, category);
        QFETCH(int, override);
        QFETCH(bool, expected);
        Provider entry;
        entry.id = ProviderId(provider.toStdString());
        entry.category = static_cast<ProviderCategory>(category);
        Connection connection;
        if (override >= 0)
            connection.passthroughModels = override == 1;
        QCOMPARE(hasPerModelQuota(entry, connection), expected);
    }
};

OMNI_TEST(QuotaFamilyTest)
#include "quota_family_test.moc"
