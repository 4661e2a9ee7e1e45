#include "ui/connections/key_import_row.h"

#include "base/text.h"
#include "control/validation.h"
#include "ui/models/display_text.h"
#include "ui/widgets/field_error_label.h"
#include "ui/widgets/quiet_label.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace omni {

KeyImportRow::KeyImportRow(const Configuration& configuration, connection_import::FoundKey key, const QString& name, bool stored, int number,
                           QWidget* parent)
    : QWidget(parent), m_key(std::move(key)), m_tick(new QCheckBox(this)), m_name(new QLineEdit(name, this)), m_places(new QuietLabel(this)),
      m_state(new QuietLabel(this)), m_error(new FieldErrorLabel(m_name, this))
{
    const QString provider = providerText(&configuration, m_key.provider);
    const QString masked = toQString(maskedSecret(m_key.key));
    const auto named = [number](const char* what) { return QLatin1String(what) + QString::number(number); };
    setObjectName(named("foundKey"));
    m_tick->setObjectName(named("foundTick"));
    m_tick->setText(tr("%1  %2", "provider and the end of its key").arg(provider, masked));
    m_tick->setChecked(!stored);
    m_name->setObjectName(named("foundName"));
    m_name->setAccessibleName(tr("Name of the connection to %1").arg(provider));
    m_name->setMaxLength(100);
    m_name->setFixedWidth(fontMetrics().averageCharWidth() * 30);
    m_error->setObjectName(named("foundError"));
    m_places->setObjectName(named("foundPlaces"));
    m_places->setTextFormat(Qt::PlainText);
    m_places->setWordWrap(true);
    m_state->setObjectName(named("foundState"));
    m_state->setText(stored ? tr("already here") : QString());
    auto* left = new QVBoxLayout;
    left->setSpacing(2);
    auto* first = new QHBoxLayout;
    first->setSpacing(10);
    first->addWidget(m_tick);
    first->addWidget(m_state);
    first->addStretch();
    left->addLayout(first);
    left->addWidget(m_places);
    left->addStretch();
    m_places->setContentsMargins(24, 0, 0, 0);
    auto* right = new QVBoxLayout;
    right->setSpacing(4);
    right->addWidget(m_name);
    right->addWidget(m_error);
    right->addStretch();
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 4, 0, 4);
    layout->setSpacing(16);
    layout->addLayout(left, 1);
    layout->addLayout(right);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    tellPlaces();
    connect(m_tick, &QCheckBox::toggled, this, [this] {
        m_refusal.clear();
        Q_EMIT changed();
    });
    connect(m_name, &QLineEdit::textEdited, this, [this] {
        m_refusal.clear();
        m_tick->setChecked(true);  // whoever names it means to have it
        Q_EMIT changed();
    });
}

void KeyImportRow::tellPlaces()
{
    QStringList places;
    for (const std::string& place : m_key.places)
        places << toQString(place);
    QString text = tr("found in %1").arg(places.join(QStringLiteral(", ")));
    if (!m_key.baseUrl.empty())
        text += QLatin1Char('\n') + tr("sent to %1").arg(toQString(m_key.baseUrl));
    m_places->setText(text);
}

void KeyImportRow::setPlaces(std::vector<std::string> places)
{
    m_key.places = std::move(places);
    tellPlaces();
}

Connection KeyImportRow::connection() const
{
    Connection connection;
    connection.provider = m_key.provider;
    connection.name = toUtf8(m_name->text().trimmed());
    connection.baseUrl = m_key.baseUrl;
    return connection;
}

bool KeyImportRow::wanted() const
{
    return m_tick->isChecked() && !m_kept;
}

void KeyImportRow::setWanted(bool wanted)
{
    m_tick->setChecked(wanted);
}

QString KeyImportRow::check(const Configuration& configuration, const std::vector<const KeyImportRow*>& others)
{
    QString problem;
    if (wanted()) {
        const Connection mine = connection();
        for (const FieldError& error : validateConnection(mine, true, configuration)) {
            problem = coreText(error.message);
            break;
        }
        const bool twice = std::any_of(others.begin(), others.end(), [&](const KeyImportRow* other) {
            return other != this && other->wanted() && other->m_key.provider == m_key.provider &&
                   equalsIgnoreCase(other->connection().name, mine.name);
        });
        if (problem.isEmpty() && twice)
            problem = tr("Another key in this list has this name.");
    }
    m_error->setError(problem.isEmpty() ? m_refusal : problem);
    return problem;
}

void KeyImportRow::setRefusal(const QString& text)
{
    m_refusal = text;
    m_error->setError(text);
}

void KeyImportRow::setKept()
{
    m_kept = true;
    m_state->setText(tr("added"));
    setEnabled(false);
}

}  // namespace omni
