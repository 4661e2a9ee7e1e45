#include "support/runtime_fixture.h"

#include "base/private_file.h"
#include "composition/process.h"

#include <QTest>

#include <algorithm>

namespace omni::test {

namespace {

constexpr int kPatienceMs = 20'000;

/// Fails the running test with the error; the value is then a default.
template <typename T>
T valueOf(const Result<T>& result, const char* what)
{
    if (result)
        return *result;
    QTest::qFail((std::string(what) + ": " + describe(result.error())).c_str(), __FILE__, __LINE__);
    return T{};
}

}  // namespace

RuntimeFixture::RuntimeFixture(RuntimeOptions options) : m_options(std::move(options))
{
    prepareProcess();
    if (m_options.dataDir.empty())
        m_options.dataDir = m_folder.path();
    if (!m_options.port)
        m_options.port = 0;
}

RuntimeFixture::~RuntimeFixture() { stop(); }

bool RuntimeFixture::start()
{
    m_error.clear();
    m_listener = {};
    Result<std::unique_ptr<Runtime>> runtime = Runtime::start(m_options);
    if (!runtime) {
        m_error = describe(runtime.error());
        return false;
    }
    m_runtime = *std::move(runtime);
    connect(&m_runtime->control(), &Control::listenerChanged, this, [this](const ListenerState& state) {
        m_listener = state;
        Q_EMIT listenerChanged();
    });
    // What was announced while this answer was on its way is newer than the answer.
    const ListenerState asked = read<ListenerState>([](Control& control) { return control.listenerState(); });
    if (m_listener == ListenerState{})
        m_listener = asked;
    if (!m_options.startListener)
        return true;
    const bool settled = QTest::qWaitFor(
        [this] { return m_listener.phase == ListenerPhase::Serving || m_listener.phase == ListenerPhase::Failed; }, kPatienceMs);
    if (settled && m_listener.phase == ListenerPhase::Serving)
        return true;
    m_error = settled ? m_listener.error : "It did not serve within 20 s.";
    return false;
}

void RuntimeFixture::stop() { m_runtime.reset(); }

std::string RuntimeFixture::managementToken() const
{
    std::string token = readFile(m_runtime->managementTokenFile(), 4096).valueOr({});
    while (!token.empty() && (token.back() == '\n' || token.back() == '\r'))
        token.pop_back();
    return token;
}

ConnectionId RuntimeFixture::addSandboxConnection(const std::string& name, int priority)
{
    ConnectionDraft draft;
    draft.connection.provider = ProviderId("sandbox");
    draft.connection.name = name;
    draft.connection.priority = priority;
    return valueOf(ask<Connection>([draft](Control& control, Reply<Connection> reply) { control.saveConnection(draft, std::move(reply)); }),
                   "saveConnection")
        .id;
}

ConnectionId RuntimeFixture::addUpstream(const std::string& prefix, const std::string& baseUrl, const std::string& secret, bool anthropic)
{
    ProviderNode node;
    node.id = ProviderId(anthropic ? "anthropic-compatible-" : "openai-compatible-");
    node.name = prefix;
    node.prefix = prefix;
    node.baseUrl = baseUrl;
    valueOf(ask<ProviderNode>([node](Control& control, Reply<ProviderNode> reply) { control.saveNode(node, std::move(reply)); }),
            "saveNode");
    return addUpstreamConnection(prefix, prefix, secret);
}

ConnectionId RuntimeFixture::addUpstreamConnection(const std::string& prefix, const std::string& name, const std::string& secret,
                                                   int priority)
{
    const auto configuration = read<ConfigurationPtr>([](Control& control) { return control.configuration(); });
    const auto node = std::find_if(configuration->nodes.begin(), configuration->nodes.end(),
                                   [&](const ProviderNode& one) { return one.prefix == prefix; });
    ConnectionDraft draft;
    if (node != configuration->nodes.end())
        draft.connection.provider = node->id;
    draft.connection.name = name;
    draft.connection.priority = priority;
    if (!secret.empty())
        draft.secret = secret;
    return valueOf(ask<Connection>([draft](Control& control, Reply<Connection> reply) { control.saveConnection(draft, std::move(reply)); }),
                   "saveConnection")
        .id;
}

ComboId RuntimeFixture::addCombo(const std::string& name, const std::vector<std::pair<std::string, std::string>>& steps)
{
    Combo combo;
    combo.name = name;
    for (const auto& [connectionName, model] : steps) {
        const auto configuration = read<ConfigurationPtr>([](Control& control) { return control.configuration(); });
        const auto meant = [&wanted = connectionName](const Connection& one) { return one.provider.str() == "sandbox" && one.name == wanted; };
        const auto known = std::find_if(configuration->connections.begin(), configuration->connections.end(), meant);
        ComboTarget target;
        target.provider = ProviderId("sandbox");
        target.connection = known == configuration->connections.end() ? addSandboxConnection(connectionName) : known->id;
        target.model = model;
        combo.targets.push_back(std::move(target));
    }
    return valueOf(ask<Combo>([combo](Control& control, Reply<Combo> reply) { control.saveCombo(combo, std::move(reply)); }), "saveCombo")
        .id;
}

std::string RuntimeFixture::addApiKey(const std::string& name, std::vector<std::string> scopes)
{
    ApiKey key;
    key.name = name;
    key.scopes = std::move(scopes);
    return valueOf(ask<CreatedApiKey>([key](Control& control, Reply<CreatedApiKey> reply) { control.createApiKey(key, std::move(reply)); }),
                   "createApiKey")
        .key;
}

Settings RuntimeFixture::patchSettings(const std::string& patch)
{
    return valueOf(ask<Settings>([patch](Control& control, Reply<Settings> reply) { control.patchSettings(patch, std::move(reply)); }),
                   "patchSettings");
}

}  // namespace omni::test
