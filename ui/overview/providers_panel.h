#pragma once

#include "control/control.h"
#include "ui/models/failure_history.h"
#include "ui/overview/past_minute.h"

#include <QTimer>
#include <QWidget>

#include <array>
#include <optional>

class QButtonGroup;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace omni {

class BreakerBandDelegate;
class BreakerBandsModel;
class ElidedLabel;
class LiveChart;
class MinutePanel;
class MinuteScrubber;
struct TrafficLines;

/// A band per provider, the failures of the chosen one against its thresholds, and the traffic, all over the same time. A past minute can
/// be looked at on the bands: how each breaker stood then, and the requests that moved it.
class ProvidersPanel final : public QWidget {
    Q_OBJECT

public:
    explicit ProvidersPanel(QWidget* parent = nullptr);

    /// The three buttons that choose the time; the card puts them beside its title.
    QWidget* spanButtons() const { return m_spanButtons; }
    Millis span() const;
    /// "last 5 minutes", for titles.
    QString spanWords() const;

    void showBands(const ConfigurationPtr& configuration, const EngineSnapshot& engine, const BreakerHistory& history, WallTime now);
    void showTraffic(const TrafficLines& lines);
    /// What came in about the minute that begins at `from`, with attempts; of another minute than the one looked at it is left aside.
    /// `whole`: there are no more of them.
    void showRequests(WallTime from, std::vector<RequestRecord> records, bool whole = true);
    /// The log was emptied.
    void forgetRequests();
    /// Every snapshot, whether shown or not: the failures' course is kept nowhere else.
    void remember(const EngineSnapshot& engine, WallTime now) { m_failures.add(engine, now); }

Q_SIGNALS:
    void spanChanged();
    /// Another past minute is looked at: the requests of it are wanted, by `showRequests`. Not oftener than every 120 ms.
    void minuteChosen(omni::WallTime from);
    void requestChosen(const omni::RequestId& id);

protected:
    void changeEvent(QEvent* event) override;

private:
    void buildBands();
    void buildCharts();
    void choose(const QModelIndex& index);
    void showFailures(WallTime now);
    void fitBands();
    void setTexts();
    void showMinute();
    void followScrubber();

    BreakerBandsModel* m_model;
    QTableView* m_bands = nullptr;
    BreakerBandDelegate* m_bandDelegate = nullptr;
    MinuteScrubber* m_scrubber = nullptr;
    ElidedLabel* m_minuteLine = nullptr;
    MinutePanel* m_minutePanel = nullptr;
    QStackedWidget* m_below = nullptr;  ///< charts, or the minute that is kept
    QTimer m_minuteDelay;
    LiveChart* m_failureChart = nullptr;
    LiveChart* m_traffic = nullptr;
    QWidget* m_spanButtons = nullptr;
    QButtonGroup* m_spans = nullptr;
    std::array<QToolButton*, 3> m_spanChoices{};
    FailureHistory m_failures;
    ProviderId m_shown;       ///< whose failures are drawn
    ProviderId m_dismissed;   ///< the user closed the chart of this one
    bool m_chosen = false;    ///< by the user; otherwise the most troubled is shown
    WallTime m_now{};
    ConfigurationPtr m_configuration;
    BreakerHistory m_history;
    WallTime m_minuteAskedAt{};
    WallTime m_recordsOf{};
    bool m_recordsWhole = true;
    std::vector<RequestRecord> m_records;  ///< about the minute `m_recordsOf`
};

}  // namespace omni
