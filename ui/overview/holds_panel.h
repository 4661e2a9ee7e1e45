#pragma once

#include "ui/models/holds.h"

#include <QWidget>

#include <vector>

class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace omni {

/// All that is out of service, each with its reason, its countdown and what can be done about it. Rows are kept and changed, not made
/// anew, so that focus and selection stay where they are.
class HoldsPanel final : public QWidget {
    Q_OBJECT

public:
    /// More would cost layout time each second and help nobody: the Cooldown Manager holds them all.
    static constexpr std::size_t kMaxRows = 50;

    explicit HoldsPanel(QWidget* parent = nullptr);
    /// `holds.first` has at most kMaxRows.
    void setHolds(const HoldList& holds);

Q_SIGNALS:
    void clearRequested(const omni::HoldItem& hold);
    void editRequested(const omni::HoldItem& hold);
    void whyRequested(const omni::HoldItem& hold);
    /// A countdown has come to its end.
    void holdEnded();
    /// The user asks for those that have no room here.
    void restRequested();

private:
    class Row;

    QVBoxLayout* m_rows;
    QWidget* m_list;
    QScrollArea* m_scroll;
    QWidget* m_empty;
    QPushButton* m_rest;
    std::vector<Row*> m_shown;
};

}  // namespace omni
