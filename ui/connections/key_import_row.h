#pragma once

#include "model/configuration.h"  // first: moc 6.4 stumbles over standard headers in another order

#include "control/connection_import/found_key.h"

#include <QWidget>

class QCheckBox;
class QLabel;
class QLineEdit;

namespace omni {

class FieldErrorLabel;

/// One key that was found: whose, its end, where it lay, and under what name it would be kept.
class KeyImportRow final : public QWidget {
    Q_OBJECT

public:
    /// `number` makes the names of its inputs. `stored`: a connection has the key already.
    KeyImportRow(const Configuration& configuration, connection_import::FoundKey key, const QString& name, bool stored, int number,
                 QWidget* parent = nullptr);

    const connection_import::FoundKey& key() const { return m_key; }
    /// As it would be saved.
    Connection connection() const;
    bool wanted() const;
    void setWanted(bool wanted);
    /// It lay somewhere else too.
    void setPlaces(std::vector<std::string> places);
    /// Checks the name against the configuration and those of the other rows that are wanted. Empty = fine; it is told beside the name.
    QString check(const Configuration& configuration, const std::vector<const KeyImportRow*>& others);
    /// Why the core refused it; gone with the next change.
    void setRefusal(const QString& text);
    /// It was kept: nothing of it can be changed any more.
    void setKept();
    bool kept() const { return m_kept; }

Q_SIGNALS:
    void changed();

private:
    void tellPlaces();

    connection_import::FoundKey m_key;
    QString m_refusal;
    bool m_kept = false;
    QCheckBox* m_tick;
    QLineEdit* m_name;
    QLabel* m_places;
    QLabel* m_state;
    FieldErrorLabel* m_error;
};

}  // namespace omni
