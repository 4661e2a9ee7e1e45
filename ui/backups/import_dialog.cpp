#include "ui/backups/import_dialog.h"

#include "ui/core_link.h"
#include "ui/models/display_text.h"
#include "ui/widgets/field_error_label.h"
#include "ui/widgets/quiet_label.h"

#include <QCheckBox>
#include <QCoreApplication>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace omni {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(omni::ImportDialog)
};

QString counted(const QList<std::pair<QString, std::size_t>>& parts)
{
    QStringList words;
    for (const auto& [what, count] : parts) {
        if (count > 0)
            words << Words::tr("%1: %2", "kind of thing: how many").arg(what, numberText(static_cast<std::int64_t>(count)));
    }
    return words.join(QStringLiteral(", "));
}

QLabel* wrapped(QLabel* label)
{
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    return label;
}

}  // namespace

QString contentText(const ConfigurationDocument& document)
{
    QString text = counted({{Words::tr("connections"), document.connections.size()},
                            {Words::tr("endpoints"), document.nodes.size()},
                            {Words::tr("combos"), document.combos.size()},
                            {Words::tr("aliases"), document.aliases.size()},
                            {Words::tr("client keys"), document.apiKeys.size()},
                            {Words::tr("prices"), document.prices.size()}});
    if (document.settings)
        text += (text.isEmpty() ? QString() : QStringLiteral(", ")) + Words::tr("settings");
    return text.isEmpty() ? Words::tr("nothing") : text;
}

ImportDialog::ImportDialog(CoreLink& link, BackupDesk& desk, const QString& fileName, std::string text, const ConfigurationDocument& document,
                           QWidget* parent)
    : QDialog(parent), m_link(link), m_desk(&desk), m_text(std::move(text))
{
    setObjectName(QStringLiteral("importDialog"));
    setWindowTitle(tr("Import a configuration"));
    build(fileName, document);
}

void ImportDialog::build(const QString& fileName, const ConfigurationDocument& document)
{
    m_question = new QWidget(this);
    auto* content = wrapped(new QLabel(tr("%1 holds: %2.").arg(fileName, contentText(document)), m_question));
    content->setObjectName(QStringLiteral("importContent"));
    auto* rule = wrapped(new QuietLabel(tr("What has the same identity here is replaced by what the file holds, settings included; everything "
                                           "else that is here stays. All of it is taken in, or nothing."),
                                        m_question));
    m_passphrase = new QLineEdit(m_question);
    m_passphrase->setObjectName(QStringLiteral("importPassphrase"));
    m_passphrase->setAccessibleName(tr("Passphrase"));
    m_passphrase->setEchoMode(QLineEdit::Password);
    m_passphrase->setMaxLength(1024);
    m_passphrase->setPlaceholderText(tr("empty: without the keys"));
    m_passphraseError = new FieldErrorLabel(m_passphrase, m_question);
    m_passphraseError->setObjectName(QStringLiteral("importPassphraseError"));
    const bool keys = document.secrets.has_value();
    m_backup = new QCheckBox(tr("Make a &backup of the database first"), m_question);
    m_backup->setObjectName(QStringLiteral("importBackup"));
    m_backup->setChecked(true);
    auto* questions = new QVBoxLayout(m_question);
    questions->setContentsMargins({});
    questions->setSpacing(12);
    questions->addWidget(content);
    questions->addWidget(rule);
    if (keys) {
        auto* field = new QVBoxLayout;
        field->setSpacing(4);
        field->addWidget(m_passphrase);
        field->addWidget(m_passphraseError);
        auto* form = new QFormLayout;
        form->setHorizontalSpacing(16);
        form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
        form->addRow(tr("Passphrase of the keys"), field);
        questions->addLayout(form);
    } else {
        m_passphrase->hide();
        questions->addWidget(
            wrapped(new QuietLabel(tr("It holds no keys: connections that are new here wait until you enter theirs."), m_question)));
    }
    questions->addWidget(m_backup);

    m_outcome = wrapped(new QLabel);
    m_outcome->setObjectName(QStringLiteral("importOutcome"));
    m_outcome->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_outcome->setAlignment(Qt::AlignTop | Qt::AlignLeading);
    auto* scroll = new QScrollArea(this);
    scroll->setObjectName(QStringLiteral("importScroll"));
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    m_outcome->setProperty("pageBody", true);
    scroll->setWidget(m_outcome);
    scroll->hide();

    m_problem = wrapped(new QLabel(this));
    m_problem->setObjectName(QStringLiteral("importProblem"));
    m_problem->setForegroundRole(QPalette::BrightText);  // the theme's colour for what is bad
    m_cancel = new QPushButton(tr("Cancel"), this);
    m_cancel->setObjectName(QStringLiteral("importCancel"));
    m_cancel->setAutoDefault(false);
    m_import = new QPushButton(tr("Import"), this);
    m_import->setObjectName(QStringLiteral("importNow"));
    m_import->setProperty("primary", true);
    m_import->setDefault(true);
    auto* footer = new QHBoxLayout;
    footer->setSpacing(8);
    footer->addWidget(m_problem, 1);
    footer->addWidget(m_cancel);
    footer->addWidget(m_import);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 20, 20, 16);
    layout->setSpacing(14);
    layout->addWidget(m_question);
    layout->addWidget(scroll, 1);
    layout->addLayout(footer);
    const int line = fontMetrics().height();
    setMinimumWidth(line * 32);
    connect(m_cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_import, &QPushButton::clicked, this, &ImportDialog::begin);
    connect(m_passphrase, &QLineEdit::textEdited, this, [this] { m_passphraseError->setError({}); });
    if (keys)
        m_passphrase->setFocus();
    else
        m_import->setFocus();
}

