#pragma once

#include "model/configuration.h"

#include <QStringList>

#include <vector>

namespace omni {

/// What a client can ask for: combos, aliases, then "provider/model" of everything that connections offer, each sorted.
QStringList askedNames(const Configuration& configuration);

/// The models of one provider, sorted and each once: what its connections list, and what the catalogue knows of it.
QStringList modelsOfProvider(const Provider& provider, const std::vector<const Connection*>& connections);

}  // namespace omni
