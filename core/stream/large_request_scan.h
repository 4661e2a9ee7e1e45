#pragma once

#include "base/result.h"
#include "stream/request_scan.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace omni {

/// `scanRequest` for bodies of many megabytes: reads in slices, so that nobody else waits for the whole, and needs no memory in
/// proportion to the body, where simdjson's index takes four times as much. Checks structure and the members it knows; what a nested value
/// or a text holds is left to the upstream.
class LargeRequestScan {
public:
    /// `body` stays in place until the end.
    explicit LargeRequestScan(std::string_view body) : m_body(body) {}

    /// Reads about `bytes` more. Nothing until the end is reached or the body proves wrong; then the result, errors as of `scanRequest`.
    std::optional<Result<RequestScan>> advance(std::size_t bytes);

private:
    enum class State { Start, KeyOrEnd, Key, KeyText, Colon, Value, ValueText, Scalar, Nested, NestedText, CommaOrEnd, AfterEnd };
    enum class Member { Other, Model, Stream };

    bool step();
    bool text();
    void nested();
    bool endKey();
    bool endValue();
    bool fail(std::string why);
    std::string_view since(std::size_t begin) const { return m_body.substr(begin, m_at - begin); }

    std::string_view m_body;
    std::size_t m_at = 0;
    std::size_t m_limit = 0;  ///< this slice ends here
    State m_state = State::Start;
    Member m_member = Member::Other;
    std::size_t m_begin = 0;  ///< of the text or scalar under way
    std::string m_open;       ///< closing brackets of the nested value under way, innermost last
    bool m_streamSeen = false;
    RequestScan m_scan;
    std::optional<Error> m_error;
};

}  // namespace omni
