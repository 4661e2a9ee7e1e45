#pragma once

#include "gui/window_fixture.h"
#include "support/http_client.h"
#include "ui/shell/tray_backend.h"

#include <QMenu>
#include <QStringList>

namespace omni::test {

/// A tray that is only remembered.
class FakeTray final : public TrayBackend {
public:
    void start(QMenu* given) override { menu = given; }
    bool present() const override { return there; }
    void setIcon(const QIcon& icon) override
    {
        ++icons;
        lastIcon = icon.cacheKey();
    }
    void setToolTip(const QString& text) override { toolTip = text; }
    void notify(const QString& title, const QString& text) override { notifications << title + QLatin1Char('|') + text; }

    QMenu* menu = nullptr;
    bool there = true;
    int icons = 0;
    qint64 lastIcon = 0;
    QString toolTip;
    QStringList notifications;
};

/// Has the proxy ask a model of the sandbox, which answers as its name says.
inline int ask(const WindowFixture& f, const std::string& model)
{
    HttpClient client(f.core.port());
    return client.postJson("/v1/chat/completions", R"({"model":"sandbox/)" + model + R"(","messages":[{"role":"user","content":"hi"}]})")
        .status;
}

/// An entry or a submenu of `menu`, by its object name.
inline QAction* actionNamed(QMenu& menu, const char* name)
{
    for (QAction* action : menu.actions()) {
        if (action->objectName() == QLatin1String(name))
            return action;
        if (action->menu() && action->menu()->objectName() == QLatin1String(name))
            return action;
    }
    return nullptr;
}

}  // namespace omni::test
