#pragma once

#include "ui/page.h"
#include "ui/settings/setting_row.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

class QListWidget;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace omni {

class Autostart;
class Card;
class CoreLink;
class SearchField;
class ToggleRow;

/// Everything that can be set, in sections. Page id "settings"; `showObject` takes a section ("proxy", "appearance") and scrolls to it.
/// Each field takes effect at once; the page shows what the core says is true.
class SettingsPage final : public Page {
    Q_OBJECT

public:
    /// `link` must outlive the page, and so must `autostart`, which may be null: then it is not offered.
    SettingsPage(CoreLink& link, Autostart* autostart, QWidget* parent = nullptr);
    ~SettingsPage() override;

    QWidget* filterField() const override;
    void refresh() override;

public Q_SLOTS:
    void showObject(const QString& objectId) override;

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct Section {
        QString id;
        Card* card = nullptr;
        QWidget* extra = nullptr;  ///< content that is not a row; hidden while a filter is on
    };

    Section& addSection(const QString& id, const QString& title);
    void addRow(Section& section, SettingRow* row);
    NumberRow* number(Section& section, std::string_view field, const QString& label, const QString& help, Unit unit);
    void toggle(Section& section, std::string_view field, const QString& label, const QString& help);
    void buildProxy();
    void buildClientKeys();
    void buildUpstream();
    void buildRouting();
    void buildLog();
    void buildResilience();
    void buildProfile(const QString& id, const QString& title, const std::string& profile);
    void buildSecrets();
    void buildAppearance();
    void buildAutostart(Section& section);

    void showSettings();
    void send(SettingRow* row, const SettingValue& value);
    void tellRefusal(SettingRow* row, const Error& error);
    void tellTakenPort(SettingRow* row, int port);
    void showAutostart();
    void askLogSize();
    void askSecretStatus();
    void askClearLog();
    void filter(const QString& words);
    void markSection();

    CoreLink& m_link;
    Autostart* m_autostart;
    SearchField* m_filter;
    QListWidget* m_index;
    QScrollArea* m_scroll;
    QVBoxLayout* m_cards;
    std::vector<Section> m_sections;
    std::map<std::string, SettingRow*, std::less<>> m_rows;
    std::map<SettingRow*, std::size_t> m_sectionOf;
    ToggleRow* m_atLogin = nullptr;
    QPushButton* m_otherPort = nullptr;
    QLabel* m_logSize = nullptr;
    QLabel* m_secrets = nullptr;
    QWidget* m_nothing = nullptr;
    bool m_jumping = false;
};

}  // namespace omni
