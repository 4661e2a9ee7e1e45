#pragma once

#include "ui/page.h"

#include <memory>

namespace omni {

class CoreLink;

/// Model Cooldowns: the models that rest on a connection while its others serve, and how to bring them back. Page id "lockouts";
/// `showObject` takes a model as the engine names it and shows its lines.
class LockoutsPage final : public Page {
    Q_OBJECT

public:
    /// `link` must outlive the page.
    explicit LockoutsPage(CoreLink& link, QWidget* parent = nullptr);
    ~LockoutsPage() override;

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
