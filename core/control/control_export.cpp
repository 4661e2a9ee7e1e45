#include "base/random.h"
#include "base/text.h"
#include "control/config_document.h"
#include "control/control_p.h"
#include "control/secret_envelope.h"
#include "control/validation.h"

#include <algorithm>
#include <utility>

namespace omni {

namespace {

/// Builds the merged configuration of an import, one kind after the other, each checked against what is merged so far.
class Merger {
public:
    Merger(const Configuration& now, const ConfigurationDocument& document, const SecretsById& secrets, ImportReport& report)
        : m_document(document), m_secrets(secrets), m_report(report), m_plan(now)
    {
    }

    Result<PlannedChange> merge()
    {
        nodes();
        m_plan.next.refreshNodeProviders();
        connections();
        m_plan.next.refreshIndexes();
        combos();
        aliases();
        apiKeys();
        prices();
        if (!m_errors.empty())
            return invalid("The document was not imported.", std::move(m_errors));
        return std::move(m_plan);
    }
    /// Connections that came with a key of their own.
    const std::vector<ConnectionId>& withNewKeys() const { return m_withNewKeys; }

private:
    void skip(const std::string& what, const std::string& why) { m_report.skipped.push_back(what + ": " + why); }

    /// Notes rule violations with the place of the item in the document. True when there is none.
    bool fits(const std::string& path, std::vector<FieldError> errors)
    {
        for (FieldError& error : errors)
            m_errors.push_back({path + "." + error.field, std::move(error.message)});
        return errors.empty();
    }

    static std::string at(const char* kind, std::size_t index) { return std::string(kind) + "[" + std::to_string(index) + "]"; }

    void nodes()
    {
        for (std::size_t i = 0; i < m_document.nodes.size(); ++i) {
            const ProviderNode& node = m_document.nodes[i];
            const std::string what = "endpoint " + inQuotes(node.name);
            const bool clash = std::any_of(m_plan.next.nodes.begin(), m_plan.next.nodes.end(), [&](const ProviderNode& other) {
                return other.id != node.id && (equalsIgnoreCase(other.name, node.name) || equalsIgnoreCase(other.prefix, node.prefix));
            });
            if (clash) {
                skip(what, "another endpoint has its name or prefix");
                continue;
            }
            if (!fits(at("nodes", i), validateNode(node, m_plan.next)))
                continue;
            upsert(m_plan.next.nodes, node);
            m_plan.rows.emplace_back(PutNode{node});
            ++m_report.nodes;
        }
    }

    void takeSecret(const char* kind, const ConnectionId& id, const std::string& value, std::string& reference)
    {
        if (value.empty())
            return;  // what is stored stays
        if (!reference.empty())
            m_plan.oldSecrets.push_back(reference);
        reference = "connection/" + id.str() + "/" + kind + "/" + secureRandomHex(6);
        m_plan.newSecrets.emplace_back(reference, value);
        ++m_report.secrets;
    }

    void connections()
    {
        for (std::size_t i = 0; i < m_document.connections.size(); ++i) {
            Connection connection = m_document.connections[i];
            const std::string what = "connection " + inQuotes(connection.name);
            const Provider* provider = m_plan.next.provider(connection.provider);
            if (!provider) {
                skip(what, "there is no provider " + inQuotes(connection.provider.str()) + " here");
                continue;
            }
            const bool clash = std::any_of(m_plan.next.connections.begin(), m_plan.next.connections.end(), [&](const Connection& other) {
                return other.id != connection.id && other.provider == connection.provider && equalsIgnoreCase(other.name, connection.name);
            });
            if (clash) {
                skip(what, "another connection of this provider has its name");
                continue;
            }
            const Connection* old = findById(m_plan.next.connections, connection.id);
            if (old && old->provider != connection.provider) {
                skip(what, "a connection of another provider has its id");
                continue;
            }
            connection.secretRef = old ? old->secretRef : std::string();
            connection.proxySecretRef = old ? old->proxySecretRef : std::string();
            connection.keyHint = old ? old->keyHint : std::string();
            if (const auto secrets = m_secrets.find(connection.id);
                secrets != m_secrets.end() && provider->category != ProviderCategory::Sandbox) {
                takeSecret("key", connection.id, secrets->second.key, connection.secretRef);
                takeSecret("proxy", connection.id, secrets->second.proxy, connection.proxySecretRef);
                if (!secrets->second.key.empty())
                    connection.keyHint = maskedSecret(secrets->second.key);
                m_withNewKeys.push_back(connection.id);
            }
            std::vector<FieldError> errors = validateConnection(connection, !connection.secretRef.empty(), m_plan.next);
            // A key that is missing can be entered later; until then the connection is left out of routing.
            const auto withoutKey = std::erase_if(errors, [](const FieldError& error) { return error.field == "apiKey"; });
            if (!fits(at("connections", i), std::move(errors)))
                continue;
            if (withoutKey > 0)
                m_report.skipped.push_back("key of " + what + ": the document holds none that can be read; enter it by hand");
            upsert(m_plan.next.connections, connection);
            m_plan.rows.emplace_back(PutConnection{connection});
            ++m_report.connections;
        }
    }

