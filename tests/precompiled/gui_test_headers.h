#pragma once

// What nearly every test of the windows includes; see test_headers.h.
#include "gui/window_fixture.h"
#include "support/http_client.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <qfloat16.h>

#include <nlohmann/json.hpp>
