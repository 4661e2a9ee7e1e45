#include "ui/settings/resilience_previews.h"
#include "ui/settings/settings_page.h"
#include "ui/settings/settings_places.h"
#include "ui/widgets/card.h"
#include "ui/widgets/quiet_label.h"

#include <QListWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace omni {

SettingsPage::Section& SettingsPage::addSection(const QString& id)
{
    const std::vector<SettingsPlace> places = settingsPlaces();
    const auto place = std::find_if(places.begin(), places.end(), [&id](const SettingsPlace& one) { return one.id == id; });
    Q_ASSERT(place != places.end());
    const int groups = m_index->count();
    if (groups == 0 || m_index->item(groups - 1)->text() != place->group)
        m_index->addItem(place->group);
    auto* card = new Card(place->title, this);
    card->setObjectName(QStringLiteral("section.") + id);
    card->body()->setSpacing(6);
    m_cards->addWidget(card);
    m_sections.push_back({id, m_index->count() - 1, card});
    return m_sections.back();
}

void SettingsPage::addExtra(Section& section, QWidget* widget)
{
    section.card->body()->addWidget(widget);
    section.extras.push_back(widget);
}

void SettingsPage::addCaption(Section& section, const QString& scope, const QString& trigger, const QString& effect)
{
    auto* caption = new QuietLabel(tr("<b>Concerns</b> %1<br><b>Set off by</b> %2<br><b>Then</b> %3", "three lines of a card's caption")
                                       .arg(scope.toHtmlEscaped(), trigger.toHtmlEscaped(), effect.toHtmlEscaped()),
                                   section.card);
    caption->setObjectName(QStringLiteral("caption.") + section.id);
    caption->setTextFormat(Qt::RichText);
    caption->setWordWrap(true);
    addExtra(section, caption);
}

void SettingsPage::addHeading(Section& section, const QString& text)
{
    auto* heading = new QLabel(text, section.card);
    QFont bold = heading->font();
    bold.setWeight(QFont::DemiBold);
    heading->setFont(bold);
    heading->setContentsMargins(0, 10, 0, 0);
    addExtra(section, heading);
}

void SettingsPage::addRow(Section& section, SettingRow* row)
{
    section.card->body()->addWidget(row);
    m_rows.emplace(row->field(), row);
    m_sectionOf.emplace(row, static_cast<std::size_t>(&section - m_sections.data()));
    connect(row, &SettingRow::committed, this, [this, row](const SettingValue& value) { send(row, value); });
    if (ResiliencePreviews::concerns(row->field())) {
        connect(row, &SettingRow::edited, m_previews,
                [this, row](const SettingValue& value) { m_previews->ask(settingPatch(row->field(), value)); });
    }
}

NumberRow* SettingsPage::number(Section& section, std::string_view field, const QString& label, const QString& help, Unit unit)
{
    auto* row = new NumberRow(field, label, help, unit, this);
    addRow(section, row);
    return row;
}

void SettingsPage::toggle(Section& section, std::string_view field, const QString& label, const QString& help)
{
    addRow(section, new ToggleRow(field, label, help, this));
}

}  // namespace omni
