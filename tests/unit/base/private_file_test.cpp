#include "base/private_file.h"

#include "program/test_program.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

using namespace omni;

class PrivateFileTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>();
        m_oldMask = ::umask(0);
    }
    void cleanup() { ::umask(m_oldMask); }

    void foldersAreMadeWithTheirParents();
    void filesAreMadeOnce();
    void replacingIsWholeAndPrivate();
    void replacingLeavesNothingBehindWhenItFails();
    void movingReplacesNothing();
    void reading_data();
    void reading();
    void aLinkIsNotFollowed();

private:
    std::string path(const char* name) const { return m_dir->filePath(QLatin1String(name)).toStdString(); }
    static unsigned modeOf(const std::string& path)
    {
        struct stat info = {};
        return ::stat(path.c_str(), &info) == 0 ? info.st_mode & 0777U : 0U;
    }

    std::unique_ptr<QTemporaryDir> m_dir;
    mode_t m_oldMask = 0;
};

void PrivateFileTest::foldersAreMadeWithTheirParents()
{
    QVERIFY(makePrivateFolder(path("a/b/c"), "mine").ok());
    QCOMPARE(modeOf(path("a/b/c")), 0700U);
    QVERIFY(makePrivateFolder(path("a/b/c"), "mine").ok());

    // Others' folder keeps its mode, ours is tightened.
    QCOMPARE(::chmod(path("a/b").c_str(), 0755), 0);
    QVERIFY(makePrivateFolder(path("a/b"), "mine").ok());
    QCOMPARE(modeOf(path("a/b")), 0755U);
    QVERIFY(replaceFile(path("a/b/mine"), "x").ok());
    QVERIFY(makePrivateFolder(path("a/b"), "mine").ok());
    QCOMPARE(modeOf(path("a/b")), 0700U);

    QVERIFY(!makePrivateFolder(path("a/b/mine"), "mine").ok());
    QVERIFY(!makePrivateFolder(path("a/b/mine/below"), "mine").ok());
}

void PrivateFileTest::filesAreMadeOnce()
{
    const Result<bool> made = ensurePrivateFile(path("f"));
    QVERIFY(made.ok() && *made);
    QCOMPARE(modeOf(path("f")), 0600U);
    QVERIFY(replaceFile(path("f"), "content").ok());
    QCOMPARE(::chmod(path("f").c_str(), 0666), 0);
    const Result<bool> again = ensurePrivateFile(path("f"));
    QVERIFY(again.ok() && !*again);
    QCOMPARE(modeOf(path("f")), 0600U);
    QCOMPARE(*readFile(path("f"), 100), std::string("content"));
    QVERIFY(!ensurePrivateFile(path("no/f")).ok());
    QVERIFY(!ensurePrivateFile(m_dir->path().toStdString()).ok());
    QVERIFY(restrictToOwner(path("absent")).ok());
}

void PrivateFileTest::replacingIsWholeAndPrivate()
{
    const std::string large(3 << 20, 'x');
    QVERIFY(replaceFile(path("f"), large).ok());
    QCOMPARE(modeOf(path("f")), 0600U);
    QVERIFY(*readFile(path("f"), 4 << 20) == large);
    // What a crash in mid-write left.
    QVERIFY(replaceFile(path("f.new"), "half").ok());
    QVERIFY(replaceFile(path("f"), std::string("a\0b", 3)).ok());
    QVERIFY(*readFile(path("f"), 100) == std::string("a\0b", 3));
    QVERIFY(!QFile::exists(QString::fromStdString(path("f.new"))));
}

void PrivateFileTest::replacingLeavesNothingBehindWhenItFails()
{
    // A folder in its place cannot be replaced by a file.
    QVERIFY(QDir(m_dir->path()).mkpath(QStringLiteral("f/full")));
    const Status failed = replaceFile(path("f"), "x");
    QVERIFY(!failed.ok());
    QVERIFY(failed.error().kind == ErrorKind::Storage);
    QVERIFY(failed.error().message.find(path("f")) != std::string::npos);
    QVERIFY(!QFile::exists(QString::fromStdString(path("f.new"))));
    QVERIFY(!replaceFile(path("no/f"), "x").ok());
}

void PrivateFileTest::movingReplacesNothing()
{
    QVERIFY(makePrivateFolder(path("to"), "mine").ok());
    QVERIFY(replaceFile(path("f"), "content").ok());
    QVERIFY(moveFile(path("f"), path("to/f")).ok());
    QVERIFY(!QFile::exists(m_dir->filePath(QStringLiteral("f"))));
    QCOMPARE(*readFile(path("to/f"), 100), std::string("content"));
    QCOMPARE(modeOf(path("to/f")), 0600U);

    QVERIFY(replaceFile(path("f"), "other").ok());
    for (const char* taken : {"to/f", "to", "no/f"})
        QVERIFY2(!moveFile(path("f"), path(taken)).ok(), taken);
    QCOMPARE(*readFile(path("to/f"), 100), std::string("content"));
    QCOMPARE(*readFile(path("f"), 100), std::string("other"));
    const Status gone = moveFile(path("gone"), path("g"));
    QVERIFY(!gone.ok());
    QCOMPARE(gone.error().message, path("gone") + " cannot be moved to " + path("g") + ". Check the permissions of the folder.");
}

void PrivateFileTest::reading_data()
{
    QTest::addColumn<int>("size");
    QTest::addColumn<int>("limit");
    QTest::addColumn<int>("kind");
    QTest::newRow("absent") << -1 << 10 << static_cast<int>(ErrorKind::NotFound);
    QTest::newRow("empty") << 0 << 10 << -1;
    QTest::newRow("at the limit") << 10 << 10 << -1;
    QTest::newRow("beyond it") << 11 << 10 << static_cast<int>(ErrorKind::LimitExceeded);
}

void PrivateFileTest::reading()
{
    QFETCH(const int, size);
    QFETCH(const int, limit);
    QFETCH(const int, kind);
    if (size >= 0)
        QVERIFY(replaceFile(path("f"), std::string(static_cast<std::size_t>(size), 'x')).ok());
    const Result<std::string> content = readFile(path("f"), static_cast<std::size_t>(limit));
    QCOMPARE(content.ok() ? -1 : static_cast<int>(content.error().kind), kind);
    if (content)
        QCOMPARE(static_cast<int>(content->size()), size);
}

void PrivateFileTest::aLinkIsNotFollowed()
{
    QVERIFY(replaceFile(path("target"), "precious").ok());
    QVERIFY(QFile::link(QString::fromStdString(path("target")), QString::fromStdString(path("f.new"))));
    QVERIFY(replaceFile(path("f"), "x").ok());
    QCOMPARE(*readFile(path("target"), 100), std::string("precious"));
}

OMNI_TEST(PrivateFileTest)
#include "private_file_test.moc"
