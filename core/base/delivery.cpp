#include "base/delivery.h"

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
    m_courier = std::shared_ptr<Courier>(new Courier(context), [](Courier* courier) { courier->deleteLater(); });
    m_courier->moveToThread(context->thread());
}

void Delivery::run(std::function<void()> callback) const
{
    if (!m_courier || !callback)
        return;
    // The call keeps the courier alive. That its deletion is posted later would not do: whoever asks Qt for deferred deletions alone
    // (every waiting macro of QtTest does) would have it done first, and the call would be lost.
    QMetaObject::invokeMethod(
        m_courier.get(),
        [courier = m_courier, callback = std::move(callback)] {
            if (courier->context)
                callback();
        },
        Qt::QueuedConnection);
}

}  // namespace omni
