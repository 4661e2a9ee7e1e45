#pragma once

#include <functional>
#include <memory>
#include <string>

namespace omni {

/// A place of the operating system for a few small secrets. Asynchronous, since it may ask the user to unlock it; the answer comes out of
/// the event loop of the thread that asked, or never.
class KeyStore {
public:
    enum class Outcome {
        Done,
        NotFound,  ///< as the key store tells it; a locked one may say this too
        Failed
    };
    struct Answer {
        Outcome outcome = Outcome::Failed;
        std::string value;   ///< of a read
        std::string reason;  ///< why it failed, in its own words
    };
    using Reply = std::function<void(Answer)>;

    virtual ~KeyStore() = default;
    virtual void read(const std::string& name, Reply reply) = 0;
    virtual void write(const std::string& name, const std::string& value, Reply reply) = 0;
    virtual void remove(const std::string& name, Reply reply) = 0;
};

/// The system's own (libsecret, KWallet, Keychain, Credential Manager). nullptr when the program was built without QtKeychain or there is
/// no application object, whose thread must be the calling one and goes on to run an event loop: QtKeychain keeps its queue of
/// jobs in the thread of the first.
std::unique_ptr<KeyStore> makeSystemKeyStore();

}  // namespace omni
