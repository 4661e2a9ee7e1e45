#pragma once

#include "ui/page.h"

#include <memory>
#include <string>

namespace omni {

class CoreLink;

/// What serves, what is out and until when, and the traffic, live. Page id "overview". Asks the core once a second while it is
/// shown, never while hidden.
class OverviewPage final : public Page {
    Q_OBJECT

public:
    /// `link` must outlive the page. `databasePath` is read in a thread of the page's own, for past minutes.
    OverviewPage(CoreLink& link, const std::string& databasePath, QWidget* parent = nullptr);
    ~OverviewPage() override;

    void refresh() override;

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

}  // namespace omni
