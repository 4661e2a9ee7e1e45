#include "ui/connections/key_import_dialog.h"

#include "base/text.h"
#include "control/connection_import/stored_keys.h"
#include "ui/connections/key_import_row.h"
#include "ui/core_link.h"
#include "ui/models/display_text.h"
#include "ui/widgets/quiet_label.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QPointer>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace omni {

using namespace connection_import;

namespace {

/// The tools whose files are looked into, each once.
QString toolNames(const Surroundings& surroundings)
{
    QStringList names;
    for (const KeyFile& file : knownKeyFiles(surroundings)) {
        if (!file.tool.empty() && !names.contains(toQString(file.tool)))
            names << toQString(file.tool);
    }
    return names.join(QStringLiteral(", "));
}

QLabel* wrapped(QLabel* label)
{
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    return label;
}

}  // namespace

KeyImportDialog::KeyImportDialog(CoreLink& link, Surroundings surroundings, Testing testing, QWidget* parent)
    : QDialog(parent), m_link(link), m_surroundings(std::move(surroundings)), m_work(*this)
{
    setObjectName(QStringLiteral("keyImportDialog"));
    setWindowTitle(tr("Import keys"));
    build(testing);
    take(keysInEnvironment(m_surroundings, *link.configuration()->catalogue));
}

void KeyImportDialog::build(Testing testing)
{
    auto* intro = wrapped(new QuietLabel(
        tr("Keys of providers that lie on this computer already. What you tick becomes a connection, its key kept encrypted; the place it was "
           "found in stays as it is. Until you press Add, nothing is kept and nothing is sent."),
        this));
    auto* content = new QWidget;
    content->setProperty("pageBody", true);
    m_list = new QVBoxLayout(content);
    m_list->setContentsMargins(0, 0, 12, 0);
    m_list->setSpacing(4);
    m_nothing = wrapped(new QLabel(tr("Looking…"), content));
    m_nothing->setObjectName(QStringLiteral("keyImportNothing"));
    m_list->addWidget(m_nothing);
    m_list->addStretch(1);
    m_scroll = new QScrollArea(this);
    m_scroll->setObjectName(QStringLiteral("keyImportScroll"));
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setWidget(content);

    m_look = new QPushButton(tr("&Look in files of other tools"), this);
    m_look->setObjectName(QStringLiteral("lookInFiles"));
    m_look->setAutoDefault(false);
    m_lookNote = wrapped(new QuietLabel(
        tr("Reads your own settings files of %1, your .env and your shell's start-up files. Nothing is changed in them.").arg(toolNames(m_surroundings)),
        this));
    m_lookNote->setObjectName(QStringLiteral("lookNote"));
    m_refused = wrapped(new QuietLabel(this));
    m_refused->setObjectName(QStringLiteral("refusedFiles"));
    m_refused->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_refused->hide();
    auto* look = new QHBoxLayout;
    look->setSpacing(12);
    look->addWidget(m_look, 0, Qt::AlignTop);
    look->addWidget(m_lookNote, 1);

    m_test = new QCheckBox(tr("&Test each at once"), this);
    m_test->setObjectName(QStringLiteral("testImported"));
    m_test->setToolTip(tr("One small request to each provider. A test that fails changes nothing about how requests are routed."));
    m_test->setChecked(testing == Testing::Offered);
    m_test->setVisible(testing == Testing::Offered);
    m_problem = wrapped(new QLabel(this));
    m_problem->setObjectName(QStringLiteral("keyImportProblem"));
    m_problem->setForegroundRole(QPalette::BrightText);  // the theme's colour for what is bad
    m_cancel = new QPushButton(tr("Cancel"), this);
    m_cancel->setObjectName(QStringLiteral("keyImportCancel"));
    m_cancel->setAutoDefault(false);
    m_add = new QPushButton(this);
    m_add->setObjectName(QStringLiteral("keyImportAdd"));
    m_add->setProperty("primary", true);
    m_add->setDefault(true);
    auto* footer = new QHBoxLayout;
    footer->setSpacing(8);
    footer->addWidget(m_test);
    footer->addWidget(m_problem, 1);
    footer->addWidget(m_cancel);
    footer->addWidget(m_add);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 20, 20, 16);
    layout->setSpacing(14);
    layout->addWidget(intro);
    layout->addWidget(m_scroll, 1);
    layout->addLayout(look);
    layout->addWidget(m_refused);
    layout->addLayout(footer);
    const int line = fontMetrics().height();
    resize(line * 44, line * 30);
    connect(m_look, &QPushButton::clicked, this, &KeyImportDialog::lookInFiles);
    connect(m_cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_add, &QPushButton::clicked, this, &KeyImportDialog::add);
    check();
}

void KeyImportDialog::reject()
{
    if (m_outstanding == 0)
        QDialog::reject();
}

void KeyImportDialog::lookInFiles()
{
    m_looking = true;
    m_look->setEnabled(false);
    auto found = std::make_shared<Findings>();
    m_work.run([found, here = m_surroundings, catalogue = m_link.configuration()->catalogue] { *found = keysInFiles(here, *catalogue); },
               [this, found] {
                   m_looking = false;
                   m_looked = true;
                   m_look->setEnabled(true);
                   take(*found);
               });
}

