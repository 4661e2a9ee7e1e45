#include "ui/core_link.h"

namespace omni {

namespace {

constexpr std::size_t kKeptSamples = 600;

}  // namespace

CoreLink::CoreLink(Control& control, QObject* parent) : QObject(parent), m_control(control)
{
    connect(&control, &Control::configurationChanged, this, [this](const ConfigurationPtr& configuration) {
        const bool first = !m_configuration;
        m_configuration = configuration;
        if (first)
            Q_EMIT becameReady();
        Q_EMIT configurationChanged();
    });
    connect(&control, &Control::engineChanged, this, [this](const EngineSnapshot& snapshot) {
        m_engine = snapshot;
        Q_EMIT engineChanged();
    });
    connect(&control, &Control::listenerChanged, this, [this](const ListenerState& state) {
        m_listener = state;
        Q_EMIT listenerChanged();
    });
    connect(&control, &Control::trafficTicked, this, [this](const TrafficSample& sample) {
        m_traffic.push_back(sample);
        while (m_traffic.size() > kKeptSamples)
            m_traffic.pop_front();
        Q_EMIT trafficTicked(sample);
    });
    connect(&control, &Control::requestsFinished, this, &CoreLink::requestsFinished);
    connect(&control, &Control::requestLogCleared, this, &CoreLink::requestLogCleared);
    connect(&control, &Control::noticeRaised, this, &CoreLink::noticeRaised);

    // Connected first, asked second: what changes in between arrives twice rather than never.
    post([this](Control& core) {
        const auto configuration = core.configuration();
        const auto engine = core.engineSnapshot();
        const auto listener = core.listenerState();
        const auto traffic = core.metrics().traffic(Millis(600'000), kKeptSamples);
        callIn(this, [this, configuration, engine, listener, traffic] {
            const bool first = !m_configuration;
            m_configuration = configuration;
            m_engine = engine;
            m_listener = listener;
            if (m_traffic.empty())
                m_traffic.assign(traffic.begin(), traffic.end());
            if (first)
                Q_EMIT becameReady();
            Q_EMIT configurationChanged();
            Q_EMIT engineChanged();
            Q_EMIT listenerChanged();
        });
    });
}

void CoreLink::post(std::function<void(Control&)> call)
{
    Control* control = &m_control;
    callIn(control, [control, call = std::move(call)] { call(*control); });
}

}  // namespace omni
