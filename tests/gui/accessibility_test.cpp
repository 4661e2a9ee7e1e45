#include "gui/window_fixture.h"
#include "program/test_program.h"
#include "ui/shell/languages.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAccessible>
#include <QButtonGroup>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QScopeGuard>
#include <QScrollArea>
#include <QScrollBar>
#include <QTextEdit>

#include <set>

using namespace omni;
using omni::test::WindowFixture;

namespace {

/// With a place on the page where it shows one of several.
const QStringList kPages{QStringLiteral("overview"),
                         QStringLiteral("connections"),
                         QStringLiteral("combos"),
                         QStringLiteral("cooldowns"),
                         QStringLiteral("lockouts"),
                         QStringLiteral("requests"),
                         QStringLiteral("usage"),
                         QStringLiteral("clients"),
                         QStringLiteral("api-keys"),
                         QStringLiteral("settings"),
                         QStringLiteral("settings/upstream"),
                         QStringLiteral("settings/log"),
                         QStringLiteral("settings/resilience"),
                         QStringLiteral("settings/modelLockout"),
                         QStringLiteral("settings/errorRules"),
                         QStringLiteral("settings/backups"),
                         QStringLiteral("settings/appearance"),
                         QStringLiteral("help")};

QWidget* openPage(WindowFixture& fixture, const QString& page)
{
    return fixture.window->openPage(page.section(QLatin1Char('/'), 0, 0), page.section(QLatin1Char('/'), 1));
}

QString describe(const QWidget* widget)
{
    return QStringLiteral("%1 \"%2\"").arg(QLatin1String(widget->metaObject()->className()), widget->objectName());
}

/// What a user can act on; a table's own scroll bars and viewports are part of the table.
bool isControl(const QWidget* widget)
{
    const bool kind = qobject_cast<const QAbstractButton*>(widget) || qobject_cast<const QLineEdit*>(widget) ||
                      qobject_cast<const QComboBox*>(widget) || qobject_cast<const QAbstractItemView*>(widget) ||
                      qobject_cast<const QTextEdit*>(widget);
    const QWidget* parent = widget->parentWidget();
    const bool part = parent && (qobject_cast<const QComboBox*>(parent) || qobject_cast<const QAbstractItemView*>(parent) ||
                                 qobject_cast<const QLineEdit*>(parent));
    return kind && !part && widget->isVisible();
}

QString spokenName(QWidget* widget)
{
    QAccessibleInterface* face = QAccessible::queryAccessibleInterface(widget);
    return face ? face->text(QAccessible::Name) : QString();
}

/// What does not show its whole text: buttons, sentences in several lines, and what scrolls only upwards but does not fit sideways.
QStringList cutTexts(const QWidget* shown)
{
    QStringList cut;
    for (const QAbstractButton* button : shown->findChildren<QAbstractButton*>()) {
        if (isControl(button) && !button->text().isEmpty() && button->objectName() != QLatin1String("troubles") &&
            button->width() < button->fontMetrics().horizontalAdvance(button->text()))
            cut << describe(button);
    }
    for (const QLabel* label : shown->findChildren<QLabel*>()) {
        if (label->isVisible() && label->wordWrap() && !label->text().isEmpty() && label->height() < label->heightForWidth(label->width()))
            cut << describe(label) + QLatin1Char(' ') + label->text().left(40);
    }
    for (const QScrollArea* area : shown->findChildren<QScrollArea*>()) {
        if (area->isVisible() && area->widget() && area->horizontalScrollBarPolicy() == Qt::ScrollBarAlwaysOff &&
            area->widget()->width() > area->viewport()->width())
            cut << describe(area);
    }
    return cut;
}

}  // namespace

class AccessibilityTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyControlHasAName_data();
    void everyControlHasAName();
    void everyControlIsReachedByTab_data();
    void everyControlIsReachedByTab();
    void everyControlIsFoundByItsObjectName_data();
    void everyControlIsFoundByItsObjectName();
    void noTextIsCutOff_data();
    void noTextIsCutOff();
    void noTextOfADialogIsCutOff_data();
    void noTextOfADialogIsCutOff();

private:
    static void eachPage()
    {
        QTest::addColumn<QString>("page");
        for (const QString& page : kPages)
            QTest::newRow(qPrintable(page)) << page;
    }

    Languages m_languages{*qApp};
};

void AccessibilityTest::everyControlHasAName_data()
{
    eachPage();
}

void AccessibilityTest::everyControlHasAName()
{
    QFETCH(QString, page);
    WindowFixture f;
    QVERIFY2(f.start() && openPage(f, page), f.core.error().c_str());
    QStringList nameless;
    for (QWidget* widget : f.window->findChildren<QWidget*>()) {
        if (isControl(widget) && spokenName(widget).trimmed().isEmpty())
            nameless << describe(widget);
    }
    QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(QStringLiteral(", "))));
}

void AccessibilityTest::everyControlIsReachedByTab_data()
{
    eachPage();
}

