#include "base/thread_call.h"

#include <QObject>

#include <atomic>
#include <memory>
#include <utility>

namespace omni {

namespace {

struct Parcel {
    std::function<void()> call;
    std::atomic<bool> sealed{false};

    void open()
    {
        if (!sealed.load(std::memory_order_acquire))
            return;
        const std::function<void()> taken = std::move(call);
        taken();
    }
};

}  // namespace

void callIn(QObject* context, std::function<void()> call)
{
    auto parcel = std::make_shared<Parcel>();
    parcel->call = std::move(call);
    parcel->sealed.store(true, std::memory_order_release);
    QMetaObject::invokeMethod(
        context, [parcel = std::move(parcel)] { parcel->open(); }, Qt::QueuedConnection);
}

void callInAndWait(QObject* context, const std::function<void()>& call)
{
    const auto done = std::make_shared<std::atomic<bool>>(false);
    callIn(context, [&call, done] {
        call();
        done->store(true, std::memory_order_release);
        done->notify_one();
    });
    done->wait(false, std::memory_order_acquire);
}

}  // namespace omni
