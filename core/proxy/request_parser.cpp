#include "proxy/request_parser.h"

#include "base/text.h"
#include "proxy/head_scanner.h"

#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>

#include <algorithm>
#include <limits>
#include <optional>

namespace omni {

namespace {

namespace http = boost::beast::http;
using BeastView = boost::beast::string_view;
using ErrorCode = boost::beast::error_code;

/// More header fields than this is an attack, or a loop of proxies: each costs far more memory than its bytes on the wire.
constexpr std::size_t kMaxFields = 512;
/// One chunk-size line with its extensions, or all trailers together.
constexpr std::size_t kMaxChunkOverhead = 16 * 1024;
/// A body of a told length is reserved whole up to here; a longer one only as it arrives, since the length may be a lie.
constexpr std::uint64_t kReserveWhole = 16 * 1024 * 1024;
constexpr std::size_t kReserveAhead = 1024 * 1024;
/// simdjson reads this far past the end (see HttpRequest::body).
constexpr std::size_t kPadding = 64;
/// The shortest chunked body, "0\r\n\r\n": Beast asserts that it sees at least that much of one that is empty.
constexpr std::size_t kShortestChunked = 5;
/// Chunk headers are gathered in steps of this size, so that little of the data behind them is copied twice.
constexpr std::size_t kChunkStep = 256;

std::string_view viewOf(BeastView text) { return {text.data(), text.size()}; }

/// What Beast found wrong, for the client.
const char* explain(const ErrorCode& error)
{
    if (error == http::error::bad_method)
        return "The method is not a token followed by one space.";
    if (error == http::error::bad_target)
        return "The request target is empty or holds a character that must be percent-encoded.";
    if (error == http::error::bad_version)
        return "The request line must end in HTTP/1.1 or HTTP/1.0.";
    if (error == http::error::bad_field)
        return "A header name is empty or holds a character that is not allowed there, such as a space before the colon.";
    if (error == http::error::bad_value)
        return "A header value holds a control character or is not what this header allows.";
    if (error == http::error::bad_content_length || error == http::error::multiple_content_length)
        return "Content-Length must be one decimal number, and must not stand beside Transfer-Encoding.";
    if (error == http::error::bad_transfer_encoding)
        return "Transfer-Encoding must be exactly one \"chunked\", and must not stand beside Content-Length.";
    if (error == http::error::bad_chunk || error == http::error::bad_chunk_extension)
        return "The chunked body is malformed: each chunk is a size in hex, CRLF, that many bytes, CRLF.";
    if (error == http::error::bad_line_ending)
        return "Lines must end in CRLF.";
    return "The request is not valid HTTP/1.1.";
}

}  // namespace

/// Beast's grammar, with the fields going straight into an HttpRequest: Beast's own message type would keep each of them a second time.
/// It is fed whole heads, so it never sees a head twice.
struct RequestParser::Private {
    class Machine final : public http::basic_parser<true> {
    public:
        explicit Machine(Private& owner) : m_owner(owner)
        {
            eager(true);
            header_limit(std::numeric_limits<std::uint32_t>::max());  // checked while the head is gathered
            body_limit(boost::none);                                  // checked below: Beast cannot tell an absurd size from a large one
        }

    private:
        void on_request_impl(http::verb, BeastView method, BeastView target, int version, ErrorCode& ec) override
        {
            m_owner.beginRequest(viewOf(method), viewOf(target), version, ec);
        }
        void on_response_impl(int, BeastView, int, ErrorCode&) override {}
        void on_field_impl(http::field field, BeastView name, BeastView value, ErrorCode& ec) override
        {
            if (!m_owner.headDone)
                m_owner.addField(field, viewOf(name), viewOf(value), ec);
            else  // a trailer is checked by Beast and dropped: nothing may be added to a head already judged
                m_owner.countOverhead(name.size() + value.size(), ec);
        }
        void on_header_impl(ErrorCode& ec) override { m_owner.endHead(ec); }
        void on_body_init_impl(const boost::optional<std::uint64_t>&, ErrorCode&) override {}
        std::size_t on_body_impl(BeastView piece, ErrorCode&) override
        {
            m_owner.append(viewOf(piece));
            return piece.size();
        }
        void on_chunk_header_impl(std::uint64_t size, BeastView extensions, ErrorCode& ec) override
        {
            m_owner.chunkSeen = true;
            m_owner.overhead = 0;
            m_owner.countOverhead(extensions.size(), ec);
            if (!ec)
                m_owner.beginChunk(size, ec);
        }
        std::size_t on_chunk_body_impl(std::uint64_t, BeastView piece, ErrorCode&) override
        {
            m_owner.append(viewOf(piece));
            return piece.size();
        }
        void on_finish_impl(ErrorCode&) override {}

        Private& m_owner;
    };

    explicit Private(const ParserLimits& parserLimits) : limits(parserLimits) { reset(); }

