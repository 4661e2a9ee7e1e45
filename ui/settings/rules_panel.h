#pragma once

#include "ui/settings/rule_edits.h"

#include <QWidget>

#include <functional>
#include <optional>
#include <string>
#include <vector>

class QLabel;
class QPushButton;
class QStackedLayout;

namespace omni {

class AnswerTester;
class CoreLink;
class DataTable;
class EmptyState;
class RulesFilter;
class RulesModel;
class SearchField;

/// The operator's error rules: a list in which they are made, changed, put in order and deleted. Every change takes effect at once.
class RulesPanel final : public QWidget {
    Q_OBJECT

public:
    explicit RulesPanel(CoreLink& link, QWidget* parent = nullptr);

    /// Opens the editor for a new rule.
    void add() { edit(std::nullopt); }
    /// Judges answers by the rules there are. The caller places it.
    AnswerTester* makeTester(QWidget* parent);

Q_SIGNALS:
    void messageRaised(const QString& text, std::function<void()> undo = {});

private:
    void build();
    void takeConfiguration();
    /// Places among the rules, ascending.
    std::vector<std::size_t> selected() const;
    void select(std::size_t place);
    void edit(std::optional<std::size_t> index);
    void editCurrent();
    void duplicate();
    void moveRule(bool up);
    void remove();
    void send(const std::string& patch, std::function<void()> done);
    void showMenu(const QPoint& position);
    void refresh();

    CoreLink& m_link;
    RulesModel* m_model;
    RulesFilter* m_filter;
    SearchField* m_search;
    DataTable* m_table;
    EmptyState* m_empty;
    EmptyState* m_noMatch;
    QStackedLayout* m_stack;
    QLabel* m_count;
    QPushButton* m_add = nullptr;
    QPushButton* m_edit = nullptr;
    QPushButton* m_up = nullptr;
    QPushButton* m_down = nullptr;
    QPushButton* m_delete = nullptr;
    AnswerTester* m_tester = nullptr;
};

}  // namespace omni
