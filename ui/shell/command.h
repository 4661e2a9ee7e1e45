#pragma once

#include <QString>

#include <functional>

namespace omni {

/// Something the command palette offers.
struct Command {
    QString id;        ///< stable, by which the recently used ones are known: "connections/<id>"; never a secret
    QString title;     ///< "Groq · work key"
    QString detail;    ///< quiet words beside it, searched too: "Connections"
    QString keys;      ///< its keyboard shortcut as the platform writes it; empty = none
    QString keywords;  ///< searched, but not shown
    std::function<void()> run;
};

}  // namespace omni
