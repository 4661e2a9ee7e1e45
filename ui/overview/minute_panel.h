#pragma once

#include "model/configuration.h"
#include "ui/overview/past_minute.h"

#include <QWidget>

class QLabel;

namespace omni {

class DataTable;
class MinuteModel;

/// A past minute that is kept in view: the requests that moved the breakers, and how these changed. A click on a request leads to it.
class MinutePanel final : public QWidget {
    Q_OBJECT

public:
    explicit MinutePanel(QWidget* parent = nullptr);

    void showMinute(const PastMinute& minute, const ConfigurationPtr& configuration);
    /// "OpenAI open, Groq degraded; attempts failed: 3, answered: 12".
    static QString sentenceOf(const PastMinute& minute, const Configuration* configuration);

Q_SIGNALS:
    void closeRequested();
    void requestChosen(const omni::RequestId& id);

private:
    void choose(const QModelIndex& index);

    DataTable* m_table;
    QLabel* m_nothing;
    MinuteModel* m_model;
};

}  // namespace omni
