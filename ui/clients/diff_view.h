#pragma once

#include "control/client_setup/client_files.h"

#include <QPlainTextEdit>

#include <string>
#include <vector>

namespace omni {

/// What would change in one or more files: each line with its sign, on green or red ground. Read, selected and copied by keyboard.
class DiffView final : public QPlainTextEdit {
    Q_OBJECT

public:
    explicit DiffView(QWidget* parent = nullptr);

    /// `secret` is shown masked; empty = nothing is. Files that do not change are left out.
    void setFiles(const std::vector<client_setup::PlannedFile>& files, const std::string& secret);

protected:
    void changeEvent(QEvent* event) override;

private:
    void fill();

    std::vector<client_setup::PlannedFile> m_files;
    std::string m_secret;
    bool m_filling = false;
};

}  // namespace omni
