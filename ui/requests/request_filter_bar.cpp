#include "ui/requests/request_filter_bar.h"

#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/quiet_label.h"
#include "ui/widgets/search_field.h"

#include <QAbstractItemView>
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QSignalBlocker>

#include <algorithm>
#include <map>
#include <utility>

namespace omni {

namespace {

constexpr int kTypingPauseMs = 200;
constexpr int kChoiceLetters = 16;
constexpr std::size_t kMostNames = 500;

/// Fills a box below its first entry, which stands for all; what is chosen stays, even where it is no longer offered.
void fill(QComboBox& box, const std::vector<std::pair<QString, QString>>& choices)
{
    if (box.view()->isVisible())
        return;  // somebody is choosing; what is new comes with the next
    const QString chosen = box.currentData().toString();
    const QString words = box.currentText();
    const QSignalBlocker quiet(&box);
    while (box.count() > 1)
        box.removeItem(1);
    for (const auto& [text, value] : choices)
        box.addItem(text, value);
    if (!chosen.isEmpty() && box.findData(chosen) < 0)
        box.addItem(words, chosen);
    box.setCurrentIndex(std::max(0, box.findData(chosen)));
}

std::vector<std::pair<QString, QString>> choicesOf(const std::vector<std::string>& names)
{
    std::vector<std::pair<QString, QString>> choices;
    for (const std::string& name : names)
        choices.emplace_back(toQString(name), toQString(name));
    return choices;
}

/// Into a sorted list of at most kMostNames; whether it was taken in.
bool addName(std::vector<std::string>& names, const std::string& name)
{
    const auto place = std::lower_bound(names.begin(), names.end(), name);
    if (name.empty() || names.size() >= kMostNames || (place != names.end() && *place == name))
        return false;
    names.insert(place, name);
    return true;
}

void choose(QComboBox& box, const QString& value, const QString& words)
{
    if (box.findData(value) < 0)
        box.addItem(words, value);
    box.setCurrentIndex(box.findData(value));
}

}  // namespace

RequestFilterBar::RequestFilterBar(QWidget* parent)
    : QWidget(parent), m_text(new SearchField(this)), m_outcome(new QComboBox(this)), m_provider(new QComboBox(this)),
      m_failures(new QCheckBox(tr("Failures only"), this)), m_second(new QWidget(this)), m_connection(nullptr), m_model(nullptr),
      m_client(nullptr)
{
    m_text->setObjectName(QStringLiteral("requestFilter"));
    m_text->setPlaceholderText(tr("Filter"));
    m_text->setAccessibleName(tr("Filter the requests"));
    m_text->setToolTip(tr("A part of the model, path, connection, error or id"));
    m_text->setMinimumWidth(fontMetrics().averageCharWidth() * 26);
    m_outcome->setObjectName(QStringLiteral("requestOutcome"));
    m_outcome->setAccessibleName(tr("Outcome"));
    m_outcome->addItem(tr("All outcomes"), -1);
    for (const Outcome outcome : {Outcome::Answered, Outcome::UpstreamFailed, Outcome::Broken, Outcome::ClientGone, Outcome::Refused})
        m_outcome->addItem(lookOf(outcome, Colours()).word, static_cast<int>(outcome));
    m_provider->setObjectName(QStringLiteral("requestProvider"));
    m_provider->setAccessibleName(tr("Provider"));
    m_provider->addItem(tr("All providers"), QString());
    m_failures->setObjectName(QStringLiteral("failuresOnly"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins({});
    row->setSpacing(8);
    row->addWidget(m_text);
    row->addWidget(m_outcome);
    row->addWidget(m_provider);
    row->addWidget(m_failures);

    auto* second = new QHBoxLayout(m_second);
    second->setContentsMargins({});
    second->setSpacing(8);
    m_connection = addChoice(m_second, "requestConnection", tr("Connection"), tr("All connections"));
    m_model = addChoice(m_second, "requestModel", tr("Model"), tr("All models"));
    m_client = addChoice(m_second, "requestClient", tr("Client"), tr("All clients"));
    second->addStretch();

    m_typing.setSingleShot(true);
    m_typing.setInterval(kTypingPauseMs);
    connect(&m_typing, &QTimer::timeout, this, &RequestFilterBar::filterChanged);
    connect(m_text, &QLineEdit::textChanged, &m_typing, qOverload<>(&QTimer::start));
    connect(m_outcome, &QComboBox::currentIndexChanged, this, &RequestFilterBar::filterChanged);
    connect(m_provider, &QComboBox::currentIndexChanged, this, &RequestFilterBar::filterChanged);
    connect(m_failures, &QCheckBox::toggled, this, &RequestFilterBar::filterChanged);
}

QComboBox* RequestFilterBar::addChoice(QWidget* row, const char* name, const QString& label, const QString& all)
{
    auto* box = new QComboBox(row);
    box->setObjectName(QLatin1String(name));
    box->setAccessibleName(label);
    // Names of models and programs may be of any length: the box stays short, its list does not.
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(kChoiceLetters);
    box->view()->setTextElideMode(Qt::ElideMiddle);
    box->view()->setMinimumWidth(fontMetrics().averageCharWidth() * 2 * kChoiceLetters);
    box->addItem(all, QString());
    row->layout()->addWidget(box);
    connect(box, &QComboBox::currentIndexChanged, this, [this, box] {
        box->setToolTip(box->currentIndex() > 0 ? box->currentText() : QString());
        Q_EMIT filterChanged();
    });
    return box;
}

RequestFilter RequestFilterBar::filter() const
{
    RequestFilter filter;
    filter.text = toUtf8(m_text->text().trimmed());
    if (const int outcome = m_outcome->currentData().toInt(); outcome >= 0)
        filter.outcome = static_cast<Outcome>(outcome);
    filter.provider = ProviderId(toUtf8(m_provider->currentData().toString()));
    filter.failuresOnly = m_failures->isChecked();
    filter.connection = ConnectionId(toUtf8(m_connection->currentData().toString()));
    filter.model = toUtf8(m_model->currentData().toString());
    filter.client = toUtf8(m_client->currentData().toString());
    return filter;
}

bool RequestFilterBar::filtering() const
{
    return !m_text->text().trimmed().isEmpty() || m_outcome->currentIndex() > 0 || m_provider->currentIndex() > 0 || m_failures->isChecked()
        || m_connection->currentIndex() > 0 || m_model->currentIndex() > 0 || m_client->currentIndex() > 0;
}

void RequestFilterBar::clear()
{
    {
        const QSignalBlocker text(m_text);
        const QSignalBlocker failures(m_failures);
        m_text->clear();
        m_failures->setChecked(false);
        for (QComboBox* box : {m_outcome, m_provider, m_connection, m_model, m_client}) {
            const QSignalBlocker quiet(box);
            box->setCurrentIndex(0);
            box->setToolTip({});
        }
    }
    Q_EMIT filterChanged();
}

void RequestFilterBar::setConnection(const ConnectionId& id, const QString& name)
{
    if (id.empty())
        m_connection->setCurrentIndex(0);
    else
        choose(*m_connection, toQString(id.str()), name);
}

void RequestFilterBar::setModel(const std::string& model)
{
    choose(*m_model, toQString(model), toQString(model));
}

void RequestFilterBar::setConfiguration(const ConfigurationPtr& configuration)
{
    m_configuration = configuration;
    std::map<QString, QString> wanted;  // by name, so that the list is in order
    for (const Connection& connection : configuration->connections)
        wanted.emplace(providerText(configuration.get(), connection.provider), toQString(connection.provider.str()));
    // A provider whose last connection is gone still has its requests in the log.
    fill(*m_provider, {wanted.begin(), wanted.end()});
    fillConnections();
}

void RequestFilterBar::setNames(const RequestHistory::Names& names)
{
    // What finished while the log was being read need not be in it yet.
    const RequestHistory::Names before = std::exchange(m_names, names);
    for (const std::string& model : before.models)
        addName(m_names.models, model);
    for (const std::string& client : before.clients)
        addName(m_names.clients, client);
    fillNames();
}

void RequestFilterBar::forgetNames()
{
    m_names = {};
    fillNames();
}

void RequestFilterBar::addNames(const QList<RequestRecord>& records)
{
    bool anyNew = false;
    for (const RequestRecord& record : records) {
        for (const std::string& model : {record.requestedModel, record.model})
            anyNew = addName(m_names.models, model) || anyNew;
        anyNew = addName(m_names.clients, record.client) || anyNew;
    }
    if (anyNew)
        fillNames();
}

void RequestFilterBar::fillNames()
{
    fill(*m_model, choicesOf(m_names.models));
    fill(*m_client, choicesOf(m_names.clients));
    fillConnections();
}

void RequestFilterBar::fillConnections()
{
    std::vector<std::pair<QString, QString>> choices;
    if (m_configuration) {
        for (const Connection& connection : m_configuration->connections)
            choices.emplace_back(targetText(m_configuration.get(), connection.provider, connection.name), toQString(connection.id.str()));
    }
    std::stable_sort(choices.begin(), choices.end(), [](const auto& a, const auto& b) { return a.first.localeAwareCompare(b.first) < 0; });
    for (const auto& [id, name] : m_names.connections) {
        if (!m_configuration || !m_configuration->connection(id))
            choices.emplace_back(tr("%1 (deleted)", "connection").arg(toQString(name)), toQString(id.str()));
    }
    fill(*m_connection, choices);
}

}  // namespace omni
