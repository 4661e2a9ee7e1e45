#include "ui/models/request_text.h"

#include "ui/models/display_text.h"
#include "ui/theme/theme.h"

#include <QCoreApplication>

#include <algorithm>

namespace omni {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(omni::RequestText)
};

/// "OpenAI · team, which answered HTTP 503", for each attempt but the one that answered.
QString triedText(const AttemptRecord& attempt, const Configuration* configuration)
{
    const QString target = targetText(configuration, attempt.provider, attempt.connectionName);
    if (attempt.status > 0)
        return Words::tr("%1, which answered %2").arg(target, statusText(attempt.status));
    if (!attempt.error.empty())
        return Words::tr("%1, which gave no answer (%2)").arg(target, coreText(attempt.error));
    return Words::tr("%1, which gave no answer").arg(target);
}

QString opening(const RequestRecord& record, const Configuration* configuration)
{
    const QString after = durationText(record.durationUs);
    const QString target = targetText(configuration, record.provider, record.connectionName);
    switch (record.outcome) {
    case Outcome::Answered:
        return target.isEmpty() ? Words::tr("Answered by the proxy itself after %1").arg(after)
                                : Words::tr("Answered by %1 after %2").arg(target, after);
    case Outcome::UpstreamFailed:
        return record.status > 0
                   ? Words::tr("No target could answer; the client was told %1 after %2").arg(statusText(record.status), after)
                   : Words::tr("No target could answer; given up after %1").arg(after);
    case Outcome::Broken: return Words::tr("The answer of %1 broke off after %2").arg(target, after);
    case Outcome::ClientGone:
        if (target.isEmpty())
            return Words::tr("The client left after %1").arg(after);
        return record.firstFrameUs >= 0 ? Words::tr("The client left after %1, while %2 was answering").arg(after, target)
                                        : Words::tr("The client left after %1, while waiting for %2").arg(after, target);
    case Outcome::Refused: return Words::tr("Refused by the proxy with %1").arg(statusText(record.status));
    }
    return {};
}

bool isSecretHeader(const QString& lowerName)
{
    return lowerName == QLatin1String("authorization") || lowerName == QLatin1String("x-api-key") || lowerName == QLatin1String("api-key")
        || lowerName == QLatin1String("x-goog-api-key") || lowerName == QLatin1String("cookie")
        || lowerName == QLatin1String("proxy-authorization");
}

/// What curl sets by itself, or what describes the original body.
bool isOwnHeader(const QString& lowerName)
{
    static const QStringList own{QStringLiteral("host"), QStringLiteral("connection"), QStringLiteral("content-length"),
        QStringLiteral("transfer-encoding"), QStringLiteral("accept-encoding"), QStringLiteral("expect"), QStringLiteral("user-agent")};
    return own.contains(lowerName);
}

QString shellQuoted(QString text)
{
    return QLatin1Char('\'') + text.replace(QLatin1Char('\''), QLatin1String("'\\''")) + QLatin1Char('\'');
}

QString jsonQuoted(const std::string& text)
{
    QString quoted;
    for (const QChar c : toQString(text)) {
        if (c == QLatin1Char('"') || c == QLatin1Char('\\'))
            quoted += QLatin1Char('\\');
        if (c.unicode() >= 0x20)
            quoted += c;
    }
    return QLatin1Char('"') + quoted + QLatin1Char('"');
}

QString sampleBody(const RequestRecord& record)
{
    const QString model = jsonQuoted(record.requestedModel);
    const QString stream = record.stream ? QStringLiteral(",\"stream\":true") : QString();
    const QString message = QStringLiteral("\"messages\":[{\"role\":\"user\",\"content\":\"Hello\"}]");
    switch (*record.operation) {
    case Operation::ChatCompletions: return QStringLiteral("{\"model\":%1,%2%3}").arg(model, message, stream);
    case Operation::Completions: return QStringLiteral("{\"model\":%1,\"prompt\":\"Hello\"%2}").arg(model, stream);
    case Operation::Embeddings: return QStringLiteral("{\"model\":%1,\"input\":\"Hello\"}").arg(model);
    case Operation::Responses: return QStringLiteral("{\"model\":%1,\"input\":\"Hello\"%2}").arg(model, stream);
    case Operation::Messages: return QStringLiteral("{\"model\":%1,\"max_tokens\":256,%2%3}").arg(model, message, stream);
    case Operation::CountTokens: return QStringLiteral("{\"model\":%1,%2}").arg(model, message);
    }
    return {};
}

