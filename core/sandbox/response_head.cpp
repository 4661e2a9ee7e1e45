#include "sandbox/response_head.h"

#include "sandbox/behaviours.h"

#include <algorithm>
#include <array>

namespace omni::sandbox {

std::string_view reasonPhrase(int status)
{
    struct Reason {
        int status;
        std::string_view text;
    };
    static constexpr std::array<Reason, 16> kReasons = {{{200, "OK"},
                                                         {307, "Temporary Redirect"},
                                                         {400, "Bad Request"},
                                                         {401, "Unauthorized"},
                                                         {402, "Payment Required"},
                                                         {403, "Forbidden"},
                                                         {404, "Not Found"},
                                                         {405, "Method Not Allowed"},
                                                         {413, "Content Too Large"},
                                                         {429, "Too Many Requests"},
                                                         {500, "Internal Server Error"},
                                                         {501, "Not Implemented"},
                                                         {502, "Bad Gateway"},
                                                         {503, "Service Unavailable"},
                                                         {504, "Gateway Timeout"},
                                                         {529, "Overloaded"}}};
    const auto* found = std::find_if(kReasons.begin(), kReasons.end(), [status](const Reason& reason) { return reason.status == status; });
    return found == kReasons.end() ? "Error" : found->text;
}

std::string responseHead(const Plan& plan, const HeadFacts& facts)
{
    std::string head;
    head.reserve(512);
    if (plan.earlyHints)
        head += "HTTP/1.1 103 Early Hints\r\nLink: </sandbox>; rel=preconnect\r\n\r\n";
    head.append("HTTP/1.1 ").append(std::to_string(plan.status)).append(" ").append(reasonPhrase(plan.status));
    head.append("\r\nDate: ").append(httpDate(facts.now)).append("\r\nContent-Type: ");
    if (!plan.contentType.empty())
        head += plan.contentType;
    else
        head += facts.stream ? "text/event-stream; charset=utf-8" : "application/json";
    head.append(facts.anthropic ? "\r\nrequest-id: " : "\r\nx-request-id: ").append(facts.requestId);
    head.append("\r\nX-Sandbox: ").append(facts.behaviour.empty() ? "none" : facts.behaviour);
    if (facts.stream)
        head += "\r\nCache-Control: no-cache";
    if (plan.gzip)
        head += "\r\nContent-Encoding: gzip";
    for (const auto& [name, value] : plan.headers)
        head.append("\r\n").append(name).append(": ").append(value);
    if (facts.framing == Framing::Length)
        head.append("\r\nContent-Length: ").append(std::to_string(facts.length + plan.promisedExtra));
    else if (facts.framing == Framing::Chunked)
        head += "\r\nTransfer-Encoding: chunked";
    if (plan.trailers)
        head += "\r\nTrailer: X-Sandbox-Trailer";
    if (facts.framing == Framing::UntilClose || !facts.keepAlive)
        head += "\r\nConnection: close";
    head += "\r\n\r\n";
    return head;
}

}  // namespace omni::sandbox
