#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "xwalk/skiff/binding.h"
#include "xwalk/skiff/codec.h"
#include "xwalk/skiff/schema.h"
#include "xwalk/yt/row_encoder.h"
#include "xwalk/yt/value_options.h"

namespace xwalk::skiff {

/// How the values of a column are written. Scratch: they are encoded value by value.
enum class Method : uint8_t { Nothing, KeySwitch, Integer, Real, Boolean, Bytes, List, Scratch };

/// A field of a row: a child of the root, or a member of a struct there.
struct RowColumn {
  Method method = Method::Scratch;
  Role role = Role::Dense;
  bool optional = false;
  bool required = false;
  /// Index of the Arrow column, and of the member at each level below it.
  size_t field = 0;
  std::vector<size_t> members;
  /// Scratch: index among the columns of this method.
  size_t scratch = 0;
  const Codec* codec = nullptr;
  /// The codec without the level that makes the value optional.
  const Codec* value = nullptr;
};

/// A struct whose members are columns. It must not be null.
struct OuterStruct {
  size_t field = 0;
  std::vector<size_t> members;
};

/// How the rows of one table are written: one method per field, chosen once per schema.
class RowPlan {
 public:
  /// Throws Error (Unsupported) if the schema does not fit its table, Error (Usage) if it has no
  /// such table.
  RowPlan(const Schema& schema, uint32_t table, yt::ValueOptions values);
  RowPlan(const RowPlan&) = delete;
  RowPlan& operator=(const RowPlan&) = delete;

  uint16_t table_index;
  BoundTable bound;
  hub::Schema arrow;
  /// One per Arrow column; `columns` points to them.
  std::vector<Codec> codecs;
  std::vector<RowColumn> columns;
  std::vector<OuterStruct> outers;
  /// Writes the map of `$other_columns`.
  std::optional<yt::RowEncoder> others;
  /// Bytes of a row without those of strings, lists and scratches.
  size_t fixed_bytes = sizeof(uint16_t);
  size_t scratches = 0;

 private:
  void add_slot(const Slot& slot, size_t* dense);
  void add_dense(RowColumn column);
  void add(RowColumn column);
};

}  // namespace xwalk::skiff
