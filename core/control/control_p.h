#pragma once

#include "control/background_work.h"
#include "control/config_document.h"
#include "control/connection_tester.h"
#include "control/control.h"
#include "control/model_refresher.h"
#include "control/request_feed.h"
#include "control/throttle.h"
#include "routing/router.h"
#include "secrets/secret_store.h"
#include "store/store.h"

#include <deque>
#include <map>
#include <set>
#include <unordered_map>

namespace omni {

/// How long a removal or a change of several connections can be taken back.
inline constexpr Millis kUndoTime{600'000};

/// A change worked out but not yet made: what will be true, the rows that make it durable, the secrets it brings and leaves behind.
struct PlannedChange {
    explicit PlannedChange(const Configuration& now) : next(now) {}

    Configuration next;
    std::vector<ConfigChange> rows;                               ///< none = nothing to do
    std::vector<std::pair<std::string, std::string>> newSecrets;  ///< reference and value; written before the rows
    std::vector<std::string> oldSecrets;                          ///< removed once the rows are durable
    std::vector<std::string> keptSecrets;       ///< no longer referred to, removed later, by the end of the time for undoing
    std::vector<std::string> reclaimedSecrets;  ///< kept ones that are referred to again
    std::function<void()> applied;              ///< after the new configuration is in force, before it is announced
    std::function<void()> withdrawn;            ///< when it could not be made durable
};

struct Control::Private {
    using Build = std::function<Result<PlannedChange>(const Configuration& now)>;

    Private(Control& owner, const Parts& given, Configuration configuration);

    // Changes, one after the other: each starts from what the one before it left (control_changes.cpp).
    struct PendingChange {
        Build build;
        std::function<void(Status)> done;
        std::optional<PlannedChange> plan;
        std::size_t outstanding = 0;
        std::vector<std::string> written;
        std::optional<Error> secretError;
    };
    using Pending = std::shared_ptr<PendingChange>;
    void change(Build build, std::function<void(Status)> done);
    /// `build` fills in what `reply` hands on when all went well.
    template <typename T>
    void changeFor(Reply<T> reply, std::function<Result<PlannedChange>(const Configuration& now, T& result)> build)
    {
        auto result = std::make_shared<T>();
        change([result, build = std::move(build)](const Configuration& now) { return build(now, *result); },
               [result, reply = std::move(reply)](const Status& status) {
                   if (status)
                       reply(std::move(*result));
                   else
                       reply(status.error());
               });
    }
    void startNextChange();
    void writeSecrets(const Pending& pending);
    void commit(const Pending& pending);
    void apply(PendingChange& pending);
    void finish(const Pending& pending, const Status& status);
    /// Removes secrets nobody refers to any more. What cannot be removed now is tried again at the next start.
    void discardSecrets(const std::vector<std::string>& references);
    void discardLeftovers();

    // Connections (control_connections.cpp).
    Result<PlannedChange> planSave(const Configuration& now, const ConnectionDraft& draft, Connection& saved);
    /// Tells the engine whether the connection's secrets, as they now are, can be read.
    void noteReadability(const ConnectionId& id);
    /// What follows when `now` took the place of `before`: holds end, passwords are looked at.
    void noteChanged(const Connection& before, const Connection& now);

    // Asking upstreams (control_upstream.cpp).
    Result<UpstreamSubject> subjectOf(const ConnectionId& id) const;
    void keepModels(const std::vector<ModelRefresher::Found>& found, std::function<void(Status)> done);
    void testDone(std::uint64_t test, const ConnectionTester::Outcome& outcome);
    void refreshAllModels();
    void scheduleModelRefresh();

    // Engine and time (control.cpp).
    void announceEngine();
    void tick();
    void noteKeysUsed();
    void keepBreakerHistory();
    void keepBreakerHistorySoon();

    // Listener (control_listener.cpp).
    void setListenerState(ListenerState state);
    ProxySettings effectiveProxy(const Settings& settings) const;
    Status relisten(const ProxySettings& proxy);
    /// What a taken port is told as; `taken` is the listener's own error.
    ListenerState failedState(const ProxySettings& proxy, const Error& taken) const;
    /// Makes `next` real as far as the listener goes, before it is durable; fills in what undoes it. Refused with the listener's error.
    Status prepareListener(const Settings& now, const Settings& next, PlannedChange& plan);

    // Export and import (control_export.cpp).
    Result<SecretsById> readableSecrets() const;
    void mergeDocument(const ConfigurationDocument& document, const SecretsById& secrets, const std::vector<std::string>& skipped,
                       Reply<ImportReport> reply);

    Control& q;
    Parts parts;
    ConfigurationPtr current;
    Engine* engine = nullptr;
    ListenerControl* listener = nullptr;
    ListenerState listenerState;
    std::optional<int> portOverride;  ///< from the command line, until the user chooses a port

    std::deque<Pending> waiting;
    bool changing = false;
    bool starting = false;
    std::set<std::string> discarded;  ///< references on their way out; durable as a fact

    struct Removed {
        std::vector<Connection> connections;
        std::unique_ptr<Timer> expiry;
    };
    std::map<std::string, Removed> removed;  ///< by undo token

    struct Changed {
        std::vector<std::pair<ConnectionPatch, Connection>> before;  ///< which fields, and how the connection was
        std::unique_ptr<Timer> expiry;
    };
    std::map<std::string, Changed> changed;  ///< by undo token

    struct RunningTest {
        std::unique_ptr<ConnectionTester> tester;
        Connection connection;
        bool asSaved = false;  ///< the test tells something about the stored connection
        Reply<TestReport> reply;
        TestGroup group;
    };
    std::map<std::uint64_t, RunningTest> tests;
    std::uint64_t lastTest = 0;

    RequestFeed feed;
    ModelRefresher refresher;
    Throttle engineThrottle;
    Timer lapse;  ///< when a hold ends by itself
    Timer second;
    Timer modelRefresh;
    Timer keyUse;
    Timer historyKeep;
    std::unordered_map<ApiKeyId, MonoTime> keysTouched;
    std::map<ApiKeyId, WallTime> keysUsed;  ///< not yet shown
    MonoTime lastTickMono{};
    bool busy = false;      ///< there was something to do since memory was last given back
    bool wasQuiet = true;   ///< in the second before
    WallTime lastTickWall{};
    BackgroundWork background;
};

/// Puts a new secret into the plan, or the removal of the old one; nothing for an unset `secret`.
void planSecret(PlannedChange& plan, const ConnectionId& id, const char* what, const std::optional<std::string>& secret,
                std::string& reference);

/// An error that names the fields, for a draft that breaks rules.
Error invalid(std::string message, std::vector<FieldError> details);

/// NotFound, of something the user named.
Error missing(const char* what, std::string_view name);

/// Replaces the item with this id, or adds it.
template <typename Item>
void upsert(std::vector<Item>& items, const Item& item)
{
    for (Item& one : items) {
        if (one.id == item.id) {
            one = item;
            return;
        }
    }
    items.push_back(item);
}

/// Replaces what the model had, or adds it.
void putPrice(std::vector<ModelPrice>& prices, const ModelPrice& price);

template <typename Item, typename Id>
const Item* findById(const std::vector<Item>& items, const Id& id)
{
    for (const Item& item : items)
        if (item.id == id)
            return &item;
    return nullptr;
}

/// `base`, or the first of "base (suffix)", "base (suffix 2)", … that no connection of the provider has.
std::string freeConnectionName(const Configuration& configuration, const ProviderId& provider, const std::string& base,
                               const std::string& suffix);

}  // namespace omni