    void combos()
    {
        for (std::size_t i = 0; i < m_document.combos.size(); ++i) {
            Combo combo = m_document.combos[i];
            const std::string what = "combo " + inQuotes(combo.name);
            const bool clash = std::any_of(m_plan.next.combos.begin(), m_plan.next.combos.end(), [&](const Combo& other) {
                return other.id != combo.id && equalsIgnoreCase(other.name, combo.name);
            });
            if (clash || isAlias(combo.name)) {
                skip(what, "another combo or an alias has its name");
                continue;
            }
            // Steps that lead nowhere here are left out one by one: a combo is of use as long as one step is left.
            const std::size_t before = combo.targets.size();
            std::erase_if(combo.targets, [&](const ComboTarget& target) {
                const Connection* pinned = target.connection ? m_plan.next.connection(*target.connection) : nullptr;
                return !m_plan.next.provider(target.provider) || (target.connection && (!pinned || pinned->provider != target.provider));
            });
            if (combo.targets.empty() && before > 0) {
                skip(what, "none of its connections or providers is here");
                continue;
            }
            if (combo.targets.size() < before)
                m_report.skipped.push_back(std::to_string(before - combo.targets.size()) + " steps of " + what +
                                           ": their connections or providers are not here");
            if (!fits(at("combos", i), validateCombo(combo, m_plan.next)))
                continue;
            upsert(m_plan.next.combos, combo);
            m_plan.rows.emplace_back(PutCombo{combo});
            ++m_report.combos;
        }
    }

    bool isAlias(const std::string& name) const
    {
        return std::any_of(m_plan.next.aliases.begin(), m_plan.next.aliases.end(), [&](const ModelAlias& one) { return one.name == name; });
    }

    void aliases()
    {
        for (std::size_t i = 0; i < m_document.aliases.size(); ++i) {
            const ModelAlias& alias = m_document.aliases[i];
            const bool clash = std::any_of(m_plan.next.combos.begin(), m_plan.next.combos.end(),
                                           [&](const Combo& combo) { return equalsIgnoreCase(combo.name, alias.name); });
            if (clash) {
                skip("alias " + inQuotes(alias.name), "a combo has its name");
                continue;
            }
            if (!fits(at("aliases", i), validateAlias(alias, m_plan.next)))
                continue;
            std::erase_if(m_plan.next.aliases, [&](const ModelAlias& one) { return one.name == alias.name; });
            m_plan.next.aliases.push_back(alias);
            m_plan.rows.emplace_back(PutAlias{alias});
            ++m_report.aliases;
        }
    }

    void apiKeys()
    {
        for (std::size_t i = 0; i < m_document.apiKeys.size(); ++i) {
            ApiKey key = m_document.apiKeys[i];
            const std::string what = "client key " + inQuotes(key.name);
            const bool clash = std::any_of(m_plan.next.apiKeys.begin(), m_plan.next.apiKeys.end(), [&](const ApiKey& other) {
                return other.id != key.id && (equalsIgnoreCase(other.name, key.name) || other.hash == key.hash);
            });
            if (clash) {
                skip(what, "another key has its name");
                continue;
            }
            if (const ApiKey* old = findById(m_plan.next.apiKeys, key.id)) {
                key.lastUsedAt = old->lastUsedAt;
                if (old->revokedAt)
                    key.revokedAt = old->revokedAt;
            }
            const bool hash = key.hash.size() == 64 && key.hash.find_first_not_of("0123456789abcdef") == std::string::npos;
            if (!hash)
                m_errors.push_back({at("apiKeys", i) + ".hash", "Must be 64 hex digits."});
            std::vector<FieldError> errors = validateApiKey(key, m_plan.next);
            // Connections that are not here stay in the list: an empty one would open every connection to the key.
            std::erase_if(errors, [](const FieldError& error) { return error.field == "allowedConnections"; });
            if (!fits(at("apiKeys", i), std::move(errors)) || !hash)
                continue;
            upsert(m_plan.next.apiKeys, key);
            m_plan.rows.emplace_back(PutApiKey{key});
            ++m_report.apiKeys;
        }
    }

    void prices()
    {
        for (std::size_t i = 0; i < m_document.prices.size(); ++i) {
            const ModelPrice& price = m_document.prices[i];
            if (!fits(at("prices", i), validatePrice(price)))
                continue;
            putPrice(m_plan.next.prices, price);
            m_plan.rows.emplace_back(PutPrice{price});
        }
    }

