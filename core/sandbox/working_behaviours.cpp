#include "base/text.h"
#include "sandbox/behaviours.h"
#include "sandbox/json_scan.h"

#include <algorithm>

namespace omni::sandbox {

namespace {

using Words = std::shared_ptr<const std::vector<std::string>>;

constexpr std::string_view kText =
    "This answer comes from OmniRoute's sandbox, not from a model: your request went through the proxy to a scripted upstream on this "
    "machine and came back. Add a provider's key under Connections to talk to a real one.";
constexpr std::string_view kUnicodeText =
    "This answer comes from OmniRoute's sandbox, not from a model: naïve café, über Straße, বাংলা ভাষা, 日本語のテキスト, "
    "Ελληνικά, 🚀 and 👩‍💻 end it.";
constexpr std::string_view kReasoning = "The sandbox pretends to think: first about the question, then about the answer.";

/// Text in pieces of about a word, each with the space before it, JSON-escaped. Long text is cut into at most 1,000 pieces.
Words piecesOf(std::string_view text)
{
    constexpr std::size_t kMost = 1000;
    const std::size_t least = text.size() / kMost + 1;
    std::vector<std::string> pieces;
    while (!text.empty()) {
        std::size_t end = text.find(' ', std::min(least, text.size()));
        end = end == std::string_view::npos ? text.size() : end;
        // Text without spaces is cut anyway, but never inside a character.
        std::string_view piece = clippedUtf8(text.substr(0, end), std::max<std::size_t>(2 * least, 64));
        if (piece.empty())
            piece = text.substr(0, end);
        pieces.push_back(jsonEscaped(piece));
        text.remove_prefix(piece.size());
    }
    if (pieces.empty())
        pieces.emplace_back();
    return std::make_shared<const std::vector<std::string>>(std::move(pieces));
}

void say(Plan& plan, Words words)
{
    plan.content.pieces = words->size();
    plan.content.words = std::move(words);
}

void unicode(Plan& plan)
{
    static const Words words = piecesOf(kUnicodeText);
    say(plan, words);
}

void echo(Plan& plan, const Situation& now)
{
    say(plan, piecesOf(lastUserText(now.prompt.operation, now.request.body)));
}

void stats(Plan& plan, const Situation& now)
{
    const auto& counters = now.counters;
    say(plan, piecesOf("{\"requests\":" + std::to_string(counters.requests) + ",\"streams\":" + std::to_string(counters.streams) +
                       ",\"abortedByClient\":" + std::to_string(counters.abortedByClient) +
                       ",\"connections\":" + std::to_string(counters.connections) + "}"));
}

void slowFirstToken(Plan& plan, const Situation& now)
{
    answerWell(plan, now);
    plan.gap = Millis(0);
    const Millis wait(now.prompt.name.number("ms", 2000));
    // Some upstreams send their headers at once and others only with the first token.
    if (now.prompt.name.number("headers", now.prompt.stream ? 1 : 0) != 0)
        plan.beforeContent = wait;
    else
        plan.beforeHead = wait;
}

void slowStream(Plan& plan, const Situation& now)
{
    answerWell(plan, now);
    plan.gap = plan.beforeContent = Millis(now.prompt.name.number("ms", 200));
}

void huge(Plan& plan, const Situation& now)
{
    constexpr std::uint64_t kMost = 256U * 1024 * 1024;
    const auto bytes = std::max<std::uint64_t>(now.prompt.name.number("bytes", 10U * 1024 * 1024, kMost), 1);
    const auto frame = std::clamp<std::uint64_t>(now.prompt.name.number("frame", 16U * 1024), 1, bytes);
    std::string filler = "sandbox ";
    while (filler.size() < frame)
        filler += filler;
    filler.resize(static_cast<std::size_t>(frame));
    say(plan, std::make_shared<const std::vector<std::string>>(1, std::move(filler)));
    plan.content.pieces = static_cast<std::size_t>((bytes + frame - 1) / frame);
}

void toolCall(Plan& plan, const Situation& now)
{
    answerWell(plan, now);
    // A client that brings the tool's result back gets text, or its loop would never end. Legacy completions know no tools.
    if (now.prompt.hasToolResult || now.prompt.operation == Operation::Completions)
        return;
    plan.content.tool = offeredTool(now.request.body).value_or(OfferedTool{"get_weather", R"({"city":"Dhaka","unit":"celsius"})"});
}

void reasoning(Plan& plan, const Situation& now)
{
    static const Words words = piecesOf(kReasoning);
    answerWell(plan, now);
    plan.content.reasoning = *words;
}

void emptyAnswer(Plan& plan, const Situation&)
{
    static const Words nothing = std::make_shared<const std::vector<std::string>>(1, std::string());
    plan.content.words = nothing;
    plan.content.pieces = 0;
}

}  // namespace

void answerWell(Plan& plan, const Situation&)
{
    static const Words words = piecesOf(kText);
    say(plan, words);
}

const std::vector<Behaviour>& workingBehaviours()
{
    static const std::vector<Behaviour> list = {
        {{"ok", "Answers at once. Every model takes chunks (pieces of the answer) and ms (pause between them)."}, answerWell},
        {{"echo", "Answers with the text the user said last."}, echo},
        {{"stats", "Answers with the sandbox's counters as JSON."}, stats},
        {{"slow-first-token", "Waits before the first token: ms, 2000 by default; headers=0 holds the headers back too."}, slowFirstToken},
        {{"slow-stream", "Pauses before every token: ms, 200 by default."}, slowStream},
        {{"many-chunks", "A stream of many small pieces: chunks, 10000 by default."},
         [](Plan& plan, const Situation& now) {
             answerWell(plan, now);
             plan.content.pieces = 10'000;
         }},
        {{"huge", "A huge answer: bytes, 10 MiB by default, in pieces of frame bytes."}, huge},
        {{"tool-call", "Calls the first tool offered; answers in text once a result is brought back."}, toolCall},
        {{"reasoning", "Thinks visibly before it answers."}, reasoning},
        {{"empty-answer", "Finishes properly without having said anything."}, emptyAnswer},
        {{"crlf", "Ends every line of a stream with CR LF."},
         [](Plan& plan, const Situation& now) {
             answerWell(plan, now);
             plan.lineEnds = LineEnds::CrLf;
         }},
        {{"mixed-line-ends", "Ends the lines of a stream with LF and with CR LF in turn."},
         [](Plan& plan, const Situation& now) {
             answerWell(plan, now);
             plan.lineEnds = LineEnds::Mixed;
         }},
        {{"split-utf8", "Says text in many scripts, every write cut in the middle of a character."},
         [](Plan& plan, const Situation&) {
             unicode(plan);
             plan.cuts = Cuts::Characters;
         }},
        {{"byte-by-byte", "Sends one byte at a time."},
         [](Plan& plan, const Situation&) {
             unicode(plan);
             plan.cuts = Cuts::Bytes;
         }},
        {{"no-space", "Leaves out the space after \"data:\"."},
         [](Plan& plan, const Situation& now) {
             answerWell(plan, now);
             plan.shape = EventShape::NoSpace;
         }},
        {{"several-data-lines", "Spreads the JSON of each event over two data lines."},
         [](Plan& plan, const Situation& now) {
             answerWell(plan, now);
             plan.shape = EventShape::SeveralDataLines;
         }},
        {{"usage-only-chunks", "Sends chunks with empty choices: first a content filter's, last the usage."},
         [](Plan& plan, const Situation& now) {
             answerWell(plan, now);
             plan.usage = UsageStyle::OwnChunks;
         }},
        {{"usage-every-chunk", "Sends a usage object in every chunk, zero at first."},
         [](Plan& plan, const Situation& now) {
             answerWell(plan, now);
             plan.usage = UsageStyle::EveryChunk;
         }},
        {{"gzip", "Compresses the answer when the client accepts that; force=1 does so in any case."},
         [](Plan& plan, const Situation& now) {
             answerWell(plan, now);
             const std::string accepted = toLower(now.request.header("accept-encoding"));
             plan.gzip = now.prompt.name.number("force", 0) != 0 || accepted.find("gzip") != std::string::npos;
         }},
        {{"trailers", "Ends a chunked answer with trailer fields."},
         [](Plan& plan, const Situation& now) {
             answerWell(plan, now);
             plan.framing = Framing::Chunked;
             plan.trailers = true;
         }},
        {{"close-delimited", "Neither a length nor chunks: the end of the connection is the end of the answer."},
         [](Plan& plan, const Situation& now) {
             answerWell(plan, now);
             plan.framing = Framing::UntilClose;
         }},
        {{"early-hints", "Sends an interim 103 answer first."},
         [](Plan& plan, const Situation& now) {
             answerWell(plan, now);
             plan.earlyHints = true;
         }},
        {{"close-after-answer", "Answers as if to keep the connection and then closes it."},
         [](Plan& plan, const Situation& now) {
             answerWell(plan, now);
             plan.closeAfterAnswer = true;
         }},
        {{"stale-keep-alive", "Answers, and resets the connection when it is used again."},
         [](Plan& plan, const Situation& now) {
             answerWell(plan, now);
             plan.resetNextRequest = true;
         }},
    };
    return list;
}

}  // namespace omni::sandbox
