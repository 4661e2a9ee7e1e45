#include "ui/shell/autostart.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <QStandardPaths>

#include <algorithm>

namespace omni {

namespace {

const QLatin1String kFileName("omniroute-desktop.desktop");

/// As the Desktop Entry Specification wants an argument of Exec: quoted, with its special characters escaped, and "%" doubled.
QString quoted(const QString& argument)
{
    QString text = argument;
    // Twice: once for the quoting of Exec, once for the value being a string of the file.
    text.replace(QLatin1Char('\\'), QLatin1String("\\\\\\\\"));
    for (const char special : {'"', '`', '$'})
        text.replace(QLatin1Char(special), QLatin1String("\\\\") + QLatin1Char(special));
    text.replace(QLatin1Char('%'), QLatin1String("%%"));
    return QLatin1Char('"') + text + QLatin1Char('"');
}

/// The value of `key` in the [Desktop Entry] group, in lower case.
QString valueOf(const QString& text, QLatin1String key)
{
    bool inGroup = false;
    for (const QString& raw : text.split(QLatin1Char('\n'))) {
        const QString line = raw.trimmed();
        if (line.startsWith(QLatin1Char('[')))
            inGroup = line == QLatin1String("[Desktop Entry]");
        else if (inGroup && line.section(QLatin1Char('='), 0, 0).trimmed() == key)
            return line.section(QLatin1Char('='), 1).trimmed().toLower();
    }
    return {};
}

}  // namespace

DesktopFileAutostart::DesktopFileAutostart(const QString& configDir, QString program, QStringList arguments)
    : m_file(configDir + QStringLiteral("/autostart/") + kFileName), m_program(std::move(program)), m_arguments(std::move(arguments))
{
}

bool DesktopFileAutostart::enabled() const
{
    QFile file(m_file);
    if (!file.open(QIODevice::ReadOnly))
        return false;
    const QString text = QString::fromUtf8(file.readAll());
    return valueOf(text, QLatin1String("Hidden")) != QLatin1String("true") &&
           valueOf(text, QLatin1String("X-GNOME-Autostart-enabled")) != QLatin1String("false") &&
           !valueOf(text, QLatin1String("Exec")).isEmpty();
}

QString DesktopFileAutostart::entry() const
{
    QStringList command{quoted(m_program)};
    std::transform(m_arguments.begin(), m_arguments.end(), std::back_inserter(command), quoted);
    // The delay gives the panel time to bring up its tray.
    return QStringLiteral("[Desktop Entry]\n"
                          "Type=Application\n"
                          "Name=OmniRoute Desktop\n"
                          "Icon=omniroute-desktop\n"
                          "Exec=%1\n"
                          "Terminal=false\n"
                          "X-GNOME-Autostart-enabled=true\n"
                          "X-GNOME-Autostart-Delay=3\n")
        .arg(command.join(QLatin1Char(' ')));
}

Status DesktopFileAutostart::setEnabled(bool enabled)
{
    const auto failed = [this](const QString& why) {
        return Error{ErrorKind::Storage, "The autostart entry " + m_file.toStdString() + " cannot be written: " + why.toStdString()};
    };
    if (!enabled) {
        QFile file(m_file);
        if (file.exists() && !file.remove())
            return failed(file.errorString());
        return {};
    }
    QDir().mkpath(QFileInfo(m_file).path());
    QSaveFile file(m_file);
    if (!file.open(QIODevice::WriteOnly) || file.write(entry().toUtf8()) < 0 || !file.commit())
        return failed(file.errorString());
    return {};
}

std::unique_ptr<Autostart> makeAutostart(const QStringList& arguments)
{
#if defined(Q_OS_LINUX)
    // An AppImage runs from a mount that is gone after a restart; its own path is told in APPIMAGE.
    const QString image = qEnvironmentVariable("APPIMAGE");
    const QString program = image.isEmpty() ? QCoreApplication::applicationFilePath() : image;
    return std::make_unique<DesktopFileAutostart>(QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation), program,
                                                  arguments);
#else
    Q_UNUSED(arguments)
    return nullptr;
#endif
}

}  // namespace omni
