#include "resilience/markers.h"

#include <vector>

namespace omni {

namespace {

struct Row {
    Marker marker;
    std::string_view text;
    bool eitherOrder = false;
};

using enum Marker;

// One wording in each row; the language is explained at MarkerPattern.
constexpr Row kRows[] = {
    {Ban, "account_deactivated"},
    {Ban, "account has been deactivated"},
    {Ban, "account has been disabled"},
    {Ban, "your account has been suspended"},
    {Ban, "this account is deactivated"},
    {Ban, "this service has been disabled in this account"},

    {RetiredModel, "<no longer available>"},
    {RetiredModel, "<no longer supported>"},
    {RetiredModel, "<has reached (its |the |)end{1}of{1}life>"},
    {RetiredModel, "<model>{40}<(deprecated|retired|discontinued|decommissioned)>", true},

    {EndpointMoved, "<endpoint has moved>"},
    {EndpointMoved, "<no longer works>"},
    {EndpointMoved, "<update{1}your{1}base{1}url>"},

    {BillingSuspended, "<suspended>{120}<(spending limit|billing|invoice|payment)>", true},

    {Credits, "insufficient_quota"},
    {Credits, "billing_hard_limit_reached"},
    {Credits, "exceeded your current quota"},
    {Credits, "exceeded your current usage quota"},
    {Credits, "credit_balance_too_low"},
    {Credits, "your credit balance is too low"},
    {Credits, "credits exhausted"},
    {Credits, "out of credits"},
    {Credits, "payment required"},
    {Credits, "free tier of the model has been exhausted"},
    {Credits, "tier has been exhausted"},
    {Credits, "insufficient(_| )balance"},
    {Credits, "insufficient (account|credit) balance"},
    {Credits, "insufficient credit"},
    {Credits, "exhausted all your credits"},
    {Credits, "余额不足"},

    {AccountWallet, "insufficient account balance"},
    {AccountWallet, "exceeded_current_quota_error"},
    {AccountWallet, "insufficient balance{line}recharge"},
    {AccountWallet, "余额不足"},
    {FreeTierOfModel, "free tier of the model has been exhausted"},
    {FreeTierOfModel, "allocationquota.freetieronly"},

    {Daily, "today('|’)s quota"},
    {Daily, "daily quota"},
    {Daily, "try again tomorrow"},
    {Daily, "tpd rate limit"},
    {DailyTokens, "tpd rate limit"},
    {DailyUtc, "daily free allocation"},

    {Subscription, "usage limit reached"},
    {Subscription, "usage limit has been"},
    {Subscription, "claude pro usage limit"},
    {Subscription, "you('|’)ve reached your usage limit"},
    {Subscription, "you have reached your usage limit"},
    {ClaudeSubscription, "this request would exceed your account('|’)s rate limit"},

    {Weekly, "weekly usage limit"},
    {Weekly, "weekly limit reached"},
    {Weekly, "reached your weekly"},
    {Weekly, "1-week quota"},
    {Weekly, "week quota"},
    {Weekly, "weekly/monthly limit"},
    {Weekly, "weekly & quota & exhaust"},

    {Session, "session usage limit"},
    {Session, "session limit reached"},
    {Session, "reached your session & usage limit"},

    {RollingDay, "rolling 24{1}h"},
    {RollingDay, "24{1}h(our|r|){1}rolling"},
    {RollingDay, "24{1}hour (quota|limit|usage|allowance|cap)"},
    {RollingDay, "24h (quota|limit|usage|allowance|cap)"},
    {RollingDay, "(quota|limit){60 line}(past|last|previous|per|every) 24{1}h"},
    {RollingDay, "(past|last|previous) 24{1}h{60 line}(quota|limit)"},
    {RollingDay, "24{1}小时{20 line}(额度|配额|限额|上限)"},
    {RollingDay, "(额度|配额|限额|上限){30 line}24{1}小时"},

    {Concurrency, "too many concurrent requests"},
    {Concurrency, "concurrency limit"},
    {Concurrency, "parallel request limit"},
    {Concurrency, "并发数过高"},

    {ContextOverflow, "<input is too long>"},
    {ContextOverflow, "<input too long>"},
    {ContextOverflow, "context{line}(too long|exceeded|overflow|limit)"},
    {ContextOverflow, "context_(length|window)_exceeded"},
    {ContextOverflow, "<too many tokens>"},
    {ContextOverflow, "<prompt is too long>"},
    {ContextOverflow, "<context window"},
    {ContextOverflow, "<maximum context"},
    {ContextOverflow, "<max{line}token"},
    {ContextOverflow, "<token limit"},
    {ContextOverflow, "<request too large>"},
    {TokenRate, "<tokens per min(ute|)>"},
    {TokenRate, "<tpm>"},

    {Malformed, "<improperly formed request>"},
    {Malformed, "<invalid{line}message{line}format"},
    {Malformed, "<messages must alternate>"},
    {Malformed, "<empty (message|content)>"},
    {Malformed, "(function|tool_call){line}name{line}(blank|empty|missing)"},

    {Parameter, "max_tokens{line}(illegal|must be|range)"},
    {Parameter, "parameter is illegal"},
    {Parameter, "is illegal{line}range"},
    {Parameter, "(extra|additional) (input|propert|field){line}not (permitted|allowed)"},
    {Parameter, "(unknown|unrecognized|unexpected|invalid) (field|propert|parameter|input)"},

    {ContentFilter, "content_filter"},
    {ContentFilter, "content_policy_violation"},
    {ContentFilter, "content management policy"},
    {ContentFilter, "responsibleaipolicyviolation"},

    {ModelUnsupported, "<invalid model>"},
    {ModelUnsupported, "<model{line}not{line}(available|found|supported|accessible)>"},
    {ModelUnsupported, "<model{line}(does not|doesn('|’)t) exist>"},
    {ModelUnsupported, "<unsupported model>"},
    {ModelUnsupported, "<please select a different model>"},
    {ModelUnsupported, "<unknown provider for model>"},
    {ModelIncapable, "<model>{80}<(does not support|doesn('|’)t support|unsupported)>", true},
    {ModelForbidden, "<access{line}denied{line}model>"},
    {ModelForbidden, "<model{line}access{line}denied>"},
    {ModelForbidden, "<(access|permission)>{60}<model>", true},

    {Credential, "(invalid|incorrect|expired|missing|revoked) api{1}key"},
    {Credential, "api{1}key (is |)(invalid|incorrect|expired|missing|revoked|not valid)"},
    {Credential, "authentication (failed|error|required)"},
    {Credential, "(invalid|expired|missing|revoked) (token|credential|bearer)"},
    {Credential, "<unauthorized>"},
    {Credential, "<not authenticated>"},

    {RateText, "high{1}frequency"},
    {RateText, "non-compliant"},
    {RateText, "too many requests"},
    {RateText, "rate{1}limit"},
    {RateText, "频繁"},
    {RateText, "频率"},

    {DegradedFunction, "<function>{80}<degraded>", true},

    {Quota, "daily{line}(limit|quota)"},
    {Quota, "per{1}day{line}limit"},
    {Quota, "monthly{line}(limit|quota)"},
    {Quota, "per{1}month{line}limit"},
    {Quota, "quota{line}exceed"},
    {Quota, "exceed{line}quota"},
    {Quota, "insufficient{line}quota"},
    {Quota, "billing{line}cap"},
    {Quota, "credit{line}exhaust"},
    {Quota, "out of credits"},
    {Quota, "hard{1}limit"},
    {Quota, "plan{line}limit"},
    {Quota, "individual quota reached"},
    {Quota, "enable overages"},
    {Quota, "insufficient_g1_credits_balance"},
    {Quota, "resource has been exhausted{line}reset after"},
    {Quota, "daily free allocation"},
    {Quota, "have exhausted their quota"},
    {Quota, "<tpd rate limit>"},
    {Quota, "insufficient balance"},
    {Quota, "余额不足"},
    {Quota, "限额将在{line}重置"},
    {Quota, "使用上限"},
    {Quota, "调用上限"},
    {Quota, "额度已用(尽|完)"},

    {QuotaTerminal, "insufficient{line}quota"},
    {QuotaTerminal, "billing{line}cap"},
    {QuotaTerminal, "credit{line}exhaust"},
    {QuotaTerminal, "out of credits"},
    {QuotaTerminal, "individual quota reached"},
    {QuotaTerminal, "enable overages"},
    {QuotaTerminal, "insufficient_g1_credits_balance"},
    {QuotaTerminal, "daily free allocation"},
    {QuotaTerminal, "<tpd rate limit>"},
    {QuotaTerminal, "insufficient balance"},
    {QuotaTerminal, "余额不足"},

    {QuotaWords, "quota (exceeded|depleted|will reset|has been exceeded)"},
    {QuotaWords, "hour quota"},
    {QuotaWords, "billing"},

    {TextNoCredentials, "no credentials"},
    {TextNotAllowed, "request not allowed"},
    {TextMalformed, "improperly formed request"},
    {TextRateLimit, "rate limit"},
    {TextRateLimit, "too many requests"},
    {TextQuota, "hour quota"},
    {TextQuota, "quota has been exceeded"},
    {TextQuota, "quota (exceeded|will reset|exhausted)"},
    {TextQuota, "exhausted your capacity"},
    {TextQuota, "free tier of the model has been exhausted"},
    {TextCapacity, "capacity"},
    {TextCapacity, "overloaded"},
    {TextCapacity, "high demand"},

    {MissingModel, "model_not_found"},
    {MissingModel, "model{120 line}(does not exist|not found|is not available|do not have access)"},
    {MissingResource, "<(file|item|upload)>{60 line}<(not found|does not exist)>"},
    {MissingResource, "<no such (file|item|upload)>"},

    {RequestTooLarge, "request too large"},
    {RouteRefused, "not authorized for this route"},
    {EndpointUnavailable, "endpoint is unavailable"},
    {UpstreamModelDown, "upstream request failed: model is unavailable"},
    {ForbiddenException, "has not been used in project"},
    {ForbiddenException, "hour quota"},
    {ForbiddenException, "quota has been exceeded"},
    {CloudflareBlock, "error( code|)(:|) 1010"},
    {CloudflareBlock, "error_code\":(| )1010"},
    {CloudflareBlock, "browser_signature_banned"},
    {CloudflareBlock, "\"retryable\":(| )false & cloudflare"},
    {CloudflareBlock, "\"retryable\":(| )false & owner_action_required"},
    {ForeignResponse, "previous_response_id does not belong"},
    {UnsupportedModel, "<model>{80}is not supported"},
    {ProjectRefused, "service_disabled"},
    {ProjectRefused, "accessnotconfigured"},
    {ProjectRefused, "permission_denied"},
    {ProjectRefused, "has not been used in project"},

    {LocationRefused, "location is not supported"},
    {LocationRefused, "not (available|supported) in your (country|region|location)"},
    {LocationRefused, "unsupported_country_region_territory"},

    {Overloaded, "<overloaded>"},
    {Overloaded, "<overloaded_error>"},
    {LocalAbort, "aborterror"},
    {LocalAbort, "controller is already closed"},
    {LocalAbort, "request(_| )signal(_| )aborted"},
    {LocalAbort, "client disconnected"},
    {LocalAbort, "operation was aborted"},
    {LocalExecution, "<(enoent|eacces|epipe)>"},
    {LocalExecution, "err_child_process_stdio_maxbuffer"},
    {LocalExecution, "command not found"},
    {LocalExecution, "is not recognized as an internal or external command"},
    {LocalExecution, "child process exited with code"},
    {LocalExecution, "local host execution error"},
    {ContentStall, "stream content stall"},

    {HintStem, "retry "},
    {HintStem, "try again "},
    {HintStem, "wait until "},
    {HintStem, "available at "},
    {HintStem, "reset"},

    {GoogleApi, "generativelanguage.googleapis.com"},
    {GooglePerDay, "perday"},
    {GooglePerDay, "(_| )per(_| )day"},
    {GoogleTokens, "token_count"},
    {GoogleRequests, "_requests"},
};

std::vector<MarkerPattern> patterns()
{
    std::vector<MarkerPattern> all;
    all.reserve(std::size(kRows));
    for (const Row& row : kRows)
        all.push_back({static_cast<int>(row.marker), row.text, row.eitherOrder});
    return all;
}

}  // namespace

std::string MarkerSet::wording(Marker marker) const
{
    std::string plain;
    bool inGap = false;
    for (const char c : m_hits.wording(static_cast<int>(marker))) {
        if (c == '{')
            plain += " … ";
        inGap = c == '{' || (inGap && c != '}');
        if (!inGap && c != '<' && c != '>' && c != '}')
            plain += c;
    }
    return plain;
}

bool isProviderModelUnsupported(int status, const MarkerSet& markers)
{
    return status == 400 && !markers.has(Marker::Credential) &&
           (markers.has(Marker::ModelUnsupported) || markers.has(Marker::ModelIncapable));
}

MarkerTable::MarkerTable() : m_scanner(patterns()) {}

MarkerSet MarkerTable::scan(std::string_view text) const
{
    MarkerSet set;
    scan(text, set);
    return set;
}

}  // namespace omni
