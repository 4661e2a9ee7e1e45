#include "program/test_program.h"
#include "unit/resilience/verdict_bench.h"

using namespace omni;
using enum FailureReason;
using Scope = Judgement::Scope;

namespace {

ResilienceSettings with(std::vector<ProviderErrorRule> rules)
{
    ResilienceSettings settings;
    settings.providerErrorRules = std::move(rules);
    return settings;
}

ProviderErrorRule rule(std::string provider, int status, std::string match)
{
    ProviderErrorRule made;
    made.provider = std::move(provider);
    made.status = status;
    made.match = std::move(match);
    return made;
}

ResilienceSettings banning(std::vector<std::string> words)
{
    ResilienceSettings settings;
    settings.customBannedSignals = std::move(words);
    return settings;
}

}  // namespace

/// The operator's own rules and ban words (guide §7, spec 2-around §10.2).
class OperatorWordsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void verdict_data()
    {
        QTest::addColumn<VerdictCase>("given");
        const auto row = [](const char* name, VerdictCase given) { QTest::newRow(name) << given; };

        const ResilienceSettings busy = with({rule("acme", 429, "Busy")});
        row("V102 an operator's rule", {.status = 429,
                                        .body = "busy now",
                                        .provider = "acme",
                                        .perModelQuota = true,
                                        .settings = busy,
                                        .cooldown = 3'000,
                                        .newLevel = 1,
                                        .reason = QuotaExhausted,
                                        .scope = Scope::Connection,
                                        .ruleScope = RuleScope::Connection});
        row("V102 another status", {.status = 503,
                                    .body = "busy now",
                                    .provider = "acme",
                                    .settings = busy,
                                    .cooldown = 3'000,
                                    .newLevel = 1,
                                    .reason = ServerError,
                                    .breaker = true});
        row("V102 another provider", {.status = 429,
                                      .body = "busy now",
                                      .provider = "other",
                                      .settings = busy,
                                      .cooldown = 3'000,
                                      .newLevel = 1,
                                      .reason = RateLimitExceeded});
        row("V102 before the built-in ones", {.status = 429,
                                              .body = "用户额度不足",
                                              .provider = "agentrouter",
                                              .perModelQuota = true,
                                              .settings = with({{"agentrouter", 429, "额度不足", RuleScope::Model, ModelCapacity,
                                                                 Millis(90'000)}}),
                                              .cooldown = 90'000,
                                              .newLevel = 0,
                                              .reason = ModelCapacity,
                                              .scope = Scope::Model,
                                              .ruleScope = RuleScope::Model,
                                              .lock = 90'000});
        row("V102 the first of several", {.status = 429,
                                          .body = "one two",
                                          .provider = "acme",
                                          .settings = with({rule("acme", 429, "three"),
                                                            {"acme", 429, "TWO", RuleScope::Connection, ServerError, Millis(7'000)},
                                                            rule("acme", 429, "one")}),
                                          .cooldown = 7'000,
                                          .newLevel = 0,
                                          .reason = ServerError,
                                          .ruleScope = RuleScope::Connection});
        row("before what reads a quota", {.status = 429,
                                          .body = "daily quota exceeded",
                                          .provider = "acme",
                                          .settings = with({{"acme", 429, "quota", RuleScope::Connection, RateLimitExceeded,
                                                             Millis(20'000)}}),
                                          .cooldown = 20'000,
                                          .newLevel = 0,
                                          .reason = RateLimitExceeded,
                                          .ruleScope = RuleScope::Connection});
        row("V103 never for a 400",
            {.status = 400,
             .body = "busy",
             .provider = "acme",
             .settings = with({rule("acme", 400, "busy")}),
             .next = false,
             .reason = BadRequest});
        row("no pattern", {.status = 429,
                           .body = "busy now",
                           .provider = "acme",
                           .settings = with({rule("acme", 429, "b.*y"), rule("acme", 429, "(busy|slow)"), rule("acme", 429, "<busy>")}),
                           .cooldown = 3'000,
                           .newLevel = 1,
                           .reason = RateLimitExceeded});
        row("signs of a pattern, literally", {.status = 429,
                                              .body = "say (busy|slow) & <go>",
                                              .provider = "acme",
                                              .settings = with({rule("acme", 429, "(Busy|slow) & <go>")}),
                                              .cooldown = 3'000,
                                              .newLevel = 1,
                                              .reason = QuotaExhausted,
                                              .ruleScope = RuleScope::Connection});
        row("escaped in the JSON", {.status = 429,
                                    .body = json("{'error':{'message':'\\u5fd9'}}"),
                                    .provider = "acme",
                                    .settings = with({rule("acme", 429, "忙")}),
                                    .cooldown = 3'000,
                                    .newLevel = 1,
                                    .reason = QuotaExhausted,
                                    .ruleScope = RuleScope::Connection});
        row("in any part of the body", {.status = 422,
                                        .body = json("{'error':{'message':'no'},'trace':'seat-7 busy'}"),
                                        .provider = "acme",
                                        .settings = with({rule("acme", 422, "SEAT-7")}),
                                        .cooldown = 3'000,
                                        .newLevel = 1,
                                        .reason = QuotaExhausted,
                                        .ruleScope = RuleScope::Connection});
        row("never a state without end", {.status = 402,
                                          .body = "top up soon",
                                          .provider = "acme",
                                          .settings = with({rule("acme", 402, "top up")}),
                                          .cooldown = 3'000,
                                          .newLevel = 1,
                                          .reason = QuotaExhausted,
                                          .ruleScope = RuleScope::Connection});
        row("a cooldown of 0 is at least the rule's two minutes", {.status = 429,
                                                                   .body = "busy",
                                                                   .provider = "acme",
                                                                   .settings = with({{"acme", 429, "busy", RuleScope::Connection,
                                                                                      QuotaExhausted, Millis(0)}}),
                                                                   .cooldown = 120'000,
                                                                   .newLevel = 0,
                                                                   .reason = QuotaExhausted,
                                                                   .ruleScope = RuleScope::Connection});
        row("F23 the upstream asks for longer", {.status = 429,
                                                 .body = "busy",
                                                 .provider = "acme",
                                                 .headers = {{"retry-after", "10800"}},
                                                 .settings = with({{"acme", 429, "busy", RuleScope::Model, QuotaExhausted,
                                                                    Millis(300'000)}}),
                                                 .cooldown = 10'800'000,
                                                 .newLevel = 0,
                                                 .reason = QuotaExhausted,
                                                 .scope = Scope::Model,
                                                 .ruleScope = RuleScope::Model,
                                                 .lock = 10'800'000,
                                                 .lockAuthoritative = true});
        row("F23 the upstream asks for less", {.status = 429,
                                               .body = "busy",
                                               .provider = "acme",
                                               .headers = {{"retry-after", "1"}},
                                               .settings = with({{"acme", 429, "busy", RuleScope::Provider, QuotaExhausted,
                                                                  Millis(300'000)}}),
                                               .cooldown = 300'000,
                                               .newLevel = 0,
                                               .reason = QuotaExhausted,
                                               .scope = Scope::Connection,
                                               .ruleScope = RuleScope::Provider});
        row("by an alias", {.status = 429,
                            .body = "busy",
                            .provider = "codex",
                            .providerClass = ProviderClass::OAuth,
                            .settings = with({rule("cx", 429, "busy")}),
                            .cooldown = 5'000,
                            .newLevel = 1,
                            .reason = QuotaExhausted,
                            .ruleScope = RuleScope::Connection});

        row("D12 a ban word in any case", {.status = 500,
                                           .body = "Seat REVOKED by your team",
                                           .settings = banning({"Seat Revoked"}),
                                           .cooldown = 31'536'000'000,
                                           .reason = AuthError,
                                           .terminal = TerminalState::Banned,
                                           .permanent = true,
                                           .breaker = true});
        row("ban words add to the built-in ones", {.status = 401,
                                                   .body = "account_deactivated",
                                                   .settings = banning({"seat revoked"}),
                                                   .cooldown = 31'536'000'000,
                                                   .reason = AuthError,
                                                   .terminal = TerminalState::Banned,
                                                   .permanent = true});
        row("a blank ban word bans nobody", {.status = 429,
                                             .body = "wait a bit",
                                             .settings = banning({"", " "}),
                                             .cooldown = 3'000,
                                             .newLevel = 1,
                                             .reason = RateLimitExceeded});
        row("a ban word the user wrote", {.status = 400,
                                          .body = json("{'error':{'message':'no'},'input':'seat revoked'}"),
                                          .settings = banning({"seat revoked"}),
                                          .next = false,
                                          .reason = BadRequest});
    }

    void verdict()
    {
        QFETCH(VerdictCase, given);
        given.check();
    }

    void settingsAreTakenOverAtOnce()
    {
        SimulatedRandom random;
        FailureJudge judge(random);
        Failure failure;
        failure.status = 401;
        failure.body = "seat revoked, busy";
        const ResilienceSettings plain;
        const auto judged = [&] {
            return judge.judge(
                {failure, "acme", ProviderClass::ApiKey, "m", false, 0, plain.apiKeyCooldown, Millis(1'800'000), false, kNow});
        };
        QVERIFY(!judged().permanent);
        judge.applySettings(banning({"seat revoked"}));
        QVERIFY(judged().permanent);
        judge.applySettings(with({rule("acme", 401, "busy")}));
        QVERIFY(!judged().permanent && judged().ruleScope == RuleScope::Connection && !judged().keyRefused);
        judge.applySettings(plain);
        QVERIFY(!judged().permanent && !judged().ruleScope && judged().keyRefused);
    }

    void fiftyRulesAtMost()
    {
        std::vector<ProviderErrorRule> rules;
        for (int i = 0; i < 60; ++i)
            rules.push_back(rule("acme", 429, "word" + std::to_string(100 + i)));
        const OperatorWords words(with(rules));
        MarkerHits hits;
        words.scanRules("word149 word159", hits);
        QVERIFY(words.rule(hits, "acme", 429)->match == "word149");
        MarkerHits beyond;
        words.scanRules("word159", beyond);
        QVERIFY(!words.rule(beyond, "acme", 429));
    }
};

OMNI_TEST(OperatorWordsTest)
#include "operator_words_test.moc"
