#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <vector>

namespace omni {

/// One request of a demonstration, sent as any program would send it.
struct DemoRequest {
    QString model;
    bool stream = false;
    bool longHead = false;  ///< with a head beyond the proxy's limit
};

/// What "show me" does for a page of the guide.
struct Demonstration {
    enum class Kind : std::uint8_t {
        Requests,  ///< the requests, one after the other
        Breaker,   ///< one failure after the other, until the sandbox's breaker is open
        Combo      ///< a combo is made first, and can be taken away afterwards
    };
    Kind kind = Kind::Requests;
    QString what;  ///< told beside the button, in a sentence or two
    std::vector<DemoRequest> requests;
    QStringList pages;            ///< where it shows: the first of these that there is
    QString object;               ///< to be shown on that page; empty = the last request, where the page lists requests
    QString seen;                 ///< what to look at there
    bool endsConnection = false;  ///< leaves the sandbox's connection in a state that only the user can end
};

/// For one of `helpTopics()`, in the window's language.
Demonstration demonstrationFor(const QString& topic);

}  // namespace omni
