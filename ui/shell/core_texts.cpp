#include "ui/shell/core_texts.h"

#include <QCoreApplication>

namespace omni {

namespace {

/// Qt's own texts that users of this program meet in dialogs and menus of inputs. Qt translates them itself where its translations have the
/// language (no Bengali in 6.4); ours are looked up first.
[[maybe_unused]] constexpr const char* kQtTexts[] = {
    QT_TRANSLATE_NOOP("QPlatformTheme", "OK"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Save"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Open"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "&Yes"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "&No"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Cancel"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Close"),
    QT_TRANSLATE_NOOP("QLineEdit", "&Undo"),
    QT_TRANSLATE_NOOP("QLineEdit", "&Redo"),
    QT_TRANSLATE_NOOP("QLineEdit", "Cu&t"),
    QT_TRANSLATE_NOOP("QLineEdit", "&Copy"),
    QT_TRANSLATE_NOOP("QLineEdit", "&Paste"),
    QT_TRANSLATE_NOOP("QLineEdit", "Delete"),
    QT_TRANSLATE_NOOP("QLineEdit", "Select All"),
    QT_TRANSLATE_NOOP("QWidgetTextControl", "&Undo"),
    QT_TRANSLATE_NOOP("QWidgetTextControl", "&Redo"),
    QT_TRANSLATE_NOOP("QWidgetTextControl", "Cu&t"),
    QT_TRANSLATE_NOOP("QWidgetTextControl", "&Copy"),
    QT_TRANSLATE_NOOP("QWidgetTextControl", "Copy &Link Location"),
    QT_TRANSLATE_NOOP("QWidgetTextControl", "&Paste"),
    QT_TRANSLATE_NOOP("QWidgetTextControl", "Delete"),
    QT_TRANSLATE_NOOP("QWidgetTextControl", "Select All"),
    QT_TRANSLATE_NOOP("QFileDialog", "Look in:"),
    QT_TRANSLATE_NOOP("QFileDialog", "Back"),
    QT_TRANSLATE_NOOP("QFileDialog", "Go back"),
    QT_TRANSLATE_NOOP("QFileDialog", "Forward"),
    QT_TRANSLATE_NOOP("QFileDialog", "Go forward"),
    QT_TRANSLATE_NOOP("QFileDialog", "Parent Directory"),
    QT_TRANSLATE_NOOP("QFileDialog", "Go to the parent directory"),
    QT_TRANSLATE_NOOP("QFileDialog", "Create New Folder"),
    QT_TRANSLATE_NOOP("QFileDialog", "Create a New Folder"),
    QT_TRANSLATE_NOOP("QFileDialog", "List View"),
    QT_TRANSLATE_NOOP("QFileDialog", "Change to list view mode"),
    QT_TRANSLATE_NOOP("QFileDialog", "Detail View"),
    QT_TRANSLATE_NOOP("QFileDialog", "Change to detail view mode"),
    QT_TRANSLATE_NOOP("QFileDialog", "File &name:"),
    QT_TRANSLATE_NOOP("QFileDialog", "Files of type:"),
    QT_TRANSLATE_NOOP("QFileDialog", "&Open"),
    QT_TRANSLATE_NOOP("QFileSystemModel", "Name"),
    QT_TRANSLATE_NOOP("QFileSystemModel", "Size"),
    QT_TRANSLATE_NOOP("QFileSystemModel", "Type"),
    QT_TRANSLATE_NOOP("QFileSystemModel", "Kind"),
    QT_TRANSLATE_NOOP("QFileSystemModel", "Date Modified"),
    QT_TRANSLATE_NOOP("QFileSystemModel", "My Computer"),
    QT_TRANSLATE_NOOP("QFileSystemModel", "Computer"),
};

}  // namespace

const std::vector<const char*>& coreTexts()
{
    static const std::vector<const char*> texts{
        QT_TRANSLATE_NOOP("omni::core", "A combo has this name."),
        QT_TRANSLATE_NOOP("omni::core", "A model is needed."),
        QT_TRANSLATE_NOOP("omni::core", "A name is needed."),
        QT_TRANSLATE_NOOP("omni::core", "From 0 to 100,000 dollars."),
        QT_TRANSLATE_NOOP("omni::core", "The price was not saved."),
        QT_TRANSLATE_NOOP("omni::core", "An IPv6 address must stand in brackets, like http://[::1]:8080."),
        QT_TRANSLATE_NOOP("omni::core", "Another connection of this provider has this name."),
        QT_TRANSLATE_NOOP("omni::core", "Another endpoint has this name."),
        QT_TRANSLATE_NOOP("omni::core", "Another key has this name."),
        QT_TRANSLATE_NOOP("omni::core", "At most 100 characters on one line."),
        QT_TRANSLATE_NOOP("omni::core", "At most 100 characters."),
        QT_TRANSLATE_NOOP("omni::core", "At most 300 characters."),
        QT_TRANSLATE_NOOP("omni::core", "Choose a provider."),
        QT_TRANSLATE_NOOP("omni::core", "Line breaks and control characters are not allowed."),
        QT_TRANSLATE_NOOP("omni::core", "No complete answer within 10 seconds."),
        QT_TRANSLATE_NOOP("omni::core", "The address has no readable scheme; begin it with https:// or http://."),
        QT_TRANSLATE_NOOP("omni::core", "The address has no scheme; begin it with https:// or http://."),
        QT_TRANSLATE_NOOP("omni::core", "The address holds a blank or a control character."),
        QT_TRANSLATE_NOOP("omni::core", "The address is empty."),
        QT_TRANSLATE_NOOP("omni::core", "The address is longer than 2048 characters."),
        QT_TRANSLATE_NOOP("omni::core", "The address names no host."),
        QT_TRANSLATE_NOOP("omni::core", "The bracket around the IPv6 address is not closed."),
        QT_TRANSLATE_NOOP("omni::core", "The host looks like an IP address and is none; write it as four numbers, like 192.168.1.20."),
        QT_TRANSLATE_NOOP("omni::core", "The host name has an empty or overlong part."),
        QT_TRANSLATE_NOOP("omni::core", "The host name is longer than 253 characters."),
        QT_TRANSLATE_NOOP("omni::core", "The port after the host must be a number from 1 to 65535."),
        QT_TRANSLATE_NOOP("omni::core", "The settings cannot be used"),
        QT_TRANSLATE_NOOP("omni::core", "This connection belongs to another provider."),
        QT_TRANSLATE_NOOP("omni::core", "This connection does not exist."),
        QT_TRANSLATE_NOOP("omni::core", "This provider needs a base URL."),
        QT_TRANSLATE_NOOP("omni::core", "This provider offers nothing that can be tested."),
        QT_TRANSLATE_NOOP("omni::core", "This upstream has no model list. Name a default model to test it with."),
        QT_TRANSLATE_NOOP("omni::core", "What stands in brackets is not an IPv6 address."),
        QT_TRANSLATE_NOOP("omni::core", "retried on a fresh connection"),
        QT_TRANSLATE_NOOP("omni::core", "passed on"),
        QT_TRANSLATE_NOOP("omni::core", "next target"),
        QT_TRANSLATE_NOOP("omni::core", "no target left"),
        QT_TRANSLATE_NOOP("omni::core", "told as an error: the answer had begun"),
        QT_TRANSLATE_NOOP("omni::core", "cancelled: the client left"),
        QT_TRANSLATE_NOOP("omni::core", "A prefix is needed: clients write it before the model, as in \"prefix/model\"."),
        QT_TRANSLATE_NOOP("omni::core", "A base URL is needed, such as \"https://host/v1\"."),
    };
    return texts;
}

}  // namespace omni
