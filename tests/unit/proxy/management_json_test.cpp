#include "proxy/management_json.h"

#include "program/test_program.h"

#include <QTest>

using namespace omni;

class ManagementJsonTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void objectsAreReadStrictly()
    {
        const Json object = {{"name", "n"}, {"flag", true}, {"number", 7}, {"list", {"a", "b"}}, {"null", nullptr}, {"extra", 1}};
        std::vector<FieldError> errors;
        ObjectReader reader(object, errors);
        std::string name;
        bool flag = false;
        int number = 0;
        std::vector<std::string> list;
        std::string untouched = "before";
        QVERIFY(reader.text("name", name));
        QVERIFY(reader.flag("flag", flag));
        QVERIFY(reader.number("number", number));
        QVERIFY(reader.texts("list", list));
        QVERIFY(!reader.text("null", untouched));
        QVERIFY(!reader.text("absent", untouched));
        QVERIFY(errors.empty());
        QCOMPARE(name, std::string("n"));
        QVERIFY(flag);
        QCOMPARE(number, 7);
        QCOMPARE(list, (std::vector<std::string>{"a", "b"}));
        QCOMPARE(untouched, std::string("before"));
        reader.finish();
        QVERIFY(errors == (std::vector<FieldError>{{"extra", "Unknown field."}}));
    }

    void wrongTypesAreNamed_data()
    {
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<QByteArray>("as");
        QTest::newRow("number as text") << QByteArray("5") << QByteArray("text");
        QTest::newRow("text as flag") << QByteArray("\"true\"") << QByteArray("flag");
        QTest::newRow("fraction as number") << QByteArray("1.5") << QByteArray("number");
        QTest::newRow("2^31 as number") << QByteArray("2147483648") << QByteArray("number");
        QTest::newRow("-2^31-1 as number") << QByteArray("-2147483649") << QByteArray("number");
        QTest::newRow("2^64-1 as number") << QByteArray("18446744073709551615") << QByteArray("number");
        QTest::newRow("text as list") << QByteArray("\"a\"") << QByteArray("list");
        QTest::newRow("mixed list") << QByteArray("[\"a\",1]") << QByteArray("list");
        QTest::newRow("word as time") << QByteArray("\"soon\"") << QByteArray("time");
        QTest::newRow("negative time") << QByteArray("-1") << QByteArray("time");
    }

    void wrongTypesAreNamed()
    {
        QFETCH(QByteArray, value);
        QFETCH(QByteArray, as);
        const Json object = {{"field", Json::parse(value.toStdString())}};
        std::vector<FieldError> errors;
        ObjectReader reader(object, errors, "outer");
        std::string text;
        bool flag = false;
        int number = 42;
        std::vector<std::string> list;
        std::optional<WallTime> time;
        if (as == "text")
            reader.text("field", text);
        else if (as == "flag")
            reader.flag("field", flag);
        else if (as == "number")
            reader.number("field", number);
        else if (as == "list")
            reader.texts("field", list);
        else
            reader.clearable("field", time);
        reader.finish();
        QCOMPARE(errors.size(), std::size_t(1));
        QCOMPARE(errors[0].field, std::string("outer.field"));
        QCOMPARE(number, 42);
        QVERIFY(!time);
    }

    void nullClearsWhatCanBeCleared()
    {
        const Json object = {{"limit", nullptr}, {"flag", nullptr}, {"time", nullptr}};
        std::vector<FieldError> errors;
        ObjectReader reader(object, errors);
        std::optional<int> limit = 5;
        std::optional<bool> flag = true;
        std::optional<WallTime> time = fromEpochMillis(1);
        QVERIFY(reader.clearable("limit", limit) && reader.clearable("flag", flag) && reader.clearable("time", time));
        reader.finish();
        QVERIFY(!limit && !flag && !time);
        QVERIFY(errors.empty());
    }

    void whatIsNoObjectIsToldOnce()
    {
        const Json list = Json::array({1});
        std::vector<FieldError> errors;
        ObjectReader reader(list, errors);
        std::string text;
        QVERIFY(!reader.text("a", text));
        QVERIFY(!reader.has("a"));
        reader.finish();
        QCOMPARE(errors.size(), std::size_t(1));
        QCOMPARE(errors[0].field, std::string("body"));
    }

    void readOnlyFieldsAreRefused()
    {
        const Json object = {{"id", "x"}};
        std::vector<FieldError> errors;
        ObjectReader reader(object, errors);
        reader.readOnly({"id", "createdAt"});
        reader.finish();
        QCOMPARE(errors.size(), std::size_t(1));
        QCOMPARE(errors[0].field, std::string("id"));
    }

    void queries()
    {
        std::vector<FieldError> errors;
        QueryReader query("a=1&b=x%2Fy+z&a=2&flag&off=false&&n=10&bad=-1&odd", errors);
        QCOMPARE(query.text("a"), std::string("2"));
        QCOMPARE(query.text("b"), std::string("x/y z"));
        QVERIFY(query.flag("flag"));
        QVERIFY(!query.flag("off"));
        QVERIFY(!query.flag("absent"));
        QCOMPARE(query.number("n", 1, 10, 5), 10);
        QCOMPARE(query.number("absent", 1, 10, 5), 5);
        QVERIFY(errors.empty());
        QCOMPARE(query.number("bad", 0, 10, 5), 5);
        QCOMPARE(errors.size(), std::size_t(1));
        query.finish();
        QCOMPARE(errors.size(), std::size_t(2));
        QCOMPARE(errors[1].field, std::string("odd"));
    }

    void percentDecoding_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("expected");
        QTest::newRow("plain") << QByteArray("abc") << QByteArray("abc");
        QTest::newRow("slash") << QByteArray("a%2Fb%2fc") << QByteArray("a/b/c");
        QTest::newRow("cut short") << QByteArray("a%2") << QByteArray("a%2");
        QTest::newRow("no hex") << QByteArray("a%zzb") << QByteArray("a%zzb");
        QTest::newRow("percent itself") << QByteArray("100%25") << QByteArray("100%");
        QTest::newRow("plus in a path") << QByteArray("a+b") << QByteArray("a+b");
    }

    void percentDecoding()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, expected);
        QCOMPARE(QByteArray::fromStdString(percentDecoded(text.toStdString())), expected);
    }

    void times_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<qlonglong>("millis");
        QTest::newRow("UTC") << QByteArray("2026-11-29T23:00:45.123Z") << 1'795'993'245'123LL;
        QTest::newRow("offset") << QByteArray("2026-11-30T00:00:45.123+01:00") << 1'795'993'245'123LL;
        QTest::newRow("no zone is UTC") << QByteArray("2026-11-29T23:00:45") << 1'795'993'245'000LL;
        QTest::newRow("millis") << QByteArray("1795993245123") << 1'795'993'245'123LL;
        QTest::newRow("nonsense") << QByteArray("tomorrow") << -1LL;
        QTest::newRow("beyond the calendar") << QByteArray("999999999999999999") << -1LL;
        QTest::newRow("empty") << QByteArray("") << -1LL;
    }

    void times()
    {
        QFETCH(QByteArray, text);
        QFETCH(qlonglong, millis);
        const std::optional<WallTime> time = parseTime(text.toStdString());
        QCOMPARE(time ? epochMillis(*time) : -1, millis);
    }

    void userInfo_data()
    {
        QTest::addColumn<QByteArray>("url");
        QTest::addColumn<QByteArray>("expected");
        QTest::newRow("none") << QByteArray("https://host/v1") << QByteArray("https://host/v1");
        QTest::newRow("user and password") << QByteArray("http://u:p@host:8080") << QByteArray("http://host:8080");
        QTest::newRow("at sign in a password") << QByteArray("http://u:p@q@host/a") << QByteArray("http://host/a");
        QTest::newRow("at sign in a path") << QByteArray("http://host/a@b") << QByteArray("http://host/a@b");
        QTest::newRow("no scheme") << QByteArray("host") << QByteArray("host");
    }

    void userInfo()
    {
        QFETCH(QByteArray, url);
        QFETCH(QByteArray, expected);
        QCOMPARE(QByteArray::fromStdString(withoutUserInfo(url.toStdString())), expected);
    }

    void brokenUtf8CanBeDumped()
    {
        QVERIFY(dumpJson({{"a", "\xff"}}).find("a") != std::string::npos);
    }
};

OMNI_TEST(ManagementJsonTest)
#include "management_json_test.moc"
