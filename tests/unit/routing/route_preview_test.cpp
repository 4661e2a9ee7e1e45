#include "program/test_program.h"
#include "routing/router.h"
#include "routing/target_check.h"
#include "unit/resilience/resilience_fixture.h"

#include <QTest>

using namespace omni;

namespace {

std::shared_ptr<const ProviderCatalogue> catalogue()
{
    const auto loaded = ProviderCatalogue::fromJson(
        {json("{'providers':["
              "{'id':'openai','name':'OpenAI','category':'hosted','auth':'bearer','baseUrl':'https://a.example/v1',"
              "'paths':{'chat':'/chat/completions'},'models':[{'id':'gpt-4o'}]},"
              "{'id':'groq','name':'Groq','category':'hosted','auth':'bearer','baseUrl':'https://b.example/v1',"
              "'paths':{'chat':'/chat/completions'},'models':[{'id':'llama-3'}]},"
              "{'id':'open','name':'Open','category':'hosted','auth':'bearer','passthroughModels':true,'baseUrl':'https://c.example/v1',"
              "'paths':{'chat':'/chat/completions'}}"
              "]}")});
    if (!loaded)
        qFatal("catalogue: %s", describe(loaded.error()).c_str());
    return *loaded;
}

ComboTarget step(const std::string& provider, const std::string& model, const std::string& connection = {})
{
    ComboTarget target;
    target.provider = ProviderId(provider);
    target.model = model;
    if (!connection.empty())
        target.connection = ConnectionId(connection);
    return target;
}

struct Bench {
    Bench()
    {
        draft.catalogue = catalogue();
        for (const char* id : {"a1", "a2", "a3"})
            add(id, "openai");
        add("b1", "groq");
    }

    Connection& add(const std::string& id, const std::string& provider)
    {
        Connection connection;
        connection.id = ConnectionId(id);
        connection.provider = ProviderId(provider);
        connection.name = "name of " + id;
        connection.secretRef = "secret-" + id;
        connection.createdAt = fromEpochMillis(static_cast<std::int64_t>(draft.connections.size()));
        draft.connections.push_back(connection);
        return draft.connections.back();
    }

    void combo(const std::string& name, std::vector<ComboTarget> targets)
    {
        Combo made;
        made.id = ComboId(name);
        made.name = name;
        made.targets = std::move(targets);
        draft.combos.push_back(made);
    }

    void publish()
    {
        auto made = std::make_shared<Configuration>(draft);
        made->refreshNodeProviders();
        router.setConfiguration(made);
    }

    QString previewed(std::string_view model, PreviewScope scope = {}, const ApiKey* key = nullptr)
    {
        const Result<RoutePreview> result = router.preview({model, Operation::ChatCompletions, key}, bench.engine, scope);
        if (!result)
            return QString::fromStdString("!" + std::string(toString(result.error().kind)));
        std::string text;
        for (const std::string& name : result->names)
            text += (text.empty() ? "" : ">") + name;
        text += ":";
        for (const ConsideredTarget& target : result->considered) {
            text += " " + (target.step < 0 ? std::string() : std::to_string(target.step) + "/") + target.connection.str();
            if (!target.usable())
                text += "=" + std::string(toString(target.reason));
            if (target.remaining > Millis(0))
                text += "," + std::to_string(target.remaining.count());
        }
        return QString::fromStdString(result->truncated ? text + " …" : text);
    }

    std::string firstPlanned(std::string_view model)
    {
        const Result<Plan> plan = router.plan({model, Operation::ChatCompletions, nullptr}, bench.engine);
        return plan && !plan->targets.empty() ? plan->targets.front().connection->id.str() : std::string();
    }

    EngineTarget engineTarget(std::size_t index, std::string_view model = "gpt-4o")
    {
        const Configuration& configuration = *router.configuration();
        const Connection& connection = configuration.connections[index];
        return {configuration.provider(connection.provider)->id, ProviderClass::ApiKey, connection, model};
    }

