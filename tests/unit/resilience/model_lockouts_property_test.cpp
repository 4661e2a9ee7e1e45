#include "resilience/model_lockouts.h"

#include "base/text.h"
#include "program/measured.h"
#include "program/test_program.h"
#include "unit/resilience/resilience_fixture.h"

#include <QTest>

#include <array>
#include <chrono>
#include <limits>
#include <map>
#include <set>

using namespace omni;
using namespace std::chrono_literals;

namespace {

/// The rules once more, as plainly as they can be written: one map of texts, looked through from end to end.
class PlainLockouts {
public:
    struct Entry {
        bool locked = false;
        Instant since;
        Millis length{0};
        int lockCount = 0;
        int count = 0;
        Instant last;
        Millis countedFor{0};
        std::uint64_t episode = 0;
    };

    static std::string family(const std::string& provider, const std::string& model)
    {
        const std::string lower = toLower(model);
        const auto has = [&](const char* part) { return lower.find(part) != std::string::npos; };
        if (provider == "codex")
            return has("spark") || has("bengalfox") ? "spark" : "codex";
        if (provider == "antigravity")
            return has("gemini") ? "family:gemini" : has("claude-") ? "family:claude" : model;
        return model;
    }
    static std::string key(std::string provider, const std::string& connection, const std::string& model, LockoutScope scope)
    {
        if (provider == "cx")
            provider = "codex";
        std::string name = model;
        if (scope == LockoutScope::Family)
            name = family(provider, model);
        if (scope == LockoutScope::Exact)
            name = toLower(trimmed(model));
        return provider + "|" + connection + "|" + std::string(toString(scope)) + "|" + name;
    }
    static std::array<std::string, 3> keys(const std::string& provider, const std::string& connection, const std::string& model)
    {
        return {key(provider, connection, model, LockoutScope::Family), key(provider, connection, model, LockoutScope::NotFound),
                key(provider, connection, model, LockoutScope::Exact)};
    }

    /// The keys of the locks that time has ended since the last call.
    std::multiset<std::string> end(const Instant& now)
    {
        std::multiset<std::string> ended;
        for (auto at = entries.begin(); at != entries.end();) {
            Entry& entry = at->second;
            const bool over = entry.locked && elapsed(entry.since, now) > entry.length;
            if (over) {
                entry.locked = false;
                ended.insert(at->first);
            }
            at = over && elapsed(entry.last, now) > entry.countedFor ? entries.erase(at) : std::next(at);
        }
        return ended;
    }

    void fail(const std::string& at, Millis exact, Millis cap, Millis base, Millis window, std::optional<std::uint64_t> asOf,
              const Instant& now)
    {
        Entry& entry = entries[at];
        const int before = entry.count > 0 && elapsed(entry.last, now) <= entry.countedFor ? entry.count : 0;
        const bool old = asOf && entry.episode > *asOf && (before > 0 || entry.locked);
        const int count = old ? std::max(before, 1) : before + 1;
        Millis length = std::min(exact, cap);
        if (exact == Millis(0)) {
            length = base;
            for (int i = 1; i < count && i <= 10; ++i)
                length = std::min(length * 2, Millis(1'800'000));
        }
        const bool locks = (!entry.locked || entry.length - elapsed(entry.since, now) <= length) && !(old && exact == Millis(0));
        if (locks) {
            entry.locked = true;
            entry.since = now;
            entry.length = length;
            entry.lockCount = count;
        } else if (entry.locked) {
            entry.lockCount = std::max(entry.lockCount, count);
        }
        if (locks || !old) {
            entry.count = count;
            entry.last = now;
            entry.countedFor = window + length;
            entry.episode = ++episodes;
        }
    }

    void succeed(const std::string& at, std::optional<std::uint64_t> asOf, const Instant& now)
    {
        const auto found = entries.find(at);
        if (found == entries.end() || (asOf && found->second.episode > *asOf))
            return;
        Entry& entry = found->second;
        const bool counting = elapsed(entry.last, now) <= entry.countedFor;
        const int halved = std::max(counting ? entry.count : 0, entry.locked ? entry.lockCount : 0) / 2;
        if (halved == 0) {
            entries.erase(found);
            return;
        }
        entry.count = halved;
        if (entry.locked)
            entry.lockCount = halved;
    }

    std::map<std::string, Entry> entries;
    std::uint64_t episodes = 0;
};

constexpr const char* kProviders[] = {"codex", "cx", "antigravity", "openai", "ollama-local"};
constexpr const char* kModels[] = {"gpt-5.6-luna", "GPT-5.6-Luna", "gpt-5.3-codex-spark", "gemini-3", "claude-opus-4", " gemini-3 ",
                                   "মডেল-৫",       "bengalfox",    "a/b:c",               "llama3:8b", "spark",        "codex"};
constexpr int kStatuses[] = {402, 403, 404, 429, 500, 502, 503, 0};

LockoutScope scopeOf(int status)
{
    return status == 404 ? LockoutScope::NotFound : status >= 402 && status <= 429 ? LockoutScope::Family : LockoutScope::Exact;
}

std::string keyOf(const ModelLockout& lockout)
{
    return lockout.provider.str() + "|" + lockout.connection.str() + "|" + std::string(toString(lockout.scope)) + "|" + lockout.model;
}

/// In one history; a sanitizer looks for other things than the rare ones, and takes ten times as long.
constexpr int kEvents = kMeasured ? 300'000 : 60'000;

}  // namespace

class ModelLockoutsPropertyTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void randomHistories_data()
    {
        QTest::addColumn<quint64>("seed");
        for (const quint64 seed : {1U, 2U, 3U, 4U})
            QTest::addRow("seed %d", int(seed)) << seed;
    }

    /// 4 × 300,000 events (a fifth under a sanitizer) over random histories, against the plain rules and against what must hold whatever happens.
    void randomHistories()
    {
        QFETCH(quint64, seed);
        SimulatedClock clock;
        SimulatedRandom chance(seed);
        ModelLockouts lockouts;
        PlainLockouts plain;
        ModelLockoutSettings settings;
        settings.baseCooldown = 5s;
        lockouts.applySettings(settings);
        std::map<std::string, MonoTime> freeAt;  // no lock may last beyond this, whatever the wall clock does
        std::map<std::string, int> failures;     // ever
        std::multiset<std::string> plainEnded;
        int held = 0;
        int timeEnded = 0;
        int highest = 0;

        for (int event = 0; event < kEvents; ++event) {
            const Instant now = Instant::of(clock);
            const std::string providerName = kProviders[chance.below(std::size(kProviders))];
            const std::string connectionName = "c" + std::to_string(chance.below(4));
            const std::string model = kModels[chance.below(std::size(kModels))];
            const ProviderId provider(providerName);
            const ConnectionId connection(connectionName);
            const std::array<std::string, 3> keys = PlainLockouts::keys(providerName, connectionName, model);
            const auto plainEnd = [&] { plainEnded.merge(plain.end(now)); };
            std::optional<std::uint64_t> asOf;
            if (chance.below(4) == 0)
                asOf = plain.episodes - std::min<std::uint64_t>(plain.episodes, chance.below(40));

            const std::uint64_t what = chance.below(100);
            if (what < 40) {
                const int status = kStatuses[chance.below(std::size(kStatuses))];
                ModelLockouts::FailureEvent failure{.provider = provider, .connection = connection, .model = model, .status = status};
                failure.asOf = asOf;
                failure.escalationWindow = chance.below(2) == 0 ? Millis(30'000) : Millis(60'000);
                failure.fallbackBase = chance.below(2) == 0 ? Millis(0) : Millis(1 + chance.below(20'000));
                failure.authoritative = chance.below(3) == 0;
                LockoutScope scope = scopeOf(status);
                if (chance.below(10) == 0)
                    failure.scope = scope = LockoutScope::Exact;
                Millis exact(0);
                if (chance.below(3) == 0) {
                    exact = Millis(chance.below(chance.below(20) == 0 ? 7'200'000 : 90'000));
                    failure.exactLength = exact;
                } else if (chance.below(4) == 0) {
                    failure.reason = FailureReason::QuotaExhausted;
                    exact = Millis(1 + chance.below(3'600'000));
                    failure.untilDailyReset = exact;
                }
                plainEnd();
                const std::string key = PlainLockouts::key(providerName, connectionName, model, scope);
                const bool wasLocked = plain.entries[key].locked;
                const auto applied = lockouts.recordFailure(failure, now);
                plain.fail(key, exact, failure.authoritative ? Millis(std::numeric_limits<std::int64_t>::max()) : settings.maxCooldown,
                           failure.fallbackBase > Millis(0) ? failure.fallbackBase : settings.baseCooldown, failure.escalationWindow, asOf,
                           now);
                const PlainLockouts::Entry& entry = plain.entries[key];
                QCOMPARE(applied.has_value(), entry.locked);
                ++failures[key];
                if (applied) {
                    QCOMPARE(text(keyOf(*applied)), text(key));
                    QCOMPARE(applied->failureCount, entry.lockCount);
                    QVERIFY(applied->failureCount >= 1 && applied->failureCount <= failures[key]);
                    highest = std::max(highest, applied->failureCount);
                    if (!failure.authoritative && !wasLocked)
                        QVERIFY(applied->remaining <= settings.maxCooldown);
                    freeAt[key] = std::max(freeAt[key], now.mono + applied->remaining);
                }
            } else if (what < 52) {
                plainEnd();
                lockouts.decayOnSuccess(provider, connection, model, now, asOf);
                for (const std::string& key : keys)
                    plain.succeed(key, asOf, now);
            } else if (what == 52 && chance.below(4) == 0) {
                plainEnd();
                const std::size_t cleared = lockouts.clear(provider, connection, model, now).size();
                std::size_t expected = 0;
                for (const std::string& key : keys) {
                    expected += plain.entries.contains(key) && plain.entries[key].locked ? 1 : 0;
                    plain.entries.erase(key);
                }
                QCOMPARE(cleared, expected);
            } else if (what == 53 && chance.below(20) == 0) {
                plainEnd();
                lockouts.clearConnection(connection, now);
                const std::string part = "|" + connectionName + "|";
                std::erase_if(plain.entries, [&](const auto& one) { return one.first.find(part) != std::string::npos; });
            } else if (what < 60) {
                plainEnd();
                std::multiset<std::string> ended;
                for (const ModelLockout& lockout : lockouts.takeExpired(now)) {
                    QVERIFY(lockout.remaining == Millis(0) && !lockout.evidence);
                    ended.insert(keyOf(lockout));
                }
                timeEnded += static_cast<int>(ended.size());
                QVERIFY2(ended == plainEnded, "other locks ended");
                plainEnded.clear();
            } else if (what < 90) {
                clock.advance(Millis(chance.below(3'000)));
            } else if (what < 95) {
                clock.advance(Micros(chance.below(90'000'000)));
            } else if (what == 95 && chance.below(40) == 0) {
                clock.advance(Millis(chance.below(7'200'000)));
            } else if (what == 96) {
                clock.jumpWall(Millis(static_cast<std::int64_t>(chance.below(40'000)) - 30'000));
            } else if (what == 97 && chance.below(40) == 0) {
                clock.jumpWall(Millis(static_cast<std::int64_t>(chance.below(7'200'000)) - 5'400'000));
            } else if (what == 98) {
                plainEnd();
                lockouts.takeExpired(now);
                plainEnded.clear();
                lockouts.sweep(now);
            }

            // What the hot path is told now: neither earlier nor later than the plain rules say.
            const Instant later = Instant::of(clock);
            const auto found = lockouts.find(provider, connection, model, later);
            Millis longest(-1);
            std::set<int> counts;
            for (const std::string& key : keys) {
                const auto entry = plain.entries.find(key);
                if (entry == plain.entries.end() || !entry->second.locked)
                    continue;
                const Millis left = entry->second.length - elapsed(entry->second.since, later);
                if (left < Millis(0) || left < longest)
                    continue;
                if (left > longest)
                    counts.clear();
                longest = left;
                counts.insert(entry->second.lockCount);
                QVERIFY2(later.mono <= freeAt[key] + 1ms, "a lock outlives its length");
            }
            QCOMPARE(found.has_value(), longest >= Millis(0));
            if (found) {
                ++held;
                QCOMPARE(found->remaining.count(), std::max(longest, Millis(1)).count());
                QVERIFY(counts.contains(found->failureCount));
                QVERIFY(found->until - later.wall <= found->remaining + 1s);
            }

            if (event % 200 == 0) {
                std::map<std::string, ModelLockout> listed;
                const std::vector<ModelLockout> all = lockouts.list(later);
                for (const ModelLockout& lockout : all)
                    listed.emplace(keyOf(lockout), lockout);
                QCOMPARE(listed.size(), all.size());
                std::size_t active = 0;
                std::optional<Millis> soonest;
                for (const auto& [key, entry] : plain.entries) {
                    if (!entry.locked)
                        continue;
                    const Millis left = entry.length - elapsed(entry.since, later);
                    soonest = std::min(soonest.value_or(Millis::max()), std::max(left + 1ms, Millis(0)));
                    if (left < Millis(0))
                        continue;
                    ++active;
                    QVERIFY(listed.contains(key));
                    const ModelLockout& lockout = listed.at(key);
                    QCOMPARE(lockout.remaining.count(), std::max(left, Millis(1)).count());
                    QCOMPARE(lockout.failureCount, entry.lockCount);
                    // Whoever asks for what is listed finds it, or one that lasts longer.
                    const auto again = lockouts.find(lockout.provider, lockout.connection, lockout.model, later);
                    QVERIFY(again && again->remaining >= lockout.remaining);
                }
                QCOMPARE(all.size(), active);
                const auto next = lockouts.nextEnd(later);
                QCOMPARE(next.has_value(), soonest.has_value());
                if (next)
                    QVERIFY(*next >= *soonest - 1ms && *next <= *soonest);
                QCOMPARE(lockouts.empty(), !soonest.has_value());
                QVERIFY(lockouts.size() <= 200);  // every key there can be
            }
        }
        qInfo("%d answers yes, %d ended by time, highest count %d", held, timeEnded, highest);
        QVERIFY(held > kEvents / 30 && timeEnded > kEvents / 300 && highest >= 5);

        // Leave it alone, and everything is over.
        clock.advance(48h);
        QVERIFY(lockouts.list(Instant::of(clock)).empty());
        lockouts.sweep(Instant::of(clock));
        QVERIFY(lockouts.empty());
        QCOMPARE(lockouts.size(), std::size_t(0));
    }
};

OMNI_TEST(ModelLockoutsPropertyTest)
#include "model_lockouts_property_test.moc"
