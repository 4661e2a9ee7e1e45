#include "sandbox/behaviours.h"

namespace omni::sandbox {

namespace {

constexpr std::size_t kUsualFaultAfter = 3;

template <Fault fault>
void breakWith(Plan& plan, const Situation& now)
{
    answerWell(plan, now);
    plan.fault = fault;
    plan.faultAfter = kUsualFaultAfter;
}

template <Opening opening>
void beginWith(Plan& plan, const Situation&)
{
    plan.opening = opening;
}

ApiError errorOfKind(std::string_view kind)
{
    if (kind == "rate-limit")
        return {429, "Rate limit reached for the sandbox. Please retry in 3.5s."};
    if (kind == "quota")
        return {429, "You exceeded your current quota, please check your plan and billing details.", "insufficient_quota",
                "insufficient_quota"};
    if (kind == "auth")
        return {401, "The sandbox does not accept this API key."};
    if (kind == "invalid")
        return {400, "The sandbox finds this request invalid."};
    if (kind == "server")
        return {500, "The sandbox had an internal error."};
    return {529, "Overloaded"};
}

void errorBody(Plan& plan, const Situation& now)
{
    plan.error = errorOfKind(now.prompt.name.kind());
    plan.status = 200;
}

void errorIn200(Plan& plan, const Situation& now)
{
    if (!now.prompt.stream) {
        errorBody(plan, now);
        return;
    }
    answerWell(plan, now);
    plan.heartbeats = true;
    plan.fault = Fault::ErrorEvent;
    plan.faultError = errorOfKind(now.prompt.name.kind());
}

}  // namespace

const std::vector<Behaviour>& brokenBehaviours()
{
    static const std::vector<Behaviour> list = {
        {{"silent", "Takes the request and never answers.", true}, beginWith<Opening::Silence>},
        {{"silent-after-headers", "Sends the headers and then nothing.", true},
         [](Plan& plan, const Situation& now) {
             answerWell(plan, now);
             plan.contentType = now.prompt.stream ? "text/event-stream; charset=utf-8" : "application/json";
             plan.body = std::string();
             plan.framing = now.prompt.stream ? Framing::Chunked : Framing::Length;
             plan.promisedExtra = 1000;
             plan.fault = Fault::Stall;
         }},
        {{"reset-before-headers", "Resets the connection instead of answering.", true}, beginWith<Opening::Reset>},
        {{"close-before-headers", "Closes the connection instead of answering.", true}, beginWith<Opening::Close>},
        {{"stall", "Stops for ever in the middle of the answer, after pieces of it (3 by default)."}, breakWith<Fault::Stall>},
        {{"reset-mid-stream", "Resets the connection in the middle of the answer, after pieces of it (3 by default)."},
         breakWith<Fault::Reset>},
        {{"close-mid-stream",
          "Closes the connection in the middle of the answer without its last chunk, after pieces of it (3 by default)."},
         [](Plan& plan, const Situation& now) {
             breakWith<Fault::Close>(plan, now);
             plan.framing = Framing::Chunked;
         }},
        {{"truncated", "Promises a longer body than it sends before it closes."},
         [](Plan& plan, const Situation& now) {
             breakWith<Fault::Close>(plan, now);
             plan.framing = Framing::Length;
             plan.promisedExtra = 1'000'000;
         }},
        {{"malformed-chunk", "Sends a chunk size that is none, after pieces of the answer (3 by default)."},
         [](Plan& plan, const Situation& now) {
             breakWith<Fault::MalformedChunk>(plan, now);
             plan.framing = Framing::Chunked;
         }},
        {{"malformed-json", "Sends JSON that is broken off, after pieces of the answer (3 by default), and goes on."},
         breakWith<Fault::MalformedJson>},
        {{"glued-json", "Puts two JSON objects into one data line."},
         [](Plan& plan, const Situation& now) {
             answerWell(plan, now);
             plan.shape = EventShape::Glued;
         }},
        {{"error-in-200", "A 200 whose first meaningful event is an error: kind is overloaded, rate-limit, quota, auth, invalid or server.",
          true},
         errorIn200},
        {{"error-json-200", "A 200 whose body is an error object: kind as for error-in-200.", true}, errorBody},
        {{"error-mid-stream", "An error event after pieces of the answer (3 by default): kind as for error-in-200."},
         [](Plan& plan, const Situation& now) {
             if (!now.prompt.stream) {
                 errorBody(plan, now);
                 return;
             }
             breakWith<Fault::ErrorEvent>(plan, now);
             plan.faultError = errorOfKind(now.prompt.name.kind());
         }},
        {{"empty-200", "A 200 without a body.", true}, [](Plan& plan, const Situation&) { plan.body = std::string(); }},
        {{"html-200", "A 200 with a web page, as a captive portal answers.", true},
         [](Plan& plan, const Situation&) {
             plan.contentType = "text/html; charset=utf-8";
             plan.body = "<!doctype html><html><head><title>Sign in to the sandbox</title></head><body><h1>Sign in</h1></body></html>";
         }},
        {{"no-done", "A stream that ends cleanly without its last event."},
         [](Plan& plan, const Situation& now) {
             answerWell(plan, now);
             plan.terminator = false;
         }},
        {{"no-finish-reason", "An answer that never says why it ended."},
         [](Plan& plan, const Situation& now) {
             answerWell(plan, now);
             plan.finishReason = false;
         }},
        {{"half-trailer", "Closes the connection in the middle of a trailer field."},
         [](Plan& plan, const Situation& now) {
             answerWell(plan, now);
             plan.framing = Framing::Chunked;
             plan.trailers = plan.cutInTrailer = true;
         }},
    };
    return list;
}

}  // namespace omni::sandbox