    void reset()
    {
        machine.emplace(*this);
        request = HttpRequest{};
        state = State::Head;
        pending.clear();
        if (pending.capacity() > kMaxChunkOverhead)
            pending.shrink_to_fit();
        scanner = HeadScanner();
        headDone = started = chunked = chunkSeen = bodyBegun = false;
        hosts = lengths = codings = expectations = 0;
        expectationKnown = true;
        overhead = 0;
    }

    void fail(int status, std::string message)
    {
        if (state == State::Failed)
            return;
        state = State::Failed;
        errorStatus = status;
        errorMessage = std::move(message);
        request.keepAlive = false;
    }

    /// For Beast's callbacks: what we refuse must stop Beast too.
    void fail(int status, std::string message, ErrorCode& ec)
    {
        fail(status, std::move(message));
        ec = http::error::bad_value;
    }

    std::size_t feed(std::string_view bytes)
    {
        if (state == State::Complete || state == State::Failed || bytes.empty())
            return 0;
        started = true;
        std::size_t used = 0;
        if (state == State::Head)
            used = feedHead(bytes);
        if (state == State::Body && used < bytes.size())
            used += feedBody(bytes.substr(used));
        return used;
    }

    std::size_t feedHead(std::string_view bytes)
    {
        // One byte beyond the limit decides; the rest of a flood is not looked at.
        const std::string_view piece = bytes.substr(0, limits.headerBytes - scanner.size() + 1);
        const std::size_t end = scanner.scan(piece);
        if (scanner.error()) {
            fail(400, scanner.error());
            return 0;
        }
        if (scanner.size() > limits.headerBytes) {
            fail(431, "The request line and headers are limited to " + std::to_string(limits.headerBytes) + " bytes.");
            return 0;
        }
        if (end == 0) {
            pending.append(piece);
            return piece.size();
        }
        if (pending.empty()) {
            put(piece.substr(0, end));
        } else {
            pending.append(piece.substr(0, end));
            put(pending);
            pending.clear();
        }
        // The head is whole, so a grammar that wants more (of a request line that is too short) has not understood it.
        if (state == State::Head)
            fail(400, explain(http::error::bad_version));
        return end;
    }

    std::size_t feedBody(std::string_view bytes)
    {
        bodyBegun = true;
        if (!chunked)
            return put(bytes);
        std::size_t used = 0;
        while (state == State::Body && used < bytes.size()) {
            const std::string_view rest = bytes.substr(used);
            if (pending.empty() && (chunkSeen || rest.size() >= kShortestChunked)) {
                used += put(rest);
                if (state == State::Body && used < bytes.size()) {
                    // A chunk header cut short: Beast wants it in one piece.
                    pending.append(bytes.substr(used));
                    used = bytes.size();
                }
            } else {
                used += feedGathered(rest.substr(0, kChunkStep));
            }
            if (ErrorCode ignored; pending.size() > kMaxChunkOverhead)
                failOverhead(ignored);
        }
        return used;
    }

    /// The same limit for what Beast got in one piece.
    void countOverhead(std::size_t bytes, ErrorCode& ec)
    {
        overhead += bytes;
        if (overhead > kMaxChunkOverhead)
            failOverhead(ec);
    }

    void failOverhead(ErrorCode& ec)
    {
        fail(431, "A chunk header, or all trailers together, are limited to " + std::to_string(kMaxChunkOverhead) + " bytes.", ec);
    }

    /// `pending` and then `step`; returns how much of `step` has been used.
    std::size_t feedGathered(std::string_view step)
    {
        const std::size_t before = pending.size();
        pending.append(step);
        const std::size_t taken = chunkSeen || pending.size() >= kShortestChunked ? put(pending) : 0;
        if (taken < before || taken == 0) {
            pending.erase(0, taken);
            return step.size();
        }
        pending.clear();
        return taken - before;
    }

    /// Gives Beast what it can use of `bytes`; returns how many that were.
    std::size_t put(std::string_view bytes)
    {
        ErrorCode ec;
        const std::size_t taken = machine->put({bytes.data(), bytes.size()}, ec);
        if (ec && ec != http::error::need_more)
            fail(400, explain(ec));  // keeps what one of our own checks said before
        else if (machine->is_done())
            state = State::Complete;
        return taken;
    }

    void beginRequest(std::string_view method, std::string_view target, int version, ErrorCode& ec)
    {
        request.headers.reserve(16);  // not while the connection idles
        request.method = method;
        request.target = target;
        request.version = version;
        if (target.front() != '/' && !(target == "*" && method == "OPTIONS"))
            return fail(400, "The request target must be a path that begins with \"/\"; this is no forward proxy.", ec);
        if (std::any_of(target.begin(), target.end(), [](char c) { return static_cast<unsigned char>(c) > 126; }))
            fail(400, "Characters beyond ASCII in the request target must be percent-encoded.", ec);
    }

