#include "program/allocation_count.h"

#include "program/measured.h"

#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

#if OMNI_SANITIZED
extern "C" {
std::size_t __sanitizer_get_current_allocated_bytes();
int __sanitizer_install_malloc_and_free_hooks(void (*mallocHook)(const volatile void*, std::size_t), void (*freeHook)(const volatile void*));
}
#endif

namespace {

std::atomic<std::uint64_t> made{0};

#if OMNI_SANITIZED
[[maybe_unused]] const int hooked = __sanitizer_install_malloc_and_free_hooks(
    [](const volatile void*, std::size_t) { made.fetch_add(1, std::memory_order_relaxed); }, [](const volatile void*) {});
#else
std::atomic<std::int64_t> bytes{0};
#endif

}  // namespace

namespace omni {

std::uint64_t allocationsMade() { return made.load(std::memory_order_relaxed); }

std::int64_t allocatedBytes()
{
#if OMNI_SANITIZED
    return static_cast<std::int64_t>(__sanitizer_get_current_allocated_bytes());
#else
    return bytes.load(std::memory_order_relaxed);
#endif
}

}  // namespace omni

#if !OMNI_SANITIZED
void* operator new(std::size_t size)
{
    void* memory = std::malloc(size == 0 ? 1 : size);
    if (!memory)
        throw std::bad_alloc();
    made.fetch_add(1, std::memory_order_relaxed);
    bytes.fetch_add(static_cast<std::int64_t>(malloc_usable_size(memory)), std::memory_order_relaxed);
    return memory;
}

void operator delete(void* memory) noexcept
{
    if (memory)
        bytes.fetch_sub(static_cast<std::int64_t>(malloc_usable_size(memory)), std::memory_order_relaxed);
    std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }
#endif
