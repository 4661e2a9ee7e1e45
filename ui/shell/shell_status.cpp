#include "ui/shell/shell_status.h"

#include "ui/models/display_text.h"
#include "ui/models/hold_actions.h"

#include <QClipboard>
#include <QCoreApplication>
#include <QGuiApplication>
#include <QRegularExpression>

#include <algorithm>

namespace omni {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(omni::ShellStatus)
};

}  // namespace

ShellState shellStateOf(const ListenerState& listener, bool anyTrouble)
{
    switch (listener.phase) {
    case ListenerPhase::Stopped: return ShellState::Stopped;
    case ListenerPhase::Starting: return ShellState::Starting;
    case ListenerPhase::Serving: return anyTrouble ? ShellState::Degraded : ShellState::Serving;
    case ListenerPhase::Failed: return ShellState::Failed;
    }
    return ShellState::Stopped;
}

StateLook lookOf(ShellState state, const Colours& colours)
{
    switch (state) {
    case ShellState::Stopped: return {colours.mutedText, QStringLiteral("○"), Words::tr("Stopped")};
    case ShellState::Starting: return {colours.probing, QStringLiteral("◐"), Words::tr("Starting")};
    case ShellState::Serving:
    case ShellState::Degraded:  // what is degraded is named beside it; the proxy itself serves
        return {colours.good, QStringLiteral("●"), Words::tr("Serving")};
    case ShellState::Failed: return {colours.bad, QStringLiteral("■"), Words::tr("Not serving")};
    }
    return {};
}

StateLook Trouble::look(const Colours& colours) const
{
    return std::visit([&colours](auto key) { return lookOf(key, colours); }, state);
}

QString Trouble::text(WallTime now) const
{
    const QString word = look(Colours{}).word;
    if (until && *until > now)
        return Words::tr("%1 %2, %3", "who, state, time left").arg(title, word, countdownText(*until - now));
    return Words::tr("%1 %2", "who, state").arg(title, word);
}

std::vector<Trouble> troublesOf(const Configuration& configuration, const EngineSnapshot& snapshot, WallTime now)
{
    std::vector<Trouble> troubles;
    const std::vector<HoldItem> holds = holdsOf(configuration, snapshot, now);
    for (const HoldItem& hold : holds) {
        if (hold.kind == HoldKind::Breaker)
            troubles.push_back({BreakerState::Open, hold.title, hold.until});
        else if (hold.connection.empty())
            troubles.push_back({hold.reason, hold.title, hold.until});
    }
    for (const BreakerState wanted : {BreakerState::HalfOpen, BreakerState::Degraded}) {
        for (const BreakerStatus& breaker : snapshot.breakers) {
            if (breaker.state == wanted)
                troubles.push_back({wanted, providerText(&configuration, breaker.provider), std::nullopt});
        }
    }
    for (const HoldItem& hold : holds) {
        if (!hold.connection.empty())
            troubles.push_back({hold.reason, hold.title, hold.until});
    }
    // Many models may be locked at once, while their connections serve: together they are one trouble.
    const HoldList models = listHolds(configuration, snapshot, now, 1, HoldFilter::Models, false);
    if (models.total == 1)
        troubles.push_back({models.first.front().reason, models.first.front().title, models.first.front().until});
    else if (models.total > 1)
        troubles.push_back({Exclusion::ConnectionCooldown, Words::tr("%1 models").arg(numberText(static_cast<std::int64_t>(models.total))),
            std::nullopt});
    return troubles;
}

QString addressText(const ListenerState& listener)
{
    return listener.port > 0 ? QStringLiteral("%1:%2").arg(toQString(listener.address)).arg(listener.port) : QString();
}

QString portTakenText(int port, const QString& holder, qint64 pid)
{
    const QString number = QString::number(port);
    if (holder.isEmpty())
        return Words::tr("Port %1 is taken by another program.").arg(number);
    return Words::tr("Port %1 is taken by %2 (process %3).").arg(number, holder, QString::number(pid));
}

QString failureText(const ListenerState& listener)
{
    const QString english = toQString(listener.error);
    if (listener.suggestedPort <= 0)
        return coreText(listener.error);
    static const QRegularExpression holder(QStringLiteral("taken by (.+) \\(process (\\d+)\\)"));
    const QRegularExpressionMatch match = holder.match(english);
    return portTakenText(listener.port, match.captured(1), match.captured(2).toLongLong());
}

void startProxy(CoreLink& link)
{
    link.post([](Control& control) { control.startProxy(); });
}

void stopProxy(CoreLink& link)
{
    link.post([](Control& control) { control.stopProxy(); });
}

void toggleProxy(CoreLink& link)
{
    const ListenerPhase phase = link.listener().phase;
    if (phase == ListenerPhase::Serving || phase == ListenerPhase::Starting)
        stopProxy(link);
    else
        startProxy(link);
}

void changePort(CoreLink& link, int port)
{
    link.ask<Settings>(
        &link,
        [port](Control& control, Reply<Settings> reply) {
            control.patchSettings("{\"proxy\":{\"port\":" + std::to_string(port) + "}}", std::move(reply));
        },
        [&link](const Result<Settings>& result) {
            if (!result)
                Q_EMIT link.noticeRaised(errorText(result.error()));
        });
}

void clearHold(CoreLink& link, const HoldItem& hold)
{
    link.post([hold](Control& control) { endHold(control, hold); });
}

void clearAllHolds(CoreLink& link)
{
    link.post([](Control& control) { endAllHolds(control); });
}

QString copyBaseUrl(const CoreLink& link)
{
    const QString url = toQString(link.listener().baseUrl());
    QGuiApplication::clipboard()->setText(url);
    return url;
}

}  // namespace omni
