#include "ui/connections/connection_actions.h"

#include "ui/core_link.h"
#include "ui/models/connections_model.h"
#include "ui/models/display_text.h"
#include "ui/models/hold_actions.h"
#include "ui/theme/theme.h"

#include <QPointer>

#include <algorithm>
#include <utility>

namespace omni {

ConnectionActions::ConnectionActions(CoreLink& link, ConnectionsModel& model, QObject* parent)
    : QObject(parent), m_link(link), m_model(model)
{
}

QString ConnectionActions::nameOf(const ConnectionId& id) const
{
    const Connection* connection = m_model.connectionAt(m_model.rowOf(id));
    return connection ? targetText(m_model.configuration().get(), connection->provider, connection->name) : QString();
}

void ConnectionActions::tell(const Error& error)
{
    Q_EMIT messageRaised(errorText(error));
}

void ConnectionActions::test(const std::vector<ConnectionId>& ids)
{
    for (const ConnectionId& id : ids) {
        if (m_model.testRunning(id) || m_model.rowOf(id) < 0)
            continue;
        m_model.testStarted(id);
        m_waiting.push_back(id);
        ++m_total;
    }
    startTests();
    tellProgress();
}

void ConnectionActions::tellProgress()
{
    const int left = static_cast<int>(m_waiting.size() + m_running.size());
    Q_EMIT testsProgressed(m_total - left, m_total);
}

void ConnectionActions::cancelTests()
{
    if (!testing())
        return;
    m_link.post([group = std::exchange(m_group, newTestGroup())](Control& control) { control.cancelTests(group); });
    std::vector<ConnectionId> given = std::exchange(m_running, {});
    given.insert(given.end(), m_waiting.begin(), m_waiting.end());
    m_waiting.clear();
    for (const ConnectionId& id : given)
        m_model.testFinished(id, std::nullopt, wallNow());
    const qsizetype through = m_passed + m_failed.size();
    const QString text = tr("Testing was stopped: %1 of %2 were tested, %3 of them failed.")
                             .arg(numberText(through), numberText(m_total), numberText(m_failed.size()));
    endTests();
    Q_EMIT messageRaised(text);
}

void ConnectionActions::endTests()
{
    m_passed = 0;
    m_failed.clear();
    m_total = 0;
    tellProgress();
}

void ConnectionActions::startTests()
{
    while (m_running.size() < kParallelTests && !m_waiting.empty()) {
        const ConnectionId id = m_waiting.front();
        m_waiting.pop_front();
        const Connection* connection = m_model.connectionAt(m_model.rowOf(id));
        if (!connection) {
            --m_total;  // deleted while it waited
            continue;
        }
        m_running.push_back(id);
        m_link.ask<TestReport>(
            this,
            [draft = ConnectionDraft{*connection, std::nullopt, std::nullopt}, group = m_group](
                Control& control, const Reply<TestReport>& reply) { control.testConnection(draft, reply, group); },
            [this, id, group = m_group](const Result<TestReport>& result) {
                if (group == m_group)
                    testAnswered(id, result);
            });
    }
    if (!m_running.empty() || !m_waiting.empty())
        return;
    const auto count = m_passed + m_failed.size();
    const QStringList failed = m_failed;
    endTests();
    if (count == 1)
        Q_EMIT messageRaised(m_lastResult);
    else if (count > 1 && failed.isEmpty())
        Q_EMIT messageRaised(tr("All %1 tests passed.").arg(numberText(count)));
    else if (count > 1)
        Q_EMIT messageRaised(
            tr("%1 of %2 tests failed: %3").arg(numberText(failed.size()), numberText(count), failed.mid(0, 5).join(QStringLiteral(", "))));
}

void ConnectionActions::testAnswered(const ConnectionId& id, const Result<TestReport>& result)
{
    std::erase(m_running, id);
    TestReport report = result ? *result : TestReport();
    if (!result)
        report.message = describe(result.error());
    const QString name = nameOf(id);
    if (report.ok) {
        ++m_passed;
        const QString latency = durationText(report.latency.count() * 1000);
        m_lastResult = report.models.empty()
            ? tr("%1: test passed in %2").arg(name, latency)
            : tr("%1: test passed in %2, %3 models").arg(name, latency, numberText(static_cast<std::int64_t>(report.models.size())));
    } else {
        m_failed << name;
        const QString words = report.message.empty() ? statusText(report.status) : coreText(report.message);
        m_lastResult = tr("%1: test failed: %2").arg(name, words);
    }
    m_model.testFinished(id, std::move(report), wallNow());
    startTests();
    if (testing())
        tellProgress();
}

void ConnectionActions::setEnabled(const std::vector<ConnectionId>& ids, bool enabled)
{
    std::vector<ConnectionId> changing;
    for (const ConnectionId& id : ids) {
        const Connection* connection = m_model.connectionAt(m_model.rowOf(id));
        if (connection && connection->enabled != enabled)
            changing.push_back(id);
    }
    if (changing.empty())
        return;
    m_link.ask<int>(
        this, [changing, enabled](Control& control, const Reply<int>& reply) { control.setConnectionsEnabled(changing, enabled, reply); },
        [this, changing, enabled](const Result<int>& result) {
            if (!result) {
                tell(result.error());
                return;
            }
            const bool one = changing.size() == 1;
            const QString what = one ? nameOf(changing.front()) : numberText(static_cast<std::int64_t>(changing.size()));
            const QString text = enabled ? (one ? tr("%1 is in use.").arg(what) : tr("%1 connections are in use.").arg(what))
                                         : (one ? tr("%1 is disabled.").arg(what) : tr("%1 connections are disabled.").arg(what));
            QPointer<ConnectionActions> self(this);
            Q_EMIT messageRaised(text, [self, changing, enabled] {
                if (self)
                    self->setEnabled(changing, !enabled);
            });
        });
}

void ConnectionActions::duplicate(const std::vector<ConnectionId>& ids)
{
    for (const ConnectionId& id : ids) {
        m_link.ask<Connection>(
            this, [id](Control& control, const Reply<Connection>& reply) { control.duplicateConnection(id, reply); },
            [this](const Result<Connection>& copy) {
                if (!copy) {
                    tell(copy.error());
                    return;
                }
                Q_EMIT made(copy->id);
                Q_EMIT messageRaised(tr("“%1” was added, disabled until you switch it on.").arg(toQString(copy->name)));
            });
    }
}

void ConnectionActions::remove(const std::vector<ConnectionId>& ids)
{
    if (ids.empty())
        return;
    const QString name = ids.size() == 1 ? nameOf(ids.front()) : QString();
    m_link.ask<std::string>(
        this, [ids](Control& control, const Reply<std::string>& reply) { control.removeConnections(ids, reply); },
        [this, name, count = ids.size()](const Result<std::string>& token) {
            if (!token) {
                tell(token.error());
                return;
            }
            const QString text = count == 1 ? tr("%1 was deleted.").arg(name)
                                            : tr("%1 connections were deleted.").arg(numberText(static_cast<std::int64_t>(count)));
            QPointer<ConnectionActions> self(this);
            Q_EMIT messageRaised(text, [self, token = *token] {
                if (self)
                    self->undoRemove(token);
            });
        });
}

void ConnectionActions::undoRemove(const std::string& token)
{
    m_link.ask<std::vector<Connection>>(
        this, [token](Control& control, const Reply<std::vector<Connection>>& reply) { control.undoRemove(token, reply); },
        [this](const Result<std::vector<Connection>>& restored) {
            if (!restored) {
                tell(restored.error());
                return;
            }
            if (!restored->empty())
                Q_EMIT made(restored->front().id);
            Q_EMIT messageRaised(restored->size() == 1
                    ? tr("“%1” is back.").arg(toQString(restored->front().name))
                    : tr("%1 connections are back.").arg(numberText(static_cast<std::int64_t>(restored->size()))));
        });
}

void ConnectionActions::clearCooldowns(const std::vector<ConnectionId>& ids)
{
    m_link.ask<EndedHolds>(
        this, [ids](Control& control, const Reply<EndedHolds>& reply) { reply(endHoldsOf(control, ids)); },
        [this](const Result<EndedHolds>& cleared) {
            if (!cleared)
                return;
            QString text = cleared->ended == 1 ? tr("One hold was cleared.") : tr("%1 holds were cleared.").arg(numberText(cleared->ended));
            if (cleared->needUser > 0)
                text += QLatin1Char(' ') + tr("%1 need a new key or credit and stay.").arg(numberText(cleared->needUser));
            Q_EMIT messageRaised(text);
        });
}

void ConnectionActions::refreshModels(const std::vector<ConnectionId>& ids)
{
    for (const ConnectionId& id : ids) {
        m_link.ask<std::vector<std::string>>(
            this, [id](Control& control, const Reply<std::vector<std::string>>& reply) { control.refreshModels(id, reply); },
            [this, id](const Result<std::vector<std::string>>& models) {
                Q_EMIT messageRaised(models
                        ? tr("%1 offers %2 models.").arg(nameOf(id), numberText(static_cast<std::int64_t>(models->size())))
                        : tr("%1: the models could not be listed. %2").arg(nameOf(id), errorText(models.error())));
            });
    }
}

void ConnectionActions::addSandbox()
{
    const ConfigurationPtr& configuration = m_link.configuration();
    const auto& all = configuration->catalogue->all();
    const auto sandbox =
        std::find_if(all.begin(), all.end(), [](const Provider& one) { return one.category == ProviderCategory::Sandbox; });
    if (sandbox == all.end())
        return;
    ConnectionDraft draft;
    draft.connection.provider = sandbox->id;
    draft.connection.name = sandbox->name;
    m_link.ask<Connection>(
        this, [draft](Control& control, const Reply<Connection>& reply) { control.saveConnection(draft, reply); },
        [this](const Result<Connection>& added) {
            if (!added) {
                tell(added.error());
                return;
            }
            Q_EMIT made(added->id);
            Q_EMIT messageRaised(tr("The sandbox is ready: ask for a model such as “sandbox/ok”."));
        });
}

}  // namespace omni
