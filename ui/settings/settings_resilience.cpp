#include "ui/core_link.h"
#include "ui/models/display_text.h"
#include "ui/settings/answer_tester.h"
#include "ui/settings/chips_row.h"
#include "ui/settings/resilience_previews.h"
#include "ui/settings/rules_panel.h"
#include "ui/settings/settings_page.h"
#include "ui/widgets/card.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <functional>
#include <string>
#include <utility>

namespace omni {

namespace {

using Topic = ResiliencePreviews::Topic;

std::string cooldownField(const char* profile, const char* name)
{
    return std::string("resilience.connectionCooldown.") + profile + "." + name;
}

std::string breakerField(const char* profile, const char* name)
{
    return std::string("resilience.providerBreaker.") + profile + "." + name;
}

}  // namespace

void SettingsPage::buildResilience()
{
    buildCooldown();
    buildBreaker();
    buildProviderCooldown();
    buildStreams();
    buildDailyReset();
    buildBans();
}

void SettingsPage::buildCooldown()
{
    Section& section = addSection(QStringLiteral("resilience"));
    addCaption(section, tr("one connection: other keys of its provider go on serving"),
               tr("rate limits, server errors, lost connections and whatever else may pass"),
               tr("the connection rests, longer with each failure in a row; a success or you put it back to the start"));
    const auto profile = [&](const char* name, const QString& heading, Topic topic) {
        addHeading(section, heading);
        number(section, cooldownField(name, "baseCooldownMs"), tr("First rest after a failure"),
               tr("A connection that fails again rests twice as long each time."), Unit::Seconds);
        number(section, cooldownField(name, "maxBackoffSteps"), tr("Doublings"), tr("How often the rest is doubled at most."), Unit::None);
        toggle(section, cooldownField(name, "useUpstreamRetryHints"), tr("Obey the provider's Retry-After"),
               tr("When a provider says how long to wait, the connection rests that long."));
        addExtra(section, m_previews->label(topic, section.card));
    };
    profile("apikey", tr("API keys"), Topic::ApiKeyRests);
    profile("oauth", tr("OAuth sign-ins"), Topic::OAuthRests);
}

void SettingsPage::buildBreaker()
{
    Section& section = addSection(QStringLiteral("providerBreaker"));
    addCaption(section, tr("a whole provider, whichever key is used"),
               tr("timeouts, server errors and lost connections; rate limits and refused keys never count"),
               tr("requests go to other providers until one request finds it working again"));
    const auto profile = [&](const char* name, const QString& heading, Topic topic) {
        addHeading(section, heading);
        NumberRow* degraded = number(section, breakerField(name, "degradationThreshold"), tr("Failures until degraded"),
                                     tr("The provider still serves, and its state is shown in amber."), Unit::None);
        degraded->setRule([this, oauth = topic == Topic::OAuthBreaker](std::int64_t value) {
            const ResilienceSettings& now = m_link.configuration()->settings.resilience;
            const int open = (oauth ? now.oauthBreaker : now.apiKeyBreaker).failureThreshold;
            return value < open || (value == 1 && open == 1)
                       ? QString()
                       : tr("Must be lower than the failures until open, %1 now.").arg(shownNumber(open, Unit::None));
        });
        number(section, breakerField(name, "failureThreshold"), tr("Failures until open"),
               tr("The provider is left out. Lowered alone, it takes the other threshold down with it."), Unit::None);
        number(section, breakerField(name, "resetTimeoutMs"), tr("Time until a probe"),
               tr("Then one request may find out whether it works again."), Unit::Seconds);
        addExtra(section, m_previews->label(topic, section.card));
    };
    profile("apikey", tr("API keys"), Topic::ApiKeyBreaker);
    profile("oauth", tr("OAuth sign-ins"), Topic::OAuthBreaker);
}

void SettingsPage::buildProviderCooldown()
{
    Section& section = addSection(QStringLiteral("providerCooldown"));
    addCaption(section, tr("targets of combos, across requests"), tr("any failure that cools a connection"),
               tr("the next requests to a combo leave out what has just failed"));
    toggle(section, "resilience.providerCooldown.enabled", tr("Remember what has just failed"),
           tr("Besides breakers and cooldowns. Switched off, everything remembered is forgotten."));
    number(section, "resilience.providerCooldown.minRetryCooldownMs", tr("Shortest time left out"),
           tr("Doubled with each failure in a row. Raised alone, it takes the longest up with it."), Unit::Seconds);
    NumberRow* longest = number(section, "resilience.providerCooldown.maxRetryCooldownMs", tr("Longest time left out"), {}, Unit::Seconds);
    longest->setRule([this](std::int64_t value) {
        const Millis shortest = m_link.configuration()->settings.resilience.providerCooldown.minRetryCooldown;
        return Millis(value) >= shortest ? QString()
                                         : tr("Must be at least the shortest, %1 s now.").arg(shownNumber(shortest.count(), Unit::Seconds));
    });
    addExtra(section, m_previews->label(Topic::ProviderCooldown, section.card));
}

void SettingsPage::buildStreams()
{
    Section& section = addSection(QStringLiteral("streams"));
    toggle(section, "resilience.streamStallCooldown.enabled", tr("A stalled stream rests its connection"),
           tr("Off: a stream that brings nothing in time is noted, and its connection goes on serving: the stall is mostly one long "
              "thought of a model, not the account's fault."));
}

void SettingsPage::buildDailyReset()
{
    Section& section = addSection(QStringLiteral("dailyReset"));
    addRow(section, new TextRow("resilience.dailyReset.timeZone", tr("Time zone"),
                                tr("In which the provider's day begins. Empty: this computer's own."), TextRow::Kind::TimeZone, this));
    number(section, "resilience.dailyReset.hour", tr("Hour of the day"), tr("When a quota for a day counts as back."), Unit::None);
    addExtra(section, m_previews->label(Topic::DailyReset, section.card));
}

void SettingsPage::buildBans()
{
    Section& section = addSection(QStringLiteral("bans"));
    addCaption(section, tr("one connection"), tr("an answer that says the account is banned, or three refused requests in a row"),
               tr("the connection is out until its key changes or you enable it anew"));
    addRow(section, new ChipsRow("customBannedSignals", tr("Your own ban words"),
                                 tr("An answer with one of them, in any case and with any status, means that the account is banned."),
                                 ChipsRow::Kind::Phrases, this));
    toggle(section, "autoDisableBannedAccounts.enabled", tr("Switch banned connections off"),
           tr("Then a new key alone does not bring them back; you enable them yourself."));
    addRow(section,
           new ChoiceRow("autoDisableBannedAccounts.scope", tr("Which ones"), tr("Used while the switch above is on."),
                         {{QStringLiteral("all"), tr("All connections")}, {QStringLiteral("subscription"), tr("Only OAuth sign-ins")}},
                         this));
    toggle(section, "resilience.probeCanDisable", tr("Tests count like requests"),
           tr("A failed connection test may cool, expire or ban the connection. Off: it only notes the error."));
}

void SettingsPage::buildModelLockout()
{
    Section& section = addSection(QStringLiteral("modelLockout"));
    m_resetLockout = new QPushButton(tr("Reset to defaults"), section.card);
    m_resetLockout->setObjectName(QStringLiteral("resetLockout"));
    m_resetLockout->setAccessibleName(tr("Set all fields of model lockout back to their defaults"));
    section.card->setRightWidget(m_resetLockout);
    connect(m_resetLockout, &QPushButton::clicked, this, &SettingsPage::resetLockout);
    addCaption(section, tr("one model of one connection: its other models go on serving"), tr("answers with one of the statuses below"),
               tr("the model is left out, longer with each failure in a row"));
    toggle(section, "modelLockout.enabled", tr("Lock a model after any of these statuses"),
           tr("Off: only answers that are themselves about one model lock it."));
    addRow(section,
           new ChipsRow("modelLockout.errorCodes", tr("HTTP statuses"), tr("A click on one removes it."), ChipsRow::Kind::Codes, this));
    number(section, "modelLockout.baseCooldownMs", tr("First lock"), tr("Raised above the longest lock, it takes that up with it."),
           Unit::Seconds);
    NumberRow* longest = number(section, "modelLockout.maxCooldownMs", tr("Longest lock"),
                                tr("Also the longest rest of a connection's ladder. Only a wait that the provider itself states may be "
                                   "longer."),
                                Unit::Seconds);
    longest->setRule([this](std::int64_t value) {
        const Millis base = m_link.configuration()->settings.resilience.modelLockout.baseCooldown;
        return Millis(value) >= base ? QString()
                                     : tr("Must be at least the first lock, %1 s now.").arg(shownNumber(base.count(), Unit::Seconds));
    });
    toggle(section, "modelLockout.useExponentialBackoff", tr("Double with each failure in a row"),
           tr("Off: each lock is as long as the first."));
    number(section, "modelLockout.maxBackoffSteps", tr("Doublings"), tr("How often a lock is doubled at most."), Unit::None);
    addExtra(section, m_previews->label(Topic::Lockouts, section.card));
}

void SettingsPage::resetLockout()
{
    const auto send = [this](const Settings& wanted, std::function<void()> undo) {
        m_link.ask<Settings>(
            this,
            [patch = sectionPatch("modelLockout", wanted)](Control& control, Reply<Settings> reply) {
                control.patchSettings(patch, std::move(reply));
            },
            [this, undo = std::move(undo)](const Result<Settings>& result) {
                if (!result)
                    Q_EMIT messageRaised(errorText(result.error()), {});
                else if (undo)
                    Q_EMIT messageRaised(tr("Model lockout is back at its defaults."), undo);
            });
    };
    send(defaultSettings(), [before = m_link.configuration()->settings, send] { send(before, {}); });
}

void SettingsPage::createNew()
{
    if (m_rulesPanel->isVisible())
        m_rulesPanel->add();
}

void SettingsPage::buildErrorRules()
{
    Section& section = addSection(QStringLiteral("errorRules"));
    m_rulesPanel = new RulesPanel(m_link, section.card);
    connect(m_rulesPanel, &RulesPanel::messageRaised, this, &Page::messageRaised);
    addCaption(
        section, tr("answers of one provider with one status and a text you name"),
        tr("the first rule that fits, before the program's own; never an answer with 400, which is judged by what it says of the request"),
        tr("what you say it means, and for how long"));
    addExtra(section, m_rulesPanel);

    Section& tester = addSection(QStringLiteral("ruleTester"));
    addExtra(tester, m_rulesPanel->makeTester(tester.card));
}

}  // namespace omni
