#pragma once

// What nearly every test includes, compiled once for all of them: it was more than half of the time of a build.
#include <QtTest>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>
