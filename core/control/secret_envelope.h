#pragma once

#include "base/result.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace omni {

/// Text encrypted under a passphrase, as it lies in an exported document: AES-256-GCM with a key derived by scrypt. The parameters are
/// written beside it, so that later versions may choose harder ones. Both take about 100 ms and 32 MB; any thread.
Result<nlohmann::json> sealText(std::string_view plain, std::string_view passphrase);

/// Secret when the passphrase does not fit or the text was changed; InvalidArgument when it is no such envelope, or asks for more
/// than 256 MB of work memory.
Result<std::string> openText(const nlohmann::json& envelope, std::string_view passphrase);

}  // namespace omni
