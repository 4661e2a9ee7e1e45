#include "ui/cooldowns/cooldowns_page_p.h"

#include "ui/cooldowns/evidence_panel.h"
#include "ui/core_link.h"
#include "ui/models/data_table.h"
#include "ui/models/display_text.h"

#include <QMenu>
#include <QMessageBox>
#include <QPushButton>

#include <algorithm>

namespace omni {

void CooldownsPage::Private::clear(const std::vector<HeldRow>& rows)
{
    HeldSelection selection;
    for (const HeldRow& row : rows)
        selection.add(row);
    if (selection.empty())
        return;
    link.ask<Engine::Cleared>(
        &page, [selection](Control& control, const Reply<Engine::Cleared>& reply) { reply(clearHeld(control, selection)); },
        [this](const Result<Engine::Cleared>& cleared) { tellCleared(cleared); });
}

void CooldownsPage::Private::clearShown()
{
    const HeldRow* row = chosen();
    if (!row)
        return;
    panel->setBusy(true);
    clear({*row});
}

void CooldownsPage::Private::askClearAll(const ProviderId& only)
{
    if (page.findChild<QMessageBox*>(QStringLiteral("clearAllQuestion")))
        return;
    int rests = 0;
    int models = 0;
    QString name;
    for (const HeldGroup& group : model->groups()) {
        if (!only.empty() && group.head.provider != only)
            continue;
        name = group.head.providerName;
        models += group.head.lockCount;
        rests += group.head.until ? 1 : 0;
    }
    auto* question = new QMessageBox(&page);
    question->setObjectName(QStringLiteral("clearAllQuestion"));
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setIcon(QMessageBox::Question);
    const QString title = only.empty() ? tr("Clear all?") : tr("Clear all of %1?").arg(name);
    question->setWindowTitle(title);
    question->setText(title);
    question->setInformativeText(tr("Requests go to them again at once, although what made them rest may not be over. Rests that end: %1. "
                                    "Model lockouts that end: %2. Terminal states stay.")
                                     .arg(numberText(rests), numberText(models)));
    QPushButton* yes = question->addButton(tr("Clear all"), QMessageBox::AcceptRole);
    QPushButton* no = question->addButton(tr("Cancel"), QMessageBox::RejectRole);
    yes->setObjectName(QStringLiteral("clearAllNow"));
    no->setObjectName(QStringLiteral("cancel"));
    question->setDefaultButton(yes);
    question->setEscapeButton(no);
    QObject::connect(yes, &QPushButton::clicked, &page, [this, only] { clearEverything(only); });
    question->open();
}

void CooldownsPage::Private::clearEverything(const ProviderId& only)
{
    link.ask<Engine::Cleared>(
        &page, [only](Control& control, const Reply<Engine::Cleared>& reply) { reply(clearAllHeld(control, only)); },
        [this](const Result<Engine::Cleared>& cleared) { tellCleared(cleared); });
}

void CooldownsPage::Private::tellCleared(const Result<Engine::Cleared>& cleared)
{
    panel->setBusy(false);
    Q_EMIT page.messageRaised(cleared ? clearedText(*cleared) : errorText(cleared.error()));
}

void CooldownsPage::Private::openConnection(const ConnectionId& id, bool edit)
{
    Q_EMIT page.openRequested(QStringLiteral("connections"), (edit ? QStringLiteral("edit:") : QString()) + toQString(id.str()));
}

bool CooldownsPage::Private::fold(bool folded)
{
    const HeldRow* row = rowAt(table->currentIndex());
    if (!row)
        return false;
    // From a model's line the way leads to its connection first.
    if (folded && row->kind == HeldRow::Kind::Model) {
        const int above = model->rowOf("c/" + row->connection.str());
        if (above >= 0)
            table->selectRow(above);
        return above >= 0;
    }
    if (row->lockCount == 0 || row->folded == folded)
        return false;
    model->setFolded(row->key, folded);
    return true;
}

void CooldownsPage::Private::showMenu(const QPoint& position)
{
    const HeldRow* clicked = chosen();
    if (!clicked)
        return;
    const HeldRow row = *clicked;
    const std::vector<HeldRow> rows = selected();
    const bool passing = std::any_of(rows.begin(), rows.end(), [](const HeldRow& one) { return one.passing(); });
    QMenu menu(&page);
    menu.setObjectName(QStringLiteral("cooldownMenu"));
    menu.addAction(tr("Why?"), QKeySequence(Qt::Key_Return), &page, [this] { panel->focusAction(); });
    QAction* clearing = menu.addAction(rows.size() == 1 ? tr("Clear now") : tr("Clear the selected now"), QKeySequence::Delete, &page,
                                       [this, rows] { clear(rows); });
    clearing->setObjectName(QStringLiteral("menuClear"));
    clearing->setEnabled(passing);
    menu.addAction(tr("Clear all of %1…").arg(row.providerName), &page, [this, row] { askClearAll(row.provider); });
    menu.addSeparator();
    menu.addAction(tr("Unfold all models"), &page, [this] { model->foldAll(false); });
    menu.addAction(tr("Fold all models"), &page, [this] { model->foldAll(true); });
    menu.addSeparator();
    menu.addAction(tr("Open the connection"), &page, [this, row] { openConnection(row.connection, false); })
        ->setEnabled(!row.connection.empty());
    menu.addAction(tr("Show its requests"), &page,
                   [this, row] {
                       Q_EMIT page.openRequested(QStringLiteral("requests"),
                                                 QStringLiteral("connection:") + toQString(row.connection.str()));
                   })
        ->setEnabled(!row.connection.empty());
    menu.addAction(tr("Copy as text"), QKeySequence::Copy, table, &DataTable::copySelection);
    menu.exec(table->viewport()->mapToGlobal(position));
}

}  // namespace omni
