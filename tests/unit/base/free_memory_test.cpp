#include "base/free_memory.h"

#include "program/measured.h"
#include "program/test_program.h"

#include <QFile>
#include <QTest>

#include <memory>
#include <vector>

using namespace omni;

class FreeMemoryTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatALoadLeftBehindGoesBack()
    {
#ifndef __GLIBC__
        QSKIP("Only the GNU C library is asked to.");
#endif
        if (OMNI_SANITIZED)
            QSKIP("A sanitizer has an allocator of its own.");
        const qint64 before = residentKb();
        // Small pieces, as rows of a log are, with a few that stay among them: the C library keeps the holes.
        std::vector<std::unique_ptr<char[]>> kept;
        {
            std::vector<std::unique_ptr<char[]>> load;
            for (int i = 0; i < 64 * 1024; ++i) {
                load.push_back(std::make_unique<char[]>(1000));
                if (i % 1024 == 0)
                    kept.push_back(std::make_unique<char[]>(1000));
            }
            QVERIFY(residentKb() - before > 50 * 1024);
        }
        const qint64 held = residentKb();
        QVERIFY2(held - before > 40 * 1024, QByteArray::number(held - before));
        giveFreeMemoryBack();
        QVERIFY2(residentKb() - before < 8 * 1024, QByteArray::number(residentKb() - before));
    }

private:
    static qint64 residentKb()
    {
        QFile status(QStringLiteral("/proc/self/status"));
        if (!status.open(QIODevice::ReadOnly))
            return 0;
        const QByteArray text = status.readAll();
        const qsizetype at = text.indexOf("VmRSS:");
        return at < 0 ? 0 : text.mid(at + 6, text.indexOf('\n', at) - at - 6).simplified().split(' ').value(0).toLongLong();
    }
};

OMNI_TEST(FreeMemoryTest)
#include "free_memory_test.moc"
