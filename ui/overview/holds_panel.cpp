#include "ui/overview/holds_panel.h"

#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/countdown_label.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/quiet_label.h"
#include "ui/widgets/state_label.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace omni {

class HoldsPanel::Row final : public QWidget {
public:
    explicit Row(HoldsPanel& panel) : QWidget(panel.m_list)
    {
        m_shape = new StateLabel(this);
        m_shape->setShapeOnly(true);
        m_title = new ElidedLabel(this);
        m_reason = new QuietLabel(this);
        m_reason->setWordWrap(true);
        m_reason->setTextFormat(Qt::PlainText);
        m_countdown = new CountdownLabel(this);
        m_countdown->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        m_action = new QPushButton(this);
        m_action->setObjectName(QStringLiteral("holdAction"));
        m_why = new QPushButton(HoldsPanel::tr("Why?"), this);
        m_why->setObjectName(QStringLiteral("holdWhy"));
        m_why->setProperty("link", true);

        auto* layout = new QGridLayout(this);
        layout->setContentsMargins(0, 8, 0, 9);
        layout->setHorizontalSpacing(8);
        layout->setVerticalSpacing(2);
        layout->addWidget(m_shape, 0, 0);
        layout->addWidget(m_title, 0, 1);
        layout->addWidget(m_reason, 1, 0, 1, 2);
        layout->addWidget(m_countdown, 0, 2);
        layout->addWidget(m_why, 1, 2, Qt::AlignRight | Qt::AlignTop);
        layout->addWidget(m_action, 0, 3, 2, 1, Qt::AlignVCenter);
        layout->setColumnStretch(1, 1);

        QObject::connect(m_countdown, &CountdownLabel::ended, &panel, &HoldsPanel::holdEnded);
        QObject::connect(m_action, &QPushButton::clicked, &panel, [this, &panel] {
            if (m_hold.clearable()) {
                m_action->setEnabled(false);  // until the engine says what is now true
                Q_EMIT panel.clearRequested(m_hold);
            } else {
                Q_EMIT panel.editRequested(m_hold);
            }
        });
        QObject::connect(m_why, &QPushButton::clicked, &panel, [this, &panel] { Q_EMIT panel.whyRequested(m_hold); });
    }

    void fill(const HoldItem& hold)
    {
        if (m_known && hold == m_hold)
            return;
        const bool same = m_known && hold.reason == m_hold.reason && hold.until == m_hold.until;
        m_known = true;
        m_hold = hold;
        m_shape->setState(hold.reason);
        m_title->setText(hold.title);
        m_reason->setText(hold.explanation);
        setToolTip(hold.evidence);
        m_countdown->setUntil(hold.until);
        m_countdown->setVisible(hold.until.has_value());
        m_why->setVisible(!hold.evidence.isEmpty());
        m_why->setAccessibleName(HoldsPanel::tr("Why? %1").arg(hold.title));
        m_action->setText(hold.clearable() ? HoldsPanel::tr("Clear now") : HoldsPanel::tr("Edit"));
        m_action->setAccessibleName(hold.clearable() ? HoldsPanel::tr("Clear now: %1").arg(hold.title)
                                                            : HoldsPanel::tr("Edit: %1").arg(hold.title));
        if (!same)
            m_action->setEnabled(true);
        setAccessibleName(QStringLiteral("%1, %2").arg(hold.title, hold.explanation));
    }

    const HoldItem& hold() const { return m_hold; }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setPen(coloursFor(palette()).border);
        painter.drawLine(0, height() - 1, width(), height() - 1);
    }

private:
    HoldItem m_hold;
    bool m_known = false;
    StateLabel* m_shape;
    ElidedLabel* m_title;
    QuietLabel* m_reason;
    CountdownLabel* m_countdown;
    QPushButton* m_action;
    QPushButton* m_why;
};

HoldsPanel::HoldsPanel(QWidget* parent) : QWidget(parent)
{
    m_empty = new QWidget(this);
    auto* well = new StateLabel(m_empty);
    well->setState(Exclusion::None);
    well->setShapeOnly(true);
    auto* sentence = new QuietLabel(tr("Nothing is out of service."), m_empty);
    sentence->setWordWrap(true);
    auto* quiet = new QHBoxLayout(m_empty);
    quiet->setContentsMargins(0, 8, 0, 0);
    quiet->setSpacing(8);
    quiet->addWidget(well, 0, Qt::AlignTop);
    quiet->addWidget(sentence, 1, Qt::AlignTop);

    m_list = new QWidget;
    m_list->setProperty("pageBody", true);
    m_rows = new QVBoxLayout;
    m_rows->setContentsMargins({});
    m_rows->setSpacing(0);
    m_rest = new QPushButton(m_list);
    m_rest->setObjectName(QStringLiteral("moreHolds"));
    m_rest->setProperty("quiet", true);
    m_rest->hide();
    auto* column = new QVBoxLayout(m_list);
    column->setContentsMargins({});
    column->setSpacing(8);
    column->addLayout(m_rows);
    column->addWidget(m_rest, 0, Qt::AlignLeft);
    column->addStretch();

    m_scroll = new QScrollArea(this);
    m_scroll->setObjectName(QStringLiteral("holdsScroll"));
    m_scroll->setAccessibleName(tr("Out of service"));
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setWidget(m_list);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->addWidget(m_empty);
    layout->addWidget(m_scroll);
    connect(m_rest, &QPushButton::clicked, this, &HoldsPanel::restRequested);
    setHolds({});
}

void HoldsPanel::setHolds(const HoldList& list)
{
    const std::vector<HoldItem>& holds = list.first;
    const std::size_t count = std::min(holds.size(), kMaxRows);
    // The row of a hold goes with it when the order changes: whoever has the focus on its button keeps it.
    for (std::size_t i = 0; i < count; ++i) {
        const auto known = std::find_if(m_shown.begin() + static_cast<std::ptrdiff_t>(std::min(i, m_shown.size())), m_shown.end(),
            [&](const Row* row) { return row->hold().sameAs(holds[i]); });
        Row* row = known == m_shown.end() ? nullptr : *known;
        if (row) {
            m_shown.erase(known);
        } else {
            row = new Row(*this);
        }
        m_shown.insert(m_shown.begin() + static_cast<std::ptrdiff_t>(i), row);
        if (m_rows->indexOf(row) != static_cast<int>(i))
            m_rows->insertWidget(static_cast<int>(i), row);
        row->fill(holds[i]);
        row->show();
    }
    while (m_shown.size() > count) {
        m_shown.back()->deleteLater();
        m_rows->removeWidget(m_shown.back());
        m_shown.back()->hide();
        m_shown.pop_back();
    }
    m_rest->setVisible(list.total > count);
    m_rest->setText(tr("%1 more in the Cooldown Manager").arg(numberText(static_cast<std::int64_t>(list.total - count))));
    m_empty->setVisible(holds.empty());
    m_scroll->setVisible(!holds.empty());
}

}  // namespace omni
