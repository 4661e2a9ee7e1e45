#include "ui/help/demonstrator.h"

#include "ui/core_link.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QNetworkProxy>
#include <QNetworkReply>
#include <QNetworkRequest>

#include <algorithm>
#include <utility>

namespace omni {

namespace {

/// The breaker counts failures of one moment once (spec 1-core §1.9: 5 s).
constexpr int kBetweenFailuresMs = 5'200;
constexpr int kMostFailures = 60;
constexpr int kPatienceMs = 60'000;
constexpr const char* kComboName = "show-me";

const Provider* sandboxProvider(const Configuration& configuration)
{
    const auto& all = configuration.catalogue->all();
    const auto found = std::find_if(all.begin(), all.end(), [](const Provider& one) { return one.category == ProviderCategory::Sandbox; });
    return found == all.end() ? nullptr : &*found;
}

}  // namespace

Demonstrator::Demonstrator(CoreLink& link, QObject* parent) : QObject(parent), m_link(link)
{
    // To this machine itself, whatever the desktop's proxy is.
    m_network.setProxy(QNetworkProxy::NoProxy);
    m_network.setTransferTimeout(kPatienceMs);
    m_pause.setSingleShot(true);
    m_pause.setInterval(kBetweenFailuresMs);
    connect(&m_pause, &QTimer::timeout, this, &Demonstrator::playBreaker);
    connect(&link, &CoreLink::engineChanged, this, [this] {
        if (m_running && m_demo.kind == Demonstration::Kind::Breaker && m_sent > 0 && breakerOpen())
            end({});
    });
}

const Connection* Demonstrator::sandbox() const
{
    const Configuration& configuration = *m_link.configuration();
    const Provider* provider = sandboxProvider(configuration);
    const auto& all = configuration.connections;
    const auto found =
        std::find_if(all.begin(), all.end(), [provider](const Connection& one) { return provider && one.provider == provider->id; });
    return found == all.end() ? nullptr : &*found;
}

bool Demonstrator::breakerOpen() const
{
    const Connection* connection = sandbox();
    const BreakerStatus* breaker = connection ? m_link.engine().breaker(connection->provider) : nullptr;
    return breaker && breaker->state == BreakerState::Open;
}

void Demonstrator::start(const Demonstration& demonstration)
{
    if (m_running || !m_link.ready())
        return;
    tidy();
    m_demo = demonstration;
    m_running = true;
    m_at = 0;
    m_sent = 0;
    m_requestId.clear();
    if (m_link.listener().phase != ListenerPhase::Serving)
        end(tr("The proxy is stopped. Start it first, with the button at the top."));
    else if (!sandboxProvider(*m_link.configuration()))
        end(tr("The sandbox does not run, so there is nothing to show it in."));
    else
        withSandbox();
}

void Demonstrator::stop()
{
    if (m_running)
        end(tr("Stopped."));
}

void Demonstrator::withSandbox()
{
    const Connection* present = sandbox();
    const ConnectionHealth* health = present ? m_link.engine().health(present->id) : nullptr;
    if (present && present->enabled && (!health || health->terminal == TerminalState::None)) {
        withKey();
        return;
    }
    if (present) {
        enable(present->id, [this](const Result<int>& done) { done ? withKey() : end(errorText(done.error())); });
        return;
    }
    ConnectionDraft draft;
    const Provider& provider = *sandboxProvider(*m_link.configuration());
    draft.connection.provider = provider.id;
    draft.connection.name = provider.name;
    m_link.ask<Connection>(
        this, [draft](Control& control, const Reply<Connection>& reply) { control.saveConnection(draft, reply); },
        [this](const Result<Connection>& added) { added ? withKey() : end(errorText(added.error())); });
}

void Demonstrator::enable(const ConnectionId& id, std::function<void(const Result<int>&)> done)
{
    m_link.ask<int>(
        this,
        [id](Control& control, const Reply<int>& reply) {
            control.setConnectionsEnabled({id}, false, [&control, id, reply](const Result<int>& off) {
                if (off)
                    control.setConnectionsEnabled({id}, true, reply);
                else
                    reply(off);
            });
        },
        std::move(done));
}

void Demonstrator::withKey()
{
    if (!m_running)
        return;
    if (!m_link.configuration()->settings.proxy.requireApiKey) {
        withCombo();
        return;
    }
    ApiKey key;
    key.name = toUtf8(tr("Show me", "name of a client key for the time of a demonstration")) + " " + std::to_string(epochMillis(wallNow()));
    m_link.ask<CreatedApiKey>(
        this, [key](Control& control, const Reply<CreatedApiKey>& reply) { control.createApiKey(key, reply); },
        [this](const Result<CreatedApiKey>& made) {
            if (!made) {
                end(errorText(made.error()));
                return;
            }
            m_key = made->key;
            m_keyId = made->record.id;
            withCombo();
        });
}

void Demonstrator::withCombo()
{
    if (!m_running)
        return;
    // What an earlier one left behind would spoil this one.
    if (const Connection* connection = sandbox()) {
        m_link.post([id = connection->id, provider = connection->provider](Control& control) {
            control.clearCooldowns({id});
            control.resetBreakers(provider);
        });
    }
    const auto& combos = m_link.configuration()->combos;
    const bool there = std::any_of(combos.begin(), combos.end(), [](const Combo& combo) { return combo.name == kComboName; });
    if (m_demo.kind != Demonstration::Kind::Combo || there) {
        next();
        return;
    }
    Combo combo;
    combo.name = kComboName;
    const ProviderId provider = sandboxProvider(*m_link.configuration())->id;
    combo.targets = {{{}, provider, "404-model", {}, {}}, {{}, provider, "ok", {}, {}}};
    m_link.ask<Combo>(
        this, [combo](Control& control, const Reply<Combo>& reply) { control.saveCombo(combo, reply); },
        [this](const Result<Combo>& made) {
            if (!made) {
                end(errorText(made.error()));
                return;
            }
            m_combo = made->id;
            next();
        });
}

void Demonstrator::next()
{
    if (!m_running)
        return;
    if (m_demo.kind == Demonstration::Kind::Breaker) {
        playBreaker();
        return;
    }
    if (m_at >= m_demo.requests.size()) {
        if (const Connection* connection = sandbox(); m_demo.endsConnection && connection)
            m_ended = connection->id;
        end({});
        return;
    }
    send(m_demo.requests[m_at++]);
}

void Demonstrator::playBreaker()
{
    const Connection* connection = sandbox();
    if (!m_running || !connection) {
        end(tr("The sandbox's connection is gone."));
        return;
    }
    if (breakerOpen()) {
        end({});
        return;
    }
    if (m_sent >= kMostFailures) {
        end(tr("The breaker did not open. Are its thresholds very high?"));
        return;
    }
    m_link.post([id = connection->id](Control& control) { control.clearCooldowns({id}); });
    send(m_demo.requests.front());
}

void Demonstrator::send(const DemoRequest& request)
{
    ++m_sent;
    QNetworkRequest head(QUrl(toQString(m_link.listener().baseUrl() + "/chat/completions")));
    head.setHeader(QNetworkRequest::ContentTypeHeader, QStringLiteral("application/json"));
    head.setHeader(QNetworkRequest::UserAgentHeader, QStringLiteral("OmniRoute Desktop (show me)"));
    if (!m_key.empty())
        head.setRawHeader("Authorization", "Bearer " + QByteArray::fromStdString(m_key));
    if (request.longHead) {
        const auto longer = static_cast<int>(m_link.configuration()->settings.proxy.maxHeaderBytes) + 1024;
        head.setRawHeader("X-Show-Me", QByteArray(longer, 'x'));
    }
    const QJsonObject message{{QStringLiteral("role"), QStringLiteral("user")}, {QStringLiteral("content"), tr("Show me how it works.")}};
    const QJsonObject body{{QStringLiteral("model"), request.model},
                           {QStringLiteral("stream"), request.stream},
                           {QStringLiteral("messages"), QJsonArray{message}}};
    QNetworkReply* reply = m_network.post(head, QJsonDocument(body).toJson(QJsonDocument::Compact));
    m_reply = reply;
    connect(reply, &QNetworkReply::finished, this, [this, reply, request] {
        reply->deleteLater();
        if (m_reply == reply) {
            m_reply = nullptr;
            answered(*reply, request);
        }
    });
    Q_EMIT progressed(tr("Asking for %1…").arg(request.model));
}

void Demonstrator::answered(QNetworkReply& reply, const DemoRequest& request)
{
    if (!m_running)
        return;
    const int status = reply.attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    m_requestId = QString::fromLatin1(reply.rawHeader("x-request-id"));
    if (status == 0) {
        end(tr("No answer from the proxy: %1").arg(reply.errorString()));
        return;
    }
    if (request.longHead && status != 431) {
        end(tr("The proxy did not refuse it: %1").arg(statusText(status)));
        return;
    }
    if (m_demo.kind != Demonstration::Kind::Breaker) {
        Q_EMIT progressed(tr("%1: %2").arg(request.model, statusText(status)));
        next();
        return;
    }
    const Connection* connection = sandbox();
    const BreakerStatus* breaker = connection ? m_link.engine().breaker(connection->provider) : nullptr;
    Q_EMIT progressed(breaker ? tr("%1 failures that count; the breaker is %2.")
                                    .arg(numberText(breaker->failureCount), lookOf(breaker->state, coloursFor({})).word)
                              : tr("%1: %2").arg(request.model, statusText(status)));
    m_pause.start();
}

void Demonstrator::end(const QString& problem)
{
    m_running = false;
    m_pause.stop();
    if (QNetworkReply* reply = std::exchange(m_reply, nullptr))
        reply->abort();
    if (!m_keyId.empty())
        m_link.post([id = m_keyId](Control& control) { control.removeApiKey(id, [](const Result<int>&) {}); });
    m_keyId = {};
    m_key.clear();
    Q_EMIT finished(problem, m_requestId);
}

void Demonstrator::tidy()
{
    if (!m_combo.empty())
        m_link.post([id = m_combo](Control& control) { control.removeCombo(id, [](const Result<int>&) {}); });
    if (!m_ended.empty())
        enable(m_ended, [](const Result<int>&) {});
    m_combo = {};
    m_ended = {};
}

}  // namespace omni