    EngineBench bench;
    SimulatedRandom random{3};
    Router router{random};
    Configuration draft;
};

}  // namespace

class RoutePreviewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void names_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const char* model, const char* expected) {
            QTest::newRow(name) << QString::fromUtf8(model) << QString::fromUtf8(expected);
        };
        row("bare name", "gpt-4o", "gpt-4o: a1 a2 a3=disabled");
        row("provider and model", "groq/llama-3", "groq/llama-3: b1");
        row("alias to an alias to a model", "quick", "quick>fast>groq/llama-3: b1");
        row("alias to a combo", "daily", "daily>best: 0/b1 1/a1 1/a2 1/a3=disabled");
        row("combo", "best", "best: 0/b1 1/a1 1/a2 1/a3=disabled");
        row("dead and doubled targets keep their place", "odd",
            "odd: 0/gone=unavailable 1/=unavailable 2/b1=model_not_offered 3/a2 4/a1 4/a2=already_tried 4/a3=disabled");
        row("unknown", "nothing-like-it", "!not_found");
        row("circle", "round", "!invalid_argument");
        row("empty", "", "!invalid_argument");
    }

    void names()
    {
        QFETCH(QString, model);
        QFETCH(QString, expected);
        Bench bench;
        bench.draft.connections[2].enabled = false;
        bench.draft.aliases = {{"fast", "groq/llama-3"}, {"quick", "fast"}, {"daily", "best"}, {"round", "about"}, {"about", "round"}};
        bench.combo("best", {step("groq", "llama-3"), step("openai", "gpt-4o")});
        bench.combo("odd", {step("openai", "gpt-4o", "gone"), step("open", "x"), step("groq", "unheard-of"), step("openai", "gpt-4o", "a2"),
                            step("openai", "gpt-4o")});
        bench.publish();
        QCOMPARE(bench.previewed(model.toStdString()), expected);
    }

    void roundRobinStaysWhereItIs()
    {
        Bench bench;
        bench.draft.settings.routing.roundRobin = true;
        bench.publish();
        std::vector<std::string> planned;
        for (int i = 0; i < 6; ++i) {
            const Result<RoutePreview> before = bench.router.preview({"gpt-4o"}, bench.bench.engine);
            const Result<RoutePreview> again = bench.router.preview({"gpt-4o"}, bench.bench.engine);
            QVERIFY(before && again && before->chosen() && again->chosen());
            QVERIFY(*before == *again);
            planned.push_back(bench.firstPlanned("gpt-4o"));
            QCOMPARE(before->chosen()->connection.str(), planned.back());
        }
        QVERIFY(planned[0] != planned[1] && planned[1] != planned[2] && planned[0] == planned[3]);
    }

    void noProbeIsTaken()
    {
        Bench bench;
        bench.draft.connections[0].disableCooling = true;
        bench.publish();
        for (int i = 0; i < 12; ++i) {
            bench.bench.advance(Millis(5'000));
            bench.bench.engine.recordFailure(bench.engineTarget(0), {}, bench.bench.failure(503));
        }
        QVERIFY(bench.bench.engine.breaker(ProviderId("openai")).state == BreakerState::Open);
        QVERIFY(bench.previewed("gpt-4o").contains(QLatin1String("a1=circuit_open,")));

        bench.bench.clock.advance(bench.bench.engine.breaker(ProviderId("openai")).retryAfter);
        bench.bench.engine.clearCooldowns({ConnectionId("a1"), ConnectionId("a2"), ConnectionId("a3")});
        for (int i = 0; i < 3; ++i)
            QCOMPARE(bench.previewed("gpt-4o"), QStringLiteral("gpt-4o: a1 a2 a3"));
        const Permit permit = bench.bench.engine.acquire(bench.engineTarget(0));
        QVERIFY(permit.granted && permit.probe);
        // With the probe out nobody else may go.
        QVERIFY(bench.previewed("gpt-4o").startsWith(QLatin1String("gpt-4o: a1=circuit_open")));
    }

    void scopeIsKept()
    {
        Bench bench;
        bench.draft.connections[0].enabled = false;
        bench.publish();
        QCOMPARE(bench.previewed("gpt-4o", {2, false}), QStringLiteral("gpt-4o: a1=disabled a2 …"));
        QCOMPARE(bench.previewed("gpt-4o", {3, false}), QStringLiteral("gpt-4o: a1=disabled a2 a3"));
        QCOMPARE(bench.previewed("gpt-4o", {500, true}), QStringLiteral("gpt-4o: a1=disabled a2"));
    }

    /// A plan stops at what may be tried; a dry run shows the rest too, and says where trying would end.
    void looksPastTheLimitOfAttempts()
    {
        Bench bench;
        bench.draft.settings.routing.maxAttempts = 1;
        for (int i = 0; i < 20; ++i)
            bench.add("x" + std::to_string(i), "openai");
        bench.publish();
        const Result<RoutePreview> preview = bench.router.preview({"gpt-4o"}, bench.bench.engine);
        QVERIFY(preview);
        QCOMPARE(preview->considered.size(), std::size_t(23));
        QCOMPARE(preview->maxAttempts, 1);
    }

    void keysAreTold()
    {
        Bench bench;
        bench.publish();
        ApiKey key;
        key.name = "laptop";
        key.allowedConnections = {ConnectionId("a2")};
        QCOMPARE(bench.previewed("gpt-4o", {}, &key), QStringLiteral("gpt-4o: a1=not_allowed a2 a3=not_allowed"));
        key.allowedConnections = {ConnectionId("b1")};
        QCOMPARE(bench.previewed("gpt-4o", {}, &key), QStringLiteral("gpt-4o: a1=not_allowed a2=not_allowed a3=not_allowed"));
    }

    void faults_data()
    {
        QTest::addColumn<QString>("provider");
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("connection");
        QTest::addColumn<int>("fault");
        const auto row = [](const char* name, const char* provider, const char* model, const char* connection, TargetFault fault) {
            QTest::newRow(name) << QString::fromLatin1(provider) << QString::fromLatin1(model) << QString::fromLatin1(connection)
                                << static_cast<int>(fault);
        };
        row("fine", "openai", "gpt-4o", "", TargetFault::None);
        row("fine, pinned", "openai", "gpt-4o", "a1", TargetFault::None);
        row("one of three is enough", "openai", "own", "", TargetFault::None);
        row("pinned to one that lacks the model", "openai", "own", "a1", TargetFault::UnknownModel);
        row("provider gone", "openai-compatible-9", "x", "", TargetFault::ProviderGone);
        row("provider without connection", "open", "x", "", TargetFault::NoConnection);
        row("connection gone", "openai", "gpt-4o", "nobody", TargetFault::ConnectionGone);
        row("another provider's connection", "openai", "gpt-4o", "b1", TargetFault::ForeignConnection);
        row("unknown model", "groq", "llama-9", "", TargetFault::UnknownModel);
        row("switched off", "groq", "llama-3", "", TargetFault::AllDisabled);
        row("pinned to one switched off", "openai", "gpt-4o", "a3", TargetFault::AllDisabled);
    }

    void faults()
    {
        QFETCH(QString, provider);
        QFETCH(QString, model);
        QFETCH(QString, connection);
        QFETCH(int, fault);
        Bench bench;
        bench.draft.connections[1].models = {"own"};
        bench.draft.connections[2].enabled = false;
        bench.draft.connections[3].enabled = false;
        const TargetCheck check(bench.draft);
        QCOMPARE(static_cast<int>(check.faultOf(step(provider.toStdString(), model.toStdString(), connection.toStdString()))), fault);
    }
};

OMNI_TEST(RoutePreviewTest)
#include "route_preview_test.moc"
