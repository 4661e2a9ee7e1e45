#include "ui/shell/languages.h"

#include <QDir>
#include <QLibraryInfo>
#include <QLocale>

#include <algorithm>

namespace omni {

namespace {

QString systemChoice(const std::vector<Languages::Language>& available)
{
    for (const QString& wanted : QLocale::system().uiLanguages()) {
        const QString code = wanted.section(QLatin1Char('-'), 0, 0);
        for (const auto& language : available) {
            if (language.code == code)
                return code;
        }
    }
    return QStringLiteral("en");
}

/// The user's own locale where it is of that language (en_GB for English), else the language's main one.
QLocale localeFor(const QString& code)
{
    const QLocale system = QLocale::system();
    return system.name().section(QLatin1Char('_'), 0, 0) == code ? system : QLocale(code);
}

}  // namespace

Languages::Languages(QCoreApplication& application) : m_application(application) {}

Languages::~Languages() = default;

std::vector<Languages::Language> Languages::available()
{
    std::vector<Language> languages{{QStringLiteral("en"), QStringLiteral("English")}};
    const QStringList files = QDir(QStringLiteral(":/i18n")).entryList({QStringLiteral("omniroute_*.qm")}, QDir::Files, QDir::Name);
    for (const QString& file : files) {
        const QString code = file.section(QLatin1Char('_'), 1).section(QLatin1Char('.'), 0, 0);
        languages.push_back({code, QLocale(code).nativeLanguageName()});
    }
    return languages;
}

void Languages::apply(const QString& code)
{
    const std::vector<Language> known = available();
    QString chosen = code;
    const bool offered = std::any_of(known.begin(), known.end(), [&code](const Language& language) { return language.code == code; });
    if (!offered)
        chosen = systemChoice(known);
    const QLocale locale = localeFor(chosen);
    if (chosen == m_current && locale == QLocale())
        return;
    m_current = chosen;
    QLocale::setDefault(locale);
    // Removing a translator tells the widgets too; one that is only destroyed would not.
    for (std::unique_ptr<QTranslator>* old : {&m_own, &m_qt}) {
        if (*old)
            m_application.removeTranslator(old->get());
        old->reset();
    }
    auto own = std::make_unique<QTranslator>();
    auto qt = std::make_unique<QTranslator>();
    if (qt->load(locale, QStringLiteral("qtbase"), QStringLiteral("_"), QLibraryInfo::path(QLibraryInfo::TranslationsPath))) {
        m_application.installTranslator(qt.get());
        m_qt = std::move(qt);
    }
    if (own->load(QStringLiteral(":/i18n/omniroute_%1.qm").arg(chosen))) {
        m_application.installTranslator(own.get());
        m_own = std::move(own);
    }
}

}  // namespace omni
