#include "support/temporary_data_dir.h"

#include <QByteArray>
#include <QDirIterator>
#include <QFile>

namespace omni::test {

bool anyFileContains(const std::string& folder, const std::string& needle)
{
    QDirIterator files(QString::fromStdString(folder), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        if (file.open(QIODevice::ReadOnly) && file.readAll().contains(QByteArray::fromStdString(needle)))
            return true;
    }
    return false;
}

}  // namespace omni::test
