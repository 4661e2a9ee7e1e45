#include "ui/connections/provider_chooser.h"

#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/search_field.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QSortFilterProxyModel>
#include <QStandardItemModel>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <map>

namespace omni {

const ProviderId ProviderChooser::kNewOpenAi{"openai-compatible-"};
const ProviderId ProviderChooser::kNewAnthropic{"anthropic-compatible-"};

namespace {

constexpr int kIdRole = Qt::UserRole + 1;
/// What typing finds: name, id, alias and website.
constexpr int kWordsRole = Qt::UserRole + 2;
constexpr int kAlwaysRole = Qt::UserRole + 3;

/// Keeps the compatible endpoints in sight: whoever finds no provider needs them.
class ChooserFilter final : public QSortFilterProxyModel {
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override
    {
        const QModelIndex index = sourceModel()->index(row, 0, parent);
        if (index.data(kAlwaysRole).toBool())
            return true;
        return !index.data(kIdRole).toString().isEmpty()
            && index.data(kWordsRole).toString().contains(filterRegularExpression());
    }
};

ProviderId idOf(const QModelIndex& index)
{
    return ProviderId(toUtf8(index.data(kIdRole).toString()));
}

}  // namespace

ProviderChooser::ProviderChooser(const Configuration& configuration, QWidget* parent)
    : QWidget(parent), m_model(new QStandardItemModel(this)), m_proxy(new ChooserFilter(this)), m_search(new SearchField(this)),
      m_view(new QTreeView(this))
{
    std::map<ProviderId, int> used;
    for (const Connection& connection : configuration.connections)
        ++used[connection.provider];
    const auto addAll = [&](QStandardItem* group, ProviderCategory category) {
        std::vector<const Provider*> members;
        for (const Provider& provider : configuration.catalogue->all()) {
            if (provider.category == category)
                members.push_back(&provider);
        }
        std::sort(members.begin(), members.end(), [](const Provider* a, const Provider* b) {
            return toQString(a->name).compare(toQString(b->name), Qt::CaseInsensitive) < 0;
        });
        for (const Provider* provider : members)
            addProvider(group, *provider, used[provider->id]);
    };
    addAll(addGroup(tr("Hosted")), ProviderCategory::Hosted);
    addAll(addGroup(tr("On this machine or network")), ProviderCategory::Local);
    QStandardItem* compatible = addGroup(tr("Your own endpoints"));
    for (const ProviderNode& node : configuration.nodes) {
        if (const Provider* provider = configuration.provider(node.id))
            addProvider(compatible, *provider, used[node.id]);
    }
    const auto addNew = [&](const QString& text, const ProviderId& id) {
        auto* item = new QStandardItem(text);
        item->setData(toQString(id.str()), kIdRole);
        item->setData(true, kAlwaysRole);
        item->setEditable(false);
        compatible->appendRow(item);
    };
    addNew(tr("OpenAI-compatible endpoint…"), kNewOpenAi);
    addNew(tr("Anthropic-compatible endpoint…"), kNewAnthropic);
    addAll(addGroup(tr("For trying out")), ProviderCategory::Sandbox);

    m_proxy->setSourceModel(m_model);
    m_proxy->setRecursiveFilteringEnabled(true);
    m_proxy->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_view->setModel(m_proxy);
    m_view->setObjectName(QStringLiteral("providerList"));
    m_view->setAccessibleName(tr("Providers"));
    m_view->header()->hide();
    m_view->setRootIsDecorated(false);
    m_view->setItemsExpandable(false);
    m_view->setIndentation(8);
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setStyleSheet(
        QStringLiteral("QTreeView { border: 1px solid palette(mid); border-radius: 6px; } QTreeView::item { padding: 4px 2px; }"));
    m_view->expandAll();
    m_search->setObjectName(QStringLiteral("providerSearch"));
    m_search->setPlaceholderText(tr("Find a provider"));
    m_search->setAccessibleName(tr("Find a provider"));
    m_search->installEventFilter(this);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(8);
    layout->addWidget(m_search);
    layout->addWidget(m_view, 1);
    connect(m_search, &QLineEdit::textChanged, this, &ProviderChooser::filter);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& current) {
        const ProviderId id = idOf(current);
        if (!id.empty())
            Q_EMIT providerChosen(id);
    });
}

QStandardItem* ProviderChooser::addGroup(const QString& title)
{
    auto* group = new QStandardItem(title);
    group->setFlags(Qt::ItemIsEnabled);
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    group->setFont(bold);
    group->setForeground(coloursFor(palette()).mutedText);
    m_model->appendRow(group);
    return group;
}

void ProviderChooser::addProvider(QStandardItem* group, const Provider& provider, int connections)
{
    const QString name = toQString(provider.name.empty() ? provider.id.str() : provider.name);
    auto* item =
        new QStandardItem(connections > 0 ? tr("%1  (%2)", "provider (number of connections)").arg(name, numberText(connections)) : name);
    item->setData(toQString(provider.id.str()), kIdRole);
    item->setData(
        QStringList{name, toQString(provider.id.str()), toQString(provider.alias), toQString(provider.website)}.join(QLatin1Char(' ')),
        kWordsRole);
    item->setToolTip(toQString(provider.baseUrl));
    group->appendRow(item);
}

ProviderId ProviderChooser::chosen() const
{
    return idOf(m_view->currentIndex());
}

void ProviderChooser::choose(const ProviderId& id)
{
    const QModelIndexList found =
        m_model->match(m_model->index(0, 0), kIdRole, toQString(id.str()), 1, Qt::MatchExactly | Qt::MatchRecursive);
    if (!found.isEmpty())
        m_view->setCurrentIndex(m_proxy->mapFromSource(found.first()));
}

void ProviderChooser::filter(const QString& text)
{
    m_proxy->setFilterFixedString(text.trimmed());
    m_view->expandAll();
    if (const QModelIndex current = m_view->currentIndex(); current.isValid())
        m_view->scrollTo(current);
}

void ProviderChooser::selectFirst()
{
    for (int group = 0; group < m_proxy->rowCount(); ++group) {
        const QModelIndex parent = m_proxy->index(group, 0);
        if (m_proxy->rowCount(parent) == 0)
            continue;
        m_view->setCurrentIndex(m_proxy->index(0, 0, parent));
        return;
    }
}

bool ProviderChooser::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_search && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Down) {
            if (chosen().empty())
                selectFirst();
            m_view->setFocus(Qt::TabFocusReason);
            return true;
        }
        if (key == Qt::Key_Return || key == Qt::Key_Enter) {
            selectFirst();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace omni
