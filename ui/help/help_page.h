#pragma once

#include "ui/page.h"

#include <QStringList>

#include <memory>

class QListWidget;
class QPushButton;
class QTextBrowser;

namespace omni {

class Card;
class CoreLink;
class Demonstrator;
class PageHead;
class QuietLabel;
class SearchField;

/// The guide: a page for each mechanism, and "show me", which makes it happen in the sandbox and then opens the page where it shows.
class HelpPage final : public Page {
    Q_OBJECT

public:
    /// `pages`: ids of the window's pages, asked when a link or a demonstration wants one.
    HelpPage(CoreLink& link, std::shared_ptr<const QStringList> pages, QWidget* parent = nullptr);

    QWidget* filterField() const override;

public Q_SLOTS:
    /// A topic ("breaker").
    void showObject(const QString& objectId) override;

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void build();
    void fillTopics();
    void filter(const QString& words);
    void fillText();
    void follow(const QString& target);
    void openPage(const QStringList& wanted, const QString& objectId);
    void showMe();
    void ended(const QString& problem, const QString& requestId);
    QString topic() const;
    QString baseUrl() const;

    CoreLink& m_link;
    std::shared_ptr<const QStringList> m_pages;
    Demonstrator* m_demonstrator;
    QString m_shown;  ///< topic whose demonstration runs
    PageHead* m_head;
    SearchField* m_search;
    QListWidget* m_topics;
    QTextBrowser* m_text;
    Card* m_demo;
    QuietLabel* m_what;
    QuietLabel* m_progress;
    QPushButton* m_showMe;
};

}  // namespace omni
