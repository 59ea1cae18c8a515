#include "xwalk/io/rows/category_order.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/hub/children.h"
#include "xwalk/hub/key_bytes.h"
#include "xwalk/hub/last_dictionary.h"
#include "xwalk/hub/ordered_dictionary.h"
#include "xwalk/hub/row_text.h"
#include "xwalk/hub/value_at.h"
#include "xwalk/io/rows/wrapped_reader.h"

namespace xwalk::io {
namespace {

using hub::Array;
using hub::Field;
using hub::Kind;

constexpr size_t kMostText = 100;

void follow_field(const Field& field, const Array& array, const Path& path,
                  CategoryOrders* orders) {
  if (!has_category_order(field)) return;
  if (hub::is_ordered(field.type)) {
    try {
      return (*orders)[path].follow(field, array.dictionary);
    } catch (Error& error) {
      error.place().path = path;
      throw;
    }
  }
  // A map has one child, the struct of its keys and values.
  const bool is_map = field.type.kind() == Kind::Map;
  const Array& below = is_map ? array.children[0] : array;
  if (hub::is_encoded(field.type)) return;
  const std::vector<hub::Child> children = hub::children_of(field.type, path);
  for (size_t i = 0; i < children.size(); ++i) {
    follow_field(*children[i].field, below.children[i], children[i].path, orders);
  }
}

class OneOrderReader final : public WrappedReader {
 public:
  OneOrderReader(std::unique_ptr<SplitReader> inner, std::shared_ptr<CategoryOrders> orders)
      : WrappedReader(std::move(inner)), orders_(std::move(orders)) {}

  void lay_out(const RowLayout& accepted) override { inner_->lay_out(accepted); }
  std::unique_ptr<Piece> take() override {
    std::unique_ptr<Piece> piece = inner_->take();
    if (piece == nullptr) return nullptr;
    hub::Batch batch = piece->decode();
    try {
      follow_categories(inner_->schema(), batch.array, orders_.get());
    } catch (Error& error) {
      if (piece->file().empty()) throw;
      error.place().file = std::string(piece->file());
      error.with_hint(
          "Files of one table have one order in each column. Convert this one by itself first, "
          "with `cast`.");
      throw;
    }
    return decoded(std::move(batch), std::move(piece));
  }

 private:
  std::shared_ptr<CategoryOrders> orders_;
};

}  // namespace

bool has_category_order(const Field& field) {
  return hub::is_ordered(field.type) ||
         std::ranges::any_of(field.type.children(), has_category_order);
}

void follow_categories(const hub::Schema& schema, const Array& rows, CategoryOrders* orders) {
  for (size_t i = 0; i < schema.fields.size(); ++i) {
    const Field& field = schema.fields[i];
    follow_field(field, rows.children[i], Path::column(field.name), orders);
  }
}

void CategoryOrder::follow(const Field& field, const std::shared_ptr<const Array>& dictionary) {
  if (last_ != nullptr && hub::same_buffers(*last_, *dictionary)) return;
  last_ = dictionary;
  ++round_;
  const Field values("", field.type.child().type);
  const Array* const column = dictionary.get();
  const Array keys = hub::key_bytes({&values, 1}, {&column, 1}, column->length);
  const Place* before = nullptr;
  for (int64_t i = 0; i < column->length; ++i) {
    if (column->is_null(i)) continue;
    const auto [found, is_new] =
        places_.try_emplace(std::string(hub::bytes_at(keys, Kind::Binary, i)));
    Place& place = found->second;
    if (is_new) {
      std::string text;
      hub::append_json(values, *column, i, &text);
      if (text.size() > kMostText) text.replace(kMostText, std::string::npos, "…");
      place = {in_order_.size(), 0, std::move(text)};
      in_order_.push_back(&place);
    }
    // Some writers repeat a value.
    if (std::exchange(place.round, round_) == round_) continue;
    if (before != nullptr && place.number < before->number) {
      throw Error(ErrorCode::Input,
                  fmt::format("expected the ordered dictionary of the rows before, {} < {}, found "
                              "the reverse",
                              place.text, before->text));
    }
    before = &place;
  }
}

std::vector<std::string> CategoryOrder::reversed_in(const CategoryOrder& other) const {
  const Place* before = nullptr;
  const Place* before_there = nullptr;
  std::unordered_map<const Place*, const Place*> there;
  for (const auto& [key, place] : places_) {
    const auto found = other.places_.find(key);
    if (found != other.places_.end()) there.emplace(&place, &found->second);
  }
  for (const Place* place : in_order_) {
    const auto found = there.find(place);
    if (found == there.end()) continue;
    if (before_there != nullptr && found->second->number < before_there->number) {
      return {before->text, place->text};
    }
    before = place;
    before_there = found->second;
  }
  return {};
}

std::unique_ptr<SplitReader> in_one_order(std::unique_ptr<SplitReader> reader,
                                          std::shared_ptr<CategoryOrders> orders) {
  if (std::ranges::none_of(reader->schema().fields, has_category_order)) return reader;
  return std::make_unique<OneOrderReader>(std::move(reader), std::move(orders));
}

}  // namespace xwalk::io
