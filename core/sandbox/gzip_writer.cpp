#include "sandbox/gzip_writer.h"

#include <array>

namespace omni::sandbox {

namespace {

constexpr std::array<std::uint32_t, 256> crcTable()
{
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t i = 0; i < table.size(); ++i) {
        std::uint32_t value = i;
        for (int bit = 0; bit < 8; ++bit)
            value = (value & 1U) ? 0xEDB88320U ^ (value >> 1) : value >> 1;
        table[i] = value;
    }
    return table;
}

struct Code {
    std::uint16_t bits = 0;  ///< in the order they are sent, lowest first
    std::uint8_t length = 0;
};

/// RFC 1951 §3.2.6: literals 0–143 have 8 bits from 00110000 on, 144–255 have 9 bits from 110010000 on; Huffman codes are sent
/// highest bit first.
constexpr std::array<Code, 256> literalCodes()
{
    std::array<Code, 256> codes{};
    for (unsigned literal = 0; literal < codes.size(); ++literal) {
        const unsigned code = literal < 144 ? 0x30U + literal : 0x190U + (literal - 144);
        const unsigned length = literal < 144 ? 8 : 9;
        unsigned reversed = 0;
        for (unsigned bit = 0; bit < length; ++bit)
            reversed |= ((code >> bit) & 1U) << (length - 1 - bit);
        codes[literal] = {static_cast<std::uint16_t>(reversed), static_cast<std::uint8_t>(length)};
    }
    return codes;
}

constexpr auto kCrc = crcTable();
constexpr auto kLiterals = literalCodes();

void putLittleEndian(std::uint32_t number, std::string& out)
{
    for (int shift = 0; shift < 32; shift += 8)
        out += static_cast<char>((number >> shift) & 0xFFU);
}

}  // namespace

void GzipWriter::putHeader(std::string& out)
{
    if (m_begun)
        return;
    m_begun = true;
    // Deflate, no flags, no time, no extra flags, system unknown.
    out.append("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff", 10);
}

void GzipWriter::putBits(std::uint32_t bits, int count, std::string& out)
{
    m_bits |= bits << m_bitCount;
    m_bitCount += count;
    while (m_bitCount >= 8) {
        out += static_cast<char>(m_bits & 0xFFU);
        m_bits >>= 8;
        m_bitCount -= 8;
    }
}

void GzipWriter::alignToByte(std::string& out)
{
    if (m_bitCount > 0)
        putBits(0, 8 - m_bitCount, out);
}

void GzipWriter::add(std::string_view data, std::string& out)
{
    putHeader(out);
    if (data.empty())
        return;
    putBits(0b010, 3, out);  // not the final block, fixed codes
    for (const char c : data) {
        const auto byte = static_cast<unsigned char>(c);
        putBits(kLiterals[byte].bits, kLiterals[byte].length, out);
        m_crc = kCrc[(m_crc ^ byte) & 0xFFU] ^ (m_crc >> 8);
    }
    m_length += static_cast<std::uint32_t>(data.size());
    putBits(0, 7, out);      // end of block
    putBits(0b000, 3, out);  // an empty stored block brings everything up to a byte border
    alignToByte(out);
    out.append("\x00\x00\xff\xff", 4);
}

void GzipWriter::finish(std::string& out)
{
    putHeader(out);
    putBits(0b011, 3, out);  // the final block, fixed codes, empty
    putBits(0, 7, out);
    alignToByte(out);
    putLittleEndian(m_crc ^ 0xFFFFFFFFU, out);
    putLittleEndian(m_length, out);
}

std::string gzipped(std::string_view data)
{
    std::string out;
    out.reserve(data.size() + data.size() / 8 + 40);
    GzipWriter writer;
    writer.add(data, out);
    writer.finish(out);
    return out;
}

}  // namespace omni::sandbox
