#include "resilience/classify_429.h"

#include "base/text.h"

namespace omni {

bool namesQuota(const MarkerSet& markers, const ErrorBody& body)
{
    if (markers.has(Marker::Quota))
        return true;
    const std::string_view whole = trimmed(body.errorText);
    const std::size_t end = whole.find_last_not_of(". ");
    return end != std::string_view::npos && equalsIgnoreCase(whole.substr(0, end + 1), "usage limit reached");
}

FailureKind classify429(int status, const MarkerSet& markers, const ErrorBody& body, const std::optional<ProseHint>& prose)
{
    if (status != 429)
        return FailureKind::Transient;
    if (markers.has(Marker::QuotaTerminal))
        return FailureKind::QuotaExhausted;
    const std::optional<Millis> window = declaredWindow(body, prose);
    if (window && *window < std::chrono::hours(1))
        return FailureKind::RateLimit;
    return namesQuota(markers, body) ? FailureKind::QuotaExhausted : FailureKind::RateLimit;
}

}  // namespace omni
