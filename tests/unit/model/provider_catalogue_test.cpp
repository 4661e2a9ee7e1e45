#include "base/result.h"  // before <compare>, which moc of Qt 6.4 cannot read as the first header
#include "model/provider.h"
#include "model/url.h"

#include "program/test_program.h"

#include <QTest>

#include <set>

using namespace omni;

namespace {

std::shared_ptr<const ProviderCatalogue> builtIn()
{
    const auto loaded = ProviderCatalogue::load("http://127.0.0.1:5555/v1/", {{"ok", "", 0, 0}});
    if (!loaded)
        qWarning("%s", describe(loaded.error()).c_str());
    return loaded ? *loaded : nullptr;
}

/// A sound entry with `change` put in place of its "name".
std::string document(const std::string& change)
{
    return R"({"providers":[{"id":"one","category":"hosted","auth":"bearer","baseUrl":"https://one.example/v1",)"
           R"("paths":{"chat":"/chat/completions"},)"
           + change + "}]}";
}

}  // namespace

class ProviderCatalogueTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyEntryIsUsable_data();
    void everyEntryIsUsable();
    void hostedAndLocalOfTheSpecificationAreThere_data();
    void hostedAndLocalOfTheSpecificationAreThere();
    void sandbox();
    void find();
    void reads();
    void faultsNameFileAndField_data();
    void faultsNameFileAndField();
    void everyFaultIsTold();
    void namesAreUnique();
};

void ProviderCatalogueTest::everyEntryIsUsable_data()
{
    QTest::addColumn<QString>("id");
    const auto catalogue = builtIn();
    QVERIFY(catalogue);
    for (const Provider& provider : catalogue->all())
        QTest::newRow(provider.id.str().c_str()) << QString::fromStdString(provider.id.str());
}

void ProviderCatalogueTest::everyEntryIsUsable()
{
    QFETCH(QString, id);
    const auto catalogue = builtIn();
    const Provider* provider = catalogue->find(id.toStdString());
    QVERIFY(provider);
    QVERIFY(!provider->name.empty());
    QVERIFY(!provider->paths.empty());
    const Result<Url> base = parseUrl(provider->baseUrl);
    QVERIFY2(base.ok(), provider->baseUrl.c_str());
    const bool local = provider->category == ProviderCategory::Local || provider->category == ProviderCategory::Sandbox;
    QCOMPARE(isLocalBaseUrl(provider->baseUrl), local);
    QCOMPARE(provider->keyOptional, local);
    if (provider->category == ProviderCategory::Hosted) {
        QCOMPARE(base->scheme, std::string("https"));
        QVERIFY(!provider->models.empty());
    }
    if (provider->category != ProviderCategory::Sandbox)
        QVERIFY2(parseUrl(provider->website).ok(), provider->website.c_str());
    for (const auto& [operation, path] : provider->paths)
        QVERIFY2(parseUrl(provider->baseUrl + path).ok(), path.c_str());
    if (!provider->modelsPath.empty()) {
        const bool own = provider->modelsPath.front() != '/';
        QVERIFY2(parseUrl(own ? provider->modelsPath : provider->baseUrl + provider->modelsPath).ok(), provider->modelsPath.c_str());
    }
    // A provider that speaks one format only has a path of that format first.
    if (!provider->offers(Operation::ChatCompletions))
        QVERIFY(provider->dialect() == Dialect::Anthropic);
}

