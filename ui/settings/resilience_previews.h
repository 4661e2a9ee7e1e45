#pragma once

#include "resilience/resilience_preview.h"

#include <QObject>

#include <cstdint>
#include <string>
#include <string_view>

class QLabel;
class QWidget;

namespace omni {

class CoreLink;

/// The sentences under the settings that say what they will do. The core is asked for them: it runs its policies and tells what came out.
class ResiliencePreviews final : public QObject {
    Q_OBJECT

public:
    enum class Topic : std::uint8_t { ApiKeyRests, OAuthRests, ApiKeyBreaker, OAuthBreaker, ProviderCooldown, DailyReset, Lockouts };
    static constexpr int kTopics = 7;

    ResiliencePreviews(CoreLink& link, QObject* parent);

    /// Whether a change of the field changes a sentence.
    static bool concerns(std::string_view field);
    /// The sentence, kept up to date; empty until it is known. One for each topic.
    QLabel* label(Topic topic, QWidget* parent);

public Q_SLOTS:
    /// Shows what would be true with `patch` merged into the settings; "" = what is. A refused patch leaves the sentences as they are.
    void ask(const std::string& patch = {});

private:
    void show(const ResiliencePreview& preview, const std::string& patch);

    CoreLink& m_link;
    QLabel* m_labels[kTopics] = {};
    std::uint64_t m_asked = 0;
};

}  // namespace omni
