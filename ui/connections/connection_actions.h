#pragma once

#include "control/control.h"

#include <QObject>
#include <QStringList>

#include <deque>
#include <functional>
#include <vector>

namespace omni {

class ConnectionsModel;
class CoreLink;

/// What can be done with connections, as the page's buttons, menu and keys ask for it: told to the core, with its answer as a message.
class ConnectionActions final : public QObject {
    Q_OBJECT

public:
    ConnectionActions(CoreLink& link, ConnectionsModel& model, QObject* parent);

    /// Isolated: no failure of a test changes how requests are routed.
    void test(const std::vector<ConnectionId>& ids);
    /// Those that wait are not begun, those that run are ended in the core.
    void cancelTests();
    bool testing() const { return m_total > 0; }
    void setEnabled(const std::vector<ConnectionId>& ids, bool enabled);
    void duplicate(const std::vector<ConnectionId>& ids);
    void remove(const std::vector<ConnectionId>& ids);
    /// Cooldowns and the locks of models; for a connection that is held for its provider's sake only, the provider's hold.
    void clearCooldowns(const std::vector<ConnectionId>& ids);
    void refreshModels(const std::vector<ConnectionId>& ids);
    void addSandbox();

Q_SIGNALS:
    void messageRaised(const QString& text, std::function<void()> undo = {});
    /// So many of so many tests are through; 0 of 0 = there is nothing under way any more.
    void testsProgressed(int done, int total);
    /// A connection the user should see selected.
    void made(const omni::ConnectionId& id);

private:
    /// So many tests at once; the others wait.
    static constexpr std::size_t kParallelTests = 4;

    void startTests();
    void testAnswered(const ConnectionId& id, const Result<TestReport>& result);
    void tellProgress();
    void endTests();
    void undoRemove(const std::string& token);
    void tell(const Error& error);
    QString nameOf(const ConnectionId& id) const;

    CoreLink& m_link;
    ConnectionsModel& m_model;
    std::deque<ConnectionId> m_waiting;
    std::vector<ConnectionId> m_running;
    TestGroup m_group = newTestGroup();  ///< answers of earlier ones were given up
    int m_total = 0;
    int m_passed = 0;
    QStringList m_failed;
    QString m_lastResult;
};

}  // namespace omni
