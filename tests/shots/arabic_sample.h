#pragma once

#include <QTranslator>

namespace omni::shots {

/// Says everything in Arabic letters that mean nothing, as long as the English: shows whether each page stands right when it is read from
/// right to left, and which text no translation can reach. Places, plural marks, markup and mnemonics stay as they are.
class ArabicSample final : public QTranslator {
public:
    bool isEmpty() const override { return false; }
    QString translate(const char* context, const char* source, const char* disambiguation, int n) const override;
};

}  // namespace omni::shots
