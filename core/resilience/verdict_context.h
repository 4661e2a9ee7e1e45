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
    const ResilienceSettings& settings;
    const ErrorBody& body;
    const MarkerSet& markers;
    const std::optional<ProseHint>& prose;
    const GeminiLimits& gemini;
    const OperatorWords& words;
    Random& random;
    std::string_view raw;  ///< of the body what is looked at
    int httpStatus = 0;    ///< what the answer is judged by: restated where a rule says so
    std::optional<RetryHint> hint;
    MarkerHits bans{};          ///< the operator's ban words
    bool quotaNamed = false;    ///< §5.1
    bool preserve = false;      ///< §4 "preserve"
    bool quotaAllowed = false;  ///< §4 "quota signal allowed"

    int status() const { return httpStatus; }
    bool has(Marker marker) const { return markers.has(marker); }
    const std::string* header(std::string_view name) const { return findHeader(facts.failure.headers, name); }
    /// The hint's wait when the profile trusts hints and there is one above 0.
    std::optional<Millis> trustedHint() const;

    /// The next step of the ladder.
    Judgement ladder(FailureReason reason, std::string rule) const;
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
    /// "HTTP 429: " and the meaning.
    std::string http(std::string_view meaning) const;
};

/// One row of a decision table.
struct VerdictRow {
    bool needsBody;  ///< skipped when the body is empty
    std::optional<Judgement> (*apply)(const VerdictContext& context);
};

/// How far a verdict reaches, by what is known of the provider and its rules (spec 1-core §8 steps 12–20), and for a model's lock its
/// length and reason (§6.4).
void settleScope(const VerdictContext& context, Judgement& judgement);

/// The operator's own rule for an answer: asked before everything that only reads quotas out of wordings.
std::optional<Judgement> operatorRule(const VerdictContext& context);
/// Rows 20, 21 and the rules of row 23.
std::optional<Judgement> providerRule(const VerdictContext& context);

/// The decision table of spec 1-core §4.2 in its parts, in the order in which they are asked. The first row that answers decides.
std::span<const VerdictRow> transportRows();   ///< no HTTP answer; asked alone
std::span<const VerdictRow> refusalRows();     ///< rows 1–8
std::span<const VerdictRow> quotaRows();       ///< rows 9–18
std::span<const VerdictRow> badRequestRows();  ///< of row 27 what no text rule may overrule (spec 0-decisions, "400")
std::span<const VerdictRow> statusRows();      ///< rows 19–28

}  // namespace omni
