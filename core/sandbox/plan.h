#pragma once

#include "base/clock.h"
#include "sandbox/prompt.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace omni::sandbox {

/// An error as an upstream tells it. Empty fields take what the dialect says for the status.
struct ApiError {
    int status = 500;
    std::string message;
    std::string type = {};
    std::string code = {};
};

/// What the model says, cut into the pieces in which it says it. All strings are JSON-escaped, so that a frame is put together by
/// joining text.
struct Content {
    std::shared_ptr<const std::vector<std::string>> words;  ///< cycled through until `pieces` are said
    std::size_t pieces = 0;
    std::vector<std::string> reasoning;  ///< said before the text
    std::optional<OfferedTool> tool;     ///< called instead of saying text

    const std::string& piece(std::size_t index) const { return (*words)[index % words->size()]; }
};

/// How an answer begins.
enum class Opening : std::uint8_t { Answer, Silence, Reset, Close };
/// How the end of the body is told.
enum class Framing : std::uint8_t { Length, Chunked, UntilClose };
enum class LineEnds : std::uint8_t { Lf, CrLf, Mixed };
/// Where writes are cut: not at all, in the middle of every character of several bytes, after every byte.
enum class Cuts : std::uint8_t { None, Characters, Bytes };
enum class UsageStyle : std::uint8_t { Normal, OwnChunks, EveryChunk };
/// What goes wrong in the middle of an answer.
enum class Fault : std::uint8_t { None, Stall, Reset, Close, MalformedChunk, MalformedJson, ErrorEvent };
/// Odd but legal ways to write an event.
enum class EventShape : std::uint8_t { Usual, NoSpace, SeveralDataLines, Glued };

/// Everything the sandbox will do for one request. The behaviour fills it, the connection plays it.
struct Plan {
    Opening opening = Opening::Answer;
    int status = 200;
    std::vector<std::pair<std::string, std::string>> headers;  ///< besides the usual ones
    std::optional<std::string> body;                           ///< instead of what the dialect would say
    std::string contentType;                                   ///< empty = by the dialect
    std::optional<ApiError> error;                             ///< the whole answer is this error, told with `status`
    bool earlyHints = false;

    Millis beforeHead{0};
    Millis beforeContent{0};
    Millis gap{0};

    std::optional<Framing> framing;   ///< nullopt: chunked for a stream, else by length
    std::uint64_t promisedExtra = 0;  ///< Content-Length says that many bytes more than there are
    bool gzip = false;
    LineEnds lineEnds = LineEnds::Lf;
    Cuts cuts = Cuts::None;
    EventShape shape = EventShape::Usual;
    bool trailers = false;
    bool cutInTrailer = false;  ///< the connection ends within the trailer

    Fault fault = Fault::None;
    std::size_t faultAfter = 0;  ///< pieces of content sent before it
    ApiError faultError;         ///< for Fault::ErrorEvent

    Content content;
    UsageStyle usage = UsageStyle::Normal;
    bool heartbeats = false;  ///< comments and pings before the content
    bool finishReason = true;
    bool terminator = true;  ///< [DONE], message_stop, response.completed

    bool resetNextRequest = false;  ///< the connection stays open and is reset when it is used again
    bool closeAfterAnswer = false;  ///< closed right after the answer, without saying so in a header
};

}  // namespace omni::sandbox