    const ConfigurationDocument& m_document;
    const SecretsById& m_secrets;
    ImportReport& m_report;
    PlannedChange m_plan;
    std::vector<FieldError> m_errors;
    std::vector<ConnectionId> m_withNewKeys;
};

}  // namespace

Result<SecretsById> Control::Private::readableSecrets() const
{
    SecretsById secrets;
    for (const Connection& connection : current->connections) {
        ConnectionSecrets one;
        for (const auto& [reference, value] :
             {std::pair{&connection.secretRef, &one.key}, std::pair{&connection.proxySecretRef, &one.proxy}}) {
            if (reference->empty())
                continue;
            Result<std::string> secret = parts.secrets.read(*reference);
            if (!secret)
                return Error{ErrorKind::Secret,
                             "The key of " + inQuotes(connection.name) + " cannot be read, so the export would lack it: " +
                                 secret.error().message + " Enter the key anew, or export without a passphrase.",
                             {}};
            *value = *std::move(secret);
        }
        if (!one.key.empty() || !one.proxy.empty())
            secrets.emplace(connection.id, std::move(one));
    }
    return secrets;
}

Result<std::string> Control::exportConfiguration(const std::string& passphrase) const
{
    if (passphrase.empty())
        return writeDocument(*d->current, std::nullopt, d->parts.clock.wall());
    const Result<SecretsById> secrets = d->readableSecrets();
    if (!secrets)
        return secrets.error();
    Result<nlohmann::json> envelope = sealText(writeSecrets(*secrets), passphrase);
    if (!envelope)
        return envelope.error();
    return writeDocument(*d->current, *std::move(envelope), d->parts.clock.wall());
}

void Control::exportConfiguration(const std::string& passphrase, Reply<std::string> reply)
{
    if (passphrase.empty()) {
        reply(exportConfiguration(passphrase));
        return;
    }
    Result<SecretsById> secrets = d->readableSecrets();
    if (!secrets) {
        reply(secrets.error());
        return;
    }
    struct Work {
        SecretsById secrets;
        std::string passphrase;
        ConfigurationPtr configuration;
        WallTime at;
        std::optional<Result<std::string>> result;
    };
    auto work = std::make_shared<Work>(Work{*std::move(secrets), passphrase, d->current, d->parts.clock.wall(), std::nullopt});
    d->background.run(
        [work] {
            Result<nlohmann::json> envelope = sealText(writeSecrets(work->secrets), work->passphrase);
            if (envelope)
                work->result.emplace(writeDocument(*work->configuration, *std::move(envelope), work->at));
            else
                work->result.emplace(envelope.error());
        },
        [work, reply = std::move(reply)] { reply(*std::move(work->result)); });
}

void Control::importConfiguration(const std::string& document, const std::string& passphrase, Reply<ImportReport> reply)
{
    Result<ConfigurationDocument> parsed = readDocument(document);
    if (!parsed) {
        reply(parsed.error());
        return;
    }
    struct Work {
        ConfigurationDocument document;
        std::string passphrase;
        SecretsById secrets;
        std::optional<Error> error;
        std::vector<std::string> skipped;
    };
    auto work = std::make_shared<Work>(Work{*std::move(parsed), passphrase, {}, std::nullopt, {}});
    const auto merge = [this, work, reply = std::move(reply)] {
        if (work->error)
            reply(*work->error);
        else
            d->mergeDocument(work->document, work->secrets, work->skipped, reply);
    };
    if (!work->document.secrets) {
        merge();
        return;
    }
    if (passphrase.empty()) {
        work->skipped.push_back("keys: the document holds them under a passphrase, and none was given");
        merge();
        return;
    }
    d->background.run(
        [work] {
            const Result<std::string> plain = openText(*work->document.secrets, work->passphrase);
            Result<SecretsById> secrets = plain ? readSecrets(*plain) : Result<SecretsById>(plain.error());
            if (secrets)
                work->secrets = *std::move(secrets);
            else
                work->error = secrets.error();
        },
        merge);
}

void Control::Private::mergeDocument(const ConfigurationDocument& document, const SecretsById& secrets,
                                     const std::vector<std::string>& skipped, Reply<ImportReport> reply)
{
    const auto build = [this, document, secrets, skipped](const Configuration& now, ImportReport& report) -> Result<PlannedChange> {
        report.skipped = skipped;
        Merger merger(now, document, secrets, report);
        Result<PlannedChange> plan = merger.merge();
        if (!plan)
            return plan;
        if (document.settings) {
            Result<Settings> next = patched(now.settings, inPresentTerms(*document.settings));
            if (!next) {
                Error error = next.error();
                for (FieldError& detail : error.details)
                    detail.field = "settings." + detail.field;
                return error;
            }
            if (const Status status = prepareListener(now.settings, *next, *plan); !status) {
                // The rest is worth having although the listener cannot move.
                next->proxy.port = now.settings.proxy.port;
                next->proxy.exposeToNetwork = now.settings.proxy.exposeToNetwork;
                report.skipped.push_back("port and network of the settings: " + status.error().message);
                if (const Status again = prepareListener(now.settings, *next, *plan); !again)
                    return again.error();
            }
            plan->next.settings = *next;
            plan->rows.emplace_back(PutSettings{*next});
            report.settings = true;
        }
        plan->applied = [this, listenerApplied = std::move(plan->applied), ids = merger.withNewKeys()] {
            if (listenerApplied)
                listenerApplied();
            for (const ConnectionId& id : ids) {
                if (engine)
                    engine->credentialChanged(id);
                noteReadability(id);
                refresher.enqueue(id);
            }
        };
        return plan;
    };
    changeFor<ImportReport>(std::move(reply), build);
}

}  // namespace omni
