#pragma once

#include "control/control.h"

#include <QObject>

#include <functional>
#include <string>
#include <vector>

namespace omni {

class CoreLink;

/// What can be done with combos and aliases besides editing them: told to the core, with its answer as a message.
class ComboActions final : public QObject {
    Q_OBJECT

public:
    ComboActions(CoreLink& link, QObject* parent);

    void removeCombos(const std::vector<ComboId>& ids);
    void removeAliases(const std::vector<std::string>& names);

Q_SIGNALS:
    void messageRaised(const QString& text, std::function<void()> undo = {});

private:
    template <typename Item>
    void removed(const Result<std::vector<Item>>& items, const QString& one, const QString& many,
                 void (Control::*restore)(std::vector<Item>, Reply<int>));
    void restored(const Result<int>& result);

    CoreLink& m_link;
};

/// `base` with a number behind it, so that no combo and no alias has the name.
std::string freeComboName(const Configuration& configuration, const std::string& base);

}  // namespace omni
