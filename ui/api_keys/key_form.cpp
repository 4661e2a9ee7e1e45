#include "ui/api_keys/key_form.h"

#include "control/validation.h"
#include "ui/models/display_text.h"
#include "ui/widgets/field_error_label.h"
#include "ui/widgets/quiet_label.h"
#include "ui/widgets/search_field.h"

#include <QCheckBox>
#include <QDateEdit>
#include <QDateTime>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QVBoxLayout>

#include <algorithm>
#include <map>

namespace omni {

namespace {

constexpr int kIdRole = Qt::UserRole;

QVBoxLayout* columnIn(QWidget* parent)
{
    auto* column = new QVBoxLayout(parent);
    column->setContentsMargins({});
    column->setSpacing(4);
    return column;
}

QuietLabel* helpIn(QWidget* parent, const QString& text)
{
    auto* help = new QuietLabel(text, parent);
    help->setWordWrap(true);
    return help;
}

}  // namespace

KeyForm::KeyForm(ConfigurationPtr configuration, const ApiKey& key, QWidget* parent)
    : QWidget(parent), m_configuration(std::move(configuration)), m_original(key)
{
    auto* form = new QFormLayout(this);
    form->setContentsMargins({});
    form->setHorizontalSpacing(16);
    form->setVerticalSpacing(14);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->setRowWrapPolicy(QFormLayout::DontWrapRows);
    form->setLabelAlignment(Qt::AlignLeft | Qt::AlignTop);

    auto* nameSide = new QWidget(this);
    m_name = new QLineEdit(nameSide);
    m_name->setObjectName(QStringLiteral("keyName"));
    m_name->setAccessibleName(tr("Name of the key"));
    m_name->setPlaceholderText(tr("Who uses it, such as: laptop"));
    m_nameError = new FieldErrorLabel(m_name, nameSide);
    auto* nameColumn = columnIn(nameSide);
    nameColumn->addWidget(m_name);
    nameColumn->addWidget(m_nameError);
    form->addRow(tr("Name"), nameSide);
    form->addRow(tr("Models"), buildModels());
    form->addRow(tr("Connections"), buildConnections());

    auto* rights = new QWidget(this);
    auto* rightsColumn = columnIn(rights);
    m_manage = new QCheckBox(tr("May also manage OmniRoute"), rights);
    m_manage->setObjectName(QStringLiteral("keyManage"));
    m_noLog = new QCheckBox(tr("Keep its requests out of the request log"), rights);
    m_noLog->setObjectName(QStringLiteral("keyNoLog"));
    rightsColumn->addWidget(m_manage);
    rightsColumn->addWidget(helpIn(rights, tr("Reads and changes connections, settings and keys over the management API. Give this only to "
                                              "programs of your own.")));
    rightsColumn->addSpacing(6);
    rightsColumn->addWidget(m_noLog);
    rightsColumn->addWidget(helpIn(rights, tr("They are still counted on the page Usage.")));
    form->addRow(tr("Rights"), rights);
    form->addRow(tr("Expires"), buildExpiry());

    connect(m_name, &QLineEdit::textEdited, this, [this] {
        m_touched.insert("name");
        check();
    });
    fill(key);
}

QWidget* KeyForm::buildModels()
{
    auto* side = new QWidget(this);
    m_models = new QPlainTextEdit(side);
    m_models->setObjectName(QStringLiteral("keyModels"));
    m_models->setAccessibleName(tr("Models the key may use"));
    m_models->setPlaceholderText(tr("any model"));
    m_models->setTabChangesFocus(true);
    m_models->setFixedHeight(fontMetrics().height() * 4 + 14);
    m_modelsError = new FieldErrorLabel(m_models, side);
    auto* column = columnIn(side);
    column->addWidget(m_models);
    column->addWidget(m_modelsError);
    column->addWidget(
        helpIn(side, tr("One name or pattern on a line, such as gpt-5* or openai/*. A combo or an alias by its name allows all it "
                        "leads to. Empty: any model.")));
    connect(m_models, &QPlainTextEdit::textChanged, this, [this] {
        m_touched.insert("allowedModels");
        check();
    });
    return side;
}

QWidget* KeyForm::buildConnections()
{
    auto* side = new QWidget(this);
    m_anyConnection = new QCheckBox(tr("Any connection, also those added later"), side);
    m_anyConnection->setObjectName(QStringLiteral("keyAnyConnection"));
    m_search = new SearchField(side);
    m_search->setObjectName(QStringLiteral("keyConnectionFilter"));
    m_search->setAccessibleName(tr("Filter the connections"));
    m_search->setPlaceholderText(tr("Filter"));
    m_connections = new QListWidget(side);
    m_connections->setObjectName(QStringLiteral("keyConnections"));
    m_connections->setAccessibleName(tr("Connections the key may use"));
    m_connections->setUniformItemSizes(true);
    m_connections->setFixedHeight(fontMetrics().height() * 8 + 14);
    m_connectionsError = new FieldErrorLabel(m_connections, side);
    auto* column = columnIn(side);
    column->addWidget(m_anyConnection);
    column->addWidget(m_search);
    column->addWidget(m_connections);
    column->addWidget(m_connectionsError);
    connect(m_anyConnection, &QCheckBox::toggled, this, [this] {
        m_touched.insert("allowedConnections");
        check();
    });
    connect(m_connections, &QListWidget::itemChanged, this, [this] {
        m_touched.insert("allowedConnections");
        check();
    });
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString& text) {
        for (int row = 0; row < m_connections->count(); ++row)
            m_connections->item(row)->setHidden(!m_connections->item(row)->text().contains(text.trimmed(), Qt::CaseInsensitive));
    });
    return side;
}

