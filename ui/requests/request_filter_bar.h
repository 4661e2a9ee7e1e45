#pragma once

#include "model/configuration.h"
#include "model/request_record.h"
#include "store/request_history.h"

#include <QList>
#include <QTimer>
#include <QWidget>

class QCheckBox;
class QComboBox;

namespace omni {

class SearchField;

/// What the list of requests is narrowed down to: text, outcome, provider, failures only; in a second row connection, model and client.
class RequestFilterBar final : public QWidget {
    Q_OBJECT

public:
    explicit RequestFilterBar(QWidget* parent = nullptr);

    RequestFilter filter() const;
    bool filtering() const;
    void clear();
    /// Only requests of this connection, by the name if it is not among those to choose from.
    void setConnection(const ConnectionId& id, const QString& name);
    void setModel(const std::string& model);
    /// Providers to choose from: those with connections. Connections: these, and those the log knows.
    void setConfiguration(const ConfigurationPtr& configuration);
    /// What the log knows.
    void setNames(const RequestHistory::Names& names);
    /// What has just finished can be chosen by, too.
    void addNames(const QList<RequestRecord>& records);
    /// The log knows none any more.
    void forgetNames();
    SearchField* searchField() const { return m_text; }
    /// The second row, for the page to place.
    QWidget* secondRow() const { return m_second; }

Q_SIGNALS:
    void filterChanged();

private:
    QComboBox* addChoice(QWidget* row, const char* name, const QString& label, const QString& all);
    void fillNames();
    void fillConnections();

    SearchField* m_text;
    QComboBox* m_outcome;
    QComboBox* m_provider;
    QCheckBox* m_failures;
    QWidget* m_second;
    QComboBox* m_connection;
    QComboBox* m_model;
    QComboBox* m_client;
    ConfigurationPtr m_configuration;
    RequestHistory::Names m_names;
    /// Each letter typed is a question to the store; it is asked when typing pauses.
    QTimer m_typing;
};

}  // namespace omni
