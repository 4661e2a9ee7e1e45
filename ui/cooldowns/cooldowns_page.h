#pragma once

#include "ui/page.h"

#include <memory>
#include <string>

namespace omni {

class CoreLink;
class HoldHistory;

/// The Cooldown Manager: what routing leaves out for now, why, and how to bring it back. Page id "cooldowns"; `showObject` takes a
/// connection id and selects its line.
class CooldownsPage final : public Page {
    Q_OBJECT

public:
    /// `link` must outlive the page.
    CooldownsPage(CoreLink& link, std::shared_ptr<HoldHistory> history, const std::string& databasePath, QWidget* parent = nullptr);
    ~CooldownsPage() override;

    QWidget* filterField() const override;
    void refresh() override;

public Q_SLOTS:
    void showObject(const QString& objectId) override;

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

}  // namespace omni