KeyImportRow* KeyImportDialog::rowOf(const FoundKey& key) const
{
    const auto found = std::find_if(m_rows.begin(), m_rows.end(), [&key](const KeyImportRow* row) {
        return row->key().provider == key.provider && row->key().baseUrl == key.baseUrl && row->key().key == key.key;
    });
    return found == m_rows.end() ? nullptr : *found;
}

void KeyImportDialog::take(const Findings& findings)
{
    m_found.refused.clear();  // a second look tells the newest
    append(m_found, findings);
    QStringList refused;
    for (const RefusedFile& file : m_found.refused)
        refused << tr("%1: %2", "a file and why it was left out").arg(toQString(file.place), coreText(file.reason));
    m_refused->setText(tr("Left out:") + QLatin1Char('\n') + refused.join(QLatin1Char('\n')));
    m_refused->setVisible(!refused.isEmpty());
    m_link.ask<std::vector<bool>>(
        this,
        [keys = m_found.keys](Control& control, const Reply<std::vector<bool>>& reply) { reply(storedAlready(control, keys)); },
        [this, keys = m_found.keys](const Result<std::vector<bool>>& stored) {
            if (stored)
                addRows(keys, *stored);
        });
}

QString KeyImportDialog::freeName(const ProviderId& provider) const
{
    const ConfigurationPtr& configuration = m_link.configuration();
    const QString base = providerText(configuration.get(), provider);
    const auto taken = [&](const QString& name) {
        const std::string wanted = toUtf8(name);
        const auto has = [&](const Connection& one) { return one.provider == provider && equalsIgnoreCase(one.name, wanted); };
        return std::any_of(configuration->connections.begin(), configuration->connections.end(), has) ||
               std::any_of(m_rows.begin(), m_rows.end(), [&](const KeyImportRow* row) { return has(row->connection()); });
    };
    QString name = base;
    for (int number = 2; taken(name); ++number)
        name = tr("%1 %2", "name and number of a further connection").arg(base, QString::number(number));
    return name;
}

void KeyImportDialog::addRows(const std::vector<FoundKey>& keys, const std::vector<bool>& stored)
{
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (KeyImportRow* known = rowOf(keys[i])) {
            known->setPlaces(keys[i].places);
            continue;
        }
        auto* row = new KeyImportRow(*m_link.configuration(), keys[i], freeName(keys[i].provider), stored[i],
                                     static_cast<int>(m_rows.size()), m_scroll->widget());
        m_list->insertWidget(m_list->count() - 1, row);
        m_rows.push_back(row);
        connect(row, &KeyImportRow::changed, this, &KeyImportDialog::check);
    }
    m_nothing->setVisible(m_rows.empty());
    m_nothing->setText(m_looked ? tr("No key was found on this computer. Add a connection by hand.")
                                : tr("No environment variable of this program holds a key. Perhaps a file does."));
    check();
}

std::vector<const KeyImportRow*> KeyImportDialog::rows() const
{
    return {m_rows.begin(), m_rows.end()};
}

void KeyImportDialog::check()
{
    std::int64_t wanted = 0;
    bool fine = true;
    for (KeyImportRow* row : m_rows) {
        wanted += row->wanted() ? 1 : 0;
        fine &= row->check(*m_link.configuration(), rows()).isEmpty();
    }
    const bool busy = m_outstanding > 0;
    m_add->setText(busy          ? tr("Adding…")
                   : wanted == 0 ? tr("Add")
                   : wanted == 1 ? tr("Add 1 connection")
                                 : tr("Add %1 connections").arg(numberText(wanted)));
    m_add->setEnabled(fine && wanted > 0 && !busy);
    m_cancel->setEnabled(!busy);
    m_look->setEnabled(!m_looking && !busy);
    m_scroll->setEnabled(!busy);
}

void KeyImportDialog::add()
{
    std::vector<KeyImportRow*> wanted;
    std::copy_if(m_rows.begin(), m_rows.end(), std::back_inserter(wanted), [](const KeyImportRow* row) { return row->wanted(); });
    if (wanted.empty() || m_outstanding > 0)
        return;
    m_problem->clear();
    m_outstanding = wanted.size();
    check();
    for (KeyImportRow* row : wanted) {
        ConnectionDraft draft;
        draft.connection = row->connection();
        draft.secret = row->key().key;
        m_link.ask<Connection>(
            this, [draft](Control& control, const Reply<Connection>& reply) { control.saveConnection(draft, reply); },
            [this, row](const Result<Connection>& saved) { answered(row, saved); });
    }
}

void KeyImportDialog::answered(KeyImportRow* row, const Result<Connection>& saved)
{
    if (saved) {
        m_added.push_back(*saved);
        row->setKept();
    }
    --m_outstanding;
    check();
    if (!saved) {
        row->setRefusal(errorText(saved.error()));
        m_problem->setText(tr("Not all could be added."));
    }
    if (m_outstanding > 0 || m_added.empty())
        return;
    Q_EMIT added(std::exchange(m_added, {}), m_test->isChecked());
    if (m_problem->text().isEmpty())
        accept();
}

}  // namespace omni
