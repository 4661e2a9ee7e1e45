#pragma once

#include "ui/page.h"

#include <memory>

namespace omni {

class CoreLink;

/// Combos and aliases, each with where a request for it would go now, their editors, and a dry run of any name. Page id "combos";
/// `showObject` takes a combo's name or an alias and selects it, "new" for an empty combo's editor, "alias:new" for an alias's, or
/// "try:" and a name for the dry run.
class CombosPage final : public Page {
    Q_OBJECT

public:
    /// `link` must outlive the page.
    explicit CombosPage(CoreLink& link, QWidget* parent = nullptr);
    ~CombosPage() override;

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
