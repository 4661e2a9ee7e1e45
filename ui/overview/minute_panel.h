#pragma once

#include "model/configuration.h"
#include "ui/overview/past_minute.h"

#include <QWidget>

class QLabel;

namespace omni {

class DataTable;
class ElidedLabel;
class MinuteModel;

/// A past minute that is kept in view: when it was, how the providers stood, and the requests that moved their breakers.
class MinutePanel final : public QWidget {
    Q_OBJECT

public:
    explicit MinutePanel(QWidget* parent = nullptr);

    void showMinute(const PastMinute& minute, const ConfigurationPtr& configuration);
    /// "14:32: OpenAI open, Groq degraded. 3 attempts failed, 12 were answered."
    static QString sentenceOf(const PastMinute& minute, const Configuration* configuration);

Q_SIGNALS:
    void closeRequested();
    void requestChosen(const omni::RequestId& id);

private:
    void choose(const QModelIndex& index);

    QLabel* m_title;
    ElidedLabel* m_sentence;
    DataTable* m_table;
    QLabel* m_nothing;
    MinuteModel* m_model;
};

}  // namespace omni
