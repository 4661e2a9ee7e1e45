#include "upstream/response_parser.h"

#include "base/text.h"

#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>

#include <limits>
#include <optional>
#include <utility>

namespace omni {

namespace {

namespace http = boost::beast::http;
using BeastView = boost::beast::string_view;
using ErrorCode = boost::beast::error_code;

constexpr std::uint32_t kMaxHead = 256 * 1024;
/// The shortest chunked body, "0\r\n\r\n": Beast asserts that it sees at least that much of one that is empty.
constexpr std::size_t kShortestChunked = 5;

std::string_view viewOf(BeastView text) { return {text.data(), text.size()}; }

}  // namespace

struct ResponseParser::Private {
    class Machine final : public http::basic_parser<false> {
    public:
        explicit Machine(Private& owner) : m_owner(owner)
        {
            header_limit(kMaxHead);
            body_limit(boost::none);
        }

        int status = 0;

    private:
        void on_request_impl(http::verb, BeastView, BeastView, int, ErrorCode&) override {}
        void on_response_impl(int code, BeastView, int, ErrorCode&) override { status = code; }
        void on_field_impl(http::field, BeastView name, BeastView value, ErrorCode&) override
        {
            if (!m_owner.headDone)  // trailers are read and dropped
                m_owner.headers.emplace_back(toLower(viewOf(name)), std::string(viewOf(value)));
        }
        void on_header_impl(ErrorCode& ec) override
        {
            m_owner.headDone = true;
            eager(true);
            if (status >= 200 && !m_owner.sink.responseHead(status, std::move(m_owner.headers)))
                m_owner.stop(ec);
        }
        void on_body_init_impl(const boost::optional<std::uint64_t>&, ErrorCode&) override {}
        std::size_t on_body_impl(BeastView piece, ErrorCode& ec) override { return m_owner.body(piece, ec); }
        void on_chunk_header_impl(std::uint64_t, BeastView, ErrorCode&) override { m_owner.chunkSeen = true; }
        std::size_t on_chunk_body_impl(std::uint64_t, BeastView piece, ErrorCode& ec) override { return m_owner.body(piece, ec); }
        void on_finish_impl(ErrorCode&) override {}

        Private& m_owner;
    };

    explicit Private(ResponseSink& target) : sink(target) { reset(); }

    void reset()
    {
        machine.emplace(*this);
        headers.clear();
        pending.clear();
        headDone = chunkSeen = stopped = false;
    }

    std::size_t body(BeastView piece, ErrorCode& ec)
    {
        if (!piece.empty() && !sink.responseBody(viewOf(piece)))
            stop(ec);
        return piece.size();
    }

    void stop(ErrorCode& ec)
    {
        stopped = true;
        ec = http::error::end_of_stream;
    }

    State feed(std::string_view bytes)
    {
        // Beast wants what it could not use yet together with what comes next.
        if (!pending.empty()) {
            pending.append(bytes);
            const std::string all = std::exchange(pending, {});
            return feedAll(all);
        }
        return feedAll(bytes);
    }

    State feedAll(std::string_view bytes)
    {
        while (true) {
            ErrorCode ec;
            std::size_t used = 0;
            while (!bytes.empty() && !machine->is_done()) {
                if (headDone && machine->chunked() && !chunkSeen && bytes.size() < kShortestChunked)
                    break;
                used = machine->put({bytes.data(), bytes.size()}, ec);
                bytes.remove_prefix(used);
                if (ec || used == 0)
                    break;
            }
            if (stopped)
                return State::Stopped;
            if (ec && ec != http::error::need_more) {
                message = "The upstream's answer is not valid HTTP: " + ec.message() + ".";
                return State::Failed;
            }
            if (!machine->is_done()) {
                pending.append(bytes);
                return State::Reading;
            }
            if (machine->status >= 200) {
                extra = !bytes.empty();
                return State::Complete;
            }
            reset();  // an interim answer: the real one follows
            if (bytes.empty())
                return State::Reading;
        }
    }

    State end()
    {
        ErrorCode ec;
        if (!machine->got_some()) {
            message = "The upstream closed the connection without an answer.";
            return State::Failed;
        }
        if (!pending.empty())
            ec = http::error::partial_message;
        else
            machine->put_eof(ec);
        if (stopped)
            return State::Stopped;
        if (ec || !machine->is_done()) {
            message = "The upstream closed the connection in the middle of its answer.";
            return State::Failed;
        }
        extra = true;
        return State::Complete;
    }

    ResponseSink& sink;
    std::optional<Machine> machine;
    HeaderList headers;
    std::string pending;
    std::string message;
    bool headDone = false;
    bool chunkSeen = false;
    bool stopped = false;
    bool extra = false;
};

ResponseParser::ResponseParser(ResponseSink& sink) : d(std::make_unique<Private>(sink)) {}

ResponseParser::~ResponseParser() = default;

ResponseParser::State ResponseParser::feed(std::string_view bytes) { return d->feed(bytes); }

ResponseParser::State ResponseParser::end() { return d->end(); }

bool ResponseParser::reusable() const { return !d->extra && d->machine->keep_alive(); }

const std::string& ResponseParser::error() const { return d->message; }

void ResponseParser::reset() { d->reset(); }

}  // namespace omni
