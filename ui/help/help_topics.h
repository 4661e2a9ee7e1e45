#pragma once

#include <QString>
#include <QStringList>

namespace omni {

/// Ids of the guide's pages, in their order: names of files in resources/help/<language>.
const QStringList& helpTopics();

struct HelpText {
    QString title;     ///< its first heading
    QString markdown;  ///< with the heading
};

/// In the language, else in English. `baseUrl` stands where the text says BASE_URL.
HelpText helpText(const QString& topic, const QString& language, const QString& baseUrl);

}  // namespace omni
