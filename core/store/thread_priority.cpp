#include "store/thread_priority.h"

#include <QtGlobal>

#ifdef Q_OS_LINUX
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace omni {

void beNice(int level)
{
#ifdef Q_OS_LINUX
    // On Linux this is a property of one thread, named by its kernel id, although POSIX says process. Failing is harmless.
    setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), level);
#else
    Q_UNUSED(level)
#endif
}

void useIdleDisk()
{
#ifdef Q_OS_LINUX
    constexpr int thisThread = 1;            // IOPRIO_WHO_PROCESS, with id 0
    constexpr int idleClass = 3 << 13;       // IOPRIO_CLASS_IDLE; glibc has neither the call nor its names
    syscall(SYS_ioprio_set, thisThread, 0, idleClass);
#endif
}

}  // namespace omni
