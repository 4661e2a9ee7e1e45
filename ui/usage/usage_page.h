#pragma once

#include "ui/page.h"

#include <memory>
#include <string>

namespace omni {

class CoreLink;

/// What was asked and what it took, by day, provider, connection, model or client key, with what it may have cost. Page id "usage";
/// `showObject` takes "export", which asks for the file to write. Reads while it is shown, after requests have finished; nothing runs while it is hidden.
class UsagePage final : public Page {
    Q_OBJECT

public:
    /// `link` must outlive the page. `databasePath` is read in a thread of the page's own.
    UsagePage(CoreLink& link, const std::string& databasePath, QWidget* parent = nullptr);
    ~UsagePage() override;

    QWidget* filterField() const override;
    void refresh() override;

public Q_SLOTS:
    void showObject(const QString& objectId) override;

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

}  // namespace omni