void appendHeaders(QStringList& lines, const QString& title, const std::vector<std::pair<std::string, std::string>>& headers)
{
    if (headers.empty())
        return;
    lines << QString() << title;
    for (const auto& [name, value] : headers)
        lines << QStringLiteral("  ") + toQString(name) + QStringLiteral(": ") + toQString(value);
}

}  // namespace

QString modelText(const RequestRecord& record)
{
    const QString asked = toQString(record.requestedModel);
    const QString served = toQString(record.model);
    if (asked.isEmpty() || served.isEmpty())
        return asked.isEmpty() ? served : asked;
    // "provider/model" that was taken at its word says nothing new on the right.
    if (asked == served || asked.endsWith(QLatin1Char('/') + served))
        return asked;
    return asked + QStringLiteral(" → ") + served;
}

QString tokensText(const RequestRecord& record)
{
    if (record.tokensIn < 0 && record.tokensOut < 0)
        return QStringLiteral("–");
    const auto part = [](std::int64_t count) { return count < 0 ? QStringLiteral("–") : compactNumber(static_cast<double>(count)); };
    return part(record.tokensIn) + QStringLiteral(" → ") + part(record.tokensOut);
}

int attemptCountOf(const RequestRecord& record)
{
    return record.attempts.empty() && record.attemptCount >= 0 ? record.attemptCount : static_cast<int>(record.attempts.size());
}

QString decisionText(const AttemptRecord& attempt)
{
    if (attempt.decision.empty())
        return attempt.success ? Words::tr("answered") : QString();
    return coreText(attempt.decision);
}

QString attemptResultText(const AttemptRecord& attempt)
{
    QStringList parts;
    if (attempt.status > 0)
        parts << statusText(attempt.status);
    if (!attempt.success) {
        if (!attempt.error.empty())
            parts << coreText(attempt.error);
        else if (attempt.reason != FailureReason::Unknown)
            parts << reasonText(attempt.reason);
        else if (attempt.status <= 0)
            parts << statusText(0);
    }
    return parts.join(QStringLiteral(", "));
}

QString leftOutReason(const ExcludedTarget& target)
{
    // Not yet for good: the key is tried again.
    if (target.reason == Exclusion::Expired && target.remainingMs > 0)
        return reasonText(FailureReason::AuthError);
    return lookOf(target.reason, Colours()).word;
}

QString leftOutTime(const ExcludedTarget& target)
{
    if (target.remainingMs <= 0)
        return Words::tr("left out");
    const QString left = countdownText(Millis(target.remainingMs));
    return target.reason == Exclusion::Expired ? Words::tr("left out, tried again in %1").arg(left)
                                               : Words::tr("left out, for another %1").arg(left);
}

QString phasesText(const AttemptRecord& attempt)
{
    QStringList parts{Words::tr("began after %1").arg(durationText(attempt.startedUs))};
    if (attempt.connectUs >= 0)
        parts << Words::tr("connected in %1").arg(durationText(attempt.connectUs));
    if (attempt.firstByteUs >= 0)
        parts << Words::tr("first byte at %1").arg(durationText(attempt.firstByteUs));
    if (attempt.firstFrameUs >= 0)
        parts << Words::tr("first token at %1").arg(durationText(attempt.firstFrameUs));
    if (attempt.totalUs >= 0)
        parts << Words::tr("ended at %1").arg(durationText(attempt.totalUs));
    return parts.join(QStringLiteral(", "));
}

QString storyOf(const RequestRecord& record, const Configuration* configuration)
{
    QString story = opening(record, configuration);
    QStringList tried;
    for (const AttemptRecord& attempt : record.attempts) {
        if (!attempt.success)
            tried << triedText(attempt, configuration);
    }
    // A broken answer's own attempt is told by the opening.
    if (record.outcome == Outcome::Broken && !tried.isEmpty())
        tried.removeLast();
    if (!tried.isEmpty()) {
        const QString list = tried.join(Words::tr(", then ", "between targets tried"));
        story = record.outcome == Outcome::Answered ? Words::tr("%1; first tried %2").arg(story, list)
                                                    : Words::tr("%1; tried %2").arg(story, list);
    }
    return Words::tr("%1.", "end of a sentence").arg(story);
}

