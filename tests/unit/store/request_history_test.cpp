#include "store_fixture.h"

#include "program/test_program.h"
#include "store/request_history.h"

#include <QFileInfo>
#include <QTest>

#include <functional>
#include <set>

using namespace omni;
using namespace omni::test;

Q_DECLARE_METATYPE(omni::RequestFilter)

namespace {

constexpr int kRows = 12'000;

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// The filter's meaning, said once more, over the records themselves.
bool matches(const RequestRecord& record, const RequestFilter& filter)
{
    if (filter.outcome && record.outcome != *filter.outcome)
        return false;
    if (filter.failuresOnly && record.outcome == Outcome::Answered)
        return false;
    if (!filter.provider.empty() && record.provider != filter.provider)
        return false;
    if (!filter.connection.empty() && record.connection != filter.connection)
        return false;
    if (!filter.model.empty() && record.model != filter.model && record.requestedModel != filter.model)
        return false;
    if ((filter.from && record.startedAt < *filter.from) || (filter.to && record.startedAt > *filter.to))
        return false;
    return filter.text.empty() || contains(record.model, filter.text) || contains(record.requestedModel, filter.text)
           || contains(record.path, filter.text) || contains(record.connectionName, filter.text) || contains(record.error, filter.text)
           || contains(record.id.str(), filter.text);
}

void compareRows(const RequestRecord& a, const RequestRecord& b)
{
    QCOMPARE(a.id.str(), b.id.str());
    QVERIFY(a.startedAt == b.startedAt);
    QCOMPARE(a.method, b.method);
    QCOMPARE(a.path, b.path);
    QVERIFY(a.operation == b.operation);
    QCOMPARE(a.requestedModel, b.requestedModel);
    QCOMPARE(a.model, b.model);
    QCOMPARE(a.combo, b.combo);
    QCOMPARE(a.provider.str(), b.provider.str());
    QCOMPARE(a.connection.str(), b.connection.str());
    QCOMPARE(a.connectionName, b.connectionName);
    QCOMPARE(a.apiKey.str(), b.apiKey.str());
    QCOMPARE(a.apiKeyName, b.apiKeyName);
    QCOMPARE(a.client, b.client);
    QCOMPARE(a.stream, b.stream);
    QCOMPARE(a.status, b.status);
    QVERIFY(a.outcome == b.outcome);
    QCOMPARE(a.error, b.error);
    QCOMPARE(a.durationUs, b.durationUs);
    QCOMPARE(a.addedUs, b.addedUs);
    QCOMPARE(a.firstFrameUs, b.firstFrameUs);
    QCOMPARE(a.requestBytes, b.requestBytes);
    QCOMPARE(a.responseBytes, b.responseBytes);
    QCOMPARE(a.tokensIn, b.tokensIn);
    QCOMPARE(a.tokensOut, b.tokensOut);
    QCOMPARE(a.tokensCached, b.tokensCached);
}

}  // namespace

class RequestHistoryTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();

    void everyFieldOfARecordComesBack();
    void bytesThatAreNotTextDoNoHarm();
    void pagesCoverEverythingOnce_data();
    void pagesCoverEverythingOnce();
    void wildcardsAreOrdinaryLetters();
    void rowsOfOneMillisecondAreAllThere();
    void rowsThatFinishLateAreFoundByTheirStart();
    void aCursorOfTimeAloneWorks();
    void anUnknownRequestIsNotFound();
    void whatConcernsAConnectionIsFound();
    void whatCameInDuringATime();
    void whatCanBeFilteredByIsTold();
    void aReaderNeverHoldsTheLogBack();

private:
    /// Page after page, newest first.
    std::vector<RequestRecord> all(RequestHistory& history, const RequestFilter& filter, int limit)
    {
        std::vector<RequestRecord> records;
        std::optional<RequestHistory::Cursor> next = RequestHistory::Cursor();
        while (next) {
            Result<RequestHistory::Page> page = history.page(filter, *next, limit);
            if (!page)
                qFatal("%s", describe(page.error()).c_str());
            next = page->next;
            for (RequestRecord& record : page->records)
                records.push_back(std::move(record));
        }
        return records;
    }
    std::unique_ptr<RequestHistory> open(const Store& store)
    {
        Result<std::unique_ptr<RequestHistory>> history = RequestHistory::open(store.databasePath());
        if (!history)
            qFatal("%s", describe(history.error()).c_str());
        return std::move(*history);
    }

    StoreFixture m_large;
    std::unique_ptr<Store> m_store;
};

