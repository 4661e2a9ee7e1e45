#pragma once

#include <QLabel>

namespace omni {

/// A piece of an answer as it came: monospaced, on a ground of its own, broken anywhere if need be. It can be selected and copied.
class CodeLabel final : public QLabel {
    Q_OBJECT

public:
    explicit CodeLabel(const QString& code, QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace omni