QString requestAsText(const RequestRecord& record, const Configuration* configuration)
{
    QStringList lines;
    lines << Words::tr("Request %1, %2").arg(toQString(record.id.str()), exactTimeText(record.startedAt));
    lines << toQString(record.method + " " + record.path);
    lines << storyOf(record, configuration);
    lines << Words::tr("Model: %1").arg(modelText(record));
    if (!record.combo.empty())
        lines << Words::tr("Combo: %1").arg(toQString(record.combo));
    lines << Words::tr("Duration %1, of it our own %2, first token %3")
                 .arg(durationText(record.durationUs), durationText(record.addedUs), durationText(record.firstFrameUs));
    if (record.tokensIn >= 0 || record.tokensOut >= 0)
        lines << Words::tr("Tokens: %1").arg(tokensText(record));
    if (!record.client.empty())
        lines << Words::tr("Client: %1").arg(toQString(record.client));
    if (!record.error.empty())
        lines << Words::tr("Error: %1").arg(coreText(record.error));
    if (!record.attempts.empty())
        lines << QString() << Words::tr("Targets tried:");
    int number = 0;
    for (const AttemptRecord& attempt : record.attempts) {
        lines << QStringLiteral("  %1. %2 · %3: %4 (%5)")
                     .arg(numberText(++number), targetText(configuration, attempt.provider, attempt.connectionName),
                         toQString(attempt.model), attemptResultText(attempt), phasesText(attempt));
        if (!decisionText(attempt).isEmpty())
            lines << QStringLiteral("     → ") + decisionText(attempt);
    }
    if (!record.excluded.empty())
        lines << QString() << Words::tr("Targets left out:");
    for (const ExcludedTarget& target : record.excluded) {
        QString line = QStringLiteral("  %1 · %2: %3")
                           .arg(targetText(configuration, target.provider, target.connectionName), toQString(target.model),
                               leftOutReason(target));
        if (target.remainingMs > 0)
            line += QStringLiteral(", ") + leftOutTime(target);
        lines << line;
    }
    appendHeaders(lines, Words::tr("Request headers:"), record.requestHeaders);
    appendHeaders(lines, Words::tr("Response headers:"), record.responseHeaders);
    return lines.join(QLatin1Char('\n'));
}

QString requestAsCurl(const RequestRecord& record, const std::string& baseUrl)
{
    // The base URL ends in /v1, and so does the beginning of most paths; the address before it is what both share.
    QString address = toQString(baseUrl);
    if (address.endsWith(QLatin1String("/v1")))
        address.chop(3);
    QStringList parts{QStringLiteral("curl ") + shellQuoted(address + toQString(record.path))};
    const QString method = toQString(record.method);
    if (!record.operation && method != QLatin1String("GET"))
        parts << QStringLiteral("-X ") + method;
    if (record.stream)
        parts << QStringLiteral("--no-buffer");
    bool typed = false;
    bool keyed = false;
    for (const auto& [rawName, rawValue] : record.requestHeaders) {
        const QString name = toQString(rawName);
        const QString lower = name.toLower();
        if (isOwnHeader(lower) || lower == QLatin1String("cookie") || lower == QLatin1String("proxy-authorization"))
            continue;
        typed = typed || lower == QLatin1String("content-type");
        if (isSecretHeader(lower)) {
            keyed = true;
            const QString prefix = lower == QLatin1String("authorization") ? QStringLiteral("Bearer ") : QString();
            parts << QStringLiteral("-H \"%1: %2$OMNIROUTE_API_KEY\"").arg(name, prefix);
            continue;
        }
        parts << QStringLiteral("-H ") + shellQuoted(name + QStringLiteral(": ") + toQString(rawValue));
    }
    if (record.operation) {
        if (!typed)
            parts << QStringLiteral("-H 'Content-Type: application/json'");
        if (!keyed)
            parts << QStringLiteral("-H \"Authorization: Bearer $OMNIROUTE_API_KEY\"");
        parts << QStringLiteral("-d ") + shellQuoted(sampleBody(record));
    }
    return parts.join(QStringLiteral(" \\\n  "));
}

}  // namespace omni
