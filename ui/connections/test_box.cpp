#include "ui/connections/test_box.h"

#include "ui/core_link.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/quiet_label.h"
#include "ui/widgets/state_label.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace omni {

namespace {

constexpr int kTickMs = 200;
constexpr std::size_t kShownModels = 12;

}  // namespace

TestBox::TestBox(CoreLink& link, QWidget* parent)
    : QWidget(parent), m_link(link), m_button(new QPushButton(this)), m_state(new StateLabel(this)), m_text(new QLabel(this)),
      m_models(new QuietLabel(this))
{
    m_button->setObjectName(QStringLiteral("testDraft"));
    m_button->setAutoDefault(false);
    m_text->setObjectName(QStringLiteral("testText"));
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_models->setObjectName(QStringLiteral("testModels"));
    m_models->setWordWrap(true);
    m_models->setTextFormat(Qt::PlainText);

    auto* words = new QVBoxLayout;
    words->setSpacing(4);
    words->addWidget(m_state, 0, Qt::AlignLeft);
    words->addWidget(m_text);
    words->addWidget(m_models);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(16);
    layout->addWidget(m_button, 0, Qt::AlignTop);
    layout->addLayout(words, 1);

    m_timer.setInterval(kTickMs);
    connect(&m_timer, &QTimer::timeout, this, &TestBox::tick);
    connect(m_button, &QPushButton::clicked, this, [this] {
        if (m_running) {
            stop();
            m_text->setText(tr("Given up."));
        } else {
            Q_EMIT wanted();
        }
    });
    reset();
}

void TestBox::setReady(bool ready)
{
    m_button->setEnabled(ready || m_running);
}

void TestBox::stop()
{
    m_running = false;
    m_timer.stop();
    delete m_waiting;
    m_waiting = nullptr;
    m_button->setText(tr("Test"));
    m_button->setAccessibleName(tr("Test the connection"));
}

void TestBox::reset()
{
    stop();
    m_state->hide();
    m_models->hide();
    m_text->setText(tr("Sends one small request with what stands above."));
    m_text->setForegroundRole(QPalette::PlaceholderText);  // the theme's muted text
}

void TestBox::showWaiting()
{
    stop();
    m_running = true;
    m_startedAt = wallNow();
    m_state->hide();
    m_models->hide();
    m_text->setForegroundRole(QPalette::WindowText);
    m_button->setText(tr("Cancel"));
    m_button->setAccessibleName(tr("Stop waiting for the test"));
    m_button->setEnabled(true);
    m_timer.start();
    tick();
}

void TestBox::tick()
{
    static constexpr const char16_t* kFrames[] = {u"◜", u"◝", u"◞", u"◟"};
    const std::int64_t elapsed = (wallNow() - m_startedAt).count();
    const auto frame = static_cast<std::size_t>(elapsed / kTickMs) % std::size(kFrames);
    m_text->setText(tr("%1 Testing… %2 s").arg(QString::fromUtf16(kFrames[frame]), numberText(elapsed / 1000)));
}

void TestBox::run(const ConnectionDraft& draft)
{
    if (!m_running)
        showWaiting();
    m_waiting = new QObject(this);
    m_link.ask<TestReport>(
        m_waiting, [draft](Control& control, const Reply<TestReport>& reply) { control.testConnection(draft, reply); },
        [this](const Result<TestReport>& result) { showResult(result); });
}

void TestBox::showFailure(const QString& message)
{
    stop();
    m_state->setLook([](const Colours& colours) {
        StateLook look = lookOf(Outcome::UpstreamFailed, colours);
        look.word = TestBox::tr("Test failed");
        return look;
    });
    m_state->show();
    m_text->setForegroundRole(QPalette::WindowText);
    m_text->setText(message);
    m_models->hide();
    Q_EMIT finished(false);
}

void TestBox::showResult(const Result<TestReport>& result)
{
    // This runs inside the waiting object's own call; it goes once that has returned.
    m_waiting->deleteLater();
    m_waiting = nullptr;
    if (!result) {
        showFailure(errorText(result.error()));
        return;
    }
    const TestReport& report = *result;
    if (!report.ok) {
        const QString status = report.status > 0 ? statusText(report.status) : QString();
        const QString words = coreText(report.message);
        showFailure(status.isEmpty() || words.isEmpty() ? status + words : tr("%1: %2").arg(status, words));
        return;
    }
    stop();
    m_state->setLook([](const Colours& colours) {
        StateLook look = lookOf(Outcome::Answered, colours);
        look.word = TestBox::tr("Test passed");
        return look;
    });
    m_state->show();
    m_text->setForegroundRole(QPalette::WindowText);
    const QString latency = durationText(report.latency.count() * 1000);
    m_text->setText(report.status > 0 ? tr("%1 after %2").arg(statusText(report.status), latency) : tr("Answered after %1").arg(latency));
    if (!report.models.empty()) {
        QStringList names;
        for (std::size_t i = 0; i < std::min(report.models.size(), kShownModels); ++i)
            names << toQString(report.models[i]);
        const QString more = report.models.size() > kShownModels ? QStringLiteral(", …") : QString();
        m_models->setText(
            tr("%1 models: %2").arg(numberText(static_cast<std::int64_t>(report.models.size())), names.join(QStringLiteral(", ")) + more));
    }
    m_models->setVisible(!report.models.empty());
    Q_EMIT finished(true);
}

}  // namespace omni
