#include "ui/models/core_patterns.h"

#include "ui/models/display_text.h"

#include <QCoreApplication>
#include <QRegularExpression>

namespace omni {

const std::vector<const char*>& corePatterns()
{
    static const std::vector<const char*> patterns{
        QT_TRANSLATE_NOOP("omni::core", "%1 needs an API key."),
        QT_TRANSLATE_NOOP("omni::core", "There is no provider \"%1\"."),
        QT_TRANSLATE_NOOP("omni::core", "This prefix belongs to %1."),
        QT_TRANSLATE_NOOP("omni::core", "The endpoint \"%1\" has this prefix already."),
        QT_TRANSLATE_NOOP("omni::core", "The endpoint \"%1\" is used by %2. Remove these connections first."),
        QT_TRANSLATE_NOOP("omni::core", "The base URL begins with %1://; only https:// and http:// can be used."),
        QT_TRANSLATE_NOOP("omni::core", "The base URL holds a credential (\"%1=…\"); enter it in the key field instead."),
        QT_TRANSLATE_NOOP("omni::core", "The base URL cannot be used: %1"),
        QT_TRANSLATE_NOOP("omni::core", "The proxy's address cannot be used: %1"),
        QT_TRANSLATE_NOOP("omni::core", "The proxy's address names no port; write it like %1:8080."),
        QT_TRANSLATE_NOOP("omni::core", "A proxy begins with http://, https:// or socks5h://, not %1://."),
        QT_TRANSLATE_NOOP("omni::core", "The host name holds \"%1\", which no host name can."),
        QT_TRANSLATE_NOOP("omni::core", "The key of \"%1\" holds a blank, a line break or a letter no key has; enter it again."),
        QT_TRANSLATE_NOOP("omni::core", "The key of \"%1\" cannot be read: %2"),
        QT_TRANSLATE_NOOP("omni::core", "The key could not be kept: %1"),
        QT_TRANSLATE_NOOP("omni::core", "%1 has no list of models."),
        QT_TRANSLATE_NOOP("omni::core", "%1 lists its models at its own address, which this connection does not use."),
        QT_TRANSLATE_NOOP("omni::core", "Every target for \"%1\" is resting:%2"),
        QT_TRANSLATE_NOOP("omni::core", "No connection offers \"%1\"."),
        QT_TRANSLATE_NOOP("omni::core", "No target for \"%1\" can be used:%2"),
        QT_TRANSLATE_NOOP("omni::core", "1 target for \"%1\" failed:%2"),
        QT_TRANSLATE_NOOP("omni::core", "%1 targets for \"%2\" failed:%3"),
        QT_TRANSLATE_NOOP("omni::core", "The upstream's answer broke off: %1"),
        QT_TRANSLATE_NOOP("omni::core", "The upstream answered HTTP %1 without a body."),
        QT_TRANSLATE_NOOP("omni::core", "The upstream answered with %1 instead of JSON."),
        QT_TRANSLATE_NOOP("omni::core", "The stream began, but nothing meaningful came within %1 ms."),
        QT_TRANSLATE_NOOP("omni::core", "%1 has no connection yet. Add one on the page Connections."),
        QT_TRANSLATE_NOOP("omni::core", "No model, alias or combo is called \"%1\".%2"),
        QT_TRANSLATE_NOOP("omni::core", "%1 lists no model \"%2\". Refresh the connection's models, or let it pass on unlisted ones.%3"),
        QT_TRANSLATE_NOOP("omni::core", "No provider is called \"%1\", and no model, alias or combo \"%2\".%3"),
        QT_TRANSLATE_NOOP("omni::core", "The aliases lead in a circle: %1. Change one of them."),
        QT_TRANSLATE_NOOP("omni::core", "The aliases lead on more than %1 times: %2. Shorten the chain."),
        QT_TRANSLATE_NOOP("omni::core", "\"%1\" names no model after the \"/\"."),
        QT_TRANSLATE_NOOP("omni::core", "The combo \"%1\" has the strategy \"%2\"; only \"priority\" is available now. Change it on the combo."),
        QT_TRANSLATE_NOOP("omni::core", "The name \"%1\" was taken meanwhile."),
        QT_TRANSLATE_NOOP("omni::core", "There is no combo \"%1\"."),
        QT_TRANSLATE_NOOP("omni::core", "There is no alias \"%1\"."),
        QT_TRANSLATE_NOOP("omni::core", "There is no connection \"%1\"."),
        QT_TRANSLATE_NOOP("omni::core", "%1 was banned by its provider and is switched off."),
        // Parts of the rules that evidence tells; see ruleText().
        QT_TRANSLATE_NOOP("omni::core", "the upstream asked for %1 s"),
        QT_TRANSLATE_NOOP("omni::core", "%1, not beyond the reset of the window"),
        QT_TRANSLATE_NOOP("omni::core", "step %1 of the ladder"),
        QT_TRANSLATE_NOOP("omni::core", "%1 (the answer says your ban word “%2”)"),
        QT_TRANSLATE_NOOP("omni::core", "%1 (the answer says “%2”)"),
        QT_TRANSLATE_NOOP("omni::core", "%1, by what was counted here"),
        QT_TRANSLATE_NOOP("omni::core", "your own error rule “%1”"),
        QT_TRANSLATE_NOOP("omni::core", "the rule %1"),
        QT_TRANSLATE_NOOP("omni::core", "HTTP %1 restated (%2)"),
        QT_TRANSLATE_NOOP("omni::core", "%1 until someone acts"),
        QT_TRANSLATE_NOOP("omni::core", "the key was refused in each of %1 retries"),
        QT_TRANSLATE_NOOP("omni::core", "the key was refused (HTTP %1: %2)"),
        QT_TRANSLATE_NOOP("omni::core", "the key was refused (%1)"),
        QT_TRANSLATE_NOOP("omni::core", "retry %1 of %2 in %3 min"),
        QT_TRANSLATE_NOOP("omni::core", "%1 was refused at the address both send from"),
        // Of the clients' settings files.
        QT_TRANSLATE_NOOP("omni::core", "%1: %2. Nothing was changed; mend the file, or move it away and try again."),
        QT_TRANSLATE_NOOP("omni::core", "Line %1: %2"),
        QT_TRANSLATE_NOOP("omni::core", "%1: It was changed meanwhile. Look at the change again."),
        QT_TRANSLATE_NOOP("omni::core", "%1: It was changed since, so it is left as it is. What was there before is in %2."),
        QT_TRANSLATE_NOOP("omni::core", "%1: It was changed since, so it is left as it is."),
        QT_TRANSLATE_NOOP("omni::core", "%1: Its copy %2 is gone, so it is left as it is."),
        QT_TRANSLATE_NOOP("omni::core", "%1: This is no file."),
        QT_TRANSLATE_NOOP("omni::core", "\"%1\" is set twice"),
        QT_TRANSLATE_NOOP("omni::core", "\"%1\" has more than a simple value; put it on one line first"),
        QT_TRANSLATE_NOOP("omni::core", "\"%1\" is no object, so nothing can be put into it"),
        QT_TRANSLATE_NOOP("omni::core", "\"%1\" is written in a form that cannot be added to; turn it into a table %2"),
        QT_TRANSLATE_NOOP("omni::core", "\"%1\" is written in one-line form; write each element in lines of its own"),
        QT_TRANSLATE_NOOP("omni::core", "The backup was made by a newer version of OmniRoute Desktop (schema %1, this program knows up to %2). Update the program first. Nothing was changed."),
        QT_TRANSLATE_NOOP("omni::core", "The backup is damaged (%1). Nothing was changed."),
        QT_TRANSLATE_NOOP("omni::core", "The backup %1 is no longer there."),
        QT_TRANSLATE_NOOP("omni::core", "The backup %1 cannot be deleted. Check the permissions of its folder."),
        QT_TRANSLATE_NOOP("omni::core", "The backup cannot be laid ready in %1. Check the permissions of its folder."),
        QT_TRANSLATE_NOOP("omni::core", "%1 cannot be deleted. Check the permissions of its folder."),
        QT_TRANSLATE_NOOP("omni::core", "%1 cannot be moved to %2. Check the permissions of the folder."),
        QT_TRANSLATE_NOOP("omni::core", "The database %1 is missing, and the backup that was to take its place cannot: %2 Put a database or a backup there under this name, or delete %3 to begin with an empty one."),
        QT_TRANSLATE_NOOP("omni::core", "The key of %1 cannot be read, so the export would lack it: %2 Enter the key anew, or export without a passphrase."),
        QT_TRANSLATE_NOOP("omni::core", "key of connection %1: the document holds none that can be read; enter it by hand"),
        QT_TRANSLATE_NOOP("omni::core", "connection %1: another connection of this provider has its name"),
        QT_TRANSLATE_NOOP("omni::core", "connection %1: there is no provider %2 here"),
        QT_TRANSLATE_NOOP("omni::core", "connection %1: a connection of another provider has its id"),
        QT_TRANSLATE_NOOP("omni::core", "endpoint %1: another endpoint has its name or prefix"),
        QT_TRANSLATE_NOOP("omni::core", "combo %1: another combo or an alias has its name"),
        QT_TRANSLATE_NOOP("omni::core", "combo %1: none of its connections or providers is here"),
        QT_TRANSLATE_NOOP("omni::core", "%1 steps of combo %2: their connections or providers are not here"),
        QT_TRANSLATE_NOOP("omni::core", "alias %1: a combo has its name"),
        QT_TRANSLATE_NOOP("omni::core", "client key %1: another key has its name"),
        QT_TRANSLATE_NOOP("omni::core", "port and network of the settings: %1"),
    };
    return patterns;
}

namespace {

struct Matcher {
    const char* pattern;
    QRegularExpression expression;
};

std::vector<Matcher> makeMatchers()
{
    static const QRegularExpression place(QStringLiteral("%\\d"));
    std::vector<Matcher> matchers;
    for (const char* pattern : corePatterns()) {
        const QStringList fixed = QString::fromUtf8(pattern).split(place);
        QStringList escaped;
        for (const QString& part : fixed)
            escaped << QRegularExpression::escape(part);
        matchers.push_back({pattern, QRegularExpression(QRegularExpression::anchoredPattern(escaped.join(QStringLiteral("(.*?)"))),
                                         QRegularExpression::DotMatchesEverythingOption)});
    }
    return matchers;
}

}  // namespace

QString translatedByPattern(const QString& english)
{
    static const std::vector<Matcher> matchers = makeMatchers();
    for (const Matcher& matcher : matchers) {
        const QRegularExpressionMatch match = matcher.expression.match(english);
        if (!match.hasMatch())
            continue;
        QString text = QCoreApplication::translate("omni::core", matcher.pattern);
        if (text == QString::fromUtf8(matcher.pattern))
            return {};
        // One pass over the template: what is put in may itself hold a "%1".
        QString whole;
        for (qsizetype i = 0; i < text.size(); ++i) {
            const int number = text[i] == QLatin1Char('%') && i + 1 < text.size() ? text[i + 1].digitValue() : -1;
            if (number < 1 || number > match.lastCapturedIndex()) {
                whole += text[i];
                continue;
            }
            whole += coreText(toUtf8(match.captured(number)));
            ++i;
        }
        return whole;
    }
    return {};
}

}  // namespace omni
