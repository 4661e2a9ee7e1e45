#include "program/test_program.h"
#include "unit/resilience/verdict_bench.h"

using namespace omni;
using enum FailureReason;
using Scope = Judgement::Scope;

/// How far a verdict reaches (spec 1-core §2.2, §8) and how long a model is locked (§6.4).
class VerdictScopeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void rows_data()
    {
        QTest::addColumn<VerdictCase>("given");
        const auto row = [](const char* name, VerdictCase given) { QTest::newRow(name) << given; };
        const auto oauth = ProviderClass::OAuth;

        row("step 15 429 where quota is per model", {.status = 429,
                                                     .provider = "gemini",
                                                     .perModelQuota = true,
                                                     .cooldown = 3'000,
                                                     .newLevel = 1,
                                                     .reason = RateLimitExceeded,
                                                     .scope = Scope::Model,
                                                     .lock = kNoChange,
                                                     .lockReason = RateLimitExceeded});
        row("step 15 a used-up quota lasts to the reset", {.status = 429,
                                                           .body = "quota exceeded",
                                                           .provider = "gemini",
                                                           .perModelQuota = true,
                                                           .cooldown = 3'000,
                                                           .newLevel = 1,
                                                           .reason = QuotaExhausted,
                                                           .scope = Scope::Model,
                                                           .lock = kNoChange,
                                                           .lockReason = QuotaExhausted});
        row("step 15 404", {.status = 404,
                            .body = "nothing here",
                            .provider = "openai-compatible-x",
                            .perModelQuota = true,
                            .cooldown = 120'000,
                            .scope = Scope::Model,
                            .lock = kNoChange,
                            .lockReason = NotFound});
        row("step 15 502", {.status = 502,
                            .provider = "gemini",
                            .perModelQuota = true,
                            .cooldown = 3'000,
                            .newLevel = 1,
                            .reason = ServerError,
                            .breaker = true,
                            .scope = Scope::Model,
                            .lockReason = ServerError});
        row("step 15 a bare 500 locks nothing",
            {.status = 500, .provider = "gemini", .perModelQuota = true, .reason = ServerError, .breaker = true, .scope = Scope::Note});
        row("step 15 after the answer had begun", {.status = 503,
                                                   .provider = "gemini",
                                                   .perModelQuota = true,
                                                   .afterCommit = true,
                                                   .reason = ServerError,
                                                   .breaker = true,
                                                   .scope = Scope::Note});
        row("step 15 nvidia 410", {.status = 410,
                                   .body = "gone",
                                   .provider = "nvidia",
                                   .perModelQuota = true,
                                   .cooldown = 3'000,
                                   .scope = Scope::Model});
        row("step 15 410 elsewhere",
            {.status = 410, .body = "gone", .provider = "gemini", .perModelQuota = true, .cooldown = 3'000, .scope = Scope::Connection});
        row("step 15 codex fails as an account", {.status = 502,
                                                  .provider = "codex",
                                                  .providerClass = oauth,
                                                  .perModelQuota = true,
                                                  .cooldown = 5'000,
                                                  .newLevel = 1,
                                                  .reason = ServerError,
                                                  .breaker = true,
                                                  .scope = Scope::Connection});
        row("step 22 codex 429 locks the family", {.status = 429,
                                                   .provider = "codex",
                                                   .providerClass = oauth,
                                                   .perModelQuota = true,
                                                   .cooldown = 5'000,
                                                   .newLevel = 1,
                                                   .reason = RateLimitExceeded,
                                                   .scope = Scope::Model});
        row("2.2 claude 503 is the model's", {.status = 503,
                                              .provider = "claude",
                                              .providerClass = oauth,
                                              .cooldown = 5'000,
                                              .newLevel = 1,
                                              .reason = ServerError,
                                              .breaker = true,
                                              .scope = Scope::Model});
        row("2.2 claude 429 is the account's", {.status = 429,
                                                .provider = "claude",
                                                .providerClass = oauth,
                                                .cooldown = 5'000,
                                                .newLevel = 1,
                                                .reason = RateLimitExceeded,
                                                .scope = Scope::Connection});
        row("2.2 504 that names the model", {.status = 504,
                                             .body = "Timeout waiting for GPT-4o",
                                             .cooldown = 3'000,
                                             .newLevel = 1,
                                             .reason = ServerError,
                                             .breaker = true,
                                             .scope = Scope::Model});
        row("2.2 504 that does not",
            {.status = 504,
             .body = "Timeout",
             .cooldown = 3'000,
             .newLevel = 1,
             .reason = ServerError,
             .breaker = true,
             .scope = Scope::Connection});
        row("2.2 413 that names the model", {.status = 413,
                                             .body = "Request too large for model gpt-4o on TPM",
                                             .cooldown = 3'000,
                                             .newLevel = 1,
                                             .reason = ModelCapacity,
                                             .scope = Scope::Model});
        row("2.2 404 about one model", {.status = 404,
                                        .body = "The model gpt-4o does not exist",
                                        .cooldown = 120'000,
                                        .scope = Scope::Model,
                                        .lockReason = NotFound});
        row("D26 a busy account is never a locked model", {.status = 429,
                                                           .body = "too many concurrent requests",
                                                           .level = 3,
                                                           .provider = "gemini",
                                                           .perModelQuota = true,
                                                           .cooldown = 1'000,
                                                           .reason = ConcurrencyLimited,
                                                           .scope = Scope::Connection});
        row("F25 nor is one that may try again", {.status = 429,
                                                  .provider = "gemini",
                                                  .headers = {{"x-should-retry", "true"}},
                                                  .perModelQuota = true,
                                                  .cooldown = 1'000,
                                                  .reason = RateLimitExceeded,
                                                  .scope = Scope::Connection});
        row("89 a service that does not run is no model", {.status = 503,
                                                           .body = "x",
                                                           .headers = {{"x-omni-fallback-hint", "connection_cooldown"}},
                                                           .perModelQuota = true,
                                                           .cooldown = 5'000,
                                                           .newLevel = 0,
                                                           .reason = ServiceNotRunning,
                                                           .scope = Scope::Connection});
        row("71 a moved endpoint is no model", {.status = 404,
                                                .body = "The endpoint has moved",
                                                .perModelQuota = true,
                                                .cooldown = 86'400'000,
                                                .reason = NotFound,
                                                .scope = Scope::Connection});
        row("step 13 who counts by address is not locked by model", {.status = 429,
                                                                     .provider = "opencode-go",
                                                                     .perModelQuota = true,
                                                                     .cooldown = 3'000,
                                                                     .newLevel = 1,
                                                                     .reason = RateLimitExceeded,
                                                                     .scope = Scope::Connection});
        row("step 13 with cooling off", {.status = 429,
                                         .provider = "opencode-go",
                                         .perModelQuota = true,
                                         .coolingDisabled = true,
                                         .cooldown = 3'000,
                                         .newLevel = 1,
                                         .reason = RateLimitExceeded,
                                         .scope = Scope::Model});
        row("step 17 the free tier of one model", {.status = 403,
                                                   .body = "The free tier of the model has been exhausted.",
                                                   .provider = "dashscope",
                                                   .cooldown = 120'000,
                                                   .reason = QuotaExhausted,
                                                   .scope = Scope::Model,
                                                   .lock = kNoChange,
                                                   .lockReason = QuotaExhausted});
        row("157b 402 at a gateway", {.status = 402,
                                      .perModelQuota = true,
                                      .cooldown = 120'000,
                                      .reason = QuotaExhausted,
                                      .scope = Scope::Model,
                                      .lockReason = Credits});
        row("row 10 credits at a gateway are one upstream's", {.status = 402,
                                                               .body = "insufficient credits",
                                                               .provider = "openrouter",
                                                               .perModelQuota = true,
                                                               .cooldown = 120'000,
                                                               .reason = QuotaExhausted,
                                                               .scope = Scope::Model,
                                                               .lockReason = Credits});
        row("row 10 an empty wallet is the account's", {.status = 429,
                                                        .body = json("{'error':{'type':'exceeded_current_quota_error','message':'Your account "
                                                                     "has an insufficient balance, please recharge'}}"),
                                                        .provider = "openai-compatible-moonshot",
                                                        .perModelQuota = true,
                                                        .cooldown = 120'000,
                                                        .reason = QuotaExhausted,
                                                        .terminal = TerminalState::CreditsExhausted,
                                                        .credits = true,
                                                        .scope = Scope::Connection});
        row("row 10 an empty wallet in Chinese", {.status = 429,
                                                  .body = json("{'error':{'code':'1113','message':'余额不足或无可用资源包,请充值。'}}"),
                                                  .provider = "zai",
                                                  .cooldown = 120'000,
                                                  .reason = QuotaExhausted,
                                                  .terminal = TerminalState::CreditsExhausted,
                                                  .credits = true});
        row("step 20 403 where quota is per model", {.status = 403,
                                                     .body = "no",
                                                     .provider = "openrouter",
                                                     .perModelQuota = true,
                                                     .cooldown = 3'000,
                                                     .newLevel = 1,
                                                     .reason = AuthError,
                                                     .scope = Scope::Model,
                                                     .lock = kNoChange,
                                                     .lockReason = Forbidden});
        row("401 is the account's wherever quota is counted",
            {.status = 401, .perModelQuota = true, .reason = AuthError, .keyRefused = true, .scope = Scope::Connection});
        row("529 locks the model where 503 does", {.status = 529,
                                                   .perModelQuota = true,
                                                   .cooldown = 3'000,
                                                   .newLevel = 1,
                                                   .reason = Overloaded,
                                                   .scope = Scope::Model,
                                                   .lockReason = Overloaded});

        row("6.4 a header is exact and not clamped", {.status = 429,
                                                      .provider = "gemini",
                                                      .headers = {{"retry-after", "7200"}},
                                                      .perModelQuota = true,
                                                      .cooldown = 7'200'000,
                                                      .newLevel = 0,
                                                      .reason = RateLimitExceeded,
                                                      .scope = Scope::Model,
                                                      .lock = 7'200'000,
                                                      .lockAuthoritative = true});
        row("6.4 a header that is not trusted is only a wish", {.status = 429,
                                                                .provider = "antigravity",
                                                                .providerClass = oauth,
                                                                .headers = {{"retry-after", "7200"}},
                                                                .perModelQuota = true,
                                                                .cooldown = 5'000,
                                                                .newLevel = 1,
                                                                .reason = RateLimitExceeded,
                                                                .scope = Scope::Model,
                                                                .lock = kNoChange});
        row("6.4 the end of a window reaches the lock untrusted", {.status = 429,
                                                                   .provider = "antigravity",
                                                                   .providerClass = oauth,
                                                                   .headers = {{"x-ratelimit-reset", epochSecondsIn(7'200)}},
                                                                   .perModelQuota = true,
                                                                   .cooldown = 5'000,
                                                                   .newLevel = 1,
                                                                   .reason = RateLimitExceeded,
                                                                   .scope = Scope::Model,
                                                                   .lock = 7'200'000,
                                                                   .lockAuthoritative = true});
        row("129 prose reaches the lock and is clamped", {.status = 429,
                                                          .body = "Individual quota reached. Resets in 92h27m28s.",
                                                          .provider = "antigravity",
                                                          .providerClass = oauth,
                                                          .perModelQuota = true,
                                                          .cooldown = 5'000,
                                                          .newLevel = 1,
                                                          .reason = QuotaExhausted,
                                                          .scope = Scope::Model,
                                                          .quotaReset = 332'848'000,
                                                          .lock = 332'848'000,
                                                          .lockReason = QuotaExhausted});
        row("6.3 prose shorter than the base leaves it to the ladder", {.status = 429,
                                                                        .body = "quota exceeded, resets in 30s",
                                                                        .provider = "gemini",
                                                                        .perModelQuota = true,
                                                                        .cooldown = 30'000,
                                                                        .newLevel = 0,
                                                                        .reason = QuotaExhausted,
                                                                        .scope = Scope::Model,
                                                                        .lock = 0});
        const std::string retryInfo =
            json("{'error':{'message':'slow down','details':["
                 "{'@type':'type.googleapis.com/google.rpc.RetryInfo','retryDelay':'37.2s'}]}}");
        row("F08 a typed RetryInfo is about one model", {.status = 429,
                                                         .body = retryInfo,
                                                         .cooldown = 37'200,
                                                         .newLevel = 0,
                                                         .reason = RateLimitExceeded,
                                                         .scope = Scope::Model,
                                                         .lock = 37'200,
                                                         .lockAuthoritative = true});
        row("F08 even where hints are not trusted", {.status = 429,
                                                     .body = retryInfo,
                                                     .provider = "vertex",
                                                     .providerClass = oauth,
                                                     .cooldown = 5'000,
                                                     .newLevel = 1,
                                                     .reason = RateLimitExceeded,
                                                     .scope = Scope::Model,
                                                     .lock = 37'200,
                                                     .lockAuthoritative = true});
        row("6.4 a retired model", {.status = 404,
                                    .body = "This model is no longer available",
                                    .cooldown = 86'400'000,
                                    .reason = NotFound,
                                    .scope = Scope::Model,
                                    .lock = 86'400'000,
                                    .lockReason = NotFound});
        row("6.4 the quota of the day", {.status = 429,
                                         .body = "You have exceeded your daily quota",
                                         .provider = "gemini",
                                         .perModelQuota = true,
                                         .cooldown = kUpToADay,
                                         .reason = QuotaExhausted,
                                         .daily = true,
                                         .scope = Scope::Model,
                                         .lock = kUpToADay});
        row("row 14 a week", {.status = 429,
                              .body = "weekly limit reached",
                              .provider = "ollama-cloud",
                              .perModelQuota = true,
                              .cooldown = 86'400'000,
                              .reason = QuotaExhausted,
                              .scope = Scope::Model,
                              .lock = 86'400'000});
        row("F10 the quota of the day, whatever the wait for a minute's",
            {.status = 429,
             .body = json("{'error':{'message':'You exceeded your current quota','details':[{'@type':'x/QuotaFailure','violations':["
                          "{'quotaId':'GenerateRequestsPerDayPerProjectPerModel-FreeTier','quotaValue':'20'}]},"
                          "{'@type':'x/RetryInfo','retryDelay':'38s'}]}}"),
             .provider = "gemini",
             .perModelQuota = true,
             .cooldown = 3'000,
             .newLevel = 1,
             .reason = QuotaExhausted,
             .daily = true,
             .scope = Scope::Model,
             .lock = kUpToADay,
             .lockReason = QuotaExhausted});
    }

    void rows()
    {
        QFETCH(VerdictCase, given);
        given.check();
    }

    void egressIsTold()
    {
        VerdictCase given{.status = 429, .provider = "opencode-go", .perModelQuota = true};
        QVERIFY(given.judged().locksEgress);
        given.coolingDisabled = true;
        QVERIFY(!given.judged().locksEgress);
        given = {.status = 503, .provider = "opencode-go", .perModelQuota = true};
        QVERIFY(!given.judged().locksEgress);
        given = {.status = 429, .provider = "openrouter", .perModelQuota = true};
        QVERIFY(!given.judged().locksEgress);
    }

    void transport_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<bool>("perModel");
        QTest::addColumn<int>("scope");
        const auto row = [](const char* name, TransportFailure kind, bool perModel, Scope scope) {
            QTest::newRow(name) << int(kind) << perModel << int(scope);
        };
        row("refused", TransportFailure::ConnectFailed, true, Scope::Connection);
        row("reset", TransportFailure::Reset, true, Scope::Connection);
        row("own proxy", TransportFailure::ProxyFailed, true, Scope::Connection);
        row("no first byte", TransportFailure::FirstByteTimeout, true, Scope::Model);
        row("no HTTP", TransportFailure::BadResponse, true, Scope::Model);
        row("no first byte, one quota for all", TransportFailure::FirstByteTimeout, false, Scope::Connection);
        row("stall", TransportFailure::IdleTimeout, true, Scope::Note);
        row("empty", TransportFailure::EmptyAnswer, true, Scope::Request);
    }

    void transport()
    {
        QFETCH(int, kind);
        QFETCH(bool, perModel);
        QFETCH(int, scope);
        const ResilienceSettings settings;
        SimulatedRandom random;
        FailureJudge judge(random);
        Failure failure;
        failure.transport = static_cast<TransportFailure>(kind);
        const Judgement judgement = judge.judge(
            {failure, "x", ProviderClass::ApiKey, "m", perModel, 0, settings.apiKeyCooldown, Millis(1'800'000), false, kNow});
        QCOMPARE(int(judgement.scope), scope);
        QCOMPARE(named(judgement.reason), QByteArray("transport"));
    }
};

OMNI_TEST(VerdictScopeTest)
#include "verdict_scope_test.moc"
