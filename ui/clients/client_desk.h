#pragma once

#include "control/background_work.h"
#include "control/client_setup/client_files.h"
#include "control/client_setup/clients.h"

#include <QHash>
#include <QMetaType>
#include <QObject>
#include <QString>

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace omni {

/// What the disk says of one client.
struct ClientFacts {
    client_setup::Standing standing;
    std::string installed;                                  ///< path; empty = not found
    std::optional<client_setup::AppliedChange> lastChange;  ///< ours, that can be taken back
};

/// Reads and writes the clients' files in threads of its own, so that no window waits for the disk; one thing at a time, in the order
/// asked. Answers come in the GUI thread.
class ClientDesk final : public QObject {
    Q_OBJECT

public:
    using Files = std::vector<client_setup::PlannedFile>;

    /// `journal`: the file that remembers what was written.
    ClientDesk(client_setup::Places places, std::string journal, QObject* parent = nullptr);

    const client_setup::Places& places() const { return m_places; }
    /// Looks at all clients; `folder` is the project of those without a file of their own. Ends in `surveyed`.
    void survey(const client_setup::Target& target, const std::string& folder);
    /// Newest; by client id.
    const QHash<QString, ClientFacts>& facts() const { return m_facts; }

    void plan(const client_setup::Client& client, const client_setup::Target& target, const std::string& folder,
              std::function<void(Result<Files>)> answer);
    void apply(const client_setup::Client& client, const Files& files, std::function<void(Status)> answer);
    void undo(const client_setup::Client& client, std::function<void(Status)> answer);

Q_SIGNALS:
    void surveyed();

private:
    /// Shared with the work under way, which may outlast a page.
    struct Shared {
        std::mutex mutex;
        client_setup::ClientFiles files;
    };

    template <typename T>
    void run(std::function<T(Shared&)> work, std::function<void(T)> answer);

    client_setup::Places m_places;
    std::shared_ptr<Shared> m_shared;
    QHash<QString, ClientFacts> m_facts;
    BackgroundWork m_work;
};

}  // namespace omni

Q_DECLARE_METATYPE(omni::ClientFacts)