QWidget* KeyForm::buildExpiry()
{
    auto* side = new QWidget(this);
    m_expires = new QCheckBox(tr("At the end of"), side);
    m_expires->setObjectName(QStringLiteral("keyExpires"));
    m_expires->setAccessibleName(tr("The key expires"));
    m_expiryDay = new QDateEdit(side);
    m_expiryDay->setObjectName(QStringLiteral("keyExpiryDay"));
    m_expiryDay->setAccessibleName(tr("Last day of the key"));
    m_expiryDay->setCalendarPopup(true);
    m_expiryError = new FieldErrorLabel(m_expiryDay, side);
    auto* line = new QHBoxLayout;
    line->setSpacing(8);
    line->addWidget(m_expires);
    line->addWidget(m_expiryDay);
    line->addStretch();
    auto* column = columnIn(side);
    column->addLayout(line);
    column->addWidget(m_expiryError);
    connect(m_expires, &QCheckBox::toggled, this, [this](bool on) {
        m_touched.insert("expiresAt");
        m_expiryDay->setEnabled(on);
        check();
    });
    connect(m_expiryDay, &QDateEdit::dateChanged, this, [this] {
        m_touched.insert("expiresAt");
        check();
    });
    return side;
}

void KeyForm::fill(const ApiKey& key)
{
    m_filling = true;
    m_name->setText(toQString(key.name));
    QStringList models;
    for (const std::string& pattern : key.allowedModels)
        models << toQString(pattern);
    m_models->setPlainText(models.join(QLatin1Char('\n')));
    const auto allowed = [&key](const ConnectionId& id) {
        return std::find(key.allowedConnections.begin(), key.allowedConnections.end(), id) != key.allowedConnections.end();
    };
    const auto add = [this](const QString& text, const ConnectionId& id, bool on) {
        auto* item = new QListWidgetItem(text, m_connections);
        item->setData(kIdRole, toQString(id.str()));
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        item->setCheckState(on ? Qt::Checked : Qt::Unchecked);
    };
    for (const Connection& connection : m_configuration->connections)
        add(targetText(m_configuration.get(), connection.provider, connection.name), connection.id, allowed(connection.id));
    m_connections->sortItems();
    // They stay with the key: without them an empty list would open every connection to it.
    for (const ConnectionId& id : key.allowedConnections) {
        if (!m_configuration->connection(id))
            add(tr("A connection that was deleted"), id, true);
    }
    m_anyConnection->setChecked(key.allowedConnections.empty());
    m_manage->setChecked(!key.scopes.empty());
    m_noLog->setChecked(key.noLog);
    m_expires->setChecked(key.expiresAt.has_value());
    const QDate tomorrow = QDate::currentDate().addDays(1);
    m_expiryDay->setDate(key.expiresAt ? QDateTime::fromMSecsSinceEpoch(epochMillis(*key.expiresAt)).date() : tomorrow.addMonths(3));
    m_expiryDay->setEnabled(m_expires->isChecked());
    m_filling = false;
    m_touched.clear();
    check();
}

