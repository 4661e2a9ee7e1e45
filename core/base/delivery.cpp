#include "base/delivery.h"

#include "base/thread_call.h"

#include <QObject>
#include <QPointer>
#include <QThread>

#include <utility>

namespace omni {

// A QPointer may only be read in the thread in which its object can die. So the pointer travels inside an object of ours
// that lives in that thread: posting to it is safe whatever has become of the context.
struct Delivery::Courier final : QObject {
    explicit Courier(QObject* to) : context(to) {}
    QPointer<QObject> context;
};

Delivery::Delivery(QObject* context)
{
    if (context == nullptr)
        return;
    m_courier = std::shared_ptr<Courier>(new Courier(context), [](Courier* courier) {
        // A thread that has ended makes no calls any more, and its queue is kept alive by the very objects that wait in it.
        const QThread* home = courier->thread();
        if (home == nullptr || home->isFinished()) {
            delete courier;
            return;
        }
        // A call like those before it, not a deferred deletion: whoever asks Qt for deferred deletions alone (every waiting macro of
        // QtTest does) would have it done ahead of them, and they would be lost.
        QMetaObject::invokeMethod(
            courier, [owned = std::unique_ptr<Courier>(courier)]() mutable { owned.reset(); }, Qt::QueuedConnection);
    });
    m_courier->moveToThread(context->thread());
}

void Delivery::run(std::function<void()> callback) const
{
    if (!m_courier || !callback)
        return;
    // The courier's own deletion is posted later than this, so it outlives the call.
    callIn(m_courier.get(), [courier = m_courier.get(), callback = std::move(callback)] {
        if (courier->context)
            callback();
    });
}

}  // namespace omni