void ImportDialog::setBusy(bool busy)
{
    m_busy = busy;
    m_import->setText(busy ? tr("Importing…") : tr("Import"));
    for (QWidget* one : {static_cast<QWidget*>(m_import), static_cast<QWidget*>(m_cancel), m_question})
        one->setEnabled(!busy);
}

void ImportDialog::reject()
{
    if (!m_busy)
        QDialog::reject();
}

void ImportDialog::begin()
{
    if (!m_desk) {
        reject();
        return;
    }
    setBusy(true);
    m_problem->clear();
    if (!m_backup->isChecked() || m_backedUp) {
        import();
        return;
    }
    m_desk->ask<Result<BackupFile>>([](const BackupShelf& shelf) { return shelf.make(BackupKind::BeforeImport); },
                                   [self = QPointer<ImportDialog>(this)](const Result<BackupFile>& made) {
                                       if (!self)
                                           return;
                                       if (made) {
                                           self->m_backedUp = true;
                                           self->import();
                                           return;
                                       }
                                       self->setBusy(false);
                                       self->m_problem->setText(tr("No backup could be made, so nothing was imported. %1").arg(errorText(made.error())));
                                   });
}

void ImportDialog::import()
{
    m_link.ask<ImportReport>(
        this,
        [text = m_text, passphrase = toUtf8(m_passphrase->text())](Control& control, const Reply<ImportReport>& reply) {
            control.importConfiguration(text, passphrase, reply);
        },
        [this](const Result<ImportReport>& result) { tell(result); });
}

void ImportDialog::tell(const Result<ImportReport>& result)
{
    setBusy(false);
    if (!result && result.error().kind == ErrorKind::Secret && !m_passphrase->text().isEmpty()) {
        m_passphraseError->setError(errorText(result.error()));
        m_passphrase->setFocus();
        m_passphrase->selectAll();
        return;
    }
    if (!result) {
        m_problem->setText(errorText(result.error()));
        return;
    }
    QString text = counted({{tr("connections"), static_cast<std::size_t>(result->connections)},
                            {tr("endpoints"), static_cast<std::size_t>(result->nodes)},
                            {tr("combos"), static_cast<std::size_t>(result->combos)},
                            {tr("aliases"), static_cast<std::size_t>(result->aliases)},
                            {tr("client keys"), static_cast<std::size_t>(result->apiKeys)},
                            {tr("keys of providers"), static_cast<std::size_t>(result->secrets)}});
    if (result->settings)
        text += (text.isEmpty() ? QString() : QStringLiteral(", ")) + tr("settings");
    text = text.isEmpty() ? tr("Nothing in the file was of use here.") : tr("Imported: %1.").arg(text);
    if (!result->skipped.empty()) {
        text += QStringLiteral("\n\n") + tr("Left out:");
        for (const std::string& line : result->skipped)
            text += QStringLiteral("\n• ") + coreText(line);
    }
    m_outcome->setText(text);
    m_question->hide();
    findChild<QScrollArea*>(QStringLiteral("importScroll"))->show();
    m_import->hide();
    m_cancel->setText(tr("Close"));
    m_cancel->setDefault(true);
    m_cancel->setFocus();
    const int line = fontMetrics().height();
    resize(width(), std::max(height(), line * 18));
    Q_EMIT imported();
}

}  // namespace omni
