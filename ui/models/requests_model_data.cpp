#include "ui/models/display_text.h"
#include "ui/models/request_text.h"
#include "ui/models/requests_model.h"
#include "ui/models/state_delegate.h"

namespace omni {

namespace {

bool contains(const std::string& text, const QString& part)
{
    return toQString(text).contains(part, Qt::CaseInsensitive);
}

bool rightAligned(int column)
{
    switch (column) {
    case RequestsModel::Status:
    case RequestsModel::Duration:
    case RequestsModel::FirstToken:
    case RequestsModel::Attempts: return true;
    default: return false;
    }
}

/// The key's name where there is one, else the program: what its User-Agent begins with.
QString clientText(const RequestRecord& record)
{
    return record.apiKeyName.empty() ? toQString(record.client).section(QLatin1Char(' '), 0, 0) : toQString(record.apiKeyName);
}

QString display(const RequestRecord& record, int column, const Configuration* configuration)
{
    switch (column) {
    case RequestsModel::Time: return timeText(record.startedAt);
    case RequestsModel::State: return lookOf(record.outcome, Colours()).word;
    case RequestsModel::Status: return record.status > 0 ? QString::number(record.status) : QStringLiteral("–");
    case RequestsModel::Model: return modelText(record);
    case RequestsModel::Target: return targetText(configuration, record.provider, record.connectionName);
    case RequestsModel::Client: return clientText(record);
    case RequestsModel::Duration: return durationText(record.durationUs);
    case RequestsModel::FirstToken: return record.firstFrameUs < 0 ? QStringLiteral("–") : durationText(record.firstFrameUs);
    case RequestsModel::Tokens: return tokensText(record);
    case RequestsModel::Attempts: {
        const int count = attemptCountOf(record);
        return count < 0 ? QStringLiteral("–") : numberText(count);
    }
    case RequestsModel::Failure: return coreText(record.error);
    default: return {};
    }
}

QString toolTip(const RequestRecord& record, int column, const Configuration* configuration)
{
    switch (column) {
    case RequestsModel::Time: return exactTimeText(record.startedAt);
    case RequestsModel::Model: return toQString(record.method + " " + record.path);
    case RequestsModel::Client:
        return record.apiKeyName.empty() ? toQString(record.client) : toQString(record.apiKeyName + "\n" + record.client);
    case RequestsModel::Failure:
    case RequestsModel::Target: return display(record, column, configuration);
    default: return {};
    }
}

}  // namespace

bool matches(const RequestFilter& filter, const RequestRecord& record)
{
    if (filter.outcome && record.outcome != *filter.outcome)
        return false;
    // A client that left is nobody's failure.
    if (filter.failuresOnly && (record.outcome == Outcome::Answered || record.outcome == Outcome::ClientGone))
        return false;
    if (!filter.provider.empty() && record.provider != filter.provider)
        return false;
    if (!filter.connection.empty() && record.connection != filter.connection)
        return false;
    if (!filter.model.empty() && record.model != filter.model && record.requestedModel != filter.model)
        return false;
    if (!filter.client.empty() && record.client != filter.client)
        return false;
    if ((filter.from && record.startedAt < *filter.from) || (filter.to && record.startedAt > *filter.to))
        return false;
    if (filter.text.empty())
        return true;
    const QString text = toQString(filter.text);
    return contains(record.model, text) || contains(record.requestedModel, text) || contains(record.path, text)
        || contains(record.connectionName, text) || contains(record.error, text) || contains(record.id.str(), text);
}

QVariant RequestsModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    if (role == Qt::TextAlignmentRole)
        return rightAligned(index.column()) ? QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter)) : QVariant();
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole && role != StateDelegate::StateRole)
        return {};
    const RequestRecord* record = recordAt(index.row());
    if (!record)
        return role == Qt::DisplayRole && index.column() == Time ? QVariant(QStringLiteral("…")) : QVariant();
    if (role == StateDelegate::StateRole)
        return index.column() == State ? QVariant::fromValue(StateKey{record->outcome}) : QVariant();
    if (role == Qt::ToolTipRole)
        return toolTip(*record, index.column(), m_configuration.get());
    return display(*record, index.column(), m_configuration.get());
}

QVariant RequestsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole && rightAligned(section))
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Time: return tr("Time");
    case State: return tr("Outcome");
    case Status: return tr("Status");
    case Model: return tr("Model");
    case Target: return tr("Target");
    case Client: return tr("Client");
    case Duration: return tr("Duration");
    case FirstToken: return tr("First token");
    case Tokens: return tr("Tokens");
    case Attempts: return tr("Tries");
    case Failure: return tr("Error");
    default: return {};
    }
}

}  // namespace omni
