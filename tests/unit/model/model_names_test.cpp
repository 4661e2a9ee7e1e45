#include "model/connection.h"
#include "model/hold.h"
#include "model/provider.h"
#include "model/request_record.h"
#include "model/settings.h"
#include "model/transport_failure.h"
#include "model/wire.h"

#include "program/test_program.h"

#include <QTest>

#include <set>

using namespace omni;

class ModelNamesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyValueHasItsOwnNameThatLeadsBack();
    void spellings_data();
    void spellings();
    void unknownNames();
    void operationsAndDialects_data();
    void operationsAndDialects();
};

namespace {

/// Values 0 … last: each has a name of its own, and the name leads back to it.
template <typename Enum, typename Parse>
void checkRoundTrip(Enum last, Parse parse, bool mayBeEmpty = false)
{
    std::set<std::string> seen;
    for (int i = 0; i <= static_cast<int>(last); ++i) {
        const auto value = static_cast<Enum>(i);
        const std::string name(toString(value));
        QVERIFY2(mayBeEmpty || !name.empty(), qPrintable(QString::number(i)));
        QVERIFY2(seen.insert(name).second, name.c_str());
        const std::optional<Enum> back = parse(name);
        QVERIFY2(back.has_value(), name.c_str());
        QCOMPARE(static_cast<int>(*back), i);
    }
    QVERIFY(toString(static_cast<Enum>(static_cast<int>(last) + 1)).empty());
}

}  // namespace

void ModelNamesTest::everyValueHasItsOwnNameThatLeadsBack()
{
    checkRoundTrip(Operation::CountTokens, operationFromString);
    checkRoundTrip(Dialect::Gemini, dialectFromString);
    checkRoundTrip(ProviderClass::Local, providerClassFromString);
    checkRoundTrip(ProviderCategory::Sandbox, providerCategoryFromString);
    checkRoundTrip(AuthHeader::XGoogApiKey, authHeaderFromString);
    checkRoundTrip(TerminalState::CreditsExhausted, terminalStateFromString, true);
    checkRoundTrip(BreakerState::HalfOpen, breakerStateFromString);
    checkRoundTrip(FailureKind::Transient, failureKindFromString);
    checkRoundTrip(FailureReason::Credits, failureReasonFromString);
    checkRoundTrip(HintSource::Operator, hintSourceFromString);
    checkRoundTrip(Exclusion::ContextWindow, exclusionFromString);
    checkRoundTrip(TransportFailure::EmptyAnswer, transportFailureFromString);
    checkRoundTrip(Outcome::Refused, outcomeFromString);
    checkRoundTrip(Theme::Dark, themeFromString);
}

void ModelNamesTest::spellings_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* tag, std::string_view name, const char* expected) {
        QTest::newRow(tag) << QString::fromUtf8(name.data(), static_cast<int>(name.size())) << QString::fromUtf8(expected);
    };
    row("half-open", toString(BreakerState::HalfOpen), "HALF_OPEN");
    row("degraded", toString(BreakerState::Degraded), "DEGRADED");
    row("quota kind", toString(FailureKind::QuotaExhausted), "quota_exhausted");
    row("rate reason", toString(FailureReason::RateLimitExceeded), "rate_limit_exceeded");
    row("concurrency reason", toString(FailureReason::ConcurrencyLimited), "concurrency_limited");
    row("service reason", toString(FailureReason::ServiceNotRunning), "service_not_running");
    row("typed hint", toString(HintSource::GoogleRpcRetryInfo), "google_rpc_retry_info");
    row("open circuit", toString(Exclusion::CircuitOpen), "circuit_open");
    row("cooling", toString(Exclusion::ConnectionCooldown), "connection_cooldown");
    row("locked model", toString(Exclusion::ModelLockout), "model_lockout");
    row("no state", toString(TerminalState::None), "");
    row("no credit", toString(TerminalState::CreditsExhausted), "credits_exhausted");
    row("api key class", toString(ProviderClass::ApiKey), "apikey");
    row("count tokens", toString(Operation::CountTokens), "count_tokens");
    row("responses dialect", toString(Dialect::OpenAiResponses), "openai-responses");
    row("client gone", toString(Outcome::ClientGone), "client_gone");
}

void ModelNamesTest::spellings()
{
    QFETCH(QString, name);
    QFETCH(QString, expected);
    QCOMPARE(name, expected);
}

void ModelNamesTest::unknownNames()
{
    QVERIFY(!operationFromString("Chat"));
    QVERIFY(!dialectFromString(""));
    QVERIFY(!breakerStateFromString("open"));
    QVERIFY(!failureKindFromString("rate-limit"));
    QVERIFY(!providerClassFromString("api_key"));
    QVERIFY(failureReasonFromString("something later") == FailureReason::Unknown);
    QVERIFY(hintSourceFromString("x") == HintSource::None);
    QVERIFY(exclusionFromString("x") == Exclusion::None);
    QVERIFY(terminalStateFromString("x") == TerminalState::None);
    QVERIFY(transportFailureFromString("x") == TransportFailure::None);
    QVERIFY(outcomeFromString("something later") == Outcome::UpstreamFailed);
}

void ModelNamesTest::operationsAndDialects_data()
{
    QTest::addColumn<int>("operation");
    QTest::addColumn<int>("dialect");
    QTest::addColumn<QString>("path");
    const auto row = [](Operation operation, Dialect dialect, const char* path) {
        QTest::newRow(std::string(toString(operation)).c_str())
            << static_cast<int>(operation) << static_cast<int>(dialect) << QString::fromUtf8(path);
    };
    row(Operation::ChatCompletions, Dialect::OpenAi, "/chat/completions");
    row(Operation::Completions, Dialect::OpenAi, "/completions");
    row(Operation::Embeddings, Dialect::OpenAi, "/embeddings");
    row(Operation::Responses, Dialect::OpenAiResponses, "/responses");
    row(Operation::Messages, Dialect::Anthropic, "/messages");
    row(Operation::CountTokens, Dialect::Anthropic, "/messages/count_tokens");
}

void ModelNamesTest::operationsAndDialects()
{
    QFETCH(int, operation);
    QFETCH(int, dialect);
    QFETCH(QString, path);
    QCOMPARE(static_cast<int>(dialectOf(static_cast<Operation>(operation))), dialect);
    QCOMPARE(QString::fromStdString(std::string(defaultPath(static_cast<Operation>(operation)))), path);
}

OMNI_TEST(ModelNamesTest)
#include "model_names_test.moc"
