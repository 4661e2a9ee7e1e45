#include "control/port_holder.h"

#include "program/test_program.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QTcpServer>
#include <QTest>

using namespace omni;

class PortHolderTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void namesTheHolder_data();
    void namesTheHolder();
    void nobodyHoldsAFreePort();
    void nextFreePortCanBeBound();
    void skipsTakenPorts();
    void endsAtTheLastPort();
};

void PortHolderTest::namesTheHolder_data()
{
    QTest::addColumn<QString>("address");
    QTest::newRow("IPv4") << "127.0.0.1";
    QTest::newRow("IPv6") << "::1";
    QTest::newRow("every address") << "0.0.0.0";
}

void PortHolderTest::namesTheHolder()
{
#ifndef Q_OS_LINUX
    QSKIP("Only Linux tells who holds a port.");
#endif
    QFETCH(QString, address);
    QTcpServer server;
    if (!server.listen(QHostAddress(address), 0))
        QSKIP("This machine has no such address.");
    const auto holder = findPortHolder(server.serverPort());
    QVERIFY(holder);
    QCOMPARE(holder->pid, QCoreApplication::applicationPid());
    // Longer than what the kernel keeps of it.
    QCOMPARE(QString::fromStdString(holder->name), QFileInfo(QCoreApplication::applicationFilePath()).fileName());
}

void PortHolderTest::nobodyHoldsAFreePort()
{
    quint16 port = 0;
    {
        QTcpServer server;
        QVERIFY(server.listen(QHostAddress::LocalHost, 0));
        port = server.serverPort();
    }
    QVERIFY(!findPortHolder(port));
}

void PortHolderTest::nextFreePortCanBeBound()
{
    QTcpServer taken;
    QVERIFY(taken.listen(QHostAddress::LocalHost, 0));
    const int port = nextFreePort(taken.serverPort(), false);
    QVERIFY(port == 0 || port > taken.serverPort());
    if (port == 0)
        QSKIP("The last ports of the machine are in use.");
    QTcpServer next;
    QVERIFY(next.listen(QHostAddress::LocalHost, static_cast<quint16>(port)));
}

void PortHolderTest::skipsTakenPorts()
{
    QTcpServer first;
    QVERIFY(first.listen(QHostAddress::LocalHost, 0));
    const int port = nextFreePort(first.serverPort(), false);
    if (port == 0)
        QSKIP("The last ports of the machine are in use.");
    QTcpServer second;
    QVERIFY(second.listen(QHostAddress::LocalHost, static_cast<quint16>(port)));
    const int other = nextFreePort(first.serverPort(), false);
    QVERIFY(other != port);
}

void PortHolderTest::endsAtTheLastPort() { QCOMPARE(nextFreePort(65'535, false), 0); }

OMNI_TEST(PortHolderTest)
#include "port_holder_test.moc"
