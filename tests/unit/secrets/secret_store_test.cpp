#include "secrets/file_secret_store.h"

#include "program/test_program.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QThread>
#include <QTimer>
#include <QTest>

#include <sys/stat.h>

#include <map>
#include <optional>

using namespace omni;

namespace {

/// A key store that behaves as told. Answers out of the event loop, like the real one.
class FakeKeyStore final : public KeyStore {
public:
    enum class Mood { Works, Refuses, Silent, Forgets, SaysNotFound };

    Mood mood = Mood::Works;
    std::map<std::string, std::string> entries;
    int asked = 0;

    void read(const std::string& name, Reply reply) override
    {
        answer(std::move(reply), [this, name]() -> Answer {
            const auto found = entries.find(name);
            if (mood == Mood::SaysNotFound || found == entries.end())
                return {Outcome::NotFound, {}, "no such entry"};
            return {Outcome::Done, found->second, {}};
        });
    }
    void write(const std::string& name, const std::string& value, Reply reply) override
    {
        answer(std::move(reply), [this, name, value]() -> Answer {
            if (mood != Mood::Forgets)
                entries[name] = value;
            return {Outcome::Done, {}, {}};
        });
    }
    void remove(const std::string& name, Reply reply) override
    {
        answer(std::move(reply), [this, name]() -> Answer {
            return {entries.erase(name) > 0 ? Outcome::Done : Outcome::NotFound, {}, {}};
        });
    }

    /// Answers what was left unanswered while it was silent.
    void wakeUp()
    {
        mood = Mood::Works;
        for (auto& pending : std::exchange(m_pending, {}))
            pending();
    }

    /// Whoever waits keeps it alive, and the other way round.
    void forgetWhoWaits() { m_pending.clear(); }

private:
    void answer(Reply reply, std::function<Answer()> make)
    {
        ++asked;
        const auto act = [this, reply = std::move(reply), make = std::move(make)] {
            reply(mood == Mood::Refuses ? Answer{Outcome::Failed, {}, "Cannot autolaunch D-Bus without X11 $DISPLAY"} : make());
        };
        if (mood == Mood::Silent)
            m_pending.push_back(act);
        else
            QTimer::singleShot(0, &m_context, act);
    }

    QObject m_context;
    std::vector<std::function<void()>> m_pending;
};

unsigned modeOf(const std::string& path)
{
    struct stat info = {};
    return ::stat(path.c_str(), &info) == 0 ? info.st_mode & 0777U : 0U;
}

QByteArray contentOf(const std::string& path)
{
    QFile file(QString::fromStdString(path));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void put(const std::string& path, const QByteArray& content)
{
    QFile file(QString::fromStdString(path));
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        qFatal("cannot write %s", path.c_str());
}

}  // namespace

class SecretStoreTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>();
        m_keyStore = std::make_shared<FakeKeyStore>();
        m_oldMask = ::umask(0);
    }
    void cleanup()
    {
        if (m_keyStore)
            m_keyStore->forgetWhoWaits();
        ::umask(m_oldMask);
    }

    void secretsSurviveARestart_data();
    void secretsSurviveARestart();
    void filesArePrivateAndHoldNothingInTheClear();
    void readsBeforeAWriteIsDurableShowTheOldState();
    void anUnknownReferenceIsNotFound();
    void manyWritesAtOnceAllEndUpInTheFile();
    void writesPendingAtTheEndAreWritten();
    void aFailedWriteChangesNothing();
    void callbacksRunInTheContextsThread();

    void withoutAKeyFileItIsLockedAndUntouched_data();
    void withoutAKeyFileItIsLockedAndUntouched();
    void aDamagedFileIsLockedAndUntouched_data();
    void aDamagedFileIsLockedAndUntouched();

    void theKeyStoreIsUsedWhenItWorks();
    void aKeyStoreThatDoesNotWorkIsNotUsed_data();
    void aKeyStoreThatDoesNotWorkIsNotUsed();
    void aProbeLeavesNothingBehind();
    void noSuchEntryIsNotTakenForDeleted();
    void theKeyStoreIsAskedForItsFileWhateverTheOptions();
    void aLateAnswerUnlocks();
    void aLateAnswerAfterTheEndDoesNoHarm();

    void aPassphraseProtects();
    void aWrongPassphraseLocks();
    void aPassphraseSetLaterTakesOver_data();
    void aPassphraseSetLaterTakesOver();
    void theSystemsKeyStoreIsAbsentInATestRun();
    void memoryKeepsNothing();

