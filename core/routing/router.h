#pragma once

#include "model/configuration.h"
#include "model/request_record.h"
#include "resilience/engine.h"
#include "routing/route_preview.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace omni {

/// One target, ready to be tried: everything that must change together on failover is in here (field-faults H22).
struct Target {
    const Connection* connection = nullptr;  ///< points into the plan's configuration
    const Provider* provider = nullptr;
    ProviderClass providerClass = ProviderClass::ApiKey;
    std::string model;  ///< as the upstream spells it
    bool perModelQuota = false;
    bool ofCombo = false;

    EngineTarget forEngine() const { return {provider->id, providerClass, *connection, model, perModelQuota, ofCombo}; }
};

/// The targets for one request in the order of trying, and the reason for each one left out.
struct Plan {
    ConfigurationPtr configuration;  ///< keeps what the targets point to alive
    std::string requestedModel;
    std::string combo;  ///< its name, empty when none was named
    std::vector<Target> targets;
    std::vector<ExcludedTarget> excluded;
};

struct PlanRequest {
    std::string_view model;
    Operation operation = Operation::ChatCompletions;
    const ApiKey* apiKey = nullptr;  ///< restricts models and connections
};

/// What `model` means, the first that fits: a combo by name (also "combo/name"), an alias, "provider-or-alias/model" (the first "/"
/// separates), a bare model name known to a connection or the catalogue (spec 3-routing §2). Aliases are followed at most 8 deep.
/// Core thread only.
class Router {
public:
    explicit Router(Random& random);
    ~Router();

    /// Builds the look-up tables once for each configuration; cheap to ask afterwards.
    void setConfiguration(ConfigurationPtr configuration);
    const ConfigurationPtr& configuration() const;

    /// Plans with what the engine holds now. Errors: NotFound (no such model, provider or combo; `message` lists near matches),
    /// Forbidden (the key may not), InvalidArgument (no model, aliases in a circle, a combo whose strategy is not available). A plan
    /// without targets is no error: `excluded` says why. At most twice as many targets as may be tried, and at most 64 of those left out,
    /// the one that comes back soonest among them.
    Result<Plan> plan(const PlanRequest& request, Engine& engine);

    /// The same look, without a request: round robin stays where it is, no probe is taken, and the engine does no more than let time act.
    /// Errors as `plan`, but a key that may use nothing of it gets its candidates with the reason.
    Result<RoutePreview> preview(const PlanRequest& request, Engine& engine, PreviewScope scope = {}) const;

    /// Ids for GET /v1/models: combos, aliases, then "provider/model" of what enabled connections offer; no duplicates.
    struct ListedModel {
        std::string id;
        std::string ownedBy;
        int contextLength = 0;
    };
    std::vector<ListedModel> models(const ApiKey* apiKey) const;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

}  // namespace omni
