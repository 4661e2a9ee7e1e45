#include "ui/help/demonstration.h"

#include <QCoreApplication>

namespace omni {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(omni::Demonstration)
};

QStringList pages(std::initializer_list<const char*> names)
{
    QStringList list;
    for (const char* name : names)
        list << QLatin1String(name);
    return list;
}

DemoRequest ask(const char* model)
{
    return {QLatin1String(model)};
}

DemoRequest streamed(const char* model)
{
    return {QLatin1String(model), true};
}

}  // namespace

Demonstration demonstrationFor(const QString& topic)
{
    Demonstration demo;
    if (topic == QLatin1String("breaker")) {
        demo.kind = Demonstration::Kind::Breaker;
        demo.what = Words::tr(
            "Asks for sandbox/503 again and again, which fails like a server that is down, until the breaker of the sandbox is open. "
            "Between two requests it ends the cooldown of the connection, which would keep the next one back. "
            "Failures count once in five seconds, so this takes about a minute.");
        demo.requests = {ask("sandbox/503")};
        demo.pages = pages({"overview"});
        demo.seen = Words::tr("The sandbox's breaker is open. Its band has turned red, and its countdown runs.");
    } else if (topic == QLatin1String("cooldown")) {
        demo.what = Words::tr("Asks for a model that answers with 429 and “come back in 30 seconds”. The connection rests that long.");
        demo.requests = {ask("sandbox/rate-limited?seconds=30")};
        demo.pages = pages({"cooldowns", "connections"});
        demo.seen = Words::tr("The sandbox rests for 30 seconds.");
    } else if (topic == QLatin1String("lockout")) {
        demo.what = Words::tr("Asks for a model that is not there, and then for one that is. Only the first is locked.");
        demo.requests = {ask("sandbox/404-model"), ask("sandbox/ok")};
        demo.pages = pages({"lockouts", "overview"});
        demo.seen = Words::tr("One model of the sandbox is locked; the connection goes on serving the others.");
    } else if (topic == QLatin1String("terminal")) {
        demo.what =
            Words::tr("Asks for a model that answers “your account has been deactivated”. The sandbox is then out of service until you "
                      "end that, with the button of the message below.");
        demo.requests = {ask("sandbox/banned")};
        demo.pages = pages({"connections"});
        demo.seen = Words::tr("The sandbox is banned now. No time ends that; you can.");
        demo.endsConnection = true;
    } else if (topic == QLatin1String("hints")) {
        demo.what =
            Words::tr("Asks for a model that names the end of its limit only in a header of Anthropic's kind, 45 seconds from now.");
        demo.requests = {ask("sandbox/reset-header-iso?seconds=45")};
        demo.pages = pages({"overview"});
        demo.seen = Words::tr("The sandbox rests until the moment that was named. “Why?” tells where it was read.");
    } else if (topic == QLatin1String("combos")) {
        demo.kind = Demonstration::Kind::Combo;
        demo.what = Words::tr(
            "Makes a combo “show-me” of two targets, sandbox/404-model and sandbox/ok, and asks for it. The first fails; the second "
            "answers.");
        demo.requests = {ask("show-me")};
        demo.pages = pages({"requests"});
        demo.seen = Words::tr("Both attempts stand in the request, and the program saw only the good one.");
    } else if (topic == QLatin1String("sandbox")) {
        demo.what = Words::tr("Asks for an answer at once, and for one that comes word by word.");
        demo.requests = {ask("sandbox/ok"), streamed("sandbox/slow-stream?ms=60&chunks=30")};
        demo.pages = pages({"requests"});
        demo.seen = Words::tr("The newest requests are these. Their waterfalls show where the time went.");
    } else if (topic == QLatin1String("limits")) {
        demo.what = Words::tr("Sends a request whose head is longer than allowed. It is refused with 431 before any provider is asked.");
        demo.requests = {{QStringLiteral("sandbox/ok"), false, true}};
        demo.pages = pages({"settings"});
        demo.object = QStringLiteral("proxy");
        demo.seen = Words::tr("The proxy answered HTTP 431. The limit stands here, as “Largest request head”.");
    } else if (topic == QLatin1String("errors")) {
        demo.what =
            Words::tr("Asks for a model nobody has, for one that finds the request at fault, and for one that breaks off in the middle.");
        demo.requests = {ask("sandbox-show-me/no-such-model"), ask("sandbox/400"), streamed("sandbox/error-mid-stream")};
        demo.pages = pages({"requests"});
        demo.seen = Words::tr("The newest three requests are these errors, each with its story.");
    } else {
        demo.what = Words::tr("Sends one request to the sandbox, the way any program would.");
        demo.requests = {ask("sandbox/echo")};
        demo.pages = pages({"requests"});
        demo.seen = Words::tr("The newest request is this one.");
    }
    return demo;
}

}  // namespace omni
