#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace omni::sandbox {

/// One whole request as it arrived.
struct Request {
    std::string method;
    std::string target;
    std::vector<std::pair<std::string, std::string>> headers;  ///< spelling and order kept
    std::string body;                                          ///< decoded when it came in chunks
    bool http10 = false;
    bool keepAlive = true;

    /// First value of a header, empty when absent.
    std::string_view header(std::string_view name) const;
    /// The target up to "?".
    std::string_view path() const;
};

/// Reads HTTP/1.x requests out of bytes that arrive in any pieces. Meant for well-behaved clients on loopback: it is strict only where
/// being lenient would lose its place in the stream.
class RequestReader {
public:
    static constexpr std::size_t kHeadLimit = 64 * 1024;
    static constexpr std::size_t kBodyLimit = 256U * 1024 * 1024;

    enum class State { Incomplete, Complete, Bad, TooLarge };

    void append(std::string_view bytes) { m_in.append(bytes); }
    /// Looks whether a request is whole. After Complete, `take` must be called before the next step.
    State step();
    Request take();
    /// The head has come and asks for "100 Continue" before the body; true once for each request.
    bool takeContinue();
    bool hasInput() const { return !m_in.empty(); }
    /// Gives back the memory of a large body.
    void trim();

private:
    enum class Stage { Head, Body, ChunkSize, ChunkData, Trailer };

    State readHead();
    bool applyHeader(std::string_view name, std::string_view value);
    State readBody();
    State readChunks();
    bool takeLine(std::string_view& line);
    void consume(std::size_t bytes) { m_at += bytes; }
    std::string_view pending() const { return std::string_view(m_in).substr(m_at); }
    void compact();

    std::string m_in;
    std::size_t m_at = 0;
    Stage m_stage = Stage::Head;
    Request m_request;
    std::size_t m_left = 0;
    bool m_chunked = false;
    bool m_continue = false;
};

}  // namespace omni::sandbox
