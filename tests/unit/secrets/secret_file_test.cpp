#include "secrets/secret_file.h"

#include "program/test_program.h"

#include <QTest>

#include <set>

using namespace omni;

namespace {

SecretFileHeader makeHeader()
{
    SecretFileHeader header;
    header.protection = SecretProtection::KeyFile;
    header.salt = std::string(kSecretSaltBytes, 's');
    return header;
}

SecretMap makeSecrets()
{
    return {{"connection/1", "sk-0123456789abcdef"}, {"connection/2", std::string("a\0b\xFF", 4)}, {"empty", ""}, {"বাংলা", "গোপন"}};
}

}  // namespace

/// The format of secrets.bin.
class SecretFileTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsSealedCanBeOpened();
    void nothingIsInTheClear();
    void noNonceComesTwice();
    void everyChangedByteIsNoticed();
    void everyCutIsNoticed();
    void anotherKeyDoesNotFit();
    void keysAreReadStrictly_data();
    void keysAreReadStrictly();
    void passphrasesGiveKeys();
    void aNewerVersionIsToldAsSuch();
    void anImpossibleCostIsRefused();
};

void SecretFileTest::whatIsSealedCanBeOpened()
{
    const SecretKey key = SecretKey::random();
    for (const SecretMap& secrets : {SecretMap(), makeSecrets()}) {
        for (const SecretProtection protection :
             {SecretProtection::SystemKeyStore, SecretProtection::KeyFile, SecretProtection::Passphrase}) {
            SecretFileHeader header = makeHeader();
            header.protection = protection;
            const Result<std::string> file = sealSecrets(header, secrets, key);
            QVERIFY(file.ok());
            const Result<SecretFileHeader> read = secretHeader(*file);
            QVERIFY(read.ok());
            QVERIFY(read->protection == protection);
            QCOMPARE(read->salt, header.salt);
            QCOMPARE(read->scryptCost, header.scryptCost);
            const Result<SecretMap> opened = openSecrets(*file, key);
            QVERIFY(opened.ok());
            QVERIFY(*opened == secrets);
        }
    }
    SecretFileHeader memory = makeHeader();
    memory.protection = SecretProtection::Memory;
    QVERIFY(!sealSecrets(memory, {}, key).ok());
    QVERIFY(!sealSecrets(makeHeader(), {}, SecretKey("short")).ok());
}

void SecretFileTest::nothingIsInTheClear()
{
    const SecretKey key = SecretKey::random();
    const Result<std::string> file = sealSecrets(makeHeader(), makeSecrets(), key);
    QVERIFY(file.ok());
    for (const char* part : {"sk-0123", "connection", "গোপন"})
        QVERIFY2(file->find(part) == std::string::npos, part);
    QVERIFY(file->find(key.bytes()) == std::string::npos);
}

void SecretFileTest::noNonceComesTwice()
{
    const SecretKey key = SecretKey::random();
    std::set<std::string> files;
    for (int i = 0; i < 100; ++i)
        files.insert(*sealSecrets(makeHeader(), makeSecrets(), key));
    QCOMPARE(files.size(), std::size_t{100});
}

void SecretFileTest::everyChangedByteIsNoticed()
{
    const SecretKey key = SecretKey::random();
    const std::string file = *sealSecrets(makeHeader(), makeSecrets(), key);
    for (std::size_t at = 0; at < file.size(); ++at) {
        for (const char flip : {'\x01', '\x80'}) {
            std::string changed = file;
            changed[at] = static_cast<char>(changed[at] ^ flip);
            const Result<SecretMap> opened = openSecrets(changed, key);
            QVERIFY2(!opened.ok(), qPrintable(QStringLiteral("byte %1").arg(at)));
            QVERIFY(opened.error().kind == ErrorKind::Secret);
        }
    }
}

void SecretFileTest::everyCutIsNoticed()
{
    const SecretKey key = SecretKey::random();
    const std::string file = *sealSecrets(makeHeader(), makeSecrets(), key);
    for (std::size_t length = 0; length < file.size(); ++length)
        QVERIFY2(!openSecrets(std::string_view(file).substr(0, length), key).ok(), qPrintable(QString::number(length)));
    QVERIFY(!openSecrets(file + 'x', key).ok());
}

void SecretFileTest::anotherKeyDoesNotFit()
{
    const std::string file = *sealSecrets(makeHeader(), makeSecrets(), SecretKey::random());
    QVERIFY(!openSecrets(file, SecretKey::random()).ok());
    QVERIFY(!openSecrets(file, SecretKey()).ok());
}

void SecretFileTest::keysAreReadStrictly_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("valid");
    const QByteArray digits(64, 'a');
    QTest::newRow("64 digits") << digits << true;
    QTest::newRow("with a line end") << digits + "\r\n" << true;
    QTest::newRow("upper case") << digits.toUpper() << true;
    QTest::newRow("nothing") << QByteArray() << false;
    QTest::newRow("blanks") << QByteArray(" \n") << false;
    QTest::newRow("62 digits") << digits.left(62) << false;
    QTest::newRow("66 digits") << digits + "aa" << false;
    QTest::newRow("no digit") << digits.left(63) + 'g' << false;
    QTest::newRow("blank within") << digits.left(32) + ' ' + digits.left(31) << false;
}

void SecretFileTest::keysAreReadStrictly()
{
    QFETCH(const QByteArray, text);
    QFETCH(const bool, valid);
    QCOMPARE(SecretKey::fromHex(text.toStdString()).valid(), valid);
}

void SecretFileTest::passphrasesGiveKeys()
{
    SecretFileHeader header = makeHeader();
    header.scryptCost = 4;  // quick; the cost is in the header
    const Result<SecretKey> key = keyFromPassphrase("correct horse", header);
    QVERIFY(key.ok());
    QVERIFY(key->valid());
    QCOMPARE(keyFromPassphrase("correct horse", header)->bytes(), key->bytes());
    QVERIFY(keyFromPassphrase("correct Horse", header)->bytes() != key->bytes());
    header.salt[0] = 'x';
    QVERIFY(keyFromPassphrase("correct horse", header)->bytes() != key->bytes());
    QVERIFY(SecretFileHeader().scryptCost >= 15);
}

void SecretFileTest::aNewerVersionIsToldAsSuch()
{
    std::string file = *sealSecrets(makeHeader(), {}, SecretKey::random());
    file[7] = 2;
    const Result<SecretFileHeader> header = secretHeader(file);
    QVERIFY(!header.ok());
    QVERIFY(header.error().message.find("newer") != std::string::npos);
}

void SecretFileTest::anImpossibleCostIsRefused()
{
    SecretFileHeader header = makeHeader();
    for (const int cost : {0, 21, 255}) {
        header.scryptCost = cost;
        QVERIFY(!keyFromPassphrase("x", header).ok());
    }
}

OMNI_TEST(SecretFileTest)
#include "secret_file_test.moc"
