#pragma once

#include "proxy/http_message.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace omni {

struct ParserLimits {
    std::size_t headerBytes = 65'536;
    std::size_t bodyBytes = 67'108'864;
};

/// Reads HTTP/1.x requests from bytes as they come: Boost.Beast's parser, and in front of it a policy that refuses what Beast lets
/// pass (ambiguous framing, folded headers, several Hosts). Behind one file: Beast takes seconds to compile.
class RequestParser {
public:
    explicit RequestParser(const ParserLimits& limits);
    ~RequestParser();

    enum class State : std::uint8_t { Head, Body, Complete, Failed };

    /// Takes what it needs and returns how many bytes; the rest belongs to the next request. Never takes more after Complete or Failed.
    std::size_t feed(std::string_view bytes);
    State state() const;
    /// The head is read and the client waits for "100 Continue" before it sends its body.
    bool awaitsContinue() const;
    /// For the checks that come before the body (access, size): the head as far as read; valid from Body on. Body still empty.
    const HttpRequest& head() const;
    /// At Complete: the request, once. The parser is then ready for the next one.
    HttpRequest take();

    /// At Failed.
    int errorStatus() const;                  ///< 400, 413, 417, 431, 501 or 505
    const std::string& errorMessage() const;  ///< what was wrong and what is allowed
    /// True once any byte of a request has been seen: an idle connection may be closed silently, this one gets 408.
    bool started() const;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

}  // namespace omni
