#pragma once

#include "shots/scripted_upstream.h"
#include "support/runtime_fixture.h"

#include <QNetworkAccessManager>
#include <QObject>
#include <QTimer>

#include <chrono>
#include <initializer_list>
#include <utility>

namespace omni::shots {

/// What the pictures tell: a handful of connections, clients that ask steadily through the real proxy, one provider that breaks down in
/// the middle, one that half does, keys that run out. Everything on the pictures is what the program made of it.
class Story final : public QObject {
    Q_OBJECT

public:
    Story(test::RuntimeFixture& fixture, ScriptedUpstream& upstream);

    /// Connections and combos.
    void setUp();
    /// Clients' keys, each with limits of its own; the story's clients send none.
    void addKeys();
    /// What the store would hold had the program run for a month, and prices for some of it.
    void addPast();
    /// Traffic until `length` has passed. A breaker counts one failure in 5 s, so below about 100 s it does not open.
    void play(std::chrono::seconds length);
    /// Cooldowns of seconds are set anew, so that they stand on the next picture.
    void freshen();

private:
    void addConnection(const char* provider, const char* name, int priority = 1, bool enabled = true, bool rests = true);
    /// Providers and models, in the order of trying.
    void addCombo(const char* name, std::initializer_list<std::pair<const char*, const char*>> targets);
    void ask(const char* path, const QByteArray& model, bool stream, const char* client);
    void askAny();

    test::RuntimeFixture& m_fixture;
    ScriptedUpstream& m_upstream;
    QNetworkAccessManager m_network;
    QTimer m_pace;
    bool m_moonshotAsked = true;
};

}  // namespace omni::shots
