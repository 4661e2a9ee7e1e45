#pragma once

#include "ui/models/cell_delegate.h"
#include "ui/theme/theme.h"

#include <QMetaType>

#include <variant>

namespace omni {

/// A state of any kind, as a model hands it to the delegate; how it looks depends on the theme of whoever paints.
struct StateKey {
    std::variant<BreakerState, Outcome, Exclusion> state;

    bool operator==(const StateKey&) const = default;
};
StateLook lookOf(const StateKey& key, const Colours& colours);

/// Shape and text in the state's colour. The text is the cell's DisplayRole, the state its StateRole; a cell without StateRole is
/// painted as any other.
class StateDelegate final : public CellDelegate {
    Q_OBJECT

public:
    static constexpr int StateRole = Qt::UserRole + 41;

    using CellDelegate::CellDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

/// How much of a hold is left: a bar and the countdown. The cell's DeadlineRole and SinceRole are epoch milliseconds; without a
/// deadline the cell is painted as any other.
class RemainingDelegate final : public CellDelegate {
    Q_OBJECT

public:
    static constexpr int DeadlineRole = Qt::UserRole + 42;
    static constexpr int SinceRole = Qt::UserRole + 43;

    using CellDelegate::CellDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace omni

Q_DECLARE_METATYPE(omni::StateKey)
