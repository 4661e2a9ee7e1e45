#include "ui/clients/client_detail.h"

#include "ui/clients/diff_view.h"
#include "ui/clients/snippet_box.h"
#include "ui/theme/theme.h"
#include "ui/widgets/card.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/field_error_label.h"
#include "ui/widgets/quiet_label.h"
#include "ui/widgets/state_label.h"

#include <QComboBox>
#include <QCompleter>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace omni {

namespace {

constexpr int kMostSnippets = 3;
constexpr int kSoonMs = 150;

QLabel* wrapped(QLabel* label)
{
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    return label;
}

}  // namespace

void ClientDetail::build()
{
    m_about = new Card(this);
    m_state = new StateLabel(m_about);
    m_state->setObjectName(QStringLiteral("clientState"));
    m_about->setRightWidget(m_state);
    m_speech = wrapped(new QLabel(m_about));
    m_speech->setObjectName(QStringLiteral("clientSpeech"));
    m_where = wrapped(new QuietLabel(m_about));
    m_where->setObjectName(QStringLiteral("clientWhere"));
    m_servedRow = new QWidget(m_about);
    m_servedShape = new StateLabel(m_servedRow);
    m_servedShape->setShapeOnly(true);
    m_served = wrapped(new QLabel(m_servedRow));
    m_served->setObjectName(QStringLiteral("clientServed"));
    m_addConnection = new QPushButton(tr("&Add a connection…"), m_servedRow);
    m_addConnection->setObjectName(QStringLiteral("clientAddConnection"));
    auto* served = new QHBoxLayout(m_servedRow);
    served->setContentsMargins(0, 0, 0, 0);
    served->setSpacing(8);
    served->addWidget(m_servedShape, 0, Qt::AlignTop);
    served->addWidget(m_served, 1);
    served->addWidget(m_addConnection, 0, Qt::AlignTop);
    m_about->body()->addWidget(m_speech);
    m_about->body()->addWidget(m_servedRow);
    m_about->body()->addWidget(m_where);
    m_about->body()->addWidget(buildChoices());

    m_byHand = new Card(tr("By hand"), this);
    m_remark = wrapped(new QuietLabel(m_byHand));
    m_byHand->body()->addWidget(m_remark);
    for (int i = 0; i < kMostSnippets; ++i) {
        auto* box = new SnippetBox(QStringLiteral("snippet%1").arg(i), m_byHand);
        m_byHand->body()->addWidget(box);
        m_snippets.push_back(box);
        connect(box, &SnippetBox::copied, this, [this](const QString& title) { Q_EMIT messageRaised(tr("Copied: %1").arg(title)); });
    }

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(16);
    layout->addWidget(m_about);
    layout->addWidget(buildSetup());
    layout->addWidget(m_byHand);
    layout->addStretch();

    m_soon.setSingleShot(true);
    m_soon.setInterval(kSoonMs);
    connect(&m_soon, &QTimer::timeout, this, &ClientDetail::plan);
    connect(m_model, &QComboBox::editTextChanged, this, &ClientDetail::planSoon);
    connect(m_key, &QLineEdit::textChanged, this, &ClientDetail::planSoon);
    connect(m_createKey, &QPushButton::clicked, this, &ClientDetail::createKey);
    connect(m_chooseFolder, &QPushButton::clicked, this, &ClientDetail::chooseFolder);
    connect(m_apply, &QPushButton::clicked, this, &ClientDetail::apply);
    connect(m_undo, &QPushButton::clicked, this, [this] { takeBack(*m_client); });
    connect(m_addConnection, &QPushButton::clicked, this,
            [this] { Q_EMIT openRequested(QStringLiteral("connections"), QStringLiteral("new")); });
}

