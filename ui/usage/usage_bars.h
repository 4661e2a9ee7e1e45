#pragma once

#include "ui/charts/day_bars.h"
#include "ui/usage/usage_rows.h"

namespace omni {

/// What the bars of the usage page show.
enum class UsageMeasure { Requests, Tokens, Errors, Cost };

void applyMeasure(DayBars& bars, UsageMeasure measure);

/// One bar for each day of `range`, or for each month when there are more days than can be told apart. Days before `mainFirstDay` are
/// there for comparison. `days` as of UsageGroup::Day.
std::vector<DayBars::Bar> usageBars(const std::vector<UsageRow>& days, const UsageRange& range, int mainFirstDay, UsageMeasure measure);

}  // namespace omni
