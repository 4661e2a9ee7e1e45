#include "control/secret_envelope.h"

#include "base/random.h"
#include "base/text.h"

#include <nlohmann/json.hpp>

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <array>
#include <cstdint>
#include <memory>

namespace omni {

namespace {

constexpr std::size_t kKeyBytes = 32, kSaltBytes = 16, kNonceBytes = 12, kTagBytes = 16;
constexpr std::uint64_t kCost = 32'768, kBlock = 8, kParallel = 1;
constexpr std::uint64_t kWorkMemoryLimit = 256ULL * 1024 * 1024;
/// Bound to the text, so that an envelope of another format or version never opens as this one.
constexpr std::string_view kPurpose = "omniroute-export-secrets:1";

struct CipherFree {
    void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};
using Cipher = std::unique_ptr<EVP_CIPHER_CTX, CipherFree>;

/// Wiped when it goes.
struct Key {
    std::array<unsigned char, kKeyBytes> bytes{};
    ~Key() { OPENSSL_cleanse(bytes.data(), bytes.size()); }
};

const unsigned char* bytesOf(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }
unsigned char* bytesOf(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }

bool deriveKey(Key& key, std::string_view passphrase, std::string_view salt, std::uint64_t cost, std::uint64_t block,
               std::uint64_t parallel)
{
    return EVP_PBE_scrypt(passphrase.data(), passphrase.size(), bytesOf(salt), salt.size(), cost, block, parallel,
                          kWorkMemoryLimit + 1024 * 1024, key.bytes.data(), key.bytes.size()) == 1;
}

Error cipherError() { return {ErrorKind::Internal, "The encryption library refused to work; the document was not made."}; }

Error noEnvelope(std::string field)
{
    return {ErrorKind::InvalidArgument, "The encrypted part of the document is damaged.", {{std::move(field), "Missing or out of range."}}};
}

std::optional<std::string> hexField(const nlohmann::json& envelope, const char* name)
{
    const auto found = envelope.find(name);
    return found != envelope.end() && found->is_string() ? fromHex(found->get_ref<const std::string&>()) : std::nullopt;
}

std::uint64_t numberField(const nlohmann::json& envelope, const char* name)
{
    const auto found = envelope.find(name);
    return found != envelope.end() && found->is_number_unsigned() ? found->get<std::uint64_t>() : 0;
}

}  // namespace

Result<nlohmann::json> sealText(std::string_view plain, std::string_view passphrase)
{
    const std::string salt = secureRandomBytes(kSaltBytes);
    const std::string nonce = secureRandomBytes(kNonceBytes);
    Key key;
    const Cipher cipher(EVP_CIPHER_CTX_new());
    std::string sealed(plain.size(), '\0');
    std::string tag(kTagBytes, '\0');
    int length = 0;
    if (!cipher || !deriveKey(key, passphrase, salt, kCost, kBlock, kParallel) ||
        EVP_EncryptInit_ex(cipher.get(), EVP_aes_256_gcm(), nullptr, key.bytes.data(), bytesOf(std::string_view(nonce))) != 1 ||
        EVP_EncryptUpdate(cipher.get(), nullptr, &length, bytesOf(kPurpose), static_cast<int>(kPurpose.size())) != 1 ||
        EVP_EncryptUpdate(cipher.get(), bytesOf(sealed), &length, bytesOf(plain), static_cast<int>(plain.size())) != 1 ||
        EVP_EncryptFinal_ex(cipher.get(), bytesOf(tag), &length) != 1 ||
        EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_GCM_GET_TAG, static_cast<int>(kTagBytes), tag.data()) != 1)
        return cipherError();
    return nlohmann::json{{"kdf", "scrypt"},       {"cost", kCost},       {"blockSize", kBlock},
                          {"parallel", kParallel}, {"salt", toHex(salt)}, {"cipher", "aes-256-gcm"},
                          {"nonce", toHex(nonce)}, {"tag", toHex(tag)},   {"data", toHex(sealed)}};
}

Result<std::string> openText(const nlohmann::json& envelope, std::string_view passphrase)
{
    if (!envelope.is_object() || envelope.value("kdf", nlohmann::json()) != "scrypt" ||
        envelope.value("cipher", nlohmann::json()) != "aes-256-gcm")
        return noEnvelope("secrets");
    const std::uint64_t cost = numberField(envelope, "cost"), block = numberField(envelope, "blockSize");
    const std::uint64_t parallel = numberField(envelope, "parallel");
    const bool powerOfTwo = cost >= 2 && (cost & (cost - 1)) == 0;
    if (!powerOfTwo || cost > kWorkMemoryLimit || block < 1 || block > 64 || parallel < 1 || parallel > 16 ||
        128 * cost * block > kWorkMemoryLimit)
        return noEnvelope("secrets.cost");
    const auto salt = hexField(envelope, "salt"), nonce = hexField(envelope, "nonce"), data = hexField(envelope, "data");
    auto tag = hexField(envelope, "tag");
    if (!salt || salt->size() < 8)
        return noEnvelope("secrets.salt");
    if (!nonce || nonce->size() != kNonceBytes)
        return noEnvelope("secrets.nonce");
    if (!tag || tag->size() != kTagBytes)
        return noEnvelope("secrets.tag");
    if (!data)
        return noEnvelope("secrets.data");

    Key key;
    const Cipher cipher(EVP_CIPHER_CTX_new());
    std::string plain(data->size(), '\0');
    std::string rest(kTagBytes, '\0');
    int length = 0;
    if (!cipher || !deriveKey(key, passphrase, *salt, cost, block, parallel) ||
        EVP_DecryptInit_ex(cipher.get(), EVP_aes_256_gcm(), nullptr, key.bytes.data(), bytesOf(std::string_view(*nonce))) != 1 ||
        EVP_DecryptUpdate(cipher.get(), nullptr, &length, bytesOf(kPurpose), static_cast<int>(kPurpose.size())) != 1 ||
        EVP_DecryptUpdate(cipher.get(), bytesOf(plain), &length, bytesOf(std::string_view(*data)), static_cast<int>(data->size())) != 1 ||
        EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_GCM_SET_TAG, static_cast<int>(kTagBytes), tag->data()) != 1)
        return cipherError();
    if (EVP_DecryptFinal_ex(cipher.get(), bytesOf(rest), &length) != 1)
        return Error{ErrorKind::Secret, "The passphrase does not fit this document, or the document was changed."};
    return plain;
}

}  // namespace omni
