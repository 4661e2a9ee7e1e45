#pragma once

#include "base/random.h"
#include "resilience/failure_verdict.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace omni {

/// A failure with everything the rows of the decision table look at, and the building blocks of their answers.
struct VerdictContext {
    const FailureFacts& facts;
    const ErrorBody& body;
    const MarkerSet& markers;
    const std::optional<ProseHint>& prose;
    std::optional<RetryHint> hint;
    Random& random;
    bool quotaNamed = false;    ///< §5.1
    bool preserve = false;      ///< §4 "preserve"
    bool quotaAllowed = false;  ///< §4 "quota signal allowed"

    int status() const { return facts.failure.status; }
    bool has(Marker marker) const { return markers.has(marker); }
    const std::string* header(std::string_view name) const { return findHeader(facts.failure.headers, name); }
    /// The hint's wait when the profile trusts hints and there is one above 0.
    std::optional<Millis> trustedHint() const;

    /// §4.1: a trusted hint, else the ladder.
    Judgement backoff(FailureReason reason, std::string rule) const;
    /// A cooldown of this length, or of a trusted hint (field-faults F23), the level unchanged.
    Judgement fixed(Millis cooldown, FailureReason reason, std::string rule) const;
    /// No hold, another target.
    Judgement moveOn(FailureReason reason, Judgement::Scope scope, std::string rule) const;
    /// The request itself is at fault.
    Judgement clientFault(std::string rule) const;
    /// "says “quota … exceed”", for evidence.
    std::string saying(std::string_view what, Marker marker) const;
};

/// One row of a decision table.
struct VerdictRow {
    bool needsBody;  ///< skipped when the body is empty
    std::optional<Judgement> (*apply)(const VerdictContext& context);
};

/// The decision table of spec 1-core §4.2 in its parts, in the order in which they are asked. The first row that answers decides.
std::span<const VerdictRow> transportRows();   ///< no HTTP answer; asked alone
std::span<const VerdictRow> refusalRows();     ///< rows 1–8
std::span<const VerdictRow> quotaRows();       ///< rows 9–18
std::span<const VerdictRow> badRequestRows();  ///< of row 27 what no text rule may overrule (spec 0-decisions, "400")
std::span<const VerdictRow> statusRows();      ///< rows 19–28

}  // namespace omni
