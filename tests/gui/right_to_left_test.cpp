#include "program/test_program.h"
#include "ui/cooldowns/held_delegate.h"
#include "ui/models/cell_delegate.h"
#include "ui/models/data_table.h"
#include "ui/models/state_delegate.h"

#include <QApplication>
#include <QHeaderView>
#include <QImage>
#include <QStandardItemModel>
#include <QTest>

#include <cstdlib>
#include <utility>

using namespace omni;

namespace {

/// Columns of pixels that hold anything but the background, first and last; (-1, -1) = none.
std::pair<int, int> inkOf(const QImage& image)
{
    const QRgb background = image.pixel(image.width() / 2, image.height() / 2);
    int first = -1;
    int last = -1;
    // Without the lines around.
    for (int x = 4; x < image.width() - 4; ++x) {
        for (int y = 4; y < image.height() - 4; ++y) {
            if (image.pixel(x, y) == background)
                continue;
            first = first < 0 ? x : first;
            last = x;
            break;
        }
    }
    return {first, last};
}

}  // namespace

/// What paints itself, read from right to left.
class RightToLeftTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { QApplication::setLayoutDirection(Qt::LeftToRight); }

    void sortArrowStandsBesideItsWord_data();
    void sortArrowStandsBesideItsWord();
    void cellsAreMirrored_data();
    void cellsAreMirrored();
};

void RightToLeftTest::sortArrowStandsBesideItsWord_data()
{
    QTest::addColumn<int>("alignment");
    QTest::newRow("words") << static_cast<int>(Qt::AlignLeft);
    QTest::newRow("numbers") << static_cast<int>(Qt::AlignRight);
}

void RightToLeftTest::sortArrowStandsBesideItsWord()
{
    QFETCH(int, alignment);
    QStandardItemModel model(1, 1);
    model.setHorizontalHeaderLabels({QStringLiteral("WHEN")});
    model.setHeaderData(0, Qt::Horizontal, QVariant::fromValue(Qt::Alignment(alignment | Qt::AlignVCenter)), Qt::TextAlignmentRole);
    DataTable table;
    table.setModel(&model);
    table.setSortingEnabled(true);
    table.resize(300, 120);
    table.show();
    QVERIFY(QTest::qWaitForWindowExposed(&table));
    const auto drawn = [&](Qt::LayoutDirection direction, bool sorted) {
        QApplication::setLayoutDirection(direction);
        table.sortByColumn(sorted ? 0 : -1, Qt::AscendingOrder);
        return inkOf(table.horizontalHeader()->viewport()->grab().toImage().convertToFormat(QImage::Format_RGB32));
    };
    const int width = table.horizontalHeader()->viewport()->width();
    const auto [wordFrom, wordTo] = drawn(Qt::LeftToRight, false);
    QVERIFY(wordFrom >= 0);
    const int arrow = 8;
    for (const Qt::LayoutDirection direction : {Qt::LeftToRight, Qt::RightToLeft}) {
        const auto [from, to] = drawn(direction, true);
        // As wide as both, so neither lies upon the other, and no wider.
        const int both = wordTo - wordFrom + arrow;
        QVERIFY2(to - from >= both && to - from <= both + 2 * CellDelegate::kGap,
                 qPrintable(QStringLiteral("%1 to %2 of %3").arg(from).arg(to).arg(width)));
    }
}

void RightToLeftTest::cellsAreMirrored_data()
{
    QTest::addColumn<QString>("delegate");
    QTest::newRow("state") << QStringLiteral("state");
    QTest::newRow("state with a fold") << QStringLiteral("held");
}

/// What stands at the left edge then stands as far from the right one.
void RightToLeftTest::cellsAreMirrored()
{
    QFETCH(QString, delegate);
    QStandardItemModel model(1, 1);
    model.setData(model.index(0, 0), QStringLiteral("HHH"));
    DataTable table;
    table.setModel(&model);
    table.setItemDelegateForColumn(0, delegate == QLatin1String("held") ? static_cast<QAbstractItemDelegate*>(new HeldDelegate(&table))
                                                                        : new StateDelegate(&table));
    table.resize(400, 120);
    const auto drawn = [&table](Qt::LayoutDirection direction) {
        QApplication::setLayoutDirection(direction);
        table.show();
        return inkOf(table.viewport()->grab(QRect(0, 0, table.viewport()->width(), table.rowHeight(0))).toImage().convertToFormat(QImage::Format_RGB32));
    };
    const auto [from, to] = drawn(Qt::LeftToRight);
    const auto [mirroredFrom, mirroredTo] = drawn(Qt::RightToLeft);
    const int last = table.viewport()->width() - 1;
    QVERIFY(from >= 0 && to < last / 2);
    QVERIFY2(std::abs(mirroredFrom - (last - to)) <= 3 && std::abs(mirroredTo - (last - from)) <= 3,
             qPrintable(QStringLiteral("%1 to %2, mirrored %3 to %4 of %5").arg(from).arg(to).arg(mirroredFrom).arg(mirroredTo).arg(last)));
}

OMNI_TEST(RightToLeftTest)
#include "right_to_left_test.moc"
