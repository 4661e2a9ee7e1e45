#pragma once

#include "ui/cooldowns/hold_history.h"
#include "ui/cooldowns/hold_story.h"

#include <QWidget>

#include <optional>
#include <vector>

class QLabel;
class QPushButton;
class QScrollArea;
class QStackedLayout;
class QVBoxLayout;

namespace omni {

class CountdownLabel;
class HourBar;
class QuietLabel;

/// Why something is held, beside the table: the answer that led to it, the rule, the deadline and who set it, what became of the requests
/// meanwhile, how the connection fared in the last hour, and what can be done. Shows only what it is given.
class EvidencePanel final : public QWidget {
    Q_OBJECT

public:
    explicit EvidencePanel(QWidget* parent = nullptr);

    /// Nothing is made anew while the story stays the same. `clearable`: it passes by itself, so it can be ended here.
    void setStory(const HoldStory& story, bool clearable);
    /// In place of a story.
    void showNote(const QString& sentence);
    void setMeanwhile(const HoldFact& fact);
    /// Spans only of connections; without them there is no bar.
    void setTimeline(const std::vector<HoldSpan>& spans, const std::vector<HoldEvent>& events, WallTime now);
    /// Until the engine has answered, it cannot be cleared twice.
    void setBusy(bool busy);
    const std::optional<HoldStory>& story() const { return m_story; }
    QString text() const;
    /// Puts the keyboard on what can be done.
    void focusAction();

Q_SIGNALS:
    void clearRequested();
    void requestRequested(const omni::RequestId& id);
    void editRequested(const omni::ConnectionId& id);
    void copied();

private:
    QWidget* buildContent();
    QWidget* buildButtons();
    void fillFacts();
    void fillEvents();

    std::optional<HoldStory> m_story;
    HoldFact m_meanwhile;
    std::vector<HoldEvent> m_events;
    bool m_clearable = false;

    QStackedLayout* m_stack;
    QuietLabel* m_note;
    QScrollArea* m_scroll = nullptr;
    QLabel* m_heading = nullptr;
    QuietLabel* m_subtitle = nullptr;
    CountdownLabel* m_countdown = nullptr;
    QWidget* m_facts = nullptr;
    QVBoxLayout* m_factRows = nullptr;
    QuietLabel* m_barTitle = nullptr;
    HourBar* m_bar = nullptr;
    QVBoxLayout* m_eventRows = nullptr;
    QPushButton* m_clear = nullptr;
    QPushButton* m_edit = nullptr;
    QPushButton* m_request = nullptr;
    QPushButton* m_copy = nullptr;
};

}  // namespace omni
