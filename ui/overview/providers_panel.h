#pragma once

#include "control/control.h"
#include "ui/models/failure_history.h"

#include <QWidget>

#include <array>
#include <optional>

class QButtonGroup;
class QTableView;
class QToolButton;

namespace omni {

class BreakerBandsModel;
class LiveChart;
struct TrafficLines;

/// A band per provider, the failures of the chosen one against its thresholds, and the traffic, all over the same time.
class ProvidersPanel final : public QWidget {
    Q_OBJECT

public:
    explicit ProvidersPanel(QWidget* parent = nullptr);

    /// The three buttons that choose the time; the card puts them beside its title.
    QWidget* spanButtons() const { return m_spanButtons; }
    Millis span() const;
    /// "last 5 minutes", for titles.
    QString spanWords() const;

    void showBands(const Configuration& configuration, const EngineSnapshot& engine, const std::vector<BreakerSpan>& spans,
        WallTime knownSince, WallTime now);
    void showTraffic(const TrafficLines& lines);
    /// Every snapshot, whether shown or not: the failures' course is kept nowhere else.
    void remember(const EngineSnapshot& engine, WallTime now) { m_failures.add(engine, now); }

Q_SIGNALS:
    void spanChanged();

protected:
    void changeEvent(QEvent* event) override;

private:
    void buildBands();
    void buildCharts();
    void choose(const QModelIndex& index);
    void showFailures(WallTime now);
    void fitBands();
    void setTexts();

    BreakerBandsModel* m_model;
    QTableView* m_bands = nullptr;
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
};

}  // namespace omni
