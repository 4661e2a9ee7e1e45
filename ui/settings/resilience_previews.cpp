#include "ui/settings/resilience_previews.h"

#include "ui/core_link.h"
#include "ui/models/display_text.h"
#include "ui/settings/resilience_text.h"

#include <nlohmann/json.hpp>

#include <QLabel>

namespace omni {

ResiliencePreviews::ResiliencePreviews(CoreLink& link, QObject* parent) : QObject(parent), m_link(link) {}

bool ResiliencePreviews::concerns(std::string_view field)
{
    return field.substr(0, 11) == "resilience." || field.substr(0, 13) == "modelLockout.";
}

QLabel* ResiliencePreviews::label(Topic topic, QWidget* parent)
{
    static constexpr const char* kNames[kTopics] = {"apiKeyRests",      "oauthRests", "apiKeyBreaker", "oauthBreaker",
                                                    "providerCooldown", "dailyReset", "lockouts"};
    const auto index = static_cast<std::size_t>(topic);
    auto* made = new QLabel(parent);
    made->setObjectName(QStringLiteral("preview.") + QLatin1String(kNames[index]));
    made->setWordWrap(true);
    made->setTextFormat(Qt::PlainText);
    made->setTextInteractionFlags(Qt::TextSelectableByMouse);
    made->setContentsMargins(0, 4, 0, 6);
    m_labels[index] = made;
    return made;
}

void ResiliencePreviews::ask(const std::string& patch)
{
    if (!m_link.ready())
        return;
    const std::uint64_t asked = ++m_asked;
    m_link.ask<ResiliencePreview>(
        this, [patch](Control& control, const Reply<ResiliencePreview>& reply) { control.previewSettings(patch, reply); },
        [this, asked, patch](const Result<ResiliencePreview>& preview) {
            // Answers may overtake each other; the newest question counts.
            if (preview && asked == m_asked)
                show(*preview, patch);
        });
}

void ResiliencePreviews::show(const ResiliencePreview& preview, const std::string& patch)
{
    Settings settings = m_link.configuration()->settings;
    if (!patch.empty()) {
        if (Result<Settings> merged = patched(settings, nlohmann::json::parse(patch, nullptr, false)))
            settings = *std::move(merged);
    }
    const ResilienceSettings& resilience = settings.resilience;
    const auto set = [this](Topic topic, const QString& text) {
        if (QLabel* label = m_labels[static_cast<std::size_t>(topic)])
            label->setText(text);
    };
    set(Topic::ApiKeyRests, restsText(preview.apiKey));
    set(Topic::OAuthRests, restsText(preview.oauth));
    set(Topic::ApiKeyBreaker, breakerText(preview.apiKey));
    set(Topic::OAuthBreaker, breakerText(preview.oauth));
    set(Topic::ProviderCooldown, providerCooldownText(preview, resilience.providerCooldown));
    set(Topic::DailyReset, dailyResetText(preview, wallNow()));
    set(Topic::Lockouts, lockoutText(preview, resilience.modelLockout.enabled));
}

}  // namespace omni
