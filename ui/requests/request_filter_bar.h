#pragma once

#include "model/configuration.h"
#include "model/request_record.h"

#include <QTimer>
#include <QWidget>

class QCheckBox;
class QComboBox;
class QToolButton;

namespace omni {

class SearchField;

/// What the list of requests is narrowed down to: text, outcome, provider, failures only, one connection.
class RequestFilterBar final : public QWidget {
    Q_OBJECT

public:
    explicit RequestFilterBar(QWidget* parent = nullptr);

    RequestFilter filter() const;
    bool filtering() const;
    void clear();
    /// Only requests of this connection, until the user takes it off.
    void setConnection(const ConnectionId& id, const QString& name);
    /// Providers to choose from: those with connections.
    void setConfiguration(const Configuration& configuration);
    SearchField* searchField() const { return m_text; }

Q_SIGNALS:
    void filterChanged();

private:
    SearchField* m_text;
    QComboBox* m_outcome;
    QComboBox* m_provider;
    QCheckBox* m_failures;
    QToolButton* m_connectionChip;
    ConnectionId m_connection;
    /// Each letter typed is a question to the store; it is asked when typing pauses.
    QTimer m_typing;
};

}  // namespace omni
