#pragma once

#include "upstream/transport.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace omni {

/// Told of an answer as it is parsed. Returning false stops the parser for good.
class ResponseSink {
public:
    virtual ~ResponseSink() = default;
    virtual bool responseHead(int status, HeaderList headers) = 0;
    virtual bool responseBody(std::string_view piece) = 0;
};

/// Reads one HTTP/1.x answer, interim ones (1xx) skipped, by Boost.Beast's parser. Behind one file: Beast takes seconds to compile.
class ResponseParser {
public:
    explicit ResponseParser(ResponseSink& sink);
    ~ResponseParser();

    enum class State : unsigned char { Reading, Complete, Failed, Stopped };

    /// Takes all bytes of the answer; what follows a complete one is no answer to anything, and makes the connection unusable.
    State feed(std::string_view bytes);
    /// The other side has closed: the end of a body without length, or a broken answer.
    State end();
    /// At Complete: the connection may carry another request.
    bool reusable() const;
    /// At Failed, in words.
    const std::string& error() const;
    /// For the next answer.
    void reset();

private:
    struct Private;
    std::unique_ptr<Private> d;
};

}  // namespace omni
