#include "secrets/key_store.h"

#ifdef OMNIROUTE_KEYCHAIN
#include <QCoreApplication>
#include <QString>
#include <QThread>

#include <qt6keychain/keychain.h>
#endif

namespace omni {

#ifdef OMNIROUTE_KEYCHAIN

namespace {

/// Never with setInsecureFallback: that would write plain text into a settings file.
class SystemKeyStore final : public KeyStore {
public:
    void read(const std::string& name, Reply reply) override
    {
        auto* job = new QKeychain::ReadPasswordJob(service());
        QObject::connect(job, &QKeychain::Job::finished, job, [job, reply = std::move(reply)] {
            Answer answer = answerOf(*job);
            answer.value = job->textData().toStdString();
            reply(std::move(answer));
        });
        begin(job, name);
    }

    void write(const std::string& name, const std::string& value, Reply reply) override
    {
        auto* job = new QKeychain::WritePasswordJob(service());
        job->setTextData(QString::fromStdString(value));
        QObject::connect(job, &QKeychain::Job::finished, job, [job, reply = std::move(reply)] { reply(answerOf(*job)); });
        begin(job, name);
    }

    void remove(const std::string& name, Reply reply) override
    {
        auto* job = new QKeychain::DeletePasswordJob(service());
        QObject::connect(job, &QKeychain::Job::finished, job, [job, reply = std::move(reply)] { reply(answerOf(*job)); });
        begin(job, name);
    }

private:
    static QString service() { return QStringLiteral("OmniRoute Desktop"); }

    static void begin(QKeychain::Job* job, const std::string& name)
    {
        // Deletes itself when it has finished.
        job->setKey(QString::fromStdString(name));
        job->start();
    }

    static Answer answerOf(const QKeychain::Job& job)
    {
        switch (job.error()) {
        case QKeychain::NoError: return {Outcome::Done, {}, {}};
        case QKeychain::EntryNotFound: return {Outcome::NotFound, {}, "there is no such entry, or it is locked"};
        default: return {Outcome::Failed, {}, job.errorString().toStdString()};
        }
    }
};

}  // namespace

std::unique_ptr<KeyStore> makeSystemKeyStore()
{
    const bool usable = qApp != nullptr && QThread::currentThread() == qApp->thread();
    return usable ? std::make_unique<SystemKeyStore>() : nullptr;
}

#else

std::unique_ptr<KeyStore> makeSystemKeyStore() { return nullptr; }

#endif

}  // namespace omni
