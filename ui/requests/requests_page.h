#pragma once

#include "ui/page.h"

#include <memory>
#include <string>

namespace omni {

class CoreLink;

/// The request log: what finishes now on top of what the store keeps, and one request in every detail. Page id "requests";
/// `showObject` takes a request id, "connection:" and the id of one, or "text:" and what to look for.
class RequestsPage final : public Page {
    Q_OBJECT

public:
    /// `link` must outlive the page. `databasePath` is read in a thread of the page's own.
    RequestsPage(CoreLink& link, const std::string& databasePath, QWidget* parent = nullptr);
    ~RequestsPage() override;

    QWidget* filterField() const override;
    void refresh() override;

public Q_SLOTS:
    void showObject(const QString& objectId) override;

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

}  // namespace omni