void ProviderCatalogueTest::hostedAndLocalOfTheSpecificationAreThere_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<int>("operation");
    QTest::addColumn<int>("auth");
    const auto row = [](const char* name, const char* url, Operation operation = Operation::ChatCompletions,
                        AuthHeader auth = AuthHeader::Bearer) {
        QTest::newRow(name) << QString::fromUtf8(url) << static_cast<int>(operation) << static_cast<int>(auth);
    };
    row("openai", "https://api.openai.com/v1/chat/completions");
    row("anthropic", "https://api.anthropic.com/v1/messages", Operation::Messages, AuthHeader::XApiKey);
    row("gemini", "https://generativelanguage.googleapis.com/v1beta/openai/chat/completions");
    row("glm", "https://api.z.ai/api/coding/paas/v4/chat/completions");
    row("glm-cn", "https://open.bigmodel.cn/api/coding/paas/v4/chat/completions");
    row("glmt", "https://api.z.ai/api/anthropic/v1/messages", Operation::Messages, AuthHeader::XApiKey);
    row("zai", "https://api.z.ai/api/paas/v4/chat/completions");
    row("minimax", "https://api.minimax.io/anthropic/v1/messages", Operation::Messages, AuthHeader::XApiKey);
    row("minimax-cn", "https://api.minimaxi.com/anthropic/v1/messages", Operation::Messages, AuthHeader::XApiKey);
    row("kimi", "https://api.moonshot.ai/v1/chat/completions");
    row("moonshot", "https://api.moonshot.ai/v1/chat/completions");
    row("kmc", "https://api.kimi.com/coding/v1/messages", Operation::Messages, AuthHeader::XApiKey);
    row("ds", "https://api.deepseek.com/v1/chat/completions");
    row("groq", "https://api.groq.com/openai/v1/chat/completions");
    row("cerebras", "https://api.cerebras.ai/v1/chat/completions");
    row("mistral", "https://api.mistral.ai/v1/chat/completions");
    row("openrouter", "https://openrouter.ai/api/v1/chat/completions");
    row("together", "https://api.together.xyz/v1/chat/completions");
    row("fireworks", "https://api.fireworks.ai/inference/v1/chat/completions");
    row("nvidia", "https://integrate.api.nvidia.com/v1/chat/completions");
    row("xai", "https://api.x.ai/v1/chat/completions");
    row("siliconflow", "https://api.siliconflow.com/v1/chat/completions");
    row("pplx", "https://api.perplexity.ai/chat/completions");
    row("nebius", "https://api.tokenfactory.nebius.com/v1/chat/completions");
    row("ollama-cloud", "https://ollama.com/v1/chat/completions");
    row("agentrouter", "https://agentrouter.org/v1/messages", Operation::Messages, AuthHeader::XApiKey);
    row("opencode", "https://opencode.ai/zen/v1/chat/completions");
    row("opencode-go", "https://opencode.ai/zen/go/v1/chat/completions");
    row("zenmux", "https://zenmux.ai/api/v1/chat/completions");
    row("ollama", "http://localhost:11434/v1/chat/completions");
    row("lmstudio", "http://localhost:1234/v1/chat/completions");
    row("vllm", "http://localhost:8000/v1/chat/completions");
    row("llamacpp", "http://127.0.0.1:8080/v1/chat/completions");
    row("llamafile", "http://127.0.0.1:8080/v1/chat/completions");
    row("dmr", "http://localhost:12434/v1/chat/completions");
    row("lemonade", "http://localhost:13305/api/v1/chat/completions");
    row("ooba", "http://localhost:5000/v1/chat/completions");
    row("triton", "http://localhost:8000/v1/chat/completions");
    row("xinference", "http://localhost:9997/v1/chat/completions");
}

void ProviderCatalogueTest::hostedAndLocalOfTheSpecificationAreThere()
{
    QFETCH(QString, url);
    QFETCH(int, operation);
    QFETCH(int, auth);
    const auto catalogue = builtIn();
    const Provider* provider = catalogue->find(QTest::currentDataTag());
    QVERIFY(provider);
    QVERIFY(provider->offers(static_cast<Operation>(operation)));
    QCOMPARE(QString::fromStdString(provider->baseUrl + provider->paths.at(static_cast<Operation>(operation))), url);
    QCOMPARE(static_cast<int>(provider->auth), auth);
}

void ProviderCatalogueTest::sandbox()
{
    const auto with = builtIn();
    const Provider* sandbox = with->find("sandbox");
    QVERIFY(sandbox);
    QVERIFY(sandbox->category == ProviderCategory::Sandbox);
    QCOMPARE(sandbox->baseUrl, std::string("http://127.0.0.1:5555/v1"));
    QCOMPARE(sandbox->models.size(), std::size_t{1});
    QCOMPARE(sandbox->paths.size(), kOperationCount);

    const auto without = ProviderCatalogue::load();
    QVERIFY(without.ok());
    QVERIFY(!(*without)->find("sandbox"));
    QCOMPARE((*without)->all().size() + 1, with->all().size());
}

void ProviderCatalogueTest::find()
{
    const auto catalogue = builtIn();
    QVERIFY(catalogue->find("OpenAI"));
    QCOMPARE(catalogue->find("DS"), catalogue->find("deepseek"));
    QVERIFY(!catalogue->find("open"));
    QVERIFY(!catalogue->find(""));
    QVERIFY(!catalogue->find("openai "));
}

void ProviderCatalogueTest::reads()
{
    const auto catalogue = ProviderCatalogue::fromJson(
        {document(R"("name":"One","alias":"o","note":"n","website":"https://one.example","keyOptional":true,"passthroughModels":true,)"
                  R"("modelsPath":"/models","headers":{"x-version":"2"},)"
                  R"("models":[{"id":"a","name":"A","contextLength":10,"maxOutputTokens":5},{"id":"b"}])")});
    QVERIFY2(catalogue.ok(), catalogue.ok() ? "" : describe(catalogue.error()).c_str());
    const Provider& one = (*catalogue)->all().at(0);
    QCOMPARE(one.id.str(), std::string("one"));
    QCOMPARE(one.alias, std::string("o"));
    QCOMPARE(one.name, std::string("One"));
    QVERIFY(one.keyOptional && one.passthroughModels);
    QCOMPARE(one.modelsPath, std::string("/models"));
    QCOMPARE(one.headers, (std::vector<std::pair<std::string, std::string>>{{"x-version", "2"}}));
    QCOMPARE(one.models.size(), std::size_t{2});
    QCOMPARE(one.models[0].name, std::string("A"));
    QCOMPARE(one.models[0].contextLength, 10);
    QCOMPARE(one.models[0].maxOutputTokens, 5);
    QCOMPARE(one.models[1].contextLength, 0);
    QVERIFY(one.offers(Operation::ChatCompletions) && !one.offers(Operation::Messages));
}

