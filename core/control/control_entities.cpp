#include "base/random.h"
#include "base/text.h"
#include "control/client_key.h"
#include "control/control_p.h"
#include "control/validation.h"

#include <QByteArray>

#include <algorithm>
#include <array>
#include <utility>

namespace omni {

namespace {

constexpr std::size_t kKeyBytes = 32;
constexpr std::size_t kShownPrefix = 12;

/// RFC 4648 §5 without padding: 32 bytes become 43 characters.
std::string base64Url(std::string_view bytes)
{
    const QByteArray text = QByteArray(bytes.data(), static_cast<qsizetype>(bytes.size()))
                                .toBase64(QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals);
    return text.toStdString();
}

/// The combos that a provider or a name is used in, for a refusal that says where.
std::string list(const std::vector<std::string>& names)
{
    constexpr std::size_t shown = 5;
    std::string text;
    for (std::size_t i = 0; i < names.size() && i < shown; ++i)
        text += (i == 0 ? "" : ", ") + inQuotes(names[i]);
    if (names.size() > shown)
        text += " and " + std::to_string(names.size() - shown) + " more";
    return text;
}

}  // namespace

Error missing(const char* what, std::string_view name)
{
    return {ErrorKind::NotFound, std::string("There is no ") + what + " " + inQuotes(name) + ".", {}};
}

void Control::saveNode(ProviderNode node, Reply<ProviderNode> reply)
{
    const auto build = [this, node = std::move(node)](const Configuration& now, ProviderNode& saved) -> Result<PlannedChange> {
        saved = node;
        saved.name = std::string(trimmed(saved.name));
        saved.prefix = std::string(trimmed(saved.prefix));
        saved.baseUrl = std::string(trimmed(saved.baseUrl));
        while (!saved.baseUrl.empty() && saved.baseUrl.back() == '/')
            saved.baseUrl.pop_back();
        const ProviderNode* old = findById(now.nodes, saved.id);
        const bool fresh = saved.id.empty() || saved.id.str() == "openai-compatible-" || saved.id.str() == "anthropic-compatible-";
        if (!fresh && !old)
            return missing("endpoint", saved.id.str());
        if (fresh)
            saved.id = ProviderId((saved.id.empty() ? std::string("openai-compatible-") : saved.id.str()) + newUuid());
        saved.updatedAt = d->parts.clock.wall();
        saved.createdAt = old ? old->createdAt : saved.updatedAt;
        std::vector<FieldError> errors = validateNode(saved, now);
        if (!errors.empty())
            return invalid("The endpoint was not saved.", std::move(errors));
        PlannedChange plan(now);
        upsert(plan.next.nodes, saved);
        plan.rows.emplace_back(PutNode{saved});
        return plan;
    };
    d->changeFor<ProviderNode>(std::move(reply), build);
}

void Control::removeNode(const ProviderId& id, Reply<int> reply)
{
    const auto build = [id](const Configuration& now, int& removed) -> Result<PlannedChange> {
        const ProviderNode* node = findById(now.nodes, id);
        if (!node)
            return missing("endpoint", id.str());
        std::vector<std::string> users;
        for (const Connection& connection : now.connections)
            if (connection.provider == id)
                users.push_back(connection.name);
        if (!users.empty())
            return Error{ErrorKind::Conflict,
                         "The endpoint " + inQuotes(node->name) + " is used by " + list(users) + ". Remove these connections first.",
                         {}};
        PlannedChange plan(now);
        std::erase_if(plan.next.nodes, [&](const ProviderNode& one) { return one.id == id; });
        plan.rows.emplace_back(DeleteNode{id});
        removed = 1;
        return plan;
    };
    d->changeFor<int>(std::move(reply), build);
}

void Control::createApiKey(ApiKey key, Reply<CreatedApiKey> reply)
{
    const auto build = [this, key = std::move(key)](const Configuration& now, CreatedApiKey& created) -> Result<PlannedChange> {
        created.key = std::string(kClientKeyBegin) + base64Url(secureRandomBytes(kKeyBytes));
        created.record = key;
        created.record.id = ApiKeyId(newUuid());
        created.record.name = std::string(trimmed(key.name));
        created.record.prefix = created.key.substr(0, kShownPrefix);
        created.record.hash = sha256Hex(created.key);
        created.record.createdAt = d->parts.clock.wall();
        created.record.lastUsedAt.reset();
        created.record.revokedAt.reset();
        std::vector<FieldError> errors = validateApiKey(created.record, now);
        if (!errors.empty())
            return invalid("The key was not made.", std::move(errors));
        PlannedChange plan(now);
        plan.next.apiKeys.push_back(created.record);
        plan.rows.emplace_back(PutApiKey{created.record});
        return plan;
    };
    d->changeFor<CreatedApiKey>(std::move(reply), build);
}

void Control::updateApiKey(ApiKey key, Reply<ApiKey> reply)
{
    const auto build = [key = std::move(key)](const Configuration& now, ApiKey& saved) -> Result<PlannedChange> {
        const ApiKey* old = findById(now.apiKeys, key.id);
        if (!old)
            return missing("key", key.id.str());
        saved = key;
        saved.name = std::string(trimmed(key.name));
        saved.prefix = old->prefix;
        saved.hash = old->hash;
        saved.createdAt = old->createdAt;
        saved.lastUsedAt = old->lastUsedAt;
        if (old->revokedAt)
            saved.revokedAt = old->revokedAt;  // a key that was once given up is not trusted again
        std::vector<FieldError> errors = validateApiKey(saved, now);
        if (!errors.empty())
            return invalid("The key was not changed.", std::move(errors));
        PlannedChange plan(now);
        upsert(plan.next.apiKeys, saved);
        plan.rows.emplace_back(PutApiKey{saved});
        return plan;
    };
    d->changeFor<ApiKey>(std::move(reply), build);
}

void Control::removeApiKey(const ApiKeyId& id, Reply<int> reply)
{
    const auto build = [this, id](const Configuration& now, int& removed) -> Result<PlannedChange> {
        if (!findById(now.apiKeys, id))
            return missing("key", id.str());
        PlannedChange plan(now);
        std::erase_if(plan.next.apiKeys, [&](const ApiKey& one) { return one.id == id; });
        plan.rows.emplace_back(DeleteApiKey{id});
        plan.applied = [this, id] {
            d->keysTouched.erase(id);
            d->keysUsed.erase(id);
        };
        removed = 1;
        return plan;
    };
    d->changeFor<int>(std::move(reply), build);
}

}  // namespace omni
