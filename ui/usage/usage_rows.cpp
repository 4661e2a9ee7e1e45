#include "ui/usage/usage_rows.h"

#include "ui/models/display_text.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace omni {

namespace {

constexpr qint64 kJulianEpoch = 2'440'588;  // 1970-01-01

struct Words {
    Q_DECLARE_TR_FUNCTIONS(omni::UsageRows)
};

using Key = std::tuple<int, std::string, std::string>;

Key keyOf(const UsageCell& cell, UsageGroup group)
{
    switch (group) {
    case UsageGroup::Day: return {cell.day, {}, {}};
    case UsageGroup::Provider: return {0, cell.provider.str(), {}};
    case UsageGroup::Connection: return {0, cell.provider.str(), cell.connection.str()};
    case UsageGroup::Model: return {0, cell.provider.str(), cell.model};
    case UsageGroup::ApiKey: return {0, cell.apiKey.str(), {}};
    }
    return {};
}

QString connectionText(const UsageCell& cell, const Configuration& configuration)
{
    if (cell.connection.empty())
        return Words::tr("no connection");
    const Connection* connection = configuration.connection(cell.connection);
    const std::string& name = connection ? connection->name : cell.connectionName;
    return name.empty() ? toQString(cell.connection.str()) : toQString(name);
}

QString keyText(const UsageCell& cell, const Configuration& configuration)
{
    if (cell.apiKey.empty())
        return Words::tr("no key");
    const auto key = std::find_if(configuration.apiKeys.begin(), configuration.apiKeys.end(),
                                  [&cell](const ApiKey& one) { return one.id == cell.apiKey; });
    const std::string& name = key == configuration.apiKeys.end() ? cell.apiKeyName : key->name;
    return name.empty() ? toQString(cell.apiKey.str()) : toQString(name);
}

QString providerName(const UsageCell& cell, const Configuration& configuration)
{
    return cell.provider.empty() ? Words::tr("no provider") : providerText(&configuration, cell.provider);
}

void nameRow(UsageRow& row, UsageGroup group, const Configuration& configuration)
{
    const UsageCell& cell = row.of;
    const QString provider = providerName(cell, configuration);
    switch (group) {
    case UsageGroup::Day: row.name = QLocale().toString(dateOfDay(cell.day), QLocale::ShortFormat); break;
    case UsageGroup::Provider: row.name = provider; break;
    case UsageGroup::Connection:
        row.name = connectionText(cell, configuration);
        row.provider = provider;
        break;
    case UsageGroup::Model:
        row.name = cell.model.empty() ? Words::tr("no model") : toQString(cell.model);
        row.provider = provider;
        break;
    case UsageGroup::ApiKey: row.name = keyText(cell, configuration); break;
    }
}

}  // namespace

UsageParts partsFor(UsageGroup group)
{
    return {group == UsageGroup::Day, group == UsageGroup::Connection, group == UsageGroup::ApiKey};
}

std::vector<UsageRow> usageRows(const std::vector<UsageCell>& cells, UsageGroup group, const Configuration& configuration)
{
    std::map<PricedModel, const ModelPrice*> prices;
    for (const ModelPrice& price : configuration.prices)
        prices.emplace(PricedModel{price.provider, price.model}, &price);
    std::vector<UsageRow> rows;
    std::map<Key, std::size_t> places;
    for (const UsageCell& cell : cells) {
        const auto [place, fresh] = places.emplace(keyOf(cell, group), rows.size());
        if (fresh) {
            UsageRow row;
            row.of = cell;
            row.of.counts = {};
            nameRow(row, group, configuration);
            rows.push_back(std::move(row));
        }
        UsageRow& row = rows[place->second];
        const auto price = prices.find({cell.provider, cell.model});
        const UsageCost cost = costOf(cell.counts, price == prices.end() ? nullptr : price->second);
        row.of.counts += cell.counts;
        row.cost += cost;
        const QString model = toQString(cell.model);
        if (cost.unpricedTokens > 0 && !row.unpriced.contains(model))
            row.unpriced << model;
    }
    return rows;
}

UsageRow usageTotal(const std::vector<UsageRow>& rows)
{
    UsageRow total;
    std::set<QString> unpriced;
    for (const UsageRow& row : rows) {
        total.of.counts += row.of.counts;
        total.cost += row.cost;
        unpriced.insert(row.unpriced.begin(), row.unpriced.end());
    }
    total.unpriced = QStringList(unpriced.begin(), unpriced.end());
    return total;
}

QDate dateOfDay(int day)
{
    return QDate::fromJulianDay(kJulianEpoch + day);
}

QString moneyText(double dollars)
{
    const int places = dollars >= 0.00995 || dollars == 0.0 ? 2 : 4;
    return QLocale().toCurrencyString(dollars, QStringLiteral("$"), places);
}

QString costText(const UsageCost& cost)
{
    if (cost.pricedTokens == 0 && cost.unpricedTokens == 0)
        return QStringLiteral("–");
    if (cost.pricedTokens == 0)
        return Words::tr("no price");
    return cost.unpricedTokens == 0 ? moneyText(cost.dollars) : QStringLiteral("≥ ") + moneyText(cost.dollars);
}

QString failureShareText(std::int64_t part, std::int64_t whole)
{
    if (whole == 0)
        return QStringLiteral("–");
    const double percent = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
    // One failure in ten thousand is little, and still not none.
    if (part > 0 && percent < 0.1)
        return Words::tr("< %1 %").arg(decimalText(0.1, 1));
    return Words::tr("%1 %").arg(decimalText(percent, 1));
}

}  // namespace omni
