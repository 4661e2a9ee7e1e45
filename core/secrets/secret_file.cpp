#include "secrets/secret_file.h"

#include "base/random.h"
#include "base/text.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>

namespace omni {

namespace {

constexpr std::string_view kMagic = "OMNISEC";
constexpr char kVersion = 1;
constexpr std::size_t kNonceBytes = 12;
constexpr std::size_t kTagBytes = 16;
constexpr std::size_t kProtectionAt = kMagic.size() + 1;
constexpr std::size_t kCostAt = kProtectionAt + 1;
constexpr std::size_t kSaltAt = kCostAt + 1;
constexpr std::size_t kNonceAt = kSaltAt + kSecretSaltBytes;
constexpr std::size_t kHeaderBytes = kNonceAt + kNonceBytes;
/// A header is not to be trusted before it is authenticated, and that needs the key: bounds what scrypt may be made to cost (1 GB).
constexpr int kMaxScryptCost = 20;
constexpr std::uint64_t kScryptMemory = std::uint64_t{1100} << 20;

struct FreeContext {
    void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};
using CipherContext = std::unique_ptr<EVP_CIPHER_CTX, FreeContext>;

const unsigned char* bytesOf(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }
unsigned char* bytesOf(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }

void putLength(std::string& out, std::size_t length)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        out += static_cast<char>((length >> shift) & 0xFF);
}

std::string serialized(const SecretMap& secrets)
{
    std::string out;
    for (const auto& [reference, value] : secrets) {
        putLength(out, reference.size());
        out += reference;
        putLength(out, value.size());
        out += value;
    }
    return out;
}

class Reader {
public:
    explicit Reader(std::string_view bytes) : m_rest(bytes) {}
    bool done() const { return m_rest.empty(); }
    std::optional<std::string> text()
    {
        if (m_rest.size() < 4)
            return std::nullopt;
        std::size_t length = 0;
        for (std::size_t i = 0; i < 4; ++i)
            length = length << 8 | static_cast<unsigned char>(m_rest[i]);
        m_rest.remove_prefix(4);
        if (m_rest.size() < length)
            return std::nullopt;
        std::string text(m_rest.substr(0, length));
        m_rest.remove_prefix(length);
        return text;
    }

private:
    std::string_view m_rest;
};

Error cryptoError() { return Error{ErrorKind::Secret, "The encryption library refused to work; reinstall OpenSSL 3"}; }

}  // namespace

SecretKey::~SecretKey() { OPENSSL_cleanse(m_bytes.data(), m_bytes.size()); }

SecretKey SecretKey::random() { return SecretKey(secureRandomBytes(kSecretKeyBytes)); }

SecretKey SecretKey::fromHex(std::string_view text)
{
    constexpr std::string_view blanks = " \t\r\n";
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos)
        return {};
    const std::string_view digits = text.substr(first, text.find_last_not_of(blanks) - first + 1);
    std::optional<std::string> bytes = omni::fromHex(digits);
    return bytes && bytes->size() == kSecretKeyBytes ? SecretKey(std::move(*bytes)) : SecretKey();
}

Result<SecretFileHeader> secretHeader(std::string_view file)
{
    if (file.size() < kHeaderBytes + kTagBytes || file.substr(0, kMagic.size()) != kMagic)
        return Error{ErrorKind::Secret, "The file of secrets is damaged: it does not begin as one"};
    if (file[kMagic.size()] != kVersion)
        return Error{ErrorKind::Secret, "The file of secrets was written by a newer OmniRoute Desktop"};
    SecretFileHeader header;
    header.scryptCost = static_cast<unsigned char>(file[kCostAt]);
    header.salt = std::string(file.substr(kSaltAt, kSecretSaltBytes));
    switch (file[kProtectionAt]) {
    case 1: header.protection = SecretProtection::SystemKeyStore; return header;
    case 2: header.protection = SecretProtection::KeyFile; return header;
    case 3: header.protection = SecretProtection::Passphrase; return header;
    default: return Error{ErrorKind::Secret, "The file of secrets is damaged: it does not say how it is protected"};
    }
}

