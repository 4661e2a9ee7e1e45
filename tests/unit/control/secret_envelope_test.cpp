#include "control/secret_envelope.h"

#include "program/test_program.h"

#include <nlohmann/json.hpp>

#include <QTest>

using namespace omni;

class SecretEnvelopeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void opensWithTheSamePassphrase();
    void hidesTheText();
    void isDifferentEachTime();
    void refusesWhatDoesNotFit_data();
    void refusesWhatDoesNotFit();
};

void SecretEnvelopeTest::opensWithTheSamePassphrase()
{
    const std::string plain = "{\"sk-secret\":\"\xe0\xa6\x95\"}";
    const auto sealed = sealText(plain, "correct horse");
    QVERIFY(sealed.ok());
    const auto opened = openText(*sealed, "correct horse");
    QVERIFY(opened.ok());
    QCOMPARE(*opened, plain);
    const auto wrong = openText(*sealed, "correct hors");
    QVERIFY(!wrong.ok());
    QVERIFY(wrong.error().kind == ErrorKind::Secret);
}

void SecretEnvelopeTest::hidesTheText()
{
    const auto sealed = sealText("a-very-visible-text", "p");
    QVERIFY(sealed->dump().find("visible") == std::string::npos);
}

void SecretEnvelopeTest::isDifferentEachTime()
{
    const auto one = sealText("text", "p"), two = sealText("text", "p");
    QVERIFY(one->at("salt") != two->at("salt"));
    QVERIFY(one->at("nonce") != two->at("nonce"));
    QVERIFY(one->at("data") != two->at("data"));
}

void SecretEnvelopeTest::refusesWhatDoesNotFit_data()
{
    QTest::addColumn<QString>("field");
    QTest::addColumn<QString>("value");
    QTest::addColumn<int>("kind");
    const auto row = [](const char* name, const char* field, const char* value, ErrorKind kind) {
        QTest::newRow(name) << QString::fromUtf8(field) << QString::fromUtf8(value) << static_cast<int>(kind);
    };
    row("another way to derive", "kdf", "\"pbkdf2\"", ErrorKind::InvalidArgument);
    row("another cipher", "cipher", "\"aes-256-cbc\"", ErrorKind::InvalidArgument);
    row("cost is no power of two", "cost", "1000", ErrorKind::InvalidArgument);
    row("cost beyond all memory", "cost", "1099511627776", ErrorKind::InvalidArgument);
    row("block beyond all memory", "blockSize", "9223372036854775807", ErrorKind::InvalidArgument);
    row("no block", "blockSize", "0", ErrorKind::InvalidArgument);
    row("negative cost", "cost", "-1", ErrorKind::InvalidArgument);
    row("salt too short", "salt", "\"00\"", ErrorKind::InvalidArgument);
    row("nonce of another length", "nonce", "\"0011\"", ErrorKind::InvalidArgument);
    row("tag is no hex", "tag", "\"xyz\"", ErrorKind::InvalidArgument);
    row("data is a number", "data", "5", ErrorKind::InvalidArgument);
    row("data changed", "data", "\"00112233\"", ErrorKind::Secret);
    row("tag changed", "tag", "\"00112233445566778899aabbccddeeff\"", ErrorKind::Secret);
}

void SecretEnvelopeTest::refusesWhatDoesNotFit()
{
    QFETCH(QString, field);
    QFETCH(QString, value);
    QFETCH(int, kind);
    auto sealed = sealText("text", "p");
    (*sealed)[field.toStdString()] = nlohmann::json::parse(value.toStdString());
    const auto opened = openText(*sealed, "p");
    QVERIFY(!opened.ok());
    QCOMPARE(static_cast<int>(opened.error().kind), kind);
}

OMNI_TEST(SecretEnvelopeTest)
#include "secret_envelope_test.moc"
