#pragma once

#include "support/runtime_fixture.h"
#include "ui/core_link.h"
#include "ui/models/display_text.h"
#include "ui/shell/autostart.h"
#include "ui/shell/main_window.h"
#include "ui/shell/page_list.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QTest>

#include <memory>

namespace omni::test {

/// Remembers in memory what a desktop would keep in a file.
class FakeAutostart final : public Autostart {
public:
    bool enabled() const override { return on; }
    Status setEnabled(bool enabled) override
    {
        if (!refusal.empty())
            return Error{ErrorKind::Storage, refusal, {}};
        on = enabled;
        return {};
    }

    bool on = false;
    std::string refusal;
};

/// For tests that make their own connections.
inline RuntimeOptions withoutSandbox()
{
    RuntimeOptions options;
    options.offerSandbox = false;
    return options;
}

/// The window with its real pages over a real core.
struct WindowFixture {
    explicit WindowFixture(RuntimeOptions options = {}) : core(std::move(options)) {}

    /// False: `core.error()`. A port that is taken is no failure here.
    bool start()
    {
        if (!core.start() && core.listener().phase != ListenerPhase::Failed)
            return false;
        link = std::make_unique<CoreLink>(core.runtime().control());
        makeWindow();
        return QTest::qWaitFor([this] { return link->ready(); }, 10'000) && QTest::qWaitForWindowActive(window.get());
    }

    void makeWindow()
    {
        window = std::make_unique<MainWindow>(*link, desktopPages(*link, &autostart, core.runtime().databasePath()),
                                              QString::fromStdString(core.dataDir() + "/window.ini"));
        window->bringUp();
    }

    template <typename T>
    T* find(const QString& name) const
    {
        return window->findChild<T*>(name);
    }

    ThemeManager theme{*qApp};
    RuntimeFixture core;
    FakeAutostart autostart;
    std::unique_ptr<CoreLink> link;
    std::unique_ptr<MainWindow> window;
};

}  // namespace omni::test
