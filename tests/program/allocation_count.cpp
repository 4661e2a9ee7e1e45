#include "program/allocation_count.h"
#include "program/measured.h"

#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::uint64_t> made{0};
std::atomic<std::int64_t> bytes{0};

}  // namespace

namespace omni {

std::uint64_t allocationsMade()
{
    return made.load(std::memory_order_relaxed);
}

std::int64_t allocatedBytes()
{
    return bytes.load(std::memory_order_relaxed);
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

void operator delete(void* memory, std::size_t) noexcept
{
    operator delete(memory);
}
#endif
