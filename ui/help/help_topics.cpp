#include "ui/help/help_topics.h"

#include "ui/theme/resources.h"

#include <QFile>

namespace omni {

const QStringList& helpTopics()
{
    static const QStringList topics = {
        QStringLiteral("start"),    QStringLiteral("breaker"), QStringLiteral("cooldown"),        QStringLiteral("lockout"),
        QStringLiteral("terminal"), QStringLiteral("hints"),   QStringLiteral("combos"),          QStringLiteral("sandbox"),
        QStringLiteral("limits"),   QStringLiteral("errors"),  QStringLiteral("troubleshooting"),
    };
    return topics;
}

HelpText helpText(const QString& topic, const QString& language, const QString& baseUrl)
{
    loadUiResources();
    HelpText text;
    for (const QString& folder : {language, QStringLiteral("en")}) {
        QFile file(QStringLiteral(":/help/%1/%2.md").arg(folder, topic));
        if (!file.open(QIODevice::ReadOnly))
            continue;
        text.markdown = QString::fromUtf8(file.readAll());
        break;
    }
    text.markdown.replace(QLatin1String("BASE_URL"), baseUrl);
    text.title = text.markdown.section(QLatin1Char('\n'), 0, 0).mid(2).trimmed();
    return text;
}

}  // namespace omni
