#include "shots/story.h"

#include "shots/pause.h"
#include "store/store.h"

#include <QNetworkReply>
#include <QNetworkRequest>
#include <QRandomGenerator>
#include <QUrl>

#include <algorithm>
#include <array>

namespace omni::shots {

Story::Story(test::RuntimeFixture& fixture, ScriptedUpstream& upstream) : m_fixture(fixture), m_upstream(upstream)
{
    connect(&m_pace, &QTimer::timeout, this, &Story::askAny);
}

void Story::addConnection(const char* provider, const char* name, int priority, bool enabled, bool rests)
{
    ConnectionDraft draft;
    draft.connection.provider = ProviderId(provider);
    draft.connection.name = name;
    draft.connection.priority = priority;
    draft.connection.enabled = enabled;
    draft.connection.disableCooling = !rests;
    draft.connection.baseUrl = "http://api." + std::string(provider) + ".example/v1";
    draft.connection.proxyUrl = m_upstream.proxyUrl();
    const std::string firstWord = std::string(name).substr(0, std::string(name).find(' '));
    draft.secret = "sk-" + std::string(provider) + "-" + firstWord + "-00000000000000000000" +
                   std::to_string(QRandomGenerator::global()->bounded(1000, 9999));
    const auto saved =
        m_fixture.ask<Connection>([draft](Control& control, Reply<Connection> reply) { control.saveConnection(draft, reply); });
    if (!saved)
        qFatal("%s", describe(saved.error()).c_str());
}

void Story::addCombo(const char* name, std::initializer_list<std::pair<const char*, const char*>> targets)
{
    Combo combo;
    combo.name = name;
    for (const auto& [provider, model] : targets)
        combo.targets.push_back({{}, ProviderId(provider), model, std::nullopt, {}});
    const auto saved = m_fixture.ask<Combo>([combo](Control& control, Reply<Combo> reply) { control.saveCombo(combo, reply); });
    if (!saved)
        qFatal("%s", describe(saved.error()).c_str());
}

void Story::setUp()
{
    addConnection("anthropic", "work key");
    // Without rests of their own, failures reach the providers' breakers sooner than in minutes.
    addConnection("openai", "team", 1, true, false);
    addConnection("moonshot", "mine", 1, true, false);
    addConnection("glm", "work key");
    addConnection("glm", "home key", 2);
    addConnection("deepseek", "mine");
    addConnection("groq", "old key");
    addConnection("mistral", "spare", 1, false);
    addConnection("gemini", "free");
    addConnection("xai", "mine");
    addConnection("cerebras", "free");
    m_fixture.patchSettings(R"({"providerErrorRules":{"cerebras":[{"status":503,"match":"answers 503","scope":"provider",)"
                            R"("reason":"server_error","cooldownMs":1800000}]}})");
    addCombo("code", {{"openai", "gpt-5"}, {"gemini", "gemini-2.5-pro"}, {"glm", "glm-4.6"}});
    addCombo("fallback", {{"glm", "glm-4.6"}, {"perplexity", "sonar"}, {"deepseek", "deepseek-chat"}});
    addCombo("night", {{"groq", "llama-3.3-70b-versatile"}, {"mistral", "mistral-large-latest"}});
    addCombo("writing", {{"anthropic", "claude-sonnet-4-5"}});
    for (const ModelAlias& alias : {ModelAlias{"gpt-4o", "code"}, ModelAlias{"claude-3-5-sonnet", "anthropic/claude-sonnet-4-5"},
                                    ModelAlias{"old-model", "gpt-3.5-classic"}})
        if (!m_fixture.ask<ModelAlias>([alias](Control& control, Reply<ModelAlias> reply) { control.saveAlias(alias, reply); }))
            qFatal("the alias was not saved");
    for (const char* model : {"claude-sonnet-4-5", "gpt-5", "glm-4.6", "deepseek-chat", "kimi-k2-0905-preview", "llama-3.3-70b-versatile"})
        m_upstream.script(model, "ok");
    m_upstream.script("gemini-2.5-pro", "daily-quota");
    m_upstream.script("claude-opus-4-1", "404-model");
    m_upstream.script("grok-4", "banned");
    m_upstream.script("gpt-oss-120b", "503");
}

void Story::addKeys()
{
    const auto configuration = m_fixture.read<ConfigurationPtr>([](Control& control) { return control.configuration(); });
    const auto add = [this](const ApiKey& key) {
        const auto made =
            m_fixture.ask<CreatedApiKey>([key](Control& control, Reply<CreatedApiKey> reply) { control.createApiKey(key, reply); });
        if (!made)
            qFatal("%s", describe(made.error()).c_str());
        return made->record;
    };
    ApiKey laptop;
    laptop.name = "laptop";
    ApiKey build;
    build.name = "build server";
    build.allowedModels = {"code", "glm/*"};
    build.expiresAt = fromEpochMillis(epochMillis(SystemClock().wall()) + std::int64_t{90} * 86'400'000);
    ApiKey scripts;
    scripts.name = "night scripts";
    scripts.allowedConnections = {configuration->connections.at(3).id, configuration->connections.at(4).id};
    scripts.noLog = true;
    ApiKey panel;
    panel.name = "status panel";
    panel.scopes = {"manage"};
    ApiKey old;
    old.name = "old phone";
    add(laptop);
    add(build);
    add(scripts);
    add(panel);
    ApiKey revoked = add(old);
    revoked.revokedAt = SystemClock().wall();
    (void)m_fixture.ask<ApiKey>([revoked](Control& control, Reply<ApiKey> reply) { control.updateApiKey(revoked, reply); });
}

void Story::addPast()
{
    constexpr std::int64_t kDay = 86'400'000;
    const auto configuration = m_fixture.read<ConfigurationPtr>([](Control& control) { return control.configuration(); });
    const std::int64_t now = epochMillis(SystemClock().wall());
    std::vector<RequestRecord> records;
    QRandomGenerator dice(7);
    for (int day = 1; day <= 40; ++day) {
        const int requests = (day % 7 < 2 ? 40 : 140) + dice.bounded(90);
        for (int number = 0; number < requests; ++number) {
            const std::array<std::pair<const char*, std::size_t>, 4> targets = {
                {{"claude-sonnet-4-5", 0}, {"gpt-5", 1}, {"glm-4.6", 3}, {"deepseek-chat", 5}}};
            const auto [model, connection] = targets.at(static_cast<std::size_t>(std::min(3, dice.bounded(6))));
            RequestRecord record;
            record.id = RequestId("past" + std::to_string(day * 1'000 + number));
            record.startedAt = fromEpochMillis(now - day * kDay + number * 1'000);
            record.provider = configuration->connections.at(connection).provider;
            record.connection = configuration->connections.at(connection).id;
            record.connectionName = configuration->connections.at(connection).name;
            record.model = record.requestedModel = model;
            record.apiKey = configuration->apiKeys.at(static_cast<std::size_t>(number % 2)).id;
            record.apiKeyName = configuration->apiKeys.at(static_cast<std::size_t>(number % 2)).name;
            record.outcome = dice.bounded(100) < (day == 9 ? 35 : 4) ? Outcome::UpstreamFailed : Outcome::Answered;
            if (record.outcome == Outcome::Answered) {
                record.tokensIn = 800 + dice.bounded(24'000);
                record.tokensCached = record.tokensIn / 2;
                record.tokensOut = 100 + dice.bounded(1'800);
            }
            records.push_back(std::move(record));
        }
    }
    const std::vector<ModelPrice> prices = {{ProviderId("anthropic"), "claude-sonnet-4-5", 3.0, 15.0, 0.3},
                                            {ProviderId("glm"), "glm-4.6", 0.6, 2.2, std::nullopt}};
    (void)m_fixture.ask<int>([records, prices](Control& control, Reply<int> reply) {
        control.store().appendRequests(records);
        control.savePrices(prices, std::move(reply));
    });
}

void Story::ask(const char* path, const QByteArray& model, bool stream, const char* client)
{
    QNetworkRequest request(QUrl(QString::fromStdString(m_fixture.url()) + QLatin1String(path)));
    request.setHeader(QNetworkRequest::ContentTypeHeader, QStringLiteral("application/json"));
    request.setHeader(QNetworkRequest::UserAgentHeader, QString::fromLatin1(client));
    const QByteArray body = "{\"model\":\"" + model + "\"" + QByteArray(40, ' ') +
                            ",\"max_tokens\":256,\"stream\":" + (stream ? "true" : "false") +
                            ",\"messages\":[{\"role\":\"user\",\"content\":\"Why does the build fail?\"}]}";
    QNetworkReply* reply = m_network.post(request, body);
    connect(reply, &QNetworkReply::finished, reply, &QObject::deleteLater);
}

void Story::askAny()
{
    const int dice = QRandomGenerator::global()->bounded(100);
    if (dice < 40)
        ask("/v1/messages", "anthropic/claude-sonnet-4-5", dice < 30, "claude-cli/2.0.14");
    else if (dice < 70)
        ask("/v1/chat/completions", "code", dice < 60, "codex_cli_rs/0.46.0");
    else if (dice < 85)
        ask("/v1/chat/completions", "glm/glm-4.6", dice < 80, "aider/0.86.1");
    else if (dice < 94)
        ask("/v1/chat/completions", "deepseek/deepseek-chat", false, "OpenAI/Python 1.109.1");
    else if (m_moonshotAsked)
        ask("/v1/chat/completions", "moonshot/kimi-k2-0905-preview", false, "cline/3.32.7");
}

void Story::play(std::chrono::seconds length)
{
    m_pace.start(85);
    waitFor(length * 35 / 100);
    ask("/v1/chat/completions", "gemini/gemini-2.5-pro", false, "OpenAI/Python 1.109.1");
    waitFor(std::chrono::milliseconds(1'500));
    m_upstream.script("gpt-5", "503");
    m_upstream.script("llama-3.3-70b-versatile", "401");
    ask("/v1/chat/completions", "groq/llama-3.3-70b-versatile", false, "aider/0.86.1");
    waitFor(length * 15 / 100);
    // Enough for amber, not enough for red.
    m_upstream.script("kimi-k2-0905-preview", "503");
    waitFor(length * 45 / 100);
    m_moonshotAsked = false;
    ask("/v1/chat/completions", "xai/grok-4", false, "aider/0.86.1");
    ask("/v1/chat/completions", "cerebras/gpt-oss-120b", false, "aider/0.86.1");
    m_upstream.script("deepseek-chat", "402");
    waitFor(length * 5 / 100);
}

void Story::freshen()
{
    m_upstream.script("glm-4.6", "rate-limited?seconds=120", "sk-glm-work");
    ask("/v1/chat/completions", "glm/glm-4.6", false, "aider/0.86.1");
    ask("/v1/messages", "anthropic/claude-opus-4-1", true, "claude-cli/2.0.14");
    waitFor(std::chrono::milliseconds(1'500));
    m_upstream.script("glm-4.6", "ok", "sk-glm-work");
}

}  // namespace omni::shots
