#pragma once

#include "resilience/failure_verdict.h"
#include "unit/resilience/resilience_fixture.h"

#include <QTest>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace omni {

constexpr qint64 kNoChange = -1;
constexpr qint64 kUpToADay = -2;
inline const WallTime kNow = fromEpochMillis(1'790'000'000'000);

inline std::string epochSecondsIn(int seconds)
{
    return std::to_string(epochMillis(kNow) / 1000 + seconds);
}

/// One row of a table: a situation and what must be made of it.
struct VerdictCase {
    int status = 0;
    std::string body = {};
    int level = 0;
    std::string provider = "openai";
    ProviderClass providerClass = ProviderClass::ApiKey;
    std::vector<std::pair<std::string, std::string>> headers = {};
    bool perModelQuota = false;
    std::optional<Millis> base = {};
    std::optional<bool> trustHints = {};
    ResilienceSettings settings = {};  ///< the operator's
    bool coolingDisabled = false;
    bool afterCommit = false;
    bool insideOk = false;

    bool next = true;
    qint64 cooldown = 0;  ///< kUpToADay = above 0, at most 24 h
    qint64 newLevel = kNoChange;
    FailureReason reason = FailureReason::Unknown;
    TerminalState terminal = TerminalState::None;
    bool credits = false;
    bool daily = false;
    bool permanent = false;
    bool breaker = false;
    bool keyRefused = false;
    bool rejected = false;
    bool overflow = false;
    std::optional<Judgement::Scope> scope = {};
    HintSource source = HintSource::None;  ///< None = not looked at
    qint64 quotaReset = kNoChange;
    std::optional<RuleScope> ruleScope = {};
    std::optional<qint64> lock = {};  ///< kNoChange = unset, unset = not looked at
    bool lockAuthoritative = false;   ///< with `lock`
    std::optional<FailureReason> lockReason = {};
    int restated = 0;

    Judgement judged() const
    {
        SimulatedRandom random;
        FailureJudge judge(random);
        return judged(judge);
    }

    Judgement judged(FailureJudge& judge) const
    {
        CooldownProfile profile = providerClass == ProviderClass::OAuth   ? settings.oauthCooldown
                                  : providerClass == ProviderClass::Local ? settings.localCooldown
                                                                          : settings.apiKeyCooldown;
        if (base)
            profile.baseCooldown = *base;
        if (trustHints)
            profile.useUpstreamRetryHints = *trustHints;
        Failure failure;
        failure.status = status;
        failure.headers = &headers;
        failure.body = body;
        failure.afterCommit = afterCommit;
        failure.insideOk = insideOk;
        judge.applySettings(settings);
        return judge.judge({failure, provider, providerClass, "gpt-4o", perModelQuota, level, profile, settings.modelLockout.maxCooldown,
                            settings.streamStallCooldown, kNow, "c1", coolingDisabled});
    }

    /// Compares what the row expects; its caller's test fails.
    void check() const
    {
        const Judgement judgement = judged();
        QVERIFY2(!judgement.rule.empty(), "every verdict says why");
        QCOMPARE(judgement.tryNextTarget, next);
        QCOMPARE(named(judgement.reason), named(reason));
        if (cooldown == kUpToADay)
            QVERIFY2(judgement.cooldown > Millis(0) && judgement.cooldown <= std::chrono::hours(24),
                     qPrintable(QString::number(judgement.cooldown.count())));
        else
            QCOMPARE(qint64(judgement.cooldown.count()), cooldown);
        QCOMPARE(judgement.newLevel ? qint64(*judgement.newLevel) : kNoChange, newLevel);
        QCOMPARE(named(judgement.terminal), named(terminal));
        QCOMPARE(judgement.creditsExhausted, credits);
        QCOMPARE(judgement.dailyQuotaExhausted, daily);
        QCOMPARE(judgement.permanent, permanent);
        QCOMPARE(judgement.countsOnBreaker, breaker);
        QCOMPARE(judgement.keyRefused, keyRefused);
        QCOMPARE(judgement.requestRejected, rejected);
        QCOMPARE(judgement.contextOverflow, overflow);
        if (scope)
            QCOMPARE(int(judgement.scope), int(*scope));
        if (source != HintSource::None)
            QCOMPARE(named(judgement.source), named(source));
        if (quotaReset != kNoChange)
            QCOMPARE(judgement.quotaReset ? qint64(judgement.quotaReset->count()) : kNoChange, quotaReset);
        QCOMPARE(judgement.ruleScope ? named(*judgement.ruleScope) : QByteArray(), ruleScope ? named(*ruleScope) : QByteArray());
        if (lock == kUpToADay) {
            QVERIFY(judgement.modelLock && *judgement.modelLock > Millis(0) && *judgement.modelLock <= std::chrono::hours(24));
        } else if (lock) {
            QCOMPARE(judgement.modelLock ? qint64(judgement.modelLock->count()) : kNoChange, *lock);
            QCOMPARE(judgement.modelLockAuthoritative, lockAuthoritative);
        }
        if (lockReason)
            QCOMPARE(named(judgement.lockReason), named(*lockReason));
        QCOMPARE(judgement.restatedStatus.value_or(0), restated);
    }
};

}  // namespace omni

Q_DECLARE_METATYPE(omni::VerdictCase)
