#pragma once

#include <QAbstractButton>
#include <QButtonGroup>
#include <QWidget>

#include <vector>

class QVBoxLayout;

namespace omni {

/// One entry of the rail: a title, and at its right a count when there is something to count.
class RailButton final : public QAbstractButton {
    Q_OBJECT

public:
    explicit RailButton(const QString& id, QWidget* parent = nullptr);

    void setTitle(const QString& title);
    /// 0 = none.
    void setBadge(int count);
    int badge() const { return m_badge; }
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    void describe();

    int m_badge = 0;
    bool m_ring = false;  ///< the focus came by the keyboard
};

/// The pages' names at the left of the window: one is chosen, the arrow keys move the choice.
class Rail final : public QWidget {
    Q_OBJECT

public:
    explicit Rail(QWidget* parent = nullptr);

    /// Bottom: below the free space; First: above all others. Order of the calls = order on the screen within Top and Bottom.
    enum class Place { First, Top, Bottom };
    RailButton* addEntry(const QString& id, Place place);
    void choose(RailButton* button);

Q_SIGNALS:
    void chosen(const QString& id);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QButtonGroup m_group;
    QVBoxLayout* m_top;
    QVBoxLayout* m_bottom;
};

}  // namespace omni
