#include "ui/clients/client_list.h"

#include "ui/clients/client_text.h"
#include "ui/models/display_text.h"
#include "ui/theme/state_shape.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QStandardItemModel>
#include <QStyle>
#include <QStyledItemDelegate>

#include <algorithm>

namespace omni {

using namespace client_setup;

namespace {

constexpr int kIdRole = Qt::UserRole + 1;
constexpr int kFactsRole = Qt::UserRole + 2;
constexpr int kMargin = 10;

/// Name, and below it shape and word.
class ClientDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override
    {
        return {120, option.fontMetrics.height() * 2 + 18};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const Colours& colours = coloursFor(option.palette);
        const bool rtl = option.direction == Qt::RightToLeft;
        const QRectF box = QRectF(option.rect).adjusted(1, 1, -1, -1);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        if (option.state & QStyle::State_Selected) {
            painter->setPen(option.state & QStyle::State_HasFocus ? QPen(colours.accent) : QPen(Qt::NoPen));
            painter->setBrush(colours.accentSoft);
            painter->drawRoundedRect(box, 6, 6);
        }
        QRectF room = QRectF(option.rect).adjusted(kMargin, 8, -kMargin, -8);
        const Qt::Alignment side = QStyle::visualAlignment(option.direction, Qt::AlignTop | Qt::AlignLeft);
        QFont bold = option.font;
        bold.setWeight(QFont::DemiBold);
        painter->setFont(bold);
        painter->setPen(colours.text);
        painter->drawText(room, side, QFontMetricsF(bold).elidedText(index.data().toString(), Qt::ElideRight, room.width()));
        room.setTop(room.top() + option.fontMetrics.height() + 2);
        const Client* client = findClient(toUtf8(index.data(kIdRole).toString()));
        if (client) {
            const StateLook look = standingLook(*client, index.data(kFactsRole).value<ClientFacts>(), colours);
            const double size = option.fontMetrics.ascent() * 0.75;
            const double top = room.top() + (option.fontMetrics.height() - size) / 2;
            const double left = rtl ? room.right() - size : room.left();
            paintStateShape(*painter, QRectF(left, top, size, size), look.shape, look.colour);
            room.adjust(rtl ? 0 : size + 6, 0, rtl ? -(size + 6) : 0, 0);
            painter->setFont(option.font);
            painter->setPen(look.colour);
            painter->drawText(room, side, option.fontMetrics.elidedText(look.word, Qt::ElideRight, static_cast<int>(room.width())));
        }
        painter->restore();
    }
};

}  // namespace

ClientList::ClientList(QWidget* parent) : QListView(parent), m_model(new QStandardItemModel(this))
{
    for (const Client& client : clients()) {
        auto* item = new QStandardItem(toQString(client.name));
        item->setData(toQString(client.id), kIdRole);
        item->setEditable(false);
        m_model->appendRow(item);
    }
    setModel(m_model);
    setItemDelegate(new ClientDelegate(this));
    setSelectionMode(QAbstractItemView::SingleSelection);
    setUniformItemSizes(true);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setTabKeyNavigation(false);
    setFacts({});
}

void ClientList::setFacts(const QHash<QString, ClientFacts>& facts)
{
    for (int row = 0; row < m_model->rowCount(); ++row) {
        QStandardItem* item = m_model->item(row);
        const QString id = item->data(kIdRole).toString();
        const ClientFacts one = facts.value(id);
        item->setData(QVariant::fromValue(one), kFactsRole);
        const Client& client = *findClient(toUtf8(id));
        const QString word = standingLook(client, one, coloursFor(palette())).word;
        item->setData(QStringLiteral("%1, %2").arg(item->text(), word), Qt::AccessibleTextRole);
        item->setToolTip(one.standing.detail.empty() ? word : word + QLatin1Char('\n') + toQString(one.standing.detail));
    }
    viewport()->update();
}

void ClientList::filter(const QString& words)
{
    const QStringList wanted = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    int first = -1;
    for (int row = 0; row < m_model->rowCount(); ++row) {
        const QString text = m_model->item(row)->data(Qt::AccessibleTextRole).toString();
        const bool shown =
            std::all_of(wanted.begin(), wanted.end(), [&text](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
        setRowHidden(row, !shown);
        if (shown && first < 0)
            first = row;
    }
    if (first >= 0 && (!currentIndex().isValid() || isRowHidden(currentIndex().row())))
        setCurrentIndex(m_model->index(first, 0));
}

QString ClientList::current() const
{
    return currentIndex().data(kIdRole).toString();
}

void ClientList::choose(const QString& id)
{
    const QModelIndexList found = m_model->match(m_model->index(0, 0), kIdRole, id, 1, Qt::MatchExactly);
    if (!found.isEmpty())
        setCurrentIndex(found.first());
}

QSize ClientList::sizeHint() const
{
    return {fontMetrics().averageCharWidth() * 28, sizeHintForRow(0) * m_model->rowCount() + 2 * frameWidth() + 8};
}

void ClientList::currentChanged(const QModelIndex& current, const QModelIndex& previous)
{
    QListView::currentChanged(current, previous);
    if (current.isValid())
        Q_EMIT chosen(current.data(kIdRole).toString());
}

void ClientList::keyPressEvent(QKeyEvent* event)
{
    if (event == QKeySequence::Copy)
        copyAll();
    else
        QListView::keyPressEvent(event);
}

void ClientList::copyAll() const
{
    QStringList lines;
    for (int row = 0; row < m_model->rowCount(); ++row) {
        if (isRowHidden(row))
            continue;
        const QStandardItem* item = m_model->item(row);
        const ClientFacts facts = item->data(kFactsRole).value<ClientFacts>();
        lines << QStringList{item->text(),
                             standingLook(*findClient(toUtf8(item->data(kIdRole).toString())), facts, coloursFor(palette())).word,
                             toQString(facts.standing.detail)}
                     .join(QLatin1Char('\t'));
    }
    QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

void ClientList::contextMenuEvent(QContextMenuEvent* event)
{
    if (current().isEmpty())
        return;
    QMenu menu(this);
    menu.setObjectName(QStringLiteral("clientMenu"));
    menu.addAction(tr("Copy the lines to paste"), this, &ClientList::copyWanted);
    menu.addAction(tr("Open the folder of its settings"), this, &ClientList::folderWanted);
    menu.addSeparator();
    menu.addAction(tr("Copy the list as text"), QKeySequence::Copy, this, &ClientList::copyAll);
    menu.exec(event->globalPos());
}

}  // namespace omni
