#include "ui/api_keys/api_keys_page_p.h"

#include "ui/api_keys/api_keys_model.h"
#include "ui/core_link.h"
#include "ui/models/data_table.h"
#include "ui/models/display_text.h"
#include "ui/models/page_head.h"
#include "ui/widgets/quiet_label.h"
#include "ui/widgets/search_field.h"

#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QStackedLayout>
#include <QTimer>

#include <algorithm>
#include <iterator>
#include <utility>

namespace omni {

namespace {

constexpr int kMinuteMs = 60'000;

/// “laptop”, or how many.
QString namesOf(const std::vector<ApiKey>& keys)
{
    return keys.size() == 1 ? QStringLiteral("“%1”").arg(toQString(keys.front().name)) : numberText(static_cast<std::int64_t>(keys.size()));
}

QPushButton* ask(QWidget* parent, const QString& name, const QString& text, const QString& consequence, const QString& action,
                 const QString& cancelText)
{
    auto* question = new QMessageBox(parent);
    question->setObjectName(name);
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setIcon(QMessageBox::Warning);
    question->setWindowTitle(text);
    question->setText(text);
    question->setInformativeText(consequence);
    QPushButton* act = question->addButton(action, QMessageBox::DestructiveRole);
    QPushButton* cancel = question->addButton(cancelText, QMessageBox::RejectRole);
    act->setObjectName(name + QStringLiteral("Now"));
    question->setDefaultButton(cancel);
    question->setEscapeButton(cancel);
    question->open();
    return act;
}

}  // namespace

ApiKeysPage::ApiKeysPage(CoreLink& link, QWidget* parent) : Page(parent), d(std::make_unique<Private>(*this, link))
{
    setObjectName(QStringLiteral("api-keys"));
    d->build();
    d->minute = new QTimer(this);
    d->minute->setObjectName(QStringLiteral("keyMinute"));
    d->minute->setInterval(kMinuteMs);
    connect(d->minute, &QTimer::timeout, this, [this] { d->takeConfiguration(); });
    connect(&link, &CoreLink::configurationChanged, this, [this] {
        if (isVisible())
            d->takeConfiguration();
    });
    d->takeConfiguration();
}

ApiKeysPage::~ApiKeysPage() = default;

void ApiKeysPage::Private::takeConfiguration()
{
    if (!link.ready())
        return;
    model->setConfiguration(link.configuration(), wallNow());
    const bool none = model->rowCount() == 0;
    stack->setCurrentWidget(none ? emptySide : tableSide);
    tables->setCurrentIndex(filter->rowCount() == 0 && !none ? 1 : 0);
    search->setVisible(!none);
    create->setVisible(!none);
    head->setSubtitle(none ? tr("What clients send to this proxy.") : model->summary());
    showNote();
    refreshButtons();
    if (!wanted.empty() && model->rowOf(wanted) >= 0)
        select(std::exchange(wanted, {}));
}

void ApiKeysPage::Private::showNote()
{
    const Configuration& configuration = *link.configuration();
    const bool usable = std::any_of(configuration.apiKeys.begin(), configuration.apiKeys.end(),
                                    [](const ApiKey& key) { return keyState(key, wallNow()) == KeyState::Active; });
    if (!configuration.settings.proxy.requireApiKey)
        note->setText(tr("Clients on this computer need no key now; one that sends a key is held to what the key may use."));
    else if (!usable)
        note->setText(tr("Clients need a key, and none can be used: every request is refused until you create one."));
    else
        note->setText(tr("Clients need one of these keys and send it as they would send a provider's."));
}

std::vector<ApiKey> ApiKeysPage::Private::selected() const
{
    std::vector<ApiKey> keys;
    for (const QModelIndex& index : table->selectedRowsInOrder()) {
        if (const ApiKey* key = model->keyAt(filter->mapToSource(index).row()))
            keys.push_back(*key);
    }
    return keys;
}

void ApiKeysPage::Private::refreshButtons()
{
    const std::vector<ApiKey> keys = selected();
    const bool anyLeft = std::any_of(keys.begin(), keys.end(), [](const ApiKey& key) { return !key.revokedAt; });
    edit->setEnabled(keys.size() == 1 && anyLeft);
    toggle->setEnabled(anyLeft);
    toggle->setText(keys.empty() || keys.front().active ? tr("Disable") : tr("Enable"));
    revoke->setEnabled(anyLeft);
    remove->setEnabled(!keys.empty());
}

void ApiKeysPage::Private::select(const ApiKeyId& id)
{
    const int row = model->rowOf(id);
    if (row < 0) {
        wanted = id;  // the core's announcement is still on its way
        return;
    }
    QModelIndex index = filter->mapFromSource(model->index(row, 0));
    if (!index.isValid()) {
        search->clear();
        index = filter->mapFromSource(model->index(row, 0));
    }
    table->setCurrentIndex(index);
    table->scrollTo(index);
}

void ApiKeysPage::Private::openEditor(const ApiKey& key)
{
    if (!link.ready())
        return;
    if (dialog) {
        dialog->raise();
        dialog->activateWindow();
        return;
    }
    dialog = new KeyDialog(link, key, &page);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(dialog, &KeyDialog::saved, &page, [this, fresh = key.id.empty()](const ApiKey& saved) {
        select(saved.id);
        Q_EMIT page.messageRaised(fresh ? tr("The key “%1” works from now on.").arg(toQString(saved.name))
                                        : tr("“%1” was saved.").arg(toQString(saved.name)));
    });
    dialog->open();
}

void ApiKeysPage::Private::editCurrent()
{
    const std::vector<ApiKey> keys = selected();
    if (keys.size() == 1 && !keys.front().revokedAt)
        openEditor(keys.front());
}

void ApiKeysPage::Private::forEach(std::vector<ApiKey> keys, std::function<void(Control&, const ApiKey&, Reply<int>)> act,
                                   const QString& done)
{
    if (keys.empty()) {
        Q_EMIT page.messageRaised(done);
        return;
    }
    const ApiKey key = keys.front();
    keys.erase(keys.begin());
    link.ask<int>(
        &page, [act, key](Control& control, Reply<int> reply) { act(control, key, std::move(reply)); },
        [this, keys, act, done](const Result<int>& result) {
            if (result)
                forEach(keys, act, done);
            else
                Q_EMIT page.messageRaised(errorText(result.error()));
        });
}

void ApiKeysPage::Private::setActive(const std::vector<ApiKey>& keys, bool active)
{
    std::vector<ApiKey> changed;
    for (ApiKey key : keys) {
        if (key.revokedAt || key.active == active)
            continue;
        key.active = active;
        changed.push_back(std::move(key));
    }
    if (changed.empty())
        return;
    const auto act = [](Control& control, const ApiKey& key, const Reply<int>& reply) {
        control.updateApiKey(key, [reply](const Result<ApiKey>& saved) {
            if (saved)
                reply(1);
            else
                reply(saved.error());
        });
    };
    const QString names = namesOf(changed);
    if (changed.size() == 1)
        forEach(changed, act, active ? tr("Enabled %1.").arg(names) : tr("Disabled %1.").arg(names));
    else
        forEach(changed, act, active ? tr("Enabled %1 keys.").arg(names) : tr("Disabled %1 keys.").arg(names));
}

void ApiKeysPage::Private::askRevoke(const std::vector<ApiKey>& keys)
{
    std::vector<ApiKey> left;
    std::copy_if(keys.begin(), keys.end(), std::back_inserter(left), [](const ApiKey& key) { return !key.revokedAt; });
    if (left.empty())
        return;
    const bool one = left.size() == 1;
    QPushButton* now =
        ask(&page, QStringLiteral("revokeQuestion"),
            one ? tr("Revoke the key %1?").arg(namesOf(left)) : tr("Revoke %1 keys?").arg(namesOf(left)),
            tr("Clients that send it are refused from now on, and this cannot be undone. It stays in the list, for what it was "
               "used for."),
            tr("Revoke"), tr("Cancel"));
    QObject::connect(now, &QPushButton::clicked, &page, [this, left, one] {
        const auto act = [](Control& control, ApiKey key, const Reply<int>& reply) {
            key.revokedAt = wallNow();
            control.updateApiKey(key, [reply](const Result<ApiKey>& saved) {
                if (saved)
                    reply(1);
                else
                    reply(saved.error());
            });
        };
        forEach(left, act, one ? tr("Revoked the key %1.").arg(namesOf(left)) : tr("Revoked %1 keys.").arg(namesOf(left)));
    });
}

void ApiKeysPage::Private::askRemove(const std::vector<ApiKey>& keys)
{
    if (keys.empty())
        return;
    const bool one = keys.size() == 1;
    QPushButton* now =
        ask(&page, QStringLiteral("deleteKeyQuestion"),
            one ? tr("Delete the key %1?").arg(namesOf(keys)) : tr("Delete %1 keys?").arg(namesOf(keys)),
            tr("Clients that send it are refused from now on, and this cannot be undone. The request log and the usage figures "
               "keep its name."),
            tr("Delete"), tr("Cancel"));
    QObject::connect(now, &QPushButton::clicked, &page, [this, keys, one] {
        const auto act = [](Control& control, const ApiKey& key, Reply<int> reply) { control.removeApiKey(key.id, std::move(reply)); };
        forEach(keys, act, one ? tr("Deleted the key %1.").arg(namesOf(keys)) : tr("Deleted %1 keys.").arg(namesOf(keys)));
    });
}

void ApiKeysPage::Private::showMenu(const QPoint& position)
{
    const std::vector<ApiKey> keys = selected();
    QMenu menu(&page);
    menu.setObjectName(QStringLiteral("keyMenu"));
    if (keys.empty()) {
        menu.addAction(tr("Create a key…"), QKeySequence::New, &page, [this] { openEditor({}); });
        menu.exec(table->viewport()->mapToGlobal(position));
        return;
    }
    menu.addAction(tr("Edit…"), QKeySequence(Qt::Key_Return), &page, [this] { editCurrent(); })->setEnabled(edit->isEnabled());
    const bool active = keys.front().active;
    menu.addAction(active ? tr("Disable") : tr("Enable"), &page, [this, keys, active] { setActive(keys, !active); })
        ->setEnabled(toggle->isEnabled());
    menu.addSeparator();
    menu.addAction(tr("Copy as text"), QKeySequence::Copy, table, &DataTable::copySelection);
    menu.addSeparator();
    menu.addAction(tr("Revoke…"), &page, [this, keys] { askRevoke(keys); })->setEnabled(revoke->isEnabled());
    menu.addAction(tr("Delete…"), QKeySequence::Delete, &page, [this, keys] { askRemove(keys); });
    menu.exec(table->viewport()->mapToGlobal(position));
}

QWidget* ApiKeysPage::filterField() const
{
    return d->search;
}

void ApiKeysPage::refresh()
{
    d->takeConfiguration();
}

void ApiKeysPage::createNew()
{
    d->openEditor({});
}

void ApiKeysPage::showObject(const QString& objectId)
{
    if (objectId == QLatin1String("new"))
        createNew();
    else
        d->select(ApiKeyId(toUtf8(objectId)));
}

void ApiKeysPage::showEvent(QShowEvent* event)
{
    Page::showEvent(event);
    d->takeConfiguration();
    d->minute->start();
}

void ApiKeysPage::hideEvent(QHideEvent* event)
{
    Page::hideEvent(event);
    d->minute->stop();
}

}  // namespace omni
