#pragma once

#include <QEventLoop>
#include <QTimer>

#include <chrono>

namespace omni::shots {

/// Lets the program go on for `length`.
inline void waitFor(std::chrono::milliseconds length)
{
    QEventLoop loop;
    QTimer::singleShot(length, &loop, &QEventLoop::quit);
    loop.exec();
}

}  // namespace omni::shots
