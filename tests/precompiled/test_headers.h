#pragma once

// What nearly every test includes, compiled once for all of them: it was more than half of the time of a build.
#include <QSignalSpy>
#include <QTest>
#include <qfloat16.h>  // QCOMPARE of a JSON value asks whether it could be one

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>
