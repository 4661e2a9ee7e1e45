#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace omni::sandbox {

/// Writes a gzip stream (RFC 1952) that can be flushed after every event, as servers compress event streams. Fixed Huffman codes for
/// literals only: a real deflate stream for any reader, with no library behind it and no aim to make anything smaller.
class GzipWriter {
public:
    /// Compresses `data` and appends everything up to its last byte, byte-aligned (a sync flush), to `out`.
    void add(std::string_view data, std::string& out);
    /// Appends the end: final block, checksum and length.
    void finish(std::string& out);

private:
    void putHeader(std::string& out);
    void putBits(std::uint32_t bits, int count, std::string& out);
    void alignToByte(std::string& out);

    bool m_begun = false;
    std::uint32_t m_crc = 0xFFFFFFFFU;
    std::uint32_t m_length = 0;
    std::uint32_t m_bits = 0;
    int m_bitCount = 0;
};

/// `data` as one gzip body.
std::string gzipped(std::string_view data);

}  // namespace omni::sandbox
