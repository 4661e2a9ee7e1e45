#pragma once

#include "model/configuration.h"
#include "model/usage.h"
#include "store/usage_history.h"

#include <QDate>
#include <QString>
#include <QStringList>

#include <vector>

namespace omni {

/// What a row of the usage table stands for.
enum class UsageGroup { Day, Provider, Connection, Model, ApiKey };

/// What the store must tell apart for it.
UsageParts partsFor(UsageGroup group);

/// One line of the usage table. Values, so that it can be kept apart from what it was made of.
struct UsageRow {
    UsageCell of;  ///< what the row is about; its counts are the row's
    QString name;
    QString provider;  ///< beside a connection or a model; else empty
    UsageCost cost;
    QStringList unpriced;  ///< models in it that have no price but took tokens, by name
};

/// Sums `cells` by `group`, with today's names and prices; things that are gone keep the name they had last. In the order of `cells`.
std::vector<UsageRow> usageRows(const std::vector<UsageCell>& cells, UsageGroup group, const Configuration& configuration);
UsageRow usageTotal(const std::vector<UsageRow>& rows);

QDate dateOfDay(int day);
/// "$4.20"; more places for less than a cent.
QString moneyText(double dollars);
/// "$4.20", "≥ $4.20" when something in it has no price, "no price" when nothing has one, "–" without tokens.
QString costText(const UsageCost& cost);
/// "3.1 %", "–" without requests.
QString failureShareText(std::int64_t part, std::int64_t whole);

}  // namespace omni
