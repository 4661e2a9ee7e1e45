#pragma once

// What most files of ui include, read once for all of them; see core/precompiled.
#include "control/control.h"

#include <QApplication>
#include <QBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QTimer>
#include <QWidget>
