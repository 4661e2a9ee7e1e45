#pragma once

#include "ui/page.h"

#include <memory>

namespace omni {

class CoreLink;

/// All connections as a table with live state, and all that can be done with them. Page id "connections"; `showObject` takes a
/// connection id and selects it, "edit:" and an id and opens its editor too, or "new" and opens an empty one.
class ConnectionsPage final : public Page {
    Q_OBJECT

public:
    /// `link` must outlive the page.
    explicit ConnectionsPage(CoreLink& link, QWidget* parent = nullptr);
    ~ConnectionsPage() override;

    QWidget* filterField() const override;
    void refresh() override;
    void createNew() override;

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
