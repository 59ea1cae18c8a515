#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "xwalk/base/path.h"
#include "xwalk/hub/array.h"
#include "xwalk/hub/type.h"
#include "xwalk/io/rows/piece_reader.h"

namespace xwalk::io {

/// The values of one ordered dictionary in the batches so far, in their order.
class CategoryOrder {
 public:
  CategoryOrder() = default;
  CategoryOrder(const CategoryOrder&) = delete;
  CategoryOrder& operator=(const CategoryOrder&) = delete;

  /// Adds the values of a dictionary to those before. Throws Error (Input) if it has some of them
  /// in another order, or another value between them.
  void follow(const hub::Field& field, const std::shared_ptr<const hub::Array>& dictionary);

  /// Returns the first two values that another order has in reverse, as texts; empty if the values
  /// that both have are in one order.
  std::vector<std::string> reversed_in(const CategoryOrder& other) const;

 private:
  /// The place of a value among all, the last dictionary that had it, and its text.
  struct Place {
    size_t number;
    uint64_t round;
    std::string text;
  };

  std::unordered_map<std::string, Place> places_;
  std::vector<const Place*> in_order_;
  uint64_t round_ = 0;
  std::shared_ptr<const hub::Array> last_;
};

/// The orders of the dictionaries of rows, at any depth.
using CategoryOrders = std::unordered_map<Path, CategoryOrder, Path::Hash>;

/// Returns true if a field is an ordered dictionary, or contains one.
bool has_category_order(const hub::Field& field);

/// Adds the dictionaries of rows to their orders. Throws Error (Input) with the path.
void follow_categories(const hub::Schema& schema, const hub::Array& rows, CategoryOrders* orders);

/// Wraps a reader so that the values of each ordered dictionary have one order in all batches:
/// values that an earlier batch lacks come after all values of the batches before. Throws Error
/// (Input) for another order. Pieces are decoded when they are taken. `orders` gets the orders of
/// the rows taken so far. Returns the reader itself if its schema has no ordered dictionary.
std::unique_ptr<SplitReader> in_one_order(
    std::unique_ptr<SplitReader> reader,
    std::shared_ptr<CategoryOrders> orders = std::make_shared<CategoryOrders>());

}  // namespace xwalk::io
