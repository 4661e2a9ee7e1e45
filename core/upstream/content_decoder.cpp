#include "upstream/content_decoder.h"

#include "base/text.h"

#include <zlib.h>

#include <array>

namespace omni {

namespace {

/// 15 bits of window; +32 lets zlib tell gzip from zlib by itself.
constexpr int kWindowBits = 15 + 32;

}  // namespace

struct ContentDecoder::Private {
    z_stream stream{};
    bool ended = false;

    ~Private() { inflateEnd(&stream); }
};

ContentDecoder::ContentDecoder(std::unique_ptr<Private> parts) : d(std::move(parts)) {}

ContentDecoder::~ContentDecoder() = default;

std::unique_ptr<ContentDecoder> ContentDecoder::make(std::string_view encoding, bool& supported)
{
    supported = true;
    if (encoding.empty() || equalsIgnoreCase(encoding, "identity"))
        return nullptr;
    auto parts = std::make_unique<Private>();
    if ((!equalsIgnoreCase(encoding, "gzip") && !equalsIgnoreCase(encoding, "x-gzip") && !equalsIgnoreCase(encoding, "deflate"))
        || inflateInit2(&parts->stream, kWindowBits) != Z_OK) {
        supported = false;
        return nullptr;
    }
    return std::unique_ptr<ContentDecoder>(new ContentDecoder(std::move(parts)));
}

bool ContentDecoder::decode(std::string_view piece, std::string& out)
{
    std::array<char, 16 * 1024> buffer{};
    z_stream& stream = d->stream;
    // zlib's interface takes its input as non-const, and does not write to it.
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece.data()));
    stream.avail_in = static_cast<uInt>(piece.size());
    while (!d->ended) {
        stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
        stream.avail_out = static_cast<uInt>(buffer.size());
        const int code = inflate(&stream, Z_SYNC_FLUSH);
        out.append(buffer.data(), buffer.size() - stream.avail_out);
        if (code == Z_STREAM_END)
            d->ended = true;
        else if (code != Z_OK && code != Z_BUF_ERROR)
            return false;
        if (stream.avail_in == 0 && stream.avail_out != 0)
            break;
    }
    return true;
}

}  // namespace omni
