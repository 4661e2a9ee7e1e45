#include "ui/theme/theme.h"

#include <QCoreApplication>

namespace omni {

namespace {

QString word(const char* text)
{
    return QCoreApplication::translate("StateLook", text);
}

}  // namespace

StateLook lookOf(BreakerState state, const Colours& colours)
{
    switch (state) {
    case BreakerState::Closed: return {colours.good, QStringLiteral("●"), word(QT_TRANSLATE_NOOP("StateLook", "closed"))};
    case BreakerState::Degraded: return {colours.warn, QStringLiteral("▲"), word(QT_TRANSLATE_NOOP("StateLook", "degraded"))};
    case BreakerState::Open: return {colours.bad, QStringLiteral("■"), word(QT_TRANSLATE_NOOP("StateLook", "open"))};
    case BreakerState::HalfOpen: return {colours.probing, QStringLiteral("◐"), word(QT_TRANSLATE_NOOP("StateLook", "half-open"))};
    }
    return {};
}

StateLook lookOf(Outcome outcome, const Colours& colours)
{
    switch (outcome) {
    case Outcome::Answered: return {colours.good, QStringLiteral("●"), word(QT_TRANSLATE_NOOP("StateLook", "answered"))};
    case Outcome::UpstreamFailed: return {colours.bad, QStringLiteral("■"), word(QT_TRANSLATE_NOOP("StateLook", "failed"))};
    case Outcome::Broken: return {colours.bad, QStringLiteral("✕"), word(QT_TRANSLATE_NOOP("StateLook", "broken off"))};
    case Outcome::ClientGone: return {colours.mutedText, QStringLiteral("○"), word(QT_TRANSLATE_NOOP("StateLook", "client left"))};
    case Outcome::Refused: return {colours.warn, QStringLiteral("▲"), word(QT_TRANSLATE_NOOP("StateLook", "refused"))};
    }
    return {};
}

StateLook lookOf(Exclusion reason, const Colours& colours)
{
    const QString cross = QStringLiteral("✕");
    const QString clock = QStringLiteral("◷");
    const QString ring = QStringLiteral("○");
    switch (reason) {
    case Exclusion::None: return {colours.good, QStringLiteral("●"), word(QT_TRANSLATE_NOOP("StateLook", "serving"))};
    case Exclusion::Disabled: return {colours.mutedText, ring, word(QT_TRANSLATE_NOOP("StateLook", "disabled"))};
    case Exclusion::SecretMissing: return {colours.bad, cross, word(QT_TRANSLATE_NOOP("StateLook", "no key"))};
    case Exclusion::SecretUnreadable: return {colours.bad, cross, word(QT_TRANSLATE_NOOP("StateLook", "key unreadable"))};
    case Exclusion::Banned: return {colours.bad, cross, word(QT_TRANSLATE_NOOP("StateLook", "banned"))};
    case Exclusion::Expired: return {colours.bad, cross, word(QT_TRANSLATE_NOOP("StateLook", "expired"))};
    case Exclusion::CreditsExhausted: return {colours.bad, cross, word(QT_TRANSLATE_NOOP("StateLook", "no credit"))};
    case Exclusion::CircuitOpen: return {colours.bad, QStringLiteral("■"), word(QT_TRANSLATE_NOOP("StateLook", "open"))};
    case Exclusion::ConnectionCooldown: return {colours.resting, clock, word(QT_TRANSLATE_NOOP("StateLook", "resting"))};
    case Exclusion::ModelLockout: return {colours.resting, clock, word(QT_TRANSLATE_NOOP("StateLook", "model resting"))};
    case Exclusion::ProviderCooldown: return {colours.resting, clock, word(QT_TRANSLATE_NOOP("StateLook", "provider resting"))};
    case Exclusion::DialectMismatch: return {colours.mutedText, ring, word(QT_TRANSLATE_NOOP("StateLook", "other wire format"))};
    case Exclusion::ModelNotOffered: return {colours.mutedText, ring, word(QT_TRANSLATE_NOOP("StateLook", "model not offered"))};
    case Exclusion::NotAllowed: return {colours.mutedText, ring, word(QT_TRANSLATE_NOOP("StateLook", "not allowed"))};
    case Exclusion::Unavailable: return {colours.bad, cross, word(QT_TRANSLATE_NOOP("StateLook", "unavailable"))};
    case Exclusion::AlreadyTried: return {colours.mutedText, ring, word(QT_TRANSLATE_NOOP("StateLook", "already tried"))};
    case Exclusion::ContextWindow: return {colours.mutedText, ring, word(QT_TRANSLATE_NOOP("StateLook", "prompt too long for this model"))};
    }
    return {};
}

}  // namespace omni
