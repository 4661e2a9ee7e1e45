#include "model/connection.h"

#include "model/enum_text.h"

namespace omni {

namespace {

constexpr EnumNames<TerminalState, TerminalState::CreditsExhausted> kTerminalStates("", "banned", "expired", "credits_exhausted");

}  // namespace

std::string_view toString(TerminalState state)
{
    return kTerminalStates.nameOf(state);
}

TerminalState terminalStateFromString(std::string_view text)
{
    return kTerminalStates.valueOf(text).value_or(TerminalState::None);
}

}  // namespace omni
