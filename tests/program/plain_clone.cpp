// Clang 14's thread sanitizer stands in for clone(), by which Qt starts other programs, and then stops the caller with a failed check of its
// own. The call goes straight to the C library instead: what runs between it and exec is not ours.
#include <cstdarg>
#include <sys/types.h>

extern "C" {

int __clone(int (*run)(void*), void* stack, int flags, void* argument, ...);

int clone(int (*run)(void*), void* stack, int flags, void* argument, ...)
{
    va_list rest;
    va_start(rest, argument);
    auto* const parent = va_arg(rest, pid_t*);
    void* const storage = va_arg(rest, void*);
    auto* const child = va_arg(rest, pid_t*);
    va_end(rest);
    return __clone(run, stack, flags, argument, parent, storage, child);
}

}  // extern "C"
