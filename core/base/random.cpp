#include "base/random.h"

#include "base/ids.h"
#include "base/text.h"

#include <QRandomGenerator>

namespace omni {

namespace {

// SplitMix64: one addition and three mixes a number, full period, good enough for jitter and shuffles.
std::uint64_t splitMix(std::uint64_t& state)
{
    std::uint64_t z = (state += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

}  // namespace

SystemRandom::SystemRandom() : m_state(QRandomGenerator::system()->generate64()) {}

std::uint64_t SystemRandom::next() { return splitMix(m_state); }

std::uint64_t SimulatedRandom::next() { return splitMix(m_state); }

std::string secureRandomBytes(std::size_t bytes)
{
    std::string out(bytes, '\0');
    for (std::size_t at = 0; at < bytes; at += 8) {
        std::uint64_t word = QRandomGenerator::system()->generate64();
        for (std::size_t i = at; i < bytes && i < at + 8; ++i, word >>= 8)
            out[i] = static_cast<char>(word & 0xFF);
    }
    return out;
}

std::string secureRandomHex(std::size_t bytes) { return toHex(secureRandomBytes(bytes)); }

std::string newUuid()
{
    std::string raw = secureRandomBytes(16);
    raw[6] = static_cast<char>((raw[6] & 0x0F) | 0x40);
    raw[8] = static_cast<char>((raw[8] & 0x3F) | 0x80);
    std::string hex = toHex(raw);
    for (std::size_t at : {std::size_t{8}, std::size_t{13}, std::size_t{18}, std::size_t{23}})
        hex.insert(at, 1, '-');
    return hex;
}

}  // namespace omni
