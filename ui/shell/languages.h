#pragma once

#include <QCoreApplication>
#include <QString>
#include <QTranslator>

#include <memory>
#include <vector>

namespace omni {

/// The languages the program speaks and the one it speaks now. Switching sends LanguageChange to every widget and sets the locale whose
/// digits and dates are shown.
class Languages final {
public:
    struct Language {
        QString code;  ///< "en", "bn"
        QString name;  ///< in its own words
    };

    explicit Languages(QCoreApplication& application);
    ~Languages();

    /// English first, then what is compiled in, by code.
    static std::vector<Language> available();
    /// `code` empty = the system's language where we have it, else English.
    void apply(const QString& code);
    QString current() const { return m_current; }

private:
    QCoreApplication& m_application;
    QString m_current = QStringLiteral("en");
    std::unique_ptr<QTranslator> m_own;
    std::unique_ptr<QTranslator> m_qt;
};

}  // namespace omni
