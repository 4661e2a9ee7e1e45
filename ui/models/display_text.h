#pragma once

#include "base/result.h"
#include "model/configuration.h"
#include "model/hold.h"
#include "model/request_record.h"

#include <QString>

#include <cstdint>
#include <string>
#include <string_view>

namespace omni {

/// A core string (UTF-8) for a widget, and back.
QString toQString(std::string_view text);
std::string toUtf8(const QString& text);

WallTime wallNow();

/// A whole number in the locale's digits and groups.
QString numberText(std::int64_t value);
/// With at most `decimals` places, trailing zeros dropped.
QString decimalText(double value, int decimals);
/// Date and time to the millisecond, for tooltips and detail panes.
QString exactTimeText(WallTime time);
/// "3 minutes ago", for tooltips; "just now" below a minute.
QString agoText(WallTime time, WallTime now);

/// The provider's name for people; its id when the configuration does not know it (any more).
QString providerText(const Configuration* configuration, const ProviderId& id);
/// "Groq · old key".
QString targetText(const Configuration* configuration, const ProviderId& provider, const std::string& connectionName);

/// What a failure was, in a few translated lower-case words.
QString reasonText(FailureReason reason);
/// Who set a deadline, in a few translated words; empty for None.
QString hintSourceText(HintSource source);
/// "HTTP 503", or "no answer" for 0. A status is a name rather than a number: its digits stay as they are.
QString statusText(int status);

/// Text from the core is plain English; it is translated where the translations know it.
QString coreText(const std::string& english);
/// An error with its field messages, for a message bar.
QString errorText(const Error& error);

}  // namespace omni
