#pragma once

#include "ui/core_link.h"
#include "ui/models/holds.h"
#include "ui/theme/theme.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

namespace omni {

/// What the program as a whole is doing, as the tray's icon and the status strip's first word tell it.
enum class ShellState : std::uint8_t { Stopped, Starting, Serving, Degraded, Failed };

ShellState shellStateOf(const ListenerState& listener, bool anyTrouble);
StateLook lookOf(ShellState state, const Colours& colours);

/// One thing the status strip names: a provider or connection that is not as it should be, and how.
struct Trouble {
    std::variant<BreakerState, Exclusion> state;
    QString title;
    std::optional<WallTime> until;

    StateLook look(const Colours& colours) const;
    /// "openai open, 0:21".
    QString text(WallTime now) const;
    bool operator==(const Trouble&) const = default;
};

/// What is open, half-open, degraded, resting or in need of the user: the worst first.
std::vector<Trouble> troublesOf(const Configuration& configuration, const EngineSnapshot& snapshot, WallTime now);

/// "127.0.0.1:20128"; empty before there is a port.
QString addressText(const ListenerState& listener);
/// "Port 20128 is taken by nginx (process 812)." `holder` empty = unknown.
QString portTakenText(int port, const QString& holder, qint64 pid);
/// Why the listener failed, translated where it can be.
QString failureText(const ListenerState& listener);

// What strip, tray and window all offer. They return at once; what comes of it arrives over the link.
void startProxy(CoreLink& link);
void stopProxy(CoreLink& link);
/// Stops it while it serves or begins to, starts it otherwise.
void toggleProxy(CoreLink& link);
/// Makes `port` the setting, which binds it; for when the one set is taken.
void changePort(CoreLink& link, int port);
void clearHold(CoreLink& link, const HoldItem& hold);
/// Whatever passes by itself; states that need the user stay.
void clearAllHolds(CoreLink& link);
/// Puts the base URL on the clipboard and returns it.
QString copyBaseUrl(const CoreLink& link);

}  // namespace omni
