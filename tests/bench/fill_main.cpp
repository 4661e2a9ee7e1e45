// omniroute-bench-fill: writes a long request log into the store of a data folder, through the store's own door, so that a start with a
// million rows behind it can be measured. Usage: omniroute-bench-fill DATA_DIR ROWS
#include "base/random.h"
#include "store/store.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <thread>

namespace {

using namespace omni;

constexpr std::int64_t kBatch = 2000;
/// The store drops rows when more than 50,000 wait for the disk.
constexpr std::int64_t kMostQueued = 20'000;

RequestRecord recordOf(std::int64_t number, WallTime at, Random& random)
{
    static constexpr std::array kModels = {"mock/gpt-large", "mock/gpt-small", "mock/claude", "coding"};
    RequestRecord record;
    std::array<char, 17> id{};
    std::snprintf(id.data(), id.size(), "%016llx", static_cast<unsigned long long>(random.next()));
    record.id = RequestId(id.data());
    record.startedAt = at;
    record.method = "POST";
    record.path = "/v1/chat/completions";
    record.operation = Operation::ChatCompletions;
    record.requestedModel = kModels.at(static_cast<std::size_t>(random.below(kModels.size())));
    record.model = record.requestedModel;
    record.provider = ProviderId("openai-compatible-mock");
    record.connection = ConnectionId("connection-" + std::to_string(number % 1000));
    record.connectionName = "Key " + std::to_string(number % 1000);
    record.client = "bench/1.0";
    record.stream = number % 2 == 0;
    const bool failed = random.below(50) == 0;
    record.status = failed ? 503 : 200;
    record.outcome = failed ? Outcome::UpstreamFailed : Outcome::Answered;
    record.error = failed ? "The upstream answered 503." : "";
    record.durationUs = static_cast<std::int64_t>(1'000'000 + random.below(9'000'000));
    record.addedUs = 150;
    record.firstFrameUs = record.durationUs / 4;
    record.requestBytes = static_cast<std::int64_t>(2'000 + random.below(60'000));
    record.responseBytes = static_cast<std::int64_t>(500 + random.below(20'000));
    record.tokensIn = record.requestBytes / 4;
    record.tokensOut = record.responseBytes / 4;
    AttemptRecord attempt;
    attempt.provider = record.provider;
    attempt.connection = record.connection;
    attempt.connectionName = record.connectionName;
    attempt.model = record.model;
    attempt.firstByteUs = attempt.firstFrameUs = record.firstFrameUs;
    attempt.totalUs = record.durationUs;
    attempt.status = record.status;
    attempt.success = !failed;
    record.attempts.push_back(std::move(attempt));
    return record;
}

}  // namespace

int main(int argc, char** argv)
{
    QCoreApplication app(argc, argv);
    const std::int64_t rows = argc == 3 ? std::atoll(argv[2]) : 0;
    if (rows <= 0) {
        std::fprintf(stderr, "usage: omniroute-bench-fill DATA_DIR ROWS\n");
        return 2;
    }
    StoreOptions options;
    options.dataDir = argv[1];
    options.holderName = "omniroute-bench-fill";
    options.maxQueuedRows = 100'000;  // every row counts here
    options.maxQueuedBytes = 256u << 20;
    auto opened = Store::open(options);
    if (!opened) {
        std::fprintf(stderr, "omniroute-bench-fill: %s\n", describe(opened.error()).c_str());
        return 1;
    }
    Store& store = **opened;
    SimulatedRandom random(1);
    const WallTime now = SystemClock().wall();
    for (std::int64_t written = 0; written < rows; written += kBatch) {
        std::vector<RequestRecord> batch;
        for (std::int64_t i = written; i < std::min(rows, written + kBatch); ++i)
            batch.push_back(recordOf(i, now - std::chrono::seconds(rows - i), random));
        while (store.statistics().queuedRows > kMostQueued)
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        store.appendRequests(std::move(batch));
    }
    const Status closed = store.close();
    const StoreStatistics statistics = store.statistics();
    if (!closed || statistics.droppedRows > 0 || statistics.failedWrites > 0) {
        std::fprintf(stderr, "omniroute-bench-fill: %lld rows were lost. %s\n", static_cast<long long>(statistics.droppedRows),
                     closed ? statistics.lastError.c_str() : describe(closed.error()).c_str());
        return 1;
    }
    return 0;
}
