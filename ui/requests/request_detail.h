#pragma once

#include "control/control.h"

#include <QWidget>

#include <optional>

class QLabel;
class QPushButton;
class QStackedLayout;
class QTabBar;

namespace omni {

class AttemptsModel;
class DataTable;
class ElidedLabel;
class EmptyState;
class HeadersModel;

/// One request in every detail: its story in a sentence, the targets with their timings, the headers; and the ways to take it along.
class RequestDetail final : public QWidget {
    Q_OBJECT

public:
    explicit RequestDetail(QWidget* parent = nullptr);

    void showRecord(const RequestRecord& record, ConfigurationPtr configuration, const std::string& baseUrl);
    /// In place of a record: nothing chosen, being read, gone.
    void showNote(const QString& sentence);
    const std::optional<RequestRecord>& record() const { return m_record; }

public Q_SLOTS:
    void copyText() const;
    void copyCurl() const;

Q_SIGNALS:
    void connectionRequested(const QString& connectionId);
    void copied(const QString& what) const;

private:
    QWidget* buildHead();
    QWidget* buildTools();
    QString factsOf(const RequestRecord& record) const;

    std::optional<RequestRecord> m_record;
    ConfigurationPtr m_configuration;
    std::string m_baseUrl;

    QStackedLayout* m_stack;
    EmptyState* m_note;
    QLabel* m_story;
    QLabel* m_facts;
    ElidedLabel* m_error;
    QPushButton* m_connection;
    QTabBar* m_tabs;
    QStackedLayout* m_tables;
    AttemptsModel* m_attempts;
    HeadersModel* m_headers;
    DataTable* m_attemptTable;
    DataTable* m_headerTable;
};

}  // namespace omni
