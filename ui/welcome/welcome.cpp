#include "ui/welcome/welcome.h"

#include "ui/welcome/welcome_page.h"

#include <QCoreApplication>

#include <algorithm>
#include <memory>

namespace omni {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(omni::Welcome)
};

bool onlyTheSandbox(const CoreLink& link)
{
    const Configuration& configuration = *link.configuration();
    return std::all_of(configuration.connections.begin(), configuration.connections.end(), [&configuration](const Connection& connection) {
        const Provider* provider = configuration.provider(connection.provider);
        return provider && provider->category == ProviderCategory::Sandbox;
    });
}

}  // namespace

WelcomeState::WelcomeState(const QString& stateFile) : m_memory(stateFile, QSettings::IniFormat) {}

bool WelcomeState::dismissed() const
{
    return m_memory.value(QStringLiteral("hints/welcomed")).toBool();
}

void WelcomeState::dismiss()
{
    m_memory.setValue(QStringLiteral("hints/welcomed"), true);
}

PageEntry welcomePage(CoreLink& link, const std::string& journal, const QString& stateFile)
{
    const auto state = std::make_shared<WelcomeState>(stateFile);
    PageEntry entry;
    entry.id = QStringLiteral("welcome");
    entry.title = [] { return Words::tr("Welcome"); };
    entry.make = [&link, journal, state](QWidget* parent) -> Page* {
        state->begun = true;
        return new WelcomePage(link, journal, state, parent);
    };
    entry.needed = [state](const CoreLink& core) { return !state->dismissed() && (state->begun || onlyTheSandbox(core)); };
    return entry;
}

}  // namespace omni
