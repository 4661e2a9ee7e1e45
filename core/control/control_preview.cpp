#include "control/control_p.h"
#include "control/validation.h"
#include "resilience/per_model_quota.h"

#include <nlohmann/json.hpp>

#include <memory>
#include <utility>

namespace omni {

namespace {

constexpr int kLowestStatus = 100;
constexpr int kHighestStatus = 599;

Result<Settings> withPatch(const Settings& now, const std::string& patch)
{
    if (patch.empty())
        return now;
    const nlohmann::json document = nlohmann::json::parse(patch, nullptr, false);
    if (document.is_discarded())
        return invalid("Invalid request", {{"body", "Invalid JSON body"}});
    return patched(now, document);
}

}  // namespace

void Control::previewSettings(const std::string& patch, Reply<ResiliencePreview> reply)
{
    Result<Settings> settings = withPatch(d->current->settings, patch);
    if (!settings) {
        reply(settings.error());
        return;
    }
    auto preview = std::make_shared<ResiliencePreview>();
    d->background.run(
        [preview, resilience = settings->resilience, now = d->parts.clock.wall()] { *preview = previewResilience(resilience, now); },
        [preview, reply = std::move(reply)] { reply(*preview); });
}

void Control::tryAnswer(const AnswerSample& sample, const std::string& patch, Reply<FailureTrial> reply)
{
    const Provider* provider = d->current->provider(sample.provider);
    std::vector<FieldError> errors;
    if (!provider)
        errors.push_back({"provider", "There is no provider \"" + sample.provider.str() + "\"."});
    if (sample.status < kLowestStatus || sample.status > kHighestStatus)
        errors.push_back({"status", "must be a whole number from 100 to 599"});
    Result<Settings> settings = withPatch(d->current->settings, patch);
    if (!settings || !errors.empty()) {
        reply(errors.empty() ? settings.error() : invalid("The answer cannot be judged as it is.", std::move(errors)));
        return;
    }
    // A connection of the provider's says best where it leads to and how its quota is counted.
    Connection connection;
    connection.provider = sample.provider;
    for (const Connection& known : d->current->connections) {
        if (known.provider == sample.provider) {
            connection = known;
            break;
        }
    }
    auto work = std::make_shared<std::pair<FailureSample, FailureTrial>>();
    FailureSample& given = work->first;
    given.provider = sample.provider;
    given.providerClass = d->current->providerClass(connection);
    given.perModelQuota = hasPerModelQuota(*provider, connection);
    given.model = sample.model;
    given.status = sample.status;
    given.headers = headerFieldsFromText(sample.headers);
    given.body = sample.body;
    d->background.run(
        [work, resilience = settings->resilience, now = d->parts.clock.wall()] { work->second = tryFailure(work->first, resilience, now); },
        [work, reply = std::move(reply)] { reply(std::move(work->second)); });
}

}  // namespace omni