int KeyForm::chosenConnections() const
{
    int chosen = 0;
    for (int row = 0; row < m_connections->count(); ++row)
        chosen += m_connections->item(row)->checkState() == Qt::Checked ? 1 : 0;
    return chosen;
}

ApiKey KeyForm::key() const
{
    ApiKey key = m_original;
    key.name = toUtf8(m_name->text().trimmed());
    key.allowedModels.clear();
    for (const QString& line : m_models->toPlainText().split(QLatin1Char('\n'))) {
        if (!line.trimmed().isEmpty())
            key.allowedModels.push_back(toUtf8(line.trimmed()));
    }
    key.allowedConnections.clear();
    for (int row = 0; !m_anyConnection->isChecked() && row < m_connections->count(); ++row) {
        if (m_connections->item(row)->checkState() == Qt::Checked)
            key.allowedConnections.emplace_back(toUtf8(m_connections->item(row)->data(kIdRole).toString()));
    }
    key.scopes = m_manage->isChecked() ? std::vector<std::string>{"manage"} : std::vector<std::string>{};
    key.noLog = m_noLog->isChecked();
    key.expiresAt.reset();
    if (m_expires->isChecked()) {
        const QDateTime end = m_expiryDay->date().addDays(1).startOfDay().addMSecs(-1);
        key.expiresAt = fromEpochMillis(end.toMSecsSinceEpoch());
    }
    return key;
}

FieldErrorLabel* KeyForm::errorOf(const std::string& field) const
{
    if (field == "name")
        return m_nameError;
    if (field == "allowedModels")
        return m_modelsError;
    if (field == "allowedConnections")
        return m_connectionsError;
    return field == "expiresAt" ? m_expiryError : nullptr;
}

void KeyForm::check()
{
    if (m_filling)
        return;
    m_connections->setEnabled(!m_anyConnection->isChecked());
    m_search->setEnabled(!m_anyConnection->isChecked());
    std::map<std::string, QString> told;
    ApiKey draft = key();
    draft.createdAt = m_original.id.empty() ? wallNow() : m_original.createdAt;
    for (const FieldError& problem : validateApiKey(draft, *m_configuration))
        told.emplace(problem.field, coreText(problem.message));
    if (!m_anyConnection->isChecked() && chosenConnections() == 0)
        told["allowedConnections"] = tr("Choose at least one, or allow any.");
    if (m_touched.contains("expiresAt") && draft.expiresAt && *draft.expiresAt <= wallNow())
        told["expiresAt"] = tr("That day is over.");
    m_valid = told.empty();
    for (const char* field : {"name", "allowedModels", "allowedConnections", "expiresAt"}) {
        const auto problem = told.find(field);
        errorOf(field)->setError(problem != told.end() && m_touched.contains(field) ? problem->second : QString());
    }
    Q_EMIT changed();
}

QString KeyForm::showRefusal(const Error& error)
{
    QString rest = error.details.empty() ? errorText(error) : QString();
    for (const FieldError& problem : error.details) {
        if (FieldErrorLabel* label = errorOf(problem.field))
            label->setError(coreText(problem.message));
        else
            rest = errorText(error);
    }
    return rest;
}

QWidget* KeyForm::firstField() const
{
    return m_name;
}

}  // namespace omni
