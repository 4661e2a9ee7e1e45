#pragma once

#include <QString>

#include <vector>

namespace omni {

/// A card of the settings page. `id` is what the page's `showObject` takes.
struct SettingsPlace {
    QString id;
    QString title;
    QString group;  ///< as the page's index has it; cards of one group follow each other
};

/// All cards in the page's order, in the language of now. What builds the page's index, and what can be gone to from elsewhere.
std::vector<SettingsPlace> settingsPlaces();

}  // namespace omni
