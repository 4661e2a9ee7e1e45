#pragma once

#include "base/result.h"
#include "control/buffered_call.h"
#include "model/connection.h"
#include "model/provider.h"
#include "model/settings.h"

#include <string>
#include <vector>

namespace omni {

/// Whom a request of our own goes to, with everything needed on the way; a copy, so that changes meanwhile do no harm.
struct UpstreamSubject {
    Provider provider;
    Connection connection;
    std::string secret;
    std::string proxySecret;
    UpstreamSettings settings;
};

/// Model ids of a list in any of the usual shapes: {"data":[{"id"}]}, {"models":[{"name"}]}, [{"id"}]. In the upstream's order, without
/// repetitions, at most 5,000. Protocol when it is no such list.
Result<std::vector<std::string>> readModelList(const std::string& body);

/// What went wrong, as one line for a person: the upstream's own words when it has any. Redacted, `secret` too.
std::string failureText(const BufferedCall::Answer& answer, std::string_view secret);
/// The same with the kind of error it stands for.
Error failureError(const BufferedCall::Answer& answer, std::string_view secret);

}  // namespace omni
