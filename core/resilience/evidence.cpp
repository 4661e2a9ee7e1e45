#include "resilience/evidence.h"

#include "base/text.h"

namespace omni {

namespace {

constexpr std::size_t kFragmentLength = 300;

}  // namespace

std::string redactedHead(std::string_view text, std::size_t limit)
{
    std::string_view window = clippedUtf8(text, 2 * limit);
    // The cut may have torn a credential, which would then not be known for one: what stands before the cut goes too.
    if (window.size() < text.size())
        window = window.substr(0, window.find_last_of(" \t\r\n,\""));
    return std::string(clippedUtf8(redactSecrets(window), limit));
}

Evidence evidenceOf(const Judgement& judgement, const Failure& failure, Millis length, WallTime now)
{
    Evidence evidence;
    evidence.at = now;
    evidence.request = failure.request;
    evidence.status = failure.status;
    if (judgement.hint)
        evidence.header = redactSecrets(judgement.hint->header);
    evidence.bodyFragment = redactedHead(failure.body, kFragmentLength);
    evidence.rule = judgement.rule;
    evidence.source = judgement.source;
    evidence.length = length;
    return evidence;
}

}  // namespace omni