Result<SecretMap> openSecrets(std::string_view file, const SecretKey& key)
{
    if (const Result<SecretFileHeader> header = secretHeader(file); !header)
        return header.error();
    const Error unfit{ErrorKind::Secret, "The secrets cannot be decrypted: the key does not fit, or the file was changed"};
    if (!key.valid() || file.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        return unfit;
    const std::string_view head = file.substr(0, kHeaderBytes);
    const std::string_view body = file.substr(kHeaderBytes, file.size() - kHeaderBytes - kTagBytes);
    std::string tag(file.substr(file.size() - kTagBytes));
    const CipherContext context(EVP_CIPHER_CTX_new());
    std::string plain(body.size() + kTagBytes, '\0');
    int length = 0;
    int rest = 0;
    if (!context || EVP_DecryptInit_ex(context.get(), EVP_aes_256_gcm(), nullptr, bytesOf(std::string_view(key.bytes())),
                                       bytesOf(head.substr(kNonceAt))) != 1
        || EVP_DecryptUpdate(context.get(), nullptr, &length, bytesOf(head), static_cast<int>(head.size())) != 1
        || EVP_DecryptUpdate(context.get(), bytesOf(plain), &length, bytesOf(body), static_cast<int>(body.size())) != 1
        || EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_SET_TAG, static_cast<int>(kTagBytes), tag.data()) != 1)
        return cryptoError();
    if (EVP_DecryptFinal_ex(context.get(), bytesOf(plain) + length, &rest) != 1)
        return unfit;
    SecretMap secrets;
    Reader reader(std::string_view(plain).substr(0, static_cast<std::size_t>(length + rest)));
    while (!reader.done()) {
        std::optional<std::string> reference = reader.text();
        std::optional<std::string> value = reference ? reader.text() : std::nullopt;
        if (!value)
            return unfit;
        secrets.insert_or_assign(std::move(*reference), std::move(*value));
    }
    OPENSSL_cleanse(plain.data(), plain.size());
    return secrets;
}

Result<std::string> sealSecrets(const SecretFileHeader& header, const SecretMap& secrets, const SecretKey& key)
{
    std::string file(kMagic);
    file += kVersion;
    switch (header.protection) {
    case SecretProtection::SystemKeyStore: file += char{1}; break;
    case SecretProtection::KeyFile: file += char{2}; break;
    case SecretProtection::Passphrase: file += char{3}; break;
    case SecretProtection::Memory: return Error{ErrorKind::Internal, "Secrets held in memory alone have no file"};
    }
    file += static_cast<char>(header.scryptCost);
    file += header.salt;
    file += secureRandomBytes(kNonceBytes);
    std::string plain = serialized(secrets);
    if (!key.valid() || file.size() != kHeaderBytes || plain.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        return Error{ErrorKind::Internal, "The secrets cannot be encrypted: key or header are not well formed"};
    const std::string head = file;
    file.resize(kHeaderBytes + plain.size() + kTagBytes);
    const CipherContext context(EVP_CIPHER_CTX_new());
    int length = 0;
    int rest = 0;
    const bool sealed =
        context
        && EVP_EncryptInit_ex(context.get(), EVP_aes_256_gcm(), nullptr, bytesOf(std::string_view(key.bytes())),
                              bytesOf(std::string_view(head).substr(kNonceAt))) == 1
        && EVP_EncryptUpdate(context.get(), nullptr, &length, bytesOf(std::string_view(head)), static_cast<int>(head.size())) == 1
        && EVP_EncryptUpdate(context.get(), bytesOf(file) + kHeaderBytes, &length, bytesOf(std::string_view(plain)),
                             static_cast<int>(plain.size())) == 1
        && EVP_EncryptFinal_ex(context.get(), bytesOf(file) + kHeaderBytes + length, &rest) == 1
        && EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_GET_TAG, static_cast<int>(kTagBytes),
                               file.data() + kHeaderBytes + plain.size()) == 1;
    OPENSSL_cleanse(plain.data(), plain.size());
    if (!sealed)
        return cryptoError();
    return file;
}

Result<SecretKey> keyFromPassphrase(std::string_view passphrase, const SecretFileHeader& header)
{
    if (header.scryptCost < 1 || header.scryptCost > kMaxScryptCost)
        return Error{ErrorKind::Secret, "The file of secrets is damaged: it asks for an impossible effort to derive its key"};
    std::string key(kSecretKeyBytes, '\0');
    if (EVP_PBE_scrypt(passphrase.data(), passphrase.size(), bytesOf(std::string_view(header.salt)), header.salt.size(),
                       std::uint64_t{1} << header.scryptCost, 8, 1, kScryptMemory, bytesOf(key), key.size())
        != 1)
        return cryptoError();
    return SecretKey(std::move(key));
}

}  // namespace omni