void ProviderCatalogueTest::faultsNameFileAndField_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QByteArray>("field");
    const auto raw = [](const char* tag, const std::string& json, const char* field) {
        QTest::newRow(tag) << QByteArray::fromStdString(json) << QByteArray(field);
    };
    const auto row = [&](const char* tag, const char* change, const char* field) {
        raw(tag, document(std::string(R"("name":"One",)") + change), field);
    };
    raw("no JSON", "{", "some.json");
    raw("no object", "[]", "some.json");
    raw("no list", "{}", "some.json: providers");
    raw("list of another type", R"({"providers":{}})", "some.json: providers");
    raw("unknown document key", R"({"providers":[],"version":1})", "some.json: version");
    raw("entry of another type", R"({"providers":[3]})", "some.json: providers[0]");
    raw("no name", document(R"("note":"x")"), "some.json: providers[0](one).name");
    raw("no id", R"({"providers":[{"name":"x","category":"hosted","auth":"bearer","baseUrl":"https://a","paths":{"chat":"/c"}}]})",
        "some.json: providers[0].id");
    row("unknown key", R"("color":"red")", "some.json: providers[0](one).color");
    row("category", R"("category":"cloud")", "some.json: providers[0](one).category");
    row("auth", R"("auth":"basic")", "some.json: providers[0](one).auth");
    row("flag", R"("keyOptional":1)", "some.json: providers[0](one).keyOptional");
    row("plain http", R"("baseUrl":"http://one.example")", "some.json: providers[0](one).baseUrl");
    row("slash", R"("baseUrl":"https://one.example/")", "some.json: providers[0](one).baseUrl");
    row("no url", R"("baseUrl":"one.example")", "some.json: providers[0](one).baseUrl");
    row("credentials", R"("baseUrl":"https://a:b@one.example")", "some.json: providers[0](one).baseUrl");
    row("no paths", R"("paths":{})", "some.json: providers[0](one).paths");
    row("unknown operation", R"("paths":{"speech":"/x"})", "some.json: providers[0](one).paths.speech");
    row("path without slash", R"("paths":{"chat":"x"})", "some.json: providers[0](one).paths.chat");
    row("models path", R"("modelsPath":"models")", "some.json: providers[0](one).modelsPath");
    row("header value", R"("headers":{"x":1})", "some.json: providers[0](one).headers.x");
    row("header name", R"("headers":{"X Y":"1"})", "some.json: providers[0](one).headers.X Y");
    row("models type", R"("models":{})", "some.json: providers[0](one).models");
    row("model without id", R"("models":[{"name":"x"}])", "some.json: providers[0](one).models[0].id");
    row("model key", R"("models":[{"id":"x","vision":true}])", "some.json: providers[0](one).models[0].vision");
    row("model length", R"("models":[{"id":"x","contextLength":-1}])", "some.json: providers[0](one).models[0].contextLength");
    row("model twice", R"("models":[{"id":"x"},{"id":"x"}])", "some.json: providers[0](one).models[1].id");
    row("alias with capital", R"("alias":"One")", "some.json: providers[0](one).alias");
    row("sandbox with address", R"("category":"sandbox")", "some.json: providers[0](one).baseUrl");
}

void ProviderCatalogueTest::faultsNameFileAndField()
{
    QFETCH(QByteArray, json);
    QFETCH(QByteArray, field);
    const auto catalogue = ProviderCatalogue::fromDocuments({{"some.json", json.toStdString()}});
    QVERIFY(!catalogue.ok());
    QVERIFY(catalogue.error().kind == ErrorKind::InvalidArgument);
    QVERIFY(!catalogue.error().details.empty());
    QCOMPARE(catalogue.error().details.front().field, field.toStdString());
}

void ProviderCatalogueTest::everyFaultIsTold()
{
    const auto catalogue = ProviderCatalogue::fromJson({document(R"("name":"","color":1)"), "[]"});
    QVERIFY(!catalogue.ok());
    QCOMPARE(catalogue.error().details.size(), std::size_t{3});
    QCOMPARE(catalogue.error().details.back().field, std::string("document 2"));
}

void ProviderCatalogueTest::namesAreUnique()
{
    QVERIFY(!ProviderCatalogue::fromJson({document(R"("name":"One")"), document(R"("name":"Two")")}).ok());
    QVERIFY(!ProviderCatalogue::fromJson({document(R"("name":"One","alias":"one")")}).ok());
}

OMNI_TEST(ProviderCatalogueTest)
#include "provider_catalogue_test.moc"
