#include "routing/router.h"

#include "program/cpu_time.h"
#include "program/measured.h"
#include "program/test_program.h"
#include "unit/resilience/resilience_fixture.h"

#include <QTest>

#include <chrono>
#include <limits>
#include <map>
#include <utility>

using namespace omni;
using namespace std::chrono_literals;

namespace {

/// A catalogue of a few providers as a user might have them.
std::shared_ptr<const ProviderCatalogue> catalogue()
{
    const Result<std::shared_ptr<const ProviderCatalogue>> loaded = ProviderCatalogue::fromJson({json(
        "{'providers':["
        "{'id':'openai','alias':'oa','name':'OpenAI','category':'hosted','auth':'bearer','baseUrl':'https://api.openai.com/v1',"
        "'paths':{'chat':'/chat/completions','responses':'/responses','embeddings':'/embeddings'},"
        "'models':[{'id':'gpt-4o','contextLength':128000},{'id':'gpt-4o-mini'},{'id':'shared'}]},"
        "{'id':'groq','name':'Groq','category':'hosted','auth':'bearer','baseUrl':'https://api.groq.com/openai/v1',"
        "'paths':{'chat':'/chat/completions'},'models':[{'id':'llama-3'},{'id':'shared'}]},"
        "{'id':'anthropic','alias':'an','name':'Anthropic','category':'hosted','auth':'x-api-key','baseUrl':'https://api.anthropic.com/v1',"
        "'paths':{'messages':'/messages','count_tokens':'/messages/count_tokens'},'models':[{'id':'claude-sonnet'}]},"
        "{'id':'openrouter','alias':'or','name':'OpenRouter','category':'hosted','auth':'bearer','passthroughModels':true,"
        "'baseUrl':'https://openrouter.ai/api/v1','paths':{'chat':'/chat/completions'}},"
        "{'id':'sandbox','name':'Sandbox','category':'sandbox','auth':'bearer','keyOptional':true,'passthroughModels':true,"
        "'paths':{'chat':'/chat/completions'}}"
        "]}")});
    if (!loaded)
        qFatal("catalogue: %s", describe(loaded.error()).c_str());
    return *loaded;
}

/// A router over a configuration that tests change as they like; `publish` makes it effective.
struct RouterBench {
    RouterBench()
    {
        draft.catalogue = catalogue();
        router.setConfiguration(nullptr);
    }

    Connection& add(const std::string& id, const std::string& provider, int priority = 1)
    {
        Connection connection;
        connection.id = ConnectionId(id);
        connection.provider = ProviderId(provider);
        connection.name = "name of " + id;
        connection.priority = priority;
        connection.secretRef = "secret-" + id;
        connection.createdAt = fromEpochMillis(static_cast<std::int64_t>(draft.connections.size()));
        draft.connections.push_back(connection);
        return draft.connections.back();
    }

    void node(const std::string& id, const std::string& prefix, const std::string& url = "https://gate.example/v1")
    {
        ProviderNode made;
        made.id = ProviderId(id);
        made.name = "Node " + prefix;
        made.prefix = prefix;
        made.baseUrl = url;
        draft.nodes.push_back(made);
    }

    Combo& combo(const std::string& name, std::vector<ComboTarget> targets)
    {
        Combo made;
        made.id = ComboId(name);
        made.name = name;
        made.targets = std::move(targets);
        draft.combos.push_back(made);
        return draft.combos.back();
    }

    static ComboTarget step(const std::string& provider, const std::string& model, const std::string& connection = {})
    {
        ComboTarget target;
        target.provider = ProviderId(provider);
        target.model = model;
        if (!connection.empty())
            target.connection = ConnectionId(connection);
        return target;
    }

    void publish()
    {
        auto made = std::make_shared<Configuration>(draft);
        made->refreshNodeProviders();
        router.setConfiguration(made);
    }

    Result<Plan> plan(std::string_view model, Operation operation = Operation::ChatCompletions)
    {
        return router.plan({model, operation, key ? &*key : nullptr}, bench.engine);
    }

    /// "openai:c1:gpt-4o openai:c2:gpt-4o | groq:c3:gpt-4o=disabled", or the error's kind and message.
    QString told(std::string_view model, Operation operation = Operation::ChatCompletions)
    {
        const Result<Plan> result = plan(model, operation);
        if (!result)
            return QString::fromStdString("!" + std::string(toString(result.error().kind)) + " " + result.error().message);
        std::string text;
        for (const Target& target : result->targets)
            text += (text.empty() ? "" : " ") + target.provider->id.str() + ":" + target.connection->id.str() + ":" + target.model;
        std::string out;
        for (const ExcludedTarget& target : result->excluded)
            out += " " + target.connection.str() + "=" + std::string(toString(target.reason));
        if (!out.empty())
            text += (text.empty() ? "|" : " |") + out;
        return QString::fromStdString(text);
    }

