#include "sandbox/behaviours.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>

namespace omni::sandbox {

namespace {

const std::unordered_map<std::string_view, const Behaviour*>& catalogue()
{
    static const auto index = [] {
        std::unordered_map<std::string_view, const Behaviour*> byName;
        for (const auto* list : {&workingBehaviours(), &statusBehaviours(), &limitBehaviours(), &brokenBehaviours()})
            for (const Behaviour& behaviour : *list)
                byName.emplace(behaviour.model.id, &behaviour);
        return byName;
    }();
    return index;
}

}  // namespace

const Behaviour* findBehaviour(std::string_view name)
{
    const auto found = catalogue().find(name);
    return found == catalogue().end() ? nullptr : found->second;
}

Plan makePlan(const Behaviour& behaviour, const Situation& situation)
{
    const ModelName& name = situation.prompt.name;
    Plan plan;
    plan.gap = Millis(name.number("ms", 0));
    behaviour.apply(plan, situation);
    if (const auto wait = name.number("retry-after"); wait && plan.error)
        plan.headers.emplace_back("Retry-After", std::to_string(*wait));
    if (const auto chunks = name.number("chunks"); chunks && *chunks > 0)
        plan.content.pieces = static_cast<std::size_t>(std::min<std::uint64_t>(*chunks, 10'000'000));
    if (const auto after = name.number("after"))
        plan.faultAfter = static_cast<std::size_t>(*after);
    return plan;
}

Plan errorPlan(int status, std::string message, std::string code)
{
    Plan plan;
    plan.status = status;
    plan.error = ApiError{.status = status, .message = std::move(message), .code = std::move(code)};
    return plan;
}

std::string httpDate(WallTime time)
{
    static constexpr std::array kDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static constexpr std::array kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    const auto day = std::chrono::floor<std::chrono::days>(time);
    const std::chrono::year_month_day date(day);
    const std::chrono::hh_mm_ss clock(std::chrono::floor<std::chrono::seconds>(time - day));
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%s, %02u %s %04d %02d:%02d:%02d GMT", kDays.at(std::chrono::weekday(day).c_encoding()),
                  static_cast<unsigned>(date.day()), kMonths.at(static_cast<unsigned>(date.month()) - 1), static_cast<int>(date.year()),
                  static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                  static_cast<int>(clock.seconds().count()));
    return text.data();
}

}  // namespace omni::sandbox