void RequestHistoryTest::initTestCase()
{
    m_store = m_large.open();
    for (int first = 0; first < kRows; first += 500)
        m_store->appendRequests(makeRequests(first, 500));
    QVERIFY(drained(*m_store, kRows));
}

void RequestHistoryTest::everyFieldOfARecordComesBack()
{
    RequestRecord record = makeRequest(7);
    record.outcome = Outcome::Broken;
    record.error = "broke off: “quoted”, বাংলা \\ \" \n end";
    record.combo = "best";
    record.apiKey = ApiKeyId("k1");
    record.apiKeyName = "laptop";
    record.operation = Operation::CountTokens;
    record.stream = true;
    AttemptRecord failed;
    failed.provider = ProviderId("groq");
    failed.connection = ConnectionId("g");
    failed.connectionName = "Groq \"1\"";
    failed.model = "llama";
    failed.reason = FailureReason::RateLimitExceeded;
    failed.status = 429;
    failed.error = "slow down\x01";
    failed.decision = "next target";
    record.attempts.push_back(failed);
    record.excluded = {{ProviderId("zai"), ConnectionId("z"), "Z", "glm", Exclusion::CircuitOpen, 12'345},
                       {ProviderId("a"), ConnectionId(), "", "", Exclusion::AlreadyTried, 0}};
    RequestRecord bare;
    bare.id = RequestId("ffffffffffffffff");
    bare.startedAt = fromEpochMillis(1);

    const StoreFixture fixture;
    const auto store = fixture.open();
    store->appendRequests({record, bare});
    QVERIFY(drained(*store, 2));
    const auto history = open(*store);
    const Result<RequestRecord> got = history->request(record.id);
    QVERIFY(got.ok());
    compareRows(*got, record);
    QCOMPARE(got->attempts.size(), record.attempts.size());
    for (std::size_t i = 0; i < record.attempts.size(); ++i) {
        const AttemptRecord& a = got->attempts[i];
        const AttemptRecord& b = record.attempts[i];
        QCOMPARE(a.provider.str(), b.provider.str());
        QCOMPARE(a.connection.str(), b.connection.str());
        QCOMPARE(a.connectionName, b.connectionName);
        QCOMPARE(a.model, b.model);
        QCOMPARE(a.startedUs, b.startedUs);
        QCOMPARE(a.connectUs, b.connectUs);
        QCOMPARE(a.firstByteUs, b.firstByteUs);
        QCOMPARE(a.firstFrameUs, b.firstFrameUs);
        QCOMPARE(a.totalUs, b.totalUs);
        QCOMPARE(a.status, b.status);
        QCOMPARE(a.success, b.success);
        QVERIFY(a.reason == b.reason);
        QCOMPARE(a.error, b.error);
        QCOMPARE(a.decision, b.decision);
    }
    QCOMPARE(got->excluded.size(), std::size_t{2});
    for (std::size_t i = 0; i < 2; ++i) {
        QCOMPARE(got->excluded[i].provider.str(), record.excluded[i].provider.str());
        QCOMPARE(got->excluded[i].connection.str(), record.excluded[i].connection.str());
        QCOMPARE(got->excluded[i].connectionName, record.excluded[i].connectionName);
        QCOMPARE(got->excluded[i].model, record.excluded[i].model);
        QVERIFY(got->excluded[i].reason == record.excluded[i].reason);
        QCOMPARE(got->excluded[i].remainingMs, record.excluded[i].remainingMs);
    }
    QVERIFY(got->requestHeaders == record.requestHeaders);
    QVERIFY(got->responseHeaders == record.responseHeaders);

    const Result<RequestRecord> plain = history->request(bare.id);
    QVERIFY(plain.ok());
    compareRows(*plain, bare);
    QVERIFY(plain->attempts.empty() && plain->excluded.empty() && plain->requestHeaders.empty());
    // A page is for the list: it carries no detail.
    QVERIFY(history->page({}, {}, 10)->records.at(0).attempts.empty());
}

void RequestHistoryTest::bytesThatAreNotTextDoNoHarm()
{
    RequestRecord record = makeRequest(1);
    record.client = "caf\xE9 \xF0\x9F\x98";
    record.attempts[0].error = "\xED\xA0\x80 cut \xE2\x82";
    record.requestHeaders = {{"x-odd", std::string("a\0b\xC0\xAF", 5)}};
    const StoreFixture fixture;
    const auto store = fixture.open();
    store->appendRequests({record});
    QVERIFY(drained(*store, 1));
    const Result<RequestRecord> got = open(*store)->request(record.id);
    QVERIFY(got.ok());
    QVERIFY(got->client.find("caf") == 0);
    QVERIFY(got->attempts.at(0).error.find(" cut ") != std::string::npos);
    QCOMPARE(got->requestHeaders.at(0).second, std::string("a\0b\xEF\xBF\xBD\xEF\xBF\xBD", 9));
}

void RequestHistoryTest::pagesCoverEverythingOnce_data()
{
    QTest::addColumn<RequestFilter>("filter");
    QTest::addColumn<int>("limit");
    const auto row = [](const char* name, int limit, const std::function<void(RequestFilter&)>& set) {
        RequestFilter filter;
        set(filter);
        QTest::newRow(name) << filter << limit;
    };
    const auto at = [](int number) { return fromEpochMillis(kBaseMillis + std::int64_t{number} * 1'000); };
    row("no filter", 997, [](RequestFilter&) {});
    row("no filter, the page ends with the log", 1'000, [](RequestFilter&) {});
    row("failures only", 100, [](RequestFilter& f) { f.failuresOnly = true; });
    row("one outcome that is a failure", 7, [](RequestFilter& f) { f.outcome = Outcome::UpstreamFailed; });
    row("one outcome that is none", 1'000, [](RequestFilter& f) { f.outcome = Outcome::Answered; });
    row("an outcome that never came", 10, [](RequestFilter& f) { f.outcome = Outcome::Broken; });
    row("provider", 500, [](RequestFilter& f) { f.provider = ProviderId("anthropic"); });
    row("connection", 500, [](RequestFilter& f) { f.connection = makeConnection(3).id; });
    row("model that answered", 500, [](RequestFilter& f) { f.model = "claude-sonnet-4-20250514"; });
    row("model that was asked for", 500, [](RequestFilter& f) { f.model = "openai/gpt-5"; });
    row("from", 500, [at](RequestFilter& f) { f.from = at(11'000); });
    row("to", 500, [at](RequestFilter& f) { f.to = at(1'000); });
    row("from and to are included", 1, [at](RequestFilter& f) { f.from = at(100); f.to = at(103); });
    row("text in the model", 500, [](RequestFilter& f) { f.text = "sonnet"; });
    row("text in the path", 2'000, [](RequestFilter& f) { f.text = "/chat/"; });
    row("text in the connection's name", 500, [](RequestFilter& f) { f.text = "Key 4"; });
    row("text in the error", 500, [](RequestFilter& f) { f.text = "overloaded"; });
    row("text in the id", 10, [](RequestFilter& f) { f.text = makeRequest(5'000).id.str().substr(2, 10); });
    row("text that is nowhere", 10, [](RequestFilter& f) { f.text = "zebra"; });
    row("all at once", 3, [at](RequestFilter& f) {
        f.text = "Key";
        f.failuresOnly = true;
        f.provider = ProviderId("openai");
        f.connection = makeConnection(0).id;
        f.model = "gpt-5";
        f.from = at(2'000);
        f.to = at(9'000);
    });
}

void RequestHistoryTest::pagesCoverEverythingOnce()
{
    QFETCH(const RequestFilter, filter);
    QFETCH(const int, limit);
    std::vector<std::string> expected;
    for (int number = kRows - 1; number >= 0; --number) {
        const RequestRecord record = makeRequest(number);
        if (matches(record, filter))
            expected.push_back(record.id.str());
    }
    const auto history = open(*m_store);
    std::vector<std::string> got;
    for (const RequestRecord& record : all(*history, filter, limit))
        got.push_back(record.id.str());
    QCOMPARE(got.size(), expected.size());
    QVERIFY(got == expected);
    QCOMPARE(*history->count(filter), static_cast<std::int64_t>(expected.size()));
}

void RequestHistoryTest::wildcardsAreOrdinaryLetters()
{
    const StoreFixture fixture;
    const auto store = fixture.open();
    RequestRecord odd = makeRequest(1);
    odd.error = "100% of my_quota \\ used";
    RequestRecord like = makeRequest(2);
    like.error = "1000 of my quota / used";
    store->appendRequests({odd, like});
    QVERIFY(drained(*store, 2));
    const auto history = open(*store);
    for (const char* text : {"100%", "my_quota", "\\ used", "OF MY_QUOTA"}) {
        RequestFilter filter;
        filter.text = text;
        QVERIFY2(*history->count(filter) == 1, text);
    }
}

void RequestHistoryTest::rowsOfOneMillisecondAreAllThere()
{
    const StoreFixture fixture;
    const auto store = fixture.open();
    std::vector<RequestRecord> records = makeRequests(0, 3'000);
    for (RequestRecord& record : records)
        record.startedAt = fromEpochMillis(kBaseMillis);
    store->appendRequests(records);
    QVERIFY(drained(*store, 3'000));
    std::set<std::string> ids;
    for (const RequestRecord& record : all(*open(*store), {}, 7))
        ids.insert(record.id.str());
    QCOMPARE(ids.size(), std::size_t{3'000});
    QCOMPARE(store->statistics().droppedRows, std::int64_t{0});
}

void RequestHistoryTest::rowsThatFinishLateAreFoundByTheirStart()
{
    const StoreFixture fixture;
    const auto store = fixture.open();
    store->appendRequests({makeRequest(2), makeRequest(0), makeRequest(3), makeRequest(1)});
    QVERIFY(drained(*store, 4));
    const std::vector<RequestRecord> records = all(*open(*store), {}, 2);
    QCOMPARE(records.size(), std::size_t{4});
    for (int i = 0; i < 4; ++i)
        QCOMPARE(records[static_cast<std::size_t>(i)].id.str(), makeRequest(3 - i).id.str());
}

void RequestHistoryTest::aCursorOfTimeAloneWorks()
{
    RequestHistory::Cursor cursor;
    cursor.startedAtMs = kBaseMillis + 41'000;
    const auto history = open(*m_store);
    QCOMPARE(history->page({}, cursor, 1)->records.at(0).id.str(), makeRequest(41).id.str());
}

void RequestHistoryTest::anUnknownRequestIsNotFound()
{
    const Result<RequestRecord> record = open(*m_store)->request(RequestId("no such"));
    QVERIFY(!record.ok());
    QVERIFY(record.error().kind == ErrorKind::NotFound);
}

void RequestHistoryTest::whatConcernsAConnectionIsFound()
{
    const StoreFixture fixture;
    auto store = fixture.open();
    std::vector<RequestRecord> records = makeRequests(0, 40);
    const ConnectionId wanted("11111111-2222-4333-8444-555555555555");
    for (RequestRecord& record : records) {
        record.attempts.clear();
        record.excluded.clear();
    }
    AttemptRecord tried;
    tried.connection = wanted;
    tried.status = 429;
    tried.reason = FailureReason::RateLimitExceeded;
    ExcludedTarget leftOut;
    leftOut.connection = wanted;
    leftOut.reason = Exclusion::ConnectionCooldown;
    records[5].attempts = {tried};
    records[20].excluded = {leftOut};
    records[30].attempts = {tried};
    // A text that merely holds the id does not count.
    records[31].error = wanted.str();
    store->appendRequests(records);
    QVERIFY(drained(*store, 40));
    const auto history = open(*store);
    const auto found = history->concerning(wanted, records[6].startedAt, 100);
    QVERIFY(found.ok());
    QCOMPARE(found->size(), std::size_t{2});
    QCOMPARE((*found)[0].id.str(), records[30].id.str());
    QCOMPARE((*found)[0].attempts.at(0).status, 429);
    QCOMPARE((*found)[1].id.str(), records[20].id.str());
    QVERIFY((*found)[1].excluded.at(0).reason == Exclusion::ConnectionCooldown);
    QCOMPARE(history->concerning(wanted, records[0].startedAt, 100)->size(), std::size_t{3});
    QCOMPARE(history->concerning(wanted, records[0].startedAt, 1)->size(), std::size_t{1});
    QVERIFY(history->concerning(ConnectionId("nobody"), records[0].startedAt, 100)->empty());
}

void RequestHistoryTest::whatCameInDuringATime()
{
    const StoreFixture fixture;
    auto store = fixture.open();
    std::vector<RequestRecord> records = makeRequests(0, 40);
    for (std::size_t i = 0; i < records.size(); ++i) {
        records[i].outcome = i == 12 ? Outcome::UpstreamFailed : Outcome::Answered;
        records[i].attempts.assign(i == 14 ? 2 : 1, AttemptRecord());
        records[i].attempts[0].status = i == 14 ? 503 : 200;
    }
    store->appendRequests(records);
    QVERIFY(drained(*store, 40));
    const auto history = open(*store);
    const auto all = history->during(records[10].startedAt, records[19].startedAt, 100);
    QVERIFY(all.ok());
    QCOMPARE(all->size(), std::size_t{10});
    QCOMPARE(all->front().id.str(), records[19].id.str());
    QCOMPARE(all->back().id.str(), records[10].id.str());
    QCOMPARE(all->at(5).attempts.size(), std::size_t{2});
    QCOMPARE(all->at(5).attempts.front().status, 503);
    // Where not all have room, those that went wrong have it.
    const auto some = history->during(records[10].startedAt, records[19].startedAt, 3);
    QCOMPARE(some->size(), std::size_t{3});
    QCOMPARE(some->at(0).id.str(), records[19].id.str());
    QCOMPARE(some->at(1).id.str(), records[14].id.str());
    QCOMPARE(some->at(2).id.str(), records[12].id.str());
    QVERIFY(history->during(records[39].startedAt + Millis(1'000), records[39].startedAt + Millis(2'000), 3)->empty());
}

void RequestHistoryTest::whatCanBeFilteredByIsTold()
{
    const StoreFixture fixture;
    auto store = fixture.open();
    std::vector<RequestRecord> records = makeRequests(0, 12);
    records[3].client = "aider/0.60";
    records[4].client.clear();
    records[5].connection = ConnectionId();
    records[11].connectionName = "renamed";
    store->appendRequests(records);
    QVERIFY(drained(*store, 12));
    const auto history = open(*store);
    const auto names = history->names();
    QVERIFY(names.ok());
    QCOMPARE(names->models, (std::vector<std::string>{"claude-sonnet-4", "claude-sonnet-4-20250514", "gpt-5", "openai/gpt-5"}));
    QCOMPARE(names->clients, (std::vector<std::string>{"OpenAI/Python 1.51.0", "aider/0.60"}));
    QCOMPARE(names->connections.size(), std::size_t{5});
    QVERIFY(names->connections.back().first == records[11].connection);
    QCOMPARE(names->connections.back().second, std::string("renamed"));
    RequestFilter filter;
    filter.client = "aider/0.60";
    QCOMPARE(*history->count(filter), std::int64_t{1});
    QCOMPARE(history->page(filter, {}, 10)->records.front().id.str(), records[3].id.str());
    filter.client = "aider";
    QCOMPARE(*history->count(filter), std::int64_t{0});
}

void RequestHistoryTest::aReaderNeverHoldsTheLogBack()
{
    const StoreFixture fixture;
    auto store = fixture.open();
    store->appendRequests(makeRequests(0, 5'000));
    QVERIFY(drained(*store, 5'000));
    const auto history = open(*store);
    // Stops in the middle of the result.
    QCOMPARE(history->page({}, {}, 3)->records.size(), std::size_t{3});
    QVERIFY(history->request(makeRequest(9).id).ok());
    QCOMPARE(*history->count({}), std::int64_t{5'000});
    QVERIFY(store->close().ok());
    // The closing checkpoint went through although the reader is still connected.
    QCOMPARE(QFileInfo(QString::fromStdString(fixture.database() + "-wal")).size(), qint64{0});
}

OMNI_TEST(RequestHistoryTest)
#include "request_history_test.moc"
