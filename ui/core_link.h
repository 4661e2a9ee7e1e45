#pragma once

#include "base/thread_call.h"
#include "control/control.h"

#include <QList>
#include <QObject>
#include <QPointer>

#include <deque>
#include <functional>

namespace omni {

/// The windows' end of the line to the core: calls go over as queued closures, answers and facts come back as values in the GUI thread.
/// Holds the newest of each fact, so that a page opened later starts from the truth. Made by the program's composition; the Control it
/// speaks to must outlive it.
class CoreLink final : public QObject {
    Q_OBJECT

public:
    explicit CoreLink(Control& control, QObject* parent = nullptr);

    /// The newest known; never null after `ready()`.
    const ConfigurationPtr& configuration() const { return m_configuration; }
    const EngineSnapshot& engine() const { return m_engine; }
    const ListenerState& listener() const { return m_listener; }
    /// The last 10 minutes, one sample a second, newest last.
    const std::deque<TrafficSample>& traffic() const { return m_traffic; }
    bool ready() const { return m_configuration != nullptr; }

    /// Runs `call` in the core thread.
    void post(std::function<void(Control&)> call);

    /// Runs `call(control, reply)` in the core thread; its answer comes back to `context`'s thread (the GUI's), or not at all when
    /// `context` is gone by then.
    ///   link.ask<Connection>(this, [=](Control& c, auto reply) { c.saveConnection(draft, reply); }, [this](Result<Connection> r) { … });
    template <typename T>
    void ask(QObject* context, std::function<void(Control&, Reply<T>)> call, std::function<void(Result<T>)> answer)
    {
        QPointer<QObject> guard(context);
        post([this, guard, call = std::move(call), answer = std::move(answer)](Control& control) {
            call(control, [this, guard, answer](Result<T> result) {
                callIn(this, [guard, answer, result = std::move(result)] {
                    if (guard)
                        answer(result);
                });
            });
        });
    }

Q_SIGNALS:
    void becameReady();
    void configurationChanged();
    void engineChanged();
    void listenerChanged();
    void trafficTicked(const omni::TrafficSample& sample);
    void requestsFinished(const QList<omni::RequestRecord>& records);
    void requestLogCleared();
    void noticeRaised(const QString& text);

private:
    Control& m_control;
    ConfigurationPtr m_configuration;
    EngineSnapshot m_engine;
    ListenerState m_listener;
    std::deque<TrafficSample> m_traffic;
};

}  // namespace omni
