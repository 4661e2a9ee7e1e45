// omniroute-shots: pictures of every page, in light and dark, in each language, from a real run. See tests/shots.sh.
#include "composition/process.h"
#include "shots/arabic_sample.h"
#include "shots/photographer.h"
#include "shots/story.h"
#include "ui/core_link.h"
#include "ui/models/display_text.h"
#include "ui/shell/app_icon.h"
#include "ui/shell/autostart.h"
#include "ui/shell/languages.h"
#include "ui/shell/main_window.h"
#include "ui/shell/page_list.h"
#include "ui/theme/theme.h"
#include "ui/welcome/welcome.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QFile>
#include <QLocale>

#include <chrono>
#include <cstdio>
#include <utility>

namespace {

using namespace omni;

/// Nothing that happens in the story says any of this.
constexpr const char* kRules =
    "{\"providerErrorRules\":{\"groq\":[{\"status\":429,\"match\":\"weekly budget\",\"scope\":\"connection\",\"cooldownMs\":86400000},"
    "{\"status\":503,\"match\":\"model is being loaded\",\"scope\":\"model\",\"reason\":\"model_capacity\",\"cooldownMs\":90000}],"
    "\"openrouter\":[{\"status\":502,\"match\":\"maintenance until tomorrow\",\"scope\":\"provider\",\"reason\":\"server_error\","
    "\"cooldownMs\":3600000}]},\"customBannedSignals\":[\"key revoked by the shop\"]}";

class Autostarts final : public Autostart {
public:
    bool enabled() const override { return m_enabled; }
    Status setEnabled(bool enabled) override
    {
        m_enabled = enabled;
        return {};
    }

private:
    bool m_enabled = false;
};

/// A home with a client's settings in it, so that no picture shows the one of whoever takes it.
void furnishHome(const QString& home)
{
    QDir().mkpath(home + QStringLiteral("/.claude"));
    QFile settings(home + QStringLiteral("/.claude/settings.json"));
    if (settings.open(QIODevice::WriteOnly))
        settings.write("{\n  \"model\": \"opus\",\n  \"env\": {\n    \"DISABLE_TELEMETRY\": \"1\"\n  }\n}\n");
    QDir().mkpath(home + QStringLiteral("/.codex"));
    QFile keys(home + QStringLiteral("/.codex/auth.json"));
    if (keys.open(QIODevice::WriteOnly))
        keys.write("{\n  \"OPENAI_API_KEY\": \"sk-proj-madeupforapicture0042\"\n}\n");
    qputenv("GEMINI_API_KEY", "AIzaSyMadeUpForAPicture0017");
    qputenv("HOME", home.toLocal8Bit());
    qunsetenv("XDG_CONFIG_HOME");
}

}  // namespace

int main(int argc, char** argv)
{
    prepareProcess();
    QApplication application(argc, argv);
    QCommandLineParser arguments;
    arguments.addPositionalArgument(QStringLiteral("OUTDIR"), QStringLiteral("Where the pictures go."));
    const QCommandLineOption seconds(QStringLiteral("seconds"), QStringLiteral("How long clients are served first."), QStringLiteral("N"),
                                     QStringLiteral("100"));
    const QCommandLineOption wantedSize(QStringLiteral("size"), QStringLiteral("Of the window."), QStringLiteral("WIDTHxHEIGHT"),
                                        QStringLiteral("1280x800"));
    const QCommandLineOption names(QStringLiteral("only"), QStringLiteral("Beginnings of the wanted pictures' names."),
                                   QStringLiteral("NAME,…"));
    const QCommandLineOption empty(QStringLiteral("empty"), QStringLiteral("The pages of a program in which nothing has happened."));
    const QCommandLineOption rightToLeft(QStringLiteral("right-to-left"), QStringLiteral("Once more in a sample of Arabic."));
    arguments.addOptions({seconds, wantedSize, names, empty, rightToLeft});
    arguments.process(application);
    if (arguments.positionalArguments().size() != 1) {
        std::fputs("One OUTDIR is needed.\n", stderr);
        return 2;
    }
    const QStringList sides = arguments.value(wantedSize).split(QLatin1Char('x'));
    const QString folder = arguments.positionalArguments().constFirst();
    QDir().mkpath(folder);

    RuntimeOptions options;
    options.offerSandbox = false;
    test::RuntimeFixture fixture(options);
    if (!fixture.start()) {
        std::fprintf(stderr, "%s\n", fixture.error().c_str());
        return 1;
    }
    shots::ScriptedUpstream upstream;
    shots::Story story(fixture, upstream);
    const bool played = !arguments.isSet(empty);
    if (played) {
        story.setUp();
        fixture.patchSettings(kRules);
        story.addKeys();
        story.addPast();
    }

    ThemeManager theme(application);
    Languages languages(application);
    QApplication::setWindowIcon(appIcon());
    CoreLink link(fixture.runtime().control());
    Autostarts autostart;
    furnishHome(toQString(fixture.dataDir() + "/home"));
    const QString memory = toQString(fixture.dataDir() + "/window.ini");
    std::vector<PageEntry> pages = desktopPages(link, &autostart, fixture.runtime().databasePath());
    pages.push_back(welcomePage(link, fixture.dataDir() + "/clients.json", memory));
    MainWindow window(link, std::move(pages), memory);
    window.resize(sides.value(0).toInt(), sides.value(1).toInt());
    window.bringUp();
    const auto applyAppearance = [&] {
        const AppearanceSettings& settings = link.configuration()->settings.appearance;
        theme.apply(settings.theme);
        languages.apply(toQString(settings.language));
    };
    const auto appearance = QObject::connect(&link, &CoreLink::configurationChanged, &window, applyAppearance);
    if (played)
        story.play(std::chrono::seconds(arguments.value(seconds).toInt()));

    shots::Photographer photographer(window, {folder, arguments.value(names).split(QLatin1Char(','), Qt::SkipEmptyParts), memory});
    const auto takeAs = [&](const QString& suffix) {
        if (played)
            photographer.takeAll(story, suffix);
        else
            photographer.takeEmpty(QStringLiteral("-empty") + suffix);
    };
    const auto wear = [&fixture](const char* look, const QString& language) {
        fixture.patchSettings(R"({"appearance":{"theme":")" + std::string(look) + R"(","language":")" + language.toStdString() + R"("}})");
    };
    for (const char* look : {"light", "dark"}) {
        for (const Languages::Language& language : Languages::available()) {
            wear(look, language.code);
            takeAs(QLatin1Char('-') + QLatin1String(look) + QLatin1Char('-') + language.code);
        }
    }
    if (arguments.isSet(rightToLeft)) {
        wear("light", QStringLiteral("en"));
        QObject::disconnect(appearance);
        shots::ArabicSample sample;
        QLocale::setDefault(QLocale(QStringLiteral("ar_EG")));
        QApplication::installTranslator(&sample);
        takeAs(QStringLiteral("-light-sample"));
    }
    return 0;
}
