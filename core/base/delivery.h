#pragma once

#include <functional>
#include <memory>

class QObject;

namespace omni {

/// Carries the outcome of work done in another thread back to the object that asked for it. Made where the work is asked
/// for, run where it is done: the callback then runs in the asker's thread, out of its event loop, or not at all when the
/// asker is gone by then.
class Delivery {
public:
    /// Delivers nothing.
    Delivery() = default;
    /// `context` is alive now; nullptr delivers nothing.
    explicit Delivery(QObject* context);

    /// From any thread, without waiting.
    void run(std::function<void()> callback) const;

private:
    struct Courier;
    std::shared_ptr<Courier> m_courier;
};

}  // namespace omni
