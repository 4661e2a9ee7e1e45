#include "ui/combos/combos_page_p.h"

#include "ui/combos/combo_actions.h"
#include "ui/combos/dry_run_panel.h"
#include "ui/combos/route_outlooks.h"
#include "ui/core_link.h"
#include "ui/models/data_table.h"
#include "ui/models/display_text.h"
#include "ui/models/page_head.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/search_field.h"

#include <QApplication>
#include <QClipboard>
#include <QMenu>
#include <QPushButton>
#include <QStackedLayout>
#include <QTabBar>

#include <algorithm>
#include <utility>

namespace omni {

namespace {

constexpr QLatin1String kTryPrefix("try:");

const Combo* comboNamed(const Configuration& configuration, const std::string& name)
{
    const auto found =
        std::find_if(configuration.combos.begin(), configuration.combos.end(), [&](const Combo& one) { return one.name == name; });
    return found == configuration.combos.end() ? nullptr : &*found;
}

const ModelAlias* aliasNamed(const Configuration& configuration, const std::string& name)
{
    const auto found =
        std::find_if(configuration.aliases.begin(), configuration.aliases.end(), [&](const ModelAlias& one) { return one.name == name; });
    return found == configuration.aliases.end() ? nullptr : &*found;
}

}  // namespace

CombosPage::CombosPage(CoreLink& link, QWidget* parent) : Page(parent), d(std::make_unique<Private>(*this, link))
{
    setObjectName(QStringLiteral("combos"));
    d->build();
    // Hidden, the page only notes that something changed.
    connect(&link, &CoreLink::configurationChanged, this, [this] {
        d->stale = true;
        if (isVisible())
            d->takeConfiguration();
    });
    d->takeConfiguration();
}

CombosPage::~CombosPage() = default;

CombosPage::Private::List& CombosPage::Private::shown()
{
    return showsCombos() ? combos : aliases;
}

bool CombosPage::Private::showsCombos() const
{
    return tabs->currentIndex() == 0;
}

void CombosPage::Private::takeConfiguration()
{
    if (!link.ready())
        return;
    stale = false;
    const Configuration& configuration = *link.configuration();
    combos.model->setConfiguration(link.configuration());
    aliases.model->setConfiguration(link.configuration());
    std::vector<std::string> names;
    for (const Combo& combo : configuration.combos)
        names.push_back(combo.name);
    for (const ModelAlias& alias : configuration.aliases)
        names.push_back(alias.name);
    outlooks->setNames(std::move(names));
    dryRun->refreshNames();
    refreshTexts();
    refreshStack(combos);
    refreshStack(aliases);
    refreshButtons();
    if (!wanted.empty() && select(wanted))
        wanted.clear();
}

void CombosPage::Private::refreshTexts()
{
    const int comboCount = combos.model->rowCount();
    const int aliasCount = aliases.model->rowCount();
    tabs->setTabText(0, tr("Combos (%1)").arg(numberText(comboCount)));
    tabs->setTabText(1, tr("Aliases (%1)").arg(numberText(aliasCount)));
    const int problems = combos.model->problemCount();
    if (problems > 0)
        head->setSubtitle(problems == 1 ? tr("One combo has a target that leads nowhere.")
                                        : tr("%1 combos have targets that lead nowhere.").arg(numberText(problems)));
    else
        head->setSubtitle(tr("Names that clients ask for in place of a model."));
    add->setText(showsCombos() ? tr("Add combo…") : tr("Add alias…"));
}

void CombosPage::Private::refreshStack(List& list)
{
    QWidget* wantedWidget = list.table;
    if (list.model->rowCount() == 0)
        wantedWidget = list.empty;
    else if (list.filter->rowCount() == 0)
        wantedWidget = list.noMatch;
    list.stack->setCurrentWidget(wantedWidget);
}

std::vector<std::string> CombosPage::Private::selected()
{
    std::vector<std::string> names;
    for (const QModelIndex& index : shown().table->selectedRowsInOrder())
        names.push_back(shown().model->nameAt(shown().filter->mapToSource(index).row()));
    return names;
}

void CombosPage::Private::refreshButtons()
{
    const std::size_t count = selected().size();
    edit->setEnabled(count == 1);
    duplicate->setEnabled(count == 1);
    duplicate->setVisible(showsCombos());
    remove->setEnabled(count > 0);
}

void CombosPage::Private::tryCurrent()
{
    const std::vector<std::string> names = selected();
    if (names.size() == 1)
        dryRun->ask(toQString(names.front()));
}

bool CombosPage::Private::select(const std::string& name)
{
    for (List* list : {&combos, &aliases}) {
        for (int row = 0; row < list->model->rowCount(); ++row) {
            if (list->model->nameAt(row) != name)
                continue;
            tabs->setCurrentIndex(list == &combos ? 0 : 1);
            QModelIndex index = list->filter->mapFromSource(list->model->index(row, 0));
            if (!index.isValid()) {
                search->clear();
                index = list->filter->mapFromSource(list->model->index(row, 0));
            }
            list->table->setCurrentIndex(index);
            list->table->scrollTo(index);
            return true;
        }
    }
    return false;
}

void CombosPage::Private::savedCombo(const Combo& combo, bool fresh)
{
    // Its row comes with the core's announcement, which may still be on its way.
    wanted = combo.name;
    if (select(wanted))
        wanted.clear();
    Q_EMIT page.messageRaised(fresh ? tr("The combo “%1” was added.").arg(toQString(combo.name))
                                    : tr("The combo “%1” was saved.").arg(toQString(combo.name)));
}

void CombosPage::Private::openCombo(std::optional<Combo> combo)
{
    if (!link.ready())
        return;
    if (dialog) {
        dialog->raise();
        dialog->activateWindow();
        return;
    }
    const bool fresh = !combo || combo->id.empty();
    auto* made = new ComboDialog(link, std::move(combo), &page);
    made->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(made, &ComboDialog::saved, &page, [this, fresh](const Combo& saved) { savedCombo(saved, fresh); });
    // It goes a turn of the loop later; by then the next one may be wanted.
    QObject::connect(made, &QDialog::finished, &page, [this] { dialog.clear(); });
    dialog = made;
    made->open();
}

void CombosPage::Private::openAlias(std::optional<ModelAlias> alias)
{
    if (!link.ready())
        return;
    if (dialog) {
        dialog->raise();
        dialog->activateWindow();
        return;
    }
    const bool fresh = !alias;
    auto* made = new AliasDialog(link, std::move(alias), &page);
    made->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(made, &AliasDialog::saved, &page, [this, fresh](const ModelAlias& saved) {
        wanted = saved.name;
        if (select(wanted))
            wanted.clear();
        Q_EMIT page.messageRaised(fresh ? tr("The alias “%1” was added.").arg(toQString(saved.name))
                                        : tr("The alias “%1” was saved.").arg(toQString(saved.name)));
    });
    // It goes a turn of the loop later; by then the next one may be wanted.
    QObject::connect(made, &QDialog::finished, &page, [this] { dialog.clear(); });
    dialog = made;
    made->open();
}

void CombosPage::Private::addNew()
{
    if (showsCombos())
        openCombo(std::nullopt);
    else
        openAlias(std::nullopt);
}

void CombosPage::Private::editCurrent()
{
    const std::vector<std::string> names = selected();
    if (names.size() != 1)
        return;
    const Configuration& configuration = *link.configuration();
    if (showsCombos()) {
        if (const Combo* combo = comboNamed(configuration, names.front()))
            openCombo(*combo);
    } else if (const ModelAlias* alias = aliasNamed(configuration, names.front())) {
        openAlias(*alias);
    }
}

void CombosPage::Private::duplicateCurrent()
{
    const std::vector<std::string> names = selected();
    const Combo* combo = showsCombos() && names.size() == 1 ? comboNamed(*link.configuration(), names.front()) : nullptr;
    if (!combo)
        return;
    // Open in the editor rather than saved: a copy is there to be changed.
    Combo copy;
    copy.name = freeComboName(*link.configuration(), combo->name);
    copy.strategy = combo->strategy;
    copy.targets = combo->targets;
    openCombo(copy);
}

void CombosPage::Private::removeSelected()
{
    if (!showsCombos()) {
        actions->removeAliases(selected());
        return;
    }
    std::vector<ComboId> ids;
    for (const std::string& name : selected()) {
        if (const Combo* combo = comboNamed(*link.configuration(), name))
            ids.push_back(combo->id);
    }
    actions->removeCombos(ids);
}

void CombosPage::Private::showMenu(const QPoint& position)
{
    const std::vector<std::string> names = selected();
    DataTable* table = shown().table;
    QMenu menu(&page);
    menu.setObjectName(QStringLiteral("comboMenu"));
    if (names.empty()) {
        menu.addAction(add->text(), QKeySequence::New, &page, [this] { addNew(); });
        menu.exec(table->viewport()->mapToGlobal(position));
        return;
    }
    menu.addAction(tr("Edit…"), QKeySequence(Qt::Key_Return), &page, [this] { editCurrent(); })->setEnabled(names.size() == 1);
    if (showsCombos())
        menu.addAction(tr("Duplicate…"), &page, [this] { duplicateCurrent(); })->setEnabled(names.size() == 1);
    menu.addAction(
            tr("Show its requests"), &page,
            [this, names] { Q_EMIT page.openRequested(QStringLiteral("requests"), QStringLiteral("text:") + toQString(names.front())); })
        ->setEnabled(names.size() == 1);
    menu.addSeparator();
    menu.addAction(tr("Copy the name"), &page,
                   [this, names] {
                       QApplication::clipboard()->setText(toQString(names.front()));
                       Q_EMIT page.messageRaised(tr("“%1” was copied.").arg(toQString(names.front())));
                   })
        ->setEnabled(names.size() == 1);
    menu.addAction(tr("Copy as text"), QKeySequence::Copy, table, &DataTable::copySelection);
    menu.addSeparator();
    menu.addAction(tr("Delete"), QKeySequence::Delete, &page, [this] { removeSelected(); });
    menu.exec(table->viewport()->mapToGlobal(position));
}

QWidget* CombosPage::filterField() const
{
    return d->search;
}

void CombosPage::refresh()
{
    d->takeConfiguration();
}

void CombosPage::createNew()
{
    d->addNew();
}

void CombosPage::showObject(const QString& objectId)
{
    if (objectId == QLatin1String("new")) {
        d->openCombo(std::nullopt);
    } else if (objectId == QLatin1String("alias:new")) {
        d->tabs->setCurrentIndex(1);
        d->openAlias(std::nullopt);
    } else if (objectId.startsWith(kTryPrefix)) {
        d->dryRun->ask(objectId.mid(kTryPrefix.size()));
    } else if (!objectId.isEmpty()) {
        d->wanted = toUtf8(objectId);
        if (d->select(d->wanted))
            d->wanted.clear();
    }
}

void CombosPage::showEvent(QShowEvent* event)
{
    Page::showEvent(event);
    if (d->stale)
        d->takeConfiguration();
    d->outlooks->setWatched(true);
}

void CombosPage::hideEvent(QHideEvent* event)
{
    Page::hideEvent(event);
    d->outlooks->setWatched(false);
}

}  // namespace omni
