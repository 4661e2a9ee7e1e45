#include "resilience/model_lockouts.h"

#include "program/test_program.h"
#include "unit/resilience/lockouts_fixture.h"

#include <QTest>

#include <chrono>
#include <memory>

using namespace omni;
using namespace std::chrono_literals;

class ModelLockoutsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void histories_data()
    {
        QTest::addColumn<QString>("steps");
        QTest::addColumn<qint64>("remaining");  ///< of gpt-5.6-luna of codex, in the end
        QTest::addColumn<int>("count");
        QTest::addColumn<QString>("decays");  ///< what each success told
        const auto row = [](const char* name, const char* steps, qint64 remaining, int count, const char* decays = "") {
            QTest::newRow(name) << steps << remaining << count << decays;
        };
        row("130 a shorter lock never replaces a longer one", "lock:60000 +1000 lock:10000", 59'000, 2);
        row("130 a longer one does", "lock:10000 +1000 lock:60000", 60'000, 2);
        row("130 a lower count is not merged", "lock:120000 lock:1000 +31001 lock:1000", 88'999, 2);
        row("131 now = T", "lock:60000 +60000", 1, 1);
        row("131 now = T + 1", "lock:60000 +60001", 0, 0);
        row("132 decay from 4, first success", "fail:502 fail:502 fail:502 fail:502 ok", 960'000, 2, "2");
        row("132 decay from 4, second success", "fail:502 fail:502 fail:502 fail:502 ok ok", 960'000, 1, "2 1");
        row("132 decay from 4, third success", "fail:502 fail:502 fail:502 fail:502 ok ok ok", 0, 0, "2 1 cleared");
        row("132 decay from 4 of the family", "fail:429 fail:429 fail:429 fail:429 ok ok ok", 0, 0, "2 1 cleared");
        row("132 decay of a missing model", "fail:404 ok", 0, 0, "cleared");
        row("132 decay from 3", "fail:502 fail:502 fail:502 ok ok", 0, 0, "1 cleared");
        row("133 decay with no entry", "ok", 0, 0, "0");
        row("134 clear after a 404 lock and a family lock", "fail:404 fail:429 clear", 0, 0);
        row("134 the ladder begins anew", "fail:404 fail:429 clear fail:404", 120'000, 1);
        row("135 restart", "fail:502 fail:429 restart", 0, 0);
    }

    void histories()
    {
        QFETCH(QString, steps);
        QFETCH(qint64, remaining);
        QFETCH(int, count);
        QFETCH(QString, decays);
        LockoutBench bench;
        bench.provider = ProviderId("codex");
        constexpr std::string_view model = "gpt-5.6-luna";
        auto lockouts = std::make_unique<ModelLockouts>();
        QStringList told;
        for (const QString& word : steps.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
            const auto number = word.section(QLatin1Char(':'), 1).toLongLong();
            if (word.startsWith(QLatin1Char('+'))) {
                bench.clock.advance(Millis(word.mid(1).toLongLong()));
            } else if (word.startsWith(QLatin1String("fail:"))) {
                lockouts->recordFailure(bench.event(model, int(number)), bench.now());
            } else if (word.startsWith(QLatin1String("lock:"))) {
                ModelLockouts::FailureEvent event = bench.event(model, 500);
                event.exactLength = Millis(number);
                lockouts->recordFailure(event, bench.now());
            } else if (word == QLatin1String("ok")) {
                const auto decayed = lockouts->decayOnSuccess(bench.provider, bench.connection, model, bench.now());
                told += decayed.cleared ? QStringLiteral("cleared") : QString::number(decayed.failureCount);
            } else if (word == QLatin1String("clear")) {
                lockouts->clear(bench.provider, bench.connection, model, bench.now());
            } else {
                QCOMPARE(word, QStringLiteral("restart"));
                lockouts = std::make_unique<ModelLockouts>();
            }
        }
        const auto found = lockouts->find(bench.provider, bench.connection, model, bench.now());
        QCOMPARE(found ? qint64(found->remaining.count()) : 0, remaining);
        QCOMPARE(found ? found->failureCount : 0, count);
        QCOMPARE(told.join(QLatin1Char(' ')), decays);
    }

    void keys_data()
    {
        QTest::addColumn<QString>("provider");
        QTest::addColumn<QString>("model");
        QTest::addColumn<int>("status");
        QTest::addColumn<bool>("exactScope");
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("asked");  ///< asked for as "provider/model"
        QTest::addColumn<bool>("locked");
        const auto row = [](const char* name, const char* provider, const char* model, int status, const char* key, const char* asked,
                            bool locked, bool exactScope = false) {
            QTest::newRow(name) << provider << model << status << exactScope << key << asked << locked;
        };
        row("118 codex 429 locks the family", "codex", "gpt-5.6-luna", 429, "codex:c1:codex", "codex/gpt-5.3-codex", true);
        row("118 codex 429 leaves spark", "codex", "gpt-5.6-luna", 429, "codex:c1:codex", "codex/gpt-5.3-codex-spark", false);
        row("119 codex spark 429", "codex", "gpt-5.3-codex-spark", 429, "codex:c1:spark", "codex/gpt-5.6-luna", false);
        row("119 codex spark 429 locks spark", "codex", "gpt-5.3-codex-spark", 429, "codex:c1:spark", "codex/bengalfox", true);
        row("120 codex 502 locks the model", "codex", "gpt-5.6-luna", 502, "codex:c1:exact:gpt-5.6-luna", "codex/gpt-5.6-luna", true);
        row("120 codex 502 leaves others", "codex", "gpt-5.6-luna", 502, "codex:c1:exact:gpt-5.6-luna", "codex/gpt-5.6-sol", false);
        row("121 codex 404 locks the model", "codex", "gpt-5.6-luna", 404, "codex:c1:gpt-5.6-luna", "codex/gpt-5.6-luna", true);
        row("121 codex 404 leaves the sibling", "codex", "gpt-5.6-luna", 404, "codex:c1:gpt-5.6-luna", "codex/gpt-5.3-codex", false);
        row("122 the alias is locked too", "codex", "gpt-5.6-luna", 429, "codex:c1:codex", "cx/gpt-5.3-codex", true);
        row("122 locked by the alias", "cx", "gpt-5.6-luna", 429, "codex:c1:codex", "codex/gpt-5.3-codex", true);
        row("123 antigravity, exact, that model", "antigravity", "gemini-2.5-pro", 429, "antigravity:c1:exact:gemini-2.5-pro",
            "antigravity/gemini-2.5-pro", true, true);
        row("123 antigravity, exact, another", "antigravity", "gemini-2.5-pro", 429, "antigravity:c1:exact:gemini-2.5-pro",
            "antigravity/gemini-3", false, true);
        row("123 antigravity, its family", "antigravity", "gemini-2.5-pro", 429, "antigravity:c1:family:gemini",
            "antigravity/gemini-3", true);
        row("123 antigravity, not the other family", "antigravity", "gemini-2.5-pro", 429, "antigravity:c1:family:gemini",
            "antigravity/claude-opus-4", false);
        row("124 openai 500", "openai", "gpt-4o", 500, "openai:c1:exact:gpt-4o", "openai/gpt-4o", true);
        row("403 of a provider without families", "openai", "gpt-4o", 403, "openai:c1:gpt-4o", "openai/gpt-4o-mini", false);
        row("exact: any case", "openai", "GPT-4o", 500, "openai:c1:exact:gpt-4o", "openai/gpt-4O", true);
        row("exact: blanks around", "openai", " \tgpt-4o ", 500, "openai:c1:exact:gpt-4o", "openai/gpt-4o  ", true);
        row("exact: blanks within count", "openai", "gpt 4o", 500, "openai:c1:exact:gpt 4o", "openai/gpt4o", false);
        row("a missing spelling says nothing of another", "openai", "GPT-4o", 404, "openai:c1:GPT-4o", "openai/gpt-4o", false);
        row("a model named like a family", "codex", "codex", 404, "codex:c1:codex", "codex/gpt-5.3-codex", false);
        row("unicode", "openai", "মডেল-৫", 500, "openai:c1:exact:মডেল-৫", "openai/মডেল-৫", true);
        row("unicode, other digit", "openai", "মডেল-৫", 500, "openai:c1:exact:মডেল-৫", "openai/মডেল-৬", false);
        row("emoji and slashes", "openrouter", "vendor/🦙:Free", 503, "openrouter:c1:exact:vendor/🦙:free", "openrouter/vendor/🦙:free", true);
        row("the provider in any case", "OpenAI", "gpt-4o", 500, "openai:c1:exact:gpt-4o", "openai/gpt-4o", true);
        row("another provider", "openai", "gpt-4o", 500, "openai:c1:exact:gpt-4o", "azure/gpt-4o", false);
    }

    void keys()
    {
        QFETCH(QString, provider);
        QFETCH(QString, model);
        QFETCH(int, status);
        QFETCH(bool, exactScope);
        QFETCH(QString, key);
        QFETCH(QString, asked);
        QFETCH(bool, locked);
        LockoutBench bench;
        bench.provider = ProviderId(provider.toStdString());
        const std::string name = model.toStdString();
        ModelLockouts::FailureEvent event = bench.event(name, status);
        if (exactScope)
            event.scope = LockoutScope::Exact;
        const auto lockout = bench.lockouts.recordFailure(event, bench.now());
        QVERIFY(lockout.has_value());
        QCOMPARE(text(lockoutKey(*lockout)), key.toUtf8());
        const ProviderId other(asked.section(QLatin1Char('/'), 0, 0).toStdString());
        const std::string otherModel = asked.section(QLatin1Char('/'), 1).toStdString();
        QCOMPARE(bench.lockouts.find(other, bench.connection, otherModel, bench.now()).has_value(), locked);
        QCOMPARE(bench.lockouts.describe(other, bench.connection, otherModel, bench.now()).has_value(), locked);
        QVERIFY2(!bench.lockouts.find(other, ConnectionId("c2"), otherModel, bench.now()), "another connection is free");
    }

    void nothingToLock()
    {
        LockoutBench bench;
        QVERIFY(!bench.fail("", 500));
        QVERIFY(!bench.fail(" \t", 404));
        QVERIFY(!bench.fail(std::string(ModelLockouts::kLongestModelName + 1, 'm'), 500));
        QVERIFY(bench.fail(std::string(ModelLockouts::kLongestModelName, 'm'), 500));
        QVERIFY(!bench.locked(std::string(ModelLockouts::kLongestModelName + 1, 'm')));
        bench.connection = ConnectionId();
        QVERIFY(!bench.fail("gpt-4o", 500));
        bench.connection = ConnectionId("c1");
        bench.provider = ProviderId();
        QVERIFY(!bench.fail("gpt-4o", 500));
        QCOMPARE(bench.lockouts.size(), std::size_t(1));
    }

    void ladder_data()
    {
        QTest::addColumn<qint64>("fallbackBase");
        QTest::addColumn<qint64>("base");
        QTest::addColumn<qint64>("max");
        QTest::addColumn<int>("steps");
        QTest::addColumn<bool>("exponential");
        QTest::addColumn<int>("status");
        QTest::addColumn<QList<qint64>>("lengths");
        using Lengths = QList<qint64>;
        const auto row = [](const char* name, qint64 fallback, qint64 base, qint64 max, int steps, bool exponential, int status,
                            const Lengths& lengths) {
            QTest::newRow(name) << fallback << base << max << steps << exponential << status << lengths;
        };
        row("125 the ladder with the defaults", 0, 120'000, 1'800'000, 10, true, 500,
            Lengths{120'000, 240'000, 480'000, 960'000, 1'800'000, 1'800'000});
        row("the fallback base comes first", 3'000, 120'000, 1'800'000, 10, true, 500, Lengths{3'000, 6'000, 12'000});
        row("steps end the climb", 0, 5'000, 1'800'000, 2, true, 500, Lengths{5'000, 10'000, 20'000, 20'000});
        row("no steps", 0, 5'000, 1'800'000, 0, true, 500, Lengths{5'000, 5'000});
        row("not exponential", 0, 120'000, 1'800'000, 10, false, 500, Lengths{120'000, 120'000, 120'000});
        row("base beyond the cap", 600'000, 120'000, 300'000, 10, true, 500, Lengths{300'000});
        row("no base at all, 429", 0, 0, 1'800'000, 10, true, 429, Lengths{1'000, 2'000});
        row("no base at all, another status", 0, 0, 1'800'000, 10, true, 503, Lengths{5'000, 10'000});
        row("without a cap", 0, 50'000, 0, 10, true, 500, Lengths{50'000, 100'000, 120'000});
        row("absurd settings", 0, Q_INT64_C(9'000'000'000'000'000), 0, 1'000'000, true, 500, Lengths{120'000, 120'000});
    }

    void ladder()
    {
        QFETCH(qint64, fallbackBase);
        QFETCH(qint64, base);
        QFETCH(qint64, max);
        QFETCH(int, steps);
        QFETCH(bool, exponential);
        QFETCH(int, status);
        QFETCH(QList<qint64>, lengths);
        LockoutBench bench;
        bench.settings.baseCooldown = Millis(base);
        bench.settings.maxCooldown = Millis(max);
        bench.settings.maxBackoffSteps = steps;
        bench.settings.useExponentialBackoff = exponential;
        bench.lockouts.applySettings(bench.settings);
        int count = 0;
        for (const qint64 length : lengths) {
            ModelLockouts::FailureEvent event = bench.event("gpt-4o", status);
            event.fallbackBase = Millis(fallbackBase);
            const auto lockout = bench.lockouts.recordFailure(event, bench.now());
            QVERIFY(lockout.has_value());
            QCOMPARE(qint64(lockout->remaining.count()), length);
            QCOMPARE(lockout->failureCount, ++count);
            // The next comes when the lock is just over.
            bench.clock.advance(Millis(length) + 1ms);
            QVERIFY(!bench.locked("gpt-4o"));
        }
    }

    void countingWindow_data()
    {
        QTest::addColumn<qint64>("after");
        QTest::addColumn<int>("count");
        QTest::newRow("126 at 150 000 it counts") << qint64(150'000) << 2;
        QTest::newRow("126 at 150 001 it begins anew") << qint64(150'001) << 1;
        QTest::newRow("at once") << qint64(0) << 2;
    }

    void countingWindow()
    {
        QFETCH(qint64, after);
        QFETCH(int, count);
        LockoutBench bench;
        bench.fail("gpt-4o", 500);
        bench.clock.advance(Millis(after));
        bench.lockouts.sweep(bench.now());
        QCOMPARE(bench.fail("gpt-4o", 500)->failureCount, count);
    }

    void windowWithoutProfile()
    {
        LockoutBench bench;
        const ModelLockouts::FailureEvent event{.provider = bench.provider, .connection = bench.connection, .model = "m", .status = 500};
        bench.lockouts.recordFailure(event, bench.now());
        bench.clock.advance(30min + 120s);
        QCOMPARE(bench.lockouts.recordFailure(event, bench.now())->failureCount, 2);
        bench.clock.advance(30min + 240s + 1ms);
        QCOMPARE(bench.lockouts.recordFailure(event, bench.now())->failureCount, 1);
    }

    void lengths_data()
    {
        QTest::addColumn<QByteArray>("reason");
        QTest::addColumn<qint64>("exact");  ///< -1 = none
        QTest::addColumn<bool>("authoritative");
        QTest::addColumn<qint64>("daily");  ///< -1 = unknown
        QTest::addColumn<qint64>("max");
        QTest::addColumn<qint64>("length");
        const auto row = [](const char* name, const char* reason, qint64 exact, bool authoritative, qint64 daily, qint64 max,
                            qint64 length) {
            QTest::newRow(name) << QByteArray(reason) << exact << authoritative << daily << max << length;
        };
        constexpr qint64 cap = 1'800'000;
        constexpr qint64 twoHours = 7'200'000;  // 22:00 to midnight
        row("127 used-up quota, no cap", "quota_exhausted", -1, false, twoHours, 0, twoHours);
        row("128 used-up quota, capped", "quota_exhausted", -1, false, twoHours, cap, cap);
        row("129 exact and authoritative", "quota_exhausted", 332'848'000, true, twoHours, cap, 332'848'000);
        row("129 exact and not", "quota_exhausted", 332'848'000, false, twoHours, cap, cap);
        row("exact without a cap", "rate_limit_exceeded", 332'848'000, false, -1, 0, 332'848'000);
        row("used-up quota, near the reset", "quota_exhausted", -1, false, 60'000, cap, 60'000);
        row("used-up quota, reset unknown", "quota_exhausted", -1, false, -1, cap, 120'000);
        row("used-up quota, a number wins", "quota_exhausted", 45'000, false, twoHours, cap, 45'000);
        row("0 is the ladder even for a quota", "quota_exhausted", 0, false, twoHours, cap, 120'000);
        row("another reason takes no daily reset", "rate_limit_exceeded", -1, false, twoHours, cap, 120'000);
        row("nonsense is the ladder", "server_error", -7, true, -1, cap, 120'000);
        row("beyond 30 days", "server_error", Q_INT64_C(9'000'000'000'000'000'000), true, -1, cap, Q_INT64_C(2'592'000'000));
    }

    void lengths()
    {
        QFETCH(QByteArray, reason);
        QFETCH(qint64, exact);
        QFETCH(bool, authoritative);
        QFETCH(qint64, daily);
        QFETCH(qint64, max);
        QFETCH(qint64, length);
        LockoutBench bench;
        bench.settings.maxCooldown = Millis(max);
        bench.lockouts.applySettings(bench.settings);
        ModelLockouts::FailureEvent event = bench.event("gpt-4o", 429, failureReasonFromString(reason.toStdString()));
        if (exact != -1)
            event.exactLength = Millis(exact);
        if (daily != -1)
            event.untilDailyReset = Millis(daily);
        event.authoritative = authoritative;
        event.evidence.emplace();
        event.evidence->rule = "because";
        event.evidence->source = HintSource::Header;
        const auto lockout = bench.lockouts.recordFailure(event, bench.now());
        QVERIFY(lockout.has_value());
        QCOMPARE(qint64(lockout->remaining.count()), length);
        QVERIFY(lockout->until == bench.now().wall + Millis(length));
        QVERIFY(lockout->lockedAt == bench.now().wall);
        QCOMPARE(named(lockout->reason), reason);
        QVERIFY(lockout->evidence && lockout->evidence->length == Millis(length) && lockout->evidence->rule == "because");
        const bool byLadder = length == 120'000;
        QCOMPARE(named(lockout->evidence->source), QByteArray(byLadder ? "ladder" : "header"));
    }

    void hintChoice_data()
    {
        QTest::addColumn<qint64>("hint");
        QTest::addColumn<bool>("exponential");
        QTest::addColumn<qint64>("length");
        QTest::newRow("longer than the base") << qint64(120'001) << true << qint64(120'001);
        QTest::newRow("as long, climbing") << qint64(120'000) << true << qint64(0);
        QTest::newRow("as long, not climbing") << qint64(120'000) << false << qint64(120'000);
        QTest::newRow("none") << qint64(0) << true << qint64(0);
    }

    void hintChoice()
    {
        QFETCH(qint64, hint);
        QFETCH(bool, exponential);
        QFETCH(qint64, length);
        ModelLockoutSettings settings;
        settings.useExponentialBackoff = exponential;
        QCOMPARE(qint64(lockLengthFromHint(Millis(hint), settings).count()), length);
    }

    void longestOfTheThree()
    {
        LockoutBench bench;
        bench.provider = ProviderId("codex");
        bench.lockFor(10s, "gpt-5.6-luna", 429);
        bench.lockFor(30s, "gpt-5.6-luna", 404);
        bench.lockFor(20s, "gpt-5.6-luna", 502);
        for (const auto& [after, scope] : {std::pair(0s, LockoutScope::NotFound), std::pair(15s, LockoutScope::NotFound)}) {
            bench.clock.advance(after);
            QVERIFY(bench.lockouts.find(bench.provider, bench.connection, "gpt-5.6-luna", bench.now())->scope == scope);
        }
        QCOMPARE(bench.remaining("gpt-5.6-luna"), Millis(15s));
        QVERIFY(!bench.locked("gpt-5.3-codex"));
    }

    void settingsLeaveRunningLocksAlone()
    {
        LockoutBench bench;
        bench.fail("gpt-4o", 500);
        bench.settings.baseCooldown = 5s;
        bench.settings.maxCooldown = 8s;
        bench.lockouts.applySettings(bench.settings);
        QCOMPARE(bench.remaining("gpt-4o"), Millis(120s));
        bench.clock.advance(120s + 1ms);
        QCOMPARE(bench.fail("gpt-4o", 500)->remaining, Millis(8s));
    }

    void transientReasons_data()
    {
        QTest::addColumn<QByteArray>("reason");
        QTest::addColumn<bool>("transient");
        for (const char* reason : {"unknown", "rate_limit_exceeded", "model_capacity", "server_error", "overloaded", "transport",
                                   "forbidden", "credits", "concurrency_limited"})
            QTest::newRow(reason) << QByteArray(reason) << true;
        for (const char* reason : {"quota_exhausted", "auth_error", "not_found"})
            QTest::newRow(reason) << QByteArray(reason) << false;
    }

    void transientReasons()
    {
        QFETCH(QByteArray, reason);
        QFETCH(bool, transient);
        QCOMPARE(isTransientLockout(failureReasonFromString(reason.toStdString())), transient);
    }
};

OMNI_TEST(ModelLockoutsTest)
#include "model_lockouts_test.moc"
