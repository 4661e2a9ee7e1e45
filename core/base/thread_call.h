#pragma once

#include <functional>

class QObject;

namespace omni {

/// Runs `call` in the thread of `context`, out of its event loop; from any thread, without waiting. Not run when `context` dies before;
/// the caller sees to it that it is alive now. What was written before the call is seen in it by the memory model itself, not only
/// by the locks inside Qt, which a thread sanitizer cannot see.
void callIn(QObject* context, std::function<void()> call);

/// The same, and waits until it has run: what it has written is seen afterwards. Never from the thread of `context`, whose event loop must
/// be running.
void callInAndWait(QObject* context, const std::function<void()>& call);

}  // namespace omni
