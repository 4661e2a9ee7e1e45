#include "model/request_record.h"

#include "model/enum_text.h"

namespace omni {

namespace {

constexpr EnumNames<Outcome, Outcome::Refused> kOutcomes("answered", "upstream_failed", "broken", "client_gone", "refused");

}  // namespace

std::string_view toString(Outcome outcome)
{
    return kOutcomes.nameOf(outcome);
}

Outcome outcomeFromString(std::string_view text)
{
    return kOutcomes.valueOf(text).value_or(Outcome::UpstreamFailed);
}

}  // namespace omni
