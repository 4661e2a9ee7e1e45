#include "ui/shell/autostart.h"
#include "ui/shell/single_instance.h"

#include "program/test_program.h"

#include <QFile>
#include <QLocalSocket>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

#include <memory>

using namespace omni;

class InstanceTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void oneInstanceForEachFolder();
    void aCrashLeavesNoLock();
    void strangersAreNotObeyed();
    void autostartReadsBackWhatIsTrue();
    void autostartQuotesItsCommand();
};

void InstanceTest::oneInstanceForEachFolder()
{
    QTemporaryDir folder;
    QTemporaryDir elsewhere;
    SingleInstance first(folder.path());
    QVERIFY(first.acquire());
    QSignalSpy received(&first, &SingleInstance::commandReceived);
    SingleInstance other(elsewhere.path());
    QVERIFY(other.acquire());

    // The second start is another process; here another thread plays it, since it waits for the answer.
    bool acquired = true;
    bool sent = false;
    const std::unique_ptr<QThread> second(QThread::create([&] {
        SingleInstance late(folder.path() + QStringLiteral("/."));
        acquired = late.acquire();
        sent = late.send(QStringLiteral("show"));
    }));
    second->start();
    QTRY_COMPARE(received.count(), 1);
    QTRY_VERIFY(second->isFinished());
    QVERIFY(!acquired);
    QVERIFY(sent);
    QCOMPARE(received.at(0).at(0).toString(), QStringLiteral("show"));
}

void InstanceTest::aCrashLeavesNoLock()
{
    QTemporaryDir folder;
    QString socket;
    {
        const SingleInstance probe(folder.path());
        socket = probe.socketPath();
    }
    // What a killed process leaves: a socket nobody listens on.
    QFile leftover(socket);
    QVERIFY(leftover.open(QIODevice::WriteOnly));
    leftover.close();
    SingleInstance instance(folder.path());
    QVERIFY(instance.acquire());
    QLocalSocket client;
    client.connectToServer(socket);
    QVERIFY(client.waitForConnected(1'000));
}

void InstanceTest::strangersAreNotObeyed()
{
    QTemporaryDir folder;
    SingleInstance instance(folder.path());
    QVERIFY(instance.acquire());
    QSignalSpy received(&instance, &SingleInstance::commandReceived);
    const QByteArray unknown = R"({"command":"format"})";
    QByteArray wellFormed("\x01\x00\x00\x00", 4);
    wellFormed += static_cast<char>(unknown.size());
    wellFormed += unknown;
    for (const QByteArray& bytes : {QByteArray("GET / HTTP/1.1\r\n\r\n"), QByteArray("\x01\x7f\xff\xff\xff{}", 7), wellFormed}) {
        QLocalSocket client;
        client.connectToServer(instance.socketPath());
        QVERIFY(client.waitForConnected(1'000));
        client.write(bytes);
        QTRY_COMPARE(client.state(), QLocalSocket::UnconnectedState);
    }
    QCOMPARE(received.count(), 0);
    const QFile::Permissions mode = QFile::permissions(instance.socketPath());
    QVERIFY(!(mode & (QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther)));
}

void InstanceTest::autostartReadsBackWhatIsTrue()
{
    QTemporaryDir config;
    DesktopFileAutostart autostart(config.path(), QStringLiteral("/usr/bin/omniroute-desktop"), {QStringLiteral("--hidden")});
    QVERIFY(!autostart.enabled());
    QVERIFY(autostart.setEnabled(true).ok());
    QVERIFY(autostart.enabled());
    QFile file(autostart.filePath());
    QVERIFY(file.open(QIODevice::ReadWrite));
    const QByteArray text = file.readAll();
    QVERIFY(text.contains("Exec=\"/usr/bin/omniroute-desktop\" \"--hidden\"\n"));
    // Desktops switch an entry off by writing into it.
    file.write("Hidden=true\n");
    file.close();
    QVERIFY(!autostart.enabled());
    QVERIFY(autostart.setEnabled(true).ok());
    QVERIFY(autostart.enabled());
    QVERIFY(autostart.setEnabled(false).ok());
    QVERIFY(!file.exists());
    QVERIFY(autostart.setEnabled(false).ok());
    // A place that cannot be written is told, not swallowed.
    QFile blocker(config.path() + QStringLiteral("/file"));
    QVERIFY(blocker.open(QIODevice::WriteOnly));
    DesktopFileAutostart impossible(blocker.fileName(), QStringLiteral("/x"), {});
    const Status status = impossible.setEnabled(true);
    QVERIFY(!status.ok());
    QVERIFY(status.error().kind == ErrorKind::Storage);
}

void InstanceTest::autostartQuotesItsCommand()
{
    QTemporaryDir config;
    DesktopFileAutostart autostart(config.path(), QStringLiteral("/opt/my tools/omni$route"), {QStringLiteral("100%")});
    QVERIFY(autostart.setEnabled(true).ok());
    QFile file(autostart.filePath());
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().contains("Exec=\"/opt/my tools/omni\\\\$route\" \"100%%\"\n"));
}

OMNI_TEST(InstanceTest)
#include "instance_test.moc"
