#include "program/test_program.h"

#include <QCoreApplication>

int main(int argc, char** argv)
{
    QCoreApplication application(argc, argv);
    return omni::runTests(argc, argv);
}
