#pragma once

#include "control/control.h"

#include <QString>
#include <QStringList>

namespace omni {

/// What was asked for and, where that differs, what answered: "fast → glm-4.6".
QString modelText(const RequestRecord& record);
/// "1.2 k → 340", tokens in and out; "–" when nobody told.
QString tokensText(const RequestRecord& record);
/// How many targets were tried; -1 = unknown.
int attemptCountOf(const RequestRecord& record);

/// The whole story in one sentence: "Answered by Groq · home key after 1.4 s; first tried OpenAI · team, which answered HTTP 503."
QString storyOf(const RequestRecord& record, const Configuration* configuration);
/// What followed an attempt, in translated words.
QString decisionText(const AttemptRecord& attempt);
/// "HTTP 503, server error", or what the transport said.
QString attemptResultText(const AttemptRecord& attempt);
/// Why a target was left out, in a few translated words: "resting", "prompt too long for this model".
QString leftOutReason(const ExcludedTarget& target);
/// Until when: "left out, for another 1:05".
QString leftOutTime(const ExcludedTarget& target);
/// The phases of an attempt in words, for those who cannot see the waterfall.
QString phasesText(const AttemptRecord& attempt);

/// The whole request as plain text, for a bug report.
QString requestAsText(const RequestRecord& record, const Configuration* configuration);
/// A shell command that asks the proxy the same kind of question. Bodies are not kept and keys never shown: both stand as placeholders.
QString requestAsCurl(const RequestRecord& record, const std::string& baseUrl);

}  // namespace omni