void AccessibilityTest::everyControlIsReachedByTab()
{
    QFETCH(QString, page);
    WindowFixture f;
    QVERIFY2(f.start() && openPage(f, page), f.core.error().c_str());
    std::set<const QWidget*> reached;
    QWidget* at = f.window->focusWidget();
    for (int i = 0; i < 400; ++i) {
        QTest::keyClick(at ? at : f.window.get(), Qt::Key_Tab);
        at = f.window->focusWidget();
        QVERIFY(at);
        if (!reached.insert(at).second && i > 200)
            break;
    }
    QStringList missed;
    for (const QWidget* widget : f.window->findChildren<QWidget*>()) {
        if (!isControl(widget) || !widget->isEnabled() || !(widget->focusPolicy() & Qt::TabFocus) || reached.contains(widget))
            continue;
        // Within an exclusive group Tab stops at the chosen one; the arrow keys reach the others.
        const auto* button = qobject_cast<const QAbstractButton*>(widget);
        if (button && button->group() && button->group()->exclusive())
            continue;
        missed << describe(widget);
    }
    QVERIFY2(missed.isEmpty(), qPrintable(missed.join(QStringLiteral(", "))));
}

void AccessibilityTest::everyControlIsFoundByItsObjectName_data()
{
    eachPage();
}

void AccessibilityTest::everyControlIsFoundByItsObjectName()
{
    QFETCH(QString, page);
    WindowFixture f;
    QVERIFY2(f.start() && openPage(f, page), f.core.error().c_str());
    QStringList missing;
    for (const QWidget* widget : f.window->findChildren<QWidget*>()) {
        if (isControl(widget) && widget->objectName().isEmpty())
            missing << describe(widget) + QLatin1Char(' ') + widget->accessibleName();
    }
    QVERIFY2(missing.isEmpty(), qPrintable(missing.join(QStringLiteral(", "))));
}

void AccessibilityTest::noTextIsCutOff_data()
{
    QTest::addColumn<QString>("page");
    QTest::addColumn<QString>("language");
    for (const Languages::Language& language : Languages::available()) {
        for (const QString& page : kPages)
            QTest::newRow(qPrintable(page + QLatin1Char(' ') + language.code)) << page << language.code;
    }
}

/// At the smallest size of the window every button still shows its whole text.
void AccessibilityTest::noTextIsCutOff()
{
    QFETCH(QString, page);
    QFETCH(QString, language);
    m_languages.apply(language);
    const auto back = qScopeGuard([this] { m_languages.apply(QStringLiteral("en")); });
    WindowFixture f;
    QVERIFY2(f.start() && openPage(f, page), f.core.error().c_str());
    f.window->resize(f.window->minimumSize());
    QCoreApplication::processEvents();
    // A text that has just come is given its room a moment later.
    QTRY_VERIFY2(cutTexts(f.window.get()).isEmpty(), qPrintable(cutTexts(f.window.get()).join(QStringLiteral(", "))));
    QCOMPARE(f.window->size(), f.window->minimumSize());
}

void AccessibilityTest::noTextOfADialogIsCutOff_data()
{
    QTest::addColumn<QString>("page");
    QTest::addColumn<QString>("button");
    QTest::addColumn<QString>("language");
    const QList<std::pair<const char*, const char*>> dialogs{{"connections", "addConnection"}, {"connections", "importKeys"},
                                                             {"combos", "addCombo"},           {"usage", "usagePrices"},
                                                             {"api-keys", "createClientKey"},  {"settings/errorRules", "addFirstRule"},
                                                             {"settings/backups", "exportConfiguration"}};
    for (const Languages::Language& language : Languages::available()) {
        for (const auto& [page, button] : dialogs)
            QTest::newRow(qPrintable(QLatin1String(button) + QLatin1Char(' ') + language.code))
                << QString::fromLatin1(page) << QString::fromLatin1(button) << language.code;
    }
}

/// As it opens.
void AccessibilityTest::noTextOfADialogIsCutOff()
{
    QFETCH(QString, page);
    QFETCH(QString, button);
    QFETCH(QString, language);
    m_languages.apply(language);
    const auto back = qScopeGuard([this] { m_languages.apply(QStringLiteral("en")); });
    WindowFixture f;
    QVERIFY2(f.start() && openPage(f, page), f.core.error().c_str());
    auto* opens = f.find<QAbstractButton>(button);
    QVERIFY(opens);
    opens->click();
    const auto dialog = [&f]() -> QDialog* {
        for (auto* one : f.window->findChildren<QDialog*>()) {
            if (one->isVisible())
                return one;
        }
        return nullptr;
    };
    QTRY_VERIFY(dialog());
    QTRY_VERIFY2(cutTexts(dialog()).isEmpty(), qPrintable(cutTexts(dialog()).join(QStringLiteral(", "))));
}

OMNI_TEST(AccessibilityTest)
#include "accessibility_test.moc"
