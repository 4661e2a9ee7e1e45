#include "ui/backups/export_dialog.h"

#include "ui/models/display_text.h"
#include "ui/widgets/field_error_label.h"
#include "ui/widgets/quiet_label.h"

#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QVBoxLayout>

namespace omni {

namespace {

/// A passphrase that is tried out by the million must not be a word; nobody is kept from writing a longer one.
constexpr int kShortest = 10;

}  // namespace

ExportDialog::ExportDialog(QWidget* parent)
    : QDialog(parent), m_without(new QRadioButton(tr("&Without keys"), this)),
      m_with(new QRadioButton(tr("With the &keys, encrypted under a passphrase"), this)), m_first(new QLineEdit(this)),
      m_second(new QLineEdit(this)), m_firstError(new FieldErrorLabel(m_first, this)), m_secondError(new FieldErrorLabel(m_second, this)),
      m_next(new QPushButton(tr("Choose the file…"), this))
{
    setObjectName(QStringLiteral("exportDialog"));
    setWindowTitle(tr("Export the configuration"));
    auto* intro = new QuietLabel(tr("The file holds connections, endpoints, combos, aliases, client keys (as fingerprints), prices and "
                                    "settings. The request log and the usage figures are not in it."),
                                 this);
    intro->setWordWrap(true);
    auto* withoutNote = new QuietLabel(tr("Where it is imported, the keys have to be entered by hand."), this);
    auto* withNote = new QuietLabel(tr("Who has the file and the passphrase has your keys. It cannot be recovered when it is forgotten."), this);
    for (QLabel* note : {withoutNote, withNote}) {
        note->setWordWrap(true);
        note->setIndent(24);
    }
    m_without->setObjectName(QStringLiteral("exportWithoutKeys"));
    m_with->setObjectName(QStringLiteral("exportWithKeys"));
    m_without->setChecked(true);
    m_first->setObjectName(QStringLiteral("exportPassphrase"));
    m_second->setObjectName(QStringLiteral("exportPassphraseAgain"));
    m_first->setAccessibleName(tr("Passphrase"));
    m_second->setAccessibleName(tr("Passphrase once more"));
    m_firstError->setObjectName(QStringLiteral("exportPassphraseError"));
    m_secondError->setObjectName(QStringLiteral("exportPassphraseAgainError"));
    auto* form = new QFormLayout;
    form->setContentsMargins(24, 0, 0, 0);
    form->setHorizontalSpacing(16);
    form->setVerticalSpacing(8);
    form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    const auto addField = [this, form](const QString& label, QLineEdit* edit, FieldErrorLabel* error) {
        edit->setEchoMode(QLineEdit::Password);
        edit->setMaxLength(1024);
        auto* box = new QVBoxLayout;
        box->setSpacing(4);
        box->addWidget(edit);
        box->addWidget(error);
        form->addRow(label, box);
        connect(edit, &QLineEdit::textChanged, this, &ExportDialog::check);
    };
    addField(tr("Passphrase"), m_first, m_firstError);
    addField(tr("Once more"), m_second, m_secondError);

    auto* cancel = new QPushButton(tr("Cancel"), this);
    cancel->setObjectName(QStringLiteral("exportCancel"));
    cancel->setAutoDefault(false);
    m_next->setObjectName(QStringLiteral("exportNext"));
    m_next->setProperty("primary", true);
    m_next->setDefault(true);
    auto* footer = new QHBoxLayout;
    footer->setSpacing(8);
    footer->addStretch();
    footer->addWidget(cancel);
    footer->addWidget(m_next);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 20, 20, 16);
    layout->setSpacing(10);
    layout->addWidget(intro);
    layout->addWidget(m_without);
    layout->addWidget(withoutNote);
    layout->addWidget(m_with);
    layout->addWidget(withNote);
    layout->addLayout(form);
    layout->addStretch();
    layout->addSpacing(6);
    layout->addLayout(footer);
    setMinimumWidth(fontMetrics().height() * 30);

    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_next, &QPushButton::clicked, this, &QDialog::accept);
    connect(m_with, &QRadioButton::toggled, this, [this](bool on) {
        check();
        if (on)
            m_first->setFocus();
    });
    check();
}

void ExportDialog::check()
{
    const bool with = m_with->isChecked();
    m_first->setEnabled(with);
    m_second->setEnabled(with);
    const bool tooShort = m_first->text().size() < kShortest;
    const bool differs = m_first->text() != m_second->text();
    // Told as soon as there is something to tell of: an empty field is not wrong yet.
    m_firstError->setError(with && tooShort && !m_first->text().isEmpty()
                               ? tr("At least %1 characters.").arg(numberText(kShortest))
                               : QString());
    m_secondError->setError(with && differs && !m_second->text().isEmpty() ? tr("It is not the same.") : QString());
    m_next->setEnabled(!with || (!tooShort && !differs));
}

std::string ExportDialog::passphrase() const
{
    return m_with->isChecked() ? toUtf8(m_first->text()) : std::string();
}

}  // namespace omni
