#pragma once

#include <QWidget>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace omni {

/// Lines to paste, with a button that copies them. Exactly as high as they are.
class SnippetBox final : public QWidget {
    Q_OBJECT

public:
    /// `name` goes into the object names, for tests.
    explicit SnippetBox(const QString& name, QWidget* parent = nullptr);

    void setSnippet(const QString& title, const QString& text);
    QString text() const;

Q_SIGNALS:
    void copied(const QString& title);

protected:
    void changeEvent(QEvent* event) override;

private:
    void fit();

    QLabel* m_title;
    QPlainTextEdit* m_text;
    QPushButton* m_copy;
};

}  // namespace omni
