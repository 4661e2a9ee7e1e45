#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace omni {

/// Where chance comes from. Given to policies by reference; the caller keeps it alive.
class Random {
public:
    virtual ~Random() = default;
    /// 64 uniformly distributed bits.
    virtual std::uint64_t next() = 0;

    /// Uniform in [0, 1).
    double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
    /// Uniform in [0, bound); 0 for bound 0.
    std::uint64_t below(std::uint64_t bound) { return bound == 0 ? 0 : next() % bound; }
};

/// Fast, seeded by the operating system; not for secrets. Not thread-safe: one for each thread.
class SystemRandom final : public Random {
public:
    SystemRandom();
    std::uint64_t next() override;

private:
    std::uint64_t m_state;
};

/// The same sequence for the same seed.
class SimulatedRandom final : public Random {
public:
    explicit SimulatedRandom(std::uint64_t seed = 1) : m_state(seed) {}
    std::uint64_t next() override;

private:
    std::uint64_t m_state;
};

/// `bytes` random bytes from the operating system's cryptographic generator. Thread-safe.
std::string secureRandomBytes(std::size_t bytes);
/// The same as lower-case hex, twice as long.
std::string secureRandomHex(std::size_t bytes);

}  // namespace omni
