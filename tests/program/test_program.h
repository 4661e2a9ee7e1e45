#pragma once

#include <QObject>

#include <memory>

namespace omni {

using MakeTest = std::unique_ptr<QObject> (*)();

/// Makes a test class known to its program by the name of its file, without the ending. Static: registered before `main`.
class TestRegistration {
public:
    TestRegistration(const char* file, MakeTest make);
};

/// `PROGRAM [FILE [QTEST-ARGUMENTS…]]`: runs the tests of one file, or of all, with an application made by the caller.
/// Returns the number of failed tests; an unknown file is told with the known ones and counts as one.
int runTests(int argc, char** argv);

}  // namespace omni

/// In place of QTEST_MAIN, in a file that shares its program with the others of its folder: one link instead of many.
#define OMNI_TEST(TestClass)                                                                                                               \
    namespace {                                                                                                                            \
    const omni::TestRegistration testRegistration(__FILE_NAME__,                                                                           \
                                                  []() -> std::unique_ptr<QObject> { return std::make_unique<TestClass>(); });             \
    }
