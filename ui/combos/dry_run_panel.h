#pragma once

#include "routing/route_preview.h"
#include "ui/combos/route_text.h"

#include <QTimer>
#include <QWidget>

#include <optional>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QStackedLayout;
class QStringListModel;

namespace omni {

class ConsideredModel;
class CoreLink;
class CountdownLabel;
class DataTable;
class EmptyState;
class StateLabel;

/// Who would be chosen for a name now, and why not the others. Nothing is sent. Follows what happens in the core while it is shown.
class DryRunPanel final : public QWidget {
    Q_OBJECT

public:
    /// `link` must outlive the panel.
    explicit DryRunPanel(CoreLink& link, QWidget* parent = nullptr);

    /// A combo, an alias, a model or "provider/model".
    void ask(const QString& name);
    QString name() const;
    /// Fills the list of names to choose from; after the configuration changed.
    void refreshNames();

Q_SIGNALS:
    void connectionRequested(const omni::ConnectionId& id);
    void messageRaised(const QString& text);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* buildQuestion();
    QWidget* buildAnswer();
    void fillKeys();
    void fillNames();
    void poke(int afterMs);
    void run();
    void take(const Result<RoutePreview>& preview);
    void showAnswer(const RouteOutlook& outlook, const RoutePreview* preview);
    void tick();
    void refreshButtons();
    const ConsideredTarget* current() const;
    bool canTellWhy(const ConsideredTarget* target) const;
    void tellWhy();
    void openConnection();
    void showMenu(const QPoint& position);

    CoreLink& m_link;
    QLineEdit* m_name;
    QStringListModel* m_names;
    QComboBox* m_operation;
    QComboBox* m_key;
    StateLabel* m_state;
    QLabel* m_text;
    CountdownLabel* m_back;
    QLabel* m_path;
    QPushButton* m_why;
    QPushButton* m_open;
    DataTable* m_table;
    ConsideredModel* m_model;
    EmptyState* m_note;
    QWidget* m_answer = nullptr;
    QStackedLayout* m_stack;
    QTimer m_soon;
    QTimer m_second{this};
    std::size_t m_round = 0;
    bool m_stale = true;
    bool m_namesStale = true;
};

}  // namespace omni
