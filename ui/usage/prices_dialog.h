#pragma once

#include "model/configuration.h"

#include <QDialog>

#include <optional>
#include <vector>

class QLabel;
class QLineEdit;
class QPushButton;
class QSortFilterProxyModel;

namespace omni {

class CoreLink;
class DataTable;
class FieldErrorLabel;
class PricesModel;
class SearchField;

/// What the user pays for models: choose one or several, enter the prices, save. Each change takes effect at once.
class PricesDialog final : public QDialog {
    Q_OBJECT

public:
    /// `used`: models to list beside those that have a price. `link` must be ready and outlive the dialog.
    PricesDialog(CoreLink& link, const std::vector<PricedModel>& used, QWidget* parent = nullptr);

    void select(const std::vector<PricedModel>& models);

private:
    struct Field {
        QLineEdit* edit = nullptr;
        FieldErrorLabel* error = nullptr;
    };
    Field addField(const char* name, const QString& label, const QString& hint, QWidget* parent);
    void buildTable();
    QWidget* buildEditor();
    void showSelected();
    void check();
    /// Unset = something in the fields is wrong or missing.
    std::optional<ModelPrice> typed() const;
    std::vector<PricedModel> selected() const;
    void save();
    void remove();
    void tell(const QString& text);

    CoreLink& m_link;
    PricesModel* m_model;
    QSortFilterProxyModel* m_sorted;
    SearchField* m_search;
    DataTable* m_table;
    QLabel* m_subject = nullptr;
    Field m_input;
    Field m_cached;
    Field m_output;
    QLabel* m_done = nullptr;
    QPushButton* m_save = nullptr;
    QPushButton* m_remove = nullptr;
};

}  // namespace omni