    void addField(http::field field, std::string_view name, std::string_view value, ErrorCode& ec)
    {
        if (request.headers.size() >= kMaxFields)
            return fail(431, "A request may have at most " + std::to_string(kMaxFields) + " header fields.", ec);
        switch (field) {
        case http::field::host:
            if (++hosts > 1)
                return fail(400, "There must be exactly one Host header.", ec);
            break;
        case http::field::content_length:
            // Beast lets equal repetitions pass, as "3, 3" or as two fields.
            if (++lengths > 1 || value.find_first_not_of("0123456789") != std::string_view::npos)
                return fail(400, explain(http::error::bad_content_length), ec);
            break;
        case http::field::transfer_encoding:
            // Beast ignores codings it does not know and takes the message for one without a body.
            if (++codings > 1 || request.version != 11 || !equalsIgnoreCase(value, "chunked"))
                return fail(400, "Transfer-Encoding must be exactly one \"chunked\", on HTTP/1.1 only.", ec);
            break;
        case http::field::expect:
            expectationKnown = ++expectations == 1 && equalsIgnoreCase(value, "100-continue");
            break;
        default:
            break;
        }
        request.headers.emplace_back(toLower(name), std::string(value));
    }

    void endHead(ErrorCode& ec)
    {
        headDone = true;
        if (request.version == 11 && hosts == 0)
            return fail(400, "HTTP/1.1 asks for a Host header.", ec);
        // On HTTP/1.0 an expectation means nothing (RFC 9110 §10.1.1).
        if (request.version == 11 && !expectationKnown)
            return fail(417, "The only expectation understood is \"Expect: 100-continue\".", ec);
        chunked = machine->chunked();
        const std::uint64_t length = chunked ? 0 : machine->content_length().value_or(0);
        if (length > limits.bodyBytes)
            return failTooLarge(ec);
        request.keepAlive = machine->keep_alive();
        request.expectContinue = request.version == 11 && expectations > 0 && (chunked || length > 0);
        request.body = std::make_shared<std::string>();
        bodyLength = length;
        request.body->reserve(static_cast<std::size_t>(length <= kReserveWhole ? length : kReserveAhead) + kPadding);
        state = State::Body;
    }

    void beginChunk(std::uint64_t size, ErrorCode& ec)
    {
        if (size > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
            return fail(400, "The size of a chunk is beyond 63 bits.", ec);
        if (size > limits.bodyBytes - request.body->size())
            failTooLarge(ec);
    }

    void failTooLarge(ErrorCode& ec)
    {
        fail(413, "The request body is limited to " + std::to_string(limits.bodyBytes) + " bytes (setting proxy.maxBodyBytes).", ec);
    }

    /// Grows with what has arrived, at most to double: memory is never spent on a promise.
    void append(std::string_view piece)
    {
        std::string& body = *request.body;
        const std::size_t needed = body.size() + piece.size() + kPadding;
        if (needed > body.capacity()) {
            const std::size_t end = chunked ? limits.bodyBytes : static_cast<std::size_t>(bodyLength);
            const std::size_t ahead = chunked ? body.size() : std::max(body.size(), kReserveAhead);
            body.reserve(std::max(needed, std::min(body.size() + ahead, end) + kPadding));
        }
        body.append(piece);
    }

    ParserLimits limits;
    std::optional<Machine> machine;
    HttpRequest request;
    State state = State::Head;
    std::string pending;  ///< a head, or a chunk header or trailers, of which the end has not come
    HeadScanner scanner;
    bool headDone = false;
    bool started = false;
    bool chunked = false;
    bool chunkSeen = false;
    bool bodyBegun = false;
    bool expectationKnown = true;
    int hosts = 0;
    int lengths = 0;
    int codings = 0;
    int expectations = 0;
    std::uint64_t bodyLength = 0;
    std::size_t overhead = 0;  ///< extensions of the present chunk, or trailers
    int errorStatus = 0;
    std::string errorMessage;
};

RequestParser::RequestParser(const ParserLimits& limits) : d(std::make_unique<Private>(limits)) {}
RequestParser::~RequestParser() = default;

std::size_t RequestParser::feed(std::string_view bytes)
{
    return d->feed(bytes);
}

RequestParser::State RequestParser::state() const
{
    return d->state;
}

bool RequestParser::awaitsContinue() const
{
    return d->state == State::Body && d->request.expectContinue && !d->bodyBegun;
}

const HttpRequest& RequestParser::head() const
{
    return d->request;
}

HttpRequest RequestParser::take()
{
    HttpRequest request = std::move(d->request);
    d->reset();
    return request;
}

int RequestParser::errorStatus() const
{
    return d->errorStatus;
}

const std::string& RequestParser::errorMessage() const
{
    return d->errorMessage;
}

bool RequestParser::started() const
{
    return d->started;
}

}  // namespace omni
