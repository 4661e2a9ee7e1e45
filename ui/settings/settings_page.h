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
class BackupPanel;
class Card;
class CoreLink;
class ResiliencePreviews;
class RulesPanel;
class SearchField;
class ToggleRow;

/// Everything that can be set: groups at the left, the cards of one at the right; a search looks through all of them. Page id "settings";
/// `showObject` takes a card ("proxy", "providerBreaker") or a field ("routing.maxAttempts") and goes there. Each field takes effect at
/// once; the page shows what the core says is true.
class SettingsPage final : public Page {
    Q_OBJECT

public:
    /// `link` must outlive the page, and so must `autostart`, which may be null: then it is not offered. The backups are those of the
    /// database at `databasePath`.
    SettingsPage(CoreLink& link, Autostart* autostart, const std::string& databasePath, QWidget* parent = nullptr);
    ~SettingsPage() override;

    QWidget* filterField() const override;
    void refresh() override;
    /// A new error rule, where these are shown.
    void createNew() override;

public Q_SLOTS:
    void showObject(const QString& objectId) override;

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct Section {
        QString id;
        int group = 0;
        Card* card = nullptr;
        std::vector<QWidget*> extras = {};  ///< content that is not a row; hidden while a search looks for something else
    };

    /// One of `settingsPlaces`, which tells its title and its group; a group begins with its first section.
    Section& addSection(const QString& id);
    void addRow(Section& section, SettingRow* row);
    void addExtra(Section& section, QWidget* widget);
    /// What the card is about: whom it concerns, what sets it off, what comes of it (spec 4-surfaces §6.2).
    void addCaption(Section& section, const QString& scope, const QString& trigger, const QString& effect);
    void addHeading(Section& section, const QString& text);
    NumberRow* number(Section& section, std::string_view field, const QString& label, const QString& help, Unit unit);
    void toggle(Section& section, std::string_view field, const QString& label, const QString& help);
    void buildProxy();
    void buildUpstream();
    void buildRouting();
    void buildLog();
    void buildResilience();
    void buildCooldown();
    void buildBreaker();
    void buildProviderCooldown();
    void buildStreams();
    void buildDailyReset();
    void buildBans();
    void buildModelLockout();
    void buildErrorRules();
    void buildSecrets();
    void buildBackups(const std::string& databasePath);
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
    void showGroup(int group);
    void resetLockout();

    CoreLink& m_link;
    Autostart* m_autostart;
    SearchField* m_filter;
    QListWidget* m_index;
    QScrollArea* m_scroll;
    QVBoxLayout* m_cards;
    std::vector<Section> m_sections;
    ResiliencePreviews* m_previews;
    QPushButton* m_resetLockout = nullptr;
    RulesPanel* m_rulesPanel = nullptr;
    std::map<std::string, SettingRow*, std::less<>> m_rows;
    std::map<SettingRow*, std::size_t> m_sectionOf;
    ToggleRow* m_atLogin = nullptr;
    QPushButton* m_otherPort = nullptr;
    QLabel* m_logSize = nullptr;
    QLabel* m_secrets = nullptr;
    BackupPanel* m_backups = nullptr;
    QWidget* m_nothing = nullptr;
    int m_group = 0;
};

}  // namespace omni
