#include "ui/connections/connection_form.h"

#include "base/text.h"
#include "control/validation.h"
#include "ui/connections/provider_chooser.h"
#include "ui/models/display_text.h"
#include "ui/settings/number_text.h"
#include "ui/widgets/field_error_label.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QToolButton>
#include <QUrl>

#include <algorithm>
#include <limits>

namespace omni {

namespace {

/// What clients could write before "/": lower-case letters, digits and dashes of the name.
QString prefixFrom(const QString& name)
{
    QString prefix;
    for (const QChar c : name.toLower()) {
        const bool plain = (c >= QLatin1Char('a') && c <= QLatin1Char('z')) || (c >= QLatin1Char('0') && c <= QLatin1Char('9'));
        if (plain)
            prefix += c;
        else if (!prefix.isEmpty() && !prefix.endsWith(QLatin1Char('-')))
            prefix += QLatin1Char('-');
    }
    while (prefix.endsWith(QLatin1Char('-')))
        prefix.chop(1);
    return prefix;
}

/// What is no number becomes 0, which no range here allows: the core's own message then tells the range.
int numberIn(const QLineEdit* edit)
{
    const std::int64_t value = typedNumber(edit->text(), Unit::None).value_or(0);
    return value > std::numeric_limits<int>::max() ? 0 : static_cast<int>(std::max<std::int64_t>(value, 0));
}

std::string textOf(const QLineEdit* edit)
{
    return toUtf8(edit->text().trimmed());
}

}  // namespace

void ConnectionForm::load(const Connection& connection)
{
    m_filling = true;
    m_original = connection;
    m_provider = connection.provider;
    fillNode();
    m_name->setText(toQString(connection.name));
    m_url->setText(toQString(connection.baseUrl));
    m_enabled->setChecked(connection.enabled);
    m_priority->setText(shownNumber(connection.priority, Unit::None));
    m_concurrent->setText(connection.maxConcurrent ? shownNumber(*connection.maxConcurrent, Unit::None) : QString());
    m_noCooling->setChecked(connection.disableCooling);
    m_proxy->setText(toQString(connection.proxyUrl));
    if (!connection.proxySecretRef.empty()) {
        m_proxyUser->setPlaceholderText(tr("stored; leave empty to keep it"));
        m_proxyPassword->setPlaceholderText(tr("stored; leave empty to keep it"));
    }
    describeProvider();
    m_model->setEditText(toQString(connection.defaultModel));
    showAdvanced(connection.priority != 1 || connection.maxConcurrent || connection.disableCooling || !connection.proxyUrl.empty());
    m_filling = false;
    check();
}

void ConnectionForm::setProvider(const ProviderId& id)
{
    if (id == m_provider)
        return;
    m_provider = id;
    for (auto& [key, field] : m_fields)
        field.refusal.clear();
    m_filling = true;
    fillNode();
    describeProvider();
    suggestNames();
    m_filling = false;
    check();
    Q_EMIT changed();
}

bool ConnectionForm::isNewEndpoint() const
{
    return m_provider == ProviderChooser::kNewOpenAi || m_provider == ProviderChooser::kNewAnthropic;
}

const Provider* ConnectionForm::provider() const
{
    return m_provider.empty() || isNewEndpoint() ? nullptr : m_configuration->provider(m_provider);
}

void ConnectionForm::fillNode()
{
    m_savedNode.reset();
    if (const auto made = m_made.find(m_provider); made != m_made.end()) {
        m_savedNode = made->second;
    } else {
        const auto& nodes = m_configuration->nodes;
        const auto known = std::find_if(nodes.begin(), nodes.end(), [this](const ProviderNode& node) { return node.id == m_provider; });
        if (known != nodes.end())
            m_savedNode = *known;
    }
    if (!m_savedNode)
        return;
    m_nodeName->setText(toQString(m_savedNode->name));
    m_nodePrefix->setText(toQString(m_savedNode->prefix));
    m_nodeUrl->setText(toQString(m_savedNode->baseUrl));
}

ProviderNode ConnectionForm::nodeFromFields() const
{
    ProviderNode node = m_savedNode.value_or(ProviderNode());
    if (!m_savedNode)
        node.id = m_provider;
    node.name = textOf(m_nodeName);
    node.prefix = textOf(m_nodePrefix);
    node.baseUrl = textOf(m_nodeUrl);
    return node;
}

void ConnectionForm::describeProvider()
{
    const Provider* known = provider();
    const bool endpoint = isEndpoint();
    QString name = tr("Choose a provider");
    QString note = known ? coreText(known->note) : QString();
    if (isNewEndpoint()) {
        name = m_provider == ProviderChooser::kNewOpenAi ? tr("New OpenAI-compatible endpoint") : tr("New Anthropic-compatible endpoint");
        note = tr("Any server that speaks this wire format, here or elsewhere.");
    } else if (!m_provider.empty()) {
        name = providerText(m_configuration.get(), m_provider);
    }
    if (endpoint && !isNewEndpoint())
        note = tr("What is changed of the endpoint holds for all of its connections.");
    m_providerName->setText(name);
    m_providerNote->setText(note);
    m_providerNote->setVisible(!note.isEmpty());
    for (QWidget* row : m_nodeRows)
        m_layout->setRowVisible(row, endpoint);
    const bool sandbox = known && known->category == ProviderCategory::Sandbox;
    m_layout->setRowVisible(m_urlRow, (!endpoint && !sandbox) || !m_url->text().isEmpty());
    m_url->setPlaceholderText(known ? toQString(known->baseUrl) : QString());

    const bool optional = endpoint || !known || known->keyOptional || known->auth == AuthHeader::None;
    const bool stored = !m_original.secretRef.empty();
    m_key->setPlaceholderText(stored ? tr("%1 is stored; leave empty to keep it").arg(toQString(m_original.keyHint))
            : optional && known      ? tr("optional")
                                     : QString());
    m_layout->setRowVisible(m_keyRow, !sandbox);
    m_layout->setRowVisible(m_removeKey, stored && optional);

    const QString model = m_model->currentText();
    m_model->clear();
    if (!m_original.models.empty()) {
        for (const std::string& id : m_original.models)
            m_model->addItem(toQString(id));
    } else if (known) {
        for (const ModelInfo& info : known->models)
            m_model->addItem(toQString(info.id));
    }
    m_model->setEditText(model);
}

void ConnectionForm::suggestNames()
{
    if (isNewEndpoint()) {
        if (!m_fields["node.prefix"].touched)
            m_nodePrefix->setText(prefixFrom(m_nodeName->text()));
        if (!m_fields["name"].touched)
            m_name->setText(m_nodeName->text());
        return;
    }
    if (m_fields["name"].touched || !m_original.id.empty() || m_provider.empty())
        return;
    const QString base = providerText(m_configuration.get(), m_provider);
    QString name = base;
    const auto taken = [this](const QString& candidate) {
        return std::any_of(m_configuration->connections.begin(), m_configuration->connections.end(), [&](const Connection& other) {
            return other.provider == m_provider && toQString(other.name).compare(candidate, Qt::CaseInsensitive) == 0;
        });
    };
    for (int number = 2; taken(name); ++number)
        name = tr("%1 %2", "name and number of a further connection").arg(base, QString::number(number));
    m_name->setText(name);
}

bool ConnectionForm::hasSecret() const
{
    return !m_key->text().trimmed().isEmpty() || (!m_original.secretRef.empty() && !m_removeKey->isChecked());
}

ConnectionForm::Draft ConnectionForm::draft() const
{
    Draft draft;
    Connection& connection = draft.connection.connection;
    connection = m_original;
    connection.provider = m_savedNode ? m_savedNode->id : m_provider;
    connection.name = textOf(m_name);
    connection.baseUrl = isNewEndpoint() ? std::string() : textOf(m_url);
    connection.defaultModel = toUtf8(m_model->currentText().trimmed());
    connection.enabled = m_enabled->isChecked();
    connection.priority = numberIn(m_priority);
    connection.maxConcurrent = m_concurrent->text().trimmed().isEmpty() ? std::nullopt : std::optional<int>(numberIn(m_concurrent));
    connection.disableCooling = m_noCooling->isChecked();
    connection.proxyUrl = textOf(m_proxy);
    if (!m_key->text().trimmed().isEmpty())
        draft.connection.secret = textOf(m_key);
    else if (m_removeKey->isChecked())
        draft.connection.secret = std::string();
    if (connection.proxyUrl.empty()) {
        if (!m_original.proxySecretRef.empty())
            draft.connection.proxySecret = std::string();
    } else if (!m_proxyUser->text().isEmpty() || !m_proxyPassword->text().isEmpty()) {
        draft.connection.proxySecret = toUtf8(m_proxyUser->text()) + ":" + toUtf8(m_proxyPassword->text());
    }
    if (isEndpoint()) {
        ProviderNode node = nodeFromFields();
        const bool same = m_savedNode && m_savedNode->name == node.name && m_savedNode->prefix == node.prefix
            && m_savedNode->baseUrl == node.baseUrl;
        if (!same)
            draft.node = std::move(node);
    }
    return draft;
}

void ConnectionForm::setSavedNode(const ProviderNode& node)
{
    m_savedNode = node;
    if (isNewEndpoint())
        m_made.insert_or_assign(m_provider, node);
}

void ConnectionForm::check()
{
    const Draft now = draft();
    m_problems.clear();
    if (!isEndpoint()) {
        m_problems = validateConnection(now.connection.connection, hasSecret(), *m_configuration);
    } else {
        ProviderNode node = nodeFromFields();
        for (FieldError& problem : validateNode(node, *m_configuration)) {
            m_problems.push_back({"node." + problem.field, std::move(problem.message)});
        }
        // The connection is judged as if its endpoint were there already.
        Configuration with = *m_configuration;
        std::erase_if(with.nodes, [&node](const ProviderNode& other) { return other.id == node.id; });
        if (node.baseUrl.empty())
            node.baseUrl = "http://localhost";  // its absence is told at the endpoint's own field
        with.nodes.push_back(node);
        with.refreshNodeProviders();
        Connection connection = now.connection.connection;
        connection.provider = node.id;
        for (FieldError& problem : validateConnection(connection, hasSecret(), with))
            m_problems.push_back(std::move(problem));
    }
    for (auto& [key, field] : m_fields) {
        QString message = field.refusal;
        if (message.isEmpty() && field.touched) {
            const auto problem =
                std::find_if(m_problems.begin(), m_problems.end(), [&key = key](const FieldError& one) { return one.field == key; });
            if (problem != m_problems.end())
                message = coreText(problem->message);
        }
        field.error->setError(message);
    }
}

QString ConnectionForm::openProblem() const
{
    for (const FieldError& problem : m_problems) {
        const auto field = m_fields.find(problem.field);
        if (field == m_fields.end())
            return coreText(problem.message);
        if (!field->second.touched)
            return tr("%1: %2", "field: what is missing").arg(field->second.name, coreText(problem.message));
    }
    return {};
}

QString ConnectionForm::showRefusal(const Error& error, bool ofNode)
{
    QString rest;
    QWidget* first = nullptr;
    for (const FieldError& detail : error.details) {
        const auto field = m_fields.find((ofNode ? "node." : "") + detail.field);
        if (field == m_fields.end()) {
            rest += (rest.isEmpty() ? QString() : QStringLiteral(" ")) + coreText(detail.message);
            continue;
        }
        field->second.refusal = coreText(detail.message);
        if (!first)
            first = field->second.input;
        const auto holds = [input = field->second.input](const QWidget* row) { return row->isAncestorOf(input); };
        if (std::any_of(m_advancedRows.begin(), m_advancedRows.end(), holds))
            showAdvanced(true);
    }
    check();
    if (first)
        first->setFocus();
    if (error.details.empty())
        return coreText(error.message);
    return rest;
}

void ConnectionForm::edited(const std::string& key)
{
    if (m_filling)
        return;
    Field& field = m_fields[key];
    field.touched = true;
    field.refusal.clear();
    m_filling = true;
    if (key == "node.name")
        suggestNames();
    m_filling = false;
    check();
    Q_EMIT changed();
}

void ConnectionForm::splitProxyAddress()
{
    // "http://user:password@host:port" is what providers of proxies hand out; the password belongs among the secrets.
    QUrl url(m_proxy->text().trimmed());
    if (!url.isValid() || url.userName().isEmpty())
        return;
    m_proxyUser->setText(url.userName(QUrl::FullyDecoded));
    m_proxyPassword->setText(url.password(QUrl::FullyDecoded));
    url.setUserInfo(QString());
    m_proxy->setText(url.toString());
}

void ConnectionForm::showAdvanced(bool on)
{
    for (QWidget* row : m_advancedRows)
        m_layout->setRowVisible(row, on);
    m_more->setChecked(on);
    m_more->setArrowType(on ? Qt::DownArrow : Qt::RightArrow);
}

QWidget* ConnectionForm::firstField() const
{
    if (isNewEndpoint())
        return m_nodeName;
    return m_original.id.empty() ? m_key : m_name;
}

}  // namespace omni
