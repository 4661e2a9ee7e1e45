#include "sandbox/body_writer.h"

#include <array>
#include <charconv>

namespace omni::sandbox {

namespace {

bool continues(char c)
{
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

/// Length of the part of `piece` that goes into one write: up to the first cut, which lies after the first byte of a character of
/// several, or after any byte.
std::size_t firstCut(std::string_view piece, Cuts cuts)
{
    if (cuts == Cuts::Bytes)
        return 1;
    for (std::size_t i = 1; i < piece.size(); ++i)
        if (continues(piece[i]) && !continues(piece[i - 1]))
            return i;
    return piece.size();
}

}  // namespace

BodyWriter::BodyWriter(Framing framing, bool gzip, Cuts cuts) : m_framing(framing), m_cuts(cuts)
{
    if (gzip)
        m_gzip.emplace();
}

void BodyWriter::push(std::string_view bytes)
{
    m_bytes += bytes.size();
    if (m_cuts == Cuts::None && !m_writes.empty())
        m_writes.back().append(bytes);
    else
        m_writes.emplace_back(bytes);
}

void BodyWriter::addRaw(std::string_view bytes)
{
    push(bytes);
}

void BodyWriter::addFramed(std::string_view piece)
{
    if (piece.empty())
        return;
    if (m_framing != Framing::Chunked) {
        push(piece);
        return;
    }
    std::array<char, 16> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), piece.size(), 16).ptr;
    std::string chunk(digits.data(), end);
    chunk.append("\r\n").append(piece).append("\r\n");
    push(chunk);
}

void BodyWriter::add(std::string_view piece)
{
    if (m_gzip) {
        std::string packed;
        m_gzip->add(piece, packed);
        addFramed(packed);
        return;
    }
    if (m_cuts == Cuts::None) {
        addFramed(piece);
        return;
    }
    while (!piece.empty()) {
        const std::size_t cut = firstCut(piece, m_cuts);
        addFramed(piece.substr(0, cut));
        piece.remove_prefix(cut);
    }
}

void BodyWriter::finish(bool trailers, bool cutInTrailer)
{
    if (m_gzip) {
        std::string packed;
        m_gzip->finish(packed);
        addFramed(packed);
    }
    if (m_framing != Framing::Chunked)
        return;
    if (cutInTrailer)
        push("0\r\nX-Sandbox-Tra");
    else
        push(trailers ? "0\r\nX-Sandbox-Trailer: done\r\nServer-Timing: total;dur=1\r\n\r\n" : "0\r\n\r\n");
}

std::string BodyWriter::takeWrite()
{
    std::string write = std::move(m_writes.front());
    m_writes.pop_front();
    m_bytes -= write.size();
    return write;
}

}  // namespace omni::sandbox
