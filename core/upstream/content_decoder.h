#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace omni {

/// Unpacks a body that came compressed although it was not asked to: gzip or deflate, piece by piece.
class ContentDecoder {
public:
    /// nullptr for encodings that need no unpacking ("" and "identity"); `supported` is false for those we cannot unpack.
    static std::unique_ptr<ContentDecoder> make(std::string_view encoding, bool& supported);
    ~ContentDecoder();

    /// Appends what `piece` unpacks to. False when it is broken.
    bool decode(std::string_view piece, std::string& out);

private:
    struct Private;
    explicit ContentDecoder(std::unique_ptr<Private> d);
    std::unique_ptr<Private> d;
};

}  // namespace omni
