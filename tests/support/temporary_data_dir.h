#pragma once

#include <QString>
#include <QTemporaryDir>

#include <string>

namespace omni::test {

/// A data folder of its own for a test, gone with it.
class TemporaryDataDir {
public:
    std::string path() const { return m_dir.path().toStdString(); }
    /// A file in it.
    std::string file(const std::string& name) const { return path() + "/" + name; }

private:
    QTemporaryDir m_dir;
};

/// True when any file below `folder` holds `needle`, byte for byte: for secrets that must not lie anywhere in clear.
bool anyFileContains(const std::string& folder, const std::string& needle);

}  // namespace omni::test
