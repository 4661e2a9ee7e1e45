#pragma once

#include "model/routing_config.h"

#include <QWidget>

#include <vector>

class QLabel;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace omni {

class CoreLink;
class FieldErrorLabel;

/// The keys clients may send to this proxy: made here, shown once, revoked here.
class ClientKeys final : public QWidget {
    Q_OBJECT

public:
    explicit ClientKeys(CoreLink& link, QWidget* parent = nullptr);

Q_SIGNALS:
    void messageRaised(const QString& text);

private:
    void refresh();
    QWidget* makeRow(const ApiKey& key);
    void create();
    void showCreated(const QString& name, const QString& key);
    void askRevoke(const ApiKey& key);
    QString nameProblem(const QString& name) const;

    CoreLink& m_link;
    QLabel* m_note;
    QVBoxLayout* m_list;
    QLineEdit* m_name;
    FieldErrorLabel* m_error;
    QPushButton* m_create;
    QWidget* m_fresh;
    QLabel* m_freshText;
    QLineEdit* m_freshKey;
    QPushButton* m_copy;
    std::vector<QWidget*> m_rows;
};

}  // namespace omni
