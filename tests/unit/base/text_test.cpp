#include "base/clock.h"
#include "base/ids.h"
#include "base/random.h"
#include "base/text.h"

#include "program/test_program.h"

#include <QTest>

#include <set>

using namespace omni;

class TextTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void secretsAreTakenOut_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("secret");
        QTest::newRow("bearer") << QByteArray("Authorization: Bearer abc.DEF-123") << QByteArray("abc.DEF-123");
        QTest::newRow("basic") << QByteArray("proxy-authorization: Basic dXNlcjpwYXNz") << QByteArray("dXNlcjpwYXNz");
        QTest::newRow("header") << QByteArray("x-api-key: 0123456789") << QByteArray("0123456789");
        QTest::newRow("query, O08") << QByteArray("GET https://h/v1?api_key=AIzaShort failed") << QByteArray("AIzaShort");
        QTest::newRow("JSON") << QByteArray("{\"api_key\": \"whatever-1\"}") << QByteArray("whatever-1");
        QTest::newRow("escaped JSON") << QByteArray("{\\\"apiKey\\\":\\\"whatever-2\\\"}") << QByteArray("whatever-2");
        QTest::newRow("OpenAI key in prose") << QByteArray("Incorrect API key provided: sk-proj-abcdefghijklmnop.") << QByteArray("abcdefghijklmnop");
        QTest::newRow("Google key in prose") << QByteArray("key AIzaSyA1234567890abcdefg is invalid") << QByteArray("SyA1234567890abcdefg");
        QTest::newRow("password") << QByteArray("password=hunter2") << QByteArray("hunter2");
    }

    void secretsAreTakenOut()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, secret);
        const std::string redacted = redactSecrets(text.toStdString());
        QVERIFY2(redacted.find(secret.toStdString()) == std::string::npos, redacted.c_str());
        QVERIFY(redacted.find("[redacted]") != std::string::npos);
    }

    void ordinaryTextStays_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("a sentence") << QByteArray("Rate limit reached for gpt-4o in organization on tokens per min.");
        QTest::newRow("a word with the same beginning") << QByteArray("ask sk-1 about the risk-based desk-top");
        QTest::newRow("bengali") << QByteArray("কি ফুরিয়েছে");
        QTest::newRow("empty") << QByteArray("");
    }

    void ordinaryTextStays()
    {
        QFETCH(QByteArray, text);
        QCOMPARE(redactSecrets(text.toStdString()), text.toStdString());
    }

    void clippingNeverCutsACharacter()
    {
        const std::string text = "a\xE0\xA6\x95\xE0\xA6\x96";
        for (std::size_t limit = 0; limit <= text.size(); ++limit) {
            const std::string clipped(clippedUtf8(text, limit));
            QVERIFY(clipped.size() <= limit);
            QVERIFY(QString::fromUtf8(clipped.c_str()).toUtf8().toStdString() == clipped);
        }
    }

    void maskedKeysTellLittle()
    {
        QCOMPARE(maskedSecret("sk-proj-abcdefghijklmnop"), std::string("sk-proj-…mnop"));
        QCOMPARE(maskedSecret("short"), std::string("…"));
        QCOMPARE(maskedSecret(""), std::string());
    }

    void numbersAreWholeOrNone()
    {
        QCOMPARE(parseUnsigned("42").value(), std::uint64_t{42});
        for (const char* bad : {"", " 42", "42 ", "+42", "-1", "4.2", "0x10", "99999999999999999999999"})
            QVERIFY2(!parseUnsigned(bad), bad);
    }

    void hexThereAndBack()
    {
        const std::string bytes = secureRandomBytes(33);
        QCOMPARE(fromHex(toHex(bytes)).value(), bytes);
        QVERIFY(!fromHex("abc"));
        QVERIFY(!fromHex("zz"));
        QCOMPARE(sha256Hex("abc"), std::string("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
    }

    void uuidsAreVersion4AndDiffer()
    {
        std::set<std::string> seen;
        for (int i = 0; i < 1000; ++i) {
            const std::string id = newUuid();
            QCOMPARE(id.size(), std::size_t{36});
            QCOMPARE(id[14], '4');
            QVERIFY(seen.insert(id).second);
        }
    }

    void isoTimes()
    {
        QCOMPARE(toIso8601(fromEpochMillis(0)), std::string("1970-01-01T00:00:00.000Z"));
        QCOMPARE(toIso8601(fromEpochMillis(1'790'000'000'123)), std::string("2026-09-21T14:13:20.123Z"));
        QCOMPARE(toIso8601(fromEpochMillis(-1)), std::string("1969-12-31T23:59:59.999Z"));
    }
};

OMNI_TEST(TextTest)
#include "text_test.moc"
