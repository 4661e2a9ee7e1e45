#pragma once

// What most files of core include, read once for all of them: reading headers was more than half of the time of a build. Each file
// names what it uses all the same.
#include <QObject>
#include <QString>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>
