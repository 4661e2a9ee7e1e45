#pragma once

#include "ui/page.h"

#include <memory>

namespace omni {

class CoreLink;

/// The keys clients send to this proxy: made here and shown once, with what each may use; disabled, revoked and deleted here. Page id
/// "api-keys"; `showObject` takes a key's id and selects it, or "new" and opens an empty form.
class ApiKeysPage final : public Page {
    Q_OBJECT

public:
    /// `link` must outlive the page.
    explicit ApiKeysPage(CoreLink& link, QWidget* parent = nullptr);
    ~ApiKeysPage() override;

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