private:
    enum class Kind { KeyFile, KeyStore, Passphrase };

    SecretStoreOptions options(Kind kind = Kind::KeyFile) const
    {
        SecretStoreOptions made;
        made.dataDir = folder();
        made.useSystemKeyStore = kind == Kind::KeyStore;
        if (kind == Kind::Passphrase)
            made.passphrase = "correct horse battery staple";
        return made;
    }
    std::string folder() const { return m_dir->filePath(QStringLiteral("data")).toStdString(); }
    std::string file() const { return folder() + "/secrets.bin"; }
    std::string keyFile() const { return folder() + "/secrets.key"; }

    std::unique_ptr<SecretStore> open(const SecretStoreOptions& how, int patienceMs = 3'000)
    {
        Result<std::unique_ptr<SecretStore>> store = openSecretStore(how, m_keyStore, patienceMs);
        if (!store)
            qFatal("%s", describe(store.error()).c_str());
        return std::move(*store);
    }
    std::unique_ptr<SecretStore> open(Kind kind = Kind::KeyFile) { return open(options(kind)); }

    static Status wait(const std::function<void(QObject*, std::function<void(Status)>)>& ask)
    {
        QObject context;
        std::optional<Status> answer;
        ask(&context, [&answer](Status status) { answer = std::move(status); });
        if (!QTest::qWaitFor([&answer] { return answer.has_value(); }, 20'000))
            return Error{ErrorKind::Timeout, "nothing came back"};
        return *answer;
    }
    static Status write(SecretStore& store, const std::string& reference, const std::string& value)
    {
        return wait([&](QObject* context, auto done) { store.write(reference, value, context, std::move(done)); });
    }
    static Status remove(SecretStore& store, const std::string& reference)
    {
        return wait([&](QObject* context, auto done) { store.remove(reference, context, std::move(done)); });
    }
    /// It is locked, says why, refuses, and leaves the file as it is.
    void verifyLocked(SecretStore& store)
    {
        const QByteArray before = contentOf(file());
        QVERIFY(store.status().locked);
        QVERIFY(!store.status().explanation.empty());
        const Result<std::string> read = store.read("a");
        QVERIFY(!read.ok());
        QVERIFY(read.error().kind == ErrorKind::Secret);
        const Status written = write(store, "b", "new");
        QVERIFY(!written.ok());
        QVERIFY(written.error().kind == ErrorKind::Secret);
        QVERIFY(!remove(store, "a").ok());
        QVERIFY(contentOf(file()) == before);
    }

    std::unique_ptr<QTemporaryDir> m_dir;
    std::shared_ptr<FakeKeyStore> m_keyStore;
    mode_t m_oldMask = 0;
};

void SecretStoreTest::secretsSurviveARestart_data()
{
    QTest::addColumn<int>("kind");
    QTest::newRow("key file") << static_cast<int>(Kind::KeyFile);
    QTest::newRow("key store") << static_cast<int>(Kind::KeyStore);
    QTest::newRow("passphrase") << static_cast<int>(Kind::Passphrase);
}

void SecretStoreTest::secretsSurviveARestart()
{
    QFETCH(const int, kind);
    const auto how = static_cast<Kind>(kind);
    const std::string odd("line\n\0\xFF বাংলা", 21);
    {
        const auto store = open(how);
        QVERIFY(!store->status().locked);
        QVERIFY(write(*store, "a", "sk-one").ok());
        QVERIFY(write(*store, "b", "two").ok());
        QVERIFY(write(*store, "c", odd).ok());
        QVERIFY(write(*store, "a", "sk-changed").ok());
        QVERIFY(remove(*store, "b").ok());
        QVERIFY(remove(*store, "never there").ok());
    }
    const auto store = open(how);
    QCOMPARE(*store->read("a"), std::string("sk-changed"));
    QVERIFY(!store->read("b").ok());
    QCOMPARE(*store->read("c"), odd);
}

void SecretStoreTest::filesArePrivateAndHoldNothingInTheClear()
{
    const auto store = open();
    QVERIFY(write(*store, "connection/1", "sk-very-secret-value").ok());
    QCOMPARE(modeOf(folder()), 0700U);
    QCOMPARE(modeOf(file()), 0600U);
    QCOMPARE(modeOf(keyFile()), 0600U);
    QVERIFY(!contentOf(file()).contains("very-secret"));
    QVERIFY(store->status().protection == SecretProtection::KeyFile);
    QVERIFY(store->status().explanation.find("secrets.key") != std::string::npos);

    QCOMPARE(::chmod(file().c_str(), 0644), 0);
    QCOMPARE(::chmod(keyFile().c_str(), 0644), 0);
    (void)open();
    QCOMPARE(modeOf(file()), 0600U);
    QCOMPARE(modeOf(keyFile()), 0600U);
}

void SecretStoreTest::readsBeforeAWriteIsDurableShowTheOldState()
{
    const auto store = open();
    QVERIFY(write(*store, "a", "old").ok());
    QObject context;
    std::optional<std::string> seen;
    store->write("a", "new", &context, [&](const Status&) { seen = *store->read("a"); });
    QTRY_VERIFY(seen.has_value());
    QCOMPARE(*seen, std::string("new"));
    // And what is told is on the disk.
    const auto other = open();
    QCOMPARE(*other->read("a"), std::string("new"));
}

void SecretStoreTest::anUnknownReferenceIsNotFound()
{
    const auto store = open();
    for (const char* reference : {"", "nobody"}) {
        const Result<std::string> read = store->read(reference);
        QVERIFY(!read.ok());
        QVERIFY(read.error().kind == ErrorKind::NotFound);
    }
}

void SecretStoreTest::manyWritesAtOnceAllEndUpInTheFile()
{
    {
        const auto store = open();
        QObject context;
        std::atomic<int> done{0};
        std::vector<std::unique_ptr<QThread>> threads;
        for (int thread = 0; thread < 4; ++thread) {
            threads.emplace_back(QThread::create([&, thread] {
                for (int i = 0; i < 250; ++i) {
                    const std::string reference = std::to_string(thread) + '/' + std::to_string(i);
                    store->write(reference, "value of " + reference, &context, [&done](const Status& s) { done += s.ok() ? 1 : 10'000; });
                    (void)store->read(reference);
                    (void)store->status();
                }
            }));
            threads.back()->start();
        }
        for (const auto& thread : threads)
            thread->wait();
        QTRY_COMPARE_WITH_TIMEOUT(done.load(), 1'000, 20'000);
    }
    const auto store = open();
    for (int thread = 0; thread < 4; ++thread) {
        for (int i = 0; i < 250; ++i) {
            const std::string reference = std::to_string(thread) + '/' + std::to_string(i);
            QCOMPARE(store->read(reference).valueOr("missing"), "value of " + reference);
        }
    }
}

void SecretStoreTest::writesPendingAtTheEndAreWritten()
{
    for (int i = 0; i < 20; ++i)
        open()->write(std::to_string(i), "x", nullptr, {});
    const auto store = open();
    for (int i = 0; i < 20; ++i)
        QVERIFY(store->read(std::to_string(i)).ok());
}

void SecretStoreTest::aFailedWriteChangesNothing()
{
    const auto store = open();
    QVERIFY(write(*store, "a", "old").ok());
    // Nothing can be written where the folder has gone.
    const QString moved = QString::fromStdString(folder()) + QStringLiteral(".away");
    QVERIFY(QFile::rename(QString::fromStdString(folder()), moved));
    const Status failed = write(*store, "a", "new");
    QVERIFY(!failed.ok());
    QVERIFY(failed.error().kind == ErrorKind::Secret);
    QVERIFY2(failed.error().message.find("new") == std::string::npos || failed.error().message.find(".new") != std::string::npos,
             failed.error().message.c_str());
    QCOMPARE(*store->read("a"), std::string("old"));
    QVERIFY(QFile::rename(moved, QString::fromStdString(folder())));
    QVERIFY(write(*store, "a", "newer").ok());
}

void SecretStoreTest::callbacksRunInTheContextsThread()
{
    const auto store = open();
    QThread thread;
    thread.start();
    auto* context = new QObject;
    context->moveToThread(&thread);
    std::atomic<QThread*> ran{nullptr};
    store->write("a", "x", context, [&ran](const Status&) { ran = QThread::currentThread(); });
    QTRY_COMPARE(ran.load(), &thread);
    context->deleteLater();
    thread.quit();
    thread.wait();

    int calls = 0;
    auto gone = std::make_unique<QObject>();
    store->write("b", "x", gone.get(), [&calls](const Status&) { ++calls; });
    gone.reset();
    QVERIFY(write(*store, "c", "x").ok());
    QCOMPARE(calls, 0);
    QVERIFY(store->read("b").ok());
}

void SecretStoreTest::withoutAKeyFileItIsLockedAndUntouched_data()
{
    QTest::addColumn<QByteArray>("key");
    QTest::newRow("missing") << QByteArray();
    QTest::newRow("another key") << QByteArray(64, '7');
    QTest::newRow("not a key") << QByteArray("hello");
}

void SecretStoreTest::withoutAKeyFileItIsLockedAndUntouched()
{
    QFETCH(const QByteArray, key);
    QVERIFY(write(*open(), "a", "sk-one").ok());
    const QByteArray rightKey = contentOf(keyFile());
    QVERIFY(QFile::remove(QString::fromStdString(keyFile())));
    if (!key.isEmpty())
        put(keyFile(), key);
    {
        const auto store = open();
        QVERIFY(store->status().protection == SecretProtection::KeyFile);
        verifyLocked(*store);
        QVERIFY2(contentOf(keyFile()) == key, "no new key takes the place of the one that is missing");
    }
    put(keyFile(), rightKey);
    QCOMPARE(*open()->read("a"), std::string("sk-one"));
}

void SecretStoreTest::aDamagedFileIsLockedAndUntouched_data()
{
    QTest::addColumn<int>("at");
    QTest::newRow("empty") << -1;
    QTest::newRow("its name") << 0;
    QTest::newRow("version") << 7;
    QTest::newRow("protection") << 8;
    QTest::newRow("salt") << 12;
    QTest::newRow("nonce") << 30;
    QTest::newRow("secrets") << 45;
}

void SecretStoreTest::aDamagedFileIsLockedAndUntouched()
{
    QFETCH(const int, at);
    QVERIFY(write(*open(), "a", "sk-one").ok());
    QByteArray content = contentOf(file());
    if (at < 0)
        content.clear();
    else
        content[at] = static_cast<char>(content[at] ^ 0x41);
    put(file(), content);
    verifyLocked(*open());
}

void SecretStoreTest::theKeyStoreIsUsedWhenItWorks()
{
    const auto store = open(Kind::KeyStore);
    QVERIFY(store->status().protection == SecretProtection::SystemKeyStore);
    QVERIFY(!store->status().locked);
    QVERIFY(!QFile::exists(QString::fromStdString(keyFile())));
    QCOMPARE(m_keyStore->entries.size(), std::size_t{1});
    // Each data folder has a key of its own.
    const std::string first = m_keyStore->entries.begin()->first;
    m_dir = std::make_unique<QTemporaryDir>();
    (void)open(Kind::KeyStore);
    QCOMPARE(m_keyStore->entries.size(), std::size_t{2});
    QVERIFY(m_keyStore->entries.contains(first));
}

void SecretStoreTest::aKeyStoreThatDoesNotWorkIsNotUsed_data()
{
    QTest::addColumn<int>("mood");
    QTest::newRow("it refuses") << static_cast<int>(FakeKeyStore::Mood::Refuses);
    QTest::newRow("it does not answer") << static_cast<int>(FakeKeyStore::Mood::Silent);
    QTest::newRow("it forgets what it took") << static_cast<int>(FakeKeyStore::Mood::Forgets);
    QTest::newRow("it finds nothing") << static_cast<int>(FakeKeyStore::Mood::SaysNotFound);
}

void SecretStoreTest::aKeyStoreThatDoesNotWorkIsNotUsed()
{
    QFETCH(const int, mood);
    m_keyStore->mood = static_cast<FakeKeyStore::Mood>(mood);
    QElapsedTimer timer;
    timer.start();
    const auto store = open(options(Kind::KeyStore), 200);
    QVERIFY(timer.elapsed() < 2'000);
    QVERIFY(store->status().protection == SecretProtection::KeyFile);
    QVERIFY(!store->status().locked);
    QVERIFY(write(*store, "a", "x").ok());
    // It is not asked again later: the file says where its key is.
    m_keyStore->mood = FakeKeyStore::Mood::Works;
    QVERIFY(open(Kind::KeyStore)->status().protection == SecretProtection::KeyFile);
}

void SecretStoreTest::aProbeLeavesNothingBehind()
{
    m_keyStore->mood = FakeKeyStore::Mood::Silent;
    {
        const auto store = open(options(Kind::KeyStore), 50);
        QVERIFY(store->status().protection == SecretProtection::KeyFile);
    }
    // The entry is written long after nobody waits for it any more.
    m_keyStore->wakeUp();
    QTRY_VERIFY(m_keyStore->entries.empty());
}

void SecretStoreTest::noSuchEntryIsNotTakenForDeleted()
{
    QVERIFY(write(*open(Kind::KeyStore), "a", "sk-one").ok());
    for (const FakeKeyStore::Mood mood : {FakeKeyStore::Mood::SaysNotFound, FakeKeyStore::Mood::Refuses}) {
        m_keyStore->mood = mood;
        const auto store = open(Kind::KeyStore);
        QVERIFY(store->status().protection == SecretProtection::SystemKeyStore);
        verifyLocked(*store);
        QVERIFY(!QFile::exists(QString::fromStdString(keyFile())));
    }
    m_keyStore->mood = FakeKeyStore::Mood::Works;
    QCOMPARE(*open(Kind::KeyStore)->read("a"), std::string("sk-one"));
}

void SecretStoreTest::theKeyStoreIsAskedForItsFileWhateverTheOptions()
{
    QVERIFY(write(*open(Kind::KeyStore), "a", "sk-one").ok());
    QCOMPARE(*open(Kind::KeyFile)->read("a"), std::string("sk-one"));
    m_keyStore.reset();
    verifyLocked(*open(Kind::KeyFile));
}

void SecretStoreTest::aLateAnswerUnlocks()
{
    QVERIFY(write(*open(Kind::KeyStore), "a", "sk-one").ok());
    m_keyStore->mood = FakeKeyStore::Mood::Silent;
    const auto store = open(options(Kind::KeyStore), 50);
    verifyLocked(*store);
    m_keyStore->wakeUp();
    QTRY_VERIFY(!store->status().locked);
    QCOMPARE(*store->read("a"), std::string("sk-one"));
    QVERIFY(write(*store, "b", "two").ok());
}

void SecretStoreTest::aLateAnswerAfterTheEndDoesNoHarm()
{
    QVERIFY(write(*open(Kind::KeyStore), "a", "sk-one").ok());
    m_keyStore->mood = FakeKeyStore::Mood::Silent;
    (void)open(options(Kind::KeyStore), 50);
    m_keyStore->wakeUp();
    QCOMPARE(*open(Kind::KeyStore)->read("a"), std::string("sk-one"));
}

void SecretStoreTest::aPassphraseProtects()
{
    const auto store = open(Kind::Passphrase);
    QVERIFY(store->status().protection == SecretProtection::Passphrase);
    QVERIFY(write(*store, "a", "sk-one").ok());
    QVERIFY(!QFile::exists(QString::fromStdString(keyFile())));
    QCOMPARE(m_keyStore->asked, 0);
}

void SecretStoreTest::aWrongPassphraseLocks()
{
    QVERIFY(write(*open(Kind::Passphrase), "a", "sk-one").ok());
    SecretStoreOptions wrong = options(Kind::Passphrase);
    wrong.passphrase += '!';
    verifyLocked(*open(wrong));
    const auto without = open(Kind::KeyFile);
    verifyLocked(*without);
    QVERIFY(without->status().explanation.find("OMNIROUTE_PASSPHRASE") != std::string::npos);
    QVERIFY2(!QFile::exists(QString::fromStdString(keyFile())), "no second key beside the passphrase");
    QCOMPARE(*open(Kind::Passphrase)->read("a"), std::string("sk-one"));
}

void SecretStoreTest::aPassphraseSetLaterTakesOver_data()
{
    QTest::addColumn<int>("kind");
    QTest::newRow("from a key file") << static_cast<int>(Kind::KeyFile);
    QTest::newRow("from the key store") << static_cast<int>(Kind::KeyStore);
}

void SecretStoreTest::aPassphraseSetLaterTakesOver()
{
    QFETCH(const int, kind);
    QVERIFY(write(*open(static_cast<Kind>(kind)), "a", "sk-one").ok());
    {
        const auto store = open(Kind::Passphrase);
        QVERIFY(store->status().protection == SecretProtection::Passphrase);
        QCOMPARE(*store->read("a"), std::string("sk-one"));
    }
    QVERIFY(!QFile::exists(QString::fromStdString(keyFile())));
    QVERIFY(m_keyStore->entries.empty());
    QCOMPARE(*open(Kind::Passphrase)->read("a"), std::string("sk-one"));
    verifyLocked(*open(Kind::KeyFile));

    // Not when the old key is missing: nothing can be taken over then.
    m_dir = std::make_unique<QTemporaryDir>();
    QVERIFY(write(*open(Kind::KeyFile), "a", "sk-one").ok());
    QVERIFY(QFile::remove(QString::fromStdString(keyFile())));
    verifyLocked(*open(Kind::Passphrase));
}

void SecretStoreTest::theSystemsKeyStoreIsAbsentInATestRun()
{
    // The real one, where no session is: it refuses at once and the key file is used.
    qputenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere");
    qunsetenv("DISPLAY");
    QElapsedTimer timer;
    timer.start();
    SecretStoreOptions how = options(Kind::KeyStore);
    const Result<std::unique_ptr<SecretStore>> store = openSecretStore(how);
    QVERIFY(store.ok());
    QVERIFY2(timer.elapsed() < 5'000, qPrintable(QString::number(timer.elapsed())));
    QVERIFY((*store)->status().protection == SecretProtection::KeyFile);
    QVERIFY(write(**store, "a", "x").ok());
}

void SecretStoreTest::memoryKeepsNothing()
{
    {
        const auto store = makeMemorySecretStore();
        QVERIFY(store->status().protection == SecretProtection::Memory);
        QVERIFY(write(*store, "a", "x").ok());
        QCOMPARE(*store->read("a"), std::string("x"));
        QVERIFY(remove(*store, "a").ok());
        QVERIFY(!store->read("a").ok());
    }
    QVERIFY(!makeMemorySecretStore()->read("a").ok());
}

OMNI_TEST(SecretStoreTest)
#include "secret_store_test.moc"
