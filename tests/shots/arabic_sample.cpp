#include "shots/arabic_sample.h"

#include <string_view>

namespace omni::shots {

QString ArabicSample::translate(const char* context, const char* source, const char* /*disambiguation*/, int n) const
{
    // How Qt asks a language for its direction.
    if (std::string_view(context) == "QGuiApplication" && std::string_view(source) == "QT_LAYOUT_DIRECTION")
        return QStringLiteral("RTL");
    static const QString letters = QStringLiteral("ابتثجحخدذرزسشصضطظعغفقكلمنه");
    const QString english = QString::fromUtf8(source);
    QString text;
    bool inMarkup = false;
    for (qsizetype at = 0; at < english.size(); ++at) {
        const QChar c = english.at(at);
        const bool isPlace = at > 0 && (english.at(at - 1) == QLatin1Char('%') || (at > 1 && english.mid(at - 2, 2) == QLatin1String("%L")));
        if (c == QLatin1Char('<'))
            inMarkup = true;
        const bool isLetter = c.unicode() < 128 && c.isLetter();
        text += isLetter && !inMarkup && !isPlace ? letters.at(c.toLower().unicode() - 'a') : c;
        if (c == QLatin1Char('>'))
            inMarkup = false;
    }
    return n >= 0 ? text.replace(QLatin1String("%n"), QString::number(n)) : text;
}

}  // namespace omni::shots