QWidget* ClientDetail::buildChoices()
{
    m_choices = new QWidget(m_about);
    m_modelLabel = new QLabel(tr("&Model"), m_choices);
    m_model = new QComboBox(m_choices);
    m_model->setObjectName(QStringLiteral("clientModel"));
    m_model->setAccessibleName(tr("Model"));
    m_model->setEditable(true);
    m_model->setInsertPolicy(QComboBox::NoInsert);
    m_model->setMinimumContentsLength(24);
    m_model->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_model->completer()->setFilterMode(Qt::MatchContains);
    m_model->completer()->setCompletionMode(QCompleter::PopupCompletion);
    m_model->lineEdit()->setObjectName(QStringLiteral("clientModelText"));
    m_model->lineEdit()->setAccessibleName(tr("Model"));
    m_modelLabel->setBuddy(m_model);

    m_keyRow = new QWidget(m_choices);
    auto* keyLabel = new QLabel(tr("Client &key"), m_keyRow);
    m_key = new QLineEdit(m_keyRow);
    m_key->setObjectName(QStringLiteral("clientKey"));
    m_key->setAccessibleName(tr("Client key"));
    m_key->setPlaceholderText(tr("Paste one, or make one"));
    m_key->setFont(monospaceFont());
    keyLabel->setBuddy(m_key);
    m_createKey = new QPushButton(tr("Make a key"), m_keyRow);
    m_createKey->setObjectName(QStringLiteral("clientCreateKey"));
    m_keyError = new FieldErrorLabel(m_key, m_keyRow);
    m_keyError->setObjectName(QStringLiteral("clientKeyError"));
    auto* keys = new QGridLayout(m_keyRow);
    keys->setContentsMargins(0, 0, 0, 0);
    keys->setHorizontalSpacing(12);
    keys->addWidget(keyLabel, 0, 0);
    keys->addWidget(m_key, 0, 1);
    keys->addWidget(m_createKey, 0, 2);
    keys->addWidget(m_keyError, 1, 1, 1, 2);
    keys->setColumnStretch(1, 1);

    auto* models = new QHBoxLayout;
    models->setSpacing(12);
    models->addWidget(m_modelLabel);
    models->addWidget(m_model, 1);
    auto* column = new QVBoxLayout(m_choices);
    column->setContentsMargins(0, 4, 0, 0);
    column->setSpacing(8);
    column->addLayout(models);
    column->addWidget(m_keyRow);
    // Both inputs begin at one line.
    const int width = qMax(m_modelLabel->sizeHint().width(), keyLabel->sizeHint().width());
    m_modelLabel->setMinimumWidth(width);
    keyLabel->setMinimumWidth(width);
    return m_choices;
}

QWidget* ClientDetail::buildSetup()
{
    m_setup = new Card(this);
    m_folderRow = new QWidget(m_setup);
    m_folderLabel = new ElidedLabel(m_folderRow);
    m_folderLabel->setElideMode(Qt::ElideMiddle);
    m_chooseFolder = new QPushButton(tr("Choose a &folder…"), m_folderRow);
    m_chooseFolder->setObjectName(QStringLiteral("clientFolder"));
    auto* folders = new QHBoxLayout(m_folderRow);
    folders->setContentsMargins(0, 0, 0, 0);
    folders->addWidget(m_folderLabel, 1);
    folders->addWidget(m_chooseFolder);

    m_note = wrapped(new QLabel(m_setup));
    m_note->setObjectName(QStringLiteral("clientNote"));
    m_diff = new DiffView(m_setup);
    m_diff->setObjectName(QStringLiteral("clientDiff"));
    m_diff->setAccessibleName(tr("What would be changed"));
    m_apply = new QPushButton(tr("&Write this change"), m_setup);
    m_apply->setObjectName(QStringLiteral("clientApply"));
    m_apply->setProperty("primary", true);
    m_undo = new QPushButton(tr("&Take back"), m_setup);
    m_undo->setObjectName(QStringLiteral("clientUndo"));
    m_written = wrapped(new QuietLabel(m_setup));
    m_written->setObjectName(QStringLiteral("clientWritten"));
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(m_apply);
    buttons->addWidget(m_undo);
    buttons->addSpacing(8);
    buttons->addWidget(m_written, 1);
    m_setup->body()->addWidget(m_folderRow);
    m_setup->body()->addWidget(m_note);
    m_setup->body()->addWidget(m_diff);
    m_setup->body()->addLayout(buttons);
    return m_setup;
}

}  // namespace omni