    EngineTarget engineTarget(std::size_t index)
    {
        const Configuration& configuration = *router.configuration();
        const Connection& connection = configuration.connections[index];
        return {configuration.provider(connection.provider)->id, ProviderClass::ApiKey, connection, "m"};
    }

    EngineBench bench;
    SimulatedRandom random{3};
    Router router{random};
    Configuration draft;
    std::optional<ApiKey> key;
};

}  // namespace

class RouterTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void names_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const char* model, const char* expected) {
            QTest::newRow(name) << QString::fromUtf8(model) << QString::fromUtf8(expected);
        };
        row("by provider id", "openai/gpt-4o", "openai:c1:gpt-4o openai:c2:gpt-4o");
        row("by provider alias", "oa/gpt-4o", "openai:c1:gpt-4o openai:c2:gpt-4o");
        row("prefix in any case", "OpenAI/gpt-4o", "openai:c1:gpt-4o openai:c2:gpt-4o");
        row("by node prefix", "gate/whatever-it-is", "openai-compatible-1:n1:whatever-it-is");
        row("by node id", "openai-compatible-1/x", "openai-compatible-1:n1:x");
        row("bare, one provider", "gpt-4o", "openai:c1:gpt-4o openai:c2:gpt-4o");
        row("bare, two providers, by priority", "shared", "openai:c1:shared groq:g1:shared openai:c2:shared");
        row("bare, only in a connection's own list", "own-model", "openai:c2:own-model");
        row("own list with a prefix", "openai/own-model", "openai:c2:own-model | c1=model_not_offered");
        row("passthrough with a prefix", "openrouter/meta-llama/llama-4", "openrouter:r1:meta-llama/llama-4");
        row("passthrough, only the first / separates", "or/a/b/c", "openrouter:r1:a/b/c");
        row("bare with a slash", "vendor/own-slashed", "groq:g1:vendor/own-slashed");
        row("passthrough never by a bare name", "llama-9-unheard-of",
            "!not_found No model, alias or combo is called \"llama-9-unheard-of\".");
        row("alias to provider/model", "fast", "groq:g1:llama-3");
        row("alias to a bare name", "smart", "openai:c1:gpt-4o openai:c2:gpt-4o");
        row("alias to an alias", "quick", "groq:g1:llama-3");
        row("alias to a combo", "daily", "groq:g1:llama-3 openai:c1:gpt-4o openai:c2:gpt-4o");
        row("alias may hide a model", "gpt-4o-mini", "groq:g1:llama-3");
        row("alias with a slash in its name", "openai/old", "groq:g1:llama-3");
        row("combo by name", "best", "groq:g1:llama-3 openai:c1:gpt-4o openai:c2:gpt-4o");
        row("combo with its prefix", "combo/best", "groq:g1:llama-3 openai:c1:gpt-4o openai:c2:gpt-4o");
        row("combo pinned", "pinned", "openai:c2:gpt-4o groq:g1:llama-3");
        row("combo pinned to what is gone", "lost", "groq:g1:llama-3 | nobody=unavailable");
        row("combo pinned to another provider's", "crossed", "| g1=unavailable");
        row("combo naming one target twice", "twice", "openai:c1:gpt-4o openai:c2:gpt-4o");
        row("combo with a model nobody lists", "stale", "groq:g1:llama-3 | c1=model_not_offered c2=model_not_offered");
        row("combo named like a model wins", "claude-sonnet", "groq:g1:llama-3");
        row("combo without steps is none", "hollow", "!not_found No model, alias or combo is called \"hollow\".");
        row("combo name is case-sensitive", "BEST", "!not_found No model, alias or combo is called \"BEST\". Near: \"best\".");
        row("combo not there", "combo/bets", "!not_found No provider is called \"combo\", and no model, alias or combo \"combo/bets\".");
        row("sandbox by prefix", "sandbox/429-retry-after", "sandbox:s1:429-retry-after");
        row("sandbox not by a bare name", "429-retry-after", "!not_found No model, alias or combo is called \"429-retry-after\".");
        row("sandbox by a combo", "play", "sandbox:s1:slow");
        row("sandbox by an alias", "toy", "sandbox:s1:echo");
        row("sandbox last by a bare name it lists", "listed-by-both", "groq:g1:listed-by-both sandbox:s1:listed-by-both");
        row("empty", "", "!invalid_argument The request names no model.");
        row("nothing after the slash", "openai/", "!invalid_argument \"openai/\" names no model after the \"/\".");
        row("misspelt", "gpt-4oo", "!not_found No model, alias or combo is called \"gpt-4oo\". Near: \"gpt-4o\".");
        row("misspelt below a provider", "openai/gtp-4o",
            "!not_found OpenAI lists no model \"gtp-4o\". Refresh the connection's models, or let it pass on unlisted ones. Near: "
            "\"gpt-4o\".");
        row("nothing near below a provider", "openai/dall-e",
            "!not_found OpenAI lists no model \"dall-e\". Refresh the connection's models, or let it pass on unlisted ones.");
        row("misspelt provider", "opnai/gpt-4o",
            "!not_found No provider is called \"opnai\", and no model, alias or combo \"opnai/gpt-4o\". Near: \"openai\".");
        row("provider without a connection", "anthropic/claude-sonnet",
            "!not_found Anthropic has no connection yet. Add one on the page Connections.");
        row("circle", "round", "!invalid_argument The aliases lead in a circle: \"round\" → \"about\" → \"round\". Change one of them.");
        row("strategy not available", "spread",
            "!invalid_argument The combo \"spread\" has the strategy \"round-robin\"; only \"priority\" is available now. Change it on the "
            "combo.");
    }

    void names()
    {
        QFETCH(QString, model);
        QFETCH(QString, expected);
        RouterBench bench;
        bench.add("c2", "openai", 2).models = {"own-model", "shared"};
        bench.add("c1", "openai", 1);
        bench.add("g1", "groq", 1).models = {"vendor/own-slashed", "listed-by-both"};
        bench.add("r1", "openrouter");
        bench.node("openai-compatible-1", "gate");
        bench.add("n1", "openai-compatible-1");
        bench.add("s1", "sandbox", 1).models = {"listed-by-both"};
        bench.draft.aliases = {{"fast", "groq/llama-3"}, {"smart", "gpt-4o"},     {"quick", "fast"},
                               {"daily", "best"},        {"gpt-4o-mini", "fast"}, {"openai/old", "fast"},
                               {"toy", "sandbox/echo"},  {"round", "about"},      {"about", "round"}};
        using B = RouterBench;
        bench.combo("best", {B::step("groq", "llama-3"), B::step("openai", "gpt-4o")});
        bench.combo("pinned", {B::step("openai", "gpt-4o", "c2"), B::step("groq", "llama-3")});
        bench.combo("lost", {B::step("openai", "gpt-4o", "nobody"), B::step("groq", "llama-3")});
        bench.combo("crossed", {B::step("openai", "gpt-4o", "g1")});
        bench.combo("twice", {B::step("openai", "gpt-4o", "c1"), B::step("openai", "gpt-4o")});
        bench.combo("stale", {B::step("openai", "gpt-2"), B::step("groq", "llama-3")});
        bench.combo("claude-sonnet", {B::step("groq", "llama-3")});
        bench.combo("hollow", {});
        bench.combo("play", {B::step("sandbox", "slow")});
        bench.combo("spread", {B::step("groq", "llama-3")}).strategy = "round-robin";
        bench.publish();
        const QString answer = bench.told(model.toStdString());
        // The own list of c2 hides nothing the catalogue lists.
        QCOMPARE(answer, expected);
    }

    void longAliasChain()
    {
        RouterBench bench;
        bench.add("g1", "groq");
        for (int i = 0; i < 12; ++i)
            bench.draft.aliases.push_back({"a" + std::to_string(i), i == 11 ? "groq/llama-3" : "a" + std::to_string(i + 1)});
        bench.publish();
        QCOMPARE(bench.told("a4"), QStringLiteral("groq:g1:llama-3"));  // eight aliases
        QVERIFY(bench.told("a3").startsWith(QString::fromUtf8("!invalid_argument The aliases lead on more than 8 times: \"a3\" → \"a4\"")));
    }

    void dialects_data()
    {
        QTest::addColumn<int>("operation");
        QTest::addColumn<QString>("expected");
        QTest::newRow("chat") << int(Operation::ChatCompletions) << QStringLiteral("openai:c1:gpt-4o | a1=dialect_mismatch");
        QTest::newRow("messages") << int(Operation::Messages) << QStringLiteral("anthropic:a1:claude-sonnet | c1=dialect_mismatch");
        QTest::newRow("count tokens") << int(Operation::CountTokens) << QStringLiteral("anthropic:a1:claude-sonnet | c1=dialect_mismatch");
        QTest::newRow("responses") << int(Operation::Responses) << QStringLiteral("openai:c1:gpt-4o | a1=dialect_mismatch");
        QTest::newRow("same dialect, operation not offered")
            << int(Operation::Completions) << QStringLiteral("| c1=model_not_offered a1=dialect_mismatch");
    }

    void dialects()
    {
        QFETCH(int, operation);
        QFETCH(QString, expected);
        RouterBench bench;
        bench.add("c1", "openai");
        bench.add("a1", "anthropic");
        bench.combo("both", {RouterBench::step("openai", "gpt-4o"), RouterBench::step("anthropic", "claude-sonnet")});
        bench.publish();
        QCOMPARE(bench.told("both", static_cast<Operation>(operation)), expected);
    }

    void exclusions()
    {
        RouterBench bench;
        for (const char* id : {"well", "off", "keyless", "cooling", "broke", "unread", "refused"})
            bench.add(id, "openai");
        bench.draft.connections[1].enabled = false;
        bench.draft.connections[2].secretRef.clear();
        bench.publish();
        Engine& engine = bench.bench.engine;
        bench.bench.headers = {{"retry-after", "42"}};
        engine.recordFailure(bench.engineTarget(3), {}, bench.bench.failure(429));
        bench.bench.headers.clear();
        engine.recordFailure(bench.engineTarget(4), {}, bench.bench.failure(402));
        engine.noteSecretUnreadable(ConnectionId("unread"), true);
        engine.recordFailure(bench.engineTarget(6), {}, bench.bench.failure(401));
        QCOMPARE(bench.told("gpt-4o"),
                 QStringLiteral("openai:well:gpt-4o | off=disabled keyless=secret_missing cooling=connection_cooldown "
                                "broke=credits_exhausted unread=secret_unreadable refused=expired"));
        const Result<Plan> plan = bench.plan("gpt-4o");
        QCOMPARE(plan->excluded[2].remainingMs, std::int64_t(42'000));
        QCOMPARE(plan->excluded[2].connectionName, std::string("name of cooling"));
        QCOMPARE(plan->excluded[2].model, std::string("gpt-4o"));
        QCOMPARE(plan->excluded[2].provider, ProviderId("openai"));
        QCOMPARE(plan->excluded[3].remainingMs, std::int64_t(0));
        QCOMPARE(plan->excluded[5].remainingMs, std::int64_t(300'000));
        // field-faults H11: back as soon as the hold ends.
        bench.bench.advance(42s);
        QVERIFY(bench.told("gpt-4o").startsWith(QLatin1String("openai:well:gpt-4o openai:cooling:gpt-4o |")));
    }

    void openBreaker()
    {
        RouterBench bench;
        bench.add("c1", "openai");
        bench.add("c2", "openai").disableCooling = true;
        bench.add("g1", "groq");
        bench.publish();
        for (int i = 0; i < 12; ++i) {
            bench.bench.advance(5s);
            bench.bench.engine.recordFailure(bench.engineTarget(1), {}, bench.bench.failure(503));
        }
        QCOMPARE(bench.told("shared"), QStringLiteral("groq:g1:shared | c1=circuit_open c2=circuit_open"));
        QCOMPARE(bench.plan("shared")->excluded[0].remainingMs, std::int64_t(30'000));
        // field-faults H19: a provider asked for by name stays with its own; nothing else steps in.
        QCOMPARE(bench.told("openai/gpt-4o"), QStringLiteral("| c1=circuit_open c2=circuit_open"));
    }

    void planHoldsItsConfiguration()
    {
        // field-faults H22: what a target points to changes as one value, and outlives a new configuration.
        RouterBench bench;
        bench.add("c1", "openai");
        bench.publish();
        const Result<Plan> plan = bench.plan("gpt-4o");
        bench.draft.connections[0].baseUrl = "https://elsewhere.example/v1";
        bench.publish();
        QCOMPARE(plan->targets[0].connection->baseUrl, std::string());
        QCOMPARE(plan->configuration->connection(ConnectionId("c1")), plan->targets[0].connection);
        QCOMPARE(bench.plan("gpt-4o")->targets[0].connection->baseUrl, std::string("https://elsewhere.example/v1"));
    }

    void targetsKnowTheirClass()
    {
        RouterBench bench;
        bench.add("near", "openai").baseUrl = "http://127.0.0.1:8000/v1";
        bench.add("far", "openai");
        bench.add("router", "openrouter");
        bench.publish();
        const Result<Plan> plan = bench.plan("openai/gpt-4o");
        QVERIFY(plan->targets[0].providerClass == ProviderClass::Local);
        QVERIFY(plan->targets[1].providerClass == ProviderClass::ApiKey);
        QVERIFY(!plan->targets[1].perModelQuota);
        QVERIFY(bench.plan("or/x")->targets[0].forEngine().perModelQuota);
    }

    void fillFirst()
    {
        RouterBench bench;
        bench.add("third", "openai", 7);
        bench.add("first", "openai", 1);
        bench.add("second", "openai", 1);
        bench.publish();
        for (int i = 0; i < 5; ++i)
            QCOMPARE(bench.told("gpt-4o"), QStringLiteral("openai:first:gpt-4o openai:second:gpt-4o openai:third:gpt-4o"));
    }

    void roundRobin()
    {
        RouterBench bench;
        for (const char* id : {"a", "b", "c"})
            bench.add(id, "openai");
        bench.add("spare", "openai", 2);
        bench.draft.settings.routing.roundRobin = true;
        bench.publish();
        std::map<std::string, int> firsts;
        std::string previous;
        for (int i = 0; i < 300; ++i) {
            const Result<Plan> plan = bench.plan(i % 2 ? "gpt-4o" : "openai/gpt-4o-mini");
            QCOMPARE(plan->targets.size(), std::size_t(4));
            QCOMPARE(plan->targets[3].connection->id, ConnectionId("spare"));
            const std::string first = plan->targets[0].connection->id.str();
            QVERIFY2(first != previous, "the same connection twice in a row");
            previous = first;
            ++firsts[first];
        }
        for (const char* id : {"a", "b", "c"})
            QCOMPARE(firsts[id], 100);

        // One that is held leaves its turns to all the others alike.
        bench.bench.headers = {{"retry-after", "600"}};
        bench.bench.engine.recordFailure(bench.engineTarget(0), {}, bench.bench.failure(429));
        firsts.clear();
        for (int i = 0; i < 100; ++i)
            ++firsts[bench.plan("gpt-4o")->targets[0].connection->id.str()];
        QCOMPARE(firsts["b"], 50);
        QCOMPARE(firsts["c"], 50);
    }

    void aFastFailureDrawsNoTraffic()
    {
        // field-faults H14: "bad" refuses at once, ten requests a second: what it gets is a try at the end of each of its holds.
        RouterBench bench;
        bench.add("bad", "openai");
        bench.add("good", "openai");
        bench.draft.settings.routing.roundRobin = true;
        bench.publish();
        int toBad = 0;
        for (int i = 0; i < 1000; ++i) {
            const Result<Plan> plan = bench.plan("gpt-4o");
            for (const Target& target : plan->targets) {
                const Permit permit = bench.bench.engine.acquire(target.forEngine());
                QVERIFY2(permit.granted, "what is held must not come first");
                if (target.connection->id == ConnectionId("good")) {
                    bench.bench.engine.recordSuccess(target.forEngine(), permit);
                    break;
                }
                ++toBad;
                bench.bench.engine.recordFailure(target.forEngine(), permit, bench.bench.failure(503));
            }
            bench.bench.advance(100ms);
        }
        // 3, 6, 12, 24 and 48 s of 100.
        QVERIFY2(toBad >= 5 && toBad <= 6, std::to_string(toBad).c_str());
    }

    void manyConnections()
    {
        RouterBench bench;
        for (int i = 0; i < 200; ++i)
            bench.add("c" + std::to_string(i), "openai");
        bench.draft.settings.routing.maxAttempts = 5;
        bench.publish();
        QCOMPARE(bench.plan("gpt-4o")->targets.size(), std::size_t(10));
        // All held: the list is cut, but not the one that is back first.
        for (std::size_t i = 0; i < 200; ++i) {
            bench.bench.headers = {{"retry-after", i == 150 ? "7" : std::to_string(1000 + i)}};
            bench.bench.engine.recordFailure(bench.engineTarget(i), {}, bench.bench.failure(429));
        }
        const Result<Plan> plan = bench.plan("gpt-4o");
        QVERIFY(plan->targets.empty());
        QCOMPARE(plan->excluded.size(), std::size_t(64));
        std::int64_t soonest = std::numeric_limits<std::int64_t>::max();
        for (const ExcludedTarget& target : plan->excluded)
            soonest = std::min(soonest, target.remainingMs);
        QCOMPARE(soonest, std::int64_t(7'000));
    }

    /// What a plan says, to the millisecond.
    static QByteArray whole(const Result<Plan>& plan)
    {
        if (!plan)
            return QByteArray::fromStdString(plan.error().message);
        std::string text;
        for (const Target& target : plan->targets)
            text += target.connection->id.str() + ":" + target.model + " ";
        for (const ExcludedTarget& target : plan->excluded) {
            text += "| " + target.connection.str() + ":" + target.model + "=" + std::string(toString(target.reason)) + " " +
                    std::to_string(target.remainingMs) + " ";
        }
        return QByteArray::fromStdString(text);
    }

    void rememberedRefusalsAreTrue()
    {
        // Whatever happens to the engine between two requests, a router that remembers its refusals says what one without memory says.
        RouterBench bench;
        for (const char* id : {"o1", "o2", "o3"})
            bench.add(id, "openai");
        bench.add("g1", "groq");
        bench.combo("both", {RouterBench::step("openai", "gpt-4o"), RouterBench::step("groq", "llama-3")});
        bench.draft.settings.resilience.providerCooldown.enabled = true;
        bench.publish();
        Engine& engine = bench.bench.engine;
        const Configuration& configuration = *bench.router.configuration();
        engine.applySettings(configuration.settings.resilience);
        const std::vector<const char*> names = {"gpt-4o", "openai/gpt-4o-mini", "llama-3", "both", "shared"};
        SimulatedRandom random(11);
        const auto below = [&random](std::uint64_t end) { return static_cast<std::size_t>(random.below(end)); };
        std::vector<std::pair<EngineTarget, Permit>> open;
        const std::string modelNames[] = {"gpt-4o", "gpt-4o-mini", "llama-3"};
        int refused = 0;
        const int steps = kMeasured ? 20'000 : 4'000;
        for (int step = 0; step < steps; ++step) {
            const Connection& connection = configuration.connections[below(4)];
            const EngineTarget target{configuration.provider(connection.provider)->id, ProviderClass::ApiKey, connection,
                                      modelNames[below(3)], below(2) == 0, below(2) == 0};
            switch (below(14)) {
            case 0: bench.bench.advance(Millis(below(2'000))); break;
            case 1: bench.bench.advance(Millis(below(90'000))); break;
            case 2: bench.bench.clock.jumpWall(Millis(below(40'000)) - 20s); break;
            case 3:
                if (const Permit permit = engine.acquire(target); permit.granted)
                    open.emplace_back(target, permit);
                break;
            case 4:
                if (!open.empty()) {
                    engine.recordAbandoned(open.back().first, open.back().second);
                    open.pop_back();
                }
                break;
            case 5:
                if (!open.empty()) {
                    engine.recordSuccess(open.back().first, open.back().second);
                    open.pop_back();
                }
                break;
            case 6: engine.clearCooldowns({connection.id}); break;
            case 7: below(8) ? void() : void(engine.resetBreakers()); break;
            case 8: engine.credentialChanged(connection.id); break;
            case 9: engine.noteSecretUnreadable(connection.id, below(4) == 0); break;
            case 10: below(4) ? void() : void(engine.clearAllLockouts()); break;
            default: {
                const int statuses[] = {429, 429, 503, 503, 500, 401, 402, 403, 404};
                bench.bench.headers.clear();
                if (below(3) == 0)
                    bench.bench.headers = {{"retry-after", std::to_string(below(200))}};
                engine.recordFailure(target, engine.acquire(target), bench.bench.failure(statuses[below(9)]));
            }
            }
            for (int repeat = 0; repeat < 2; ++repeat) {
                const char* name = names[below(names.size())];
                const QByteArray remembered = whole(bench.plan(name));
                SimulatedRandom other(3);
                Router fresh(other);
                fresh.setConfiguration(bench.router.configuration());
                const PlanRequest request{name, Operation::ChatCompletions, nullptr};
                const Result<Plan> plan = fresh.plan(request, engine);
                QCOMPARE(remembered, whole(plan));
                refused += plan && plan->targets.empty();
                bench.bench.advance(Millis(below(3)));
            }
        }
        QVERIFY2(refused > steps / 5, std::to_string(refused).c_str());
    }

    void askingAgainWhileAllIsOutCostsALookUp()
    {
        // field-faults H23: a thousand connections cool; only the first request goes through them.
        RouterBench bench;
        for (int i = 0; i < 1'000; ++i)
            bench.add("c" + std::to_string(i), "openai");
        bench.publish();
        bench.bench.headers = {{"retry-after", "600"}};
        for (std::size_t i = 0; i < 1'000; ++i)
            bench.bench.engine.recordFailure(bench.engineTarget(i), {}, bench.bench.failure(429));
        // Telling of a change makes the next plan a first one.
        const auto again = [&] { QVERIFY(bench.plan("gpt-4o")->targets.empty()); };
        const auto first = [&] {
            bench.bench.engine.noteSecretUnreadable(ConnectionId("elsewhere"), true);
            bench.bench.engine.noteSecretUnreadable(ConnectionId("elsewhere"), false);
            again();
        };
        const auto nanoseconds = [](const auto& call) {
            const CpuTime spent;
            for (int i = 0; i < 300; ++i)
                call();
            return static_cast<qint64>(spent.nanos() / 300);
        };
        const qint64 scan = nanoseconds(first);
        const qint64 lookUp = nanoseconds(again);
        QVERIFY2(lookUp * 3 < scan, QByteArray::number(lookUp) + " ns against " + QByteArray::number(scan) + " ns");
    }

    void apiKeys_data()
    {
        QTest::addColumn<QStringList>("models");
        QTest::addColumn<QStringList>("connections");
        QTest::addColumn<QString>("asked");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, QStringList models, QStringList connections, const char* asked, const char* expected) {
            QTest::newRow(name) << models << connections << QString::fromLatin1(asked) << QString::fromLatin1(expected);
        };
        const auto l1 = [](const char* text) { return QStringList{QString::fromLatin1(text)}; };
        row("no limits", {}, {}, "gpt-4o", "openai:c1:gpt-4o openai:c2:gpt-4o");
        row("bare pattern", l1("gpt-*"), {}, "gpt-4o", "openai:c1:gpt-4o openai:c2:gpt-4o");
        row("bare pattern, asked with prefix", l1("gpt-*"), {}, "oa/gpt-4o", "openai:c1:gpt-4o openai:c2:gpt-4o");
        row("provider pattern, asked bare", l1("openai/*"), {}, "gpt-4o", "openai:c1:gpt-4o openai:c2:gpt-4o");
        row("alias pattern, asked by id", l1("oa/*"), {}, "openai/gpt-4o", "openai:c1:gpt-4o openai:c2:gpt-4o");
        row("one provider of two", l1("groq/*"), {}, "shared", "groq:g1:shared | c1=not_allowed c2=not_allowed");
        row("not allowed", l1("groq/*"), {}, "gpt-4o", "!forbidden");
        row("combo by its name", l1("best"), {}, "best", "groq:g1:llama-3 openai:c1:gpt-4o openai:c2:gpt-4o");
        row("combo by its name, with prefix", l1("best"), {}, "combo/best", "groq:g1:llama-3 openai:c1:gpt-4o openai:c2:gpt-4o");
        row("combo name gives no bare model", l1("best"), {}, "gpt-4o", "!forbidden");
        row("combo by what it leads to", l1("groq/*"), {}, "best", "groq:g1:llama-3 | c1=not_allowed c2=not_allowed");
        row("alias by its name", l1("fast"), {}, "fast", "groq:g1:llama-3");
        row("alias by what it leads to", l1("llama-*"), {}, "fast", "groq:g1:llama-3");
        row("alias denied", l1("gpt-*"), {}, "fast", "!forbidden");
        row("one connection", {}, l1("c2"), "gpt-4o", "openai:c2:gpt-4o | c1=not_allowed");
        row("no connection of that model", {}, l1("c2"), "llama-3", "!forbidden");
        row("everything", l1("*"), {}, "best", "groq:g1:llama-3 openai:c1:gpt-4o openai:c2:gpt-4o");
    }

    void apiKeys()
    {
        QFETCH(QStringList, models);
        QFETCH(QStringList, connections);
        QFETCH(QString, asked);
        QFETCH(QString, expected);
        RouterBench bench;
        bench.add("c1", "openai", 1);
        bench.add("c2", "openai", 2);
        bench.add("g1", "groq", 1);
        bench.combo("best", {RouterBench::step("groq", "llama-3"), RouterBench::step("openai", "gpt-4o")});
        bench.draft.aliases = {{"fast", "groq/llama-3"}};
        bench.publish();
        bench.key.emplace();
        bench.key->name = "laptop";
        for (const QString& model : models)
            bench.key->allowedModels.push_back(model.toStdString());
        for (const QString& connection : connections)
            bench.key->allowedConnections.emplace_back(connection.toStdString());
        QString answer = bench.told(asked.toStdString());
        if (expected == QLatin1String("!forbidden")) {
            QVERIFY2(answer.startsWith(QLatin1String("!forbidden The API key \"laptop\" may not use \"") + asked), qPrintable(answer));
            return;
        }
        QCOMPARE(answer, expected);
    }

    void nearNamesKeepTheKeysSecrets()
    {
        RouterBench bench;
        bench.add("c1", "openai");
        bench.publish();
        bench.key.emplace();
        bench.key->allowedModels = {"openai/gpt-4o-mini", "gpt-4o-mini"};
        const QString answer = bench.told("gpt-4o-min");
        QVERIFY2(answer.contains(QLatin1String("Near: \"gpt-4o-mini\".")), qPrintable(answer));
        const QString below = bench.told("openai/gpt-4x");
        QVERIFY2(!below.contains(QLatin1String("\"gpt-4o\"")), qPrintable(below));
    }

    void listing()
    {
        RouterBench bench;
        bench.add("c1", "openai", 1);
        bench.add("c2", "openai", 2).models = {"gpt-4o", "own-model"};
        bench.add("off", "groq").enabled = false;
        bench.add("a1", "anthropic").secretRef.clear();
        bench.node("anthropic-compatible-7", "gate");
        bench.add("n1", "anthropic-compatible-7").models = {"m"};
        bench.combo("best", {RouterBench::step("openai", "gpt-4o")});
        bench.combo("hollow", {});
        bench.combo("spread", {RouterBench::step("openai", "gpt-4o")}).strategy = "random";
        bench.draft.aliases = {{"fast", "groq/llama-3"}, {"best", "gpt-4o"}};
        bench.publish();
        const auto told = [&bench](const ApiKey* key) {
            QStringList ids;
            for (const Router::ListedModel& model : bench.router.models(key))
                ids << QString::fromStdString(model.id);
            return ids.join(QLatin1Char(' '));
        };
        QCOMPARE(told(nullptr), QStringLiteral("best fast openai/gpt-4o openai/gpt-4o-mini openai/shared gate/m openai/own-model"));
        ApiKey key;
        key.allowedModels = {"openai/gpt-4o"};
        QCOMPARE(told(&key), QStringLiteral("best openai/gpt-4o"));
        key.allowedModels.clear();
        key.allowedConnections = {ConnectionId("c2")};
        QVERIFY(!told(&key).contains(QLatin1String("gate/m")));
        for (const Router::ListedModel& model : bench.router.models(nullptr)) {
            if (model.id == "openai/gpt-4o") {
                QCOMPARE(model.contextLength, 128'000);
                QCOMPARE(model.ownedBy, std::string("openai"));
            }
        }
    }

    void everythingListedCanBeAskedFor()
    {
        RouterBench bench;
        bench.add("c1", "openai", 1);
        bench.add("c2", "groq", 2).models = {"gpt-4o", "own/model"};
        bench.node("openai-compatible-7", "gate");
        bench.add("n1", "openai-compatible-7").models = {"m"};
        bench.combo("best", {RouterBench::step("openai", "gpt-4o")});
        bench.draft.aliases = {{"fast", "groq/gpt-4o"}};
        bench.publish();
        for (const Router::ListedModel& model : bench.router.models(nullptr)) {
            const Result<Plan> plan = bench.plan(model.id);
            QVERIFY2(plan && !plan->targets.empty(), model.id.c_str());
        }
    }

    void withoutConfiguration()
    {
        RouterBench bench;
        QVERIFY(bench.told("gpt-4o").startsWith(QLatin1String("!unavailable")));
        QVERIFY(bench.router.models(nullptr).empty());
        bench.publish();
        QCOMPARE(bench.told("openai/gpt-4o"), QStringLiteral("!not_found OpenAI has no connection yet. Add one on the page Connections."));
    }

    void hugeNameIsCheap()
    {
        RouterBench bench;
        bench.add("c1", "openai");
        bench.publish();
        const Result<Plan> plan = bench.plan(std::string(1'000'000, 'x'));
        QVERIFY(!plan);
        QVERIFY(plan.error().message.size() < 400);
    }

    void timing()
    {
        RouterBench bench;
        for (int i = 0; i < 1000; ++i) {
            Connection& connection = bench.add("connection-with-a-long-id-" + std::to_string(i), i % 2 ? "openai" : "groq", i);
            for (int m = 0; m < 50; ++m)
                connection.models.push_back("model-number-" + std::to_string(m) + "-" + std::to_string(i % 7));
        }
        bench.draft.settings.routing.maxAttempts = 1;
        bench.add("only", "openrouter");
        CpuTime spent;
        bench.publish();
        qInfo("tables of 1,000 connections with 50 models each: %.1f ms", spent.millis());
        const auto measure = [&](const char* name, std::string_view model, double aim) {
            constexpr int rounds = 20'000;
            spent.start();
            std::size_t found = 0;
            for (int i = 0; i < rounds; ++i)
                found += bench.plan(model)->targets.size();
            const double micros = spent.micros() / rounds;
            qInfo("plan %s: %.2f us (aim %.0f)", name, micros, aim);
            QVERIFY(found >= rounds);
            QVERIFY(micros < aim * 20);
        };
        measure("prefix, one target", "openrouter/some-model", 2);
        measure("prefix, 500 connections", "openai/gpt-4o", 3);
        measure("bare, 500 connections", "gpt-4o", 3);
    }
};

OMNI_TEST(RouterTest)
#include "router_test.moc"
