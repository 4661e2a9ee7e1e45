#pragma once

#include "control/background_work.h"
#include "store/backup_shelf.h"

#include <QObject>

#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace omni {

/// Does with the backups what waits for the disk, in threads of its own; answers come in the GUI thread, or not at all once this is gone.
/// Its end waits for what is under way.
class BackupDesk final : public QObject {
    Q_OBJECT

public:
    explicit BackupDesk(const std::string& databasePath, QObject* parent = nullptr) : QObject(parent), m_shelf(databasePath), m_work(*this) {}

    const BackupShelf& shelf() const { return m_shelf; }

    /// `work` may touch nothing but the shelf and what it owns.
    template <typename T>
    void ask(std::function<T(const BackupShelf&)> work, std::function<void(T)> answer)
    {
        auto result = std::make_shared<std::unique_ptr<T>>();
        m_work.run([shelf = m_shelf, work = std::move(work), result] { *result = std::make_unique<T>(work(shelf)); },
                   [result, answer = std::move(answer)] { answer(std::move(**result)); });
    }

private:
    const BackupShelf m_shelf;
    BackgroundWork m_work;
};

}  // namespace omni
