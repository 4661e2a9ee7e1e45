#include "control/background_work.h"

#include "base/thread_call.h"

#include <QObject>

#include <utility>

namespace omni {

BackgroundWork::~BackgroundWork()
{
    for (std::thread& thread : m_threads)
        thread.join();
}

void BackgroundWork::run(std::function<void()> work, std::function<void()> done)
{
    const auto place = m_threads.emplace(m_threads.end());
    *place = std::thread([this, place, work = std::move(work), done = std::move(done)]() mutable {
        work();
        callIn(&m_context, [this, place, done = std::move(done)] {
            place->join();
            m_threads.erase(place);
            done();
        });
    });
}

}  // namespace omni
