#pragma once

#include "sandbox/gzip_writer.h"
#include "sandbox/plan.h"

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

namespace omni::sandbox {

/// Turns the pieces of a body into what goes over the wire: transfer coding, compression and the places where writes are cut.
class BodyWriter {
public:
    BodyWriter(Framing framing, bool gzip, Cuts cuts);

    /// Sent as it is, together with what follows unless writes are cut.
    void addRaw(std::string_view bytes);
    void add(std::string_view piece);
    /// The end as the framing tells it. `trailers` adds fields after the last chunk; `cutInTrailer` stops in the middle of one.
    void finish(bool trailers, bool cutInTrailer);

    bool empty() const { return m_writes.empty(); }
    std::size_t bytes() const { return m_bytes; }
    /// What goes into the next write; everything at once unless writes are cut.
    std::string takeWrite();

private:
    void addFramed(std::string_view piece);
    void push(std::string_view bytes);

    Framing m_framing;
    Cuts m_cuts;
    std::optional<GzipWriter> m_gzip;
    std::deque<std::string> m_writes;
    std::size_t m_bytes = 0;
};

}  // namespace omni::sandbox
