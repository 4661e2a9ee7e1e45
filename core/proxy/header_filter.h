#pragma once

#include "upstream/transport.h"

#include <string>
#include <utility>
#include <vector>

namespace omni {

/// Adds what a client may tell an upstream to `headers`; a value of the client's replaces a fixed one of the same name
/// (anthropic-version). Everything else stays here: hop-by-hop headers, cookies, credentials, where the client comes from.
void addClientHeaders(HeaderList& headers, const HeaderList& client);

/// What an upstream may tell a client: content type, rate limits, its own request id.
HeaderList clientHeadersOf(const HeaderList& upstream);

/// For the request log: credentials masked, long values clipped.
HeaderList redactedHeaders(const HeaderList& headers);

}  // namespace omni
