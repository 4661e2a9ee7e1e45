#pragma once

#include "base/result.h"

#include <QString>
#include <QStringList>

#include <memory>

namespace omni {

/// Whether the program starts when the user logs in. Always read back from where the system keeps it, never remembered by us: users
/// change it elsewhere too.
class Autostart {
public:
    virtual ~Autostart() = default;
    virtual bool enabled() const = 0;
    /// Storage when it cannot be written.
    virtual Status setEnabled(bool enabled) = 0;
};

/// An entry in `configDir`/autostart, as desktops of freedesktop.org read it. Switched off elsewhere (Hidden=true,
/// X-GNOME-Autostart-enabled=false) counts as off.
class DesktopFileAutostart final : public Autostart {
public:
    /// `program` is an absolute path; `arguments` follow it.
    DesktopFileAutostart(const QString& configDir, QString program, QStringList arguments);
    bool enabled() const override;
    Status setEnabled(bool enabled) override;
    QString filePath() const { return m_file; }

private:
    QString entry() const;

    QString m_file;
    QString m_program;
    QStringList m_arguments;
};

/// For this program on this machine; nullptr where we know no way.
std::unique_ptr<Autostart> makeAutostart(const QStringList& arguments);

}  // namespace omni
