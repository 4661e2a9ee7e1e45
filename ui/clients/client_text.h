#pragma once

#include "ui/clients/client_desk.h"
#include "ui/theme/theme.h"

#include <QString>

namespace omni {

/// Colour, shape and word of where a client leads.
StateLook standingLook(const client_setup::Client& client, const ClientFacts& facts, const Colours& colours);

/// "Anthropic messages", "OpenAI chat completions": in what a client asks.
QString speechOf(Operation operation);

/// What has to be done after its file was written, in a sentence.
QString afterSetUp(const client_setup::Client& client);

/// What is missing for a client that cannot be served; empty for all others.
QString missingFor(const client_setup::Client& client);

/// A remark on a client's own ways; empty = none.
QString remarkOn(const client_setup::Client& client);

}  // namespace omni
