#include "ui/requests/request_filter_bar.h"

#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/search_field.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QToolButton>

#include <map>

namespace omni {

namespace {

constexpr int kTypingPauseMs = 200;

}  // namespace

RequestFilterBar::RequestFilterBar(QWidget* parent)
    : QWidget(parent), m_text(new SearchField(this)), m_outcome(new QComboBox(this)), m_provider(new QComboBox(this)),
      m_failures(new QCheckBox(tr("Failures only"), this)), m_connectionChip(new QToolButton(this))
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
    m_connectionChip->setObjectName(QStringLiteral("connectionChip"));
    m_connectionChip->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_connectionChip->setCheckable(true);
    m_connectionChip->setChecked(true);
    m_connectionChip->setToolTip(tr("Show the requests of all connections again"));
    m_connectionChip->hide();

    auto* row = new QHBoxLayout(this);
    row->setContentsMargins({});
    row->setSpacing(8);
    row->addWidget(m_connectionChip);
    row->addWidget(m_text);
    row->addWidget(m_outcome);
    row->addWidget(m_provider);
    row->addWidget(m_failures);

    m_typing.setSingleShot(true);
    m_typing.setInterval(kTypingPauseMs);
    connect(&m_typing, &QTimer::timeout, this, &RequestFilterBar::filterChanged);
    connect(m_text, &QLineEdit::textChanged, &m_typing, qOverload<>(&QTimer::start));
    connect(m_outcome, &QComboBox::currentIndexChanged, this, &RequestFilterBar::filterChanged);
    connect(m_provider, &QComboBox::currentIndexChanged, this, &RequestFilterBar::filterChanged);
    connect(m_failures, &QCheckBox::toggled, this, &RequestFilterBar::filterChanged);
    connect(m_connectionChip, &QToolButton::clicked, this, [this] { setConnection({}, {}); });
}

RequestFilter RequestFilterBar::filter() const
{
    RequestFilter filter;
    filter.text = toUtf8(m_text->text().trimmed());
    if (const int outcome = m_outcome->currentData().toInt(); outcome >= 0)
        filter.outcome = static_cast<Outcome>(outcome);
    filter.provider = ProviderId(toUtf8(m_provider->currentData().toString()));
    filter.failuresOnly = m_failures->isChecked();
    filter.connection = m_connection;
    return filter;
}

bool RequestFilterBar::filtering() const
{
    return !m_text->text().trimmed().isEmpty() || m_outcome->currentIndex() > 0 || m_provider->currentIndex() > 0 || m_failures->isChecked()
        || !m_connection.empty();
}

void RequestFilterBar::clear()
{
    {
        const QSignalBlocker text(m_text);
        const QSignalBlocker outcome(m_outcome);
        const QSignalBlocker provider(m_provider);
        const QSignalBlocker failures(m_failures);
        m_text->clear();
        m_outcome->setCurrentIndex(0);
        m_provider->setCurrentIndex(0);
        m_failures->setChecked(false);
    }
    setConnection({}, {});
}

void RequestFilterBar::setConnection(const ConnectionId& id, const QString& name)
{
    m_connection = id;
    m_connectionChip->setText(name);
    m_connectionChip->setIcon(themedIcon(QStringLiteral("close"), palette()));
    m_connectionChip->setChecked(true);
    m_connectionChip->setVisible(!id.empty());
    Q_EMIT filterChanged();
}

void RequestFilterBar::setConfiguration(const Configuration& configuration)
{
    std::map<QString, QString> wanted;  // by name, so that the list is in order
    for (const Connection& connection : configuration.connections)
        wanted.emplace(providerText(&configuration, connection.provider), toQString(connection.provider.str()));
    const QString chosen = m_provider->currentData().toString();
    const QSignalBlocker quiet(m_provider);
    while (m_provider->count() > 1)
        m_provider->removeItem(1);
    for (const auto& [name, id] : wanted)
        m_provider->addItem(name, id);
    // A provider whose last connection is gone still has its requests in the log.
    if (!chosen.isEmpty() && m_provider->findData(chosen) < 0)
        m_provider->addItem(providerText(&configuration, ProviderId(toUtf8(chosen))), chosen);
    m_provider->setCurrentIndex(std::max(0, m_provider->findData(chosen)));
}

}  // namespace omni
