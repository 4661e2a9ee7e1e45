#include "ui/combos/model_choice.h"

#include "routing/target_check.h"
#include "ui/combos/asked_names.h"
#include "ui/models/display_text.h"

#include <algorithm>

namespace omni {

ModelChoice::ModelChoice(QObject* parent) : QAbstractTableModel(parent) {}

void ModelChoice::setConfiguration(const Configuration& configuration)
{
    beginResetModel();
    gather(configuration);
    filter();
    endResetModel();
}

void ModelChoice::gather(const Configuration& configuration)
{
    m_sources.clear();
    m_entries.clear();
    m_typed.clear();
    const TargetCheck check(configuration);
    std::vector<const omni::Provider*> providers;
    for (const ProviderNode& node : configuration.nodes) {
        if (const auto* provider = configuration.provider(node.id))
            providers.push_back(provider);
    }
    if (configuration.catalogue) {
        for (const omni::Provider& provider : configuration.catalogue->all())
            providers.push_back(&provider);
    }
    const auto connected = [&check](const omni::Provider* provider) { return !check.connectionsOf(provider->id).empty(); };
    std::stable_sort(providers.begin(), providers.end(), [&](const omni::Provider* a, const omni::Provider* b) {
        if (connected(a) != connected(b))
            return connected(a);
        return toQString(a->name).compare(toQString(b->name), Qt::CaseInsensitive) < 0;
    });
    for (const omni::Provider* provider : providers) {
        const std::vector<const Connection*>& connections = check.connectionsOf(provider->id);
        Source source;
        source.id = provider->id;
        source.name = toQString(provider->name.empty() ? provider->id.str() : provider->name);
        source.prefixes = {toQString(provider->id.str()).toLower(), toQString(provider->alias).toLower()};
        source.connected = !connections.empty();
        for (const Connection* connection : connections)
            source.takesAny |= connection->passthroughModels.value_or(provider->passthroughModels) ||
                               (connection->models.empty() && provider->models.empty());
        const QStringList sorted = modelsOfProvider(*provider, connections);
        const QString beside = QLatin1Char(' ') + source.name + QLatin1Char(' ') + source.prefixes.join(QLatin1Char(' '));
        for (const QString& model : sorted) {
            const QString full = source.prefixes.first() + QLatin1Char('/') + model;
            m_entries.push_back({static_cast<int>(m_sources.size()), model, (full + beside).toLower(), false});
        }
        m_sources.push_back(std::move(source));
    }
}

void ModelChoice::setText(const QString& text)
{
    if (text.simplified() == m_text)
        return;
    beginResetModel();
    m_text = text.simplified();
    filter();
    endResetModel();
}

void ModelChoice::filter()
{
    m_shown.clear();
    const QStringList words = m_text.toLower().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (const Entry& entry : m_entries) {
        if (std::all_of(words.begin(), words.end(), [&entry](const QString& word) { return entry.words.contains(word); }))
            m_shown.push_back(&entry);
    }
    addTyped();
}

void ModelChoice::addTyped()
{
    m_typed.clear();
    if (m_text.isEmpty() || m_text.contains(QLatin1Char(' ')))
        return;
    const qsizetype slash = m_text.indexOf(QLatin1Char('/'));
    const QString prefix = slash > 0 ? m_text.left(slash).toLower() : QString();
    const QString rest = slash > 0 ? m_text.mid(slash + 1) : QString();
    const auto listed = [this](int source, const QString& model) {
        return std::any_of(m_shown.begin(), m_shown.end(),
                           [&](const Entry* entry) { return entry->source == source && entry->model == model; });
    };
    for (int i = 0; i < static_cast<int>(m_sources.size()); ++i) {
        const Source& source = m_sources[static_cast<std::size_t>(i)];
        const bool named = !prefix.isEmpty() && source.prefixes.contains(prefix);
        const QString model = named ? rest : m_text;
        if (!model.isEmpty() && (named || (source.connected && source.takesAny)) && !listed(i, model))
            m_typed.push_back({i, model, {}, true});
    }
    for (const Entry& entry : m_typed)
        m_shown.push_back(&entry);
}

std::optional<ModelChoice::Choice> ModelChoice::choiceAt(int row) const
{
    if (row < 0 || row >= rowCount())
        return std::nullopt;
    const Entry& entry = *m_shown[static_cast<std::size_t>(row)];
    return Choice{m_sources[static_cast<std::size_t>(entry.source)].id, toUtf8(entry.model)};
}

int ModelChoice::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

int ModelChoice::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant ModelChoice::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Entry& entry = *m_shown[static_cast<std::size_t>(index.row())];
    const Source& source = m_sources[static_cast<std::size_t>(entry.source)];
    if (role == Qt::DisplayRole && index.column() == Model)
        return entry.typed ? tr("“%1”, as written").arg(entry.model) : entry.model;
    if (role == Qt::DisplayRole)
        return source.connected ? source.name : tr("%1 (no connection)", "provider").arg(source.name);
    if (role == Qt::ToolTipRole)
        return source.name + QStringLiteral(" · ") + entry.model;
    return {};
}

QVariant ModelChoice::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return section == Model ? tr("Model") : tr("Provider");
}

}  // namespace omni
