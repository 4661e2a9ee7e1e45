#include "ui/usage/usage_export.h"

#include "base/csv.h"
#include "ui/models/display_text.h"
#include "ui/usage/usage_rows.h"

#include <QCoreApplication>
#include <QSaveFile>

#include <array>
#include <map>

namespace omni {

namespace {

constexpr std::array<const char*, 15> kHead = {"date",
                                               "provider",
                                               "provider_id",
                                               "connection",
                                               "connection_id",
                                               "model",
                                               "client_key",
                                               "client_key_id",
                                               "requests",
                                               "errors",
                                               "input_tokens",
                                               "cached_input_tokens",
                                               "output_tokens",
                                               "answers_without_token_counts",
                                               "estimated_cost_usd"};

struct Words {
    Q_DECLARE_TR_FUNCTIONS(omni::UsageExport)
};

std::string decimal(double dollars)
{
    return QString::number(dollars, 'f', 6).toStdString();
}

std::string lineFor(const UsageCell& cell, const Configuration& configuration, const ModelPrice* price)
{
    const Connection* connection = configuration.connection(cell.connection);
    CsvLine line;
    line.number(dateOfDay(cell.day).toString(Qt::ISODate).toStdString());
    line.text(cell.provider.empty() ? std::string() : toUtf8(providerText(&configuration, cell.provider))).text(cell.provider.str());
    line.text(connection ? connection->name : cell.connectionName).text(cell.connection.str()).text(cell.model);
    line.text(cell.apiKeyName).text(cell.apiKey.str());
    for (const std::int64_t count : {cell.counts.requests, cell.counts.failed, cell.counts.tokensIn, cell.counts.tokensCached,
                                     cell.counts.tokensOut, cell.counts.uncounted})
        line.number(std::to_string(count));
    // Without a price the cost is not known, which is not the same as none.
    if (price)
        line.number(decimal(costOf(cell.counts, price).dollars));
    else
        line.empty();
    return line.take();
}

Error cannotWrite(const QString& path, const QString& why)
{
    return {ErrorKind::Storage, toUtf8(Words::tr("%1 cannot be written: %2. Choose another place.").arg(path, why)), {}};
}

}  // namespace

Result<std::int64_t> exportUsage(UsageHistory& history, const UsageRange& range, const Configuration& configuration, const QString& path)
{
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return cannotWrite(path, file.errorString());
    std::map<PricedModel, const ModelPrice*> prices;
    for (const ModelPrice& price : configuration.prices)
        prices.emplace(PricedModel{price.provider, price.model}, &price);
    CsvLine head;
    for (const char* name : kHead)
        head.text(name);
    file.write(QByteArray::fromStdString(head.take()));
    std::int64_t lines = 0;
    const Status read = history.each(range, {true, true, true}, [&](const UsageCell& cell) {
        const auto price = prices.find({cell.provider, cell.model});
        file.write(QByteArray::fromStdString(lineFor(cell, configuration, price == prices.end() ? nullptr : price->second)));
        ++lines;
        return file.error() == QFileDevice::NoError;
    });
    if (!read)
        return read.error();
    if (!file.commit())
        return cannotWrite(path, file.errorString());
    return lines;
}

}  // namespace omni
