#include "composition/process.h"
#include "headless/command_line.h"
#include "headless/headless_program.h"

#include <QCoreApplication>

#include <cstdio>
#include <utility>

int main(int argc, char** argv)
{
    omni::prepareProcess();
    omni::installLogOutput();
    QCoreApplication application(argc, argv);
    auto parsed = omni::parseCommandLine(QCoreApplication::arguments());
    if (const auto* print = std::get_if<omni::PrintAndExit>(&parsed)) {
        std::fputs(print->text.c_str(), print->toStderr ? stderr : stdout);
        return print->code;
    }
    omni::HeadlessProgram program(std::get<omni::CommandLine>(std::move(parsed)));
    return program.run();
}
