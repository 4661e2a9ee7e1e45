#pragma once

#include <QPointer>
#include <QWidget>

class QLabel;

namespace omni {

/// What is wrong with a field, told beside it: an icon and a sentence; no room is taken while all is well. Marks the field's border and
/// gives the sentence to screen readers as the field's description.
class FieldErrorLabel final : public QWidget {
    Q_OBJECT

public:
    /// `field` is the input it speaks of; may be null.
    explicit FieldErrorLabel(QWidget* field, QWidget* parent = nullptr);
    /// Empty = all is well.
    void setError(const QString& message);
    QString error() const;

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void applyColour();

    QPointer<QWidget> m_field;
    QString m_description;  ///< the field's own
    QLabel* m_text;
};

}  // namespace omni
