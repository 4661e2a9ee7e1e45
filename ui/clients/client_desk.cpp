#include "ui/clients/client_desk.h"

#include "ui/models/display_text.h"

#include <utility>

namespace omni {

using namespace client_setup;

ClientDesk::ClientDesk(Places places, std::string journal, QObject* parent)
    : QObject(parent), m_places(std::move(places)), m_shared(new Shared{{}, ClientFiles(std::move(journal))}), m_work(*this)
{
}

template <typename T>
void ClientDesk::run(std::function<T(Shared&)> work, std::function<void(T)> answer)
{
    auto result = std::make_shared<std::optional<T>>();
    m_work.run(
        [shared = m_shared, result, work = std::move(work)] {
            const std::lock_guard<std::mutex> lock(shared->mutex);
            result->emplace(work(*shared));
        },
        [result, answer = std::move(answer)] { answer(std::move(**result)); });
}

void ClientDesk::survey(const Target& target, const std::string& folder)
{
    using Facts = QHash<QString, ClientFacts>;
    run<Facts>(
        [target, folder, places = m_places](Shared& shared) {
            Facts facts;
            for (const Client& client : clients()) {
                ClientFacts& one = facts[toQString(client.id)];
                one.standing = standingOf(client, target, places, folder);
                one.installed = installedAt(client, places);
                one.lastChange = shared.files.lastChange(client.id);
            }
            return facts;
        },
        [this](Facts facts) {
            m_facts = std::move(facts);
            Q_EMIT surveyed();
        });
}

void ClientDesk::plan(const Client& client, const Target& target, const std::string& folder, std::function<void(Result<Files>)> answer)
{
    run<Result<Files>>(
        [client, target, folder, places = m_places](Shared&) { return ClientFiles::plan(editsFor(client, target, places, folder)); },
        std::move(answer));
}

void ClientDesk::apply(const Client& client, const Files& files, std::function<void(Status)> answer)
{
    run<Status>([id = client.id, files, now = wallNow()](Shared& shared) { return shared.files.apply(id, files, now); }, std::move(answer));
}

void ClientDesk::undo(const Client& client, std::function<void(Status)> answer)
{
    run<Status>([id = client.id](Shared& shared) { return shared.files.undo(id); }, std::move(answer));
}

}  // namespace omni
