#include "telemetry/metrics.h"

#include <algorithm>
#include <charconv>
#include <cstdio>

namespace omni {

namespace {

/// Label values: backslash, quote and line feed are escaped; everything else is UTF-8 as it stands.
std::string escapedLabel(std::string_view value)
{
    std::string out;
    out.reserve(value.size());
    for (char c : value) {
        if (c == '\\')
            out += "\\\\";
        else if (c == '"')
            out += "\\\"";
        else if (c == '\n')
            out += "\\n";
        else
            out += c;
    }
    return out;
}

/// Microseconds as seconds, without a trailing zero and without loss: "0.0025", "60".
std::string seconds(std::int64_t micros)
{
    char text[32];
    std::snprintf(text, sizeof text, "%lld.%06lld", static_cast<long long>(micros / 1'000'000), static_cast<long long>(micros % 1'000'000));
    std::string out = text;
    while (out.back() == '0')
        out.pop_back();
    if (out.back() == '.')
        out.pop_back();
    return out;
}

class Exposition {
public:
    void family(std::string_view name, std::string_view type, std::string_view help)
    {
        m_text.append("# HELP ").append(name).append(" ").append(help).append("\n");
        m_text.append("# TYPE ").append(name).append(" ").append(type).append("\n");
    }

    /// `labels` is complete: `provider="openai"`, or empty.
    void sample(std::string_view name, std::string_view labels, std::string_view value)
    {
        m_text.append(name);
        if (!labels.empty())
            m_text.append("{").append(labels).append("}");
        m_text.append(" ").append(value).append("\n");
    }

    void sample(std::string_view name, std::string_view labels, std::uint64_t value) { sample(name, labels, std::to_string(value)); }

    void histogram(std::string_view name, std::string_view help, const BoundedHistogram& histogram)
    {
        family(name, "histogram", help);
        const std::string bucket = std::string(name) + "_bucket";
        for (std::size_t i = 0; i < BoundedHistogram::kBounds; ++i)
            sample(bucket, "le=\"" + seconds(BoundedHistogram::bounds()[i]) + "\"", histogram.countUpTo(i));
        const std::uint64_t all = histogram.countUpTo(BoundedHistogram::kBounds);
        sample(bucket, "le=\"+Inf\"", all);
        sample(std::string(name) + "_sum", "", seconds(histogram.sum()));
        sample(std::string(name) + "_count", "", all);
    }

    std::string take() { return std::move(m_text); }

private:
    std::string m_text;
};

std::string label(std::string_view name, std::string_view value)
{
    return std::string(name) + "=\"" + escapedLabel(value) + "\"";
}

}  // namespace

std::string Metrics::prometheus(const std::vector<BreakerStatus>& breakers, const std::vector<ConnectionHealth>& healths) const
{
    Exposition out;
    out.family("omniroute_start_time_seconds", "gauge", "Start of the counting, in Unix time.");
    out.sample("omniroute_start_time_seconds", "", seconds(epochMillis(m_startedWall) * 1'000));

    out.family("omniroute_requests_total", "counter", "Finished client requests by how they ended.");
    for (std::size_t i = 0; i < m_byOutcome.size(); ++i)
        out.sample("omniroute_requests_total", label("outcome", toString(static_cast<Outcome>(i))), m_byOutcome[i]);

    out.family("omniroute_responses_total", "counter", "Finished client requests by the HTTP status told to the client, 0 for none.");
    for (std::size_t status = 0; status < m_byStatus.size(); ++status) {
        if (m_byStatus[status] > 0)
            out.sample("omniroute_responses_total", label("status", std::to_string(status)), m_byStatus[status]);
    }

    out.family("omniroute_provider_requests_total", "counter", "Attempts sent to a provider.");
    for (const auto& [provider, counter] : m_byProvider)
        out.sample("omniroute_provider_requests_total", label("provider", provider.str()), counter.requests);
    out.family("omniroute_provider_failures_total", "counter", "Attempts that failed at a provider; clients that left are not among them.");
    for (const auto& [provider, counter] : m_byProvider)
        out.sample("omniroute_provider_failures_total", label("provider", provider.str()), counter.failed);
    out.family("omniroute_provider_tokens_total", "counter", "Tokens as a provider reported them.");
    for (const auto& [provider, counter] : m_byProvider) {
        const std::string labels = label("provider", provider.str()) + ",";
        out.sample("omniroute_provider_tokens_total", labels + "direction=\"input\"", counter.tokensIn);
        out.sample("omniroute_provider_tokens_total", labels + "direction=\"output\"", counter.tokensOut);
        out.sample("omniroute_provider_tokens_total", labels + "direction=\"cached\"", counter.tokensCached);
    }

    out.histogram("omniroute_request_duration_seconds", "Whole duration of client requests.", m_duration);
    out.histogram("omniroute_added_latency_seconds", "Time this program spent on a request, waiting for upstreams apart.",
                  m_addedLatency);
    out.histogram("omniroute_first_frame_seconds", "Time to the first meaningful frame of streamed answers.", m_firstFrame);

    out.family("omniroute_active_requests", "gauge", "Client requests under way.");
    out.sample("omniroute_active_requests", "", static_cast<std::uint64_t>(std::max(m_active, 0)));

    out.family("omniroute_breaker_state", "gauge", "Circuit breaker of a provider: 0 closed, 1 degraded (serving), 2 open, 3 half-open.");
    for (const BreakerStatus& breaker : breakers)
        out.sample("omniroute_breaker_state", label("provider", breaker.provider.str()), static_cast<std::uint64_t>(breaker.state));

    const WallTime now = m_clock.wall();
    const auto cooling = std::count_if(healths.begin(), healths.end(), [now](const ConnectionHealth& health) {
        return health.terminal == TerminalState::None && health.coolingUntil && *health.coolingUntil > now;
    });
    const auto stopped = std::count_if(healths.begin(), healths.end(),
                                       [](const ConnectionHealth& health) { return health.terminal != TerminalState::None; });
    out.family("omniroute_connections_cooling", "gauge", "Connections in a transient cooldown.");
    out.sample("omniroute_connections_cooling", "", static_cast<std::uint64_t>(cooling));
    out.family("omniroute_connections_stopped", "gauge", "Connections that wait for someone to act: banned, expired, out of credit.");
    out.sample("omniroute_connections_stopped", "", static_cast<std::uint64_t>(stopped));
    return out.take();
}

}  // namespace omni
