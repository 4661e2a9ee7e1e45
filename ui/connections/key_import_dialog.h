#pragma once

#include "control/background_work.h"
#include "control/connection_import/key_files.h"
#include "control/control.h"

#include <QDialog>

#include <vector>

class QCheckBox;
class QLabel;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace omni {

class CoreLink;
class KeyImportRow;

/// Offers the keys of providers that lie on this machine: in environment variables, and in files of other tools once the user asked to look
/// there. What is ticked becomes connections; until then nothing is kept and nothing is sent.
class KeyImportDialog final : public QDialog {
    Q_OBJECT

public:
    enum class Testing { Offered, ByCaller };

    /// `link` must be ready and outlive the dialog.
    KeyImportDialog(CoreLink& link, connection_import::Surroundings surroundings, Testing testing, QWidget* parent = nullptr);

    /// Not while connections are being added: their outcome is to be seen.
    void reject() override;

Q_SIGNALS:
    /// `test`: the user wants them tested at once.
    void added(const std::vector<omni::Connection>& connections, bool test);

private:
    using Findings = connection_import::Findings;

    void build(Testing testing);
    void lookInFiles();
    /// Shows what is new among the findings, once it is known what of it is here already.
    void take(const Findings& findings);
    void addRows(const std::vector<connection_import::FoundKey>& keys, const std::vector<bool>& stored);
    QString freeName(const ProviderId& provider) const;
    KeyImportRow* rowOf(const connection_import::FoundKey& key) const;
    std::vector<const KeyImportRow*> rows() const;
    void check();
    void add();
    void answered(KeyImportRow* row, const Result<Connection>& saved);

    CoreLink& m_link;
    const connection_import::Surroundings m_surroundings;
    Findings m_found;
    std::vector<KeyImportRow*> m_rows;
    QScrollArea* m_scroll = nullptr;
    QVBoxLayout* m_list = nullptr;
    QLabel* m_nothing = nullptr;
    QLabel* m_refused = nullptr;
    QPushButton* m_look = nullptr;
    QLabel* m_lookNote = nullptr;
    QCheckBox* m_test = nullptr;
    QLabel* m_problem = nullptr;
    QPushButton* m_cancel = nullptr;
    QPushButton* m_add = nullptr;
    std::vector<Connection> m_added;
    std::size_t m_outstanding = 0;
    bool m_looked = false;   ///< in files too
    bool m_looking = false;
    BackgroundWork m_work;
};

}  // namespace omni
