#include "ui/clients/client_text.h"

#include <QCoreApplication>

namespace omni {

using namespace client_setup;

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(omni::ClientText)
};

}  // namespace

StateLook standingLook(const Client& client, const ClientFacts& facts, const Colours& colours)
{
    if (!client.settable())
        return {colours.mutedText, QStringLiteral("○"), Words::tr("not served yet")};
    switch (facts.standing.kind) {
    case Standing::Kind::Here: return {colours.good, QStringLiteral("●"), Words::tr("points here")};
    case Standing::Kind::Elsewhere: return {colours.warn, QStringLiteral("▲"), Words::tr("points elsewhere")};
    case Standing::Kind::Unreadable: return {colours.bad, QStringLiteral("✕"), Words::tr("file cannot be read")};
    case Standing::Kind::NotSetUp: break;
    }
    return {colours.mutedText, QStringLiteral("○"), client.ownFile ? Words::tr("not set up") : Words::tr("set up by project")};
}

QString speechOf(Operation operation)
{
    switch (operation) {
    case Operation::ChatCompletions: return Words::tr("OpenAI chat completions");
    case Operation::Completions: return Words::tr("OpenAI completions");
    case Operation::Embeddings: return Words::tr("OpenAI embeddings");
    case Operation::Responses: return Words::tr("OpenAI responses");
    case Operation::Messages: return Words::tr("Anthropic messages");
    case Operation::CountTokens: return Words::tr("Anthropic token counts");
    }
    return {};
}

QString afterSetUp(const Client& client)
{
    switch (client.tool) {
    case Tool::Cline:
    case Tool::Continue: return Words::tr("Restart the editor so that it reads its settings anew.");
    case Tool::OpenAiSdk:
    case Tool::AnthropicSdk: return Words::tr("Programs that load the project's .env ask here from their next start.");
    case Tool::ClaudeCode:
    case Tool::Codex:
    case Tool::Aider:
    case Tool::OpenCode:
    case Tool::GeminiCli: break;
    }
    return Words::tr("It asks here from its next start.");
}

QString missingFor(const Client& client)
{
    if (client.tool != Tool::GeminiCli)
        return {};
    return Words::tr("Gemini CLI asks in Google's own format (generateContent), which this proxy does not translate yet. Pointed here, every "
                     "one of its requests would be refused, so there is nothing to set up. With a Gemini key under Connections, the clients here "
                     "that speak OpenAI chat completions can use Gemini's models.");
}

QString remarkOn(const Client& client)
{
    switch (client.tool) {
    case Tool::ClaudeCode:
        return Words::tr(
            "What settings.json says beats the variables of your shell. Without a model it asks for its own, which an Anthropic "
            "connection knows.");
    case Tool::Cline: return Words::tr("For Cline in a terminal, and for editors whose Cline keeps its settings in ~/.cline.");
    case Tool::OpenAiSdk:
    case Tool::AnthropicSdk:
        return Words::tr(
            "The SDK reads its environment. A .env file is read by python-dotenv, node --env-file, Docker Compose and others.");
    case Tool::Codex:
    case Tool::Continue:
    case Tool::Aider:
    case Tool::OpenCode:
    case Tool::GeminiCli: break;
    }
    return {};
}

}  // namespace omni
