#pragma once

#include "base/result.h"
#include "model/connection.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace omni {

/// Without the blanks and line ends that pasted text comes with.
std::string cleaned(std::string_view text);
std::optional<std::string> cleaned(const std::optional<std::string>& text);

/// The texts cleaned, URLs without slashes at their end.
Connection normalised(Connection connection);

/// A key travels in a header: one line of visible ASCII, at most 16 KiB. `blanksAllowed` for the password of a proxy.
void checkSecret(std::vector<FieldError>& errors, const char* field, const std::optional<std::string>& secret, bool blanksAllowed);

Error noSuchConnection(const ConnectionId& id);

}  // namespace omni
