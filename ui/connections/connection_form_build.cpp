#include "ui/connections/connection_form.h"

#include "ui/models/display_text.h"
#include "ui/settings/number_text.h"
#include "ui/widgets/field_error_label.h"
#include "ui/widgets/quiet_label.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <QVBoxLayout>

namespace omni {

namespace {

QFormLayout* formIn(QWidget* parent)
{
    auto* form = new QFormLayout(parent);
    form->setContentsMargins({});
    form->setHorizontalSpacing(16);
    form->setVerticalSpacing(12);
    form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    form->setRowWrapPolicy(QFormLayout::DontWrapRows);
    form->setLabelAlignment(Qt::AlignLeft);
    return form;
}

}  // namespace

ConnectionForm::ConnectionForm(ConfigurationPtr configuration, QWidget* parent) : QWidget(parent), m_configuration(std::move(configuration))
{
    m_providerName = new QLabel(this);
    m_providerName->setObjectName(QStringLiteral("providerName"));
    QFont bold = font();
    bold.setPointSizeF(font().pointSizeF() * 1.15);
    bold.setWeight(QFont::DemiBold);
    m_providerName->setFont(bold);
    m_providerNote = new QuietLabel(this);
    m_providerNote->setWordWrap(true);

    auto* rows = new QWidget(this);
    m_layout = formIn(rows);
    buildNode();
    buildBasics();
    m_more = new QToolButton(this);
    m_more->setObjectName(QStringLiteral("advancedToggle"));
    m_more->setText(tr("More settings"));
    m_more->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_more->setCheckable(true);
    m_layout->addRow(m_more);
    buildAdvanced();
    connect(m_more, &QToolButton::toggled, this, &ConnectionForm::showAdvanced);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(12);
    layout->addWidget(m_providerName);
    layout->addWidget(m_providerNote);
    layout->addWidget(rows);
    layout->addStretch();

    m_filling = true;
    showAdvanced(false);
    describeProvider();
    m_filling = false;
    check();
}

QLineEdit* ConnectionForm::lineEdit(const QString& objectName, const QString& name)
{
    auto* edit = new QLineEdit(this);
    edit->setObjectName(objectName);
    edit->setAccessibleName(name);
    edit->setMaxLength(4096);
    return edit;
}

QWidget* ConnectionForm::withError(const std::string& key, QWidget* input, QWidget* beside)
{
    auto* box = new QWidget(this);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins({});
    column->setSpacing(4);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(input, 1);
    if (beside)
        row->addWidget(beside);
    column->addLayout(row);
    Field& field = m_fields[key];
    field.input = input;
    field.name = input->accessibleName();
    field.error = new FieldErrorLabel(input, box);
    field.error->setObjectName(input->objectName() + QStringLiteral("Error"));
    column->addWidget(field.error);
    return box;
}

void ConnectionForm::watch(const std::string& key, QLineEdit* edit)
{
    connect(edit, &QLineEdit::textEdited, this, [this, key] { edited(key); });
}

void ConnectionForm::buildNode()
{
    m_nodeName = lineEdit(QStringLiteral("nodeName"), tr("Name of the endpoint"));
    m_nodeName->setPlaceholderText(tr("my gateway"));
    m_nodePrefix = lineEdit(QStringLiteral("nodePrefix"), tr("Prefix"));
    m_nodePrefix->setToolTip(tr("What clients write before the model: prefix/model"));
    m_nodeUrl = lineEdit(QStringLiteral("nodeUrl"), tr("Base URL of the endpoint"));
    m_nodeUrl->setPlaceholderText(QStringLiteral("https://host/v1"));
    m_nodeRows[0] = withError("node.name", m_nodeName);
    m_nodeRows[1] = withError("node.prefix", m_nodePrefix);
    m_nodeRows[2] = withError("node.baseUrl", m_nodeUrl);
    m_layout->addRow(tr("Endpoint"), m_nodeRows[0]);
    m_layout->addRow(tr("Prefix"), m_nodeRows[1]);
    m_layout->addRow(tr("Base URL"), m_nodeRows[2]);
    watch("node.name", m_nodeName);
    watch("node.prefix", m_nodePrefix);
    watch("node.baseUrl", m_nodeUrl);
}

void ConnectionForm::buildBasics()
{
    m_name = lineEdit(QStringLiteral("connectionName"), tr("Name"));
    watch("name", m_name);
    m_layout->addRow(tr("Name"), withError("name", m_name));

    m_key = lineEdit(QStringLiteral("apiKey"), tr("API key"));
    m_key->setEchoMode(QLineEdit::Password);
    m_key->setInputMethodHints(Qt::ImhSensitiveData | Qt::ImhNoPredictiveText | Qt::ImhNoAutoUppercase);
    watch("apiKey", m_key);
    m_showKey = new QToolButton(this);
    m_showKey->setObjectName(QStringLiteral("showKey"));
    m_showKey->setText(tr("Show"));
    m_showKey->setAccessibleName(tr("Show the key"));
    m_showKey->setCheckable(true);
    connect(m_showKey, &QToolButton::toggled, this, [this](bool on) {
        m_key->setEchoMode(on ? QLineEdit::Normal : QLineEdit::Password);
        m_showKey->setText(on ? tr("Hide") : tr("Show"));
    });
    m_keyRow = withError("apiKey", m_key, m_showKey);
    m_layout->addRow(tr("API key"), m_keyRow);
    m_removeKey = new QCheckBox(tr("Remove the stored key"), this);
    m_removeKey->setObjectName(QStringLiteral("removeKey"));
    connect(m_removeKey, &QCheckBox::toggled, this, [this] { edited("apiKey"); });
    m_layout->addRow(QString(), m_removeKey);

    m_url = lineEdit(QStringLiteral("baseUrl"), tr("Base URL"));
    m_url->setToolTip(tr("Leave empty for the provider's own address."));
    watch("baseUrl", m_url);
    m_urlRow = withError("baseUrl", m_url);
    m_layout->addRow(tr("Base URL"), m_urlRow);

    m_model = new QComboBox(this);
    m_model->setObjectName(QStringLiteral("defaultModel"));
    m_model->setAccessibleName(tr("Default model"));
    m_model->setToolTip(tr("Used by the test, and where a request names no model."));
    m_model->setEditable(true);
    m_model->setInsertPolicy(QComboBox::NoInsert);
    m_model->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_model->lineEdit()->setPlaceholderText(tr("none"));
    m_model->lineEdit()->setObjectName(QStringLiteral("defaultModelText"));
    m_model->lineEdit()->setAccessibleName(tr("Default model"));
    connect(m_model, &QComboBox::editTextChanged, this, [this] { edited("defaultModel"); });
    m_layout->addRow(tr("Default model"), withError("defaultModel", m_model));

    m_enabled = new QCheckBox(tr("In use"), this);
    m_enabled->setObjectName(QStringLiteral("enabled"));
    m_enabled->setChecked(true);
    connect(m_enabled, &QCheckBox::toggled, this, [this] {
        if (!m_filling)
            Q_EMIT changed();
    });
    m_layout->addRow(QString(), m_enabled);
}

void ConnectionForm::addAdvanced(const QString& label, QWidget* row)
{
    m_layout->addRow(label, row);
    m_advancedRows.push_back(row);
}

void ConnectionForm::buildAdvanced()
{
    m_priority = lineEdit(QStringLiteral("priority"), tr("Priority"));
    m_priority->setText(shownNumber(1, Unit::None));
    m_priority->setToolTip(tr("Lower is tried first among the connections of one provider."));
    watch("priority", m_priority);
    addAdvanced(tr("Priority"), withError("priority", m_priority));

    m_concurrent = lineEdit(QStringLiteral("maxConcurrent"), tr("At once"));
    m_concurrent->setPlaceholderText(tr("no limit"));
    m_concurrent->setToolTip(tr("Most requests under way at once on this connection."));
    watch("maxConcurrent", m_concurrent);
    addAdvanced(tr("At once"), withError("maxConcurrent", m_concurrent));

    m_noCooling = new QCheckBox(tr("Never rests after a failure"), this);
    m_noCooling->setObjectName(QStringLiteral("disableCooling"));
    m_noCooling->setToolTip(tr("Requests go on to this connection even right after it failed. Keys that are refused still stop it."));
    connect(m_noCooling, &QCheckBox::toggled, this, [this] {
        if (!m_filling)
            Q_EMIT changed();
    });
    addAdvanced(QString(), m_noCooling);

    m_proxy = lineEdit(QStringLiteral("proxyUrl"), tr("Proxy"));
    m_proxy->setPlaceholderText(tr("none; http://, https:// or socks5h://"));
    watch("proxyUrl", m_proxy);
    connect(m_proxy, &QLineEdit::editingFinished, this, [this] {
        splitProxyAddress();
        check();
        Q_EMIT changed();
    });
    addAdvanced(tr("Proxy"), withError("proxyUrl", m_proxy));

    m_proxyUser = lineEdit(QStringLiteral("proxyUser"), tr("User of the proxy"));
    watch("proxyUser", m_proxyUser);
    addAdvanced(tr("Proxy user"), withError("proxyUser", m_proxyUser));
    m_proxyPassword = lineEdit(QStringLiteral("proxyPassword"), tr("Password of the proxy"));
    m_proxyPassword->setEchoMode(QLineEdit::Password);
    m_proxyPassword->setInputMethodHints(Qt::ImhSensitiveData | Qt::ImhNoPredictiveText | Qt::ImhNoAutoUppercase);
    watch("proxyPassword", m_proxyPassword);
    addAdvanced(tr("Proxy password"), withError("proxyPassword", m_proxyPassword));
}

}  // namespace omni
