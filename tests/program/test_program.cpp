#include "program/test_program.h"

#include <QTest>

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <string_view>

namespace omni {

namespace {

std::map<std::string, MakeTest, std::less<>>& known()
{
    static std::map<std::string, MakeTest, std::less<>> tests;
    return tests;
}

}  // namespace

TestRegistration::TestRegistration(const char* file, MakeTest make)
{
    std::string_view name(file);
    known().emplace(name.substr(0, name.rfind('.')), make);
}

int runTests(int argc, char** argv)
{
    if (argc < 2) {
        int failed = 0;
        for (const auto& [name, make] : known())
            failed += QTest::qExec(make().get(), argc, argv);
        return std::min(failed, 127);
    }
    const auto wanted = known().find(std::string_view(argv[1]));
    if (wanted == known().end()) {
        std::fprintf(stderr, "No test file %s here. There are:\n", argv[1]);
        for (const auto& [name, make] : known())
            std::fprintf(stderr, "  %s\n", name.c_str());
        return 1;
    }
    argv[1] = argv[0];
    return QTest::qExec(wanted->second().get(), argc - 1, argv + 1);
}

}  // namespace omni
