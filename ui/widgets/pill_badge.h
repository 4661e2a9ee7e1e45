#pragma once

#include <QWidget>

namespace omni {

/// A short text on a rounded ground: a count, "sandbox", "default".
class PillBadge final : public QWidget {
    Q_OBJECT

public:
    enum class Kind { Quiet, Accent, Good, Warn, Bad };

    explicit PillBadge(QWidget* parent = nullptr);
    PillBadge(const QString& text, Kind kind, QWidget* parent = nullptr);
    void setText(const QString& text);
    void setKind(Kind kind);
    QString text() const { return m_text; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_text;
    Kind m_kind = Kind::Quiet;
};

}  // namespace omni
