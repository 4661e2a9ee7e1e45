#include "ui/models/rule_text.h"

#include "ui/models/display_text.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>

namespace omni {

const std::vector<const char*>& ruleTexts()
{
    static const std::vector<const char*> texts{
        QT_TRANSLATE_NOOP("omni::core", "a quota is used up"),
        QT_TRANSLATE_NOOP("omni::core", "an unknown failure"),
        QT_TRANSLATE_NOOP("omni::core", "billing is suspended"),
        QT_TRANSLATE_NOOP("omni::core", "blocked before it reached the provider"),
        QT_TRANSLATE_NOOP("omni::core", "connecting took too long"),
        QT_TRANSLATE_NOOP("omni::core", "cooling is switched off for this connection"),
        QT_TRANSLATE_NOOP("omni::core", "forbidden"),
        QT_TRANSLATE_NOOP("omni::core", "no answer came in time"),
        QT_TRANSLATE_NOOP("omni::core", "no credentials"),
        QT_TRANSLATE_NOOP("omni::core", "no longer than to the quota's reset"),
        QT_TRANSLATE_NOOP("omni::core", "no rule for this status"),
        QT_TRANSLATE_NOOP("omni::core", "no such model here"),
        QT_TRANSLATE_NOOP("omni::core", "not found"),
        QT_TRANSLATE_NOOP("omni::core", "overloaded"),
        QT_TRANSLATE_NOOP("omni::core", "payment required"),
        QT_TRANSLATE_NOOP("omni::core", "rate limit"),
        QT_TRANSLATE_NOOP("omni::core", "rejected"),
        QT_TRANSLATE_NOOP("omni::core", "server error"),
        QT_TRANSLATE_NOOP("omni::core", "short of capacity"),
        QT_TRANSLATE_NOOP("omni::core", "the TLS handshake failed"),
        QT_TRANSLATE_NOOP("omni::core", "the account is banned"),
        QT_TRANSLATE_NOOP("omni::core", "the account is forbidden"),
        QT_TRANSLATE_NOOP("omni::core", "the allocation of the day is used up"),
        QT_TRANSLATE_NOOP("omni::core", "the answer stopped coming"),
        QT_TRANSLATE_NOOP("omni::core", "the answer was no valid HTTP"),
        QT_TRANSLATE_NOOP("omni::core", "the attempt reached its deadline"),
        QT_TRANSLATE_NOOP("omni::core", "the connection was closed before the answer was complete"),
        QT_TRANSLATE_NOOP("omni::core", "the connection was refused or the host cannot be reached"),
        QT_TRANSLATE_NOOP("omni::core", "the connection was reset"),
        QT_TRANSLATE_NOOP("omni::core", "the connection's own proxy failed"),
        QT_TRANSLATE_NOOP("omni::core", "the credits are used up"),
        QT_TRANSLATE_NOOP("omni::core", "the endpoint has moved"),
        QT_TRANSLATE_NOOP("omni::core", "the first time in a row"),
        QT_TRANSLATE_NOOP("omni::core", "the host name could not be resolved"),
        QT_TRANSLATE_NOOP("omni::core", "the key is expired"),
        QT_TRANSLATE_NOOP("omni::core", "the key is not valid (API_KEY_INVALID)"),
        QT_TRANSLATE_NOOP("omni::core", "the key is refused"),
        QT_TRANSLATE_NOOP("omni::core", "the limit for a minute"),
        QT_TRANSLATE_NOOP("omni::core", "the model is not supported"),
        QT_TRANSLATE_NOOP("omni::core", "the model is not to be had here"),
        QT_TRANSLATE_NOOP("omni::core", "the model is retired"),
        QT_TRANSLATE_NOOP("omni::core", "the plan's limit is reached"),
        QT_TRANSLATE_NOOP("omni::core", "the quota for a day is spent"),
        QT_TRANSLATE_NOOP("omni::core", "the quota of the day is used up"),
        QT_TRANSLATE_NOOP("omni::core", "the quota of the last 24 hours is used up"),
        QT_TRANSLATE_NOOP("omni::core", "the quota of the week is used up"),
        QT_TRANSLATE_NOOP("omni::core", "the request is too large"),
        QT_TRANSLATE_NOOP("omni::core", "the second time in a row, the next one is a ban"),
        QT_TRANSLATE_NOOP("omni::core", "the service behind this connection does not run"),
        QT_TRANSLATE_NOOP("omni::core", "the session's limit is reached"),
        QT_TRANSLATE_NOOP("omni::core", "the stream brought no content in time"),
        QT_TRANSLATE_NOOP("omni::core", "the subscription's limit is reached"),
        QT_TRANSLATE_NOOP("omni::core", "the third time in a row"),
        QT_TRANSLATE_NOOP("omni::core", "the transport failed"),
        QT_TRANSLATE_NOOP("omni::core", "this request was rejected"),
        QT_TRANSLATE_NOOP("omni::core", "too many requests at once"),
    };
    return texts;
}

QString ruleText(const std::string& english)
{
    static const QRegularExpression status(QStringLiteral("^(HTTP \\d+): (.*)$"), QRegularExpression::DotMatchesEverythingOption);
    const QString between = QStringLiteral("; ");
    QStringList parts = toQString(english).split(between);
    for (QString& part : parts) {
        const QRegularExpressionMatch match = status.match(part);
        part = match.hasMatch() ? match.captured(1) + QStringLiteral(": ") + coreText(toUtf8(match.captured(2))) : coreText(toUtf8(part));
    }
    return parts.join(between);
}

}  // namespace omni
