#pragma once

#include <cassert>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace omni {

/// What went wrong, in the words a caller can act on. Closed: a switch over it needs no default.
enum class ErrorKind : std::uint8_t {
    InvalidArgument,  ///< the input breaks a rule; `details` names the fields
    NotFound,
    Conflict,      ///< exists already, or changed meanwhile
    Unauthorized,  ///< no or wrong credentials
    Forbidden,
    LimitExceeded,  ///< a size, count or rate limit of ours
    Unavailable,    ///< cannot be done now; may be possible later
    Timeout,
    Cancelled,
    Network,   ///< the transport failed
    Protocol,  ///< the other side broke its own format
    Storage,   ///< the database or the file system refused
    Secret,    ///< a secret cannot be read or written
    Internal,  ///< a fault of ours
};

std::string_view toString(ErrorKind kind);

/// One field of a refused input. `message` holds the range or the rule.
struct FieldError {
    std::string field;
    std::string message;

    bool operator==(const FieldError&) const = default;
};

/// `message` says what happened, where, and what to do; it never holds a secret.
struct Error {
    ErrorKind kind = ErrorKind::Internal;
    std::string message;
    std::vector<FieldError> details = {};
};

/// The message with its field errors, one line, for logs and dialogs.
std::string describe(const Error& error);

/// A value or an error. Dropping one is a compiler warning, and reading the wrong side an assertion.
template <typename T>
class [[nodiscard]] Result {
public:
    using Value = T;

    Result(T value) : m_state(std::in_place_index<0>, std::move(value)) {}  // NOLINT(google-explicit-constructor)
    Result(Error error) : m_state(std::in_place_index<1>, std::move(error)) {}  // NOLINT(google-explicit-constructor)

    bool ok() const { return m_state.index() == 0; }
    explicit operator bool() const { return ok(); }

    T& value() & { assert(ok()); return *std::get_if<0>(&m_state); }
    const T& value() const& { assert(ok()); return *std::get_if<0>(&m_state); }
    T&& value() && { assert(ok()); return std::move(*std::get_if<0>(&m_state)); }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T&& operator*() && { return std::move(*this).value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }

    const Error& error() const { assert(!ok()); return *std::get_if<1>(&m_state); }

    T valueOr(T fallback) const& { return ok() ? value() : std::move(fallback); }

private:
    std::variant<T, Error> m_state;
};

/// Success without a value, or an error.
template <>
class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error error) : m_error(std::move(error)), m_ok(false) {}  // NOLINT(google-explicit-constructor)

    bool ok() const { return m_ok; }
    explicit operator bool() const { return m_ok; }
    const Error& error() const { assert(!m_ok); return m_error; }

private:
    Error m_error;
    bool m_ok = true;
};

using Status = Result<void>;

}  // namespace omni
